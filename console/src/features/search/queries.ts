import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import { spentWords } from '../../lib/money.ts';
import type { MatchedBy, SearchResult, SearchResults, TransactionDetail } from '../../lib/types.ts';

/** The previous results stay until the next ones arrive, so that the list does not empty with every letter. */
export const searchQuery = (programId: string, text: string) => {
  const q = text.trim();
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
  phone: 'Phone',
  email: 'E-mail',
  transaction: 'Transaction',
};

/** What matched the search. Four digits that differ from the current ones belong to an earlier number of the card. */
export function matchedWords({ card, matchedBy }: SearchResult, text: string): string {
  const digits = /(\d{4})$/.exec(text.trim())?.[1];
  return matchedBy === 'lastFour' && digits && digits !== card.lastFour
    ? `Formerly ••••\u00a0${digits}`
    : MATCHED_BY[matchedBy];
}

/** A search by these finds a person and not one card. */
const PERSON: MatchedBy[] = ['cardholder', 'customerId', 'phone', 'email'];
const MOST_CUSTOMERS = 3;

/** The customers of the cards found, each once, with the name on the first card. */
export const customersOf = (results: SearchResult[]): Array<{ id: string; name: string }> => {
  const found = results.filter(({ matchedBy }) => PERSON.includes(matchedBy)).map(({ card }) => card);
  return [...new Set(found.map(({ externalCustomerId }) => externalCustomerId))]
    .slice(0, MOST_CUSTOMERS)
    .map((id) => ({
      id,
      name: found.find(({ externalCustomerId }) => externalCustomerId === id)?.cardholderName ?? '',
    }));
};

/** What a transaction took from the card, fees included. */
export function takenWords({ total, billAmount, billCurrency }: TransactionDetail): string {
  const taken = spentWords(total, billCurrency);
  return total === billAmount ? taken : `${taken} with fees`;
}
