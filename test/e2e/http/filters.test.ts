import { beforeAll, describe, expect, test } from 'vitest';
import { CARDS, consumerCard, createCard, withValue } from '../../support/cards/cards.ts';
import { fillTransactions, follow, swipe } from '../../support/cards/swipe.ts';
import { seededRandom } from '../../support/scripts/random.ts';
import { advanceDays } from '../../support/server/clock.ts';
import { appForTests } from '../../support/server/test-app.ts';

type Row = Record<string, unknown> & { id: string; merchant?: { mcc: string }; flags?: string[] };

const TRANSACTIONS = '/api/v1/merchant/transactions/';
const ENDPOINTS = '/api/v1/merchant/webhook-endpoints/';
const EVENTS = '/api/v1/merchant/webhook-events/';
const app = appForTests();
const customers = ['customer-1', 'käufer 2/b'];
let cards: Row[];
let transactions: Row[];
let events: Row[];

const get = async (list: string, query: Record<string, string | number> = {}) => {
  const { status, body } = await app.call('GET', `${list}?${new URLSearchParams(query as never)}`);
  if (status !== 200) throw new Error(`${list} ${JSON.stringify(query)}: ${JSON.stringify(body)}`);
  return body;
};
const path = (link: string) => link.slice(link.indexOf('/api/'));

/** Every page by its links, forwards, and then back to the first. */
async function readAll(
  list: string,
  query: Record<string, string | number> = {},
  meanwhile: () => Promise<unknown> = async () => {},
) {
  const pages: Row[][] = [];
  let page = await get(list, query);
  const { count } = page;
  for (;;) {
    pages.push(page.results);
    if (!page.next) break;
    await meanwhile();
    page = (await app.call('GET', path(page.next))).body;
  }
  for (let back = pages.length - 2; back >= 0; back--) {
    page = (await app.call('GET', path(page.previous))).body;
    expect(page.results.map(({ id }: Row) => id)).toEqual(pages[back]?.map(({ id }) => id));
  }
  return { rows: pages.flat(), count };
}

beforeAll(async () => {
  const made: Array<{ id: string }> = [];
  for (let each = 0; each < 8; each++) {
    if (each === 4) await advanceDays(app, 1);
    const body = withValue(consumerCard({ spendLimit: 100 }), 'meta.id', customers[each % 3 === 0 ? 1 : 0]);
    made.push((await app.call('POST', CARDS, { body })).body);
  }
  const [frozen, blocked, expired] = made.slice(-3).map(({ id }) => id) as [string, string, string];
  for (const [at, { id }] of made.slice(0, 5).entries()) {
    if (at === 2) await advanceDays(app, 1);
    for (let each = 0; each < 6; each++) {
      const amount = `${(each + 1) * (at === 2 ? 60 : 3)}.00`;
      const changes = {
        external_transaction_id: `net-${at}-${each}`,
        channel: each % 2 ? 'ECOMMERCE' : 'POS',
        merchant: {
          id: `m-${each % 3}`,
          name: 'Shop',
          mcc: each % 3 ? '5411' : '7995',
          city: 'Rome',
          country: 'ITA',
        },
        ...(each === 4 && { currency: 'USD', bill_amount: '1.00', bill_currency: 'EUR' }),
      };
      const { transaction_id: transactionId, approved } = await swipe(app, id, amount, changes);
      const of = { transaction_id: transactionId };
      if (!approved) continue;
      if (each === 1) await follow(app, 'clearings', { ...of, clearing_id: `c-${at}`, amount: '50.00' });
      if (each === 2) await follow(app, 'reversals', { ...of, reversal_id: `r-${at}` });
      if (each === 3) await follow(app, 'clearings', { ...of, clearing_id: `d-${at}` });
    }
  }
  await app.call('PUT', `${CARDS}${frozen}/freeze/`, { body: { freeze: true } });
  await app.call('PUT', `${CARDS}${blocked}/block/`, { body: { reason: 'lost' } });
  await app.sql(
    `update credentials set expiry_date = '2020-01-31' where id = (select credential_id from cards where id = $1)`,
    [expired],
  );
  await app.sql(`update cards set expiry_event_due = '2020-01-31' where id = $1`, [expired]);
  for (const [at, { id }] of made.entries())
    await app.call('PUT', `${CARDS}${id}/metadata/`, {
      body: { metadata: { team: at % 2 ? 'blue' : 'red = 1', [`only-${at}`]: 'Ümlaut & more' } },
    });
  const first = await get(TRANSACTIONS, { page_size: 30 });
  for (const { id } of first.results.slice(3, 9))
    await app.call('PUT', `${TRANSACTIONS}${id}/metadata/`, {
      body: { metadata: { order_id: `o-${id.slice(-1)}` } },
    });
  for (const [status, from, to] of [
    ['FAILED', 0, 3],
    ['PENDING', 2, 9],
    ['DELIVERED', 5, 40],
  ] as const) {
    const { body } = await app.call('POST', ENDPOINTS, { body: { url: `https://example.com/${status}` } });
    await app.sql(
      `insert into webhook_deliveries (program_id, event_id, endpoint_id, status)
       select program_id, id, $1, $2 from (
         select *, row_number() over (order by md5(id::text)) as n from events where event_type <> 'security') e
       where n between $3 and $4`,
      [body.id, status, from, to],
    );
  }
  cards = [];
  for (const { id } of (await readAll(CARDS)).rows)
    cards.push((await app.call('GET', `${CARDS}${id}/`)).body);
  const { rows: listed } = await readAll(TRANSACTIONS, { page_size: 100 });
  // With what only the detail shows.
  transactions = [];
  for (const { id } of listed) transactions.push((await app.call('GET', `${TRANSACTIONS}${id}/`)).body);
  ({ rows: events } = await readAll(EVENTS, { page_size: 100 }));
});

/** The days on which rows were created. */
const daysOf = (rows: readonly Row[]): string[] => [
  ...new Set(rows.map(({ created }) => String(created).slice(0, 10))),
];

const isBetween = ({ created }: Row, from: string, to: string): boolean =>
  String(created).slice(0, 10) >= from && String(created).slice(0, 10) <= to;

const pairsOf = (row: Row) => Object.entries(row['metadata'] as Record<string, string>);

type Rule = (row: Row, value: string) => boolean;
const cardOf = (id: unknown) => cards.find((card) => card.id === id) as Row;
const CARD_RULES: Record<string, Rule> = {
  ...Object.fromEntries(
    ['status', 'cardType', 'externalCustomerId', 'lastFour', 'cardDesign'].map((name) => [
      name,
      (row: Row, value: string) => row[name] === value,
    ]),
  ),
};
const equal =
  (name: string): Rule =>
  (row, value) =>
    row[name] === value;
const TRANSACTION_RULES: Record<string, Rule> = {
  ...Object.fromEntries(
    ['status', 'kind', 'card_id', 'external_transaction_id', 'channel', 'decline_reason', 'currency'].map(
      (name) => [name, equal(name)],
    ),
  ),
  mcc: ({ merchant }, value) => merchant?.mcc === value,
  flag: ({ flags }, value) => flags?.includes(value) ?? false,
  external_customer_id: (row, value) => cardOf(row['card_id'])?.['externalCustomerId'] === value,
  min_amount: (row, value) => Number(row['bill_amount']) >= Number(value),
  max_amount: (row, value) => Number(row['bill_amount']) <= Number(value),
};

describe.each([
  ['cards', CARDS, CARD_RULES, () => cards],
  ['transactions', TRANSACTIONS, TRANSACTION_RULES, () => transactions],
] as const)('%s', (_name, list, rules, all) => {
  /** Values that rows have, one that none has, and for amounts one between. */
  const valuesOf = (name: string): string[] => {
    if (name.endsWith('_amount')) return ['0', '7.50', '30.00', '1000.00'];
    if (name === 'external_customer_id') return [...customers, 'nobody'];
    const seen = all().flatMap((row) => {
      if (name === 'mcc') return row.merchant?.mcc ?? [];
      if (name === 'flag') return row.flags ?? [];
      return row[name] === null || row[name] === undefined ? [] : (row[name] as string);
    });
    return [...new Set(seen)].slice(0, 5);
  };

  test.each(Object.keys(rules))('with %s are those of all that match, on any page size', async (name) => {
    const values = valuesOf(name);
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) {
      const expected = all().filter((row) => rules[name]?.(row, value));
      const { rows, count } = await readAll(list, { [name]: value, page_size: 3 });
      expect([value, rows.map(({ id }) => id)]).toEqual([value, expected.map(({ id }) => id)]);
      expect([value, count]).toEqual([value, expected.length]);
    }
  });

  test('with several filters are those that match all of them', async () => {
    const random = seededRandom(7);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
    const days = daysOf(all());
    expect(days.length).toBeGreaterThan(1);
    let found = 0;
    for (let each = 0; each < 30; each++) {
      const names = new Set(
        Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(Object.keys(rules))),
      );
      const query = Object.fromEntries([...names].map((name) => [name, pick(valuesOf(name))]));
      if (Number(query['min_amount']) > Number(query['max_amount'])) continue;
      const pair = random() < 0.3 ? pick(all().flatMap(pairsOf)) : undefined;
      const [from, to] = [pick(days), pick(days)].sort() as [string, string];
      const dates = random() < 0.5 ? { min_created: from, max_created: to } : {};
      const expected = all().filter(
        (row) =>
          Object.entries(query).every(([name, value]) => rules[name]?.(row, value)) &&
          (!pair || pairsOf(row).some((own) => String(own) === String(pair))) &&
          (!('min_created' in dates) || isBetween(row, from, to)),
      );
      const given = { ...query, ...dates, ...(pair && { [`metadata[${pair[0]}]`]: pair[1] }) };
      const { rows } = await readAll(list, { ...given, page_size: 1 + Math.floor(random() * 5) });
      expect([given, rows.map(({ id }) => id)]).toEqual([given, expected.map(({ id }) => id)]);
      found += expected.length;
    }
    expect(found).toBeGreaterThan(10);
  });

  test('are skipped by the number of a page', async () => {
    const value = all().filter((row) => rules['status']?.(row, String(all()[0]?.['status'])));
    const status = String(all()[0]?.['status']);
    const second = await get(list, { status, page: 2, page_size: 2 });
    expect(second.results.map(({ id }: Row) => id)).toEqual(value.slice(2, 4).map(({ id }) => id));
    const past = await get(list, { status, page: 90, page_size: 2 });
    expect(past).toMatchObject({ results: [], count: value.length, next: null });
  });
});

test('a pair of metadata leads to its cards and its transactions, with other filters too', async () => {
  for (const [list, all] of [
    [CARDS, cards],
    [TRANSACTIONS, transactions],
  ] as const) {
    const pairs = all.flatMap((row) => Object.entries(row['metadata'] as Record<string, string>));
    expect(pairs.length).toBeGreaterThan(3);
    for (const [key, value] of pairs) {
      const expected = all.filter((row) => (row['metadata'] as Record<string, string>)[key] === value);
      const { rows, count } = await readAll(list, { [`metadata[${key}]`]: value, page_size: 2 });
      expect([key, value, count, rows.map(({ id }) => id)]).toEqual([
        ...[key, value, expected.length],
        expected.map(({ id }) => id),
      ]);
    }
    expect((await get(list, { 'metadata[team]': 'nobody' })).results).toEqual([]);
  }
  const frozen = await get(CARDS, { 'metadata[team]': 'blue', status: 'FROZEN' });
  expect(frozen.results.map(({ id }: Row) => id)).toEqual(
    cards
      .filter(
        (row) => (row['metadata'] as Record<string, string>)['team'] === 'blue' && row['status'] === 'FROZEN',
      )
      .map(({ id }) => id),
  );
});

test('a card’s own list takes the filters of transactions', async () => {
  const id = transactions[0]?.['card_id'] as string;
  const { rows } = await readAll(`${CARDS}${id}/transactions/`, { status: 'CLEARED', page_size: 1 });
  const expected = transactions.filter((row) => row['card_id'] === id && row['status'] === 'CLEARED');
  expect(rows.map((row) => row.id)).toEqual(expected.map((row) => row.id));
});

test('events with the status of any delivery', async () => {
  for (const status of ['PENDING', 'DELIVERED', 'FAILED']) {
    const expected = events.filter(({ deliveries }) =>
      (deliveries as Array<{ status: string }>).some((delivery) => delivery.status === status),
    );
    expect(expected.length).toBeGreaterThan(2);
    const { rows } = await readAll(EVENTS, { status, page_size: 2 });
    expect(rows.map((row) => row['eventId'])).toEqual(expected.map((row) => row['eventId']));
  }
});

test.each(['eventType', 'eventName', 'cardId', 'transactionId'])('events with %s', async (name) => {
  const seen = (row: Row): unknown =>
    ((body: Record<string, unknown>) =>
      name === 'cardId'
        ? (body['card_id'] ?? body['cardId'] ?? body['id'])
        : name === 'transactionId'
          ? body['transaction_id']
          : row[name])(row['data'] as Record<string, unknown>);
  const values = [...new Set(events.map(seen))].filter((value) => typeof value === 'string').slice(0, 4);
  expect(values.length).toBeGreaterThan(0);
  for (const value of values) {
    const expected = events.filter((row) => seen(row) === value);
    const { rows } = await readAll(EVENTS, { [name]: value as string, page_size: 7 });
    expect([value, rows.map((row) => row['eventId'])]).toEqual([
      value,
      expected.map((row) => row['eventId']),
    ]);
  }
});

test.each<[list: string, query: string, message: RegExp]>([
  [CARDS, 'status=OPEN', /^status: must be one of/],
  [CARDS, 'lastFour=12', /^lastFour: must be 4 digits$/],
  [CARDS, 'cardDesign=%00', /^cardDesign: /],
  [CARDS, 'metadata=x', /^metadata: must be given as metadata\[key\]=value$/],
  [CARDS, 'metadata[a]=1&metadata[b]=2', /^metadata: must be one pair$/],
  [CARDS, 'metadata[a]=1&metadata[a]=1', /^metadata: must be given once$/],
  [CARDS, 'metadata[a]=%00', /^metadata: must not contain control characters$/],
  ...['', 'a%3Db', 'a%20b', '__proto__', 'k'.repeat(41)].map((key): [string, string, RegExp] => [
    TRANSACTIONS,
    `metadata[${key}]=c`,
    /^metadata: keys must be 1 to 40 characters/,
  ]),
  [EVENTS, 'metadata[a]=1', /^metadata\[a\]: is not a query parameter/],
  [TRANSACTIONS, 'card_id=1', /^card_id: must be a card id$/],
  [TRANSACTIONS, 'min_amount=1.005', /^min_amount: must have at most 2 decimals in EUR$/],
  [TRANSACTIONS, 'min_amount=2&max_amount=1', /^min_amount: must not exceed max_amount$/],
  [TRANSACTIONS, 'mcc=12', /^mcc: must be a merchant category code of 4 digits$/],
  [TRANSACTIONS, 'flag=nice', /^flag: must be one of/],
  [EVENTS, 'cardId=1', /^cardId: must be a card id$/],
  [EVENTS, 'eventName=A', /^eventName: must be a name/],
])('%s?%s is a 400 that names the filter', async (list, query, message) => {
  const { status, body } = await app.call('GET', `${list}?${query}`);
  expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
});

test('with a filter that narrows alone, short pages lead to each record once, forwards and back', async () => {
  const { program, key } = await app.addProgram();
  const range = { fromMs: Date.now() - 86_400_000, toMs: Date.now() - 3_600_000 };
  const { id } = await createCard(app, {}, key);
  const ids = (await fillTransactions(app, program, [id], { count: 16_000, ...range })).map(({ id }) => id);
  // The newest ones lie closer together than a page is read from, the others further apart.
  const rare = [100, 101, 9_000, 15_200, 15_900].map((index) => ids[index] as string);
  await app.sql(`update transactions set merchant_mcc = '7995' where id = any ($1::uuid[])`, [rare]);
  const url = `${TRANSACTIONS}?mcc=7995&page_size=2`;
  const walk = async (from: string, to: 'next' | 'previous') => {
    const pages: Array<{
      results: Row[];
      next: string | null;
      previous: string | null;
      count: number;
      count_capped?: true;
    }> = [];
    for (let link: string | null = from; link; link = pages.at(-1)?.[to] ?? null)
      pages.push((await app.call('GET', path(link), { key })).body);
    return pages;
  };
  const forwards = await walk(url, 'next');
  const idsOf = (pages: typeof forwards) => pages.map(({ results }) => results.map(({ id }) => id));
  expect(idsOf(forwards).flat()).toEqual(rare.toReversed());
  expect(forwards.some(({ results }) => results.length < 2)).toBe(true);
  // As many as are among the newest ten thousand, of which there may be more.
  for (const page of forwards) expect(page).toMatchObject({ count: 3, count_capped: true });
  const back = await walk(forwards.at(-1)?.previous as string, 'previous');
  expect(idsOf(back).toReversed().flat()).toEqual(
    rare.toReversed().slice(0, -(forwards.at(-1)?.results.length ?? 0)),
  );
  const again = await walk(back.at(-1)?.next as string, 'next');
  const skipped = back.at(-1)?.results.length ?? 0;
  expect(idsOf(again).flat()).toEqual(rare.toReversed().slice(skipped));
});

test('each record that existed is met once while new ones arrive, with any filter', async () => {
  const cardId = transactions[0]?.['card_id'] as string;
  const customer = cardOf(cardId)['externalCustomerId'];
  const payTimes = (times: number) => async () => {
    if (times-- > 0) await swipe(app, cardId, '1.00', { channel: 'POS' });
  };
  for (const [list, query] of [
    [TRANSACTIONS, { card_id: cardId }],
    [TRANSACTIONS, { external_customer_id: customer }],
    [TRANSACTIONS, { status: 'PENDING' }],
    [TRANSACTIONS, { decline_reason: 'insufficient_funds' }],
    [TRANSACTIONS, { channel: 'POS' }],
    [TRANSACTIONS, { max_amount: '50.00' }],
    [`${CARDS}${cardId}/transactions/`, { status: 'PENDING' }],
    [EVENTS, { cardId }],
    [EVENTS, { eventType: 'transaction' }],
  ] as const) {
    const idsOf = (rows: Row[]) => rows.map((row) => row['eventId'] ?? row.id);
    const before = idsOf((await readAll(list, { ...query, page_size: 100 } as never)).rows);
    const { rows } = await readAll(list, { ...query, page_size: 3 } as never, payTimes(3));
    expect([list, query, idsOf(rows)]).toEqual([list, query, before]);
  }
});
