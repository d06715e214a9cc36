/** A place in a program's chain. */
export interface Link {
  /** From 1, without gaps. */
  position: bigint;
  entryId: string;
  hash: Buffer;
}

/** An entry as it is stored, each part as text that is the same whenever it is read. */
export interface StoredEntry {
  id: string;
  actor: string;
  address: string | null;
  action: string;
  cardId: string | null;
  before: string | null;
  after: string | null;
  requestId: string | null;
  createdAt: string;
}

/** Binds an entry to all before it: what the hash of a link is the digest of. */
export const linkParts = (
  programId: string,
  previous: Buffer | undefined,
  entry: StoredEntry | undefined,
): [string, string] => [
  'audit-link',
  JSON.stringify([
    programId,
    previous?.toString('hex') ?? null,
    entry && [
      entry.id,
      entry.actor,
      entry.address,
      entry.action,
      entry.cardId,
      entry.before,
      entry.after,
      entry.requestId,
      entry.createdAt,
    ],
  ]),
];
