import { Type } from 'typebox';
import {
  EVENT_STATES,
  type EventState,
  inState,
  sentTo,
  withTypeOrName,
} from '../../events/filter-queries.ts';
import { EVENT_LIST } from '../../events/queries.ts';
import { invalid } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import { EXAMPLE_EVENT } from '../../webhooks/examples.ts';
import { readEvents } from '../../webhooks/list-events.ts';
import { WebhookEvent } from '../../webhooks/schema.ts';
import { type ConsoleList, inOrder } from './list.ts';

const endpointOf = (given: unknown, field = 'endpoint'): string => {
  if (typeof given === 'string' && isId(given)) return given;
  throw invalid(field, 'must be the id of a webhook endpoint');
};

export const EVENTS: ConsoleList = {
  path: 'webhook-events',
  exported: 'console.exported_webhook_events',
  name: 'WebhookEvents',
  list: EVENT_LIST,
  filters: {
    event: {
      schema: Type.Optional(
        Type.String({ pattern: '^[a-z_.]{1,60}$', description: 'Type or name of the event.' }),
      ),
      index: null,
      read: (given) => withTypeOrName(given),
    },
    endpoint: {
      schema: Type.Optional(Type.String({ maxLength: 36, description: 'Id of the endpoint.' })),
      index: null,
      read: (given, field) => sentTo(endpointOf(given, field)),
    },
    state: {
      schema: Type.Optional(
        Type.Enum([...EVENT_STATES], {
          description:
            'State of a delivery. `undelivered`: failed, waiting for a retry or pending. `not_sent`: no endpoint received the event.',
        }),
      ),
      index: null,
      read: (given, _field, _context, all) =>
        inState(given as EventState, all.has('endpoint') ? endpointOf(all.get('endpoint')) : undefined),
    },
  },
  refusal: 'endpoint: must be the id of a webhook endpoint',
  row: WebhookEvent,
  example: EXAMPLE_EVENT,
  read: async ({ db }, actor, ids) =>
    inOrder(ids, await readEvents(db, actor.program.id, ids), ({ eventId }) => eventId),
};
