import { type TSchema, Type } from 'typebox';
import { EVENT_NAMES, type EventName, type EventType } from './names.ts';

/** An event as the API document describes it to subscribers. */
export interface DocumentedEvent {
  name: string;
  summary: string;
  /** The schema of the whole body. */
  body: TSchema;
  example: Record<string, unknown>;
}

interface Description {
  title: string;
  summary: string;
  data: TSchema;
  exampleData: Record<string, unknown>;
}

/** The documents of all events of a type. A name without a description is a type error. */
export const documentEvents = <Type extends EventType>(
  type: Type,
  descriptions: Record<EventName<Type>, Description>,
): DocumentedEvent[] =>
  EVENT_NAMES[type].map((name) => documentEvent({ type, name, ...descriptions[name as EventName<Type>] }));

const EXAMPLE_ID = '019a85f2-7c1e-7003-9f3e-5a1c2b3d4e5f';
const EXAMPLE_TIME = '2026-11-15T08:30:00+0000';

/** Every event of a card contains this field in its data. */
export const sequence = Type.Integer({
  description:
    "Sequence number of the card's events: 1, 2, 3 … without gaps, over `card` and `transaction` events together.",
  examples: [2],
});

export const documentEvent = ({
  title,
  type,
  name,
  summary,
  data,
  exampleData,
}: Description & { type: string; name: string }): DocumentedEvent => ({
  name,
  summary,
  body: Type.Object(
    {
      eventType: Type.Literal(type),
      eventName: Type.Literal(name),
      eventId: Type.String({ description: 'The same for every delivery attempt.', examples: [EXAMPLE_ID] }),
      created: Type.String({ description: 'Program time.', examples: [EXAMPLE_TIME] }),
      data,
    },
    { title },
  ),
  example: {
    eventType: type,
    eventName: name,
    eventId: EXAMPLE_ID,
    created: EXAMPLE_TIME,
    data: exampleData,
  },
});
