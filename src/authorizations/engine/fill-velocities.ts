import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import type { Job, Turn } from '../../jobs/job.ts';
import { programJob } from '../../jobs/program-job.ts';
import { MS_PER_DAY } from '../../kernel/calendar.ts';
import { lowestIdAt } from '../../kernel/ids.ts';
import { programNow } from '../../programs/program.ts';
import { readProgram } from '../../programs/queries.ts';
import type { RulesOf } from '../../rules/loaded-rules.ts';
import { finishFilling } from '../../rules/velocity/finish-filling.ts';
import { deleteEntriesBefore } from '../../rules/velocity/queries.ts';
import { windowStartMs } from '../../rules/velocity/sums.ts';
import { listUnfilled, type Unfilled, updateFilled } from '../../rules/velocity/velocity-queries.ts';
import { listChangedAfter } from '../replay/queries.ts';
import { type Submit, usualDeadline } from './engine.ts';

const PAGE = 400;
const LOOK_EVERY_MS = 20;
const HOUR_MS = 3_600_000;
/** No window of minutes is longer than a day. One that was last moved almost a day ago began a day before that. */
const KEPT_ENTRIES_MS = 2 * MS_PER_DAY + HOUR_MS;
const DELETED_AT_ONCE = 5_000;

interface Services {
  db: Database;
  submit: Submit;
  rulesOf: RulesOf;
}

/** Counts what came before new velocities, and deletes the entries that have left every window. */
export function ruleVelocities(services: Services): Job {
  const haveEnded = awaitEarlier(services.db);
  const settings = { everyMs: 1_000, atOnce: 2 };
  return programJob(services.db, 'rule-velocities', settings, async (programId, turn, nowMs) => {
    if (!(await fillVelocities(services, programId, turn, haveEnded))) return nowMs;
    const { program, realNowMs } = await readProgram(services.db, programId);
    if (program.rulesVersion === 0n) return nowMs + MS_PER_DAY;
    const beforeMs = Math.floor(programNow(program, realNowMs)) - KEPT_ENTRIES_MS;
    while (mayGoOn(turn))
      if ((await deleteEntriesBefore(services.db, programId, beforeMs, DELETED_AT_ONCE)) < DELETED_AT_ONCE)
        return nowMs + HOUR_MS;
    return nowMs;
  });
}

type HaveEnded = (programId: string, unfilled: readonly Unfilled[], turn: Turn) => Promise<boolean>;

/**
 * Whether the authorizations have ended that read the rules before the velocities were new: they do not count themselves, and the
 * filling must see them. Remembers since when it waits, so that no transaction delays it for longer than one of ours can last.
 */
function awaitEarlier(db: Database): HaveEnded {
  const seen = new Map<string, { newest: number; atMs: number }>();
  return async (programId, unfilled, turn) => {
    const newest = Math.max(...unfilled.map(({ number }) => number));
    let since = seen.get(programId);
    if (since?.newest !== newest) since = { newest, atMs: performance.now() };
    seen.set(programId, since);
    while (!(await db.settledBefore(programId, performance.now() - since.atMs))) {
      if (!mayGoOn(turn)) return false;
      await pause(LOOK_EVERY_MS);
    }
    seen.delete(programId);
    return true;
  };
}

const mayGoOn = ({ isStopping, deadline }: Turn): boolean => !isStopping() && performance.now() < deadline;

/**
 * Goes through the transactions in which something happened in the longest window, the oldest event first. Returns whether it has
 * reached the end.
 */
async function fillVelocities(
  { db, submit, rulesOf }: Services,
  programId: string,
  turn: Turn,
  haveEnded: HaveEnded,
): Promise<boolean> {
  const unfilled = await listUnfilled(db, programId);
  if (unfilled.length === 0) return true;
  const isNew = unfilled.some(({ filledTo }) => filledTo === null);
  if (isNew && !(await haveEnded(programId, unfilled, turn))) return false;
  const { program, realNowMs } = await readProgram(db, programId);
  const rules = await rulesOf(db, program);
  const velocities = unfilled.map(({ number }) => number);
  const nowMs = programNow(program, realNowMs);
  const startMs = Math.min(
    nowMs,
    ...velocities.flatMap((number) => {
      const velocity = rules.velocities.get(number);
      return velocity ? windowStartMs(velocity.window, nowMs) : [];
    }),
  );
  // Velocities of several rules are filled together, from where the last one is.
  const known = unfilled.map(({ filledTo }) => filledTo);
  let fromId = known.includes(null) ? undefined : (known as string[]).sort()[0];
  const done = new Set<string>();
  while (mayGoOn(turn)) {
    const changed = await listChangedAfter(db, programId, fromId ?? lowestIdAt(startMs), PAGE);
    const fresh = [...new Set(changed.map(({ transactionId }) => transactionId))].filter(
      (id) => !done.has(id),
    );
    for (const id of fresh) done.add(id);
    await Promise.all(
      fresh.map((transactionId) =>
        submit(
          program,
          { kind: 'recount', purchase: { transactionId }, velocities },
          { source: 'job', deadline: usualDeadline() },
        ),
      ),
    );
    if (changed.length < PAGE) {
      await finishFilling(db, programId, velocities);
      return true;
    }
    fromId = changed.at(-1)?.id;
    await updateFilled(db, programId, velocities, fromId as string);
  }
  return false;
}
