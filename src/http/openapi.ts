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
          'Every error has the same body. Amounts use the decimals of their currency. Times are in UTC.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          merchantKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-payments-api-key',
            description: 'Merchant key of the program.',
          },
          networkKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-network-key',
            description: 'Network key of the program, used by the card network.',
          },
          operatorSession: {
            type: 'apiKey',
            in: 'cookie',
            name: 'emboss_session',
            description: 'Session of an operator who is signed in to the console.',
          },
        },
      },
      security: [{ merchantKey: [] }],
      tags: [
        { name: 'Cards', description: 'Create, list, freeze, block and reissue cards.' },
        { name: 'Card designs', description: 'The card designs of the program.' },
        { name: 'Transactions', description: 'Purchases, refunds and declines.' },
        {
          name: 'Network',
          description: 'For the card network: authorizations, reversals, clearings and refunds.',
        },
        {
          name: 'Sandbox',
          description: 'For sandbox programs: simulate purchases, move the clock, register KYC applicants.',
        },
        { name: 'Reports', description: 'Settlement reports as CSV files.' },
        { name: 'Webhooks', description: 'Webhook endpoints, events and deliveries.' },
        { name: 'Console', description: 'The console API. Requires the session of an operator.' },
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
  responses: { '2XX': { description: 'Received. After any other response the event is sent again.' } },
});

/** Documents the 429 of the routes in this scope, or of some of them. */
export function documentLimits(
  app: App,
  isLimited: (schema: { security?: readonly unknown[] }) => boolean = () => true,
): void {
  const limited = refusal(
    429,
    'Too many requests or wrong keys; retry after the number of seconds in `retry-after`',
    'Too many requests with this key; retry in 42 s',
  );
  app.addHook('onRoute', (route) => {
    const { response } = (route.schema ?? {}) as { response?: object };
    if (response && isLimited(route.schema ?? {}))
      route.schema = { ...route.schema, response: { ...limited, ...response } };
  });
}
