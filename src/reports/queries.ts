import type { Queryable, Tx } from '../db/database.ts';
import type { FileType, Subject } from './report.ts';

/** A stored report. */
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

const columnsWith = (status: string): string => `
  r.program_id, r.id, r.file_type, r.first_day, r.last_day,
  ${status}, r.storage_key, r.attempts, r.row_count, r.bytes, r.sha256`;

/** A file past its retention has expired, also before a worker removes it. */
const STATUS = `
  case when r.status = 'ready' and r.kept_until <= clock_timestamp() then 'expired' else r.status end as status`;
const REPORT_COLUMNS = columnsWith(STATUS);

/**
 * The update that claims a report `r`: an existing file is stored for longer, and a report whose file has expired becomes
 * pending again. Distributed engines refuse a clock in CASE, so the time is a column here.
 */
const claimed = (keepMs: string): string => `
      status = case when r.status = 'ready' and r.kept_until > claim.now then 'ready' else 'pending' end,
      kept_until = case when r.status = 'ready' and r.kept_until > claim.now then claim.keep_until else r.kept_until end
  from (select statement_timestamp() as now,
               statement_timestamp() + ${keepMs}::float8 * interval '1 ms' as keep_until) claim`;

/**
 * Finds or creates the report of a subject, claims it and locks it. The worker that marks the report ready waits for
 * this transaction and then notifies the request that it adds.
 */
export async function claimReport(
  tx: Tx,
  programId: string,
  id: string,
  { fileType, firstDay, lastDay }: Subject,
  createdAt: Date,
  keepMs: number,
): Promise<ReportRecord> {
  tx.send(
    {
      name: 'insert_report',
      text: `insert into reports (program_id, id, file_type, first_day, last_day, status, created_at)
             values ($1, $2, $3, $4, $5, 'pending', $6)
             on conflict (program_id, file_type, last_day) do nothing`,
    },
    [programId, id, fileType, firstDay, lastDay, createdAt],
  );
  const rows = await tx.query<ReportRecord>(
    {
      name: 'claim_report',
      text: `update reports r set ${claimed('$4')}
             where r.program_id = $1 and r.file_type = $2 and r.last_day = $3
             returning ${columnsWith('r.status')}`,
    },
    [programId, fileType, lastDay, keepMs],
  );
  return rows[0] as ReportRecord;
}

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

/** The report of a request, and whether its file expires within an hour. */
export async function findReportOfRequest(
  db: Queryable,
  programId: string,
  requestId: string,
): Promise<(ReportRecord & { fading: boolean }) | undefined> {
  const rows = await db.query<ReportRecord & { fading: boolean }>(
    {
      name: 'find_report_of_request',
      text: `select ${REPORT_COLUMNS}, coalesce(r.kept_until < clock_timestamp() + interval '1 hour', false) as fading
             from report_requests q join reports r on r.program_id = $1 and r.id = q.report_id
             where q.program_id = $1 and q.id = $2`,
    },
    [programId, requestId],
  );
  return rows[0];
}

/** Locks the report of a request. Its file is stored for longer, or generated again if it has expired. */
export async function claimReportOfRequest(
  tx: Tx,
  programId: string,
  requestId: string,
  keepMs: number,
): Promise<ReportRecord | undefined> {
  const rows = await tx.query<ReportRecord>(
    {
      name: 'claim_report_of_request',
      text: `update reports r set ${claimed('$3')}
             where r.program_id = $1
               and r.id = (select q.report_id from report_requests q where q.program_id = $1 and q.id = $2)
             returning ${columnsWith('r.status')}`,
    },
    [programId, requestId, keepMs],
  );
  return rows[0];
}

/** Marks a report whose file is lost as pending, unless it has a new file by now. */
export async function reopenReport(
  db: Queryable,
  { programId, id, storageKey }: ReportRecord,
): Promise<void> {
  await db.query(
    `update reports r set status = 'pending'
     where r.program_id = $1 and r.id = $2 and r.storage_key = $3 and r.status <> 'pending'`,
    [programId, id, storageKey],
  );
}

/** Finds a report by its id alone, because a link does not name the program. */
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

/** Marks the requests that have not been notified as notified, and returns their ids. */
export async function notifyRequests(tx: Tx, programId: string, reportId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `update report_requests set notified = true
     where program_id = $1 and report_id = $2 and not notified returning id`,
    [programId, reportId],
  );
  return rows.map(({ id }) => id).sort();
}

const IS_FREE = `r.status = 'pending' and (r.leased_until is null or r.leased_until <= statement_timestamp())`;

/**
 * Reports that wait for a worker: the longest waiting one of each program. The program that was served longest ago
 * comes first. A program with a report that is leased, or paused after a failure, comes last. With `programId`, only that
 * program's.
 */
export const listFreeReports = (db: Queryable, limit: number, programId?: string): Promise<ReportRecord[]> =>
  db.query<ReportRecord>(
    {
      name: `list_free_reports${programId ? '_of_one' : ''}`,
      text: `select ${REPORT_COLUMNS}
             from (select distinct on (r.program_id) r.* from reports r
                   where ${programId ? 'r.program_id = $2 and' : ''} ${IS_FREE}
                   order by r.program_id, r.leased_until nulls first, r.id) r
             order by (select max(greatest(o.produced_at, o.leased_until)) from reports o
                       where o.program_id = ${programId ? '$2' : 'r.program_id'}) nulls first, r.id limit $1`,
    },
    [limit, ...(programId ? [programId] : [])],
  );

/** The report of each program that failed most often, of those that failed at least so often: of all programs, or of the given one. */
export const listFailingReports = (
  db: Queryable,
  leastAttempts: number,
  programId?: string,
): Promise<ReportRecord[]> =>
  db.query<ReportRecord>(
    {
      name: `list_failing_reports${programId ? '_of_one' : ''}`,
      text: `select distinct on (r.program_id) ${REPORT_COLUMNS} from reports r
             where ${programId ? 'r.program_id = $2 and' : ''} r.status = 'pending' and r.attempts >= $1
             order by r.program_id, r.attempts desc, r.id`,
    },
    [leastAttempts, ...(programId ? [programId] : [])],
  );

export async function countOpenReports(tx: Tx, programId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    {
      name: 'count_open_reports',
      text: `select count(*)::int as count from reports where program_id = $1 and status = 'pending'`,
    },
    [programId],
  );
  return (rows[0] as { count: number }).count;
}

/** Leases a report. False if another worker leased it first. */
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
             set leased_until = statement_timestamp() + $4::float8 * interval '1 ms', storage_key = $3
             where r.program_id = $1 and r.id = $2 and ${IS_FREE} returning r.id`,
    },
    [programId, id, storageKey, leaseMs],
  );
  return rows.length === 1;
}

/** Extends the lease. With `failed`, sets the pause before the next attempt. False if another worker has the lease. */
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
             set leased_until = statement_timestamp() + $4::float8 * interval '1 ms', attempts = r.attempts + $5::int
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

/** Succeeds only under the lease and with the same bytes as the first time. */
export async function updateReady(
  tx: Tx,
  { programId, id }: ReportRecord,
  storageKey: string,
  { rowCount, bytes, sha256 }: Produced,
  keepMs: number,
): Promise<boolean> {
  const rows = await tx.query(
    `update reports r
     set status = 'ready', leased_until = null, attempts = 0, row_count = $4, bytes = $5, sha256 = $6,
         produced_at = statement_timestamp(), kept_until = statement_timestamp() + $7::float8 * interval '1 ms'
     where r.program_id = $1 and r.id = $2 and r.status = 'pending' and r.storage_key = $3
       and coalesce(r.sha256, $6) = $6 returning r.id`,
    [programId, id, storageKey, rowCount, bytes, sha256, keepMs],
  );
  return rows.length === 1;
}

/** Files past their retention, or whose removal was interrupted. */
export const listStaleFiles = (db: Queryable, limit: number): Promise<ReportRecord[]> =>
  db.query<ReportRecord>(
    `select ${REPORT_COLUMNS} from reports r
     where r.kept_until <= statement_timestamp() and r.status <> 'pending' order by r.kept_until limit $1`,
    [limit],
  );

/**
 * From now on no link leads to the file. False if the file was requested meanwhile. The report becomes stale again
 * after an hour, in case the removal fails.
 */
export async function expireReport(db: Queryable, { programId, id }: ReportRecord): Promise<boolean> {
  const rows = await db.query(
    `update reports r set status = 'expired', kept_until = statement_timestamp() + interval '1 hour'
     where r.program_id = $1 and r.id = $2 and r.status <> 'pending' and r.kept_until <= statement_timestamp()
     returning r.id`,
    [programId, id],
  );
  return rows.length === 1;
}

export async function forgetFile(db: Queryable, { programId, id, storageKey }: ReportRecord): Promise<void> {
  await db.query(
    `update reports r set kept_until = null
     where r.program_id = $1 and r.id = $2 and r.storage_key = $3 and r.status = 'expired'`,
    [programId, id, storageKey],
  );
}

export interface ReportRequestRow {
  id: string;
  fileType: FileType;
  firstDay: string;
  lastDay: string;
  status: 'pending' | 'ready' | 'expired';
  rowCount: bigint | null;
  bytes: bigint | null;
  createdAt: Date;
}

/** Requests below an id, newest first, each with its report. */
export const listRequestsBelow = (
  db: Queryable,
  programId: string,
  belowId: string,
  limit: number,
): Promise<ReportRequestRow[]> =>
  db.query<ReportRequestRow>(
    {
      name: 'list_report_requests_below',
      text: `select q.id, r.file_type, r.first_day, r.last_day, ${STATUS}, r.row_count, r.bytes, q.created_at
             from (select * from report_requests where program_id = $1 and id < $2 order by id desc limit $3) q
             cross join lateral (
               select * from reports where program_id = $1 and id = q.report_id limit 1) r
             order by q.id desc`,
    },
    [programId, belowId, limit],
  );
