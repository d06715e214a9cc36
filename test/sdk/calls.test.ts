import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CreateCardRequest,
  createEmboss,
  type Emboss,
  type EmbossError,
  isEmbossError,
} from '../../sdk/src/index.ts';
import { consumerCard } from '../support/cards/cards.ts';
import { PAST_DAY } from '../support/reports/reports.ts';
import { appForTests } from '../support/server/test-app.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/webhooks/faulty-proxy.ts';

const cardOf = (customer: string): CreateCardRequest =>
  consumerCard({
    meta: { id: customer, otpPhoneNumber: { dialCode: 44, phoneNumber: '7700900123' } },
  }) as CreateCardRequest;

const app = appForTests();
let proxy: FaultyProxy;
let emboss: Emboss;

beforeAll(async () => {
  proxy = await startFaultyProxy(app.url);
  emboss = createEmboss({ apiKey: app.key, networkKey: app.networkKey, baseUrl: proxy.url });
});
afterAll(() => proxy.close());

const failureOf = async (call: Promise<unknown>): Promise<EmbossError> => {
  const error = await call.then(
    () => undefined,
    (reason) => reason,
  );
  if (!isEmbossError(error)) throw new Error('it should have failed', { cause: error });
  return error;
};

async function cardsOf(customer: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const card of emboss.cards.list()) if (card.externalCustomerId === customer) ids.push(card.id);
  return ids;
}

test('every call on a card works', async () => {
  proxy.plan();
  const card = await emboss.cards.create(cardOf('life'));
  const { cardNumber, cvv, expiryDate } = await emboss.cards.credentials(card.id);
  expect(cardNumber.endsWith(card.lastFour)).toBe(true);
  const merchant = { id: 'm-1', name: 'Corner Coffee', mcc: '5814', city: 'London', country: 'GB' };
  const payment = {
    card_number: cardNumber,
    cvv,
    expiry: expiryDate.slice(0, 7),
    channel: 'POS',
    merchant,
  } as const;
  const money = { amount: '12.50', currency: 'EUR' };
  const approved = await emboss.network.authorize({
    external_transaction_id: 'life-1',
    ...payment,
    ...money,
  });
  expect(approved).toMatchObject({ approved: true, status: 'PENDING', decline_reason: null });
  await emboss.sandbox.clear({ transaction_id: approved.transaction_id as string });
  expect((await emboss.cards.get(card.id)).availableCredit).toBe(237.5);
  await emboss.cards.freeze(card.id, { freeze: true });
  const declined = await emboss.sandbox.authorize({ card_id: card.id, amount: '1.00' });
  expect(declined.decline_reason).toBe('card_frozen');
  await emboss.cards.block(card.id, { reason: 'stolen' });
  const refused = await failureOf(emboss.cards.freeze(card.id, { freeze: false }));
  expect(refused).toMatchObject({ status: 400, code: 43, cardState: 'stolen', outcomeUnknown: false });
});

test('messages of the network have the fields of advices, reversals, credits and their data', async () => {
  proxy.plan();
  const card = await emboss.cards.create(cardOf('messages'));
  const { transaction_id } = await emboss.sandbox.authorize({
    card_id: card.id,
    amount: '20.00',
    external_transaction_id: 'sdk-1',
    stand_in: { approved: true },
    advice_id: 'adv-1',
    initiator: 'MERCHANT',
    exemption: 'LOW_VALUE',
    pre_authorization: true,
  });
  const purchase = { transaction_id: transaction_id as string };
  const { increment_id } = await emboss.sandbox.increment({ ...purchase, amount: '5.00' });
  await emboss.sandbox.reverse({ ...purchase, increment_id, amount: '2.00', currency: 'EUR' });
  const timedOut = await emboss.network.reverse({
    reversal_id: 'rev-1',
    external_transaction_id: 'sdk-1',
    reason: 'TIMEOUT',
  });
  expect(timedOut.bill_amount).toBe('0.00');
  await emboss.sandbox.clear({
    ...purchase,
    arn: 'arn-1',
    settlement_date: '2026-11-17',
    interchange_amount: '-0.10',
  });
  const { flags, network, held_amount, decision } = await emboss.transactions.get(purchase.transaction_id);
  expect([flags, held_amount, decision?.source]).toEqual([[], '0.00', 'network']);
  expect(network).toEqual({
    initiator: 'MERCHANT',
    exemption: 'LOW_VALUE',
    pre_authorization: true,
    arn: 'arn-1',
    settlement_date: '2026-11-17',
    interchange_amount: '-0.10',
  });
  const credit = await emboss.sandbox.authorize({ card_id: card.id, amount: '3.00', type: 'CREDIT' });
  const refund = await emboss.sandbox.refund({ transaction_id: credit.transaction_id as string });
  expect(refund).toMatchObject({ transaction_id: credit.transaction_id, status: 'CLEARED' });
});

describe('an error', () => {
  test('has status, code, message, field and the id of the request', async () => {
    const error = await failureOf(emboss.cards.create({ ...cardOf('unknown'), cardType: 'paper' as never }));
    expect(error).toMatchObject({ name: 'EmbossError', status: 400, code: 400, field: 'cardType' });
    expect(error.message).toBe('cardType: must be one of physical, virtual');
    expect(error.requestId).toMatch(/^req_/);
  });

  test('for a missing record is identified by its code, for a card and for a design', async () => {
    expect((await failureOf(emboss.cards.get('nothing'))).isNotFound).toBe(true);
    expect(await failureOf(emboss.designs.get('nothing'))).toMatchObject({ status: 400, isNotFound: true });
  });

  test('for an unknown path is not a missing record', async () => {
    const astray = createEmboss({ apiKey: app.key, baseUrl: `${app.url}/elsewhere` });
    const error = await failureOf(astray.cards.get('nothing'));
    expect(error).toMatchObject({ status: 404, message: 'No such path', isNotFound: false });
  });

  test('for a wrong key is a 401', async () => {
    const unauthorized = createEmboss({ apiKey: 'an unknown key', baseUrl: app.url });
    expect((await failureOf(unauthorized.cards.list().page())).isUnauthorized).toBe(true);
  });

  test('for a missing key or id is thrown before anything is sent', async () => {
    proxy.plan();
    const keyless = createEmboss({ baseUrl: proxy.url });
    await expect(keyless.cards.get('x')).rejects.toThrow(/^apiKey: is required/);
    for (const id of ['', '.', '..'])
      await expect(emboss.cards.get(id)).rejects.toThrow('id: must not be empty');
    expect(proxy.seen).toEqual([]);
    expect(await keyless.health.live()).toEqual({ status: 'ok' });
  });

  test.each(['emboss_…', 'a key\n', ' a key', 'a\tkey', 'a\u0000key'])(
    'for a text that a header cannot contain is thrown immediately: %j',
    async (text) => {
      proxy.plan();
      expect(() => createEmboss({ apiKey: text, baseUrl: proxy.url })).toThrow(/^apiKey: must be printable/);
      expect(() => createEmboss({ networkKey: text, baseUrl: proxy.url })).toThrow(TypeError);
      const call = emboss.cards.create(cardOf('unknown'), { idempotencyKey: text });
      await expect(call).rejects.toThrow(TypeError);
      await expect(call).rejects.toThrow(/^idempotencyKey: must be printable/);
      expect(proxy.seen).toEqual([]);
    },
  );

  test('an empty Idempotency-Key is an error immediately', async () => {
    proxy.plan();
    const call = emboss.cards.create(cardOf('unknown'), { idempotencyKey: '' });
    await expect(call).rejects.toThrow(/^idempotencyKey/);
    expect(proxy.seen).toEqual([]);
  });
});

describe('a request is repeated', () => {
  test('with the same Idempotency-Key, and creates one card although the response was lost twice', async () => {
    proxy.plan('lose answer', 'lose answer');
    const card = await emboss.cards.create(cardOf('lost-answers'));
    expect(await cardsOf('lost-answers')).toEqual([card.id]);
    const keys = proxy.seen
      .filter(({ method }) => method === 'POST')
      .map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
  });

  test('with the caller’s own key, also in another call', async () => {
    proxy.plan();
    const create = () => emboss.cards.create(cardOf('own-key'), { idempotencyKey: 'order-7' });
    const [first, second] = [await create(), await create()];
    expect(second).toEqual(first);
    expect(await cardsOf('own-key')).toEqual([first.id]);
  });

  test.each<[string, (cardId: string) => Promise<unknown>]>([
    ['GET', (cardId) => emboss.cards.get(cardId)],
    ['a list', () => emboss.cards.list().page()],
    ['freeze', (cardId) => emboss.cards.freeze(cardId, { freeze: true })],
    ['adjustment', (cardId) => emboss.cards.adjustBalance(cardId, { amount: 10, reference: 'one' })],
    ['reissue', (cardId) => emboss.cards.reissue(cardId, {})],
    [
      'a swipe with an id',
      (cardId) =>
        emboss.sandbox.authorize({
          card_id: cardId,
          amount: '1.00',
          external_transaction_id: `swipe-${cardId}`,
        }),
    ],
  ])('after a lost response and a bad gateway: %s', async (_name, call) => {
    proxy.plan();
    const { id } = await emboss.cards.create(cardOf('repeated'));
    proxy.plan('lose answer', { status: 502, body: '<html>' });
    await call(id);
    expect(proxy.seen).toHaveLength(3);
  });

  test('a sandbox purchase without an id of its own moves the money once', async () => {
    proxy.plan();
    const { id } = await emboss.cards.create(cardOf('swiped'));
    proxy.plan('lose answer');
    const answer = await emboss.sandbox.authorize({ card_id: id, amount: '1.00' });
    expect([answer.approved, proxy.seen.length]).toEqual([true, 2]);
    expect((await emboss.cards.get(id)).availableCredit).toBe(249);
  });

  test('for any call after a 429, and not before the requested time', async () => {
    const busy = {
      status: 429,
      headers: { 'retry-after': '1' },
      body: '{"code":429,"message":"Slow down","status":"failed"}',
    };
    proxy.plan(busy);
    const began = performance.now();
    await emboss.sandbox.moveClock({ advance_seconds: 0 });
    expect(performance.now() - began).toBeGreaterThan(990);
    expect(proxy.seen).toHaveLength(2);
  });
});

describe('a request is not repeated', () => {
  test('if the server could not recognise the repeat', async () => {
    proxy.plan('lose answer');
    const move = emboss.sandbox.moveClock({ advance_seconds: 1 });
    expect(await failureOf(move)).toMatchObject({ status: null, outcomeUnknown: true });
    expect(proxy.seen).toHaveLength(1);
  });

  test('if it was refused permanently', async () => {
    proxy.plan();
    await failureOf(emboss.cards.get('nothing'));
    expect(proxy.seen).toHaveLength(1);
  });

  test('more often than maxRetries, and then the last failure is thrown', async () => {
    const gone = {
      status: 503,
      body: '{"code":503,"message":"The database is unavailable; retry","status":"failed"}',
    };
    proxy.plan(gone, gone, gone);
    const error = await failureOf(emboss.cards.list({}, { maxRetries: 1 }).page());
    expect(error).toMatchObject({ status: 503, message: 'The database is unavailable; retry' });
    expect(proxy.seen).toHaveLength(2);
  });

  test('after the caller aborted it', async () => {
    proxy.plan('cut', 'cut', 'cut', 'cut');
    const reason = new Error('enough');
    const signal = AbortSignal.timeout(50);
    const call = emboss.cards.list({}, { signal }).page();
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(emboss.cards.get('x', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(proxy.seen.length).toBeLessThan(4);
  });
});

test('a call to a server that does not respond fails after the time limit', async () => {
  const silent = createEmboss({
    apiKey: app.key,
    baseUrl: app.url,
    timeoutMs: 50,
    maxRetries: 0,
    fetch: (_url, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))),
  });
  expect((await failureOf(silent.cards.get('x'))).message).toBe('No response within 50 ms');
});

test.each([0, Number.POSITIVE_INFINITY, 2 ** 40])('a time limit of %s means no limit', async (timeoutMs) => {
  proxy.plan();
  const patient = createEmboss({ baseUrl: proxy.url, timeoutMs, maxRetries: 0 });
  expect(await patient.health.live()).toEqual({ status: 'ok' });
});

test.each([-1, Number.NaN])('a time limit of %s is an error', async (timeoutMs) => {
  await expect(emboss.health.live({ timeoutMs })).rejects.toThrow(/^timeoutMs: must be/);
});

test('a server that is not Emboss is reported as such', async () => {
  proxy.plan({ status: 200, body: '<html>Welcome</html>' });
  expect((await failureOf(emboss.cards.get('x'))).message).toMatch(/not JSON; check that baseUrl/);
});

describe('the key', () => {
  test('does not follow a redirect', async () => {
    const elsewhere = await startFaultyProxy(app.url);
    proxy.plan({ status: 307, headers: { location: `${elsewhere.url}/api/v1/merchant/cards/` } });
    const error = await failureOf(emboss.cards.list().page());
    expect(error).toMatchObject({ status: 307, message: expect.stringContaining('redirect') });
    expect(elsewhere.seen).toEqual([]);
    await elsewhere.close();
  });

  test('is not in what is printed or serialised', async () => {
    const shown = inspect(emboss, { depth: 9, showHidden: true }) + JSON.stringify(emboss);
    const error = await failureOf(emboss.cards.get('nothing'));
    for (const text of [shown, inspect(error), JSON.stringify(error)]) expect(text).not.toContain(app.key);
  });
});

test('a report that is not ready in time is an error, and can be opened later', async () => {
  proxy.plan();
  // No worker generates reports here.
  const waiting = emboss.reports.download('daily', PAST_DAY, { waitMs: 300 });
  await expect(waiting).rejects.toThrow(/^The report [\w-]{36} is not ready yet; open it later$/);
});

test.each(['/api/v1', '/api/v1/', '/api/v1/merchant', '/api/v1/merchant/', '/', ''])(
  'a base URL may end in "%s"',
  async (end) => {
    const copied = createEmboss({ apiKey: app.key, baseUrl: app.url + end });
    expect(copied.client.baseUrl).toBe(app.url);
    await copied.cards.list().page();
  },
);

test('a base URL may have a path', async () => {
  const seen: string[] = [];
  const behind = createEmboss({
    apiKey: 'any',
    baseUrl: 'https://example.com/cards-api/',
    fetch: async (url) => {
      seen.push(url as string);
      return Response.json({ status: 'ok' });
    },
  });
  await behind.health.live();
  expect(seen).toEqual(['https://example.com/cards-api/health/live']);
  expect(() => createEmboss({ apiKey: 'any', baseUrl: 'file:///etc' })).toThrow(/http/);
});
