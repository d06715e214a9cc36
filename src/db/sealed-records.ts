import type { Secret } from '../kernel/secret.ts';
import type { Queryable, Tx } from './database.ts';

export interface RecordRef<Kind extends string> {
  programId: string;
  ownerId: string;
  kind: Kind;
  id: string;
}

/** The part of the vault that seals values of other folders. It is injected, because most folders must not import it. */
export interface SealedRecords<Kind extends string> {
  sealRecord(tx: Tx, ref: RecordRef<Kind>, value: unknown): Promise<void>;
  /** Overwrites the newest record of a kind with nothing. Rows stay: the server's login cannot delete them. */
  eraseRecord(tx: Tx, of: Omit<RecordRef<Kind>, 'id'>): Promise<void>;
  /** The newest record of a kind, by owner. */
  openRecords(
    db: Queryable,
    programId: string,
    kind: Kind,
    ownerIds: readonly string[],
  ): Promise<Map<string, unknown>>;
  /** For values that other folders store for a day at most, or can do without: a key rotation does not reseal them. */
  sealText(db: Queryable, binding: readonly string[], text: string | Secret): Promise<Buffer>;
  openText(db: Queryable, binding: readonly string[], sealed: Buffer): Promise<string>;
}
