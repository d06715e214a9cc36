import type { Database } from '../../db/database.ts';
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
import { listPastEvents } from './queries.ts';
import { readNeeded } from './read-needed.ts';
import { newReplay, type Replay } from './replay.ts';
import { replayEvent } from './replay-event.ts';

const USUAL_PAGE = 4_000;
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
 * got a run in memory replays it from its beginning; what is stored already is not stored twice.
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
      do await goOn(services, backtest, run);
      while (!run.isAtEnd && mayGoOn(turn));
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
  // Velocities count what was before the first day.
  const startMs = Math.min(
    fromMs,
    ...[...rules.velocities.values()].map(({ window }) => windowStartMs(window, fromMs)),
  );
  return {
    replay,
    approximate: await hasChangedSince(db, programId, rules, fromMs),
    position: lowestIdAt(startMs),
    ...{ tally: emptyTally(), isAtEnd: false },
  };
}

/** Replays a page of events, and stores what came of it. */
async function goOn(
  { db, page = USUAL_PAGE }: RunServices,
  backtest: BacktestRecord,
  run: Run,
): Promise<void> {
  const { programId, belowId } = backtest;
  const events = await listPastEvents(db, programId, run.position, belowId, page);
  await readNeeded(db, programId, run.replay, events);
  const matches: BacktestMatch[] = [];
  for (const event of events) {
    const outcome = replayEvent(run.replay, event);
    if (!outcome) continue;
    addToTally(run.tally, outcome);
    if ('match' in outcome && outcome.match) matches.push(outcome.match);
  }
  run.position = events.at(-1)?.id ?? run.position;
  run.isAtEnd = events.length < page;
  if (backtest.position !== null && run.position <= backtest.position) return;
  await db.transaction(async (tx) => {
    await insertBacktestMatches(tx, backtest, matches);
    await updateProgress(tx, backtest, run.position, run.tally);
  });
}
