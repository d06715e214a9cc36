import type { Database } from '../../db/database.ts';
import { type GivingWay, giveWay } from '../../jobs/give-way.ts';
import type { Job, Turn } from '../../jobs/job.ts';
import { programJob } from '../../jobs/program-job.ts';
import { dayStartMs, MS_PER_DAY } from '../../kernel/calendar.ts';
import { EmbossError } from '../../kernel/error.ts';
import { lowestIdAt } from '../../kernel/ids.ts';
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
import { hasChangedSince } from './approximate.ts';
import type { PastEvent } from './queries.ts';
import { listNext, readNeeded } from './read-page.ts';
import { newReplay, type Replay } from './replay.ts';
import { replayEvent } from './replay-event.ts';

/** Small enough that a page's rows are garbage soon. */
const USUAL_PAGE = 1_000;
/** Takes some two milliseconds. */
const SLICE = 100;
/** A look for transactions that may still commit. */
const AGAIN_MS = 200;
/** Runs that a worker keeps between their turns; others begin again. */
const MOST_KEPT = 4;

export interface RunServices extends LoadServices {
  db: Database;
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
  isAtEnd: boolean;
}

/**
 * Runs the backtests of programs one after the other, in turns. What a rule sees depends on all that was before, so a worker that has not
 * got a run in memory replays it from its beginning; what is stored already is not stored twice. Where nothing counts, it goes on.
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
      const run = runs.get(backtest.id) ?? (await begin(services, backtest));
      if (runs.size >= MOST_KEPT) runs.clear();
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

const mayGoOn = ({ isStopping, deadline }: Turn): boolean => !isStopping() && performance.now() < deadline;

async function begin(services: RunServices, backtest: BacktestRecord): Promise<Run> {
  const { db } = services;
  const { programId, mode, fromDay } = backtest;
  const { program } = await readProgram(db, programId);
  const rules = await loadTestedRule(services, db, program, backtest);
  const fromMs = dayStartMs(fromDay);
  const replay = newReplay(program, rules, { fromMs, isAsIfActive: mode === 'AS_IF_ACTIVE' });
  const approximate = await hasChangedSince(db, programId, rules, fromMs);
  if (!replay.memory && backtest.position !== null)
    return { replay, approximate, position: backtest.position, tally: backtest.tally, isAtEnd: false };
  // Velocities count what was before the first day.
  const startMs = Math.min(
    fromMs,
    ...[...rules.velocities.values()].map(({ window }) => windowStartMs(window, fromMs)),
  );
  return { replay, approximate, position: lowestIdAt(startMs), tally: emptyTally(), isAtEnd: false };
}

/** Replays page after page, each while the next one is read. */
async function goOn(
  { db, page = USUAL_PAGE }: RunServices,
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
    const events = await readNeeded(db, programId, run.replay, run.position, listed);
    const matches = await replayPage(run, events, way);
    run.position = position;
    await store(db, backtest, run, matches);
  }
}

async function replayPage(
  { replay, tally }: Run,
  events: readonly PastEvent[],
  way: GivingWay,
): Promise<BacktestMatch[]> {
  const matches: BacktestMatch[] = [];
  for (const [index, event] of events.entries()) {
    if (index % SLICE === SLICE - 1) await way.pause();
    const outcome = replayEvent(replay, event);
    if (!outcome) continue;
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
