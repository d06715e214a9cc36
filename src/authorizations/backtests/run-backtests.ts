import type { Database } from '../../db/database.ts';
import { type GivingWay, giveWay } from '../../jobs/give-way.ts';
import type { Job, Turn } from '../../jobs/job.ts';
import { programJob } from '../../jobs/program-job.ts';
import { dayStartMs, MS_PER_DAY } from '../../kernel/calendar.ts';
import { EmbossError } from '../../kernel/error.ts';
import { LOWEST_ID, lowestIdAt, timeOf } from '../../kernel/ids.ts';
import { readProgram } from '../../programs/queries.ts';
import {
  addToTally,
  type BacktestMatch,
  type BacktestRecord,
  emptyTally,
  type Tally,
} from '../../rules/backtests/backtest.ts';
import { endBacktest } from '../../rules/backtests/end-backtest.ts';
import { loadTestedRule } from '../../rules/backtests/load-tested-rule.ts';
import { insertBacktestMatches, listOpenBacktests, updateProgress } from '../../rules/backtests/queries.ts';
import type { LoadServices } from '../../rules/loaded-rules.ts';
import { windowStartMs } from '../../rules/velocity/sums.ts';
import type { Vault } from '../../vault/vault.ts';
import type { PastEvent } from '../replay/queries.ts';
import { newReplay, type Replay } from '../replay/replay.ts';
import { replayEvent } from '../replay/replay-event.ts';
import { hasChangedSince } from './approximate.ts';
import { listNext, readNeeded } from './read-page.ts';

/** Small enough that a page's rows are garbage soon. */
const USUAL_PAGE = 1_000;
/** Takes some two milliseconds. */
const SLICE = 100;
/** A look for transactions that may still commit. */
const AGAIN_MS = 200;
/** Runs that a worker keeps between their turns; others wait. */
const MOST_KEPT = 4;
/** After so long another worker has ended a run. */
const FORGOTTEN_MS = 60_000;

export interface RunServices extends LoadServices {
  db: Database;
  keeper: Vault;
  /** Events that are read at once. */
  page?: number;
}

/** A backtest as a worker has it in memory. It can be ahead of what is stored, or behind another worker. */
interface Run {
  replay: Replay;
  approximate: boolean;
  /** The last event that was replayed. */
  position: string;
  tally: Tally;
  /** The attempts up to this event are in the tally: they are only counted again. */
  judgedTo: string;
  isAtEnd: boolean;
  /** Of its last turn. */
  turnMs: number;
}

/**
 * Runs the backtests of programs one after the other, in turns. A worker that has not got a run in memory goes on where it was
 * stored, with the windows that ended there. What a rule sees as if it were active depends on all that it declined, so such a run
 * begins again; what is stored already is not stored twice.
 */
export function ruleBacktests(services: RunServices): Job {
  const runs = new Map<string, Run>();
  const { db } = services;
  return programJob(db, 'rule-backtests', { everyMs: 500, atOnce: 1 }, async (programId, turn, nowMs) => {
    const [backtest] = await listOpenBacktests(db, programId, 1);
    if (!backtest) return nowMs + MS_PER_DAY;
    // An authorization from before the request may commit after it.
    if (!(await db.settledBefore(programId, Math.max(0, nowMs - backtest.requestedAt.getTime()))))
      return nowMs + AGAIN_MS;
    try {
      const known = runs.get(backtest.id);
      if (!known && !hasRoom(runs, nowMs)) return nowMs + AGAIN_MS;
      const run = known ?? (await begin(services, backtest));
      run.turnMs = nowMs;
      runs.set(backtest.id, run);
      await goOn(services, backtest, run, turn);
      if (!run.isAtEnd) return nowMs;
      await endBacktest(db, { ...backtest, ...run }, 'COMPLETED');
    } catch (error) {
      runs.delete(backtest.id);
      if (!(error instanceof EmbossError) || error.httpStatus !== 400) throw error;
      await endBacktest(db, backtest, 'FAILED');
    }
    runs.delete(backtest.id);
    return nowMs;
  });
}

function hasRoom(runs: Map<string, Run>, nowMs: number): boolean {
  for (const [id, { turnMs }] of runs) if (nowMs - turnMs > FORGOTTEN_MS) runs.delete(id);
  return runs.size < MOST_KEPT;
}

const mayGoOn = ({ isStopping, deadline }: Turn): boolean => !isStopping() && performance.now() < deadline;

async function begin(services: RunServices, backtest: BacktestRecord): Promise<Run> {
  const { db } = services;
  const { programId, mode, fromDay } = backtest;
  const { program } = await readProgram(db, programId);
  const rules = await loadTestedRule(services, db, program, backtest);
  const fromMs = dayStartMs(fromDay);
  const replay = newReplay(program, rules, { fromMs, isAsIfActive: mode === 'AS_IF_ACTIVE' });
  const { memory, isAsIfActive } = replay;
  const judgedTo = memory && isAsIfActive ? null : backtest.position;
  const goesOnMs = judgedTo === null ? fromMs : timeOf(judgedTo);
  // Velocities count what was before the first attempt.
  const starts = [...rules.velocities.values()].map(({ window }) => windowStartMs(window, goesOnMs));
  return {
    replay,
    approximate: await hasChangedSince(db, programId, rules, fromMs),
    position: judgedTo !== null && !memory ? judgedTo : lowestIdAt(Math.min(goesOnMs, ...starts)),
    tally: judgedTo === null ? emptyTally() : backtest.tally,
    judgedTo: judgedTo ?? LOWEST_ID,
    ...{ isAtEnd: false, turnMs: 0 },
  };
}

/** Replays page after page, each while the next one is read. */
async function goOn(
  { db, keeper, page = USUAL_PAGE }: RunServices,
  backtest: BacktestRecord,
  run: Run,
  turn: Turn,
): Promise<void> {
  const { programId, belowId } = backtest;
  const way = giveWay();
  const read = (afterId: string) => listNext(db, programId, run.replay, afterId, belowId, page);
  let reading: Promise<PastEvent[]> | undefined = read(run.position);
  while (reading) {
    const listed: PastEvent[] = await reading;
    await way.look();
    const position = listed.at(-1)?.id ?? run.position;
    run.isAtEnd = listed.length < page;
    reading = run.isAtEnd || !mayGoOn(turn) ? undefined : read(position);
    // Its failure is met when its turn comes.
    reading?.catch(() => {});
    const events = await readNeeded({ db, keeper }, programId, run.replay, run.position, listed);
    const matches = await replayPage(run, events, way);
    run.position = position;
    await store(db, backtest, run, matches);
  }
}

async function replayPage(
  { replay, tally, judgedTo }: Run,
  events: readonly PastEvent[],
  way: GivingWay,
): Promise<BacktestMatch[]> {
  const matches: BacktestMatch[] = [];
  for (const [index, event] of events.entries()) {
    if (index % SLICE === SLICE - 1) await way.pause();
    const outcome = replayEvent(replay, event);
    if (!outcome || event.id <= judgedTo) continue;
    addToTally(tally, outcome);
    if ('match' in outcome && outcome.match) matches.push(outcome.match);
  }
  return matches;
}

async function store(
  db: Database,
  backtest: BacktestRecord,
  { position, tally }: Run,
  matches: readonly BacktestMatch[],
): Promise<void> {
  if (backtest.position !== null && position <= backtest.position) return;
  await db.transaction(async (tx) => {
    await insertBacktestMatches(tx, backtest, matches);
    await updateProgress(tx, backtest, position, tally);
  });
}
