export const EVENT_TYPES = ['card', 'transaction', 'files'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export interface EventRecord {
  programId: string;
  eventType: EventType;
  eventName: string;
  /** Null for what belongs to no card. */
  cardId: string | null;
  /** The card's own count of events, taken under the card's row lock. */
  cardSequence: number | null;
  data: Record<string, unknown>;
  nowMs: number;
}

/** One of many that are recorded together. The id is the caller's, since the money it tells of moves under it. */
export type NewEvent = Omit<EventRecord, 'programId' | 'nowMs'> & { id: string };

/** Stands for a program in the audit of what belongs to none: the people who work here. */
export const INSTALLATION_ID = '00000000-0000-8000-8000-000000000000';

export interface AuditRecord {
  programId: string;
  /** Who: `key:<id>` for an API key, `operator:<name> <address>`, `cli:<user>`, `system:<part>`. */
  actor: string;
  action: string;
  cardId: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  requestId: string | null;
  nowMs: number;
}
