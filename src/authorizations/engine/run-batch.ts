import type { Database, Tx } from '../../db/database.ts';
import { dayOf } from '../../kernel/calendar.ts';
import { notFound } from '../../kernel/error.ts';
import { programNow } from '../../programs/program.ts';
import { readProgram } from '../../programs/queries.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Message } from '../rules/message.ts';
import { findTransactions } from '../transactions/queries.ts';
import { applyMessage, type BatchState, keyOf } from './batch.ts';
import { findMessages, lockCounters, lockMasterBalance, type MessageKind, readCards } from './queries.ts';
import { writeBatch } from './write-batch.ts';

/** A message with what was looked up for it: the cards it touches and the transactions it speaks of. */
export interface BatchItem {
  message: Message;
  cardIds: readonly string[];
  transactionIds: readonly string[];
}

/** What became of one message: its answer (or `AGAIN`), the error that it alone gets, or nothing yet. */
export type Result = { answer: unknown } | { error: unknown } | typeof BUSY;

/** Somebody else has the message's card locked. */
export const BUSY = Symbol('busy');

/** Short, because everybody else's messages wait with this one; and so is how long others may be kept waiting. */
const PATIENCE = { lockMs: 1_000, idleMs: 2_000 };

/**
 * One transaction of one program: lock the cards in order, read the facts, apply every message in order of arrival
 * against the facts as they run on, write each table once. Two round trips, the second with the commit, however many
 * messages.
 */
export async function runBatch(
  { db, vault }: { db: Database; vault: Vault },
  programId: string,
  items: readonly BatchItem[],
  { skipBusy = false } = {},
): Promise<Result[]> {
  return db.transaction(async (tx) => {
    const state = await readState(tx, programId, items, skipBusy);
    const results: Result[] = [];
    for (const { message, cardIds } of items) {
      if (skipBusy && cardIds.some((id) => !state.cards.has(id))) {
        results.push(BUSY);
        continue;
      }
      try {
        const cvvMatches = await checkCvv(vault, tx, state, message);
        results.push({ answer: applyMessage(state, message, cvvMatches) });
      } catch (error) {
        results.push({ error });
      }
    }
    await writeBatch(tx, state);
    return results;
  }, PATIENCE);
}

async function readState(
  tx: Tx,
  programId: string,
  items: readonly BatchItem[],
  skipBusy: boolean,
): Promise<BatchState> {
  const cardIds = [...new Set(items.flatMap((item) => item.cardIds))];
  const transactionIds = [...new Set(items.flatMap((item) => item.transactionIds))];
  const keys = messageKeys(items);
  // Sent together, run in this order: what is read after the lock is true until the commit.
  const [counters, cards, messages, transactions, now] = await Promise.all([
    lockCounters(tx, programId, cardIds, skipBusy),
    readCards(tx, programId, cardIds),
    findMessages(
      tx,
      programId,
      keys.map(({ kind }) => kind),
      keys.map(({ messageId }) => messageId),
    ),
    transactionIds.length > 0 ? findTransactions(tx, programId, transactionIds) : [],
    readProgram(tx, programId),
  ]);
  if (!now) throw notFound();
  const nowMs = programNow(now.program, now.realNowMs);
  const found = new Map(transactions.map((transaction) => [transaction.id, transaction]));
  const countersOf = new Map(counters.map((row) => [row.cardId, row]));
  const state: BatchState = {
    setting: { program: now.program, nowMs, today: dayOf(nowMs) },
    cards: new Map(
      cards.flatMap((card) => {
        const own = countersOf.get(card.cardId);
        return own ? [[card.cardId, Object.assign(card, own)] as const] : [];
      }),
    ),
    transactions: found,
    missing: new Set(transactionIds.filter((id) => !found.has(id))),
    messages: new Map(messages.map((row) => [keyOf(row.kind, row.messageId), row])),
    masterMinor: now.program.enforceMasterBalance ? await lockMasterBalance(tx, programId) : undefined,
    changed: {
      cards: new Set(),
      newTransactions: new Set(),
      transactions: new Set(),
      newMessages: new Set(),
      filledMessages: new Set(),
      blocked: new Map(),
      events: [],
      transfers: [],
    },
  };
  await readClearedFirst(tx, programId, items, state);
  return state;
}

/** The messages themselves, and for those that speak of a purchase the place of its authorization. */
function messageKeys(items: readonly BatchItem[]): Array<{ kind: MessageKind; messageId: string }> {
  const keys = new Map<string, { kind: MessageKind; messageId: string }>();
  const add = (kind: MessageKind, messageId: string) => keys.set(keyOf(kind, messageId), { kind, messageId });
  for (const { message } of items) {
    if (message.kind !== 'expiry') add(message.kind, message.messageId);
    if (message.kind === 'authorization' || !message.purchase) continue;
    if ('externalTransactionId' in message.purchase)
      add('authorization', message.purchase.externalTransactionId);
  }
  return [...keys.values()];
}

/** Rare: an authorization whose clearing came first needs the transaction that the clearing made. */
async function readClearedFirst(
  tx: Tx,
  programId: string,
  items: readonly BatchItem[],
  state: BatchState,
): Promise<void> {
  const missing = items.flatMap(({ message }) => {
    if (message.kind !== 'authorization') return [];
    const place = state.messages.get(keyOf('authorization', message.messageId));
    return place?.transactionId && !place.requestDigest ? [place.transactionId] : [];
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
  if (message.kind !== 'authorization' || !message.cvv) return undefined;
  const card = message.card && cards.get(message.card.cardId);
  if (!card) return undefined;
  return vault.isCvv(tx, { ...card, programId: setting.program.id }, message.cvv);
}
