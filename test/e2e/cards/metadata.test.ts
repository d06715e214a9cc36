import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { startAuthenticating } from '../../support/authentications/authentications.ts';
import { retrieve } from '../../support/cards/card-states.ts';
import { CARDS, consumerCard } from '../../support/cards/cards.ts';
import { decidingMerchant } from '../../support/cards/deciding-merchant.ts';
import { networkApp, type PayingCard, payingCard } from '../../support/cards/network.ts';
import { signInAs } from '../../support/console/operators.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = networkApp();
/** Another process on the same database. */
const second = appForTests(() => ({
  databaseUrl: app.databaseUrl,
  masterKey: app.env['EMBOSS_MASTER_KEY'] ?? '',
}));

type Changes = Record<string, unknown>;
type Pairs = Record<string, string>;

let card: PayingCard;
let transactionId: string;
beforeAll(async () => {
  card = await payingCard(app);
  await card.hold('10.00');
  transactionId = (await card.transactions())[0].id;
});

const TRANSACTIONS = '/api/v1/merchant/transactions/';
const pathOf = (kind: string) =>
  kind === 'card' ? `${CARDS}${card.id}/` : `${TRANSACTIONS}${transactionId}/`;
const set = (kind: string, metadata: unknown, on = app) =>
  on.call('PUT', `${pathOf(kind)}metadata/`, { body: { metadata }, key: app.key });
const shown = async (kind: string): Promise<Pairs> =>
  (await app.call('GET', pathOf(kind), { key: app.key })).body.metadata;
const clear = async (kind: string) =>
  set(kind, Object.fromEntries(Object.keys(await shown(kind)).map((key) => [key, null])));

const pairs = (count: number, from = 0): Pairs =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${from + index}`, 'x']));
const KEYS = 'keys must be 1 to 40 characters, of A-Z a-z 0-9 _ - . only';

/** The rows by which a filter finds pairs are those of the metadata. */
async function expectLabels(): Promise<void> {
  for (const [table, labels] of [
    ['cards', 'card_labels'],
    ['transactions', 'transaction_labels'],
  ]) {
    const differing = await app.sql(
      `(select program_id, id, key || '=' || value from ${table}, jsonb_each_text(metadata)
        except select program_id, id, label from ${labels})
       union all (select program_id, id, label from ${labels}
        except select program_id, id, key || '=' || value from ${table}, jsonb_each_text(metadata))`,
    );
    expect(differing).toEqual([]);
  }
}

describe.each(['card', 'transaction'])('metadata of a %s', (kind) => {
  test('is merged: given pairs are set, null removes one, the rest stays', async () => {
    await clear(kind);
    expect(await shown(kind)).toEqual({});
    expect((await set(kind, { a: '1', b: '2' })).body).toEqual({ metadata: { a: '1', b: '2' } });
    const answer = await set(kind, { a: null, b: '3', c: '', none: null });
    expect([answer.status, answer.body]).toEqual([200, { metadata: { b: '3', c: '' } }]);
    expect(await shown(kind)).toEqual({ b: '3', c: '' });
    expect((await set(kind, {})).body).toEqual({ metadata: { b: '3', c: '' } });
    await expectLabels();
  });

  test.each([
    ['no pairs but a list', [], 'metadata: must be an object'],
    ['null', null, 'metadata: must be an object'],
    ['a number', { n: 1 }, 'metadata.n: must be a string or null'],
    ['an object', { n: {} }, 'metadata.n: must be a string or null'],
    ['a long value', { n: 'x'.repeat(201) }, 'metadata.n: must be at most 200 characters'],
    ['an empty key', { '': 'x' }, `metadata: ${KEYS}`],
    ['a long key', { ['k'.repeat(41)]: 'x' }, `metadata: ${KEYS}`],
    ['a space in a key', { 'a b': 'x' }, `metadata: ${KEYS}`],
    ['an equals sign in a key', { 'a=b': 'x' }, `metadata: ${KEYS}`],
    ['a letter with an accent in a key', { ü: 'x' }, `metadata: ${KEYS}`],
    ['a line feed', { n: 'a\nb' }, 'metadata.n: must not contain control, invisible or invalid characters'],
    [
      'a zero-width space',
      { n: 'a\u200bb' },
      'metadata.n: must not contain control, invisible or invalid characters',
    ],
    ['too many at once', pairs(21), 'metadata: must have at most 20 pairs'],
  ])('%s is refused', async (_, metadata, message) => {
    const before = await shown(kind);
    const { status, body } = await set(kind, metadata);
    expect([status, body]).toEqual([400, { code: 400, message, status: 'failed' }]);
    expect(await shown(kind)).toEqual(before);
  });

  test('the body must have it', async () => {
    const { body } = await app.call('PUT', `${pathOf(kind)}metadata/`, { body: {}, key: app.key });
    expect(body.message).toBe('metadata: is required');
  });

  test('a card number is refused as a value, and as a key, and is not in the message', async () => {
    const spaced = card.number.replace(/(.{4})(?!$)/g, '$1 ');
    for (const value of [card.number, spaced, `card ${spaced}.`]) {
      const { status, body } = await set(kind, { orderId: value });
      expect([status, body.message]).toEqual([400, 'metadata.orderId: must not contain a card number']);
    }
    for (const value of ['x', null, 7, 'x'.repeat(201), '\u200b']) {
      const { status, body } = await set(kind, { [card.number]: value });
      expect(status).toBe(400);
      expect(body.message).not.toContain(card.number);
    }
    const dashed = card.number.replace(/(.{4})(?!$)/g, '$1-');
    expect((await set(kind, { [dashed]: 'x' })).body.message).toBe(
      'metadata: must not contain a card number',
    );
  });

  test('the longest and the strangest that is allowed', async () => {
    await clear(kind);
    const metadata = {
      ['k'.repeat(40)]: '💶'.repeat(200),
      'A.z_0-9': '日本語 <script>alert(1)</script> "=\\',
      constructor: 'c',
      toString: 't',
      hasOwnProperty: 'h',
      ...pairs(15),
    };
    expect((await set(kind, metadata)).body).toEqual({ metadata });
    expect(await shown(kind)).toEqual(metadata);
    await expectLabels();
    // After the merge, not in the request.
    const more = { ...pairs(2, 15), key0: null };
    expect((await set(kind, more)).body.message).toBe('metadata: must have at most 20 pairs');
    expect((await set(kind, { ...more, key1: null })).status).toBe(200);
    expect(Object.keys(await shown(kind))).toHaveLength(20);
  });

  test('__proto__ is no key, and changes no prototype', async () => {
    await clear(kind);
    const raw = (text: string) =>
      app.call('PUT', `${pathOf(kind)}metadata/`, { raw: `{"metadata":${text}}`, key: app.key });
    expect((await raw('{"__proto__":"x"}')).body.message).toBe(`metadata: ${KEYS}`);
    for (const value of ['{"polluted":"x"}', 'null', '1'])
      expect((await raw(`{"__proto__":${value}}`)).body.message).toBe(`metadata: ${KEYS}`);
    const { body } = await raw('{"constructor":{"prototype":{"polluted":"x"}}}');
    expect(body.message).toBe('metadata.constructor: must be a string or null');
    expect(({} as Changes)['polluted']).toBeUndefined();
  });

  test('two changes at once are both kept, also on two processes', async () => {
    await clear(kind);
    const changes = Array.from({ length: 18 }, (_, index) => ({ [`k${index}`]: String(index) }));
    const answers = await Promise.all(changes.map((one, index) => set(kind, one, index % 2 ? app : second)));
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect(await shown(kind)).toEqual(Object.assign({}, ...changes));
    await expectLabels();
  });

  test('any sequence of changes gives what a plain object gives', async () => {
    await clear(kind);
    let model: Pairs = {};
    const key = fc.constantFrom('a', 'b', 'constructor', 'toString', '0', '10', 'x.y', 'long-key');
    const change = fc.dictionary(key, fc.option(fc.constantFrom('', 'a', 'a=b', 'é', '💶')), {
      noNullPrototype: true,
    });
    await fc.assert(
      fc.asyncProperty(change, async (changes) => {
        const wanted = Object.entries({ ...model, ...changes }).filter(([, value]) => value !== null);
        model = Object.fromEntries(wanted) as Pairs;
        expect((await set(kind, changes)).body).toEqual({ metadata: model });
      }),
      { numRuns: 60 },
    );
    expect(await shown(kind)).toEqual(model);
    await expectLabels();
  });

  test('is not that of another program, and needs the scope', async () => {
    const other = await app.addProgram();
    const reader = await app.addKey(app.program.id, ['read']);
    const unknown = pathOf(kind).replace(/[^/]+\/$/, 'nothing/');
    const put = (path: string, key: string) =>
      app.call('PUT', `${path}metadata/`, { body: { metadata: { a: '1' } }, key });
    const statuses = [
      put(pathOf(kind), other.key),
      put(unknown, app.key),
      put(pathOf(kind).replace(/[^/]+\/$/, '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f/'), app.key),
      put(pathOf(kind), reader.key),
    ];
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([404, 404, 404, 403]);
  });

  test('the audit has the keys and no values', async () => {
    await clear(kind);
    await set(kind, { secret: 'a private value', other: 'x' });
    await set(kind, { secret: 'a private value', other: 'y' });
    const entries = await app.sql<{ action: string; after: object; card_id: string }>(
      `select action, after, card_id from audit_entries where card_id = $1 and action like '%metadata%'
       order by id desc limit 2`,
      [card.id],
    );
    const owner = kind === 'card' ? {} : { transactionId };
    const entry = (changed: string[]) => ({
      action: `${kind}.metadata_changed`,
      card_id: card.id,
      after: { ...owner, changed },
    });
    expect(entries).toEqual([entry(['other']), entry(['other', 'secret'])]);
  });

  test('an operator sets it as a manager', async () => {
    const console = pathOf(kind).replace('/api/v1/', '');
    const put = async (role: 'support' | 'manager') =>
      (await signInAs(app, role)).call(
        'PUT',
        `${console}metadata/`,
        { metadata: { by: role } },
        app.program.id,
      );
    expect([(await put('support')).status, (await put('manager')).status]).toEqual([403, 200]);
    expect((await shown(kind))['by']).toBe('manager');
  });
});

describe('a card with metadata', () => {
  const METADATA = { order_id: 'A-1', team: 'travel' };
  const create = (metadata: unknown) =>
    app.call('POST', CARDS, { body: consumerCard({ metadata }), key: app.key });

  test('is created with it, and shows it in its events', async () => {
    const created = await create({ ...METADATA, none: null });
    expect(created.status).toBe(201);
    // Those of the Card, as in the list.
    expect(Object.keys(created.body)).toHaveLength(10);
    const { id } = created.body;
    expect((await retrieve(app, id)).metadata).toEqual(METADATA);
    await expectLabels();
    const change = (metadata: object) =>
      app.call('PUT', `${CARDS}${id}/metadata/`, { body: { metadata }, key: app.key });
    await change({ team: 'sales', order_id: 'A-1' });
    await change({ team: 'sales' });
    await app.call('PUT', `${CARDS}${id}/freeze/`, { body: { freeze: true }, key: app.key });
    const { body } = await app.call('GET', '/api/v1/merchant/webhook-events/', { key: app.key });
    const now = { ...METADATA, team: 'sales' };
    const events = body.results.filter(({ data }: { data: Changes }) => data['cardId'] === id).reverse();
    expect(events).toMatchObject([
      { eventName: 'card.created', data: { metadata: METADATA } },
      { eventName: 'card.updated', data: { changed: ['metadata'], fields: ['team'], metadata: now } },
      { eventName: 'card.frozen', data: { metadata: now } },
    ]);
    expect(events.map(({ data }: { data: Changes }) => data['sequence'])).toEqual([1, 2, 3]);
  });

  test('the rules are those of a change', async () => {
    const message = async (metadata: unknown) => (await create(metadata)).body.message;
    expect(await message(pairs(21))).toBe('metadata: must have at most 20 pairs');
    expect(await message({ 'a b': 'x' })).toBe(`metadata: ${KEYS}`);
    expect(await message({ orderId: card.number })).toBe('metadata.orderId: must not contain a card number');
    const { body } = await create(undefined);
    expect((await retrieve(app, body.id)).metadata).toEqual({});
  });

  test('can change it whatever its status, and a reissue keeps it', async () => {
    const { id } = (await create(METADATA)).body;
    const put = (path: string, body: object) =>
      app.call('PUT', `${CARDS}${id}/${path}/`, { body, key: app.key });
    await put('replace', {});
    await put('block', { reason: 'lost' });
    const answer = await put('metadata', { metadata: { team: null } });
    expect(answer.body).toEqual({ metadata: { order_id: 'A-1' } });
  });

  test('a replacement takes it over', async () => {
    const { body: blocked } = await create(METADATA);
    await app.call('PUT', `${CARDS}${blocked.id}/block/`, { body: { reason: 'lost' }, key: app.key });
    const manager = await signInAs(app, 'manager');
    const answer = await manager.call('POST', `cards/${blocked.id}/replacement/`, {}, app.program.id);
    expect((await retrieve(app, answer.body.id)).metadata).toEqual(METADATA);
    await expectLabels();
  });

  test('decision requests have it: of an authorization, an increment and a balance', async () => {
    const merchant = await decidingMerchant(app);
    const deciding = await payingCard(app, { metadata: METADATA }, merchant.owner);
    const id = await deciding.hold('10.00');
    await deciding.increment(id, '1.00');
    merchant.decide = () => ({ available_amount: '12.00' });
    await deciding.authorize('0.00', { type: 'BALANCE_INQUIRY' });
    expect(merchant.requests.map(({ eventName, data }) => [eventName, data['card_metadata']])).toEqual([
      ['authorization.request', METADATA],
      ['authorization.request', METADATA],
      ['balance.request', METADATA],
    ]);
    merchant.decide = () => ({ decision: 'APPROVE' });
    await (await payingCard(app, {}, merchant.owner)).hold('10.00');
    expect(merchant.requests.at(-1)?.data['card_metadata']).toEqual({});
    await merchant.receiver.close();
  });

  test('decision requests of an authentication have it', async () => {
    const { owner, merchant, create: authenticate } = await startAuthenticating(app, ['authentication']);
    await authenticate({}, await payingCard(app, { metadata: METADATA }, owner));
    expect(merchant.requests.map(({ data }) => data['card_metadata'])).toEqual([METADATA]);
    await merchant.receiver.close();
  });
});

describe('a transaction with metadata', () => {
  test('keeps it over the messages that follow, which have it in their events', async () => {
    const paying = await payingCard(app);
    const id = await paying.hold('10.00');
    const [transaction] = await paying.transactions();
    const path = `${TRANSACTIONS}${transaction.id}/`;
    const change = (metadata: object) =>
      app.call('PUT', `${path}metadata/`, { body: { metadata }, key: app.key });
    await Promise.all([change({ team: 'sales' }), paying.increment(id, '1.00')]);
    await change({ team: 'sales' });
    await paying.clear(id, '11.00');
    await change({ team: null });
    const refund = await paying.refund('2.00', { external_transaction_id: id });
    const { body } = await app.call('GET', path, { key: app.key });
    expect(body).toMatchObject({
      status: 'CLEARED',
      metadata: {},
      events_total: 5,
      refunds: [refund.transaction_id],
    });
    expect(body.events.map(({ name }: { name: string }) => name).sort()).toEqual([
      'authorization',
      'authorization.clearing',
      'authorization.increment',
      'transaction.updated',
      'transaction.updated',
    ]);
    const events = await paying.events();
    const of = (name: string) => events.filter((event) => event.name === name).map(({ data }) => data);
    expect(of('authorization')[0]).not.toHaveProperty('metadata');
    expect(of('authorization.clearing')).toMatchObject([{ metadata: { team: 'sales' } }]);
    expect(of('transaction.updated')).toMatchObject([
      { changed: ['metadata'], metadata: { team: 'sales' }, amount: '0.00', bill_amount: '0.00' },
      { changed: ['metadata'], metadata: {}, status: 'CLEARED', taken_amount: '11.00' },
    ]);
    await expectLabels();
  });

  test('the list keeps its ten fields', async () => {
    expect(Object.keys((await card.transactions())[0])).toHaveLength(10);
  });
});
