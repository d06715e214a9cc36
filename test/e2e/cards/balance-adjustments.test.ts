import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNTS } from '../../../src/ledger/accounts.ts';
import { cardRows } from '../../support/cards/card-rows.ts';
import { credentialsOf, retrieve } from '../../support/cards/card-states.ts';
import { CARDS, createCard, rowsWritten } from '../../support/cards/cards.ts';
import { follow, swipe } from '../../support/cards/swipe.ts';
import { seededRandom } from '../../support/scripts/random.ts';
import { setClock } from '../../support/server/clock.ts';
import { type Answer, type TestApp, twoAppsForTests } from '../../support/server/test-app.ts';

/** Two processes on one database, as in production. */
const [app, second] = twoAppsForTests();
beforeAll(async () => {
  await setClock(app, '2095-01-31T12:00:00Z');
});

const adjust = (
  cardId: string,
  body: unknown,
  { key = app.key, on = app, idempotencyKey }: { key?: string; on?: TestApp; idempotencyKey?: string } = {},
): Promise<Answer> =>
  on.call('POST', `${CARDS}${cardId}/balance-adjustments/`, {
    body,
    key,
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  });
const by = (amount: number) => ({ amount, reference: 'test' });
const creditOf = async (cardId: string, key: string = app.key): Promise<number> =>
  (await retrieve(app, cardId, key)).availableCredit;
const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status).sort();

/** The card's balance from its transfers alone, which must be the one that is kept, and all accounts sum to zero. */
async function ledgerOf(cardId: string): Promise<number> {
  const [row] = await app.db.query<{ kept: number; moved: number; sum: number }>(
    {
      text: `select (select balance_minor from ledger_accounts where id = $1)::int as kept,
                    (select coalesce(sum(case when credit_account_id = $1 then amount_minor else -amount_minor end), 0)
                     from ledger_transfers where $1 in (debit_account_id, credit_account_id))::int as moved,
                    (select sum(balance_minor) from ledger_accounts)::int as sum`,
    },
    [cardId],
  );
  expect(row).toMatchObject({ moved: row?.kept, sum: 0 });
  return row?.kept as number;
}

describe('available credit', () => {
  test.each([
    [50, 300],
    [0.01, 250.01],
    [-0.01, 249.99],
    [-249.99, 0.01],
    [-250, 0],
  ])('an adjustment of %d changes 250 to %d', async (amount, availableCredit) => {
    const { id } = await createCard(app);
    const answer = await adjust(id, { amount, reference: 'Ünïcode top-up / 7' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/),
      cardId: id,
      amount,
      reference: 'Ünïcode top-up / 7',
      availableCredit,
      created: expect.stringMatching(/^2095-01-31T12:\d\d:\d\d\+0000$/),
    });
    expect(await retrieve(app, id)).toMatchObject({ availableCredit, spendLimit: 250 });
    expect(await ledgerOf(id)).toBe(Math.round(availableCredit * 100));
  });

  test('can be spent, and is reduced, immediately after an adjustment', async () => {
    const { id } = await createCard(app, { spendLimit: 0 });
    expect(await swipe(app, id, '10.00')).toMatchObject({ decline_reason: 'insufficient_funds' });
    await adjust(id, by(10));
    expect(await swipe(app, id, '10.00')).toMatchObject({ approved: true });
    await adjust(id, by(10));
    await adjust(id, by(-0.01));
    expect(await swipe(app, id, '10.00')).toMatchObject({ decline_reason: 'insufficient_funds' });
  });

  test('on hold cannot be taken back until the hold is released', async () => {
    const { id } = await createCard(app);
    const { transaction_id } = await swipe(app, id, '200.00');
    expect((await adjust(id, by(-50.01))).status).toBe(400);
    expect((await adjust(id, by(-50))).body.availableCredit).toBe(0);
    await follow(app, 'reversals', { transaction_id });
    expect((await adjust(id, by(-200))).body.availableCredit).toBe(0);
  });

  test('below zero after a clearing can be raised in steps, and not lowered', async () => {
    const { id } = await createCard(app, { spendLimit: 10 });
    const { transaction_id } = await swipe(app, id, '10.00');
    await follow(app, 'clearings', { transaction_id, amount: '30.00' });
    expect(await creditOf(id)).toBe(-20);
    expect((await adjust(id, by(-0.01))).status).toBe(400);
    expect((await adjust(id, by(5))).body.availableCredit).toBe(-15);
    expect((await adjust(id, by(-1))).status).toBe(400);
    expect((await adjust(id, by(15))).body.availableCredit).toBe(0);
    expect(await ledgerOf(id)).toBe(0);
  });

  test.each([
    ['JPY', 7, 1007],
    ['KWD', 0.005, 1000.005],
    ['CLF', -0.0001, 999.9999],
  ])('in %s has the currency’s decimals', async (currency, amount, availableCredit) => {
    const { key } = await app.addProgram({ currency });
    const { id } = await createCard(app, { spendLimit: 1000 }, key);
    expect((await adjust(id, by(amount), { key })).body).toMatchObject({ amount, availableCredit });
    expect(await creditOf(id, key)).toBe(availableCredit);
  });
});

describe('a refused adjustment moves nothing', () => {
  let id: string;
  beforeAll(async () => {
    id = (await createCard(app)).id;
  });
  async function refused(body: unknown, field: string, rule: string | RegExp = /./): Promise<void> {
    const before = [await rowsWritten(app), await cardRows(app, id)];
    const answer = await adjust(id, body);
    expect([answer.status, answer.body.code, answer.body.status]).toEqual([400, 400, 'failed']);
    const [name, said] = answer.body.message.split(': ');
    expect(name).toBe(field);
    expect(said).toMatch(rule);
    expect([await rowsWritten(app), await cardRows(app, id)]).toEqual(before);
    expect(await creditOf(id)).toBe(250);
  }

  test.each([
    ['more than there is', -250.01, 'must not remove more than the available 250.00'],
    ['much more than there is', -9_999_999_999_999.99, 'must not remove more than the available 250.00'],
    [
      'more than we count',
      9_999_999_999_999.99,
      'must not raise the available credit above 9999999999999.99',
    ],
    ['more than we count at all', 10_000_000_000_000, 'must be at most'],
    ['huge', -1e300, 'must be at most'],
    ['nothing', 0, 'must not be 0'],
    ['a third decimal', 1.005, 'must have at most 2 decimals in EUR'],
    ['a tiny amount', -1e-9, 'must have at most 2 decimals in EUR'],
    ['text', '10', 'must be a number'],
    ['null', null, 'must be a number'],
    ['a boolean', true, 'must be a number'],
    ['no amount', undefined, 'is required'],
  ])('%s', async (_name, amount, rule) => refused({ amount, reference: 'test' }, 'amount', rule));

  test.each([
    ['missing', undefined, 'is required'],
    ['null', null, 'must be a string'],
    ['a number', 7, 'must be a string'],
    ['empty', '', 'must not be empty'],
    ['blank', '   ', 'must not be empty'],
    ['256 characters', 'r'.repeat(256), 'must be at most 255 characters'],
    ['with a control character', 'a\u0000b', 'must not contain control, invisible or invalid characters'],
  ])('a reference that is %s', async (_name, reference, rule) =>
    refused({ amount: 1, reference }, 'reference', rule),
  );

  test('a card number in the reference is stored and returned masked', async () => {
    const { id: own } = await createCard(app);
    const { cardNumber } = await credentialsOf(app, own);
    const given = { amount: 1, reference: `for ${cardNumber}, twice` };
    const { status, body } = await adjust(own, given);
    expect([status, body.reference]).toEqual([201, 'for [card number], twice']);
    const kept = await app.db.query(
      { text: 'select reference from balance_adjustments where card_id = $1' },
      [own],
    );
    expect(kept).toEqual([{ reference: 'for [card number], twice' }]);
    const { audits } = await cardRows(app, own);
    expect(audits.at(-1)?.after).toMatchObject({ reference: 'for [card number], twice' });
  });

  test('a reference of 255 characters is accepted', async () => {
    const { id: other } = await createCard(app);
    const reference = '🂡'.repeat(255);
    expect((await adjust(other, { amount: 1, reference })).body.reference).toBe(reference);
  });
});

describe('concurrent adjustments on two processes', () => {
  const burst = <T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => call(index)));
  const processOf = (index: number): TestApp => (index % 2 === 0 ? app : second);

  test('of 50 that each take 10 of 250, 25 succeed, 25 are refused, and the credit is 0', async () => {
    const { id } = await createCard(app);
    const answers = await burst(50, (index) => adjust(id, by(-10), { on: processOf(index) }));
    expect(statuses(answers)).toEqual([...Array(25).fill(201), ...Array(25).fill(400)]);
    const left = answers.filter(({ status }) => status === 201).map(({ body }) => body.availableCredit);
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, index) => index * 10));
    expect(await ledgerOf(id)).toBe(0);
  });

  test('of 50 up and down, each applies to the previous result, and none goes below zero', async () => {
    const seed = Number.parseInt(randomBytes(4).toString('hex'), 16);
    const random = seededRandom(seed);
    const amounts = Array.from({ length: 50 }, () => Math.round(random() * 20_000 - 11_000) / 100 || 1);
    const { id } = await createCard(app, { spendLimit: 100 });
    const answers = await burst(50, (index) =>
      adjust(id, by(amounts[index] as number), { on: processOf(index) }),
    );
    const done = answers.filter(({ status }) => status === 201).map(({ body }) => body);
    expect({ seed, other: answers.filter(({ status }) => status !== 201 && status !== 400) }).toEqual({
      seed,
      other: [],
    });
    // Every answer continues another one: what they began with is where the others ended.
    const after = done.map(({ availableCredit }) => Math.round(availableCredit * 100));
    const before = done.map(({ amount }, index) => (after[index] as number) - Math.round(amount * 100));
    const inOrder = (list: number[]) => list.toSorted((a, b) => a - b);
    const end = await ledgerOf(id);
    expect({ seed, chain: inOrder([...before, end]) }).toEqual({ seed, chain: inOrder([10_000, ...after]) });
    expect({ seed, lowest: Math.min(...after) >= 0 }).toEqual({ seed, lowest: true });
  });

  test('concurrent purchases never spend the same money', async () => {
    const { id } = await createCard(app);
    const taken = await burst(60, async (index) => {
      if (index % 3 > 0) return (await adjust(id, by(-10), { on: processOf(index) })).status === 201;
      return (await swipe(processOf(index), id, '10.00', {}, app.key)).approved as boolean;
    });
    expect(taken.filter(Boolean)).toHaveLength(25);
    expect(await ledgerOf(id)).toBe(0);
  });
});

describe('the audit of concurrent changes by two processes', () => {
  test('is in the order of the commits: each entry begins with the result of the previous one', async () => {
    const { id } = await createCard(app);
    const changes = Array.from({ length: 60 }, async (_, index) => {
      const on = index % 2 === 0 ? app : second;
      if (index % 4 < 2) return (await adjust(id, by(index + 1), { on })).status;
      const request = { body: { dailyLimit: index }, key: app.key };
      return (await on.call('PUT', `${CARDS}${id}/spend-controls/`, request)).status;
    });
    expect((await Promise.all(changes)).sort()).toEqual([...Array(30).fill(200), ...Array(30).fill(201)]);
    const { audits } = await cardRows(app, id);
    for (const [name, field, first] of [
      ['card.balance_adjusted', 'availableCredit', 250],
      ['card.spend_controls_changed', 'dailyLimit', null],
    ] as const) {
      const entries = audits.filter((entry) => entry.name === name);
      expect(entries).toHaveLength(30);
      const ends = entries.map(({ after }) => after?.[field]);
      expect(entries.map(({ before }) => before?.[field])).toEqual([first, ...ends.slice(0, -1)]);
    }
  });
});

test('the audit has actor, amount and reference; the event says that the balance changed', async () => {
  const { id } = await createCard(app);
  const key = await app.addKey(app.program.id, ['write']);
  const answer = await adjust(id, { amount: -50.5, reference: 'correction 7' }, { key: key.key });
  await adjust(id, by(-1000), { key: key.key });
  const { audits, events } = await cardRows(app, id);
  expect(audits.filter(({ name }) => name === 'card.balance_adjusted')).toMatchObject([
    {
      actor: `key:${key.id}`,
      requestId: answer.headers.get('x-request-id'),
      before: { availableCredit: 250 },
      after: { availableCredit: 199.5, reference: 'correction 7' },
    },
  ]);
  expect(events.map(({ name, data }) => [name, data?.['changed']])).toEqual([
    ['card.created', undefined],
    ['card.updated', ['balance']],
  ]);
});

test('the ledger has one transfer for each adjustment, with the adjustment’s id', async () => {
  const { id } = await createCard(app);
  const [up, down] = [(await adjust(id, by(20.5))).body, (await adjust(id, by(-0.5))).body];
  const transfers = await app.db.query(
    {
      text: `select movement_id as movement, code, debit_account_id as debit, credit_account_id as credit,
                    amount_minor::int as amount, created_at > '2095-01-31' as of_clock
             from ledger_transfers where movement_id = any ($1) order by id`,
    },
    [[up.id, down.id]],
  );
  const transfer = { code: 'adjustment', ofClock: true };
  expect(transfers).toEqual([
    { ...transfer, movement: up.id, debit: ACCOUNTS.credit, credit: id, amount: 2050 },
    { ...transfer, movement: down.id, debit: id, credit: ACCOUNTS.credit, amount: 50 },
  ]);
  const kept = await app.db.query(
    {
      text: `select id, amount_minor::int as amount, reference from balance_adjustments
             where card_id = $1 order by id`,
    },
    [id],
  );
  expect(kept).toEqual([
    { id: up.id, amount: 2050, reference: 'test' },
    { id: down.id, amount: -50, reference: 'test' },
  ]);
  expect(await ledgerOf(id)).toBe(27_000);
});

test('the daily closing balance includes the adjustments until then', async () => {
  const { program, key } = await app.addProgram();
  await setClock(app, '2095-03-01T23:30:00Z', key);
  const { id } = await createCard(app, { spendLimit: 100 }, key);
  await adjust(id, by(5), { key });
  await setClock(app, '2095-03-03T00:00:00Z', key);
  await adjust(id, by(-25), { key });
  await adjust(id, by(1), { key });
  const days = await app.db.query(
    {
      text: `select account_id as account, day, balance_minor::int as balance from ledger_daily_balances
             where program_id = $1 order by day`,
    },
    [program.id],
  );
  const account = ACCOUNTS.credit;
  expect(days).toEqual([
    { account, day: '2095-03-01', balance: -10_500 },
    { account, day: '2095-03-03', balance: -8_100 },
  ]);
});
