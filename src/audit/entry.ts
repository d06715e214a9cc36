/** The program id of audit entries that belong to no program, such as those about operators and vault keys. */
export const INSTALLATION_ID = '00000000-0000-8000-8000-000000000000';

/** The name of an actor, and the origin of the request. */
export interface Identity {
  /** `key:<id>` for an API key, `operator:<name> <e-mail>`, `cli:<user>`, `system:<part>`. */
  name: string;
  /** The client's IP address; null for the command line and the system. */
  address: string | null;
  requestId: string | null;
  /** The name of the second person who approved what the actor does now. */
  approvedBy?: string | undefined;
}

/** The command line, or a part of the system: it acts without a request. */
export const localIdentity = (name: string): Identity => ({
  name,
  address: null,
  requestId: null,
  approvedBy: undefined,
});

/** The part of an actor (`programs/actor.ts`) that an entry records. */
export interface AuditActor extends Identity {
  program: { id: string };
  /** Program time, in milliseconds. */
  now(): number;
}

export interface Entry {
  id: string;
  actor: string;
  address: string | null;
  action: string;
  cardId: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  requestId: string | null;
  createdAt: Date;
}

/** A stored entry. Each part is text that is identical in every read. */
export interface StoredEntry extends Omit<Entry, 'before' | 'after' | 'createdAt'> {
  before: string | null;
  after: string | null;
  createdAt: string;
}

/** A position in a program's chain. */
export interface Link {
  /** From 1, without gaps. */
  position: bigint;
  entryId: string;
  hash: Buffer;
}

/** The parts of an entry in the order of their columns. */
export const partsOf = (entry: Entry | StoredEntry) => [
  entry.id,
  entry.actor,
  entry.address,
  entry.action,
  entry.cardId,
  entry.before,
  entry.after,
  entry.requestId,
  entry.createdAt,
];

/** The input of a link's hash. It binds an entry to all entries before it. */
export const linkParts = (
  programId: string,
  previous: Buffer | undefined,
  entry: StoredEntry | undefined,
): [string, string] => [
  'audit-link',
  JSON.stringify([programId, previous?.toString('hex') ?? null, entry && partsOf(entry)]),
];
