import { type Static, Type } from 'typebox';
import { EVENT_TYPES } from '../events/names.ts';
import { nullable } from '../http/schemas.ts';

const id = Type.String({ examples: ['019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f'] });
const moment = Type.String({ examples: ['2026-11-15T08:30:00+0000'] });

export const EndpointBody = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'URL that receives the events. Must be https in a live program.',
      examples: ['https://merchant.example/webhooks'],
    }),
    eventTypes: Type.Optional(
      nullable(
        Type.Array(Type.Enum([...EVENT_TYPES]), { minItems: 1 }),
        'Event types to send. Default or null: all.',
      ),
    ),
  },
  { title: 'WebhookEndpointRequest' },
);
export type EndpointBody = Static<typeof EndpointBody>;

export const EndpointChange = Type.Object(
  {
    url: EndpointBody.properties.url,
    eventTypes: nullable(
      Type.Array(Type.Enum([...EVENT_TYPES]), { minItems: 1, examples: [['card', 'transaction']] }),
      'Event types to send. Null: all.',
    ),
    paused: Type.Boolean({
      description: 'While an endpoint is paused its deliveries wait. They are sent when it resumes.',
    }),
  },
  { title: 'WebhookEndpointChange' },
);

export const EndpointPath = Type.Object({ endpointId: Type.String() });
export const EventPath = Type.Object({ eventId: Type.String() });

const endpointFields = {
  id,
  url: Type.String(),
  eventTypes: nullable(Type.Array(Type.Enum([...EVENT_TYPES]))),
  status: Type.Enum(['ENABLED', 'PAUSED', 'DISABLED'], {
    description:
      'PAUSED: deliveries wait until the endpoint resumes. DISABLED: the endpoint responded with 410, or nothing was delivered for 5 days.',
  }),
  statusReason: nullable(Type.String()),
  created: moment,
};
const secret = Type.String({ description: 'Verifies deliveries. Shown only once.', examples: ['whsec_…'] });

export const WebhookEndpoint = Type.Object(endpointFields, { title: 'WebhookEndpoint' });
export const NewEndpoint = Type.Object({ ...endpointFields, secret }, { title: 'NewWebhookEndpoint' });
export const RotatedEndpoint = Type.Object(
  {
    ...endpointFields,
    secret,
    previousSignsUntil: Type.String({
      description: 'Deliveries are signed with both secrets until this time.',
    }),
  },
  { title: 'RotatedWebhookEndpoint' },
);
export const EndpointList = Type.Object(
  { webhookEndpoints: Type.Array(WebhookEndpoint) },
  { title: 'WebhookEndpointList' },
);

export const TestAnswer = Type.Object(
  {
    delivered: Type.Boolean({ description: 'Whether the response was a 2xx.' }),
    eventId: id,
    statusCode: nullable(Type.Integer()),
    error: nullable(Type.String({ description: 'Why there was no response.' })),
    durationMs: Type.Integer(),
  },
  { title: 'WebhookTest' },
);

export const WebhookEvent = Type.Object(
  {
    eventType: Type.String(),
    eventName: Type.String(),
    eventId: id,
    created: moment,
    data: Type.Object({}, { additionalProperties: true }),
    deliveries: Type.Array(
      Type.Object(
        {
          endpointId: id,
          url: Type.String(),
          status: Type.Enum(['PENDING', 'DELIVERED', 'FAILED']),
          nextAttempt: nullable(moment),
          attempts: Type.Array(
            Type.Object(
              {
                created: moment,
                statusCode: nullable(Type.Integer()),
                error: nullable(Type.String()),
                answerStart: nullable(Type.String()),
                durationMs: Type.Integer(),
              },
              { title: 'WebhookAttempt' },
            ),
          ),
        },
        { title: 'WebhookDelivery' },
      ),
    ),
  },
  { title: 'WebhookEvent' },
);

export const ResendQuery = Type.Object({
  endpointId: Type.Optional(
    Type.String({
      description:
        'Send only to this endpoint, regardless of its event types. Default: all enabled endpoints that receive the event type.',
    }),
  ),
});
export const ResendMissedBody = Type.Object(
  {
    since: Type.Optional(
      Type.String({
        description:
          'A timestamp in program time with an offset; or `next` from a previous response, to continue from there. Default: everything.',
        examples: ['2026-11-14T00:00:00Z'],
      }),
    ),
    endpointId: Type.Optional(
      Type.String({ description: 'Send only to this endpoint. Default: all endpoints.' }),
    ),
  },
  { title: 'ResendMissedRequest' },
);
export const ResendAnswer = Type.Object(
  {
    message: Type.String(),
    deliveries: Type.Integer({ description: 'Number of deliveries that were started.' }),
  },
  { title: 'Resent' },
);
export const ResendMissedAnswer = Type.Object(
  {
    ...ResendAnswer.properties,
    next: nullable(
      Type.String({ description: 'Where to continue: send it as `since`. Null when nothing is left.' }),
    ),
  },
  { title: 'ResentMissed' },
);
