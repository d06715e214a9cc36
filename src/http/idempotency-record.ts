import type { Queryable, Tx } from '../db/database.ts';
import type { SealedRecords } from '../db/sealed-records.ts';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError } from '../kernel/error.ts';
import type { Secret } from '../kernel/secret.ts';
import { canonicalJson } from './canonical-json.ts';
import {
  deleteIdempotencyRecord,
  findIdempotencyRecord,
  type IdempotencyRow,
  insertIdempotencyRecord,
  updateIdempotencyRecord,
} from './queries.ts';

/** The same key with the same request returns the same answer. */
export interface Claim {
  programId: string;
  endpoint: string;
  key: string | string[] | undefined;
  /** Path parameters and body. */
  request: unknown;
  /** Fields of the body that never become strings; `request` has stand-ins for them. */
  secrets?: ReadonlyArray<Secret | undefined>;
}

/**
 * Stored answers may contain cardholder data and secrets, so they are sealed; the request is stored as a keyed digest.
 */
export type AnswerKeeper = Pick<SealedRecords<never>, 'sealText' | 'openText'> & { digest: Digest };

type StoredRow = Pick<IdempotencyRow, 'keyDigest' | 'answer'>;

/** What is stored for the key of a claim, as text that only the vault can open. */
export interface KeyRecord {
  /** Undefined if the key is free. Throws a 409 if it belongs to a different request. */
  find(): Promise<{ text: string; rows: StoredRow[] } | undefined>;
  /** Undefined if another request took the key first. */
  insert(tx: Tx, text: string): Promise<StoredRow[] | undefined>;
  /** Replaces the text, unless it has changed since. */
  update(tx: Tx, rows: readonly StoredRow[], text: string): Promise<void>;
  /** Frees the key, unless the text has changed since. */
  remove(tx: Tx, rows: readonly StoredRow[]): Promise<void>;
}

export async function openKeyRecord(
  db: Queryable,
  keeper: AnswerKeeper,
  { programId, endpoint, request, secrets = [] }: Claim,
  keyText: string,
): Promise<KeyRecord> {
  await keeper.digest.refresh();
  // One digest per live key of the vault: every process knows at least one of them, so copies on other processes are found.
  const keyDigests = keeper.digest.all('idempotency-key', keyText);
  const content = ['idempotent-request', canonicalJson(request), ...secrets.map((each) => each ?? '')];
  const requestDigest = keeper.digest(...content);
  const bindingOf = (keyDigest: Buffer) => [programId, 'idempotency', endpoint, keyDigest.toString('hex')];
  const rowOf = ({ keyDigest, answer }: StoredRow) => ({ programId, endpoint, keyDigest, answer });
  return {
    find: async () => {
      const row = await findIdempotencyRecord(db, programId, endpoint, keyDigests);
      if (!row) return undefined;
      if (!keeper.digest.matches(row.requestDigest, ...content))
        throw new EmbossError(409, 'Idempotency-Key: was already used with a different request');
      return { text: await keeper.openText(db, bindingOf(row.keyDigest), row.answer), rows: [row] };
    },
    insert: async (tx, text) => {
      const rows: StoredRow[] = [];
      for (const keyDigest of keyDigests) {
        const row = { keyDigest, answer: await keeper.sealText(tx, bindingOf(keyDigest), text) };
        if (!(await insertIdempotencyRecord(tx, { ...rowOf(row), requestDigest }))) return undefined;
        rows.push(row);
      }
      return rows;
    },
    update: async (tx, rows, text) => {
      for (const row of rows) {
        const sealed = await keeper.sealText(tx, bindingOf(row.keyDigest), text);
        await updateIdempotencyRecord(tx, rowOf(row), sealed);
      }
    },
    remove: async (tx, rows) => {
      for (const row of rows) await deleteIdempotencyRecord(tx, rowOf(row));
    },
  };
}
