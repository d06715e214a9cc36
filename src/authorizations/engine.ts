import type { Database } from '../db/database.ts';
import { isConnectionLoss, isUniqueViolation } from '../db/failures.ts';
import { EmbossError } from '../kernel/error.ts';
import { gather } from '../kernel/gather.ts';
import type { Vault } from '../vault/vault.ts';
import { AGAIN } from './batch.ts';
import { createResolver } from './find-purchase.ts';
import type {
  AuthorizationAnswer,
  ClearingAnswer,
  ExpiryRequest,
  Message,
  RefundAnswer,
  ReversalAnswer,
} from './message.ts';
import { type BatchItem, type Result, runBatch } from './run-batch.ts';

interface Answers {
  authorization: AuthorizationAnswer;
  reversal: ReversalAnswer;
  clearing: ClearingAnswer;
  refund: RefundAnswer;
  expiry: null;
}

/** Durable before it resolves. Any number of engines may work on one database. */
export type Submit = <M extends Message | ExpiryRequest>(
  programId: string,
  message: M,
) => Promise<Answers[M['kind']]>;

const MAX_BATCH = 256;
const MAX_ATTEMPTS = 10;
/** How many messages of a failed batch are tried side by side, each alone. */
const ALONE_AT_ONCE = 8;

/**
 * Gathers the messages of each program that arrive while a batch is being committed into the next one. There is no
 * timer: an idle server answers at once. Not gathered, every message is a transaction of its own, which the benchmark
 * holds against it.
 */
export function createEngine(
  services: { db: Database; vault: Vault },
  { gathered = true }: { gathered?: boolean } = {},
): Submit {
  const resolve = createResolver(services.db);
  const lanes = new Map<string, (item: BatchItem) => Promise<Result>>();
  const laneOf = (programId: string) => {
    const known = lanes.get(programId);
    if (known) return known;
    const lane = gathered
      ? gather((items: BatchItem[]) => runTogether(services, programId, items), MAX_BATCH)
      : (item: BatchItem) => runAlone(services, programId, item);
    lanes.set(programId, lane);
    return lane;
  };
  return (async (programId: string, message: Message) => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const result = await laneOf(programId)(await resolve(programId, message));
      if ('error' in result) throw result.error;
      if (result.answer !== AGAIN) return result.answer;
    }
    throw new EmbossError(503, 'The purchase is busy; try again shortly');
  }) as Submit;
}

/** A message that cannot be written fails alone: its neighbours are tried again without it. */
async function runTogether(
  services: { db: Database; vault: Vault },
  programId: string,
  items: BatchItem[],
): Promise<Result[]> {
  try {
    return await runBatch(services, programId, items);
  } catch (error) {
    // The outcome is not known, or the database is away: nothing is gained by trying one by one.
    if (isConnectionLoss(error)) return items.map(() => ({ error }));
    const results: Result[] = [];
    const pending = items.entries();
    const work = async () => {
      for (const [place, item] of pending) results[place] = await runAlone(services, programId, item);
    };
    await Promise.all(Array.from({ length: ALONE_AT_ONCE }, work));
    return results;
  }
}

/** Tried again while it loses races for its place: the winner's row is there to be read the next time. */
async function runAlone(
  services: { db: Database; vault: Vault },
  programId: string,
  item: BatchItem,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      const [result] = await runBatch(services, programId, [item]);
      return result as Result;
    } catch (error) {
      if (!isUniqueViolation(error) || attempt === MAX_ATTEMPTS) return { error };
    }
  }
}
