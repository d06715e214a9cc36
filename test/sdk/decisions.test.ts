import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import {
  type BalanceAnswer,
  createEmboss,
  type DecisionAnswer,
  type DecisionRequests,
  decisions,
  type Emboss,
  type SignedRequest,
  WebhookError,
} from '../../sdk/src/index.ts';
import { credentialsOf } from '../support/cards/card-states.ts';
import { createCard } from '../support/cards/cards.ts';
import { MERCHANT, setTerms } from '../support/cards/network.ts';
import { appForTests } from '../support/server/test-app.ts';

const app = appForTests();
let emboss: Emboss;
let cardId: string;
let secret: string;

beforeAll(async () => {
  emboss = createEmboss({ apiKey: app.key, baseUrl: app.url });
  ({ id: cardId } = await createCard(app));
  const endpoint = await emboss.decisionEndpoints.put('authorization', { url: 'http://127.0.0.1:9/' });
  if (endpoint.secret === undefined) throw new Error('the endpoint is not new');
  ({ secret } = endpoint);
  await setTerms(app, app, { authorization_mode: 'REAL_TIME' });
});

/** What a merchant does with a request: the types narrow its data. */
function decide(question: DecisionRequests['authorization']): DecisionAnswer | BalanceAnswer {
  if (question.eventName === 'balance.request') {
    expectTypeOf(question.data.type).toEqualTypeOf<'BALANCE_INQUIRY'>();
    return decisions.balance(question.data.external_customer_id === 'customer-42' ? '77.05' : '0.00');
  }
  const { data } = question;
  if (data.merchant?.mcc === '7995') return decisions.decline('merchant_not_allowed', { reference: 'ref-1' });
  if (data.partial_approval_allowed)
    return decisions.approve({ approvedAmount: '4.00', metadata: { shelf: '3' } });
  return data.hold_amount === '13.00' ? decisions.decline() : decisions.approve({ reference: 'ref-2' });
}

/** Servers as integrators write them. Each gives the question to `decide` and sends its answer. */
interface Merchant {
  listen(): Promise<string>;
  close(): Promise<unknown>;
}
type Handle = (request: SignedRequest) => Promise<DecisionAnswer | BalanceAnswer>;

const node = (handle: Handle, requestOf: (request: IncomingMessage) => Promise<SignedRequest>): Merchant => {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const answer = await handle(await requestOf(request));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    } catch (error) {
      response.writeHead(error instanceof WebhookError ? 401 : 500).end(String(error));
    }
  };
  const server: Server = createServer((request, response) => void respond(request, response));
  return {
    listen: async () => {
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

function fastify(handle: Handle): Merchant {
  const server = Fastify();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  server.post('/', (request) => handle(request));
  return { listen: () => server.listen({ port: 0, host: '127.0.0.1' }), close: () => server.close() };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

const SERVERS: Record<string, (handle: Handle) => Merchant> = {
  'the request of Node’s http': (handle) => node(handle, async (request) => request),
  'raw text and headers': (handle) =>
    node(handle, async (request) => ({ headers: request.headers, body: await textOf(request) })),
  // As `express.raw()` and other parsers leave it: the request has its bytes as `body`.
  'a request with its bytes as body': (handle) =>
    node(handle, async (request) => Object.assign(request, { body: Buffer.from(await textOf(request)) })),
  'a request of fetch': (handle) =>
    node(handle, async (request) => {
      const headers = new Headers(request.headers as Record<string, string>);
      return new Request('http://merchant.example/', {
        method: 'POST',
        headers,
        body: await textOf(request),
      });
    }),
  'Fastify with a raw body': fastify,
};

describe.each(Object.keys(SERVERS))('%s', (kind) => {
  test('verifies real questions, and the answers decide', async () => {
    const requests: Array<DecisionRequests['authorization']> = [];
    const merchant = (SERVERS[kind] as (handle: Handle) => Merchant)(async (request) => {
      const question = await decisions.handle(request, secret);
      requests.push(question);
      return decide(question);
    });
    const moved = await emboss.decisionEndpoints.put('authorization', { url: await merchant.listen() });
    // Another port: another secret.
    expect(moved.secret).not.toBe(secret);
    secret = moved.secret ?? '';
    const pay = async (amount: string, more: object = {}) => {
      const { transaction_id, ...answer } = await emboss.sandbox.authorize({
        card_id: cardId,
        amount,
        ...more,
      });
      const { decision } = await emboss.transactions.get(String(transaction_id));
      return { ...answer, decision };
    };
    expect(await pay('12.50', { external_transaction_id: `${kind} 1` })).toMatchObject({
      approved: true,
      decision: { source: 'merchant', outcome: 'approved', reference: 'ref-2', metadata: null },
    });
    expect(requests).toMatchObject([
      {
        eventType: 'decision',
        eventName: 'authorization.request',
        data: { external_transaction_id: `${kind} 1`, card_id: cardId, external_customer_id: 'customer-42' },
      },
    ]);
    expect(await pay('10.00', { partial_approval: true })).toMatchObject({
      approved: true,
      bill_amount: '4.00',
      decision: { metadata: { shelf: '3' } },
    });
    expect(await pay('1.00', { merchant: { mcc: '7995' } })).toMatchObject({
      decline_reason: 'program_merchant',
      decision: { outcome: 'declined', reason: 'merchant_not_allowed', reference: 'ref-1' },
    });
    expect(await pay('13.00')).toMatchObject({ decline_reason: 'program_declined' });
    const inquiry = await emboss.sandbox.authorize({ card_id: cardId, type: 'BALANCE_INQUIRY' });
    expect(inquiry).toMatchObject({ approved: true, available_amount: '77.05' });
    for (const eventName of ['authorization.request', 'balance.request'] as const)
      expect(await emboss.decisionEndpoints.test('authorization', { eventName })).toMatchObject({
        outcome: 'approved',
      });
    await merchant.close();
  });
});

test('decides on authentications and sends one-time passwords; a throw means not sent', async () => {
  const secrets = new Map<string, string>();
  const secretOf = (kind: string) => secrets.get(kind) as string;
  const codes: string[] = [];
  const decider = node(
    async (request) => {
      const { data } = await decisions.handle(request, secretOf('authentication'), {
        kind: 'authentication',
      });
      return (
        data.merchant.mcc === '7995' ? decisions.decline() : decisions.challenge({ reference: 'r' })
      ) as never;
    },
    async (request) => request,
  );
  const sender = node(
    async (request) => {
      const { data } = await decisions.handle(request, secretOf('otp'), { kind: 'otp' });
      expectTypeOf(data.purpose).toEqualTypeOf<'3ds' | 'wallet'>();
      if (data.amount === '13.00') throw new Error('the SMS provider is down');
      codes.push(data.otp);
      return {} as never;
    },
    async (request) => request,
  );
  for (const [kind, server] of [
    ['authentication', decider],
    ['otp', sender],
  ] as const) {
    const endpoint = await emboss.decisionEndpoints.put(kind, { url: await server.listen() });
    if (endpoint.secret) secrets.set(kind, endpoint.secret);
  }
  const network = createEmboss({ networkKey: app.networkKey, baseUrl: app.url }).network;
  const { cardNumber } = await credentialsOf(app, cardId);
  const authenticate = (authentication_id: string, amount: string, mcc = '5814') =>
    network.authenticate({
      authentication_id,
      card_number: cardNumber,
      amount,
      currency: 'EUR',
      merchant: { ...MERCHANT, mcc },
      device_channel: 'BROWSER',
      category: 'PAYMENT',
      challenge: 'NO_PREFERENCE',
    });
  expect(await authenticate('sdk-1', '12.50')).toMatchObject({ status: 'CHALLENGE', method: 'OTP' });
  expect(await network.attemptOtp('sdk-1', { otp: codes[0] as string })).toMatchObject({ trans_status: 'Y' });
  expect(await authenticate('sdk-2', '13.00')).toMatchObject({
    status: 'UNAVAILABLE',
    reason: 'send_failed',
  });
  expect(await authenticate('sdk-3', '1.00', '7995')).toMatchObject({ reason: 'declined_by_program' });
  for (const [kind, outcome] of [
    ['authentication', 'challenged'],
    ['otp', 'sent'],
  ] as const)
    expect(await emboss.decisionEndpoints.test(kind)).toMatchObject({ outcome });
  await Promise.all([decider.close(), sender.close()]);
});

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const QUESTION = JSON.stringify({ eventType: 'decision', eventName: 'authorization.request', data: {} });

function signed(body: string, sent = new Date()) {
  const headers: Record<string, string> = {
    'webhook-id': 'question-1',
    'webhook-timestamp': String(Math.floor(sent.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign('question-1', sent, body),
  };
  return { headers, body };
}

test('what the published library signs is accepted, with the old and the new secret', async () => {
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  for (const secrets of [SECRET, [other, SECRET]])
    expect(await decisions.handle(signed(QUESTION), secrets)).toEqual(JSON.parse(QUESTION));
  await expect(decisions.handle(signed(QUESTION), other)).rejects.toThrow(WebhookError);
});

const OLD = new Date(Date.now() - 6 * 60_000);
test.each<[string, SignedRequest, string]>([
  ['another body', { ...signed(QUESTION), body: QUESTION.replace('{}', '{"a":1}') }, 'webhook-signature'],
  ['too old', signed(QUESTION, OLD), 'webhook-timestamp'],
  ['unsigned', { headers: {}, body: QUESTION }, 'webhook-id'],
  [
    'an event',
    signed(JSON.stringify({ eventType: 'card', eventName: 'card.frozen' })),
    'body: the signature',
  ],
  [
    'of another kind',
    signed(QUESTION.replace('authorization', 'otp')),
    'not the request of kind authorization',
  ],
  ['not an object', signed('null'), 'body: the signature'],
  ['too long', { headers: {}, body: new Blob(['x'.repeat(70_000)]).stream() }, 'body: must be at most'],
])('refused with a WebhookError: %s', async (_name, request, words) => {
  const refused = await decisions.handle(request, SECRET).catch((error) => error);
  expect(refused).toBeInstanceOf(WebhookError);
  expect(refused.message).toContain(words);
});

test('a parsed body is an error in the receiver’s code: a TypeError', async () => {
  for (const body of [JSON.parse(QUESTION), {}, 7, undefined])
    await expect(decisions.handle({ ...signed(QUESTION), body }, SECRET)).rejects.toThrow(
      /^body: must be the raw request body/,
    );
  await expect(decisions.handle(signed(QUESTION), '')).rejects.toThrow(TypeError);
});

test('answers are plain objects without empty fields', () => {
  expect([decisions.approve(), decisions.decline()]).toEqual([
    { decision: 'APPROVE' },
    { decision: 'DECLINE' },
  ]);
  const all = { reference: 'r', metadata: { a: 'b' } };
  expect(decisions.approve({ approvedAmount: '1.00', ...all })).toEqual({
    decision: 'APPROVE',
    approved_amount: '1.00',
    ...all,
  });
  expect(decisions.balance('-1.50')).toEqual({ available_amount: '-1.50' });
  expect(decisions.decline('too late at night', all)).toEqual({
    decision: 'DECLINE',
    reason: 'too late at night',
    ...all,
  });
  expectTypeOf(decisions.decline).parameter(0).toExtend<string | undefined>();
});
