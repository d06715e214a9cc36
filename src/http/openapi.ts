import swagger from '@fastify/swagger';
import type { TSchema } from 'typebox';
import { nameSchemas } from './openapi-components.ts';
import { refusal } from './schemas.ts';
import type { App } from './server.ts';

/** The webhooks that Emboss sends. */
interface SentEvent {
  name: string;
  summary: string;
  body: TSchema;
  example: Record<string, unknown>;
}

interface About {
  version: string;
  publicUrl: string;
  events: readonly SentEvent[];
}

/** Collects the schemas of all routes registered after it. */
export async function documentRoutes(app: App, { version, publicUrl, events }: About): Promise<void> {
  await app.register(swagger, {
    convertConstToEnum: false,
    transformObject: (made) => finish('openapiObject' in made ? made.openapiObject : {}, events) as never,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Emboss',
        version,
        description:
          'Card issuing: create and manage virtual and physical cards. Every path works with and without the trailing slash. ' +
          'Every error has the same body. Amounts are in the currency’s own decimals, times are UTC.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          merchantKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-payments-api-key',
            description: "The program's merchant key.",
          },
          networkKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-network-key',
            description: "The card network's key to the program.",
          },
          operatorSession: {
            type: 'apiKey',
            in: 'cookie',
            name: 'emboss_session',
            description: 'An operator who is signed in to the console.',
          },
        },
      },
      security: [{ merchantKey: [] }],
      tags: [
        { name: 'Cards', description: 'Create, list, freeze, block and reissue cards.' },
        { name: 'Card designs', description: 'What a card may look like.' },
        { name: 'Transactions', description: 'What was spent, refunded and declined.' },
        {
          name: 'Network',
          description: 'The card network sends authorizations, reversals, clearings and refunds.',
        },
        {
          name: 'Sandbox',
          description: 'For programs in sandbox mode: swipe a card, move the clock, register KYC applicants.',
        },
        { name: 'Reports', description: 'Settlement reports as CSV files.' },
        { name: 'Webhooks', description: 'Where events are sent, and what became of them.' },
        { name: 'Console', description: 'What the operations console asks, under a session of an operator.' },
        { name: 'Operations', description: 'Health of the service.' },
      ],
    },
  });
}

/** Adds the webhooks: each event, and their union `Event`, discriminated by name. */
function finish(document: Record<string, unknown>, events: readonly SentEvent[]): Record<string, unknown> {
  const any = {
    title: 'Event',
    discriminator: { propertyName: 'eventName' },
    oneOf: events.map(({ body }) => body),
  };
  return nameSchemas({
    ...document,
    components: { ...(document['components'] as object), schemas: { Event: any } },
    webhooks: Object.fromEntries(events.map((event) => [event.name, { post: sendingOf(event) }])),
  });
}

const sendingOf = ({ name, summary, body, example }: SentEvent) => ({
  tags: ['Webhooks'],
  operationId: name,
  summary,
  security: [],
  requestBody: { required: true, content: { 'application/json': { schema: body, example } } },
  responses: { '2XX': { description: 'Taken. After anything else the event comes again.' } },
});

/** Documents the 429 of the routes in this scope, or of some of them. */
export function documentLimits(
  app: App,
  isLimited: (schema: { security?: readonly unknown[] }) => boolean = () => true,
): void {
  const limited = refusal(
    429,
    'Too many requests, or too many wrong keys; retry after the seconds in `retry-after`',
    'Too many requests with this key; try again in 42 s',
  );
  app.addHook('onRoute', (route) => {
    const { response } = (route.schema ?? {}) as { response?: object };
    if (response && isLimited(route.schema ?? {}))
      route.schema = { ...route.schema, response: { ...limited, ...response } };
  });
}
