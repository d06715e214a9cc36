import { bytesColumn, column } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { parametersOf, valuesOf } from '../db/row.ts';
import { notFound } from '../kernel/error.ts';
import type { ApiKey, KeyKind, Program, Scope } from './program.ts';

const PROGRAM_COLUMNS = `
  p.id, p.name, p.mode, p.currency, p.bin, p.kyc_provider, p.fx_fee_bps, p.atm_fee_minor, p.interchange_bps,
  p.cash_interchange_bps, p.transaction_cost_minor, p.transaction_cost_bps, p.virtual_issuance_fee_minor, p.physical_issuance_fee_minor,
  p.maintenance_fee_minor, p.enforce_master_balance, p.authorization_mode, p.hold_days, p.long_hold_days,
  p.alert_below_minor, p.alert_sent, p.challenge_above_minor, p.require_authentication_above_minor,
  p.authentication_days, p.over_hold_percent, p.allowed_exemptions, p.support_limit_factor, p.support_limit_days,
  p.second_person_above_minor, p.rules_version, p.rules_guard_percent,
  p.clock_offset_ms::float8, p.clock_moved_at, p.created_at`;

/** The program in a row with further columns. Written out: V8 takes 12 microseconds to leave properties out. */
export const programOf = (row: Program): Program => ({
  id: row.id,
  name: row.name,
  mode: row.mode,
  currency: row.currency,
  bin: row.bin,
  kycProvider: row.kycProvider,
  fxFeeBps: row.fxFeeBps,
  atmFeeMinor: row.atmFeeMinor,
  interchangeBps: row.interchangeBps,
  cashInterchangeBps: row.cashInterchangeBps,
  transactionCostMinor: row.transactionCostMinor,
  transactionCostBps: row.transactionCostBps,
  virtualIssuanceFeeMinor: row.virtualIssuanceFeeMinor,
  physicalIssuanceFeeMinor: row.physicalIssuanceFeeMinor,
  maintenanceFeeMinor: row.maintenanceFeeMinor,
  enforceMasterBalance: row.enforceMasterBalance,
  authorizationMode: row.authorizationMode,
  holdDays: row.holdDays,
  longHoldDays: row.longHoldDays,
  alertBelowMinor: row.alertBelowMinor,
  alertSent: row.alertSent,
  challengeAboveMinor: row.challengeAboveMinor,
  requireAuthenticationAboveMinor: row.requireAuthenticationAboveMinor,
  authenticationDays: row.authenticationDays,
  overHoldPercent: row.overHoldPercent,
  allowedExemptions: row.allowedExemptions,
  supportLimitFactor: row.supportLimitFactor,
  supportLimitDays: row.supportLimitDays,
  secondPersonAboveMinor: row.secondPersonAboveMinor,
  rulesVersion: row.rulesVersion,
  rulesGuardPercent: row.rulesGuardPercent,
  clockOffsetMs: row.clockOffsetMs,
  clockMovedAt: row.clockMovedAt,
  createdAt: row.createdAt,
});

const KEY_COLUMNS = `
  k.id, k.program_id, k.kind, k.name, k.hint, k.scopes, k.created_at, k.expires_at, k.last_used_at, k.revoked_at`;

export const listPrograms = (db: Queryable): Promise<Program[]> =>
  db.query<Program>(`select ${PROGRAM_COLUMNS} from programs p order by p.id`);

export const listProgramIds = async (db: Queryable): Promise<string[]> =>
  (await db.query<{ id: string }>('select id from programs order by id')).map(({ id }) => id);

/** Programs whose balance is below the threshold of their alert: all, or the given one. */
export const listLowPrograms = (
  db: Queryable,
  programId?: string,
): Promise<Array<Pick<Program, 'id' | 'currency' | 'alertBelowMinor'>>> =>
  db.query(
    {
      name: `list_low_programs${programId ? '_of_one' : ''}`,
      text: `select p.id, p.currency, p.alert_below_minor from programs p
             where ${programId ? 'p.id = $1 and' : ''} p.alert_sent`,
    },
    programId ? [programId] : [],
  );

/** Other writers of the program wait; rows that refer to it can still be inserted. */
export async function lockProgram(tx: Tx, id: string): Promise<Program | undefined> {
  const rows = await tx.query<Program>(
    `select ${PROGRAM_COLUMNS} from programs p where p.id = $1 for no key update`,
    [id],
  );
  return rows[0];
}

const INSERTED = 'id, name, mode, currency, bin, kyc_provider, clock_offset_ms, created_at';

export async function insertProgram(tx: Tx, program: Program): Promise<void> {
  await tx.query(
    `insert into programs (${INSERTED}) values (${parametersOf(INSERTED)})`,
    valuesOf(INSERTED, program),
  );
}

const UPDATED = `name, bin, kyc_provider, fx_fee_bps, atm_fee_minor, interchange_bps, cash_interchange_bps, transaction_cost_minor, transaction_cost_bps,
  virtual_issuance_fee_minor, physical_issuance_fee_minor, maintenance_fee_minor, enforce_master_balance, hold_days,
  long_hold_days, alert_below_minor, alert_sent, authorization_mode, challenge_above_minor,
  require_authentication_above_minor, support_limit_factor, support_limit_days, second_person_above_minor,
  authentication_days, over_hold_percent, allowed_exemptions, rules_guard_percent`;

export async function updateProgram(tx: Tx, program: Program): Promise<void> {
  await tx.query(`update programs set (${UPDATED}) = (${parametersOf(UPDATED, 2)}) where id = $1`, [
    program.id,
    ...valuesOf(UPDATED, program),
  ]);
}

/** The current state of the program, with the time of the database's clock. Throws a 404 if there is no such program. */
export async function readProgram(
  db: Queryable,
  id: string,
): Promise<{ program: Program; realNowMs: number }> {
  const [row] = await db.query<Program & { databaseMs: number }>(
    {
      name: 'read_program',
      onCoordinator: 'reads',
      text: `select extract(epoch from clock_timestamp())::float8 * 1000 as database_ms, ${PROGRAM_COLUMNS}
             from programs p where p.id = $1`,
    },
    [id],
  );
  if (!row) throw notFound();
  return { program: programOf(row), realNowMs: row.databaseMs };
}

export function updateAlertSent(tx: Tx, id: string, alertSent: boolean): void {
  tx.send({ onCoordinator: 'writes', text: 'update programs set alert_sent = $2 where id = $1' }, [
    id,
    alertSent,
  ]);
}

/** Raises the number by which every process recognises that the rules of a program have changed, and returns it. */
export async function raiseRulesVersion(tx: Tx, id: string): Promise<bigint> {
  const rows = await tx.query<{ rulesVersion: bigint }>(
    'update programs set rules_version = rules_version + 1 where id = $1 returning rules_version',
    [id],
  );
  return (rows[0] as { rulesVersion: bigint }).rulesVersion;
}

/** Whether another program has the name, in any case. */
export async function isNameTaken(db: Queryable, name: string, exceptId: string): Promise<boolean> {
  const rows = await db.query('select from programs where lower(name) = lower($1) and id <> $2', [
    name,
    exceptId,
  ]);
  return rows.length > 0;
}

export async function updateClock(tx: Tx, id: string, offsetMs: number): Promise<void> {
  await tx.query(
    'update programs set clock_offset_ms = $2, clock_moved_at = clock_timestamp() where id = $1',
    [id, Math.round(offsetMs)],
  );
}

const KEY_INSERTED = `key_hash, id, program_id, kind, name, hint, scopes, created_at, expires_at, rights_seal`;

export async function insertKey(tx: Tx, key: ApiKey, keyHash: Buffer, rightsSeal: Buffer): Promise<void> {
  await tx.query(
    `insert into api_keys (${KEY_INSERTED}) values (${parametersOf(KEY_INSERTED)})`,
    valuesOf(KEY_INSERTED, { ...key, keyHash, rightsSeal }),
  );
}

export const listKeys = (db: Queryable, programId: string): Promise<ApiKey[]> =>
  db.query<ApiKey>(`select ${KEY_COLUMNS} from api_keys k where k.program_id = $1 order by k.id`, [
    programId,
  ]);

/** Keys with one of these scopes created in the last hour, and the time until the oldest no longer counts. */
export async function countKeysWith(
  tx: Tx,
  programId: string,
  scopes: readonly Scope[],
): Promise<{ count: number; secondsLeft: number }> {
  const rows = await tx.query<{ count: number; secondsLeft: number | null }>(
    `select count(*)::int as count,
            ceil(extract(epoch from min(created_at) + interval '1 hour' - clock_timestamp()))::int as seconds_left
     from api_keys
     where program_id = $1 and scopes && $2::text[]
       and created_at > clock_timestamp() - interval '1 hour'`,
    [programId, scopes],
  );
  return { count: rows[0]?.count ?? 0, secondsLeft: Math.max(1, rows[0]?.secondsLeft ?? 1) };
}

/** Finds keys by id, or by hint with or without its ellipsis. */
export const findKeysByIdOrHint = (db: Queryable, text: string): Promise<ApiKey[]> =>
  db.query<ApiKey>(
    `select ${KEY_COLUMNS} from api_keys k
     where k.id::text = $1 or k.hint = $1 or k.hint = '…' || $1 order by k.id`,
    [text],
  );

/** A key with the hash and the seal that prove its rights. */
export type SealedKey = ApiKey & { keyHash: Buffer; rightsSeal: Buffer };

/** A key of the program, if it is neither revoked nor expired. */
export async function findValidKey(
  db: Queryable,
  programId: string,
  id: string,
): Promise<SealedKey | undefined> {
  const rows = await db.query<SealedKey>(
    {
      name: 'find_valid_key',
      text: `select ${KEY_COLUMNS}, k.key_hash, k.rights_seal
             from api_keys k
             where k.program_id = $1 and k.id = $2 and k.revoked_at is null
               and (k.expires_at is null or k.expires_at > clock_timestamp())`,
    },
    [programId, id],
  );
  return rows[0];
}

export async function lockKey(tx: Tx, id: string): Promise<SealedKey | undefined> {
  const rows = await tx.query<SealedKey>(
    `select ${KEY_COLUMNS}, k.key_hash, k.rights_seal
     from api_keys k where k.id = $1 for update`,
    [id],
  );
  return rows[0];
}

/** Brings an expiry forward but never postpones it. */
export async function updateKeyExpiry(tx: Tx, id: string, expiresAt: Date): Promise<void> {
  await tx.query('update api_keys set expires_at = least(expires_at, $2) where id = $1', [id, expiresAt]);
}

export async function revokeKeyRow(tx: Tx, id: string): Promise<Date> {
  const rows = await tx.query<{ at: Date }>(
    'update api_keys set revoked_at = clock_timestamp() where id = $1 returning revoked_at as at',
    [id],
  );
  return (rows[0] as { at: Date }).at;
}

export async function updateLastUsed(db: Queryable, id: string): Promise<void> {
  await db.query(
    `update api_keys set last_used_at = clock_timestamp()
     where id = $1 and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute')`,
    [id],
  );
}

/** Changes nothing if another process has already replaced the old hash. */
export async function updateKeyHash(
  db: Queryable,
  id: string,
  oldHash: Buffer,
  { hash, seal }: { hash: Buffer; seal: Buffer },
): Promise<void> {
  await db.query('update api_keys set key_hash = $3, rights_seal = $4 where id = $1 and key_hash = $2', [
    id,
    oldHash,
    hash,
    seal,
  ]);
}

/** Valid keys that were hashed with a given key of the vault. */
export const listKeysHashedWith = (
  db: Queryable,
  { from, to }: { from: Buffer; to: Buffer },
): Promise<ApiKey[]> =>
  db.query<ApiKey>(
    `select ${KEY_COLUMNS} from api_keys k
     where k.key_hash >= $1 and k.key_hash < $2 and k.revoked_at is null
       and (k.expires_at is null or k.expires_at > clock_timestamp())
     order by k.id`,
    [from, to],
  );

export interface KeyRow extends Program {
  keyHash: Buffer;
  /** The reason why the key is invalid; null if it is valid now. */
  refusal: 'revoked' | 'expired' | null;
  keyId: string;
  scopes: readonly Scope[];
  rightsSeal: Buffer;
  /** The time of the database's clock, which all processes share. */
  databaseMs: number;
}

/** The current rows of keys of this kind with these hashes, with their programs. */
export const findKeys = (db: Queryable, kind: KeyKind, hashes: readonly Buffer[]): Promise<KeyRow[]> =>
  db.query<KeyRow>(
    {
      name: 'find_keys',
      // A request must not wait long for an unresponsive database.
      timeoutMs: 2_000,
      text: `select case when k.revoked_at is not null then 'revoked'
                         when k.expires_at <= clock_timestamp() then 'expired' end as refusal,
                    k.key_hash, k.id as key_id, k.scopes, k.rights_seal,
                    extract(epoch from clock_timestamp())::float8 * 1000 as database_ms, ${PROGRAM_COLUMNS}
             from api_keys k join programs p on p.id = k.program_id
             where k.key_hash = any ($2) and k.kind = $1`,
    },
    [kind, bytesColumn(hashes)],
  );

/** The hashes of all valid keys of this kind. */
export async function listKeyHashes(db: Queryable, kind: KeyKind): Promise<Buffer[]> {
  const rows = await db.query<{ hash: Buffer }>(
    {
      name: 'list_key_hashes',
      timeoutMs: 2_000,
      text: `select key_hash as hash from api_keys where kind = $1 and revoked_at is null
               and (expires_at is null or expires_at > clock_timestamp())`,
    },
    [kind],
  );
  return rows.map(({ hash }) => hash);
}

export async function findKeyNames(
  db: Queryable,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; name: string }>(
    {
      name: 'find_key_names',
      text: 'select id, name from api_keys where program_id = $1 and id = any ($2::uuid[])',
    },
    [programId, column(ids)],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Processes that start together take turns, and only the first one finds no program. The table is locked only while it
 * is empty, because the lock would delay the creation of cards.
 */
export async function isFirstStart(tx: Tx): Promise<boolean> {
  const anyProgram = { text: 'select from programs limit 1' };
  if ((await tx.query(anyProgram)).length > 0) return false;
  await tx.query('lock table programs in exclusive mode');
  return (await tx.query(anyProgram)).length === 0;
}
