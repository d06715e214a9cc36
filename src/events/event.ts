import type { EventName, EventType } from './names.ts';

/** A name together with its type. */
type Named = { [Type in EventType]: { eventType: Type; eventName: EventName<Type> } }[EventType];

interface Content {
  /** Absent for events that belong to no card. */
  cardId?: string | null;
  /** The sequence number of the card's events, assigned under the card's row lock. */
  cardSequence?: number | null;
  data: Record<string, unknown>;
}

export type EventRecord = Named & Content & { programId: string; nowMs: number };

/** An event of a batch. The caller sets the id, because the ledger movement of a transaction event has the same id. */
export type NewEvent = Named & Content & { id: string };

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

export interface StoredEvent extends Required<Content> {
  id: string;
  eventType: EventType | 'test';
  eventName: string;
  createdAt: Date;
}
