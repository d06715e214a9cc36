/** Stands for a program in the audit of what belongs to none: the people who work here. */
export const INSTALLATION_ID = '00000000-0000-8000-8000-000000000000';

/** Who does something, and from where. */
export interface Actor {
  /** `key:<id>` for an API key, `operator:<name> <e-mail>`, `cli:<user>`, `system:<part>`. */
  actor: string;
  /** The client's IP address; null for the command line and the system. */
  address: string | null;
  requestId: string | null;
}

export interface AuditRecord extends Actor {
  programId: string;
  action: string;
  cardId: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  nowMs: number;
}

/** An actor without a request: the command line, or a part of the system. */
export const localActor = (actor: string): Actor => ({ actor, address: null, requestId: null });
