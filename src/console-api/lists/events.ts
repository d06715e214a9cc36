import { Type } from 'typebox';
import { EVENT_STATES, type EventState, eventsMatching } from '../../events/filter-queries.ts';
import { invalid } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import { EXAMPLE_EVENT } from '../../webhooks/examples.ts';
import { readEvents } from '../../webhooks/list-events.ts';
import { WebhookEvent } from '../../webhooks/schema.ts';
import { type ConsoleList, inOrder } from './list.ts';
import type { RangeQuery } from './range.ts';

interface EventQuery extends RangeQuery {
  event?: string;
  endpoint?: string;
  state?: EventState;
}

export const EVENTS: ConsoleList<EventQuery> = {
  path: 'webhook-events',
  exported: 'console.exported_webhook_events',
  name: 'WebhookEvents',
  filters: {
    event: Type.Optional(
      Type.String({ pattern: '^[a-z_.]{1,60}$', description: 'Type or name of the event.' }),
    ),
    endpoint: Type.Optional(Type.String({ maxLength: 36, description: 'Id of the endpoint.' })),
    state: Type.Optional(
      Type.Enum([...EVENT_STATES], {
        description:
          'State of a delivery. `undelivered`: failed, waiting for a retry or pending. `not_sent`: no endpoint received the event.',
      }),
    ),
  },
  refusal: 'endpoint: must be the id of a webhook endpoint',
  row: WebhookEvent,
  example: EXAMPLE_EVENT,
  match: (_actor, { event, endpoint, state }) => {
    if (endpoint !== undefined && !isId(endpoint))
      throw invalid('endpoint', 'must be the id of a webhook endpoint');
    return eventsMatching({ event, endpointId: endpoint, state });
  },
  read: async ({ db }, actor, ids) =>
    inOrder(ids, await readEvents(db, actor.program.id, ids), ({ eventId }) => eventId),
};
