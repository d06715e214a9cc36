import type { Queryable } from '../db/database.ts';
import type { Due } from './job.ts';

/**
 * Jobs whose work is due at a time that no other row has: it follows from the program's clock, terms and cursors. Every
 * program has a row for each, from its creation on.
 */
export const PROGRAM_JOBS = [
  'hold-expiry',
  'maintenance-fees',
  'card-expiry',
  'hourly-totals',
  'list-milestones',
  'audit-verification',
  'removed-endpoints',
  'card-batches',
  'rule-velocities',
  'rule-backtests',
  'clearing-files',
] as const;
export type ProgramJobName = (typeof PROGRAM_JOBS)[number];

/** A row is looked at this often at least, whatever its time says: an error in a time cannot outlast it. */
const LATEST = "interval '1 day'";

const IS_FREE = `due_at <= statement_timestamp() and (leased_until is null or leased_until <= statement_timestamp())`;

/** Programs in which a job is due and no worker has its turn, the longest due first: all, or the given one. */
export const listDue = (
  db: Queryable,
  job: ProgramJobName,
  limit: number,
  programId?: string,
): Promise<Due[]> =>
  db.query<Due & Record<string, unknown>>(
    {
      name: `list_due_programs${programId ? '_of_one' : ''}`,
      text: `select program_id as "programId",
                    extract(epoch from statement_timestamp() - due_at)::float8 * 1000 as "ageMs"
             from program_jobs
             where ${programId ? 'program_id = $3 and' : ''} job = $1 and ${IS_FREE} order by due_at limit $2`,
    },
    [job, limit, ...(programId ? [programId] : [])],
  );

export interface Lease {
  /** Exactly as PostgreSQL writes it, because it identifies the lease. */
  leasedUntil: string;
  /** The start of the lease. */
  nowMs: number;
}

/** Leases a due row. Undefined if it is not due any more, or another worker was first. */
export async function leaseJob(
  db: Queryable,
  programId: string,
  job: ProgramJobName,
  leaseMs: number,
): Promise<Lease | undefined> {
  const rows = await db.query<Lease & Record<string, unknown>>(
    {
      name: 'lease_program_job',
      locks: true,
      text: `update program_jobs j set leased_until = lease.ends_at
             from (select statement_timestamp() as starts_at,
                          statement_timestamp() + $3::float8 * interval '1 ms' as ends_at) lease
             where j.program_id = $1 and j.job = any (array(
               select job from program_jobs where program_id = $1 and job = $2 and ${IS_FREE}
               for update skip locked))
             returning j.leased_until::text as "leasedUntil", extract(epoch from lease.starts_at)::float8 * 1000 as "nowMs"`,
    },
    [programId, job, leaseMs],
  );
  return rows[0];
}

/** Ends a turn: the job is due again at a real time. Changes nothing if it has become due meanwhile, or the lease is lost. */
export async function scheduleJob(
  db: Queryable,
  programId: string,
  job: ProgramJobName,
  { leasedUntil }: Lease,
  dueMs: number,
): Promise<void> {
  await db.query(
    {
      name: 'schedule_program_job',
      text: `update program_jobs j set due_at = least(to_timestamp($4::float8 / 1000), latest.at), leased_until = null
             from (select statement_timestamp() + ${LATEST} as at) latest
             where j.program_id = $1 and j.job = $2 and j.leased_until = $3::timestamptz`,
    },
    [programId, job, leasedUntil, dueMs],
  );
}

/**
 * Makes jobs of a program due, by default at once. In the transaction that changes when they have work: a turn that began
 * before its commit does not know the change, so its end does not count.
 */
export async function makeDue(
  tx: Queryable,
  programId: string,
  jobs: readonly ProgramJobName[] = PROGRAM_JOBS,
  inMs = 0,
): Promise<void> {
  await tx.query(
    {
      name: 'make_program_jobs_due',
      text: `insert into program_jobs as known (program_id, job, due_at)
             select $1, job, statement_timestamp() + $3::float8 * interval '1 ms' from unnest($2::text[]) as wanted (job)
             on conflict (program_id, job) do update
             set due_at = least(known.due_at, excluded.due_at), leased_until = null`,
    },
    [programId, jobs, inMs],
  );
}

/**
 * Adds the rows that programs lack, because an earlier version of the server created them, and brings back those that lie
 * further ahead than a turn ever sets: the clock of the database went back.
 */
export async function repairJobs(
  db: Queryable,
  programIds: readonly string[],
  jobs: readonly ProgramJobName[] = PROGRAM_JOBS,
): Promise<void> {
  await db.query(
    `insert into program_jobs as known (program_id, job, due_at)
     select program_id, job, statement_timestamp()
     from unnest($1::uuid[]) as program (program_id) cross join unnest($2::text[]) as wanted (job)
     on conflict (program_id, job) do update set due_at = excluded.due_at, leased_until = null
     where known.due_at > excluded.due_at + ${LATEST} or known.leased_until > excluded.due_at + ${LATEST}`,
    [programIds, jobs],
  );
}
