import type { Queryable, Tx } from '../db/database.ts';
import type { Purpose } from './seal.ts';

export interface KeyRow {
  id: number;
  purpose: Purpose;
  master_key_id: string;
  wrapped: Buffer;
  created_at: Date;
}

/** Live keys, or with `retired` all that ever were (without their material). */
export const findKeys = (db: Queryable, options: { retired?: boolean } = {}): Promise<KeyRow[]> =>
  db.query<KeyRow>({
    text: `select id, purpose, master_key_id, wrapped, created_at from vault_keys
           ${options.retired ? '' : 'where retired_at is null'} order by id`,
  });

/** All keys with the number of records under each. Reads every record's first bytes: not for a busy path. */
export const findKeysWithUse = (
  db: Queryable,
): Promise<Array<KeyRow & { retired_at: Date | null; records: number }>> =>
  db.query({
    text: `select k.id, k.purpose, k.master_key_id, k.wrapped, k.created_at, k.retired_at,
                  coalesce(u.records, 0)::int as records
           from vault_keys k
           left join (select substring(sealed from 1 for 4) as key_id, count(*) as records
                      from vault_records group by 1) u on u.key_id = int4send(k.id)
           order by k.id`,
  });

export async function lockKeys(tx: Tx): Promise<void> {
  await tx.query({ text: 'lock table vault_keys in exclusive mode' });
}

export async function insertKey(
  tx: Queryable,
  key: { id: number; purpose: Purpose; masterKeyId: string; wrapped: Buffer },
): Promise<void> {
  await tx.query(
    {
      text: `insert into vault_keys (id, purpose, master_key_id, wrapped, created_at)
             values ($1, $2, $3, $4, clock_timestamp())`,
    },
    [key.id, key.purpose, key.masterKeyId, key.wrapped],
  );
}

export async function updateKeyWrapping(
  tx: Tx,
  id: number,
  masterKeyId: string,
  wrapped: Buffer,
): Promise<void> {
  await tx.query({ text: 'update vault_keys set master_key_id = $2, wrapped = $3 where id = $1' }, [
    id,
    masterKeyId,
    wrapped,
  ]);
}

/** Destroys the key's material; the row stays so that its id is never given again. */
export async function retireKey(tx: Tx, id: number): Promise<void> {
  await tx.query(
    { text: 'update vault_keys set wrapped = null, retired_at = clock_timestamp() where id = $1' },
    [id],
  );
}

/** False when the number was used before, by any program. */
export async function insertFingerprint(
  tx: Tx,
  row: { fingerprint: Buffer; programId: string; cardId: string; numberId: string },
): Promise<boolean> {
  const rows = await tx.query(
    {
      name: 'insert_fingerprint',
      text: `insert into card_fingerprints (fingerprint, program_id, card_id, number_id)
             values ($1, $2, $3, $4) on conflict do nothing returning number_id`,
    },
    [row.fingerprint, row.programId, row.cardId, row.numberId],
  );
  return rows.length === 1;
}

export interface RecordRow {
  program_id: string;
  owner_id: string;
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
    [row.program_id, row.owner_id, row.kind, row.id, row.sealed],
  );
}

export const findRecords = (
  db: Queryable,
  programId: string,
  kind: string,
  ownerIds: readonly string[],
): Promise<RecordRow[]> =>
  db.query<RecordRow>(
    {
      name: 'find_vault_records',
      text: `select program_id, owner_id, kind, id, sealed from vault_records
             where program_id = $1 and kind = $2 and owner_id = any ($3)`,
    },
    [programId, kind, ownerIds],
  );

const RECORD_NOT_UNDER = "substring(sealed from 1 for 4) <> $1 and (kind = 'number') = $2";

/** The next records in key order that are not yet sealed under the given key. */
export const listRecordsNotUnder = (
  db: Queryable,
  keyId: Buffer,
  numbers: boolean,
  after: RecordRow | undefined,
  limit: number,
): Promise<RecordRow[]> =>
  db.query<RecordRow>(
    {
      text: `select program_id, owner_id, kind, id, sealed from vault_records
             where ${RECORD_NOT_UNDER}
               and ($3::uuid is null or (program_id, owner_id, kind, id) > ($3, $4::uuid, $5::text, $6::uuid))
             order by program_id, owner_id, kind, id limit $7`,
    },
    [
      keyId,
      numbers,
      after?.program_id ?? null,
      after?.owner_id ?? null,
      after?.kind ?? null,
      after?.id ?? null,
      limit,
    ],
  );

/** Writes the new seal only where the old one still stands: a concurrent change wins. */
export async function updateSeal(tx: Tx, row: RecordRow, resealed: Buffer): Promise<void> {
  await tx.query(
    {
      name: 'update_vault_seal',
      text: `update vault_records set sealed = $6
             where program_id = $1 and owner_id = $2 and kind = $3 and id = $4 and sealed = $5`,
    },
    [row.program_id, row.owner_id, row.kind, row.id, row.sealed, resealed],
  );
}

export async function isKeyInUse(db: Queryable, keyId: Buffer): Promise<boolean> {
  const rows = await db.query(
    { text: 'select from vault_records where substring(sealed from 1 for 4) = $1 limit 1' },
    [keyId],
  );
  return rows.length > 0;
}
