import type { FastifyReply } from 'fastify';
import { EXAMPLE_APPROVAL } from '../src/authorizations/network/examples.ts';
import { AuthorizationBody, AuthorizationResponse } from '../src/authorizations/network/schema.ts';
import { Card, CreateCardBody } from '../src/cards/schema.ts';
import { createLimits } from '../src/http/limits.ts';
import { errorResponses, IdempotencyHeaders } from '../src/http/schemas.ts';
import { createServer } from '../src/http/server.ts';
import { createAuthenticator } from '../src/programs/authenticate.ts';
import { config, logger, metrics, runtime, serve, services } from './built-server.ts';

/**
 * A server that only receives and answers requests to create a card or to authorize: the same Fastify settings, hooks, log
 * and schemas as the product, once without and once with the look-up of the key.
 */
const app = await createServer(logger, metrics);

const answer = {
  id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
  currency: 'EUR',
  lastFour: '4242',
  externalCustomerId: 'customer-42',
  cardholderName: 'Ada Lovelace',
  cardName: 'ADA LOVELACE',
  cardDesign: 'classic-black',
  cardType: 'virtual',
  status: 'ACTIVE',
  created: '2026-11-15T08:30:00+0000',
};
const takeAndAnswer = async (_request: unknown, reply: FastifyReply) => reply.code(201).send(answer);
const schema = {
  headers: IdempotencyHeaders,
  body: CreateCardBody,
  response: { 201: Card, ...errorResponses(400, 401, 403, 409, 413, 500, 503) },
};

app.post('/open/', { schema }, takeAndAnswer as never);
app.post(
  '/authorize/',
  {
    schema: {
      body: AuthorizationBody,
      response: { 200: AuthorizationResponse, ...errorResponses(400, 401, 409, 413, 500, 503) },
    },
  },
  (async () => EXAMPLE_APPROVAL) as never,
);
await app.register(async (keyed) => {
  const onError = (error: unknown) => logger.error({ err: error }, 'background work of a request failed');
  const limits = createLimits(config.limits, () => {});
  const authenticate = createAuthenticator(
    {
      db: runtime.db,
      digest: services.vault.digest,
      sandboxPrograms: true,
      wrongKeys: limits.wrong_keys,
      countRefusal: () => {},
      onError,
    },
    'merchant',
  );
  keyed.addHook('onRequest', async (request) => {
    await authenticate(request.headers['x-payments-api-key'], request);
  });
  keyed.post('/keyed/', { schema }, takeAndAnswer as never);
});
await serve(app);
