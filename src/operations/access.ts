import type { Role } from '../operators/operator.ts';
import { kindOfSearch } from './search/find-cards.ts';

/** What support may do beside reading, by operation. */
const SUPPORT: ReadonlySet<string> = new Set(['freezeCard', 'blockCard']);

/** Numbers are revealed for a reason here, by an operation of the console's own. */
export const CLOSED: ReadonlySet<string> = new Set(['revealCredentials']);

/** Operations that leave no entry of their own in the audit: for merchants they are everyday traffic. */
const UNRECORDED: ReadonlySet<string> = new Set([
  'simulateAuthorization',
  'simulateReversal',
  'simulateClearing',
  'simulateRefund',
  'registerKycApplicant',
  'testWebhookEndpoint',
  'resendWebhookEvent',
  'resendMissedWebhookEvents',
  'requestFile',
  // Hands out a link, which then opens for whoever has it.
  'getFileRequest',
]);

/** The name under which the door writes down what a person did; undefined where the operation does so itself. */
export const actionFor = (operationId: string | undefined): string | undefined =>
  operationId !== undefined && UNRECORDED.has(operationId) ? `console.${operationId}` : undefined;

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

/** Asked for with GET, as the API wants it, and yet it starts something. */
const STARTS: ReadonlySet<string> = new Set(['requestFile']);

/** Whether a request does more than look. */
export const doesSomething = (method: string, operationId: string | undefined): boolean =>
  (method !== 'GET' && method !== 'HEAD') || (operationId !== undefined && STARTS.has(operationId));

/** The role that an operation needs: everybody may look, and what nobody thought of is for administrators. */
export function roleFor(method: string, operationId: string | undefined): Role {
  if (!doesSomething(method, operationId)) return 'viewer';
  return operationId !== undefined && SUPPORT.has(operationId) ? 'support' : 'admin';
}
