import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { deleteStaleIdempotencyRecords } from '../../../src/http/queries.ts';
import { CARDS, consumerCard, createCard, rowsWritten } from '../../support/cards/cards.ts';
import { type Answer, type TestApp, twoAppsForTests } from '../../support/server/test-app.ts';

/** Two processes on one database, as in production. */
const [app, second] = twoAppsForTests();

let keys = 0;
const freshKey = () => `key-${++keys}`;

interface Attempt {
  body?: unknown;
  raw?: string;
  key?: string;
  on?: TestApp;
}
const create = (idempotencyKey: string, attempt: Attempt = {}): Promise<Answer> => {
  const { on = app, key = app.key, raw, body = consumerCard() } = attempt;
  const headers = { 'idempotency-key': idempotencyKey };
  return on.call('POST', CARDS, raw === undefined ? { body, key, headers } : { raw, key, headers });
};
const replace = (idempotencyKey: string, cardId: string, body: unknown = {}): Promise<Answer> =>
  app.call('PUT', `${CARDS}${cardId}/replace/`, { body, headers: { 'idempotency-key': idempotencyKey } });

const replayed = (answer: Answer) => answer.headers.get('idempotent-replayed');

function expectReplay(again: Answer, first: Answer): void {
  expect(again.body).toEqual(first.body);
  expect(again.status).toBe(first.status);
  expect(replayed(first)).toBeNull();
  expect(replayed(again)).toBe('true');
}
function expectConflict(answer: Answer): void {
  const message = 'Idempotency-Key: was already used with a different request';
  expect(answer.body).toEqual({ code: 409, message, status: 'failed' });
  expect(answer.status).toBe(409);
}

describe('the same key with the same body gets the first response again', () => {
  test('also under another key of the program', async () => {
    const key = freshKey();
    const first = await create(key);
    const other = await app.addKey(app.program.id, ['write']);
    expectReplay(await create(key, { key: other.key }), first);
  });

  test('also if the card has changed since', async () => {
    const key = freshKey();
    const first = await create(key);
    await app.call('PUT', `${CARDS}${first.body.id}/block/`, { body: { reason: 'lost' } });
    expectReplay(await create(key), first);
  });

  test('the order of JSON keys, white space and escapes do not change the body’s identity', async () => {
    const key = freshKey();
    const first = await create(key);
    const reverse = (value: unknown): unknown =>
      typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([name, item]) => [name, reverse(item)]),
          )
        : value;
    const raw = JSON.stringify(reverse(consumerCard()), null, 3).replaceAll('Ada', '\\u0041da');
    expectReplay(await create(key, { raw }), first);
  });

  test('without a key every request creates a card', async () => {
    const [one, two] = [await createCard(app), await createCard(app)];
    expect(one.id).not.toBe(two.id);
  });
});

describe('a different body with the same key is a 409', () => {
  test.each([
    ['another value', { spendLimit: 251 }],
    ['a field less', { spendLimit: undefined }],
    ['a field more', { expiryDate: null }],
  ])('create card with %s', async (_, changes) => {
    const key = freshKey();
    await create(key);
    const before = await rowsWritten(app);
    expectConflict(await create(key, { body: consumerCard(changes) }));
    expect(await rowsWritten(app)).toEqual(before);
  });

  test('replace of another card, or with another option', async () => {
    const key = freshKey();
    const [card, other] = [await createCard(app), await createCard(app)];
    await replace(key, card.id);
    expectConflict(await replace(key, other.id));
    expectConflict(await replace(key, card.id, { renewOption: 'CALCULATE_NEW_EXPIRY_DATE' }));
  });

  test('the first response stays', async () => {
    const key = freshKey();
    const first = await create(key);
    await create(key, { body: consumerCard({ spendLimit: 1 }) });
    expectReplay(await create(key), first);
  });
});

describe('a key is scoped', () => {
  test('to the endpoint', async () => {
    const key = freshKey();
    const { body: card } = await create(key);
    const answer = await replace(key, card.id);
    expect(answer.status).toBe(200);
    expect(replayed(answer)).toBeNull();
  });

  test('to the program', async () => {
    const key = freshKey();
    const first = await create(key);
    const other = await create(key, { key: second.key, body: consumerCard({ spendLimit: 1 }) });
    expect(other.status).toBe(201);
    expect(other.body.id).not.toBe(first.body.id);
    expectReplay(await create(key), first);
  });
});

describe('concurrent requests', () => {
  const burst = (attempts: Attempt[], key: string) =>
    Promise.all(attempts.map((attempt) => create(key, attempt)));
  const cards = async () => (await app.sql<{ n: number }>('select count(*)::int as n from cards'))[0]?.n ?? 0;

  test.each([
    ['one process', () => [app]],
    ['two processes', () => [app, second]],
  ])('50 copies on %s create one card and get one response', async (_, processes) => {
    const before = await cards();
    const copies = Array.from({ length: 50 }, (_, i) => ({
      on: processes()[i % processes().length] as TestApp,
    }));
    const answers = await burst(copies, freshKey());
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(await cards()).toBe(before + 1);
  });

  test('50 copies of a replace create one new number', async () => {
    const card = await createCard(app);
    const key = freshKey();
    const answers = await Promise.all(Array.from({ length: 50 }, () => replace(key, card.id)));
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    const made = `select count(*)::int as n from credentials where card_id = $1`;
    expect(await app.sql(made, [card.id])).toEqual([{ n: 2 }]);
  });

  test('refused copies each get the reason', async () => {
    const body = consumerCard({ kycApplicantId: 'pending' });
    const answers = await burst(
      Array.from({ length: 5 }, () => ({ body })),
      freshKey(),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
  });
});

describe('the key', () => {
  const rule = 'Idempotency-Key: must be 1 to 255 printable characters';
  test.each([
    ['1 character', 'x'],
    ['255 characters', 'k'.repeat(255)],
    ['signs and spaces inside', 'a b/c"d;e,f=%00'],
    ['not ASCII', 'é'.repeat(10)],
  ])('%s is accepted', async (_, key) => {
    const first = await create(key);
    expect(first.status).toBe(201);
    expectReplay(await create(key), first);
  });
  test.each([
    ['256 characters', 'k'.repeat(256)],
    ['empty', ''],
    ['a control character', 'a\u0085b'],
  ])('%s is refused', async (_, key) => {
    const before = await rowsWritten(app);
    const answer = await create(key);
    expect(answer.body).toEqual({ code: 400, message: rule, status: 'failed' });
    expect(await rowsWritten(app)).toEqual(before);
  });
  test('keys that differ in case are different keys', async () => {
    const [lower, upper] = [await create('case-of-key'), await create('CASE-OF-KEY')];
    expect(replayed(upper)).toBeNull();
    expect(upper.body.id).not.toBe(lower.body.id);
  });
});

describe('a refused request leaves the key free', () => {
  test.each([
    ['a broken rule', { spendLimit: -1 }, 400],
    ['a refusal by KYC', { kycApplicantId: 'rejected' }, 400],
    ['a KYC provider that is down', { kycApplicantId: 'timeout' }, 500],
  ])('%s', async (_, changes, status) => {
    const key = freshKey();
    expect((await create(key, { body: consumerCard(changes) })).status).toBe(status);
    const answer = await create(key);
    expect(answer.status).toBe(201);
    expect(replayed(answer)).toBeNull();
  });

  test('a replace of a card that does not exist', async () => {
    const key = freshKey();
    expect((await replace(key, 'no-such-card')).status).toBe(404);
    const card = await createCard(app);
    expect((await replace(key, card.id)).status).toBe(200);
  });
});

describe('the record', () => {
  const age = (interval: string) =>
    app.sql(`update idempotency_records set created_at = now() - interval '${interval}'`);
  const count = async () =>
    (await app.sql<{ n: number }>('select count(*)::int as n from idempotency_records'))[0]?.n;

  test('lasts 24 hours', async () => {
    const key = freshKey();
    const first = await create(key);
    await age('23 hours 59 minutes');
    expectReplay(await create(key), first);
  });

  test('is deleted after 24 hours and replaced by the next request', async () => {
    const key = freshKey();
    const first = await create(key);
    const records = await count();
    await age('24 hours 1 second');
    const next = await create(key, { body: consumerCard({ spendLimit: 1 }) });
    expect(next.status).toBe(201);
    expect(next.body.id).not.toBe(first.body.id);
    expect(await count()).toBe(records);
    expectReplay(await create(key, { body: consumerCard({ spendLimit: 1 }) }), next);
    expectConflict(await create(key));
  });

  test('that is renewed while the clean-up waits for it is not deleted', async () => {
    await app.sql('delete from idempotency_records where program_id <> $1', [app.program.id]);
    const key = freshKey();
    await create(key);
    await age('24 hours 1 second');
    const renewal = new pg.Client({ connectionString: app.databaseUrl });
    await renewal.connect();
    await renewal.query('begin');
    const renewed = await renewal.query(
      'update idempotency_records set created_at = statement_timestamp() where program_id = $1',
      [app.program.id],
    );
    const sweep = deleteStaleIdempotencyRecords(app.db, 10_000);
    await expect
      .poll(() => app.sql("select from pg_locks where not granted and locktype = 'transactionid'"))
      .toHaveLength(1);
    await renewal.query('commit');
    await renewal.end();
    expect(await sweep).toBe(0);
    expect(await count()).toBe(renewed.rowCount);
    expect(replayed(await create(key))).toBe('true');
  });

  test('contains nothing readable', async () => {
    const key = 'a-key-that-would-be-recognised';
    const { body: card } = await create(key);
    const rows = await app.sql('select * from idempotency_records order by created_at desc limit 1');
    const bytes = JSON.stringify(rows, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    );
    expect(bytes).toContain(app.program.id);
    for (const word of [key, card.id, 'Lovelace', 'LOVELACE', 'customer-42', 'ACTIVE', 'cardDesign'])
      expect(bytes).not.toContain(word);
  });
});
