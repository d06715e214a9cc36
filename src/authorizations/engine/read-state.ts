import { type Locks, lockCounters, readCards } from '../../cards/counter-queries.ts';
import type { Tx } from '../../db/database.ts';
import { dayOf } from '../../kernel/calendar.ts';
import { ACCOUNTS } from '../../ledger/accounts.ts';
import { findBalance, lockMasterBalance } from '../../ledger/queries.ts';
import { type Program, programNow } from '../../programs/program.ts';
import { readProgram } from '../../programs/queries.ts';
import type { RulesOf } from '../../rules/loaded-rules.ts';
import { isInternal, type Message, purchaseNamedBy } from '../core/message.ts';
import { replayCounts } from '../replay/replay-counts.ts';
import { findTransactions } from '../transactions/queries.ts';
import { type Authentications, authenticationIdsOf, readSharers } from './authentications.ts';
import { type BatchItem, type BatchState, keyOf, noChanges } from './batch-state.ts';
import { findByArn, findPresentments } from './presentment-queries.ts';
import { findMessages, type RecordKind, recordKind } from './queries.ts';
import {
  type CustomerIdsOf,
  expectVelocities,
  lockCustomers,
  openVelocities,
  sendSumsQuery,
} from './velocities.ts';

export interface StateServices {
  authentications: Authentications;
  rulesOf: RulesOf;
  customerIdsOf: CustomerIdsOf;
}

export async function readState(
  tx: Tx,
  services: StateServices,
  programId: string,
  items: readonly BatchItem[],
  locks: Locks,
): Promise<BatchState> {
  const cardIds = [...new Set(items.flatMap((item) => item.cardIds))];
  const transactionIds = [...new Set(items.flatMap((item) => item.transactionIds))];
  const keys = messageKeys(items);
  const authenticationIds = authenticationIdsOf(items);
  const reversed = items.flatMap(({ message }) =>
    message.kind === 'reversal' && 'presentment' in message.reversed ? [message.reversed.presentment] : [],
  );
  const arns = items.flatMap(({ message }) =>
    message.kind === 'clearing' && message.network?.arn ? [message.network.arn] : [],
  );
  const { authentications, rulesOf } = services;
  const expected = await expectVelocities(tx, services.customerIdsOf, programId, items);
  if (expected) lockCustomers(tx, programId, expected.subjects, locks);
  // Sent together and run in this order: data read after the lock stays valid until the commit.
  const [counters, cards, messages, transactions, presentments, presentedArns, authenticated, sums, now] =
    await Promise.all([
      lockCounters(tx, programId, cardIds, locks),
      readCards(tx, programId, cardIds),
      findMessages(
        tx,
        programId,
        keys.map(({ kind }) => kind),
        keys.map(({ messageId }) => messageId),
      ),
      transactionIds.length > 0 ? findTransactions(tx, programId, transactionIds) : [],
      reversed.length > 0 ? findPresentments(tx, programId, reversed) : [],
      arns.length > 0 ? findByArn(tx, programId, arns) : [],
      authenticationIds.length > 0 ? authentications.findUsable(tx, programId, authenticationIds) : [],
      expected && sendSumsQuery(tx, programId, expected),
      readProgram(tx, programId),
    ]);
  const nowMs = programNow(now.program, now.realNowMs);
  const { masterMinor, program } = await lockMaster(tx, now.program, locks);
  // Read after the locks: a change of the rules that was answered before a message arrived is seen here.
  const rules = program.rulesVersion > 0n ? await rulesOf(tx, program) : undefined;
  const found = new Map(transactions.map((transaction) => [transaction.id, transaction]));
  const countersOf = new Map(counters.map((row) => [row.cardId, row]));
  const state: BatchState = {
    setting: { program, nowMs, today: dayOf(nowMs), rules },
    cards: new Map(
      cards.flatMap((card) => {
        const own = countersOf.get(card.cardId);
        return own ? [[card.cardId, Object.assign(card, own)] as const] : [];
      }),
    ),
    transactions: found,
    missing: new Set(transactionIds.filter((id) => !found.has(id))),
    replayed: new Map(),
    messages: new Map(messages.map((row) => [keyOf(row.kind, row.messageId), row])),
    presentments: new Map(presentments.map((row) => [keyOf(row.kind, row.messageId), row])),
    presentedArns,
    authentications: new Map(authenticated.map((facts) => [facts.authenticationId, facts])),
    masterMinor,
    alertSent: program.alertSent,
    changed: noChanges(),
  };
  await readEarlier(tx, programId, items, state);
  if (rules) {
    const known = expected && { ...expected, rows: sums ?? [] };
    const read = { transactions: state.transactions, nowMs, program, rules };
    state.setting.velocities = await openVelocities(tx, services, items, known, read, locks);
    const recounted = items.flatMap(({ message, transactionIds: ids }) =>
      message.kind === 'recount' ? ids : [],
    );
    if (recounted.length > 0)
      state.replayed = await replayCounts(tx, program, rules, state.cards.values(), recounted);
  }
  await readSharers(tx, authentications, programId, items, state);
  return state;
}

/** Another batch may send the alert until the lock is taken, so its state is read after the lock. */
async function lockMaster(
  tx: Tx,
  program: Program,
  locks: Locks,
): Promise<{ masterMinor: bigint | undefined; program: Program }> {
  if (!program.enforceMasterBalance && program.alertBelowMinor === null)
    return { masterMinor: undefined, program };
  const [masterMinor, locked] = await Promise.all([
    locks === 'none' ? findBalance(tx, program.id, ACCOUNTS.master) : lockMasterBalance(tx, program.id),
    readProgram(tx, program.id),
  ]);
  const { alertBelowMinor, alertSent } = locked.program;
  return { masterMinor, program: { ...program, alertBelowMinor, alertSent } };
}

/** The records of the messages, and of the authorization of each purchase that they name. */
function messageKeys(items: readonly BatchItem[]): Array<{ kind: RecordKind; messageId: string }> {
  const keys = new Map<string, { kind: RecordKind; messageId: string }>();
  const add = (kind: RecordKind, messageId: string) => keys.set(keyOf(kind, messageId), { kind, messageId });
  for (const { message } of items) {
    if (!isInternal(message)) add(recordKind(message.kind), message.messageId);
    const purchase = purchaseNamedBy(message);
    if (purchase && 'externalTransactionId' in purchase) add('transaction', purchase.externalTransactionId);
    if (message.kind === 'reversal' && 'presentment' in message.reversed)
      add(recordKind(message.reversed.presentment.kind), message.reversed.presentment.messageId);
    if (message.kind === 'advice') add('transaction', message.externalTransactionId);
    if (message.kind === 'reversal' && 'purchase' in message.reversed && message.reversed.incrementId)
      add('increment', message.reversed.incrementId);
  }
  return [...keys.values()];
}

/**
 * Rare: an authorization or an advice of a purchase that a message has made before it, and the refunds that came before a
 * purchase.
 */
async function readEarlier(
  tx: Tx,
  programId: string,
  items: readonly BatchItem[],
  { messages, transactions }: BatchState,
): Promise<void> {
  const wanted = items.flatMap(({ message }) => {
    const id = externalIdOf(message);
    const record = id === undefined ? undefined : messages.get(keyOf('transaction', id));
    if (!record || (record.requestDigest && message.kind === 'authorization')) return [];
    const isMade = message.kind === 'authorization' || message.kind === 'advice';
    return [
      ...(isMade && record.transactionId ? [record.transactionId] : []),
      ...(record.early?.refunds ?? []),
    ];
  });
  const missing = [...new Set(wanted)].filter((id) => !transactions.has(id));
  if (missing.length === 0) return;
  for (const transaction of await findTransactions(tx, programId, missing))
    transactions.set(transaction.id, transaction);
}

/** The network's id of the purchase that a message may make. */
function externalIdOf(message: Message): string | undefined {
  if (message.kind === 'authorization' || message.kind === 'advice') return message.externalTransactionId;
  if (message.kind !== 'clearing') return undefined;
  return 'externalTransactionId' in message.purchase ? message.purchase.externalTransactionId : undefined;
}
