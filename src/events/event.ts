export const EVENT_TYPES = [
  'card',
  'transaction',
  'files',
  'account',
  'security',
  'decision',
  'authentication',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export interface EventRecord {
  programId: string;
  eventType: EventType;
  eventName: string;
  /** Null for events that belong to no card. */
  cardId: string | null;
  /** The sequence number of the card's events, assigned under the card's row lock. */
  cardSequence: number | null;
  data: Record<string, unknown>;
  nowMs: number;
}

/** An event of a batch. The caller sets the id, because the ledger movement of a transaction event has the same id. */
export type NewEvent = Omit<EventRecord, 'programId' | 'nowMs'> & { id: string };

export interface Endpoint {
  programId: string;
  id: string;
  url: string;
  /** Null: all event types. */
  eventTypes: EventType[] | null;
  /** PAUSED: deliveries are written and wait. DISABLED: none are written. */
  status: 'ENABLED' | 'PAUSED' | 'DISABLED' | 'REMOVED';
  statusReason: string | null;
  createdAt: Date;
}

/** An endpoint with the ids of its signing secrets in the vault. */
export interface SigningEndpoint extends Endpoint {
  secretId: string;
  previousSecretId: string | null;
  previousSignsUntil: Date | null;
}

export interface StoredEvent {
  id: string;
  eventType: EventType | 'test';
  eventName: string;
  cardId: string | null;
  cardSequence: number | null;
  data: Record<string, unknown>;
  createdAt: Date;
}
