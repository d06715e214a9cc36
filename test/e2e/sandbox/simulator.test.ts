import { beforeAll, describe, expect, test } from 'vitest';
import { APPROVING_KYC } from '../../support/cards/cards.ts';
import { decidingMerchant } from '../../support/cards/deciding-merchant.ts';
import {
  APPROVAL,
  abroad,
  networkApp,
  newMessageId,
  ownProgram,
  type PayingCard,
  payingCard,
  refundOf,
} from '../../support/cards/network.ts';
import { SEPARATORS } from '../../support/server/scan.ts';
import type { Answer } from '../../support/server/test-app.ts';

const app = networkApp({ sumsub: APPROVING_KYC });

const simulate = (what: string, body: object, key: string = app.key): Promise<Answer> =>
  app.call('POST', `/api/v1/sandbox/${what}/`, { body, key });

/** Swipes, and returns the answer's body. */
async function swipe(card: PayingCard, amount: string, changes: object = {}): Promise<Answer['body']> {
  const { status, body } = await simulate(
    'authorizations',
    { card_id: card.id, amount, ...changes },
    card.owner.key,
  );
  expect([status, body.message]).toEqual([200, undefined]);
  return body;
}

/** `status bill_amount` of what came of a later message. */
async function later(
  what: string,
  transaction_id: string,
  changes: object = {},
  key?: string,
): Promise<string> {
  const { status, body } = await simulate(what, { transaction_id, ...changes }, key);
  expect([status, body.message]).toEqual([200, undefined]);
  return `${body.status} ${body.bill_amount}`;
}

const purchaseOf = async (card: PayingCard): Promise<string> => {
  const { status, amount, currency, bill_amount } = (await card.transactions()).at(-1);
  return `${status} ${amount} ${currency} ${bill_amount}`;
};

describe('a simulated authorization', () => {
  test('needs only a card and an amount, and gets the response of the network API', async () => {
    const card = await payingCard(app);
    const { status, body } = await simulate('authorizations', { card_id: card.id, amount: '12.50' });
    expect([status, body]).toEqual([
      200,
      {
        ...APPROVAL,
        external_transaction_id: expect.stringMatching(/^auth-/),
        bill_amount: '12.50',
      },
    ]);
    expect(await card.available()).toBe(237.5);
    expect((await card.events()).at(-1)?.data).toMatchObject({
      channel: 'ECOMMERCE',
      merchant: { id: expect.any(String), name: expect.any(String), mcc: expect.any(String) },
    });
  });

  test('beyond the credit is declined', async () => {
    const card = await payingCard(app);
    expect(await swipe(card, '250.01')).toMatchObject({
      approved: false,
      status: 'DECLINED',
      decline_code: '51',
      decline_reason: 'insufficient_funds',
    });
  });

  test('accepts part of the merchant, channel, currency and ids', async () => {
    const card = await payingCard(app);
    const external_transaction_id = newMessageId('swipe');
    const given = { channel: 'ATM', merchant: { name: 'Bank', mcc: '6011' }, external_transaction_id };
    const answer = await swipe(card, '1500', { ...given, ...abroad('1500', 'JPY', '10.00') });
    expect(answer).toMatchObject({ approved: true, external_transaction_id, bill_amount: '10.00' });
    expect((await card.events()).at(-1)?.data).toMatchObject({
      channel: 'ATM',
      currency: 'JPY',
      amount: '1500',
      merchant: { id: 'm-1001', name: 'Bank', mcc: '6011', city: 'London', country: 'GBR' },
    });
  });

  test.each([
    ['a wrong expiry', { expiry: '2020-01' }, 'expiry_mismatch'],
    ['a wrong CVV', { cvv: true }, 'cvv_mismatch'],
    ['a right CVV and expiry', { cvv: false, expiry: true }, null],
  ])('checks %s only if it is given', async (_name, changes: Record<string, unknown>, reason) => {
    const card = await payingCard(app);
    const wrong = String((Number(card.cvv) + 1) % 1000).padStart(3, '0');
    const given = {
      ...(changes['cvv'] === undefined ? {} : { cvv: changes['cvv'] ? wrong : card.cvv }),
      ...(changes['expiry'] === undefined
        ? {}
        : { expiry: changes['expiry'] === true ? card.expiry : changes['expiry'] }),
    };
    expect((await swipe(card, '1.00', given)).decline_reason).toBe(reason);
    expect((await swipe(card, '1.00')).decline_reason).toBe(null);
  });

  test('follows the card through a reissue, by its id', async () => {
    const card = await payingCard(app);
    await card.act('reissue: NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE');
    expect(await swipe(card, '1.00')).toMatchObject({ approved: true });
    await card.act('block: lost');
    expect(await swipe(card, '1.00')).toMatchObject({ decline_code: 'R8', network_code: '41' });
  });

  test('repeated with its own id gets the first response; different content is a 409', async () => {
    const card = await payingCard(app);
    const request = { card_id: card.id, amount: '10.00', external_transaction_id: newMessageId('swipe') };
    const answers = await Promise.all(Array.from({ length: 20 }, () => simulate('authorizations', request)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await card.available()).toBe(240);
    const other = await simulate('authorizations', { ...request, amount: '10.01' });
    expect([other.status, other.body.message]).toEqual([
      409,
      'external_transaction_id: was already used with a different request',
    ]);
  });

  test('without an id is a new one each time', async () => {
    const card = await payingCard(app);
    await Promise.all(Array.from({ length: 20 }, () => swipe(card, '1.00')));
    expect(await card.transactions()).toHaveLength(20);
    expect(await card.available()).toBe(230);
  });
});

describe('later messages, by transaction id', () => {
  test('a clearing of the full amount, and a refund of the full amount', async () => {
    const card = await payingCard(app);
    const { transaction_id, external_transaction_id } = await swipe(card, '10.00');
    const cleared = await simulate('clearings', { transaction_id });
    expect([cleared.status, cleared.body]).toEqual([
      200,
      {
        clearing_id: expect.stringMatching(/^clr-/),
        transaction_id,
        external_transaction_id,
        status: 'CLEARED',
        bill_amount: '10.00',
        bill_currency: 'EUR',
      },
    ]);
    expect(await card.available()).toBe(240);
    const refunded = await simulate('refunds', { transaction_id });
    expect([refunded.status, refunded.body]).toEqual([
      200,
      {
        refund_id: expect.stringMatching(/^ref-/),
        transaction_id: expect.not.stringMatching(transaction_id),
        parent_transaction_id: transaction_id,
        external_transaction_id,
        status: 'CLEARED',
        bill_amount: '10.00',
        bill_currency: 'EUR',
      },
    ]);
    expect(await card.available()).toBe(250);
  });

  test('a reversal of the full amount, and of a part', async () => {
    const card = await payingCard(app);
    const { transaction_id, external_transaction_id } = await swipe(card, '10.00');
    expect(await later('reversals', transaction_id, { bill_amount: '4.00' })).toBe('PENDING 4.00');
    const { status, body } = await simulate('reversals', { transaction_id });
    expect([status, body]).toEqual([
      200,
      {
        reversal_id: expect.stringMatching(/^rev-/),
        transaction_id,
        external_transaction_id,
        status: 'VOID',
        bill_amount: '6.00',
        bill_currency: 'EUR',
      },
    ]);
    expect(await card.available()).toBe(250);
  });

  test('a reversal above the full amount releases the full amount', async () => {
    const card = await payingCard(app);
    const { transaction_id } = await swipe(card, '10.00');
    expect(await later('reversals', transaction_id, { bill_amount: '10.01' })).toBe('VOID 10.00');
    expect(await card.available()).toBe(250);
  });

  test('clearings in parts: one without an amount clears the rest', async () => {
    const card = await payingCard(app);
    const { transaction_id } = await swipe(card, '10.00');
    expect(await later('clearings', transaction_id, { amount: '4.00', final: false })).toBe('PENDING 4.00');
    expect(await later('clearings', transaction_id)).toBe('CLEARED 6.00');
    expect(await purchaseOf(card)).toBe('CLEARED 10.00 EUR 10');
    expect(await card.available()).toBe(240);
    expect(await later('refunds', transaction_id, { amount: '2.50' })).toBe('CLEARED 2.50');
    expect(await later('refunds', transaction_id)).toBe('CLEARED 10.00');
  });

  test('abroad: the full amount in both currencies', async () => {
    const card = await payingCard(app);
    const { transaction_id } = await swipe(card, '1500', abroad('1500', 'JPY', '10.00'));
    expect(await later('clearings', transaction_id)).toBe('CLEARED 10.00');
    expect(await purchaseOf(card)).toBe('CLEARED 1500 JPY 10');
    expect(await later('refunds', transaction_id, { amount: '750', bill_amount: '5.00' })).toBe(
      'CLEARED 5.00',
    );
    expect((await card.transactions())[0]).toMatchObject({
      amount: '-750',
      currency: 'JPY',
      bill_amount: -5,
    });
  });

  test('a bill amount alone is also the amount if there is one currency', async () => {
    const card = await payingCard(app);
    const { transaction_id } = await swipe(card, '10.00');
    expect(await later('clearings', transaction_id, { bill_amount: '4.00' })).toBe('CLEARED 4.00');
    expect(await purchaseOf(card)).toBe('CLEARED 4.00 EUR 4');
  });

  test('an increment raises the hold, a clearing clears all of it, and its id takes the clearing back', async () => {
    const card = await payingCard(app);
    const { transaction_id } = await swipe(card, '10.00');
    expect(await later('increments', transaction_id, { amount: '5.00' })).toBe('PENDING 5.00');
    expect(await card.available()).toBe(235);
    const clearing_id = newMessageId('clr');
    expect(await later('clearings', transaction_id, { clearing_id })).toBe('CLEARED 15.00');
    expect(await later('reversals', transaction_id, { clearing_id, bill_amount: '5.00' })).toBe(
      'CLEARED 5.00',
    );
    expect(await later('reversals', transaction_id, { clearing_id })).toBe('VOID 10.00');
    expect(await card.available()).toBe(250);
  });

  test('a clearing of another purchase is not taken back', async () => {
    const card = await payingCard(app);
    const [{ transaction_id }, other] = [await swipe(card, '10.00'), await swipe(card, '5.00')];
    const clearing_id = newMessageId('clr');
    await later('clearings', other.transaction_id, { clearing_id });
    const { status, body } = await simulate('reversals', { transaction_id, clearing_id });
    expect([status, body.message]).toEqual([400, 'clearing_id: is not a clearing of this transaction']);
    expect(await card.available()).toBe(235);
  });

  test('takes back the refund of a credit by its id', async () => {
    const card = await payingCard(app);
    const { transaction_id } = await swipe(card, '6.00', { type: 'CREDIT' });
    const refund_id = newMessageId('ref');
    expect(await later('refunds', transaction_id, { refund_id })).toBe('CLEARED 6.00');
    const wrong = await simulate('reversals', { transaction_id, refund_id, clearing_id: refund_id });
    expect([wrong.status, wrong.body.message]).toEqual([400, 'refund_id: must be absent with clearing_id']);
    expect(await later('reversals', transaction_id, { refund_id, amount: '2.00' })).toBe('CLEARED 2.00');
    expect(await later('reversals', transaction_id, { refund_id })).toBe('VOID 4.00');
    const other = await swipe(card, '1.00');
    const { body } = await simulate('reversals', { transaction_id: other.transaction_id, refund_id });
    expect(body.message).toBe('refund_id: is not a refund of this transaction');
  });

  test('the options of an authorization: partial approval, advice, balance inquiry', async () => {
    const card = await payingCard(app);
    expect(await swipe(card, '300.00', { partial_approval: true })).toMatchObject({
      approved: true,
      network_code: '10',
      bill_amount: '250.00',
    });
    expect(await swipe(card, '1.00', { stand_in: { approved: true } })).toMatchObject({ approved: true });
    const { status, body } = await simulate('authorizations', { card_id: card.id, type: 'BALANCE_INQUIRY' });
    expect([status, body.available_amount]).toEqual([200, '-1.00']);
  });

  test('above the hold and beyond the credit', async () => {
    const card = await payingCard(app, { spendLimit: 10 });
    const { transaction_id } = await swipe(card, '10.00');
    expect(await later('clearings', transaction_id, { amount: '15.00' })).toBe('CLEARED 15.00');
    expect(await card.available()).toBe(-5);
  });

  test.each([
    ['clearings', 'clearing_id', { amount: '4.00', final: false }, { amount: '4.01', final: false }],
    ['reversals', 'reversal_id', { bill_amount: '4.00' }, { bill_amount: '4.01' }],
    ['refunds', 'refund_id', { amount: '4.00' }, { amount: '4.01' }],
  ])(
    '%s with an id of their own: once for any number of copies; 409 for different content',
    async (what, field, same, other) => {
      const card = await payingCard(app);
      const { transaction_id } = await swipe(card, '10.00');
      const request = { transaction_id, [field]: newMessageId('own'), ...same };
      const answers = await Promise.all(Array.from({ length: 20 }, () => simulate(what, request)));
      expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
      expect(answers[0]?.status).toBe(200);
      expect(await card.eventNames()).toHaveLength(2);
      const { status, body } = await simulate(what, { ...request, ...other });
      expect([status, body.message]).toEqual([409, `${field}: was already used with a different request`]);
    },
  );

  // What is open or cleared has changed by the first of them: the second must not be taken for another content.
  test.each([
    ['a clearing', 'clearings', 'clearing_id', 'CLEARED 6.00', 240],
    ['a refund', 'refunds', 'refund_id', 'CLEARED 4.00', 244],
  ])('%s without an amount, repeated: the first response', async (_name, what, field, outcome, available) => {
    const card = await payingCard(app);
    const { transaction_id } = await swipe(card, '10.00');
    await later('clearings', transaction_id, { amount: '4.00', final: false });
    const request = { transaction_id, [field]: newMessageId('own') };
    const first = await simulate(what, request);
    expect([first.status, `${first.body.status} ${first.body.bill_amount}`]).toEqual([200, outcome]);
    if (what === 'refunds') await later('clearings', transaction_id);
    const again = await simulate(what, request);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await card.available()).toBe(available);
  });
});

describe('one engine for the sandbox and the network API', () => {
  test('the network continues a simulated purchase, and the sandbox one of the network', async () => {
    const card = await payingCard(app);
    const swiped = await swipe(card, '10.00');
    const { external_transaction_id, transaction_id } = swiped;
    expect(await card.clear(external_transaction_id, '10.00')).toMatchObject({
      transaction_id,
      status: 'CLEARED',
    });
    const refund = refundOf(card, '1.00', { external_transaction_id });
    expect((await card.send('refunds', refund)).body.parent_transaction_id).toBe(transaction_id);
    const second = await swipe(card, '5.00');
    expect((await card.reverse(second.external_transaction_id)).status).toBe('VOID');
    const sent = await card.hold('7.00');
    const [newest] = await card.transactions();
    expect(newest.external_transaction_id).toBe(sent);
    expect(await later('clearings', newest.id)).toBe('CLEARED 7.00');
  });
});

describe('a message that does not fit its transaction', () => {
  test('a refund is not a purchase: it can be neither raised, cleared nor refunded, but reversed', async () => {
    const card = await payingCard(app);
    const { transaction_id } = await swipe(card, '10.00');
    await later('clearings', transaction_id);
    const refund = (await simulate('refunds', { transaction_id })).body.transaction_id;
    for (const what of ['increments', 'clearings', 'refunds']) {
      const { status, body } = await simulate(what, { transaction_id: refund, amount: '1.00' });
      expect([status, body.message]).toEqual([400, 'transaction_id: is a refund, not a purchase']);
    }
    expect(await card.available()).toBe(250);
    expect(await later('reversals', refund)).toBe('VOID 10.00');
    expect(await card.available()).toBe(240);
  });
});

describe('a card number in another field: 400 with the field’s name, and nothing moves', () => {
  const FIELDS: Array<[what: string, field: string, put: (number: string) => object]> = [
    ['authorizations', 'external_transaction_id', (external_transaction_id) => ({ external_transaction_id })],
    ['increments', 'increment_id', (increment_id) => ({ increment_id })],
    ['clearings', 'clearing_id', (clearing_id) => ({ clearing_id })],
    ['reversals', 'clearing_id', (clearing_id) => ({ clearing_id })],
    ['reversals', 'reversal_id', (reversal_id) => ({ reversal_id })],
    ['refunds', 'refund_id', (refund_id) => ({ refund_id })],
  ];
  test.each(FIELDS)('%s: %s', async (what, field, put) => {
    const card = await payingCard(app);
    const { transaction_id } = await swipe(card, '10.00');
    const good =
      what === 'authorizations' ? { card_id: card.id, amount: '1.00' } : { transaction_id, amount: '1.00' };
    const inGroups = SEPARATORS.map((by) => card.number.replace(/.{4}(?=.)/g, `$&${by}`));
    for (const text of [card.number, `x${card.number}x`, ...inGroups]) {
      const { status, body } = await simulate(what, { ...good, ...put(text) });
      const message = `${field}: must not contain a card number`;
      expect([status, body]).toEqual([400, { code: 400, message, status: 'failed' }]);
    }
    expect([await card.available(), await card.eventNames()]).toEqual([240, ['authorization']]);
  });
});

describe('invalid input: 400 with the field’s name', () => {
  const BAD: Array<[what: string, field: string, changes: object]> = [
    ['authorizations', 'card_id', { card_id: undefined }],
    ['authorizations', 'card_id', { card_id: 5 }],
    ['authorizations', 'amount', { amount: undefined }],
    ['authorizations', 'amount', { amount: 12.5 }],
    ['authorizations', 'amount', { amount: '-1' }],
    ['authorizations', 'amount', { amount: '1e3' }],
    ['authorizations', 'amount', { amount: '1.001' }],
    ['authorizations', 'amount', { amount: '10000000000000.00' }],
    ['authorizations', 'currency', { currency: 'eur' }],
    ['authorizations', 'bill_amount', { currency: 'USD' }],
    ['authorizations', 'bill_currency', { bill_amount: '1.00', bill_currency: 'USD' }],
    ['authorizations', 'channel', { channel: 'pos' }],
    ['authorizations', 'merchant.mcc', { merchant: { mcc: '58' } }],
    ['authorizations', 'bill_amount', { bill_amount: '1.01' }],
    ['authorizations', 'merchant.name', { merchant: { name: 5 } }],
    ['authorizations', 'merchant.name', { merchant: { name: 'a\u0000' } }],
    ['authorizations', 'expiry', { expiry: '11/29' }],
    ['authorizations', 'cvv', { cvv: 123 }],
    ['authorizations', 'external_transaction_id', { external_transaction_id: '' }],
    ['authorizations', 'amount', { type: 'BALANCE_INQUIRY', amount: '1.00' }],
    ['authorizations', 'type', { type: 'REFUND' }],
    ['authorizations', 'stand_in.approved', { stand_in: {} }],
    ['increments', 'amount', {}],
    ['increments', 'amount', { amount: '0.00' }],
    ['increments', 'bill_amount', { amount: '1.00', bill_amount: '1.01' }],
    ['clearings', 'transaction_id', { transaction_id: undefined }],
    ['clearings', 'transaction_id', { transaction_id: null }],
    ['clearings', 'amount', { amount: '1.001' }],
    ['clearings', 'amount', { amount: 1 }],
    ['clearings', 'bill_amount', { amount: '1.00', currency: 'USD' }],
    ['clearings', 'final', { final: 'true' }],
    ['clearings', 'clearing_id', { clearing_id: 'x'.repeat(256) }],
    ['reversals', 'bill_amount', { bill_amount: '0' }],
    ['reversals', 'bill_amount', { bill_amount: 1 }],
    ['reversals', 'reversal_id', { reversal_id: '' }],
    ['refunds', 'amount', { amount: '0.00' }],
    ['refunds', 'amount', { amount: 'all' }],
    ['refunds', 'refund_id', { refund_id: 7 }],
    ['reversals', 'clearing_id', { clearing_id: 'clr-unheard' }],
  ];
  let card: PayingCard;
  let transaction_id: string;
  beforeAll(async () => {
    card = await payingCard(app);
    ({ transaction_id } = await swipe(card, '10.00'));
  });

  test.each(BAD)('%s: %s', async (what, field, changes) => {
    const good = what === 'authorizations' ? { card_id: card.id, amount: '1.00' } : { transaction_id };
    const { status, body } = await simulate(what, { ...good, ...changes });
    const message = expect.stringMatching(new RegExp(`^${field.replace('.', '\\.')}: `));
    expect([status, body]).toEqual([400, { code: 400, message, status: 'failed' }]);
    expect([await card.available(), await card.eventNames()]).toEqual([240, ['authorization']]);
  });
});

test('simulated purchases and increments are decided by the merchant, and the transaction says so', async () => {
  const merchant = await decidingMerchant(app);
  const { owner } = merchant;
  const card = await payingCard(app, {}, owner);
  merchant.decide = ({ data }) =>
    data['increment_id'] === undefined
      ? { decision: 'APPROVE', reference: 'ledger-1' }
      : { decision: 'DECLINE', reason: 'limit_exceeded' };
  const body = { card_id: card.id, amount: '12.50' };
  const headers = { 'idempotency-key': newMessageId('key') };
  const pay = () => app.call('POST', '/api/v1/sandbox/authorizations/', { body, headers, key: owner.key });
  const [first, repeated] = [await pay(), await pay()];
  expect(repeated.body).toEqual(first.body);
  const { transaction_id } = first.body;
  const raised = await simulate('increments', { transaction_id, amount: '5.00' }, owner.key);
  expect(raised.body).toMatchObject({ approved: false, decline_reason: 'program_limit' });
  expect(
    merchant.requests.map(({ data }) => [data['bill_amount'], data['increment_id'] !== undefined]),
  ).toEqual([
    ['12.50', false],
    ['5.00', true],
  ]);
  const details = await app.call('GET', `/api/v1/merchant/transactions/${transaction_id}/`, {
    key: owner.key,
  });
  const decided = { source: 'merchant', duration_ms: expect.any(Number) };
  expect(details.body).toMatchObject({
    authorization_mode: 'REAL_TIME',
    decision: { ...decided, outcome: 'approved', reference: 'ledger-1' },
    events: [
      { name: 'authorization', decision: { ...decided, outcome: 'approved' } },
      { decline_reason: 'program_limit', decision: { ...decided, reason: 'limit_exceeded' } },
    ],
  });
  await merchant.receiver.close();
});

describe('the clock of a program', () => {
  const clock = (key: string, body?: object) =>
    app.call(body ? 'POST' : 'GET', '/api/v1/sandbox/clock/', { key, ...(body && { body }) });

  test.each<[string, object, string]>([
    [
      'back',
      { now: new Date(Date.now() - 1_000).toISOString() },
      'now: must not be before the current program time',
    ],
    ['back by seconds', { advance_seconds: -1 }, 'advance_seconds: must be at least 0'],
    ['past 2200', { now: '2200-01-01T00:00:01Z' }, 'now: must not move the clock past 2200-01-01'],
    ['nowhere', {}, 'now: provide either now or advance_seconds'],
    ['twice', { now: '2100-01-01T00:00:00Z', advance_seconds: 1 }, 'now: provide either'],
    ['to a local time', { now: '2100-01-01T00:00:00' }, 'now: must be a timestamp with an offset'],
  ])('does not move %s', async (_where, body, message) => {
    const refused = await clock(app.key, body);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(message)]);
    const moved = 'select from programs where id = $1 and clock_moved_at is not null';
    expect(await app.sql(moved, [app.program.id])).toEqual([]);
  });

  test('moves forward by itself and by requests, alone of all programs, and each move is audited', async () => {
    const [owner, other] = [await ownProgram(app), await ownProgram(app)];
    const aheadOf = async ({ key }: typeof owner) => {
      const { now } = (await clock(key)).body;
      return Math.round(Math.abs(Date.parse(now.replace('+0000', 'Z')) - Date.now()) / 86_400_000);
    };
    await clock(owner.key, { advance_seconds: 86_400 });
    const { body } = await clock(owner.key, { now: new Date(Date.now() + 3 * 86_400_000).toISOString() });
    expect([await aheadOf(owner), await aheadOf(other)]).toEqual([3, 0]);
    const entries = await app.sql<{ after: { now: string } }>(
      `select after from audit_entries where program_id = $1 and action = 'clock.moved' order by id`,
      [owner.program.id],
    );
    expect(entries).toHaveLength(2);
    expect(entries[1]?.after.now.slice(0, 19)).toBe(body.now.slice(0, 19));
  });
});
