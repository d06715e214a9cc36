// Decides the authorizations of Emboss and shows balances from its own books, and serves 3-D Secure. See README.md for the setup.
import { createServer } from 'node:http';
import { createEmboss, decisions, formatAmount, parseAmount, verifyWebhook, WebhookError } from '@emboss/sdk';
import { createBooks } from './books.mjs';

const {
  DECISION_SECRET,
  WEBHOOK_SECRET,
  AUTHENTICATION_SECRET = '',
  OTP_SECRET = '',
  BALANCES = '{"customer-42": "250.00"}',
  CURRENCY = 'EUR',
  PORT = '3000',
  EMBOSS_URL = 'http://127.0.0.1:8080',
  EMBOSS_SANDBOX_API_KEY = 'my-sandbox-merchant-key',
} = process.env;
if (!DECISION_SECRET || !WEBHOOK_SECRET)
  throw new Error('Set DECISION_SECRET and WEBHOOK_SECRET to the secrets of the endpoints (whsec_…)');

const MAX_BYTES = 1024 * 1024;
const emboss = createEmboss({ baseUrl: EMBOSS_URL, apiKey: EMBOSS_SANDBOX_API_KEY });
const say = (text) => process.stdout.write(`${text}\n`);
const books = createBooks(
  Object.entries(JSON.parse(BALANCES)).map(([id, amount]) => [id, parseAmount(amount, CURRENCY)]),
);
const customers = new Map();

/** Events name no person. Your own records know whose card it is; this example reads it from Emboss, once per card. */
async function customerOf(cardId) {
  const known = customers.get(cardId) ?? (await emboss.cards.get(cardId)).externalCustomerId;
  customers.set(cardId, known);
  return known;
}

/** The card network waits for this answer: it comes from memory, without another request. */
async function decide(request) {
  const question = await decisions.handle(request, DECISION_SECRET);
  const { card_id, external_customer_id, hold_amount, bill_currency } = question.data;
  customers.set(card_id, external_customer_id);
  if (question.eventName === 'balance.request') {
    const { availableMinor } = books.balanceOf(external_customer_id);
    say(`balance ${external_customer_id}`);
    return decisions.balance(formatAmount(availableMinor, bill_currency));
  }
  const answer = books.answer(question);
  say(`${answer.decision} ${external_customer_id} ${hold_amount} ${bill_currency}`);
  return answer;
}

/** 3-D Secure: a payment that the balance does not cover needs no challenge, for it will be declined. */
async function authenticate(request) {
  const { data } = await decisions.handle(request, AUTHENTICATION_SECRET, { kind: 'authentication' });
  const { availableMinor } = books.balanceOf(data.external_customer_id);
  const isCovered = data.currency !== CURRENCY || parseAmount(data.amount, CURRENCY) <= availableMinor;
  const answer = isCovered ? decisions.challenge() : decisions.decline();
  say(`${answer.decision} ${data.external_customer_id} ${data.amount} ${data.currency} with 3-D Secure`);
  return answer;
}

/** Give the code to your provider of text messages here, and write it nowhere. */
async function sendCode(request) {
  const { data } = await decisions.handle(request, OTP_SECRET, { kind: 'otp' });
  say(`a code for ${data.external_customer_id}`);
  return {};
}

/** If this fails, Emboss sends the event again. */
async function receive(request) {
  const event = await verifyWebhook(await readBody(request), request.headers, WEBHOOK_SECRET);
  if (event.eventType !== 'transaction') return {};
  const customerId = await customerOf(event.data.card_id);
  books.apply(customerId, event);
  say(`${event.eventName} ${customerId} takes ${event.data.taken_amount} ${event.data.bill_currency}`);
  return {};
}

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new WebhookError('body: too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function show(request) {
  const customerId = decodeURIComponent(request.url.slice('/balances/'.length));
  const { availableMinor, reservedMinor } = books.balanceOf(customerId);
  return {
    customerId,
    available: formatAmount(availableMinor, CURRENCY),
    reserved: formatAmount(reservedMinor, CURRENCY),
  };
}

function handlerOf({ method, url }) {
  if (method === 'POST' && url === '/decisions') return decide;
  if (method === 'POST' && url === '/authentications') return authenticate;
  if (method === 'POST' && url === '/codes') return sendCode;
  if (method === 'POST' && url === '/events') return receive;
  return method === 'GET' && url.startsWith('/balances/') ? show : undefined;
}

async function serve(request, response) {
  const send = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const handle = handlerOf(request);
  if (!handle) return send(404, {});
  try {
    send(200, await handle(request));
  } catch (error) {
    say(`failed ${request.url}: ${error.message}`);
    send(error instanceof WebhookError ? 401 : 500, {});
  }
}

const server = createServer((request, response) => void serve(request, response));
server.listen(Number(PORT), '127.0.0.1', () => {
  say(`listening on http://127.0.0.1:${server.address().port}/`);
});
