import { type Locks, lockCounters, readCards } from '../../cards/counter-queries.ts';
import type { Database, Tx } from '../../db/database.ts';
import { dayOf } from '../../kernel/calendar.ts';
import { EmbossError, notFound } from '../../kernel/error.ts';
import { ACCOUNTS } from '../../ledger/accounts.ts';
import { findBalance, lockMasterBalance } from '../../ledger/queries.ts';
import { type Program, programNow } from '../../programs/program.ts';
import { readProgram } from '../../programs/queries.ts';
import type { Vault } from '../../vault/vault.ts';
import { type Message, purchaseNamedBy } from '../core/message.ts';
import { type Ask, isAsk } from '../core/question.ts';
import { findTransactions } from '../transactions/queries.ts';
import { type Authentications, authenticationIdsOf, markUses } from './authentications.ts';
import { type AnyResponse, applyMessage, type BatchState, keyOf, RETRY } from './batch.ts';
import { findPresentments } from './presentment-queries.ts';
import { findMessages, type RecordKind, recordKind } from './queries.ts';
import { writeBatch } from './write-batch.ts';

export interface EngineServices {
  db: Database;
  vault: Vault;
  authentications: Authentications;
}

/** A message, the cards that it touches and the transactions that it names. */
export interface BatchItem {
  message: Message;
  cardIds: readonly string[];
  transactionIds: readonly string[];
  /** By `performance.now()`. After this time the message is not decided any more. */
  deadline: number;
}

/** The result of one message: its response, an error that concerns it alone, `RETRY`, or what to ask the merchant first. */
export type Result = { response: AnyResponse } | { error: unknown } | typeof RETRY | Ask;

/** Another transaction has locked the message's card. */
export const BUSY = Symbol('busy');
export type BatchResult = Result | typeof BUSY;

export const timedOut = (): EmbossError => new EmbossError(503, 'Timed out; retry with the same id');

/** How long a batch may take: until its last message is late. */
export const leftOf = (items: readonly BatchItem[]): number =>
  Math.max(1, ...items.map(({ deadline }) => deadline - performance.now()));

/**
 * Runs one transaction of one program: locks the cards in order, reads the facts, applies every message in order of
 * arrival against the running state, and writes each table once. It needs two round trips, the second with the commit,
 * for any number of messages. The engine retries, so this transaction runs once. It waits for locks only briefly,
 * because all messages of the batch wait together.
 */
export async function runBatch(
  { db, vault, authentications }: EngineServices,
  programId: string,
  items: readonly BatchItem[],
  { skipBusy = false } = {},
): Promise<BatchResult[]> {
  const isLate = ({ deadline }: BatchItem) => performance.now() >= deadline;
  if (items.every(isLate)) return items.map(() => ({ error: timedOut() }));
  const statementMs = leftOf(items);
  const run = async (tx: Tx) => {
    const state = await readState(tx, authentications, programId, items, skipBusy ? 'skip' : 'wait');
    const results: BatchResult[] = [];
    for (const item of items) {
      const { message, cardIds } = item;
      if (isLate(item)) results.push({ error: timedOut() });
      else if (skipBusy && cardIds.some((id) => !state.cards.has(id))) results.push(BUSY);
      else results.push(await applyAlone(vault, tx, state, message));
    }
    markUses(tx, authentications, state);
    await writeBatch(tx, state);
    return results;
  };
  return db.inProgram(programId, run, { lockMs: 1_000, idleMs: 2_000, statementMs, attempts: 1 });
}

/** An error of one message does not affect the others. */
export async function applyAlone(vault: Vault, tx: Tx, state: BatchState, message: Message): Promise<Result> {
  try {
    const response = applyMessage(state, message, await checkCvv(vault, tx, state, message));
    if (response === RETRY || isAsk(response)) return response;
    return { response };
  } catch (error) {
    return { error };
  }
}

export async function readState(
  tx: Tx,
  authentications: Authentications,
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
  // Sent together and run in this order: data read after the lock stays valid until the commit.
  const [counters, cards, messages, transactions, presentments, authenticated, now] = await Promise.all([
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
    authenticationIds.length > 0 ? authentications.findUsable(tx, programId, authenticationIds) : [],
    readProgram(tx, programId),
  ]);
  if (!now) throw notFound();
  const nowMs = programNow(now.program, now.realNowMs);
  const { masterMinor, program } = await lockMaster(tx, now.program, locks);
  const found = new Map(transactions.map((transaction) => [transaction.id, transaction]));
  const countersOf = new Map(counters.map((row) => [row.cardId, row]));
  const state: BatchState = {
    setting: { program, nowMs, today: dayOf(nowMs) },
    cards: new Map(
      cards.flatMap((card) => {
        const own = countersOf.get(card.cardId);
        return own ? [[card.cardId, Object.assign(card, own)] as const] : [];
      }),
    ),
    transactions: found,
    missing: new Set(transactionIds.filter((id) => !found.has(id))),
    messages: new Map(messages.map((row) => [keyOf(row.kind, row.messageId), row])),
    presentments: new Map(presentments.map((row) => [keyOf(row.kind, row.messageId), row])),
    authentications: new Map(authenticated.map((facts) => [facts.authenticationId, facts])),
    masterMinor,
    alertSent: program.alertSent,
    changed: {
      cards: new Set(),
      newTransactions: new Set(),
      transactions: new Set(),
      newMessages: new Set(),
      filledMessages: new Set(),
      newPresentments: new Set(),
      presentments: new Set(),
      authentications: new Set(),
      blocked: new Map(),
      events: [],
      transfers: [],
    },
  };
  await readClearedFirst(tx, programId, items, state);
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
  const [masterMinor, locked = { program }] = await Promise.all([
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
    if (message.kind !== 'expiry') add(recordKind(message.kind), message.messageId);
    const purchase = purchaseNamedBy(message);
    if (purchase && 'externalTransactionId' in purchase) add('transaction', purchase.externalTransactionId);
  }
  return [...keys.values()];
}

/** Rare: an authorization whose clearing arrived first needs the transaction that the clearing created. */
async function readClearedFirst(
  tx: Tx,
  programId: string,
  items: readonly BatchItem[],
  state: BatchState,
): Promise<void> {
  const missing = items.flatMap(({ message }) => {
    if (message.kind !== 'authorization') return [];
    const record = state.messages.get(keyOf('transaction', message.messageId));
    return record?.transactionId && !record.requestDigest ? [record.transactionId] : [];
  });
  if (missing.length === 0) return;
  for (const transaction of await findTransactions(tx, programId, missing))
    state.transactions.set(transaction.id, transaction);
}

async function checkCvv(
  vault: Vault,
  tx: Tx,
  { cards, setting }: BatchState,
  message: Message,
): Promise<boolean | undefined> {
  if (message.kind !== 'authorization' || !message.cvv || message.standIn) return undefined;
  const card = message.card && cards.get(message.card.cardId);
  if (!card) return undefined;
  return vault.isCvv(tx, { ...card, programId: setting.program.id }, message.cvv);
}
