import type { Queryable, Tx } from '../db/database.ts';

export interface IdempotencyRow {
  programId: string;
  endpoint: string;
  keyDigest: Buffer;
  requestDigest: Buffer;
  answer: Buffer;
}

/** Real time, not program time: the key protects a client's retries. */
const LIFE = "interval '24 hours'";
const ALIVE = `created_at > statement_timestamp() - ${LIFE}`;

export async function findIdempotencyRecord(
  db: Queryable,
  programId: string,
  endpoint: string,
  keyDigests: readonly Buffer[],
): Promise<Pick<IdempotencyRow, 'keyDigest' | 'requestDigest' | 'answer'> | undefined> {
  const rows = await db.query<Pick<IdempotencyRow, 'keyDigest' | 'requestDigest' | 'answer'>>(
    {
      name: 'find_idempotency_record',
      text: `select key_digest, request_digest, answer from idempotency_records
             where program_id = $1 and endpoint = $2 and key_digest = any ($3) and ${ALIVE} limit 1`,
    },
    [programId, endpoint, keyDigests],
  );
  return rows[0];
}

/** False if another request with the same key was first. Waits for one that is about to commit. */
export async function insertIdempotencyRecord(tx: Tx, row: IdempotencyRow): Promise<boolean> {
  const rows = await tx.query(
    {
      name: 'insert_idempotency_record',
      text: `insert into idempotency_records as old
               (program_id, endpoint, key_digest, request_digest, answer, created_at)
             values ($1, $2, $3, $4, $5, statement_timestamp())
             on conflict (program_id, endpoint, key_digest) do update
               set request_digest = excluded.request_digest, answer = excluded.answer,
                   created_at = excluded.created_at
               where excluded.created_at - old.created_at >= ${LIFE}
             returning program_id`,
    },
    [row.programId, row.endpoint, row.keyDigest, row.requestDigest, row.answer],
  );
  return rows.length === 1;
}

/** Replaces the answer of a record, unless it has changed since it was read. */
export async function updateIdempotencyRecord(
  tx: Tx,
  row: Omit<IdempotencyRow, 'requestDigest'>,
  answer: Buffer,
): Promise<void> {
  await tx.query(
    {
      name: 'update_idempotency_record',
      text: `update idempotency_records set answer = $5
             where program_id = $1 and endpoint = $2 and key_digest = $3 and answer = $4`,
    },
    [row.programId, row.endpoint, row.keyDigest, row.answer, answer],
  );
}

/** Deletes a record, unless it has changed since it was read. */
export async function deleteIdempotencyRecord(
  tx: Tx,
  row: Omit<IdempotencyRow, 'requestDigest'>,
): Promise<void> {
  await tx.query(
    {
      name: 'delete_idempotency_record',
      text: `delete from idempotency_records
             where program_id = $1 and endpoint = $2 and key_digest = $3 and answer = $4`,
    },
    [row.programId, row.endpoint, row.keyDigest, row.answer],
  );
}

/** Removes a batch of expired records and returns how many. */
export async function deleteStaleIdempotencyRecords(db: Queryable, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from idempotency_records where (program_id, endpoint, key_digest) in (
       select program_id, endpoint, key_digest from idempotency_records
       where not (${ALIVE}) order by created_at limit $1)
       -- Again, for the row as it is now: it may have been renewed while this waited for it.
       and not (${ALIVE})
     returning program_id`,
    [limit],
  );
  return rows.length;
}
