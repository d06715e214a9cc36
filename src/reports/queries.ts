import type { Queryable, Tx } from '../db/database.ts';
import { type Day, dayEndMs, dayStartMs } from '../kernel/calendar.ts';
import { currencyDigits } from '../kernel/currencies.ts';
import { isId, lowestIdAt } from '../kernel/ids.ts';
import { ACCOUNTS } from '../ledger/accounts.ts';
import { FORMULA } from './csv.ts';
import type { FileType, Subject } from './report.ts';

/** A report as it is kept. */
export interface ReportRecord extends Subject {
  programId: string;
  id: string;
  status: 'pending' | 'ready' | 'expired';
  storageKey: string | null;
  attempts: number;
  rowCount: bigint | null;
  bytes: bigint | null;
  sha256: Buffer | null;
}

const REPORT_COLUMNS = `
  r.program_id as "programId", r.id, r.file_type as "fileType", r.first_day as "firstDay", r.last_day as "lastDay",
  case when r.status = 'ready' and r.kept_until <= clock_timestamp() then 'expired' else r.status end as status,
  r.storage_key as "storageKey", r.attempts, r.row_count as "rowCount", r.bytes, r.sha256`;

/**
 * Finds the report of a subject or begins it, and locks it: whoever marks it ready waits for us, and tells those whom
 * we add. One whose file is gone is to be made again; one whose file is there keeps it for a while longer.
 */
export async function claimReport(
  tx: Tx,
  programId: string,
  id: string,
  { fileType, firstDay, lastDay }: Subject,
  createdAt: Date,
  keepMs: number,
): Promise<ReportRecord> {
  const rows = await tx.query<ReportRecord>(
    {
      name: 'claim_report',
      text: `insert into reports as r (program_id, id, file_type, first_day, last_day, status, created_at)
             values ($1, $2, $3, $4, $5, 'pending', $6)
             on conflict (program_id, file_type, last_day) do update
               set status = ${REOPENED}, kept_until = ${KEPT_LONGER('$7')}
             returning ${REPORT_COLUMNS}`,
    },
    [programId, id, fileType, firstDay, lastDay, createdAt, keepMs],
  );
  return rows[0] as ReportRecord;
}

const HAS_FILE = `r.status = 'ready' and r.kept_until > clock_timestamp()`;
const REOPENED = `case when ${HAS_FILE} then 'ready' else 'pending' end`;
const KEPT_LONGER = (keepMs: string) =>
  `case when ${HAS_FILE} then clock_timestamp() + ${keepMs}::float8 * interval '1 ms' else r.kept_until end`;

export async function findReportOfSubject(
  db: Queryable,
  programId: string,
  { fileType, lastDay }: Subject,
): Promise<ReportRecord | undefined> {
  const rows = await db.query<ReportRecord>(
    {
      name: 'find_report_of_subject',
      text: `select ${REPORT_COLUMNS} from reports r
             where r.program_id = $1 and r.file_type = $2 and r.last_day = $3`,
    },
    [programId, fileType, lastDay],
  );
  return rows[0];
}

/** The report of a request, and whether its file has little time left. */
export async function findReportOfRequest(
  db: Queryable,
  programId: string,
  requestId: string,
): Promise<(ReportRecord & { fading: boolean }) | undefined> {
  const rows = await db.query<ReportRecord & { fading: boolean }>(
    {
      name: 'find_report_of_request',
      text: `select ${REPORT_COLUMNS}, coalesce(r.kept_until < clock_timestamp() + interval '1 hour', false) as fading
             from report_requests q join reports r on r.program_id = q.program_id and r.id = q.report_id
             where q.program_id = $1 and q.id = $2`,
    },
    [programId, requestId],
  );
  return rows[0];
}

/** The report of a request, locked. Its file is kept for a while longer, or is to be made again. */
export async function claimReportOfRequest(
  tx: Tx,
  programId: string,
  requestId: string,
  keepMs: number,
): Promise<ReportRecord | undefined> {
  const rows = await tx.query<ReportRecord>(
    {
      name: 'claim_report_of_request',
      text: `update reports r set status = ${REOPENED}, kept_until = ${KEPT_LONGER('$3')}
             where r.program_id = $1
               and r.id = (select q.report_id from report_requests q where q.program_id = $1 and q.id = $2)
             returning ${REPORT_COLUMNS}`,
    },
    [programId, requestId, keepMs],
  );
  return rows[0];
}

/** One whose file is lost is to be made again; not one that has been made again meanwhile. */
export async function reopenReport(
  db: Queryable,
  { programId, id, storageKey }: ReportRecord,
): Promise<void> {
  await db.query(
    {
      text: `update reports r set status = 'pending'
             where r.program_id = $1 and r.id = $2 and r.storage_key = $3 and r.status <> 'pending'`,
    },
    [programId, id, storageKey],
  );
}

/** By its id alone, which is all that a link names. */
export async function findReport(db: Queryable, id: string): Promise<ReportRecord | undefined> {
  const rows = await db.query<ReportRecord>(
    {
      name: 'find_report',
      text: `select ${REPORT_COLUMNS} from reports r where r.id = $1`,
    },
    [id],
  );
  return rows[0];
}

export function insertRequest(
  tx: Tx,
  programId: string,
  id: string,
  reportId: string,
  notified: boolean,
  createdAt: Date,
): void {
  tx.send(
    {
      name: 'insert_report_request',
      text: `insert into report_requests (program_id, id, report_id, notified, created_at)
             values ($1, $2, $3, $4, $5)`,
    },
    [programId, id, reportId, notified, createdAt],
  );
}

/** The requests that nobody told yet, marked as told. */
export async function notifyRequests(tx: Tx, programId: string, reportId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    {
      text: `update report_requests set notified = true
             where program_id = $1 and report_id = $2 and not notified returning id`,
    },
    [programId, reportId],
  );
  return rows.map(({ id }) => id).sort();
}

const IS_FREE = `r.status = 'pending' and (r.leased_until is null or r.leased_until <= clock_timestamp())`;

/** Reports that wait for a worker, the longest waiting first. */
export const listFreeReports = (db: Queryable, limit: number): Promise<ReportRecord[]> =>
  db.query<ReportRecord>(
    {
      name: 'list_free_reports',
      text: `select ${REPORT_COLUMNS} from reports r where ${IS_FREE} order by r.leased_until nulls first, r.id limit $1`,
    },
    [limit],
  );

/** Takes a report for so long; false when somebody else was sooner. */
export async function leaseReport(
  db: Queryable,
  { programId, id }: ReportRecord,
  storageKey: string,
  leaseMs: number,
): Promise<boolean> {
  const rows = await db.query(
    {
      name: 'lease_report',
      text: `update reports r
             set leased_until = clock_timestamp() + $4::float8 * interval '1 ms', storage_key = $3
             where r.program_id = $1 and r.id = $2 and ${IS_FREE} returning r.id`,
    },
    [programId, id, storageKey, leaseMs],
  );
  return rows.length === 1;
}

/** For longer, or (with `failed`) for how long it shall be left alone. False: the lease is no longer ours. */
export async function extendLease(
  db: Queryable,
  { programId, id }: ReportRecord,
  storageKey: string,
  leaseMs: number,
  failed = false,
): Promise<boolean> {
  const rows = await db.query(
    {
      name: 'extend_report_lease',
      text: `update reports r
             set leased_until = clock_timestamp() + $4::float8 * interval '1 ms', attempts = r.attempts + $5::int
             where r.program_id = $1 and r.id = $2 and r.status = 'pending' and r.storage_key = $3 returning r.id`,
    },
    [programId, id, storageKey, leaseMs, failed ? 1 : 0],
  );
  return rows.length === 1;
}

export interface Produced {
  rowCount: number;
  bytes: number;
  sha256: Buffer;
}

/** Only under the lease, and only with the bytes of the first time. */
export async function updateReady(
  tx: Tx,
  { programId, id }: ReportRecord,
  storageKey: string,
  { rowCount, bytes, sha256 }: Produced,
  keepMs: number,
): Promise<boolean> {
  const rows = await tx.query(
    {
      text: `update reports r
             set status = 'ready', leased_until = null, attempts = 0, row_count = $4, bytes = $5, sha256 = $6,
                 produced_at = coalesce(r.produced_at, clock_timestamp()),
                 kept_until = clock_timestamp() + $7::float8 * interval '1 ms'
             where r.program_id = $1 and r.id = $2 and r.status = 'pending' and r.storage_key = $3
               and coalesce(r.sha256, $6) = $6 returning r.id`,
    },
    [programId, id, storageKey, rowCount, bytes, sha256, keepMs],
  );
  return rows.length === 1;
}

/** Files that have been kept long enough, or whose removal was cut short. */
export const listStaleFiles = (db: Queryable, limit: number): Promise<ReportRecord[]> =>
  db.query<ReportRecord>(
    {
      text: `select ${REPORT_COLUMNS} from reports r
             where r.kept_until <= statement_timestamp() and r.status <> 'pending' order by r.kept_until limit $1`,
    },
    [limit],
  );

/**
 * From now on nobody is sent to the file. False when somebody asked for it meanwhile. It is stale again in an hour, for
 * the case that its removal fails.
 */
export async function expireReport(db: Queryable, { programId, id }: ReportRecord): Promise<boolean> {
  const rows = await db.query(
    {
      text: `update reports r set status = 'expired', kept_until = clock_timestamp() + interval '1 hour'
             where r.program_id = $1 and r.id = $2 and r.status <> 'pending' and r.kept_until <= clock_timestamp()
             returning r.id`,
    },
    [programId, id],
  );
  return rows.length === 1;
}

export async function forgetFile(db: Queryable, { programId, id, storageKey }: ReportRecord): Promise<void> {
  await db.query(
    {
      text: `update reports r set kept_until = null
             where r.program_id = $1 and r.id = $2 and r.storage_key = $3 and r.status = 'expired'`,
    },
    [programId, id, storageKey],
  );
}

/** What a report's query is made for. COPY takes no parameters, so every value is checked as it is written. */
export interface QueryScope extends Subject {
  programId: string;
  currency: string;
}

/** The rows of a report, in ascending time. All of it comes from transfers and events, which never change. */
export const reportQuery = (scope: QueryScope): string => QUERIES[scope.fileType](literals(scope));

interface Literals {
  program: string;
  /** Transfers from this id on, and below that one: ids carry their time, so that UTC is the only zone there is. */
  from: string;
  below: string;
  firstDay: string;
  currency: string;
  digits: number;
}

function literals({ programId, firstDay, lastDay, currency }: QueryScope): Literals {
  if (!/^[A-Z]{3}$/.test(currency)) throw new Error('a report has the currency of its program');
  return {
    program: uuid(programId),
    from: uuid(lowestIdAt(dayStartMs(firstDay))),
    below: uuid(lowestIdAt(dayEndMs(lastDay))),
    firstDay: dateLiteral(firstDay),
    currency: `'${currency}'`,
    digits: currencyDigits(currency),
  };
}

function uuid(id: string): string {
  if (!isId(id)) throw new Error('a report names its program and transfers by their ids');
  return `'${id}'::uuid`;
}

function dateLiteral(day: Day): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error('a report is of days');
  return `'${day}'::date`;
}

const account = (name: keyof typeof ACCOUNTS): string => uuid(ACCOUNTS[name]);

/** Like the timestamps of the API. */
const time = (at: string): string => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+0000"')`;

/** Minor units as a plain decimal of the currency. */
const money = (minor: string, { digits }: Literals): string =>
  digits === 0 ? `(${minor})` : `(${minor}) * 0.${'1'.padStart(digits, '0')}`;

/** Text from outside; see `csv.ts`. Most of it needs only the look. */
const text = (value: string): string =>
  `case when ${value} ~ '${FORMULA}' then regexp_replace(${value}, '${FORMULA}', '\\1''\\2', 'g') else ${value} end`;

const inPeriod = ({ program, from, below }: Literals): string =>
  `t.program_id = ${program} and t.id >= ${from} and t.id < ${below}`;

/**
 * The event that tells of a movement; funding has none. One look-up for each row, spelt out: in order of ids, which
 * is the order of time, they find neighbours on the page they have just read.
 */
const eventOf = ({ program }: Literals, movementId: string): string => `
  left join lateral (
    select id, event_name, card_id, data from events
    where program_id = ${program} and id = ${movementId} limit 1) e on true`;

/** Marks the place of a card's holder, whose name only the vault can tell. No text of ours holds this character. */
export const NAME_MARK = '\u0001';

function movementsQuery(l: Literals): string {
  const master = account('master');
  return `
    select ${time('m.created_at')} as event_time, coalesce(e.event_name, m.code) as event,
           e.data ->> 'transaction_id' as transaction_id,
           ${text(`(e.data ->> 'external_transaction_id')`)} as external_transaction_id,
           e.card_id, r.last_four, chr(${NAME_MARK.charCodeAt(0)}) || e.card_id as cardholder_name,
           ${text(`(e.data -> 'merchant' ->> 'name')`)} as merchant_name, e.data -> 'merchant' ->> 'mcc' as mcc,
           e.data ->> 'channel' as channel,
           case when e.id is null then ${l.currency} else e.data ->> 'currency' end as currency,
           case when e.id is null then (${money('abs(m.delta)', l)})::text else e.data ->> 'amount' end as amount,
           ${l.currency} as bill_currency,
           case when e.id is null then (${money('abs(m.delta)', l)})::text else e.data ->> 'bill_amount' end
             as bill_amount,
           e.data ->> 'fx_fee' as fx_fee, e.data ->> 'atm_fee' as atm_fee,
           case coalesce(e.event_name, m.code)
             when 'authorization' then 'Hold for a purchase'
             when 'authorization.reversal' then 'Hold released: reversed'
             when 'authorization.expired' then 'Hold released: expired'
             when 'authorization.clearing' then
               case when m.delta < 0 then 'Cleared more than was held' else 'Cleared: rest of the hold released' end
             when 'refund' then 'Refund'
             when 'funding' then 'Funding of the master account'
             else m.code end as description,
           ${money('greatest(m.delta, 0)', l)} as "in", ${money('greatest(-m.delta, 0)', l)} as "out",
           ${money('m.balance', l)} as balance
    from (
      select t.id, t.movement_id, t.code, t.created_at, s.delta,
             o.balance_minor + sum(s.delta) over (order by t.id rows unbounded preceding) as balance
      from ledger_transfers t
      cross join lateral (
        select case when t.credit_account_id = ${master} then t.amount_minor else -t.amount_minor end as delta) s
      cross join (
        select coalesce((
          select balance_minor from ledger_daily_balances
          where program_id = ${l.program} and account_id = ${master} and day < ${l.firstDay}
          order by day desc limit 1), 0) as balance_minor) o
      where ${inPeriod(l)} and (t.debit_account_id = ${master} or t.credit_account_id = ${master})) m
    ${eventOf(l, 'm.movement_id')}
    left join lateral (
      select c.last_four
      from (select credential_id from transactions
            where program_id = ${l.program} and id = (e.data ->> 'transaction_id')::uuid limit 1) p
      cross join lateral (
        select last_four from credentials where program_id = ${l.program} and id = p.credential_id limit 1) c) r on true
    order by m.id`;
}

/** What a transfer brings an account: what it takes back is negative. */
const gain = (name: keyof typeof ACCOUNTS): string =>
  `case when t.credit_account_id = ${account(name)} then t.amount_minor
        when t.debit_account_id = ${account(name)} then -t.amount_minor end`;

const touches = (...names: Array<keyof typeof ACCOUNTS>): string => {
  const ids = names.map(account).join(', ');
  return `(t.credit_account_id in (${ids}) or t.debit_account_id in (${ids}))`;
};

function feesQuery(l: Literals): string {
  const fx = gain('fxRevenue');
  return `
    select f.id as fee_id, ${time('f.created_at')} as event_time, e.data ->> 'transaction_id' as transaction_id,
           e.card_id, case when f.fx is null then 'ATM' else 'FX' end as type,
           case when f.fx is not null then (e.data ->> 'fx_fee_bps')::integer * 0.01 end as rate,
           ${money('coalesce(f.fx, f.atm)', l)} as amount, ${l.currency} as currency
    from (
      select t.id, t.movement_id, t.created_at, ${fx} as fx, ${gain('atmRevenue')} as atm
      from ledger_transfers t where ${inPeriod(l)} and ${touches('fxRevenue', 'atmRevenue')}) f
    ${eventOf(l, 'f.movement_id')}
    order by f.id`;
}

function transactionFeesQuery(l: Literals): string {
  const sum = (name: keyof typeof ACCOUNTS) => `coalesce(sum(${gain(name)}), 0)`;
  return `
    select ${time('m.created_at')} as event_time, e.data ->> 'transaction_id' as transaction_id, e.card_id,
           e.event_name as event, e.data ->> 'channel' as channel, e.data ->> 'currency' as currency,
           e.data ->> 'amount' as amount, ${l.currency} as bill_currency, e.data ->> 'bill_amount' as bill_amount,
           (e.data ->> 'currency' <> ${l.currency})::text as is_fx,
           ${money('m.interchange', l)} as interchange_revenue, ${money('m.fx', l)} as fx_revenue,
           ${money('m.atm', l)} as atm_revenue, ${money('-m.cost', l)} as transaction_cost,
           ${money('m.interchange + m.fx + m.atm + m.cost', l)} as net
    from (
      -- As text, which sorts alike: PostgreSQL before 18 knows no least uuid.
      select t.movement_id, min(t.id::text) as first_id, min(t.created_at) as created_at,
             ${sum('interchangeRevenue')} as interchange, ${sum('fxRevenue')} as fx, ${sum('atmRevenue')} as atm,
             ${sum('transactionCost')} as cost
      from ledger_transfers t
      where ${inPeriod(l)} and ${touches('interchangeRevenue', 'fxRevenue', 'atmRevenue', 'transactionCost')}
      group by t.movement_id) m
    ${eventOf(l, 'm.movement_id')}
    order by m.first_id`;
}

/** A card's own movement is its making; the monthly ones are written down apart. */
function otherFeesQuery(l: Literals): string {
  return `
    select ${time('f.created_at')} as event_time, c.id as card_id, f.code as event, c.card_type,
           ${money('f.cost', l)} as amount, ${l.currency} as currency
    from (
      select t.id, t.movement_id, t.code, t.created_at,
             -coalesce(${gain('issuanceCost')}, ${gain('maintenanceCost')}) as cost
      from ledger_transfers t where ${inPeriod(l)} and ${touches('issuanceCost', 'maintenanceCost')}) f
    left join maintenance_charges k
      on k.program_id = ${l.program} and k.month = ${l.firstDay} and k.movement_id = f.movement_id
    left join lateral (
      select id, card_type from cards
      where program_id = ${l.program} and id = coalesce(k.card_id, f.movement_id) limit 1) c on true
    order by f.id`;
}

const QUERIES: Record<FileType, (l: Literals) => string> = {
  daily: movementsQuery,
  monthly: movementsQuery,
  fee: feesQuery,
  dailyTransactionFee: transactionFeesQuery,
  monthlyTransactionFees: transactionFeesQuery,
  monthlyNonTransactionFees: otherFeesQuery,
};
