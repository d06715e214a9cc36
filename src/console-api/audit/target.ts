import type { Entry } from '../../audit/entry.ts';

/** What an entry is about. The console has a page for each kind. */
export const TARGET_KINDS = [
  ...['card', 'transaction', 'program', 'person', 'key', 'webhooks', 'decisions', 'design', 'report'],
  ...['approvals', 'rule'],
] as const;
type Kind = (typeof TARGET_KINDS)[number];

/** By the first part of the action, in this order. */
const KINDS: Array<[start: string, kind: Kind]> = [
  ['operator.', 'person'],
  ['key.', 'key'],
  ['webhook_endpoint.', 'webhooks'],
  ['decision_endpoint.', 'decisions'],
  ['rule.', 'rule'],
  ['design.', 'design'],
  ['report.', 'report'],
  ['console.requestFile', 'report'],
  ['console.getFileRequest', 'report'],
  ['approval.', 'approvals'],
  ['program.', 'program'],
  ['account.', 'program'],
  ['clock.', 'program'],
];

/** Fields by which people know a thing, the best first. */
const NAMES = ['name', 'url', 'email', 'fileType', 'reference', 'kind'];

export interface Target {
  kind: Kind;
  /** Of a card or a transaction. */
  id: string | null;
  name: string | null;
}

export function targetOf(
  { action, cardId, before, after }: Entry,
  lastFours: ReadonlyMap<string, string>,
): Target | null {
  const values = { ...before, ...after };
  const transactionId = values['transactionId'] ?? values['transaction_id'];
  if (typeof transactionId === 'string') return { kind: 'transaction', id: transactionId, name: null };
  if (cardId !== null) return { kind: 'card', id: cardId, name: lastFours.get(cardId) ?? null };
  const kind = KINDS.find(([start]) => action.startsWith(start))?.[1];
  if (!kind) return null;
  if (kind === 'program') return { kind, id: null, name: null };
  const name = NAMES.map((field) => values[field]).find((value) => typeof value === 'string');
  return { kind, id: null, name: (name as string | undefined) ?? null };
}
