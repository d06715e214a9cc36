import type { StoredEvent } from '../events/event.ts';
import { formatTimestamp } from '../kernel/calendar.ts';

/** The body that a receiver gets. `created` is program time; the headers hold the time of sending. */
export const bodyOf = (event: StoredEvent): string => JSON.stringify(viewOf(event));

/** Events of a card include their sequence number, so that a receiver can restore their order. */
export const viewOf = ({ id, eventType, eventName, cardSequence, data, createdAt }: StoredEvent) => ({
  eventType,
  eventName,
  eventId: id,
  created: formatTimestamp(createdAt),
  data: cardSequence === null ? data : { ...data, sequence: cardSequence },
});
