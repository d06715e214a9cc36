export const EVENT_TYPES = ['card', 'transaction', 'files', 'security'] as const;
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
