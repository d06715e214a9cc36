import type { Queryable } from '../../db/database.ts';
import { newestEvents } from '../../events/queries.ts';

/** The decisions of one step that the merchant was to make, without those while its endpoint was paused. */
export interface SummedDecisions {
  /** The step, by its position in the list. */
  step: number;
  answered: number;
  timeouts: number;
  /** Without a connection, or without a usable answer. */
  failures: number;
  /** How long we waited for the merchant. A refused connection takes no time and does not count. Null: no decision. */
  p50Ms: number | null;
  p99Ms: number | null;
  /** Some events were not read. */
  sampled: boolean;
}

/** A range of ids that belongs to a step. */
export interface StepRange {
  step: number;
  fromId: string;
  belowId: string;
}

/** Sums the decisions in the newest events of each range, at most `limit` of a range. Steps without events are left out. */
export const sumDecisions = (
  db: Queryable,
  programId: string,
  ranges: readonly StepRange[],
  limit: number,
): Promise<SummedDecisions[]> =>
  db.query(
    {
      name: 'sum_decisions',
      text: `select step,
                    count(*) filter (where outcome in ('approved', 'declined'))::int as answered,
                    count(*) filter (where outcome = 'timeout')::int as timeouts,
                    count(*) filter (where outcome in ('unreachable', 'invalid'))::int as failures,
                    percentile_disc(0.5) within group (order by waited_ms) as "p50Ms",
                    percentile_disc(0.99) within group (order by waited_ms) as "p99Ms",
                    bool_or(events_read >= $5) as sampled
             from (
               select range.step, e.events_read, e.decision->>'outcome' as outcome,
                      case when e.decision->>'outcome' in ('approved', 'declined', 'timeout', 'invalid')
                           then (e.decision->>'duration_ms')::int end as waited_ms
               from unnest($2::int[], $3::uuid[], $4::uuid[]) as range (step, from_id, below_id)
               cross join lateral (
                 select case when data->'decision'->>'source' in ('merchant', 'stand_in')
                             then data->'decision' end as decision, count(*) over () as events_read
                 from ${newestEvents('$1', 'range.from_id', 'range.below_id', '$5::int')} newest) e) decided
             group by step order by step`,
    },
    [
      programId,
      ranges.map(({ step }) => step),
      ranges.map(({ fromId }) => fromId),
      ranges.map(({ belowId }) => belowId),
      limit,
    ],
  );
