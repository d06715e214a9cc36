import type { EventType } from '../events/event.ts';
import { formatTimestamp } from '../kernel/calendar.ts';

export interface StoredEvent {
  id: string;
  eventType: EventType | 'test';
  eventName: string;
  cardSequence: number | null;
  data: Record<string, unknown>;
  createdAt: Date;
}

/** What a receiver gets. `created` is the program's time; the time of sending is in the headers. */
export const bodyOf = (event: StoredEvent): string => JSON.stringify(viewOf(event));

/** Events of a card carry its count, so that a receiver can put in order what arrived out of order. */
export const viewOf = ({ id, eventType, eventName, cardSequence, data, createdAt }: StoredEvent) => ({
  eventType,
  eventName,
  eventId: id,
  created: formatTimestamp(createdAt),
  data: cardSequence === null ? data : { ...data, sequence: cardSequence },
});
