import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { recordEvent } from '../../../src/events/journal.ts';
import { CARDS, createCard } from '../../support/cards/cards.ts';
import { SOON } from '../../support/scripts/soon.ts';
import { appForTests, startTestApp } from '../../support/server/test-app.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/webhook-receiver.ts';
import {
  addEndpoint,
  deliver,
  ENDPOINTS,
  keptSecrets,
  makeDue,
  verifies,
} from '../../support/webhooks/webhooks.ts';

const app = appForTests();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
afterEach(() => app.sql("update webhook_endpoints set status = 'REMOVED'"));

const ID = /^[0-9a-f-]{36}$/;
const list = async (owner: { key: string } = app) =>
  (await app.call('GET', ENDPOINTS, { key: owner.key })).body.webhookEndpoints;

describe('a webhook endpoint', () => {
  test('is added with a secret that is shown once', async () => {
    const { body, status, headers } = await app.call('POST', ENDPOINTS, {
      body: { url: 'https://shop.example/hooks' },
    });
    expect([status, headers.get('cache-control'), body]).toEqual([
      201,
      'no-store',
      {
        id: expect.stringMatching(ID),
        url: 'https://shop.example/hooks',
        eventTypes: null,
        status: 'ENABLED',
        statusReason: null,
        created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/),
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    ]);
    const { secret, ...shown } = body;
    expect(await list()).toEqual([shown]);
    expect((await app.call('GET', `${ENDPOINTS}${body.id}/`)).body).toEqual(shown);
    const stored = await app.sql('select * from webhook_endpoints');
    const audited = await app.sql("select * from audit_entries where action like 'webhook%'");
    for (const text of [JSON.stringify(stored), JSON.stringify(audited)])
      expect(text).not.toContain(secret.slice(6, 20));
    expect(audited).toHaveLength(1);
  });

  test('stores its event types, each once', async () => {
    const { id } = await addEndpoint(app, receiver.url, ['card', 'files', 'card']);
    expect((await app.call('GET', `${ENDPOINTS}${id}/`)).body.eventTypes).toEqual(['card', 'files']);
  });

  test.each([
    [{}, 'url: is required'],
    [{ url: 5 }, 'url: must be a string'],
    [{ url: '' }, 'url: must not be empty'],
    [{ url: 'ftp://shop.example' }, 'url: must be an absolute URL, such as https://example.com/webhooks'],
    [{ url: 'https://a:b@shop.example' }, 'url: must not contain a user name or password'],
    [{ url: 'https://shop.example', eventTypes: [] }, 'eventTypes: must not be empty'],
    [
      { url: 'https://shop.example', eventTypes: ['cards'] },
      'eventTypes[0]: must be one of card, transaction, files, settlement, account, security, decision, rule, card_batch, authentication',
    ],
    [{ url: 'https://shop.example', eventTypes: 'card' }, 'eventTypes: must be a list or null'],
  ])('%j is refused with a 400 that names the field', async (body, message) => {
    const answer = await app.call('POST', ENDPOINTS, { body });
    expect([answer.status, answer.body.code, answer.body.status]).toEqual([400, 400, 'failed']);
    expect(answer.body.message).toBe(message);
    expect(await list()).toEqual([]);
  });

  test('is limited to five per program, also with concurrent requests', async () => {
    const urls = Array.from({ length: 9 }, (_, n) => `https://shop.example/${n}`);
    const answers = await Promise.all(urls.map((url) => app.call('POST', ENDPOINTS, { body: { url } })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.find(({ status }) => status === 400)?.body.message).toBe(
      'url: a program can have at most 5 webhook endpoints',
    );
    const [first] = await list();
    expect((await app.call('DELETE', `${ENDPOINTS}${first.id}/`)).status).toBe(200);
    expect((await app.call('POST', ENDPOINTS, { body: { url: urls[0] } })).status).toBe(201);
  });

  test('whose secret is rotated returns the new secret once', async () => {
    const { id, secret } = await addEndpoint(app, receiver.url);
    const { body, headers } = await app.call('POST', `${ENDPOINTS}${id}/rotate-secret/`);
    expect(body.secret).toMatch(/^whsec_/);
    expect(body.secret).not.toBe(secret);
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await app.call('GET', `${ENDPOINTS}${id}/`)).body.secret).toBeUndefined();
  });

  test('is changed, paused and resumed; what happens meanwhile waits and then goes to the new URL', async () => {
    const worker = deliver(app);
    try {
      const { id, secret } = await addEndpoint(app, 'http://127.0.0.1:9/gone', ['files']);
      const at = `${ENDPOINTS}${id}/`;
      const change = async (body: object) => (await app.call('PUT', at, { body })).body;
      const wanted = { url: receiver.url, eventTypes: ['card', 'card'], paused: true };
      expect(await change(wanted)).toMatchObject({ id, eventTypes: ['card'], status: 'PAUSED' });
      const card = await createCard(app);
      // The worker has seen an event that is due for another endpoint: it would have sent the paused one's too.
      const other = await startReceiver();
      await addEndpoint(app, other.url, ['card']);
      await app.call('PUT', `${CARDS}${card.id}/freeze/`, { body: { freeze: true } });
      await other.until(1);
      await other.close();
      expect(receiver.received).toEqual([]);
      const failing = () =>
        app.sql('select from webhook_endpoints where id = $1 and failing_since is not null', [id]);
      await app.sql('update webhook_endpoints set failing_since = now() where id = $1', [id]);
      expect(await failing()).toHaveLength(1);
      // Deliveries wait for their time, so that no success resets the count.
      await app.sql(
        "update webhook_deliveries set due_at = now() + interval '1 hour' where endpoint_id = $1",
        [id],
      );
      expect(await change({ ...wanted, paused: false })).toMatchObject({ status: 'ENABLED' });
      expect(await failing()).toHaveLength(0);
      await makeDue(app);
      const arrived = await receiver.until(2);
      expect(arrived.map(({ body }) => body.eventName).sort()).toEqual(['card.created', 'card.frozen']);
      expect(arrived.every((got) => verifies(got, secret))).toBe(true);
      for (const [body, message] of [
        [{ ...wanted, url: 'ftp://a' }, 'url: must be an absolute URL'],
        [{ ...wanted, eventTypes: [] }, 'eventTypes: must not be empty'],
        [{ url: receiver.url, eventTypes: null }, 'paused: is required'],
      ] as const)
        expect((await change(body)).message).toContain(message);
      await app.sql("update webhook_endpoints set status = 'DISABLED'");
      expect((await change(wanted)).message).toMatch(/^paused: must be false while the endpoint is disabled/);
      expect(await change({ ...wanted, paused: false })).toMatchObject({ status: 'DISABLED' });
      const actions = await app.sql(
        "select count(*)::int from audit_entries where action = 'webhook_endpoint.changed'",
      );
      expect(actions).toEqual([{ count: 3 }]);
    } finally {
      await worker.stop();
    }
  });

  test('that was removed does not exist any more', async () => {
    const { id } = await addEndpoint(app, receiver.url);
    expect((await app.call('DELETE', `${ENDPOINTS}${id}/`)).body).toEqual({
      message: 'Webhook endpoint removed',
    });
    expect((await app.call('DELETE', `${ENDPOINTS}${id}/`)).status).toBe(404);
    expect(await list()).toEqual([]);
  });

  test('keeps no secret that signs no more: after two rotations, and after the removal', async () => {
    const owner = await app.addProgram();
    const { id } = await addEndpoint(app, receiver.url, undefined, owner);
    const call = async (method: string, rest = '') =>
      (await app.call(method, `${ENDPOINTS}${id}/${rest}`, { key: owner.key })).body;
    const secrets = [await call('POST', 'rotate-secret/'), await call('POST', 'rotate-secret/')];
    expect(await keptSecrets(app, owner.program.id)).toEqual(secrets.map(({ secret }) => secret));
    await call('DELETE');
    expect(await keptSecrets(app, owner.program.id)).toEqual([]);
  });
});

describe('in a live program', () => {
  test.each([
    'http://shop.example/hooks',
    'https://localhost/hooks',
    'https://127.0.0.1/',
    'https://0x7f000001/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
  ])('%s is refused', async (url) => {
    const live = await app.addProgram({ mode: 'live', bin: '400011' });
    const answer = await app.call('POST', ENDPOINTS, { body: { url }, key: live.key });
    expect([answer.status, answer.body.message.slice(0, 4)]).toEqual([400, 'url:']);
  });

  test('a test and a delivery go to a public address only, whatever the row of the endpoint says', async () => {
    const live = await app.addProgram({ mode: 'live', bin: '400011' });
    const { id } = await addEndpoint(app, 'https://hooks.example/', undefined, live);
    await app.sql('update webhook_endpoints set url = $2 where id = $1', [id, receiver.url]);
    const before = receiver.received.length;
    const { body } = await app.call('POST', `${ENDPOINTS}${id}/test/`, { key: live.key });
    expect(body).toMatchObject({ delivered: false, error: 'address not allowed' });
    await app.db.transaction(async (tx) =>
      recordEvent(tx, {
        ...{ programId: live.program.id, eventType: 'account', eventName: 'account.low_balance' },
        ...{ cardId: null, cardSequence: null, data: {}, nowMs: Date.now() },
      }),
    );
    const worker = deliver(app);
    const errors = () => app.sql('select error from webhook_attempts where endpoint_id = $1', [id]);
    await vi.waitFor(async () => expect(await errors()).toEqual([{ error: 'address not allowed' }]), SOON);
    await worker.stop();
    expect(receiver.received).toHaveLength(before);
  });
});

describe('a test', () => {
  test('sends one signed event immediately and returns the result, without the bytes of the response', async () => {
    const { id } = await addEndpoint(app, receiver.url);
    const before = receiver.received.length;
    const { status, body } = await app.call('POST', `${ENDPOINTS}${id}/test/`);
    expect([status, body]).toEqual([
      200,
      {
        delivered: true,
        eventId: expect.stringMatching(ID),
        statusCode: 200,
        error: null,
        durationMs: expect.any(Number),
      },
    ]);
    const [got] = receiver.received.slice(before);
    expect(got?.body).toMatchObject({ eventType: 'test', eventName: 'test', eventId: body.eventId });
    expect(got?.headers['webhook-id']).toBe(body.eventId);
  });

  test('in progress does not delay a server that stops', async () => {
    const [stopping, silent] = await Promise.all([startTestApp(), startReceiver(() => {})]);
    const { id } = await addEndpoint(stopping, silent.url);
    const answer = stopping.call('POST', `${ENDPOINTS}${id}/test/`);
    await silent.until(1);
    await stopping.close();
    expect((await answer).body).toMatchObject({ code: 503, message: 'The server is stopping; retry' });
    await silent.close();
  });

  test('of a server that cannot be reached says so', async () => {
    const gone = await startReceiver();
    await gone.close();
    const { id } = await addEndpoint(app, gone.url);
    const { body } = await app.call('POST', `${ENDPOINTS}${id}/test/`);
    expect(body).toMatchObject({ delivered: false, statusCode: null, error: 'connection refused' });
  });
});
