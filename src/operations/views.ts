import { kindOfSearch } from './search/find-cards.ts';

/** What an operator was shown, for the audit. */
export interface View {
  action: `console.${'searched' | 'viewed_card' | 'viewed_transaction'}`;
  cardId: string | null;
  after: Record<string, unknown> | null;
}

/**
 * Operations that show one cardholder's data, by what they answered. Of a search the audit has the cards that were shown and
 * what was searched by: the text itself may be a name, and stays out.
 */
const VIEWS: Record<string, (answer: never, query: { q: string }) => View> = {
  consoleSearch: ({ results }: { results: Array<{ card: { id: string } }> }, { q }) => ({
    action: 'console.searched',
    cardId: null,
    after: { by: kindOfSearch(q), cardIds: results.map(({ card }) => card.id) },
  }),
  retrieveCard: ({ id }: { id: string }) => ({ action: 'console.viewed_card', cardId: id, after: null }),
  consoleTransactionLife: ({
    transaction: { id, cardId },
  }: {
    transaction: { id: string; cardId: string };
  }) => ({
    action: 'console.viewed_transaction',
    cardId,
    after: { transactionId: id },
  }),
};

export const viewOf = (operationId: string | undefined, answer: unknown, query: unknown): View | undefined =>
  operationId === undefined ? undefined : VIEWS[operationId]?.(answer as never, query as { q: string });
