import type { Locks } from '../../cards/counter-queries.ts';
import { customersOfCards } from '../../cards/customers/customers-of-cards.ts';
import type { Tx } from '../../db/database.ts';
import type { Program } from '../../programs/program.ts';
import type { ProgramRules } from '../../rules/rule.ts';
import { openCounters } from '../../rules/velocity/counters.ts';
import {
  lockSharedSums,
  readSums,
  type SumsRow,
  writeEntries,
  writeSums,
} from '../../rules/velocity/queries.ts';
import { isShared, type Subject, subjectsOf } from '../../rules/velocity/subjects.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Velocities } from '../core/effects.ts';
import type { TransactionRecord } from '../core/transaction.ts';
import type { BatchItem, BatchState } from './batch-state.ts';

export type CustomerIdsOf = (
  tx: Tx,
  programId: string,
  cardIds: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** About 10 MB. */
const MOST_CARDS = 50_000;

/** Which customer a card belongs to never changes, so it is read once. */
export function rememberCustomerIds(vault: Vault, mostCards = MOST_CARDS): CustomerIdsOf {
  const known = new Map<string, string>();
  return async (tx, programId, cardIds) => {
    const kept = cardIds.flatMap((id): Array<[string, string]> => {
      const customerId = known.get(id);
      return customerId === undefined ? [] : [[id, customerId]];
    });
    const customerIds = new Map(kept);
    const unknown = cardIds.filter((id) => !customerIds.has(id));
    if (unknown.length === 0) return customerIds;
    if (known.size > mostCards) known.clear();
    for (const [cardId, customerId] of await customersOfCards(vault, tx, programId, unknown)) {
      known.set(cardId, customerId);
      customerIds.set(cardId, customerId);
    }
    return customerIds;
  };
}

/** What the rules of a batch count, as it is known before the program is read under the locks. */
export interface Expected {
  rules: ProgramRules;
  clockOffsetMs: number;
  customerIds: ReadonlyMap<string, string>;
  subjects: ReadonlySet<Subject>;
}

/** Undefined: the rules have no velocities, as far as is known. */
export async function expectVelocities(
  tx: Tx,
  customerIdsOf: CustomerIdsOf,
  programId: string,
  items: readonly BatchItem[],
): Promise<Expected | undefined> {
  const known = items.reduce<BatchItem['known']>(
    (newest, item) =>
      item.known && item.known.rules.version > (newest?.rules.version ?? -1n) ? item.known : newest,
    undefined,
  );
  if (!known || known.rules.velocities.size === 0) return undefined;
  const customerIds = await customerIdsOf(tx, programId, cardsOf(items));
  return { ...known, customerIds, subjects: subjectsIn(known.rules, items, customerIds, new Map()) };
}

const cardsOf = (items: readonly BatchItem[]): string[] => [
  ...new Set(items.flatMap(({ cardIds }) => cardIds)),
];

/** Sent before the cards are locked, so that the rows of customers are locked first. */
export const sendSumsQuery = (
  tx: Tx,
  programId: string,
  { rules, clockOffsetMs, subjects }: Omit<Expected, 'customerIds'>,
): Promise<SumsRow[]> => readSums(tx, programId, [...subjects], minutesOf(rules), clockOffsetMs);

export function lockCustomers(tx: Tx, programId: string, subjects: Iterable<Subject>, locks: Locks): void {
  const shared = [...subjects].filter(isShared);
  if (locks !== 'none' && shared.length > 0) lockSharedSums(tx, programId, shared);
}

const minutesOf = ({ velocities }: ProgramRules): Map<number, number> =>
  new Map(
    [...velocities.values()].flatMap(({ number, window }) =>
      'minutes' in window ? [[number, window.minutes] as const] : [],
    ),
  );

/**
 * What the velocities count for the messages. Usually all of it was read with the locks: only a change of the rules or of the clock,
 * and the merchants of known purchases, need another statement.
 */
export async function openVelocities(
  tx: Tx,
  services: { customerIdsOf: CustomerIdsOf },
  items: readonly BatchItem[],
  expected: (Expected & { rows: readonly SumsRow[] }) | undefined,
  state: Pick<BatchState, 'transactions'> & { nowMs: number; program: Program; rules: ProgramRules },
  locks: Locks,
): Promise<Velocities | undefined> {
  const { program, rules, nowMs, transactions } = state;
  if (rules.velocities.size === 0) return undefined;
  const customerIds = expected?.customerIds ?? (await services.customerIdsOf(tx, program.id, cardsOf(items)));
  const subjects = subjectsIn(rules, items, customerIds, transactions);
  const isRead =
    expected?.rules.version === rules.version && expected.clockOffsetMs === program.clockOffsetMs;
  const missing = isRead
    ? new Set([...subjects].filter((subject) => !expected.subjects.has(subject)))
    : subjects;
  const rows = isRead ? [...expected.rows] : [];
  if (missing.size > 0) {
    lockCustomers(tx, program.id, missing, locks);
    const { clockOffsetMs } = program;
    rows.push(...(await sendSumsQuery(tx, program.id, { rules, clockOffsetMs, subjects: missing })));
  }
  return {
    counters: openCounters(rules.velocities, rows, nowMs),
    subjectsOf: ({ cardId, acceptor }) =>
      subjectsOf(cardId, customerIds.get(cardId) ?? cardId, acceptor?.id ?? null),
  };
}

/** For whom the messages may count. */
function subjectsIn(
  { velocities }: ProgramRules,
  items: readonly BatchItem[],
  customerIds: ReadonlyMap<string, string>,
  transactions: ReadonlyMap<string, TransactionRecord>,
): Set<Subject> {
  const kinds = new Set([...velocities.values()].map(({ per }) => per));
  const found = new Set<Subject>();
  const add = (cardId: string, merchantId: string | null) => {
    const subjects = subjectsOf(cardId, customerIds.get(cardId) ?? cardId, merchantId);
    for (const kind of kinds) found.add(subjects[kind]);
  };
  for (const { message, cardIds } of items)
    for (const cardId of cardIds) add(cardId, ('acceptor' in message && message.acceptor?.id) || null);
  for (const { cardId, acceptor } of transactions.values()) add(cardId, acceptor?.id ?? null);
  return found;
}

export function writeVelocities(tx: Tx, programId: string, { counters }: Velocities): void {
  const { sums, changedSums, changedEntries } = counters;
  if (changedSums.size === 0) return;
  const changed = new Map([...sums].filter(([subject]) => changedSums.has(subject)));
  writeSums(tx, programId, changed);
  if (changedEntries.size > 0) writeEntries(tx, programId, [...changedEntries.values()]);
}
