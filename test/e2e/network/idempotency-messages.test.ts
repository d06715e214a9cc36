import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { retrieve } from '../../support/cards/card-states.ts';
import { CARDS, consumerCard, createCard, rowsWritten } from '../../support/cards/cards.ts';
import { swipe } from '../../support/cards/swipe.ts';
import { eventually } from '../../support/scripts/eventually.ts';
import { freePort } from '../../support/server/free-port.ts';
import { endAll, startServerProcess } from '../../support/server/server-process.ts';
import { type Answer, appForTests, type TestApp } from '../../support/server/test-app.ts';
import { ENDPOINTS } from '../../support/webhooks/webhooks.ts';

/** Two processes on one database. */
const masterKey = randomBytes(32).toString('base64');
const app = appForTests({ masterKey });
const second = appForTests(() => ({ masterKey, databaseUrl: app.databaseUrl }));
afterAll(endAll);

interface Sent {
  on?: TestApp;
  key?: string;
}
const send = (path: string, body: object, idempotencyKey: string, sent: Sent = {}) => {
  const { on = app, key = app.key } = sent;
  const method = path.endsWith('/replace/') ? 'PUT' : 'POST';
  return on.call(method, path, { body, key, headers: { 'idempotency-key': idempotencyKey } });
};
const replayed = (answer: Answer) => answer.headers.get('idempotent-replayed');
const creditOf = async (cardId: string): Promise<number> => (await retrieve(app, cardId)).availableCredit;
const CONFLICT = {
  code: 409,
  message: 'Idempotency-Key: was already used with a different request',
  status: 'failed',
};
const SANDBOX = '/api/v1/sandbox/';

/** Each operation with a body that succeeds as often as it is sent without a key, and one that differs from it. */
interface Case {
  path: string;
  body: object;
  other: object;
}
const purchase = async (): Promise<string> => {
  const { id } = await createCard(app, { spendLimit: 1000 });
  return (await swipe(app, id, '50.00')).transaction_id;
};
const CASES: Record<string, () => Promise<Case>> = {
  authorizations: async () => {
    const body = { card_id: (await createCard(app)).id, amount: '10.00' };
    return { path: `${SANDBOX}authorizations/`, body, other: { ...body, amount: '10.01' } };
  },
  increments: async () => {
    const body = { transaction_id: await purchase(), amount: '5.00' };
    return { path: `${SANDBOX}increments/`, body, other: { ...body, amount: '6.00' } };
  },
  clearings: async () => {
    const body = { transaction_id: await purchase() };
    return { path: `${SANDBOX}clearings/`, body, other: { ...body, amount: '50.00' } };
  },
  reversals: async () => {
    const body = { transaction_id: await purchase(), bill_amount: '10.00' };
    return { path: `${SANDBOX}reversals/`, body, other: { ...body, bill_amount: '11.00' } };
  },
  refunds: async () => {
    const transaction_id = await purchase();
    await app.call('POST', `${SANDBOX}clearings/`, { body: { transaction_id } });
    const body = { transaction_id, amount: '3.00' };
    return { path: `${SANDBOX}refunds/`, body, other: { ...body, amount: '4.00' } };
  },
  'kyc-applicants': async () => {
    const body = { kycApplicantId: randomUUID(), customerType: 'Consumer', kyc: { firstName: 'Ada' } };
    return { path: `${SANDBOX}kyc-applicants/`, body, other: { ...body, kyc: { firstName: 'Eve' } } };
  },
  cards: async () => ({ path: CARDS, body: consumerCard(), other: consumerCard({ spendLimit: 251 }) }),
  replace: async () => {
    const path = `${CARDS}${(await createCard(app)).id}/replace/`;
    return { path, body: {}, other: { renewOption: 'CALCULATE_NEW_EXPIRY_DATE' } };
  },
  'balance-adjustments': async () => {
    const body = { amount: 1, reference: 'r' };
    const path = `${CARDS}${(await createCard(app)).id}/balance-adjustments/`;
    return { path, body, other: { ...body, amount: 2 } };
  },
  'webhook-endpoints': async () => {
    const body = { url: `http://127.0.0.1:9/${randomUUID()}` };
    return { path: ENDPOINTS, body, other: { ...body, eventTypes: ['card'] } };
  },
};
const names = Object.keys(CASES);
const caseOf = (name: string): Promise<Case> => (CASES[name] as () => Promise<Case>)();
/** A program can have few endpoints. */
const removeEndpoints = () => app.sql("update webhook_endpoints set status = 'REMOVED'");

describe.each(names)('%s', (name) => {
  test('the same key and body: the first response again, on another process too, and nothing moves', async () => {
    await removeEndpoints();
    const { path, body } = await caseOf(name);
    const key = randomUUID();
    const first = await send(path, body, key);
    expect([first.status, replayed(first)]).toEqual([/-|cards/.test(name) ? 201 : 200, null]);
    const before = await rowsWritten(app);
    for (const on of [app, second]) {
      const again = await send(path, body, key, { on });
      expect([again.status, again.body, replayed(again)]).toEqual([first.status, first.body, 'true']);
    }
    expect(await rowsWritten(app)).toEqual(before);
    const next = await send(path, body, randomUUID());
    expect([next.status, replayed(next)]).toEqual([first.status, null]);
    expect(await rowsWritten(app)).not.toEqual(before);
  });

  test('a different body: 409, and nothing moves', async () => {
    await removeEndpoints();
    const { path, body, other } = await caseOf(name);
    const key = randomUUID();
    await send(path, body, key);
    const before = await rowsWritten(app);
    for (const on of [app, second]) expect((await send(path, other, key, { on })).body).toEqual(CONFLICT);
    expect(await rowsWritten(app)).toEqual(before);
  });

  test('20 copies on two processes: one effect, one response', async () => {
    await removeEndpoints();
    const { path, body } = await caseOf(name);
    const key = randomUUID();
    const copies = Array.from({ length: 20 }, (_, index) =>
      send(path, body, key, { on: index % 2 ? app : second }),
    );
    const answers = await Promise.all(copies);
    expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body]))).size).toBe(1);
    expect(answers[0]?.status).toBeLessThan(300);
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
  });

  test('of two bodies with one key at once one succeeds, also on two processes', async () => {
    await removeEndpoints();
    const { path, body, other } = await caseOf(name);
    const key = randomUUID();
    const sent = Array.from({ length: 12 }, (_, index) =>
      send(path, index % 2 ? body : other, key, { on: index % 4 < 2 ? app : second }),
    );
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.filter((status) => status < 300)).toHaveLength(6);
    expect(statuses.filter((status) => status === 409)).toHaveLength(6);
  });

  test('the OpenAPI document has the header', () => {
    // biome-ignore lint/suspicious/noExplicitAny: a document is walked freely
    const paths = (app.documents[0] as any).paths;
    const [path] = Object.keys(paths).filter(
      (each) => each.endsWith(`/${name}/`) && !each.includes('network'),
    );
    const { post, put } = paths[path as string];
    const { parameters, responses } = post ?? put;
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'idempotency-key', in: 'header' }));
    expect(JSON.stringify(responses['409'])).toContain('Idempotency-Key: was already used');
  });
});

describe('a sandbox message', () => {
  const authorize = (body: object, key: string, sent?: Sent) =>
    send(`${SANDBOX}authorizations/`, body, key, sent);

  test('that was declined is remembered too', async () => {
    const body = { card_id: (await createCard(app, { spendLimit: 5 })).id, amount: '10.00' };
    const key = randomUUID();
    const first = await authorize(body, key);
    expect(first.body.approved).toBe(false);
    await app.call('POST', `/api/v1/merchant/cards/${body.card_id}/balance-adjustments/`, {
      body: { amount: 100, reference: 'r' },
    });
    const again = await authorize(body, key);
    expect([again.body, replayed(again)]).toEqual([first.body, 'true']);
  });

  test.each([
    ['a broken rule', { amount: 'ten' }, 400],
    ['an unknown card', { card_id: randomUUID() }, 404],
  ])('that was refused for %s leaves the key free', async (_name, change, status) => {
    const body = { card_id: (await createCard(app)).id, amount: '10.00' };
    const key = randomUUID();
    expect((await authorize({ ...body, ...change }, key)).status).toBe(status);
    const answer = await authorize(body, key);
    expect([answer.status, replayed(answer)]).toEqual([200, null]);
  });

  test('with ids of its own: a different id under the key is a 409 and moves nothing', async () => {
    const body = { card_id: (await createCard(app)).id, amount: '10.00' };
    const [one, two] = [`net-${randomUUID()}`, `net-${randomUUID()}`];
    const key = randomUUID();
    const first = await authorize({ ...body, external_transaction_id: one }, key);
    expect(first.body.external_transaction_id).toBe(one);
    const second_ = await authorize({ ...body, external_transaction_id: two }, key, { on: second });
    expect([second_.status, second_.body]).toEqual([409, CONFLICT]);
    expect(await creditOf(body.card_id)).toBe(240);
  });

  test('with another CVV is another body', async () => {
    const body = { card_id: (await createCard(app)).id, amount: '10.00' };
    const key = randomUUID();
    const first = await authorize({ ...body, cvv: '000' }, key);
    expect((await authorize({ ...body, cvv: '001' }, key)).body).toEqual(CONFLICT);
    expect((await authorize({ ...body, cvv: '000' }, key)).body).toEqual(first.body);
  });

  test('after 24 hours the key is free for a new message', async () => {
    const body = { card_id: (await createCard(app)).id, amount: '10.00' };
    const key = randomUUID();
    const first = await authorize(body, key);
    await app.sql("update idempotency_records set created_at = now() - interval '24 hours 1 second'");
    const next = await authorize(body, key);
    expect(replayed(next)).toBeNull();
    expect(next.body.transaction_id).not.toBe(first.body.transaction_id);
    expect(await creditOf(body.card_id)).toBe(230);
  });
});

describe('a webhook endpoint', () => {
  test('is shown again with its secret, which is not stored in clear', async () => {
    await removeEndpoints();
    const { path, body } = await caseOf('webhook-endpoints');
    const key = randomUUID();
    const first = await send(path, body, key);
    expect(first.body.secret).toMatch(/^whsec_/);
    const again = await send(path, body, key);
    expect(again.body.secret).toBe(first.body.secret);
    expect(again.headers.get('cache-control')).toBe('no-store');
    const rows = await app.sql<{ text: string }>(
      "select encode(answer, 'escape') as text from idempotency_records where endpoint like '%webhook%'",
    );
    expect(rows.length).toBeGreaterThan(0);
    const secret = first.body.secret.replace('whsec_', '').slice(0, 12);
    for (const { text } of rows)
      for (const word of [secret, 'whsec', '127.0.0.1']) expect(text).not.toContain(word);
    const { body: listed } = await app.call('GET', path);
    expect(listed.webhookEndpoints).toHaveLength(1);
  });
});

/** The trigger holds the server between two of its commits; killing the server there is the worst moment. */
describe('kill -9', () => {
  const hold = async (when: 'insert on network_messages' | 'update on idempotency_records') => {
    await app.sql(
      `create or replace function hold() returns trigger language plpgsql as
       $$ begin perform pg_sleep(120); return new; end $$`,
    );
    await app.sql(`create trigger hold before ${when} for each row execute function hold()`);
    return async () => {
      await app.sql(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity
         where datname = current_database() and wait_event = 'PgSleep'`,
      );
      await app.sql(`drop trigger hold on ${when.split(' ').at(-1)}`);
    };
  };
  const sleeping = () =>
    app.sql("select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'");

  test.each([
    ['after the engine’s commit, before the response is stored', 'update on idempotency_records', 240],
    ['before the engine’s commit', 'insert on network_messages', 250],
  ] as const)(
    '%s: a retry moves the money once, and a different body is a 409',
    async (_name, when, credit) => {
      const server = await startServerProcess(await freePort(), {
        DATABASE_URL: app.databaseUrl,
        EMBOSS_MASTER_KEY: masterKey,
      });
      const { id } = await createCard(app);
      const body = { card_id: id, amount: '10.00' };
      const key = randomUUID();
      const release = await hold(when);
      const lost = fetch(`${server.url}${SANDBOX}authorizations/`, {
        method: 'POST',
        headers: {
          'x-payments-api-key': app.key,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(body),
      }).then(
        ({ status }) => status,
        () => 'lost',
      );
      await eventually(async () => expect(await sleeping()).toHaveLength(1));
      await server.kill('SIGKILL');
      expect(await lost).toBe('lost');
      await release();
      expect(await creditOf(id)).toBe(credit);

      const other = { ...body, amount: '11.00', external_transaction_id: randomUUID() };
      expect((await send(`${SANDBOX}authorizations/`, other, key)).body).toEqual(CONFLICT);
      const again = await send(`${SANDBOX}authorizations/`, body, key);
      expect([again.status, again.body.approved, replayed(again)]).toEqual([200, true, 'true']);
      expect(await creditOf(id)).toBe(240);
      expect((await send(`${SANDBOX}authorizations/`, body, key)).body).toEqual(again.body);
      expect(await creditOf(id)).toBe(240);
    },
  );
});
