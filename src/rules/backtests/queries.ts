import { column, textColumn, unnested } from '../../db/columns.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { parametersOf, valuesOf } from '../../db/row.ts';
import { timeOf } from '../../kernel/ids.ts';
import type { BacktestMatch, BacktestRecord, BacktestStatus, Tally } from './backtest.ts';

/** For `lists/`. */
export const BACKTEST_LIST = { table: 'rule_backtests' };
export const BACKTEST_MATCH_LIST = { table: 'rule_backtest_matches' };

const STORED =
  `program_id, id, rule_id, mode, from_day, to_day, status, below_id, position, tally, approximate, requested_at, created_at, completed_at` as const;

type Row = Omit<BacktestRecord, 'tally'> & { tally: Stored<Tally> };
/** JSON has no large integers. */
type Stored<Value> = Value extends bigint
  ? string
  : Value extends object
    ? { [Key in keyof Value]: Stored<Value[Key]> }
    : Value;

const fromRow = ({ tally, ...row }: Row): BacktestRecord => ({
  ...row,
  tally: {
    ...tally,
    wouldDecline: { ...tally.wouldDecline, amountMinor: BigInt(tally.wouldDecline.amountMinor) },
    byDay: Object.fromEntries(
      Object.entries(tally.byDay).map(([day, of]) => [
        day,
        { ...of, amountMinor: BigInt((of as { amountMinor: string }).amountMinor) },
      ]),
    ) as Tally['byDay'],
  },
});

const storedTally = (tally: Tally): string =>
  JSON.stringify(tally, (_, part) => (typeof part === 'bigint' ? String(part) : part));

export async function insertBacktest(tx: Tx, backtest: BacktestRecord): Promise<void> {
  await tx.query(
    `insert into rule_backtests (${STORED}) values (${parametersOf(STORED)})`,
    valuesOf(STORED, { ...backtest, tally: storedTally(backtest.tally) }),
  );
}

export async function findBacktests(
  db: Queryable,
  programId: string,
  ids: readonly string[],
): Promise<BacktestRecord[]> {
  const rows = await db.query<Row>(
    {
      name: 'find_rule_backtests',
      text: `select ${STORED} from rule_backtests where program_id = $1 and id = any ($2::uuid[])`,
    },
    [programId, column(ids)],
  );
  return rows.map(fromRow);
}

/** Those that wait or run, the oldest first. */
export async function listOpenBacktests(
  db: Queryable,
  programId: string,
  limit: number,
): Promise<BacktestRecord[]> {
  const rows = await db.query<Row>(
    {
      name: 'list_open_rule_backtests',
      text: `select ${STORED} from rule_backtests
             where program_id = $1 and status in ('QUEUED', 'RUNNING') order by id limit $2`,
    },
    [programId, limit],
  );
  return rows.map(fromRow);
}

/** What the newest completed backtest of a rule says of approvals. One that saw no approval proves nothing. */
export async function findNewestResult(
  db: Queryable,
  programId: string,
  ruleId: string,
): Promise<{ approved: number; wouldDecline: number } | undefined> {
  const rows = await db.query<{ approved: number; wouldDecline: number }>(
    `select (tally ->> 'approved')::float8 as approved, (tally #>> '{wouldDecline,count}')::float8 as would_decline
     from rule_backtests where program_id = $1 and rule_id = $2 and status = 'COMPLETED'
       and (tally ->> 'approved')::float8 > 0 order by id desc limit 1`,
    [programId, ruleId],
  );
  return rows[0];
}

/** What was read up to an event. A worker that is behind another changes nothing. */
export async function updateProgress(
  tx: Queryable,
  { programId, id }: Pick<BacktestRecord, 'programId' | 'id'>,
  position: string,
  tally: Tally,
): Promise<void> {
  await tx.query(
    {
      name: 'update_rule_backtest',
      text: `update rule_backtests set position = $3, tally = $4, status = 'RUNNING'
             where program_id = $1 and id = $2 and status in ('QUEUED', 'RUNNING') and (position is null or position < $3)`,
    },
    [programId, id, position, storedTally(tally)],
  );
}

/** Ends a backtest. False: it has ended already. */
export async function updateEnded(
  tx: Tx,
  { programId, id }: Pick<BacktestRecord, 'programId' | 'id'>,
  status: BacktestStatus,
  { tally, approximate }: Pick<BacktestRecord, 'tally' | 'approximate'>,
  completedAt: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update rule_backtests set status = $3, tally = $4, approximate = $5, completed_at = $6
     where program_id = $1 and id = $2 and status in ('QUEUED', 'RUNNING') returning 1 as one`,
    [programId, id, status, storedTally(tally), approximate, completedAt],
  );
  return rows.length > 0;
}

export async function insertBacktestMatches(
  tx: Queryable,
  { programId, id: backtestId }: Pick<BacktestRecord, 'programId' | 'id'>,
  matches: readonly BacktestMatch[],
): Promise<void> {
  if (matches.length === 0) return;
  await tx.query(
    {
      name: 'insert_rule_backtest_matches',
      text: `insert into rule_backtest_matches
               (program_id, backtest_id, id, transaction_id, card_id, effect, approved, amount_minor, match_values, created_at)
             select $1, $2, ${unnested(3, 'uuid uuid uuid text boolean bigint jsonb timestamptz')}
             on conflict (program_id, backtest_id, id) do nothing`,
    },
    [
      programId,
      backtestId,
      column(matches.map((match) => match.id)),
      column(matches.map((match) => match.transactionId)),
      column(matches.map((match) => match.cardId)),
      column(matches.map((match) => match.effect)),
      column(matches.map((match) => match.approved)),
      column(matches.map((match) => match.amountMinor)),
      textColumn(matches.map((match) => JSON.stringify(match.values))),
      column(matches.map((match) => new Date(timeOf(match.id)).toISOString())),
    ],
  );
}

type MatchRow = Omit<BacktestMatch, 'values'> & { matchValues: BacktestMatch['values']; createdAt: Date };

export const findBacktestMatches = (
  db: Queryable,
  programId: string,
  backtestId: string,
  ids: readonly string[],
): Promise<MatchRow[]> =>
  db.query<MatchRow & Record<string, unknown>>(
    {
      name: 'find_rule_backtest_matches',
      text: `select id, transaction_id, card_id, effect, approved, amount_minor, match_values, created_at
             from rule_backtest_matches where program_id = $1 and backtest_id = $2 and id = any ($3::uuid[])`,
    },
    [programId, backtestId, column(ids)],
  );
