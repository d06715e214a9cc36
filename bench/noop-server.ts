import { errorResponses } from '../src/http/schemas.ts';
import { createServer } from '../src/http/server.ts';
import { EXAMPLE_APPROVAL } from '../src/network/http/examples.ts';
import { AuthorizationBody, AuthorizationResponse } from '../src/network/http/schema.ts';
import { logger, metrics, serve } from './built-server.ts';

/** A server that only receives and answers authorizations: the same Fastify settings, hooks, log and schemas as the product. */
const app = await createServer(logger, metrics);

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
await serve(app);
