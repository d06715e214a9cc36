import { beforeAll, describe, expect, test } from 'vitest';
import { cardRows } from '../../support/cards/card-rows.ts';
import { retrieve } from '../../support/cards/card-states.ts';
import { CARDS, createCard } from '../../support/cards/cards.ts';
import { payingCard } from '../../support/cards/network.ts';
import { follow, swipe } from '../../support/cards/swipe.ts';
import { setClock } from '../../support/server/clock.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
beforeAll(async () => {
  // Noon, so that no test crosses midnight but those that mean to.
  await setClock(app, '2095-01-15T12:00:00Z');
});

const NOT_RAISED = { transactionLimit: null, dailyLimit: null, monthlyLimit: null };
const NONE = {
  transactionLimit: null,
  dailyLimit: null,
  monthlyLimit: null,
  allTimeLimit: null,
  allowedMccs: [],
  blockedMccs: [],
  temporaryLimits: NOT_RAISED,
};
const ALL = {
  transactionLimit: 100,
  dailyLimit: 200.5,
  monthlyLimit: 3000.01,
  allTimeLimit: 0,
  allowedMccs: ['5411', '5812'],
  blockedMccs: ['7995'],
  temporaryLimits: {
    transactionLimit: { amount: 150.5, endsAt: '2095-01-15T13:00:00+0000' },
    dailyLimit: { amount: 0, endsAt: '2095-04-15T12:00:00+0000' },
    monthlyLimit: null,
  },
};
const LIMITS = ['transactionLimit', 'dailyLimit', 'monthlyLimit', 'allTimeLimit'] as const;
const LISTS = ['allowedMccs', 'blockedMccs'] as const;

const put = (cardId: string, body: unknown, key: string = app.key) =>
  app.call('PUT', `${CARDS}${cardId}/spend-controls/`, { body, key });
const controlsOf = async (cardId: string, key: string = app.key) =>
  (await retrieve(app, cardId, key)).spendControls;

describe('given fields change and the others stay', () => {
  test('a new card has no controls', async () => {
    const { id } = await createCard(app);
    expect(await controlsOf(id)).toEqual(NONE);
  });

  test.each(Object.entries(ALL))('%s alone', async (field, value) => {
    const { id } = await createCard(app);
    const answer = await put(id, { [field]: value });
    expect([answer.status, answer.body]).toEqual([200, { ...NONE, [field]: value }]);
    expect(await controlsOf(id)).toEqual({ ...NONE, [field]: value });
  });

  test('all fields together, then each removed', async () => {
    const { id } = await createCard(app);
    expect((await put(id, ALL)).body).toEqual(ALL);
    const left: Record<string, unknown> = { ...ALL };
    for (const [field, none] of Object.entries(NONE)) {
      left[field] = none;
      expect((await put(id, { [field]: none })).body).toEqual(left);
      expect(await controlsOf(id)).toEqual(left);
    }
    expect(left).toEqual(NONE);
  });

  test('an empty body and unknown fields change nothing', async () => {
    const { id } = await createCard(app);
    await put(id, ALL);
    expect((await put(id, {})).body).toEqual(ALL);
    const unknown = { weeklyLimit: 1, transactionlimit: 1, spendLimit: 1, status: 'BLOCKED' };
    expect((await put(id, unknown)).body).toEqual(ALL);
    expect(await retrieve(app, id)).toMatchObject({ status: 'ACTIVE', spendLimit: 250, spendControls: ALL });
  });

  test('a list is replaced, and contains each code once', async () => {
    const { id } = await createCard(app);
    await put(id, { allowedMccs: ['5411', '5812'] });
    const { body } = await put(id, { allowedMccs: ['0742', '5411', '0742'] });
    expect(body.allowedMccs).toEqual(['0742', '5411']);
  });

  test('concurrent changes of different fields are all kept', async () => {
    const { id } = await createCard(app);
    const answers = await Promise.all(
      Object.entries(ALL).map(([field, value]) => put(id, { [field]: value })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await controlsOf(id)).toEqual(ALL);
  });

  test('credit, status and history do not change', async () => {
    const { id } = await createCard(app);
    const { spendControls: _before, ...before } = await retrieve(app, id);
    await put(id, ALL);
    const { spendControls: _after, ...after } = await retrieve(app, id);
    expect(after).toEqual(before);
  });
});

describe('a refused request changes nothing', () => {
  let card: { id: string };
  beforeAll(async () => {
    card = await createCard(app);
  });

  async function refused(
    field: string,
    value: unknown,
    rule: string | RegExp = /./,
    id = card.id,
    key = app.key,
  ) {
    const before = await cardRows(app, id);
    // Good fields beside the bad one: they stay out too.
    const answer = await put(id, { transactionLimit: 7, blockedMccs: ['1234'], [field]: value }, key);
    expect([answer.status, answer.body.code, answer.body.status]).toEqual([400, 400, 'failed']);
    const [name, ...said] = answer.body.message.split(': ');
    expect(name.split(/[.[]/)[0]).toBe(field);
    expect(said.join(': ')).toMatch(rule);
    expect(await cardRows(app, id)).toEqual(before);
  }

  describe.each(LIMITS)('%s', (field) => {
    test.each([
      ['text', '10'],
      ['a boolean', true],
      ['a list', [10]],
      ['an object', {}],
    ])('%s', async (_name, value) => refused(field, value, /must be a number or null/));
    test.each([
      ['negative', -0.01, 'must be at least 0'],
      ['a third decimal', 10.005, 'must have at most 2 decimals in EUR'],
      ['a sum of floats', 0.1 + 0.2, 'must have at most 2 decimals in EUR'],
      ['tiny', 1e-7, 'must have at most 2 decimals in EUR'],
      ['more than we count', 10_000_000_000_000, 'must be at most 9999999999999.99'],
      ['huge', 1e300, 'must be at most 9999999999999.99'],
    ])('%s', async (_name, value, rule) => refused(field, value, rule));
  });

  describe.each(LISTS)('%s', (field) => {
    test.each([
      ['null', null],
      ['text', '5411'],
      ['numbers', [5411]],
      ['three digits', ['541']],
      ['five digits', ['54110']],
      ['letters', ['54I1']],
      ['digits of another script', ['٥٤١١']],
      ['a space', ['5411 ']],
      ['null inside', ['5411', null]],
      ['more than 1000', Array.from({ length: 1001 }, (_, index) => String(1000 + index))],
    ])('%s', async (_name, value) => refused(field, value));
  });

  test.each([
    ['null', null, 'must be an object'],
    ['no end', { dailyLimit: { amount: 1 } }, 'is required'],
    ['a day', { dailyLimit: { amount: 1, endsAt: '2095-01-16' } }, 'must be a timestamp with an offset'],
    ['the past', { dailyLimit: { amount: 1, endsAt: '2095-01-15T11:59:59Z' } }, 'must be in the future'],
    [
      '91 days',
      { dailyLimit: { amount: 1, endsAt: '2095-04-16T13:00:00Z' } },
      'must be at most 90 days ahead',
    ],
    ['negative', { monthlyLimit: { amount: -1, endsAt: '2095-01-16T00:00:00Z' } }, 'must be at least 0'],
    [
      'a third decimal',
      { dailyLimit: { amount: 0.005, endsAt: '2095-01-16T00:00:00Z' } },
      'must have at most 2',
    ],
  ])('temporaryLimits: %s', async (_name, value, rule) => refused('temporaryLimits', value, rule));

  test.each([
    ['JPY', 0.5, 'must have at most 0 decimals in JPY'],
    ['KWD', 0.0005, 'must have at most 3 decimals in KWD'],
    ['CLF', 0.00005, 'must have at most 4 decimals in CLF'],
  ])('more decimals than %s has', async (currency, value, rule) => {
    const { key } = await app.addProgram({ currency });
    const { id } = await createCard(app, { spendLimit: 0 }, key);
    await refused('dailyLimit', value, rule, id, key);
  });

  test.each([
    ['JPY', 500],
    ['KWD', 0.005],
    ['CLF', 0.0005],
    ['EUR', 9_999_999_999_999.99],
  ])('as many decimals as %s has are exact: %d', async (currency, dailyLimit) => {
    const { key } = await app.addProgram({ currency });
    const { id } = await createCard(app, { spendLimit: 0 }, key);
    expect((await put(id, { dailyLimit }, key)).body.dailyLimit).toBe(dailyLimit);
    expect((await controlsOf(id, key)).dailyLimit).toBe(dailyLimit);
  });

  test('1000 codes are accepted', async () => {
    const { id } = await createCard(app);
    const blockedMccs = Array.from({ length: 1000 }, (_, index) => String(1000 + index));
    expect((await put(id, { blockedMccs })).body.blockedMccs).toEqual(blockedMccs);
  });
});

test('the audit has the actor and the change, and each change has an event', async () => {
  const { id } = await createCard(app);
  const key = await app.addKey(app.program.id, ['write']);
  const first = await put(id, { dailyLimit: 50.5 }, key.key);
  const second = await put(id, { dailyLimit: null, allowedMccs: ['5411'] }, key.key);
  const { audits, events } = await cardRows(app, id);
  const changes = audits.filter(({ name }) => name === 'card.spend_controls_changed');
  const entry = (answer: typeof first, before: object, after: object) => ({
    actor: `key:${key.id}`,
    requestId: answer.headers.get('x-request-id'),
    before: { ...NONE, ...before },
    after: { ...NONE, ...after },
  });
  expect(changes).toMatchObject([
    entry(first, {}, { dailyLimit: 50.5 }),
    entry(second, { dailyLimit: 50.5 }, { allowedMccs: ['5411'] }),
  ]);
  expect(events.map(({ name, data }) => [name, data?.['fields']])).toEqual([
    ['card.created', undefined],
    ['card.updated', ['dailyLimit']],
    ['card.updated', ['dailyLimit', 'allowedMccs']],
  ]);
});

/** A card with more credit than any limit here, and what became of its swipes: `ok` or the reason and its code. */
async function limitedCard(controls: object, key: string = app.key) {
  const { id } = await createCard(app, { spendLimit: 100_000 }, key);
  await put(id, controls, key);
  const purchase = (amount: string, changes: object = {}) => swipe(app, id, amount, { ...changes }, key);
  return {
    id,
    limit: (body: object) => put(id, body, key),
    hold: async (amount: string): Promise<string> => {
      const answer = await purchase(amount);
      expect(answer).toMatchObject({ approved: true, decline_reason: null });
      return answer.transaction_id;
    },
    pay: async (amount: string, changes: object = {}): Promise<string> => {
      const { approved, decline_code, decline_reason, network_code } = await purchase(amount, changes);
      return approved ? 'ok' : `${decline_code} ${decline_reason} ${network_code}`;
    },
    reverse: (transaction_id: string, bill_amount?: string) =>
      follow(app, 'reversals', { transaction_id, ...(bill_amount && { bill_amount }) }, key),
    clear: (transaction_id: string, amount: string, changes: object = {}) =>
      follow(app, 'clearings', { transaction_id, amount, ...changes }, key),
    refund: (transaction_id: string) => follow(app, 'refunds', { transaction_id }, key),
  };
}

const OVER = {
  transactionLimit: 'R7 transaction_limit 61',
  dailyLimit: 'R6 daily_limit 61',
  monthlyLimit: 'R13 card_limit 61',
  allTimeLimit: 'R13 card_limit 61',
};
const NOT_ALLOWED = 'R19 merchant_category_not_allowed 57';

describe('the transaction limit', () => {
  test('counts the bill amount, not the amount in the merchant’s currency', async () => {
    const card = await limitedCard({ transactionLimit: 100 });
    expect(await card.pay('16000', { currency: 'JPY', bill_amount: '100.00' })).toBe('ok');
    expect(await card.pay('1', { currency: 'JPY', bill_amount: '100.01' })).toBe(OVER.transactionLimit);
  });
});

describe.each(['dailyLimit', 'monthlyLimit', 'allTimeLimit'] as const)('%s', (field) => {
  test('counts purchases from before it was set, and follows every change', async () => {
    const card = await limitedCard({});
    expect(await card.pay('80.00')).toBe('ok');
    await card.limit({ [field]: 50 });
    expect(await card.pay('0.01')).toBe(OVER[field]);
    expect(await card.pay('0.00')).toBe('ok');
    await card.limit({ [field]: 90 });
    expect(await card.pay('10.00')).toBe('ok');
    expect(await card.pay('0.01')).toBe(OVER[field]);
    await card.limit({ [field]: null });
    expect(await card.pay('1000.00')).toBe('ok');
  });

  test('under concurrency approves no more than it allows', async () => {
    const card = await limitedCard({ [field]: 10 });
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => card.pay('1.00')));
    expect(outcomes.toSorted()).toEqual([...Array(20).fill(OVER[field]), ...Array(10).fill('ok')]);
  });
});

describe('limits by program time', () => {
  const program = async (now: string) => {
    const { key } = await app.addProgram();
    await setClock(app, now, key);
    return { key, at: (moment: string) => setClock(app, moment, key) };
  };

  test('a daily limit ends at midnight UTC', async () => {
    const { key, at } = await program('2095-06-10T23:30:00Z');
    const card = await limitedCard({ dailyLimit: 100 }, key);
    const yesterday = await card.hold('100.00');
    expect(await card.pay('0.01')).toBe(OVER.dailyLimit);
    await at('2095-06-11T00:00:00Z');
    expect(await card.pay('60.00')).toBe('ok');
    // What is given back of yesterday makes no room today.
    await card.reverse(yesterday);
    expect(await card.pay('40.01')).toBe(OVER.dailyLimit);
    expect(await card.pay('40.00')).toBe('ok');
    await at('2095-06-13T12:00:00Z');
    expect(await card.pay('100.00')).toBe('ok');
  });

  test('a monthly limit ends with the last day of the month', async () => {
    const { key, at } = await program('2096-02-10T12:00:00Z');
    const card = await limitedCard({ monthlyLimit: 100 }, key);
    const first = await card.hold('70.00');
    expect(await card.pay('30.01')).toBe(OVER.monthlyLimit);
    // A hold that has expired no longer counts in the month of its approval.
    await at('2096-02-29T23:30:00Z');
    expect(await card.reverse(first)).toMatchObject({ status: 'VOID', bill_amount: '0.00' });
    expect(await card.pay('100.01')).toBe(OVER.monthlyLimit);
    expect(await card.pay('100.00')).toBe('ok');
    await at('2096-03-01T00:00:00Z');
    expect(await card.pay('100.00')).toBe('ok');
    expect(await card.pay('0.01')).toBe(OVER.monthlyLimit);
    // The same month of another year is another month.
    await at('2097-03-01T00:00:00Z');
    expect(await card.pay('100.00')).toBe('ok');
  });
});

describe('a temporary limit', () => {
  test.each(['transactionLimit', 'dailyLimit', 'monthlyLimit'] as const)(
    'raises %s until it ends by program time, and never lowers it',
    async (field) => {
      const { key } = await app.addProgram();
      await setClock(app, '2095-06-10T12:00:00Z', key);
      const card = await limitedCard({ [field]: 100 }, key);
      const raise = (amount: number) =>
        card.limit({ temporaryLimits: { [field]: { amount, endsAt: '2095-06-10T14:00:00Z' } } });
      expect((await raise(50)).body[field]).toBe(100);
      expect(await card.pay('100.00')).toBe('ok');
      await raise(300);
      expect(await card.pay('150.00')).toBe('ok');
      const { transaction_id } = await swipe(app, card.id, '300.01', {}, key);
      const { body } = await app.call('GET', `/api/v1/merchant/transactions/${transaction_id}/`, { key });
      expect(body.limits).toMatchObject({ limit: field, value: '300.00' });
      await setClock(app, '2095-06-10T14:00:00Z', key);
      expect(await card.pay('100.01')).toBe(OVER[field]);
      expect((await controlsOf(card.id, key)).temporaryLimits).toEqual(NOT_RAISED);
    },
  );

  test('has no effect without the limit, and null ends it at once', async () => {
    const ends = { endsAt: '2095-01-16T00:00:00Z' };
    const card = await limitedCard({ temporaryLimits: { dailyLimit: { amount: 10, ...ends } } });
    expect(await card.pay('20.00')).toBe('ok');
    await card.limit({ dailyLimit: 30, temporaryLimits: { dailyLimit: { amount: 60, ...ends } } });
    expect(await card.pay('40.00')).toBe('ok');
    await card.limit({ temporaryLimits: { dailyLimit: null } });
    expect(await card.pay('0.01')).toBe(OVER.dailyLimit);
  });
});

describe('an expired hold', () => {
  test('no longer counts in any limit, and counts again when it clears late', async () => {
    const { key } = await app.addProgram();
    await setClock(app, '2095-06-10T12:00:00Z', key);
    const card = await limitedCard({ monthlyLimit: 100, allTimeLimit: 100 }, key);
    const id = await card.hold('60.00');
    await setClock(app, '2095-06-17T13:00:00Z', key);
    expect(await card.pay('100.01')).toBe(OVER.monthlyLimit);
    await card.clear(id, '30.00');
    expect(await card.pay('70.01')).toBe(OVER.monthlyLimit);
    expect(await card.pay('70.00')).toBe('ok');
  });

  test('a late clearing counts on the day of its approval, not on its own', async () => {
    const { key } = await app.addProgram();
    await setClock(app, '2095-06-10T12:00:00Z', key);
    const card = await limitedCard({ dailyLimit: 100 }, key);
    const id = await card.hold('60.00');
    await setClock(app, '2095-06-18T12:00:00Z', key);
    await card.clear(id, '60.00');
    expect(await card.pay('100.00')).toBe('ok');
  });
});

describe('merchant categories', () => {
  const at = (mcc: string) => ({ merchant: { mcc } });

  test('an allow list declines all other categories', async () => {
    const card = await limitedCard({ allowedMccs: ['5411', '0742'] });
    expect(await card.pay('1.00', at('5411'))).toBe('ok');
    expect(await card.pay('1.00', at('0742'))).toBe('ok');
    expect(await card.pay('1.00', at('5812'))).toBe(NOT_ALLOWED);
    expect(await card.pay('0', at('5812'))).toBe(NOT_ALLOWED);
    await card.limit({ allowedMccs: [] });
    expect(await card.pay('1.00', at('5812'))).toBe('ok');
  });

  test('a block list declines its categories, even if they are allowed', async () => {
    const card = await limitedCard({ blockedMccs: ['7995'] });
    expect(await card.pay('1.00', at('7995'))).toBe(NOT_ALLOWED);
    expect(await card.pay('1.00', at('5411'))).toBe('ok');
    await card.limit({ allowedMccs: ['7995', '5411'] });
    expect(await card.pay('1.00', at('7995'))).toBe(NOT_ALLOWED);
    expect(await card.pay('1.00', at('5411'))).toBe('ok');
    await card.limit({ blockedMccs: [] });
    expect(await card.pay('1.00', at('7995'))).toBe('ok');
  });
});

describe('the controls with what is used of the limits', () => {
  const read = async (cardId: string, key: string = app.key) =>
    app.call('GET', `${CARDS}${cardId}/spend-controls/`, { key });

  test('a card without controls has none; an unknown card and one of another program are the same 404', async () => {
    const { id } = await createCard(app);
    expect((await read(id)).body).toEqual({ ...NONE, usage: null });
    const other = await app.addProgram();
    expect((await read(id, other.key)).status).toBe(404);
    expect((await read('00000000-0000-7000-8000-000000000000')).status).toBe(404);
  });

  test('held and cleared amounts count, under the limits in force, until these start again in program time', async () => {
    const card = await payingCard(app, { spendLimit: 1_000 });
    const use = async () => (await read(card.id)).body;
    await put(card.id, {
      transactionLimit: 160,
      dailyLimit: 100,
      monthlyLimit: 300,
      blockedMccs: ['7995'],
    });
    const day = (limit: number, used: number) => ({
      ...{ limit, used, remaining: limit - used },
      resetsAt: '2095-03-16T00:00:00+0000',
    });
    await setClock(app, '2095-03-15T12:00:00Z');
    const held = await card.hold('40.00');
    expect(await use()).toEqual({
      ...NONE,
      usage: null,
      transactionLimit: 160,
      dailyLimit: day(100, 40),
      monthlyLimit: { limit: 300, used: 40, remaining: 260, resetsAt: '2095-04-01T00:00:00+0000' },
      blockedMccs: ['7995'],
    });
    await card.clear(held, '150.00');
    expect((await use()).dailyLimit).toEqual(day(100, 150));
    const raise = (amount: number) => ({ amount, endsAt: '2095-03-17T00:00:00+0000' });
    const temporaryLimits = { transactionLimit: raise(170), dailyLimit: raise(180) };
    await put(card.id, { allTimeLimit: 500, temporaryLimits });
    const returned = await card.hold('20.00');
    expect(await use()).toMatchObject({
      transactionLimit: 170,
      dailyLimit: day(180, 170),
      allTimeLimit: { limit: 500, used: 170, remaining: 330, resetsAt: null },
      temporaryLimits,
    });
    await card.reverse(returned);
    expect((await use()).dailyLimit).toEqual(day(180, 150));
    await setClock(app, '2095-03-18T00:00:00Z');
    expect(await use()).toMatchObject({
      transactionLimit: 160,
      dailyLimit: { limit: 100, used: 0, resetsAt: '2095-03-19T00:00:00+0000' },
      monthlyLimit: { used: 150 },
      temporaryLimits: NOT_RAISED,
    });
  });
});
