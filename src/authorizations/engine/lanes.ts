import { isBusy, isConnectionLoss, isUniqueViolation, isWorthRetrying } from '../../db/failures.ts';
import { gather, type InTurn } from '../../kernel/gather.ts';
import { type BatchResult, RETRY } from './apply-message.ts';
import type { BatchItem } from './batch-state.ts';
import { type EngineServices, runBatch } from './run-batch.ts';
import { createSideTrack, type SideTrack } from './side-track.ts';

export interface Lanes {
  /** In the next batch of its program. */
  run(programId: string, item: BatchItem): Promise<BatchResult>;
  /** In a transaction of its own. */
  runAlone(programId: string, item: BatchItem): Promise<BatchResult>;
}

const MAX_BATCH = 256;

/**
 * Gathers the messages of each program that arrive while a batch is being committed, or waits for its turn among the
 * programs, into the next one. An idle server answers immediately. With `gathered: false` every message is a transaction
 * of its own, for comparison in the benchmark.
 */
export function createLanes(services: EngineServices, inTurn: InTurn, gathered: boolean): Lanes {
  const runAlone: Lanes['runAlone'] = (programId, item) => runByItself(services, programId, item);
  if (!gathered) return { run: runAlone, runAlone };
  const aside = createSideTrack(runAlone);
  const lanes = new Map<string, (item: BatchItem) => Promise<BatchResult>>();
  const laneOf = (programId: string) => {
    const known = lanes.get(programId);
    if (known) return known;
    const run = (items: BatchItem[]) => runGathered(services, aside, programId, items);
    const lane = gather(run, MAX_BATCH, inTurn);
    lanes.set(programId, lane);
    return lane;
  };
  return {
    run: (programId, item) => (aside.isBusy(item) ? aside.run(programId, item) : laneOf(programId)(item)),
    runAlone: aside.run,
  };
}

/** Messages on a locked card run aside, so that the next batch does not wait for them. */
async function runGathered(
  services: EngineServices,
  aside: SideTrack,
  programId: string,
  items: BatchItem[],
): Promise<Array<BatchResult | Promise<BatchResult>>> {
  const free = items.filter((item) => !aside.isBusy(item));
  const results = free.length > 0 ? await runTogether(services, programId, free) : [];
  const resultOf = new Map(free.map((item, index) => [item, results[index]]));
  return items.map((item) => {
    const result = resultOf.get(item);
    return !result || result.kind === 'locked' ? aside.run(programId, item) : result;
  });
}

/** A batch that waits too long for a lock runs again without the locked cards. */
async function runTogether(
  services: EngineServices,
  programId: string,
  items: BatchItem[],
): Promise<BatchResult[]> {
  let failure: unknown;
  for (const locks of ['wait', 'skip'] as const) {
    try {
      return await runBatch(services, programId, items, locks);
    } catch (error) {
      failure = error;
      if (!isBusy(error)) break;
    }
  }
  // The database is unavailable, or a lost connection leaves the outcome unknown. A retry would not help.
  if (isBusy(failure) || isConnectionLoss(failure))
    return items.map(() => ({ kind: 'failed', error: failure }));
  // One message cannot be written, or lost a race. Each is retried alone, so that only that one fails.
  return items.map(() => RETRY);
}

/** After a lost race, the next attempt can read the winner's row. */
async function runByItself(
  services: EngineServices,
  programId: string,
  item: BatchItem,
): Promise<BatchResult> {
  try {
    const [result] = await runBatch(services, programId, [item]);
    return result as BatchResult;
  } catch (error) {
    return isUniqueViolation(error) || isWorthRetrying(error) ? RETRY : { kind: 'failed', error };
  }
}
