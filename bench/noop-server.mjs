// A server that does nothing with a create-card request but take and answer it: the same Fastify settings,
// hooks, log and schemas as the product, once without and once with the look-up of the key. Plain JavaScript
// on the built product, because that is what it is compared with.

import { Card, CreateCardBody } from '../dist/cards/schema.js';
import { openDatabase } from '../dist/db/database.js';
import { createLogger } from '../dist/http/logging.js';
import { createMetrics } from '../dist/http/metrics.js';
import { errorResponses, IdempotencyHeaders } from '../dist/http/schemas.js';
import { createServer } from '../dist/http/server.js';
import { createAuthenticator } from '../dist/programs/authenticate.js';

const { logger, flush } = createLogger('info');
const db = openDatabase({
  url: process.env.DATABASE_URL,
  poolSize: 20,
  namedStatements: true,
  onIdleError: (error) => logger.warn(error),
});
const app = await createServer(logger, createMetrics());
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
const schema = {
  headers: IdempotencyHeaders,
  body: CreateCardBody,
  response: { 201: Card, ...errorResponses(400, 401, 403, 409, 413, 500, 503) },
};
const takeAndAnswer = async (_request, reply) => reply.code(201).send(answer);

app.post('/open/', { schema }, takeAndAnswer);
await app.register(async (keyed) => {
  const authenticate = createAuthenticator(db, 'merchant', (error) => logger.error(error));
  keyed.addHook('onRequest', async (request) => {
    await authenticate(request.headers['x-payments-api-key']);
  });
  keyed.post('/keyed/', { schema }, takeAndAnswer);
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
async function stop() {
  await app.close();
  await db.close();
  flush();
  process.exit(0);
}
process.on('SIGTERM', () => void stop());
process.stdout.write(`ready ${url}\n`);
