import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type { MatchedBy, SearchResult, SearchResults } from '../../lib/types.ts';

/** While the next answer is on its way the last one stays: a list that empties with every letter cannot be read. */
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

/** What a card was found by. It may have had another number when the digits that were typed were its last four. */
export function matchedWords({ card, matchedBy }: SearchResult, asked: string): string {
  const digits = /(\d{4})$/.exec(asked.trim())?.[1];
  return matchedBy === 'lastFour' && digits && digits !== card.lastFour
    ? `Formerly •••• ${digits}`
    : MATCHED_BY[matchedBy];
}
