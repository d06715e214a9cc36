import type { Queryable, Tx } from '../db/database.ts';
import { parametersOf, valuesOf } from '../db/row.ts';
import type { Operator } from './operator.ts';

/** An operator with the stored passwords and the seal of the row. */
export interface OperatorRow extends Operator {
  password: string;
  /** Earlier passwords, newest first. */
  formerPasswords: string[];
  rightsSeal: Buffer;
}

const COLUMNS = `
  o.id, o.email, o.name, o.role, o.program_id, o.password, o.rights_seal, o.created_at, o.password_changed_at,
  o.disabled_at, o.must_change_password, o.former_passwords, o.second_factor_id, o.last_signed_in_at,
  o.openid_issuer, o.openid_subject, o.password <> '' as has_password`;

const INSERTED = `id, email, name, role, program_id, password, rights_seal, created_at, password_changed_at, must_change_password,
  openid_issuer, openid_subject`;

export async function insertOperator(tx: Tx, operator: OperatorRow): Promise<boolean> {
  const rows = await tx.query(
    `insert into operators (${INSERTED}) values (${parametersOf(INSERTED)})
     on conflict do nothing returning id`,
    valuesOf(INSERTED, { ...operator, passwordChangedAt: operator.createdAt }),
  );
  return rows.length === 1;
}

const UPDATED = `name, role, program_id, password, rights_seal, password_changed_at, disabled_at, must_change_password,
  former_passwords, second_factor_id, openid_issuer, openid_subject`;

export async function updateOperator(tx: Tx, operator: OperatorRow): Promise<void> {
  await tx.query(`update operators set (${UPDATED}) = (${parametersOf(UPDATED, 2)}) where id = $1`, [
    operator.id,
    ...valuesOf(UPDATED, operator),
  ]);
}

export const listOperators = (db: Queryable): Promise<OperatorRow[]> =>
  db.query<OperatorRow>(`select ${COLUMNS} from operators o order by o.id`);

/** The operators of one program, or all of them for null, by name. */
export const listPeople = (db: Queryable, programId: string | null, limit: number): Promise<OperatorRow[]> =>
  db.query<OperatorRow>(
    `select ${COLUMNS} from operators o
     where $1::uuid is null or o.program_id = $1 order by lower(o.name), o.id limit $2`,
    [programId, limit],
  );

/** Locks the enabled administrators of all programs, in one order, so that two of them cannot disable each other. */
export async function lockAdministrators(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from operators
     where role = 'admin' and program_id is null and disabled_at is null order by id for update`,
  );
  return rows.map(({ id }) => id);
}

export const findOperators = (db: Queryable, ids: readonly string[]): Promise<OperatorRow[]> =>
  db.query<OperatorRow>(`select ${COLUMNS} from operators o where o.id = any ($1::uuid[])`, [ids]);

export async function findOperatorByEmail(db: Queryable, email: string): Promise<OperatorRow | undefined> {
  const rows = await db.query<OperatorRow>(`select ${COLUMNS} from operators o where o.email = $1`, [email]);
  return rows[0];
}

export async function findOperatorBySubject(
  db: Queryable,
  issuer: string,
  subject: string,
): Promise<OperatorRow | undefined> {
  const rows = await db.query<OperatorRow>(
    `select ${COLUMNS} from operators o where o.openid_issuer = $1 and o.openid_subject = $2`,
    [issuer, subject],
  );
  return rows[0];
}

export async function lockOperator(tx: Tx, id: string): Promise<OperatorRow | undefined> {
  const rows = await tx.query<OperatorRow>(`select ${COLUMNS} from operators o where o.id = $1 for update`, [
    id,
  ]);
  return rows[0];
}

export interface NewSession {
  id: string;
  tokenHash: Buffer;
  operatorId: string;
  device: string;
  address: string | null;
}

/** Also stores the time as the operator's last sign-in. */
export async function insertSession(
  tx: Tx,
  { id, tokenHash, operatorId, device, address }: NewSession,
  lifeMs: number,
): Promise<Date> {
  const rows = await tx.query<{ expiresAt: Date }>(
    `with signed_in as (update operators set last_signed_in_at = clock_timestamp() where id = $2)
     insert into operator_sessions
       (token_hash, operator_id, id, device, address, created_at, last_seen_at, expires_at)
     select $1, $2, $4, $5, $6, t, t, t + $3 * interval '1 ms' from clock_timestamp() t
     returning expires_at`,
    [tokenHash, operatorId, lifeMs, id, device, address],
  );
  return (rows[0] as { expiresAt: Date }).expiresAt;
}

export interface SessionRow extends OperatorRow {
  tokenHash: Buffer;
  expiresAt: Date;
  lastSeenAt: Date;
  /** The time of the database's clock, which all processes share. */
  databaseMs: number;
}

/** A session that is valid now, with its operator. */
export async function findSession(
  db: Queryable,
  tokenHashes: readonly Buffer[],
  idleMs: number,
): Promise<SessionRow | undefined> {
  const rows = await db.query<SessionRow>(
    {
      name: 'find_operator_session',
      timeoutMs: 2_000,
      text: `select ${COLUMNS}, s.token_hash, s.expires_at, s.last_seen_at,
                    extract(epoch from clock_timestamp())::float8 * 1000 as database_ms
             from operator_sessions s join operators o on o.id = s.operator_id
             where s.token_hash = any ($1) and s.expires_at > clock_timestamp()
               and s.last_seen_at > clock_timestamp() - $2 * interval '1 ms' and o.disabled_at is null`,
    },
    [tokenHashes, idleMs],
  );
  return rows[0];
}

export async function touchSession(db: Queryable, tokenHash: Buffer): Promise<void> {
  await db.query('update operator_sessions set last_seen_at = clock_timestamp() where token_hash = $1', [
    tokenHash,
  ]);
}

export async function deleteSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.query('delete from operator_sessions where token_hash = $1', [tokenHash]);
}

/** Deletes the sessions of an operator, except one if it is given, or only the one with an id. Returns their number. */
export async function deleteSessionsOf(
  tx: Tx,
  operatorId: string,
  except: Buffer | null,
  only: string | null = null,
): Promise<number> {
  const rows = await tx.query(
    `delete from operator_sessions
     where operator_id = $1 and ($2::bytea is null or token_hash <> $2) and ($3::uuid is null or id = $3)
     returning id`,
    [operatorId, except, only],
  );
  return rows.length;
}

export interface ListedSession {
  id: string;
  tokenHash: Buffer;
  device: string;
  address: string | null;
  createdAt: Date;
  lastSeenAt: Date;
}

/** The valid sessions of an operator, the last used first. */
export const listSessions = (
  db: Queryable,
  operatorId: string,
  idleMs: number,
  limit: number,
): Promise<ListedSession[]> =>
  db.query<ListedSession>(
    `select id, token_hash, device, address, created_at, last_seen_at
     from operator_sessions
     where operator_id = $1 and expires_at > clock_timestamp()
       and last_seen_at > clock_timestamp() - $2 * interval '1 ms'
     order by last_seen_at desc limit $3`,
    [operatorId, idleMs, limit],
  );

export async function deleteStaleSessions(db: Queryable, idleMs: number): Promise<void> {
  await db.query(
    `delete from operator_sessions
     where expires_at < statement_timestamp()
        or last_seen_at < statement_timestamp() - $1 * interval '1 ms'`,
    [idleMs],
  );
}

/** Attempts are counted by account and source. */
export interface AttemptKey {
  emailDigest: Buffer;
  sourceDigest: Buffer;
}

/**
 * Counts an attempt before its password is checked, so that concurrent attempts cannot exceed the limit. Undefined if
 * `most` attempts are already counted; the count starts again `lockMs` after the last of them.
 */
export async function countAttempt(
  db: Queryable,
  { emailDigest, sourceDigest }: AttemptKey,
  most: number,
  lockMs: number,
): Promise<number | undefined> {
  const rows = await db.query<{ failures: number }>(
    `insert into sign_in_attempts as a (email_digest, source_digest, failures, tried_at)
     values ($1, $2, 1, clock_timestamp())
     on conflict (email_digest, source_digest) do update
       set failures = case when a.tried_at > clock_timestamp() - $4 * interval '1 ms'
                           then a.failures + 1 else 1 end,
           tried_at = clock_timestamp()
       where a.failures < $3 or a.tried_at <= clock_timestamp() - $4 * interval '1 ms'
     returning failures`,
    [emailDigest, sourceDigest, most, lockMs],
  );
  return rows[0]?.failures;
}

/** Removes one attempt from the count, because it was not a guess. */
export async function uncountAttempt(
  db: Queryable,
  { emailDigest, sourceDigest }: AttemptKey,
): Promise<void> {
  await db.query(
    `update sign_in_attempts set failures = failures - 1
     where email_digest = $1 and source_digest = $2 and failures > 0`,
    [emailDigest, sourceDigest],
  );
}

/** The number of sources with failures for an account within `withinMs`, counted up to `most`. */
export async function countSources(
  db: Queryable,
  emailDigest: Buffer,
  withinMs: number,
  most: number,
): Promise<number> {
  const rows = await db.query<{ sources: number }>(
    `select count(*)::int as sources
     from (select from sign_in_attempts
           where email_digest = $1 and failures > 0
             and tried_at > clock_timestamp() - $2 * interval '1 ms'
           limit $3) s`,
    [emailDigest, withinMs, most],
  );
  return rows[0]?.sources ?? 0;
}

/** The number of seconds until attempts are accepted again. */
export async function findLock(
  db: Queryable,
  { emailDigest, sourceDigest }: AttemptKey,
  lockMs: number,
): Promise<number | undefined> {
  const rows = await db.query<{ seconds: number }>(
    `select ceil(extract(epoch from tried_at + $3 * interval '1 ms' - clock_timestamp()))::int as seconds
     from sign_in_attempts
     where email_digest = $1 and source_digest = $2
       and tried_at > clock_timestamp() - $3 * interval '1 ms'`,
    [emailDigest, sourceDigest, lockMs],
  );
  return rows[0]?.seconds;
}

export async function forgetAttempts(
  db: Queryable,
  { emailDigest, sourceDigest }: AttemptKey,
): Promise<void> {
  await db.query('delete from sign_in_attempts where email_digest = $1 and source_digest = $2', [
    emailDigest,
    sourceDigest,
  ]);
}

export async function forgetAllAttempts(db: Queryable, emailDigest: Buffer): Promise<boolean> {
  const rows = await db.query('delete from sign_in_attempts where email_digest = $1 returning failures', [
    emailDigest,
  ]);
  return rows.length > 0;
}

export async function deleteStaleAttempts(db: Queryable, keepMs: number): Promise<void> {
  await db.query(
    `delete from sign_in_attempts where tried_at < statement_timestamp() - $1 * interval '1 ms'`,
    [keepMs],
  );
}

/** Stores the time step of a code. False if it is not later than the step of every code accepted before. */
export async function takeStep(db: Queryable, operatorId: string, step: number): Promise<boolean> {
  const rows = await db.query(
    `update operators set second_factor_step = $2
     where id = $1 and second_factor_step < $2 returning id`,
    [operatorId, step],
  );
  return rows.length === 1;
}

export async function insertRecoveryCodes(
  tx: Tx,
  operatorId: string,
  digests: readonly Buffer[],
): Promise<void> {
  await tx.query(
    `insert into operator_recovery_codes (operator_id, code_digest)
     select $1, unnest($2::bytea[])`,
    [operatorId, digests],
  );
}

export async function deleteRecoveryCode(
  tx: Tx,
  operatorId: string,
  codeDigests: readonly Buffer[],
): Promise<boolean> {
  const rows = await tx.query(
    `delete from operator_recovery_codes
     where operator_id = $1 and code_digest = any ($2) returning operator_id`,
    [operatorId, codeDigests],
  );
  return rows.length === 1;
}

export async function deleteRecoveryCodes(tx: Tx, operatorId: string): Promise<void> {
  await tx.query('delete from operator_recovery_codes where operator_id = $1', [operatorId]);
}

export async function countRecoveryCodes(db: Queryable, operatorId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'select count(*)::int as count from operator_recovery_codes where operator_id = $1',
    [operatorId],
  );
  return rows[0]?.count ?? 0;
}
