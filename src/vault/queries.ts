import { bytesColumn, column, unnested } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { Fingerprint } from './card-number.ts';
import type { Purpose } from './seal.ts';

/** A live key. */
export interface KeyRow {
  id: number;
  purpose: Purpose;
  masterKeyId: string;
  wrapped: Buffer;
  createdAt: Date;
  resealedAt: Date | null;
  retiredAt: null;
}

/** A destroyed key: the row without the key material. */
export type RetiredKeyRow = Omit<KeyRow, 'wrapped' | 'retiredAt'> & { wrapped: null; retiredAt: Date };

const KEY_COLUMNS = 'id, purpose, master_key_id, wrapped, created_at, resealed_at, retired_at';

/** The live keys, with their age by the database's clock. */
export const findKeys = (db: Queryable, timeoutMs = 15_000): Promise<Array<KeyRow & { ageMs: number }>> =>
  db.query({
    timeoutMs,
    onCoordinator: 'reads',
    text: `select ${KEY_COLUMNS}, extract(epoch from clock_timestamp() - created_at)::float8 * 1000 as age_ms
           from vault_keys where retired_at is null order by id`,
  });

/** All keys, including destroyed ones. */
export const findAllKeys = (db: Queryable): Promise<Array<KeyRow | RetiredKeyRow>> =>
  db.query<KeyRow | RetiredKeyRow>(`select ${KEY_COLUMNS} from vault_keys order by id`);

/** Live keys of a purpose that were replaced at least this long ago, by the database's clock. */
export const findKeysReplacedFor = (
  db: Queryable,
  purpose: Purpose,
  milliseconds: number,
): Promise<Array<{ id: number }>> =>
  db.query(
    `select id from (select id, lead(created_at) over (order by id) as replaced_at
                     from vault_keys where purpose = $1 and retired_at is null) key
     where replaced_at <= clock_timestamp() - make_interval(secs => $2::float8 / 1000)
     order by id`,
    [purpose, milliseconds],
  );

export async function lockKeys(tx: Tx): Promise<void> {
  await tx.query('lock table vault_keys in exclusive mode');
}

export async function insertKey(
  tx: Queryable,
  key: { id: number; purpose: Purpose; masterKeyId: string; wrapped: Buffer },
): Promise<void> {
  await tx.query(
    `insert into vault_keys (id, purpose, master_key_id, wrapped, created_at)
     values ($1, $2, $3, $4, clock_timestamp())`,
    [key.id, key.purpose, key.masterKeyId, key.wrapped],
  );
}

export async function updateKeyWrapping(
  tx: Tx,
  id: number,
  masterKeyId: string,
  wrapped: Buffer,
): Promise<void> {
  await tx.query('update vault_keys set master_key_id = $2, wrapped = $3 where id = $1', [
    id,
    masterKeyId,
    wrapped,
  ]);
}

export async function updateKeyResealed(db: Queryable, id: number): Promise<void> {
  await db.query('update vault_keys set resealed_at = clock_timestamp() where id = $1', [id]);
}

/** Destroys the material of live keys. The rows stay, so that ids are never reused. */
export const retireLiveKeys = (db: Queryable, ids: readonly number[]): Promise<Array<{ id: number }>> =>
  db.query(
    `update vault_keys set wrapped = null, retired_at = clock_timestamp()
     where id = any ($1) and retired_at is null returning id`,
    [ids],
  );

/** Inserts fingerprints of one program's numbers and returns the new ones. */
export const insertFingerprints = (
  tx: Tx,
  programId: string,
  rows: readonly Fingerprint[],
): Promise<Array<{ fingerprint: Buffer }>> =>
  tx.query(
    {
      name: 'insert_fingerprints',
      text: `insert into card_fingerprints (program_id, fingerprint, card_id, number_id, seal)
             select $1, ${unnested(2, 'bytea uuid uuid bytea')}
             on conflict do nothing returning fingerprint`,
    },
    [
      programId,
      bytesColumn(rows.map(({ fingerprint }) => fingerprint)),
      column(rows.map(({ cardId }) => cardId)),
      column(rows.map(({ numberId }) => numberId)),
      bytesColumn(rows.map(({ seal }) => seal)),
    ],
  );

export async function deleteFingerprints(tx: Tx, fingerprints: readonly Buffer[]): Promise<void> {
  await tx.query('delete from card_fingerprints where fingerprint = any ($1)', [fingerprints]);
}

/** Deletes some of a key's fingerprints and returns how many. */
export async function deleteFingerprintsOfKey(
  db: Queryable,
  { from, to }: { from: Buffer; to: Buffer },
  limit: number,
): Promise<number> {
  const rows = await db.query(
    `delete from card_fingerprints where fingerprint in (
       select fingerprint from card_fingerprints
       where fingerprint >= $1 and fingerprint < $2 order by fingerprint limit $3)
     returning number_id`,
    [from, to, limit],
  );
  return rows.length;
}

/** Destroyed keys of a purpose, and how long ago. */
export const findRetiredKeys = (
  db: Queryable,
  purpose: Purpose,
): Promise<Array<{ id: number; retiredForMs: number }>> =>
  db.query(
    `select id, extract(epoch from clock_timestamp() - retired_at)::float8 * 1000 as retired_for_ms
     from vault_keys where purpose = $1 and retired_at is not null order by id`,
    [purpose],
  );

export const findFingerprints = (db: Queryable, fingerprints: readonly Buffer[]): Promise<Fingerprint[]> =>
  db.query<Fingerprint>(
    {
      name: 'find_fingerprints',
      timeoutMs: 2_000,
      // A subquery hides the number of fingerprints from the planner, which would plan again for each list. With the outer
      // cast it is an array and not a set of rows.
      text: `select fingerprint, program_id, card_id, number_id, seal
             from card_fingerprints where fingerprint = any ((select $1::bytea[])::bytea[])`,
    },
    [bytesColumn(fingerprints)],
  );

export interface RecordRow {
  programId: string;
  ownerId: string;
  kind: string;
  id: string;
  sealed: Buffer;
}

export async function insertRecord(tx: Tx, row: RecordRow): Promise<void> {
  await tx.query(
    {
      name: 'insert_vault_record',
      text: 'insert into vault_records (program_id, owner_id, kind, id, sealed) values ($1, $2, $3, $4, $5)',
    },
    [row.programId, row.ownerId, row.kind, row.id, row.sealed],
  );
}

/** The newest record of each owner. */
export const findNewestRecords = (
  db: Queryable,
  programId: string,
  kind: string,
  ownerIds: readonly string[],
): Promise<RecordRow[]> =>
  db.query<RecordRow>(
    {
      name: 'find_newest_vault_records',
      // One look-up per owner: PostgreSQL before 17 may otherwise read all records of a kind.
      text: `select record.* from (select distinct unnest($3::uuid[]) as id) owner cross join lateral (
               select program_id, owner_id, kind, id, sealed from vault_records
               where program_id = $1 and kind = $2 and owner_id = owner.id order by id desc limit 1) record`,
    },
    [programId, kind, ownerIds],
  );

/** The primary key of a record. */
export type RecordPrimaryKey = Omit<RecordRow, 'sealed'>;

export async function findRecord(db: Queryable, key: RecordPrimaryKey): Promise<Buffer | undefined> {
  const rows = await db.query<{ sealed: Buffer }>(
    {
      name: 'find_vault_record',
      text: `select sealed from vault_records
             where program_id = $1 and owner_id = $2 and kind = $3 and id = $4`,
    },
    [key.programId, key.ownerId, key.kind, key.id],
  );
  return rows[0]?.sealed;
}

/** The next records of all programs, by primary key. */
export const listRecordsAfter = (db: Queryable, key: RecordPrimaryKey, limit: number): Promise<RecordRow[]> =>
  db.query<RecordRow>(
    `select program_id, owner_id, kind, id, sealed from vault_records
     where (program_id, owner_id, kind, id) > ($1, $2, $3, $4)
     order by program_id, owner_id, kind, id limit $5`,
    [key.programId, key.ownerId, key.kind, key.id, limit],
  );

/** Replaces a seal unless it changed meanwhile: false after a concurrent change. */
export async function updateSeal(tx: Tx, row: RecordRow, resealed: Buffer): Promise<boolean> {
  const rows = await tx.query(
    {
      name: 'update_vault_seal',
      text: `update vault_records set sealed = $6
             where program_id = $1 and owner_id = $2 and kind = $3 and id = $4 and sealed = $5 returning id`,
    },
    [row.programId, row.ownerId, row.kind, row.id, row.sealed, resealed],
  );
  return rows.length === 1;
}
