import type { Database, Tx } from '../../db/database.ts';
import { EmbossError } from '../../kernel/error.ts';
import type { Metrics } from '../../kernel/metric.ts';
import { countMatches } from '../../rules/match-metric.ts';
import type { EvaluatedAttempt } from '../../rules/rule.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Message } from '../core/message.ts';
import { applyMessage, type BatchResult } from './apply-message.ts';
import { writeUses } from './authentications.ts';
import type { BatchItem, BatchState } from './batch-state.ts';
import { readState, type StateServices } from './read-state.ts';
import { writeBatch } from './write-batch.ts';

export interface EngineServices extends StateServices {
  db: Database;
  vault: Vault;
  metrics: Metrics;
}

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
  services: EngineServices,
  programId: string,
  items: readonly BatchItem[],
  locks: 'wait' | 'skip' = 'wait',
): Promise<BatchResult[]> {
  const { db, vault, metrics, authentications } = services;
  const isLate = ({ deadline }: BatchItem) => performance.now() >= deadline;
  if (items.every(isLate)) return items.map(failLate);
  const statementMs = leftOf(items);
  let evaluated: readonly EvaluatedAttempt[] = [];
  const run = async (tx: Tx) => {
    const state = await readState(tx, services, programId, items, locks);
    const results: BatchResult[] = [];
    for (const item of items) {
      const { message, cardIds } = item;
      if (isLate(item)) results.push(failLate());
      else if (locks === 'skip' && cardIds.some((id) => !state.cards.has(id)))
        results.push({ kind: 'locked' });
      else results.push(await applySafely(vault, tx, state, message));
    }
    writeUses(tx, authentications, state);
    await writeBatch(tx, state);
    evaluated = state.changed.evaluated;
    return results;
  };
  const patience = { lockMs: 1_000, idleMs: 2_000, statementMs, attempts: 1 };
  const results = await db.inProgram(programId, run, patience);
  countMatches(metrics, evaluated);
  return results;
}

const failLate = (): BatchResult => ({ kind: 'failed', error: timedOut() });

/** An error of one message does not affect the others. */
export async function applySafely(
  vault: Vault,
  tx: Tx,
  state: BatchState,
  message: Message,
): Promise<BatchResult> {
  try {
    return applyMessage(state, message, await checkCvv(vault, tx, state, message));
  } catch (error) {
    return { kind: 'failed', error };
  }
}

async function checkCvv(
  vault: Vault,
  tx: Tx,
  { cards, setting }: BatchState,
  message: Message,
): Promise<boolean | undefined> {
  if (message.kind !== 'authorization' || !message.cvv || message.type === 'CREDIT') return undefined;
  const card = message.card && cards.get(message.card.cardId);
  if (!card) return undefined;
  return vault.isCvv(tx, { ...card, programId: setting.program.id }, message.cvv);
}
