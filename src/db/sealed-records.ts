import type { Queryable, Tx } from './database.ts';

export type RecordKind =
  | 'holder'
  | 'application'
  | 'shipment'
  | 'kyc-applicant'
  | 'webhook-secret'
  | 'operator-second-factor';

export interface RecordRef {
  programId: string;
  ownerId: string;
  kind: RecordKind;
  id: string;
}

/** The part of the vault that seals what other folders keep. It is injected, because lower floors must not import it. */
export interface SealedRecords {
  sealRecord(tx: Tx, ref: RecordRef, value: unknown): Promise<void>;
  /** The newest record of a kind, by owner. */
  openRecords(
    db: Queryable,
    programId: string,
    kind: RecordKind,
    ownerIds: readonly string[],
  ): Promise<Map<string, unknown>>;
  /** For values that other folders store for a day at most: a key rotation does not reseal them. */
  sealText(db: Queryable, binding: readonly string[], text: string): Promise<Buffer>;
  openText(db: Queryable, binding: readonly string[], sealed: Buffer): Promise<string>;
}
