import { isBusy, isConnectionLoss, isUniqueViolation, isWorthRetrying } from '../../db/failures.ts';
import type { AskMerchant } from '../../decisions/decision.ts';
import { EmbossError } from '../../kernel/error.ts';
import { gather, type InTurn } from '../../kernel/gather.ts';
import type { AuthorizationRequest, IncrementRequest, Message, Responses } from '../core/message.ts';
import { isAsk } from '../core/question.ts';
import { createAskFirst } from './ask-first.ts';
import { type AnyResponse, RETRY } from './batch.ts';
import { createBatchTurns } from './batch-turns.ts';
import { createResolver } from './find-purchase.ts';
import {
  type BatchItem,
  type BatchResult,
  BUSY,
  type EngineServices,
  type Result,
  runBatch,
  timedOut,
} from './run-batch.ts';
import { createSideTrack, type SideTrack } from './side-track.ts';

/** Durable before it resolves. Any number of engines may work on one database. */
export type Submit = <M extends Message>(programId: string, message: M) => Promise<Responses[M['kind']]>;

type Run = (programId: string, item: BatchItem) => Promise<Result>;

const MAX_BATCH = 256;
const MAX_ATTEMPTS = 10;
/** After this time the network decides for itself. It may send the message again with the same id. */
const DEADLINE_MS = 4_000;

/**
 * The only code that retries a message: first in a batch, then alone, until its deadline at the latest. A message past
 * its deadline is not decided any more, and PostgreSQL cancels the statements of a batch whose messages are all past
 * theirs. With `gathered: false` every message is a transaction of its own, for comparison in the benchmark.
 */
export function createEngine(
  services: EngineServices & { ask: AskMerchant },
  { gathered = true, deadlineMs = DEADLINE_MS } = {},
): Submit {
  const resolve = createResolver(services.db);
  const inTurn = createBatchTurns();
  const runAlone: Run = (programId, item) => runByItself(services, programId, item);
  const aside = createSideTrack(runAlone);
  const runFirst = gathered ? createLanes(services, aside, inTurn) : runAlone;
  const runAgain = gathered ? aside.run : runAlone;
  const askFirst = createAskFirst(services, inTurn);
  /** Programs whose merchant is asked: their messages need not try a batch first. */
  const asking = new Set<string>();

  async function decide(programId: string, given: Message, deadline: number): Promise<AnyResponse> {
    let message = given;
    let run = runFirst;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const item = await resolve(programId, message, deadline);
      if (asking.has(programId) && isAskable(message) && !message.asked) {
        const { asked, program } = await askFirst(programId, item);
        if (asked) message = item.message = { ...message, asked };
        if (program.authorizationMode === 'STANDARD') asking.delete(programId);
      }
      const result = await run(programId, item);
      if (isAsk(result)) asking.add(programId);
      else if (result === RETRY) run = runAgain;
      else if ('error' in result) throw result.error;
      else return result.response;
    }
    throw new EmbossError(503, 'The card is busy; retry with the same id');
  }
  const submit = (programId: string, message: Message) =>
    within(deadlineMs, decide(programId, message, performance.now() + deadlineMs));
  return submit as Submit;
}

/**
 * Gathers the messages of each program that arrive while a batch is being committed, or waits for its turn among the
 * programs, into the next one. An idle server answers immediately.
 */
function createLanes(services: EngineServices, aside: SideTrack, inTurn: InTurn): Run {
  const lanes = new Map<string, (item: BatchItem) => Promise<Result>>();
  const laneOf = (programId: string) => {
    const known = lanes.get(programId);
    if (known) return known;
    const lane = gather(
      (items: BatchItem[]) => runGathered(services, aside, programId, items),
      MAX_BATCH,
      inTurn,
    );
    lanes.set(programId, lane);
    return lane;
  };
  return (programId, item) => (aside.isBusy(item) ? aside.run(programId, item) : laneOf(programId)(item));
}

/** Messages on a locked card run aside, so that the next batch does not wait for them. */
async function runGathered(
  services: EngineServices,
  aside: SideTrack,
  programId: string,
  items: BatchItem[],
): Promise<Array<Result | Promise<Result>>> {
  const free = items.filter((item) => !aside.isBusy(item));
  const results = free.length > 0 ? await runTogether(services, programId, free) : [];
  const resultOf = new Map(free.map((item, at) => [item, results[at] as BatchResult]));
  return items.map((item) => {
    const result = resultOf.get(item) ?? BUSY;
    return result === BUSY ? aside.run(programId, item) : result;
  });
}

/** A batch that waits too long for a lock runs again without the locked cards. */
async function runTogether(
  services: EngineServices,
  programId: string,
  items: BatchItem[],
): Promise<BatchResult[]> {
  let failure: unknown;
  for (const skipBusy of [false, true]) {
    try {
      return await runBatch(services, programId, items, { skipBusy });
    } catch (error) {
      failure = error;
      if (!isBusy(error)) break;
    }
  }
  // The database is unavailable, or a lost connection leaves the outcome unknown. A retry would not help.
  if (isBusy(failure) || isConnectionLoss(failure)) return items.map(() => ({ error: failure }));
  // One message cannot be written, or lost a race. Each is retried alone, so that only that one fails.
  return items.map(() => RETRY);
}

/** After a lost race, the next attempt can read the winner's row. */
async function runByItself(services: EngineServices, programId: string, item: BatchItem): Promise<Result> {
  try {
    const [result] = await runBatch(services, programId, [item]);
    return result as Result;
  } catch (error) {
    return isUniqueViolation(error) || isWorthRetrying(error) ? RETRY : { error };
  }
}

const isAskable = (message: Message): message is AuthorizationRequest | IncrementRequest =>
  message.kind === 'increment' || (message.kind === 'authorization' && !message.standIn && !!message.card);

function within<Response>(limitMs: number, work: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timedOut()), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
