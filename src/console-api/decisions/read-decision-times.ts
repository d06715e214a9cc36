import { type StepRange, sumDecisions } from '../../authorizations/totals/decision-queries.ts';
import { HOUR_MS } from '../../authorizations/totals/queries.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import { lowestIdAt } from '../../kernel/ids.ts';
import type { Actor } from '../../programs/actor.ts';
import { windowAt } from '../overview/window.ts';
import type { QueryServices } from '../services.ts';

/**
 * An hour is read in parts, so that a sample covers all of it. At most 24 × 6 × 100 events are read, however many the
 * program has.
 */
const PARTS = 6;
const PART_MS = HOUR_MS / PARTS;
const MOST_EVENTS = 100;

/** The response times and failures of the decision endpoint in the last 24 hours, by the hour. */
export async function readDecisionTimes({ db }: Pick<QueryServices, 'db'>, actor: Actor) {
  const nowMs = actor.now();
  const { starts } = windowAt('24h', nowMs);
  const summed = await sumDecisions(db, actor.program.id, rangesOf(starts), MOST_EVENTS);
  const sumsOf = new Map(summed.map(({ step, ...sums }) => [step, sums]));
  return {
    now: formatTimestamp(new Date(nowMs)),
    slices: starts.map((startMs, step) => ({
      start: formatTimestamp(new Date(startMs)),
      ...(sumsOf.get(step) ?? NOTHING),
    })),
  };
}

const NOTHING = { answered: 0, timeouts: 0, failures: 0, p50Ms: null, p99Ms: null, sampled: false };

export const rangesOf = (starts: readonly number[]): StepRange[] =>
  starts.flatMap((startMs, step) =>
    Array.from({ length: PARTS }, (_, part) => ({
      step,
      fromId: lowestIdAt(startMs + part * PART_MS),
      belowId: lowestIdAt(startMs + (part + 1) * PART_MS),
    })),
  );
