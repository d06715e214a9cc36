// A merchant's web app that shows a customer's card without ever holding its number. See README.md for the setup.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createEmboss, isEmbossError } from '@emboss/sdk';

const {
  CARD_ID,
  CUSTOMER_ID = 'customer-42',
  PORT = '3000',
  EMBOSS_URL = 'http://127.0.0.1:8080',
  REVEAL_URL = EMBOSS_URL,
  EMBOSS_SANDBOX_API_KEY = 'my-sandbox-merchant-key',
} = process.env;
if (!CARD_ID) throw new Error('Set CARD_ID to a card of the customer (meta.id) in CUSTOMER_ID');

const MAX_BYTES = 1024;
const emboss = createEmboss({ baseUrl: EMBOSS_URL, apiKey: EMBOSS_SANDBOX_API_KEY });
const say = (text) => process.stdout.write(`${text}\n`);
const ownOrigin = `http://localhost:${PORT}`;

/** The app loads nothing from elsewhere, and frames the reveal pages of Emboss only. */
const POLICY = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; frame-src ${new URL(REVEAL_URL).origin}; frame-ancestors 'none'`;
const FILES = {
  '/': ['text/html; charset=utf-8', new URL('index.html', import.meta.url)],
  '/app.js': ['text/javascript', new URL('app.js', import.meta.url)],
  '/emboss.js': ['text/javascript', new URL(import.meta.resolve('@emboss/sdk/browser'))],
};

async function sendFile(response, [type, file]) {
  const headers = { 'content-type': type, 'content-security-policy': POLICY };
  response.writeHead(200, headers).end(await readFile(file));
}

/** Your own session identifies the cardholder, and your own records have their cards. Here there is one of each. */
const customerOf = (_request) => ({ customerId: CUSTOMER_ID, cardId: CARD_ID });

/** The origin is our own and not the browser's word. Only the challenge comes from the browser. */
async function createSession(request) {
  const { challenge } = JSON.parse(await readBody(request));
  const { customerId, cardId } = customerOf(request);
  const body = { origin: ownOrigin, challenge, customerId };
  // The cardholder waits: at a limit, say so instead of retrying for up to a minute.
  return emboss.cards.createRevealSession(cardId, body, { maxRetries: 0 });
}

/** The status and message for the cardholder. */
function refusalOf(error) {
  if (!isEmbossError(error)) return [500, 'The card cannot be shown'];
  if (error.isRateLimited)
    return [429, `Too many attempts; try again in ${Math.ceil((error.retryAfterMs ?? 60_000) / 1000)} s`];
  return [error.cardState ? 409 : 500, 'The card cannot be shown'];
}

async function readBody(request) {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > MAX_BYTES) throw new Error('body: too large');
  }
  return text;
}

async function serve(request, response) {
  const { method, url, headers } = request;
  const send = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (method === 'GET' && FILES[url]) return sendFile(response, FILES[url]);
  if (method !== 'POST' || url !== '/reveal-session') return send(404, { message: 'Not found' });
  // Pages of other sites must not create sessions for your customer.
  if (headers.origin !== ownOrigin) return send(403, { message: `Open this app at ${ownOrigin}/` });
  try {
    const { url: pageUrl } = await createSession(request);
    say('session created');
    send(201, { url: pageUrl });
  } catch (error) {
    say(`failed: ${error.message}`);
    const [status, message] = refusalOf(error);
    send(status, { message });
  }
}

const server = createServer((request, response) => void serve(request, response));
server.listen(Number(PORT), '127.0.0.1', () => say(`listening on ${ownOrigin}/`));
