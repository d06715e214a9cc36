import type { Database } from '../../db/database.ts';
import { isBusy, isConnectionLoss, isUniqueViolation } from '../../db/failures.ts';
import { EmbossError } from '../../kernel/error.ts';
import { gather } from '../../kernel/gather.ts';
import type { Vault } from '../../vault/vault.ts';
import type {
  AuthorizationAnswer,
  ClearingAnswer,
  Message,
  RefundAnswer,
  ReversalAnswer,
} from '../rules/message.ts';
import { AGAIN } from './batch.ts';
import { createResolver } from './find-purchase.ts';
import { type BatchItem, BUSY, type Result, runBatch } from './run-batch.ts';
import { createSideTrack, type SideTrack } from './side-track.ts';

interface Answers {
  authorization: AuthorizationAnswer;
  reversal: ReversalAnswer;
  clearing: ClearingAnswer;
  refund: RefundAnswer;
  /** Whether the hold had lived its time. */
  expiry: boolean;
}

/** Durable before it resolves. Any number of engines may work on one database. */
export type Submit = <M extends Message>(programId: string, message: M) => Promise<Answers[M['kind']]>;

export interface EngineServices {
  db: Database;
  vault: Vault;
}

const MAX_BATCH = 256;
const MAX_ATTEMPTS = 10;
/** The network stands in for us when we take longer; the message may be sent again by its id. */
const DEADLINE_MS = 4_000;

/**
 * Gathers the messages of each program that arrive while a batch is being committed into the next one. There is no
 * timer: an idle server answers at once. Not gathered, every message is a transaction of its own, which the benchmark
 * holds against it.
 */
export function createEngine(services: EngineServices, { gathered = true } = {}): Submit {
  const resolve = createResolver(services.db);
  const aside = createSideTrack((programId, item) => runAlone(services, programId, item));
  const lanes = new Map<string, (item: BatchItem) => Promise<Result>>();
  const laneOf = (programId: string) => {
    const known = lanes.get(programId);
    if (known) return known;
    const lane = gather((items: BatchItem[]) => runGathered(services, aside, programId, items), MAX_BATCH);
    lanes.set(programId, lane);
    return lane;
  };
  const runOne = (programId: string, item: BatchItem): Promise<Result> => {
    if (!gathered) return runAlone(services, programId, item);
    return aside.isBusy(item) ? aside.run(programId, item) : laneOf(programId)(item);
  };
  async function decide(programId: string, message: Message): Promise<unknown> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const item = await resolve(programId, message);
      const result = await runOne(programId, item);
      if (result === BUSY) continue;
      if ('error' in result) throw result.error;
      if (result.answer !== AGAIN) return result.answer;
    }
    throw new EmbossError(503, 'The card is busy; try again shortly');
  }
  return ((programId: string, message: Message) => within(DEADLINE_MS, decide(programId, message))) as Submit;
}

/** Messages that were waiting here when their card turned out to be busy must not hold up another batch. */
async function runGathered(
  services: EngineServices,
  aside: SideTrack,
  programId: string,
  items: BatchItem[],
): Promise<Array<Result | Promise<Result>>> {
  const free = items.filter((item) => !aside.isBusy(item));
  const results = (free.length > 0 ? await runTogether(services, aside, programId, free) : []).values();
  const isFree = new Set(free);
  return items.map((item) =>
    isFree.has(item) ? (results.next().value as Result | Promise<Result>) : aside.run(programId, item),
  );
}

/** A message that cannot be written fails alone, and a card that somebody keeps locked holds up its own messages only. */
async function runTogether(
  services: EngineServices,
  aside: SideTrack,
  programId: string,
  items: BatchItem[],
): Promise<Array<Result | Promise<Result>>> {
  try {
    return await runBatch(services, programId, items);
  } catch (error) {
    // The outcome is not known, or the database is away: nothing is gained by trying again.
    if (isConnectionLoss(error)) return items.map(() => ({ error }));
    if (!isBusy(error)) return items.map((item) => aside.run(programId, item));
  }
  try {
    const results = await runBatch(services, programId, items, { skipBusy: true });
    return results.map((result, place) =>
      result === BUSY ? aside.run(programId, items[place] as BatchItem) : result,
    );
  } catch (error) {
    return items.map(() => ({ error }));
  }
}

/** Tried again while it loses races for its place: the winner's row is there to be read the next time. */
async function runAlone(services: EngineServices, programId: string, item: BatchItem): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      const [result] = await runBatch(services, programId, [item]);
      return result as Result;
    } catch (error) {
      if (!isUniqueViolation(error) || attempt === MAX_ATTEMPTS) return { error };
    }
  }
}

function within<Answer>(limitMs: number, work: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new EmbossError(503, 'Not decided in time; ask again by the same id'));
    const timer = setTimeout(late, limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
