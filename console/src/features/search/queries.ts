import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type { MatchedBy, SearchResult, SearchResults } from '../../lib/types.ts';

/** The previous results stay until the next ones arrive, so that the list does not empty with every letter. */
export const searchQuery = (programId: string, asked: string) => {
  const q = asked.trim();
  return queryOptions({
    queryKey: [programId, 'search', q],
    queryFn: ({ signal }) => programApi(programId).get<SearchResults>('search/', { q }, signal),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
};

const MATCHED_BY: Record<MatchedBy, string> = {
  id: 'Card id',
  lastFour: 'Last four',
  cardholder: 'Cardholder',
  customerId: 'Customer id',
  transaction: 'Transaction',
};

/** What matched the search. Four digits that differ from the current ones belong to an earlier number of the card. */
export function matchedWords({ card, matchedBy }: SearchResult, asked: string): string {
  const digits = /(\d{4})$/.exec(asked.trim())?.[1];
  return matchedBy === 'lastFour' && digits && digits !== card.lastFour
    ? `Formerly •••• ${digits}`
    : MATCHED_BY[matchedBy];
}
