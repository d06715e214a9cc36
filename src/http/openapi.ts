import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { TSchema } from 'typebox';
import { OPTIONAL_BODY } from './body.ts';
import { nameSchemas } from './openapi-components.ts';
import type { App } from './server.ts';

/** The webhooks that Emboss sends. */
interface SentEvent {
  name: string;
  summary: string;
  body: TSchema;
  example: Record<string, unknown>;
}

/** A request whose response decides. */
interface SentRequest extends SentEvent {
  answer: TSchema;
  exampleAnswer: Record<string, unknown>;
}

interface Sent {
  events: readonly SentEvent[];
  requests: readonly SentRequest[];
}

interface About extends Sent {
  version: string;
  publicUrl: string;
}

const INTRODUCTION = `Emboss issues virtual and physical cards, decides their authorizations, and keeps the books. With this API your server creates and manages cards, reads transactions, requests reports and receives webhooks.

**Start here.** [Integrate](/docs/guides/integrate) creates a card and simulates a purchase in a few minutes. Then: [cards](/docs/guides/cards), [authorizations](/docs/guides/authorizations), [webhooks](/docs/guides/webhooks), [real-time decisions](/docs/guides/real-time-decisions), [3-D Secure](/docs/guides/authentication), [reports](/docs/guides/reports), [errors and decline reasons](/docs/guides/errors), and the [TypeScript SDK](/docs/guides/sdk).

**Keys.** Send the merchant key of your program in the header \`x-payments-api-key\`. A sandbox program moves no real money.

**Conventions.** Every path works with and without the trailing slash. Every error has the same body, whose message names the field. A query parameter that an endpoint does not know, or that is given twice, is a 400. Amounts use the decimals of their currency. Times are in UTC. Send an \`Idempotency-Key\` to retry a change safely.`;

/** The tag of the routes that only the console calls. */
const CONSOLE = 'Console';

declare module 'fastify' {
  interface FastifyInstance {
    /** The document of the console API: `console-openapi.json`, for those who work on the console. No route serves it. */
    consoleDocument: FastifyInstance['swagger'];
  }
}

/**
 * Collects the schemas of all routes registered after it, in two documents: the public API, from which integrators
 * generate their clients, and the console API, which changes with the console.
 */
export async function documentRoutes(app: App, { version, publicUrl, ...sent }: About): Promise<void> {
  const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' };
  const inHeader = (name: string, description: string) =>
    ({ type: 'apiKey', in: 'header', name, description }) as const;
  await app.register(swagger, {
    convertConstToEnum: false,
    hiddenTag: CONSOLE,
    transformObject: (made) => finish(made, sent),
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Emboss API',
        version,
        description: INTRODUCTION,
        license,
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          merchantKey: inHeader('x-payments-api-key', 'Merchant key of the program.'),
          networkKey: inHeader('x-network-key', 'Network key of the program, used by the card network.'),
        },
      },
      security: [{ merchantKey: [] }],
      tags: [
        { name: 'Cards', description: 'Create, list, freeze, block and reissue cards.' },
        { name: 'Customers', description: 'A customer is a `meta.id` with all its cards.' },
        { name: 'Card designs', description: 'The card designs of the program.' },
        { name: 'Transactions', description: 'Purchases, refunds and declines.' },
        { name: 'Account', description: "The program's money, and its low-balance alert." },
        {
          name: 'Network',
          description:
            'For the card network: authorizations, reversals, clearings, refunds, clearing files and authentications.',
        },
        {
          name: 'Sandbox',
          description:
            'For sandbox programs: simulate purchases and 3-D Secure, move the clock, register KYC applicants.',
        },
        { name: 'Reports', description: 'Settlement reports as CSV files.' },
        { name: 'Webhooks', description: 'Webhook endpoints, events and deliveries.' },
        {
          name: 'Decisions',
          description: 'Decisions of the merchant on authorizations and authentications; one-time passwords.',
        },
        { name: 'Rules', description: 'Your own rules for authorizations, and their lists of values.' },
        { name: 'Authentications', description: '3-D Secure: answers of the cardholder in your app.' },
        { name: 'Operations', description: 'Health of the service.' },
      ],
    },
  });
  await app.register(swagger, {
    decorator: 'consoleDocument' as never,
    convertConstToEnum: false,
    transform: ({ schema, url }) => ({
      schema: schema?.tags?.includes(CONSOLE) ? schema : ({ hide: true } as typeof schema),
      url,
    }),
    transformObject: (made) => finish(made),
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Emboss console API',
        version,
        description:
          'What the console calls beside the merchant and sandbox API, which it reaches under `/console/api/programs/{programId}/`. ' +
          'There a balance adjustment that waits for a second person is answered with 202 and a `RequestedApproval`. ' +
          'It changes with the console and is not for integrations.',
        license,
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          operatorSession: {
            type: 'apiKey',
            in: 'cookie',
            name: 'emboss_session',
            description: 'The session of an operator who signed in to the console.',
          },
        },
      },
      security: [{ operatorSession: [] }],
      tags: [{ name: CONSOLE, description: 'Sessions, keys and what the pages of the console show.' }],
    },
  });
}

type Made = Parameters<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>[0];

/**
 * Names the schemas and adds the webhooks: each event, their union `Event`, discriminated by name, and each request that
 * is not an event.
 */
function finish(made: Made, { events, requests }: Sent = { events: [], requests: [] }): never {
  const document: Record<string, unknown> = 'openapiObject' in made ? { ...made.openapiObject } : {};
  markOptionalBodies(document);
  nameDeepObjects(document);
  const anyEvent = {
    title: 'Event',
    discriminator: { propertyName: 'eventName' },
    oneOf: events.map(({ body }) => body),
  };
  const sent = {
    components: { ...(document['components'] as object), schemas: { Event: anyEvent } },
    webhooks: Object.fromEntries([
      ...events.map((event) => [event.name, { post: sendingOf(event) }]),
      ...requests.map((request) => [request.name, { post: requestOf(request) }]),
    ]),
  };
  return nameSchemas({ ...document, ...(events.length > 0 && sent) }) as never;
}

type Methods = Record<
  string,
  {
    parameters?: Array<{ schema?: { type?: string }; style?: string; explode?: boolean }>;
    requestBody?: {
      required: boolean;
      content: { 'application/json'?: { schema: Record<string, unknown> } };
    };
  }
>;

/** Swagger documents every body as required. */
function markOptionalBodies({ paths }: { paths?: unknown }): void {
  for (const methods of Object.values((paths ?? {}) as Record<string, Methods>))
    for (const { requestBody } of Object.values(methods)) {
      const json = requestBody?.content['application/json'];
      const { [OPTIONAL_BODY]: isOptional, ...schema } = json?.schema ?? {};
      if (!requestBody || !json || !isOptional) continue;
      requestBody.required = false;
      json.schema = schema;
    }
}

/** A query parameter that is an object is written as `name[key]=value`. */
function nameDeepObjects({ paths }: { paths?: unknown }): void {
  for (const methods of Object.values((paths ?? {}) as Record<string, Methods>))
    for (const { parameters = [] } of Object.values(methods))
      for (const parameter of parameters)
        if (parameter.schema?.type === 'object')
          Object.assign(parameter, { style: 'deepObject', explode: true });
}

const sendingOf = ({ name, summary, body, example }: SentEvent) => ({
  tags: ['Webhooks'],
  // Not the event's name alone: `refund` is an operation too.
  operationId: `${operationName(name)}Event`,
  summary,
  security: [],
  requestBody: { required: true, content: { 'application/json': { schema: body, example } } },
  responses: { '2XX': { description: 'Received. After any other response the event is sent again.' } },
});

const requestOf = ({ answer, exampleAnswer, ...request }: SentRequest) => ({
  ...sendingOf(request),
  tags: ['Decisions'],
  operationId: `${operationName(request.name)}Decision`,
  responses: {
    200: {
      description:
        'The decision, in at most 4096 bytes. Any other status, or none within the time limit, is a failure.',
      content: { 'application/json': { schema: answer, example: exampleAnswer } },
    },
  },
});

const operationName = (name: string): string =>
  name.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
