import { column, textColumn, unnested } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { Day } from '../kernel/calendar.ts';
import type { MatchedRule, RuleEffect } from './judge-rules.ts';
import type { EvaluatedAttempt } from './rule.ts';

/** For `lists/`. */
export const MATCH_LIST = { table: 'rule_matches' };

/** A rule that matched an attempt. */
export interface MatchRecord {
  /** That of the attempt's event. */
  id: string;
  transactionId: string;
  cardId: string;
  status: MatchedRule['status'];
  effect: RuleEffect;
  approved: boolean;
  amountMinor: bigint;
  matchValues: MatchedRule['values'];
  createdAt: Date;
}

export function insertMatches(
  tx: Tx,
  programId: string,
  evaluated: readonly EvaluatedAttempt[],
  createdAt: Date,
): void {
  const rows = evaluated.flatMap((attempt) => attempt.matches.map((match) => ({ ...attempt, ...match })));
  tx.send(
    {
      name: 'insert_rule_matches',
      text: `insert into rule_matches
               (program_id, rule_id, id, transaction_id, card_id, status, effect, approved, changes, amount_minor, match_values,
                created_at)
             select $1, ${unnested(2, 'uuid uuid uuid uuid text text boolean boolean bigint jsonb')}, $12`,
    },
    [
      programId,
      column(rows.map((row) => row.rule_id)),
      column(rows.map((row) => row.id)),
      column(rows.map((row) => row.transactionId)),
      column(rows.map((row) => row.cardId)),
      column(rows.map((row) => row.status)),
      column(rows.map((row) => row.effect)),
      column(rows.map((row) => row.approved)),
      column(rows.map((row) => row.changes)),
      column(rows.map((row) => row.amountMinor)),
      textColumn(rows.map((row) => JSON.stringify(row.values))),
      createdAt,
    ],
  );
}

/** One row for each subject, in the order of their ids: two servers that count the same subjects must not deadlock. */
export function addEvaluations(
  tx: Tx,
  programId: string,
  evaluated: readonly EvaluatedAttempt[],
  { day, version }: { day: Day; version: bigint },
): void {
  const counts = new Map<string, number>();
  for (const { subjects } of evaluated)
    for (const subject of subjects) counts.set(subject, (counts.get(subject) ?? 0) + 1);
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  tx.send(
    {
      name: 'add_rule_evaluations',
      text: `insert into rule_evaluations as kept (program_id, day, rules_version, subject_id, evaluated)
             select $1, $2, $3, ${unnested(4, 'uuid bigint')}
             on conflict (program_id, subject_id, day, rules_version) do update
             set evaluated = kept.evaluated + excluded.evaluated`,
    },
    [programId, day, version, column(rows.map(([id]) => id)), column(rows.map(([, count]) => count))],
  );
}

export const findMatches = (
  db: Queryable,
  programId: string,
  ruleId: string,
  ids: readonly string[],
): Promise<MatchRecord[]> =>
  db.query<MatchRecord & Record<string, unknown>>(
    {
      name: 'find_rule_matches',
      text: `select id, transaction_id, card_id, status, effect, approved, amount_minor, match_values, created_at
             from rule_matches where program_id = $1 and rule_id = $2 and id = any ($3::uuid[])`,
    },
    [programId, ruleId, column(ids)],
  );

/** The approvals since an id that the rule, in SHADOW, would have declined. */
export async function countWouldDecline(
  db: Queryable,
  programId: string,
  ruleId: string,
  fromId: string,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(distinct transaction_id)::int as count from rule_matches
     where program_id = $1 and rule_id = $2 and id >= $3 and approved and changes`,
    [programId, ruleId, fromId],
  );
  return rows[0]?.count ?? 0;
}

export interface MatchedDay {
  day: Day;
  matched: number;
  changed: number;
  amountMinor: bigint;
}

/** The matches of a rule by their day; days without one are left out. */
export const sumMatches = (
  db: Queryable,
  programId: string,
  ruleId: string,
  fromId: string,
  belowId: string,
): Promise<MatchedDay[]> =>
  db.query<MatchedDay & Record<string, unknown>>(
    `select (created_at at time zone 'UTC')::date as day, count(*)::int as matched,
            (count(*) filter (where changes))::int as changed,
            sum(amount_minor)::bigint as amount_minor
     from rule_matches where program_id = $1 and rule_id = $2 and id >= $3 and id < $4 group by 1`,
    [programId, ruleId, fromId, belowId],
  );

/** How many attempts were evaluated on each day, for a subject and the versions from one on and before another. */
export const sumEvaluations = (
  db: Queryable,
  programId: string,
  subjectId: string,
  days: { from: Day; to: Day },
  versions: { first: bigint; archived: bigint | null },
): Promise<Array<{ day: Day; evaluated: bigint }>> =>
  db.query(
    `select day, sum(evaluated)::bigint as evaluated from rule_evaluations
     where program_id = $1 and subject_id = $2 and day between $3 and $4
       and rules_version >= $5 and ($6::bigint is null or rules_version < $6) group by 1`,
    [programId, subjectId, days.from, days.to, versions.first, versions.archived],
  );
