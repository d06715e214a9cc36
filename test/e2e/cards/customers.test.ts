import { beforeAll, describe, expect, test } from 'vitest';
import { renewSearchWords } from '../../../src/cards/renew-search-words.ts';
import { rotateKeys } from '../../../src/vault/rotate-keys.ts';
import { cardRows } from '../../support/cards/card-rows.ts';
import { retrieve } from '../../support/cards/card-states.ts';
import { CARDS, consumerCard, createCard } from '../../support/cards/cards.ts';
import { type Owner, type PayingCard, payingCard } from '../../support/cards/network.ts';
import { fillCards } from '../../support/database/fill-cards.ts';
import { holdTable } from '../../support/database/hold-table.ts';
import { eventually } from '../../support/scripts/eventually.ts';
import { setClock } from '../../support/server/clock.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests({ keyMaxAgeMs: 0, readsAtOnce: 1 });
const CUSTOMERS = '/api/v1/merchant/customers/';
const NOBODY = { code: 404, message: 'Record not found', status: 'failed' };

type Item = { id: string; cards: number; activeCards: number; created: string };
const meta = (id: string, changes: object = {}) => ({ meta: { ...consumerCard().meta, id, ...changes } });
const pathOf = (id: string, rest = '') => `${CUSTOMERS}${encodeURIComponent(id)}/${rest}`;
const customer = async (id: string, key: string = app.key) =>
  (await app.call('GET', pathOf(id), { key })).body;
const freeze = (id: string, body: object, key: string = app.key) =>
  app.call('PUT', pathOf(id, 'freeze/'), { body, key });
const statuses = async (id: string, key: string = app.key): Promise<string[]> =>
  (await customer(id, key)).cards.map(({ status }: { status: string }) => status);
/** A link as an integrator follows it, but to the port where the test listens. */
const follow = async (link: string, key: string) =>
  (await app.call('GET', link.replace('http://emboss.test', ''), { key })).body;

describe('the list', () => {
  let owner: Owner;
  const list = async (query = '') => {
    const { status, body } = await app.call('GET', `${CUSTOMERS}${query}`, { key: owner.key });
    expect([status, body.message]).toEqual([200, undefined]);
    return body;
  };
  const idsOf = ({ results }: { results: Item[] }) => results.map(({ id }) => id);
  const add = (id: string) => createCard(app, meta(id), owner.key);

  beforeAll(async () => {
    owner = await app.addProgram();
    for (const [day, names] of Object.entries({
      '2095-03-01': 'ab',
      '2095-03-02': 'cda',
      '2095-03-03': 'eb',
    })) {
      await setClock(app, `${day}T12:00:00Z`, owner.key);
      for (const name of names) await add(`customer/${name}`);
    }
  });
  const ids = ['e', 'd', 'c', 'b', 'a'].map((name) => `customer/${name}`);

  test('has each customer once, by the day of the first card, with the number of cards', async () => {
    const body = await list();
    expect(body).toMatchObject({ count: 5, next: null, previous: null });
    expect(idsOf(body)).toEqual(ids);
    expect(body.results.map(({ cards, activeCards }: Item) => [cards, activeCards])).toEqual([
      ...[
        [1, 1],
        [1, 1],
        [1, 1],
      ],
      ...[
        [2, 2],
        [2, 2],
      ],
    ]);
    expect(body.results[4]).toEqual({
      ...{ id: 'customer/a', cards: 2, activeCards: 2 },
      created: expect.stringMatching(/^2095-03-01T12:00:/),
    });
    expect(await list('?min_created=2095-03-02&max_created=2095-03-02')).toMatchObject({ count: 2 });
    expect(idsOf(await list('?max_created=2095-03-01'))).toEqual(ids.slice(3));
  });

  test('links keep the filters, and a walk meets each customer once while new ones arrive', async () => {
    const first = await list('?page_size=2&min_created=2095-03-01');
    expect(first.next).toContain('min_created=2095-03-01');
    await add('customer/new');
    // Another card of a customer moves nothing.
    await add('customer/c');
    const second = await follow(first.next, owner.key);
    const third = await follow(second.next, owner.key);
    expect([first, second, third].flatMap(idsOf)).toEqual(ids);
    expect(third.next).toBeNull();
    expect(idsOf(await follow(third.previous, owner.key))).toEqual(idsOf(second));
    expect(idsOf(await list('?page=2&page_size=2'))).toEqual(['customer/d', 'customer/c']);
  });

  test('by id finds one customer, on the days that are asked for', async () => {
    const find = async (query: string) => list(`?id=${query}`);
    const found = await find('customer%2Fd');
    expect([found.count, idsOf(found), found.next, found.previous]).toEqual([1, ['customer/d'], null, null]);
    for (const nothing of [
      'customer',
      'CUSTOMER%2Fd',
      'customer%2Fd&min_created=2095-03-03',
      'customer%2Fd&max_created=2095-03-01',
    ])
      expect(await find(nothing)).toMatchObject({ count: 0, results: [] });
    expect(await find('customer%2Fd&page=2')).toMatchObject({ count: 1, results: [] });
    expect(idsOf(await find('customer%2Fd&min_created=2095-03-02&max_created=2095-03-02'))).toEqual([
      'customer/d',
    ]);
    const { status, body } = await app.call('GET', `${CUSTOMERS}?externalCustomerId=x`);
    expect([status, body.message]).toEqual([400, expect.stringContaining('externalCustomerId')]);
  });

  test('two first cards at once are one customer, also during and after a key rotation', async () => {
    await Promise.all(Array.from({ length: 6 }, () => add('at-once')));
    await rotateKeys(app.db, app.masters, 'search');
    await add('at-once');
    await add('rotated');
    const body = await list('?page_size=2');
    const expected = [
      ['rotated', 1],
      ['at-once', 7],
    ];
    const shown = ({ results }: { results: Item[] }) => results.map(({ id, cards }) => [id, cards]);
    expect([body.count, shown(body)]).toEqual([8, expected]);
    await renewSearchWords(app, [owner.program.id]);
    await add('at-once');
    const after = await list('?page_size=2');
    expect([after.count, shown(after)]).toEqual([8, [expected[0], ['at-once', 8]]]);
    const kept = await app.sql(
      `select count(*)::int as kept from customers k
       where program_id = $1 and cardholder_id = (select cardholder_id from cards c where c.program_id = $1 and c.id = k.id)`,
      [owner.program.id],
    );
    expect(kept).toEqual([{ kept: 8 }]);
  });
});

describe('one customer', () => {
  test.each(['ACME/77 ü', 'a b', '100%', '漢字/😀', '%2F', '?x=1#y', '.hidden', 'x'.repeat(300)])(
    'with the id %s has its cards, and the contact of the newest one',
    async (id) => {
      const first = await createCard(app, meta(id));
      const second = await createCard(app, meta(id, { email: null }));
      const body = await customer(id);
      expect(body).toMatchObject({
        ...{ id, currency: 'EUR', moreCards: false },
        contact: { otpPhoneNumber: consumerCard().meta.otpPhoneNumber, email: null },
        totals: { held: 0, cleared: 0, refunded: 0, availableCredit: 500 },
      });
      const { created, ...card } = (await retrieve(app, first.id)) as Record<string, unknown>;
      expect(body.cards.map((each: { id: string }) => each.id)).toEqual([second.id, first.id]);
      expect({ ...card, created }).toMatchObject(body.cards[1]);
      expect(body.created).toBe(created);
      expect((await freeze(id, { freeze: true })).body.cards).toHaveLength(2);
      const listed = (await app.call('GET', `${CUSTOMERS}?id=${encodeURIComponent(id)}`)).body.results;
      expect(listed).toEqual([{ id, cards: 2, activeCards: 0, created }]);
    },
  );

  test('of another program, unknown or differing in case is a 404, and nothing changes', async () => {
    const other = await app.addProgram();
    const { id: cardId } = await createCard(app, meta('Theirs'), other.key);
    for (const id of ['Theirs', 'nobody', cardId]) {
      const answers = [await app.call('GET', pathOf(id)), await freeze(id, { freeze: true })];
      for (const { status, body } of answers) expect([status, body]).toEqual([404, NOBODY]);
    }
    expect((await app.call('GET', `${CUSTOMERS}theirs/`, { key: other.key })).status).toBe(404);
    expect(await statuses('Theirs', other.key)).toEqual(['ACTIVE']);
  });

  test('has totals that are the sums over all transactions of all cards, after random histories', async () => {
    const id = 'spender';
    const cards = [];
    for (let count = 0; count < 3; count++)
      cards.push(await payingCard(app, { ...meta(id), spendLimit: 5_000 }));
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const amount = () => `${random(40) + 1}.${String(random(100)).padStart(2, '0')}`;
    const purchases: Array<{ card: PayingCard; id: string }> = [];
    const refunds: string[] = [];
    for (let step = 0; step < 60; step++) {
      const one = purchases[random(Math.max(1, purchases.length))];
      const kind = random(7);
      if (kind < 2 || !one) {
        const card = cards[random(3)] as PayingCard;
        purchases.push({ card, id: await card.hold(amount()) });
      } else if (kind === 2) await one.card.increment(one.id, amount());
      else if (kind === 3) await one.card.clear(one.id, amount(), { final: random(2) === 0 });
      else if (kind === 4) await one.card.reverse(one.id);
      else if (kind === 5) {
        const refund_id = `refund-${step}`;
        refunds.push(refund_id);
        await one.card.refund(amount(), { refund_id, external_transaction_id: one.id });
      } else if (refunds.length > 1)
        await one.card.reverse('', { external_transaction_id: undefined, refund_id: refunds.shift() });
    }
    const sums = { held: 0n, cleared: 0n, refunded: 0n, availableCredit: 0n };
    const cents = (value: string | number) => BigInt(Math.round(Number(value) * 100));
    for (const card of cards) {
      sums.availableCredit += cents(await card.available());
      for (const { id: transactionId } of await card.transactions()) {
        const { body } = await app.call('GET', `/api/v1/merchant/transactions/${transactionId}/`);
        sums.held += cents(body.held_amount);
        sums[body.kind === 'refund' ? 'refunded' : 'cleared'] += cents(body.cleared_amount);
      }
    }
    const { totals } = await customer(id);
    expect(
      Object.fromEntries(Object.entries(totals as object).map(([name, value]) => [name, cents(value)])),
    ).toEqual(sums);
    expect(Object.values(sums).every((sum) => sum > 0n)).toBe(true);
  });
});

describe('freezing a customer', () => {
  const act = (id: string, action: string, body: object) =>
    app.call('PUT', `${CARDS}${id}/${action}/`, { body });
  const cardsOf = async (id: string, count: number) => {
    const ids: string[] = [];
    for (let made = 0; made < count; made++) ids.unshift((await createCard(app, meta(id))).id);
    return ids;
  };

  test('reaches the active cards, and unfreezing only those: what was frozen by itself stays frozen', async () => {
    const id = 'household';
    const [active, alone, blocked, joined] = (await cardsOf(id, 4)) as [string, string, string, string];
    const expiring = await createCard(app, { ...meta(id) });
    await app.sql(`update credentials set expiry_date = '2020-01-31' where card_id = $1`, [expiring.id]);
    await act(alone, 'freeze', { freeze: true, reason: 'travels' });
    await act(blocked, 'block', { reason: 'lost' });
    const answerOf = (statuses: string[]) => ({
      cards: [expiring.id, active, alone, blocked, joined].map((each, index) => ({
        id: each,
        status: statuses[index],
      })),
    });
    const frozen = await freeze(id, { freeze: true, reason: 'fraud desk' });
    expect([frozen.status, frozen.body]).toEqual([
      200,
      answerOf(['EXPIRED', 'FROZEN', 'FROZEN', 'BLOCKED', 'FROZEN']),
    ]);
    expect(
      await Promise.all([active, alone].map(async (each) => (await retrieve(app, each)).statusReason)),
    ).toEqual(['fraud desk', 'travels']);
    // Frozen again by itself: it keeps its reason, and stays frozen.
    expect((await act(joined, 'freeze', { freeze: true, reason: 'another' })).status).toBe(200);
    expect((await retrieve(app, joined)).statusReason).toBe('fraud desk');
    await freeze(id, { freeze: true, reason: 'repeated' });
    expect((await freeze(id, { freeze: false })).body).toEqual(
      answerOf(['EXPIRED', 'ACTIVE', 'FROZEN', 'BLOCKED', 'FROZEN']),
    );
    expect(await statuses(id)).toEqual(['EXPIRED', 'ACTIVE', 'FROZEN', 'BLOCKED', 'FROZEN']);
    expect((await retrieve(app, active)).statusReason).toBeNull();
    const namesOf = (rows: Array<{ name: string }>) => rows.map(({ name }) => name);
    const { events, audits } = await cardRows(app, active);
    for (const rows of [events, audits])
      expect(namesOf(rows)).toEqual(['card.created', 'card.frozen', 'card.unfrozen']);
    expect(events[1]).toMatchObject({ data: { status: 'FROZEN', statusReason: 'fraud desk' } });
    expect(audits[1]).toMatchObject({
      before: { status: 'ACTIVE' },
      after: { status: 'FROZEN', statusReason: 'fraud desk' },
    });
    expect(namesOf((await cardRows(app, alone)).events)).toEqual(['card.created', 'card.frozen']);
    const again = await cardRows(app, joined);
    expect([namesOf(again.events), namesOf(again.audits)]).toEqual([
      ['card.created', 'card.frozen'],
      ['card.created', 'card.frozen', 'card.frozen'],
    ]);
    // Thawed by itself meanwhile: no longer frozen with the others.
    await freeze(id, { freeze: true });
    await act(active, 'freeze', { freeze: false });
    await act(active, 'freeze', { freeze: true });
    await freeze(id, { freeze: false });
    expect((await statuses(id))[1]).toBe('FROZEN');
  });

  test.each([
    [{}, 'freeze: is required'],
    [{ freeze: null }, 'freeze: must be a boolean'],
    [{ freeze: true, reason: ' ' }, 'reason: must not be empty'],
    [{ freeze: true, reason: 'called about 4111 1111 1111 1111' }, 'reason: must not contain a card number'],
  ])('refuses %j', async (body, message) => {
    await createCard(app, meta('refused'));
    const answer = await freeze('refused', body);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
    expect(new Set(await statuses('refused'))).toEqual(new Set(['ACTIVE']));
  });

  test('with 200 cards freezes all, with 201 none; totals and numbers cover all', async () => {
    const id = 'fleet';
    const owner = await app.addProgram();
    const holder = { cardholderName: 'Ada Lovelace', cardName: 'ADA', externalCustomerId: id };
    const day = { fromMs: Date.now() - 86_400_000, toMs: Date.now() - 3_600_000 };
    await fillCards(app, owner.program, { count: 200, holderOf: () => holder, ...day });
    const all = await freeze(id, { freeze: true }, owner.key);
    expect(all.status).toBe(200);
    expect(all.body.cards).toHaveLength(200);
    expect((await freeze(id, { freeze: false }, owner.key)).status).toBe(200);
    await createCard(app, meta(id), owner.key);
    const refused = await freeze(id, { freeze: true }, owner.key);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'The customer has more than 200 cards; freeze each card',
    ]);
    expect(new Set(await statuses(id, owner.key))).toEqual(new Set(['ACTIVE']));
    const body = await customer(id, owner.key);
    expect([body.cards.length, body.moreCards, body.totals.availableCredit]).toEqual([200, true, 201 * 250]);
    const [listed] = (await app.call('GET', CUSTOMERS, { key: owner.key })).body.results;
    expect(listed).toMatchObject({ cards: 201, activeCards: 201 });
  });

  test('at the same time as authorizations and other freezes neither deadlocks nor leaves some cards', async () => {
    const id = 'busy';
    const cards: PayingCard[] = [];
    for (let made = 0; made < 6; made++) cards.push(await payingCard(app, meta(id)));
    for (let round = 0; round < 5; round++) {
      const freezes = [true, false, true].map((wanted) => freeze(id, { freeze: wanted }));
      const purchases = cards.flatMap((card) => [card.authorize('0.01'), card.authorize('0.01')]);
      const [answers, decisions] = await Promise.all([Promise.all(freezes), Promise.all(purchases)]);
      for (const { status, body } of answers) {
        expect([status, body.message]).toEqual([200, undefined]);
        // All or none.
        expect(new Set(body.cards.map(({ status }: { status: string }) => status)).size).toBe(1);
      }
      for (const { approved, decline_reason } of decisions)
        expect(approved ? null : 'card_frozen').toBe(decline_reason);
      expect(new Set(await statuses(id)).size).toBe(1);
    }
    await freeze(id, { freeze: true });
    expect(await cards[0]?.authorize('0.01')).toMatchObject({
      approved: false,
      decline_reason: 'card_frozen',
    });
    await freeze(id, { freeze: false });
    expect(await cards[0]?.authorize('0.01')).toMatchObject({ approved: true });
  });
});

test('the totals of very many cards of one program do not keep the database from others', async () => {
  const other = await app.addProgram();
  await createCard(app, meta('many'));
  await createCard(app, meta('one'), other.key);
  const counters = await holdTable(app.databaseUrl, 'card_counters');
  const own = Array.from({ length: 8 }, () => customer('many'));
  const all = [...own, customer('one', other.key)];
  await eventually(async () => expect(await counters.waiting()).toBeGreaterThan(1));
  expect(await counters.waiting()).toBe(2);
  await counters.release();
  expect((await Promise.all(all)).map(({ id }) => id)).toEqual([...own.map(() => 'many'), 'one']);
});
