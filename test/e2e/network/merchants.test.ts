import { beforeAll, describe, expect, test } from 'vitest';
import {
  authorizationOf,
  clearingOf,
  MERCHANT,
  networkApp,
  newMessageId,
  ownProgram,
  type PayingCard,
  payingCard,
  refundOf,
  STORED_MERCHANT,
} from '../../support/cards/network.ts';
import type { Answer } from '../../support/server/test-app.ts';

/** The network describes merchants loosely, and no message is refused for it. */

const app = networkApp();
let card: PayingCard;
beforeAll(async () => {
  card = await payingCard(app);
});

async function detailsOf(id: string, { key }: { key: string } = app): Promise<Answer['body']> {
  return (await app.call('GET', `/api/v1/merchant/transactions/${id}/`, { key })).body;
}

/** The merchant of an authorization as it is stored. */
async function stored(merchant: object): Promise<unknown> {
  const answer = await card.authorize('0.01', { merchant });
  expect(answer.approved).toBe(true);
  return (await detailsOf(answer.transaction_id)).merchant;
}

describe('the merchant of an authorization', () => {
  test.each<[given: unknown, stored: string | null]>([
    ['GB', 'GBR'],
    ['GBR', 'GBR'],
    ['826', 'GBR'],
    [826, 'GBR'],
    ['gb', 'GBR'],
    [' GBR ', 'GBR'],
    ['008', 'ALB'],
    [8, 'ALB'],
    ['XK', 'XKX'],
    ['XKX', 'XKX'],
    ['ZZ', null],
    ['UK', null],
    ['000', null],
    [999, null],
    [-1, null],
    ['United Kingdom', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('the country %j is stored as %j', async (country, expected) => {
    expect(await stored({ ...MERCHANT, country })).toEqual({ ...MERCHANT, country: expected });
  });

  test.each(['name', 'city'])('its %s may be absent, null, empty or blank', async (field) => {
    for (const value of [undefined, null, '', '   '])
      expect(await stored({ ...MERCHANT, [field]: value })).toEqual({ ...STORED_MERCHANT, [field]: null });
    expect(await stored({ ...MERCHANT, [field]: ' Leeds ' })).toEqual({
      ...STORED_MERCHANT,
      [field]: 'Leeds',
    });
  });

  test('needs only an id and a category', async () => {
    expect(await stored({ id: 'm-1', mcc: '5814' })).toEqual({
      id: 'm-1',
      name: null,
      mcc: '5814',
      city: null,
      country: null,
    });
  });

  test('a category of three digits has lost its leading zero, which spend controls know', async () => {
    expect(await stored({ ...MERCHANT, mcc: '763' })).toEqual({ ...STORED_MERCHANT, mcc: '0763' });
    const own = await payingCard(app);
    await own.setControls({ allowedMccs: ['0763'] });
    const at = (mcc: string) => own.authorize('1.00', { merchant: { ...MERCHANT, mcc } });
    expect([(await at('763')).approved, (await at('0763')).approved]).toEqual([true, true]);
    expect(await at('7630')).toMatchObject({ decline_code: 'R19' });
    await own.setControls({ allowedMccs: [], blockedMccs: ['0763'] });
    expect(await at('763')).toMatchObject({ decline_code: 'R19' });
  });

  test('a repeat that describes it differently is the same content', async () => {
    const request = authorizationOf(card, '1.00');
    await card.send('authorizations', request);
    const other = { ...request, merchant: { ...MERCHANT, country: 'US' } };
    expect((await card.send('authorizations', other)).status).toBe(200);
  });
});

describe('the expiry', () => {
  test.each([null, undefined])('%s is not checked', async (expiry) => {
    expect(await card.authorize('0.01', { expiry })).toMatchObject({ approved: true });
  });

  test('null and absent are the same content', async () => {
    const { expiry: _expiry, ...request } = authorizationOf(card, '0.01');
    const first = await card.send('authorizations', request);
    const again = await card.send('authorizations', { ...request, expiry: null });
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  test('that is given is checked', async () => {
    expect(await card.authorize('0.01', { expiry: '2020-01' })).toMatchObject({ decline_code: '54' });
  });
});

describe('a clearing with merchant and channel', () => {
  test('without an authorization gives the purchase both, and cash costs the ATM fee', async () => {
    const own = await payingCard(app, {}, await ownProgram(app, { atm_fee_minor: 300 }));
    const request = clearingOf(own, newMessageId('offline'), '10.00', {
      card_number: own.number,
      channel: 'ATM',
      merchant: { id: 'm-9', mcc: '601', country: 'FR' },
    });
    const { body } = await own.send('clearings', request);
    expect(await detailsOf(body.transaction_id, own.owner)).toMatchObject({
      channel: 'ATM',
      merchant: { id: 'm-9', name: null, mcc: '0601', city: null, country: 'FRA' },
      atm_fee: '3.00',
    });
    expect([await own.available(), await own.balances()]).toMatchObject([
      237,
      { settlement: 1_000n, atmRevenue: 300n },
    ]);
  });

  test('fills what the purchase lacks, and the ATM fee follows with the channel', async () => {
    const own = await payingCard(app, {}, await ownProgram(app, { atm_fee_minor: 300 }));
    const id = newMessageId('offline');
    const clear = (changes: object) => own.send('clearings', { ...clearingOf(own, id, '10.00'), ...changes });
    const { body } = await clear({ card_number: own.number, final: false });
    expect(await own.available()).toBe(240);
    await clear({ channel: 'ATM', merchant: { ...MERCHANT, city: null } });
    expect(await own.available()).toBe(227);
    await clear({ channel: 'POS', merchant: { ...MERCHANT, id: 'm-other', name: 'Other', city: 'Leeds' } });
    expect(await detailsOf(body.transaction_id, own.owner)).toMatchObject({
      channel: 'ATM',
      merchant: { ...STORED_MERCHANT, city: 'Leeds' },
      atm_fee: '3.00',
    });
    expect(await own.available()).toBe(217);
  });

  test('changes nothing that the authorization gave', async () => {
    const own = await payingCard(app, {}, await ownProgram(app, { atm_fee_minor: 300 }));
    const { transaction_id, external_transaction_id } = await own.authorize('10.00', {
      merchant: { ...MERCHANT, city: '', country: 'ZZ' },
    });
    const merchant = { id: 'm-other', name: 'Other', mcc: '6011', city: 'Leeds', country: 'IE' };
    const request = clearingOf(own, external_transaction_id, '10.00', { channel: 'ATM', merchant });
    await own.send('clearings', request);
    expect(await detailsOf(transaction_id, own.owner)).toMatchObject({
      channel: 'POS',
      merchant: { ...MERCHANT, city: 'Leeds', country: 'IRL' },
      atm_fee: '0.00',
    });
    expect(await own.available()).toBe(240);
    expect((await own.events()).at(-1)?.data).toMatchObject({
      channel: 'POS',
      merchant: { ...MERCHANT, city: 'Leeds', country: 'IRL' },
    });
  });
});

describe('a refund with merchant and channel', () => {
  const refund = async (changes: object): Promise<unknown> => {
    const { status, body } = await card.send('refunds', {
      ...refundOf(card, '1.00', { card_number: card.number }),
      ...changes,
    });
    expect([status, body.message]).toEqual([200, undefined]);
    const { channel, merchant } = await detailsOf(body.transaction_id);
    return { channel, merchant };
  };

  test('without a purchase has both', async () => {
    expect(await refund({ channel: 'MOTO', merchant: { ...MERCHANT, country: 826 } })).toEqual({
      channel: 'MOTO',
      merchant: STORED_MERCHANT,
    });
    expect(await refund({})).toEqual({ channel: null, merchant: null });
  });

  test('of a purchase has the purchase’s, filled with what that lacks', async () => {
    const external_transaction_id = await card.hold('1.00', {
      merchant: { ...MERCHANT, city: null },
    });
    const merchant = { ...MERCHANT, name: 'Other', city: 'Leeds' };
    expect(await refund({ external_transaction_id, channel: 'MOTO', merchant })).toEqual({
      channel: 'POS',
      merchant: { ...STORED_MERCHANT, city: 'Leeds' },
    });
  });

  test('costs no ATM fee', async () => {
    const own = await payingCard(app, {}, await ownProgram(app, { atm_fee_minor: 300 }));
    const request = refundOf(own, '10.00', { card_number: own.number, channel: 'ATM', merchant: MERCHANT });
    await own.send('refunds', request);
    expect(await own.available()).toBe(260);
  });
});

describe('purchases and refunds share one space of ids', () => {
  const used = (field: string) => [409, `${field}: was already used with a different request`];
  const isRefund = [409, 'external_transaction_id: is the id of a refund'];
  const refusalOf = async (answer: Promise<Answer>) => {
    const { status, body } = await answer;
    return [status, body.message];
  };
  const refundNamed = (refund_id: string) =>
    card.send('refunds', refundOf(card, '1.00', { refund_id, card_number: card.number }));

  test.each<[what: string, make: () => Promise<string>]>([
    ['an authorization', () => card.hold('1.00')],
    ['a declined authorization', async () => (await card.authorize('999.00')).external_transaction_id],
    [
      'an authorization of an unknown number',
      async () => (await card.with({ number: '9999000000000000' }).authorize('1.00')).external_transaction_id,
    ],
    [
      'a clearing without authorization',
      async () => {
        const id = newMessageId('offline');
        await card.clear(id, '1.00', { card_number: card.number });
        return id;
      },
    ],
    [
      'a reversal that came first',
      async () => {
        const external_transaction_id = newMessageId('early');
        await card.send('reversals', { reversal_id: newMessageId('rev'), external_transaction_id });
        return external_transaction_id;
      },
    ],
  ])('a refund cannot have the id of %s', async (_what, make) => {
    const id = await make();
    const before = await card.available();
    expect(await refusalOf(refundNamed(id))).toEqual(used('refund_id'));
    expect(await card.available()).toBe(before);
  });

  test('no message about a purchase can have the id of a refund', async () => {
    const id = newMessageId('ref');
    await refundNamed(id);
    const before = await card.available();
    const authorization = authorizationOf(card, '1.00', { external_transaction_id: id });
    expect(await refusalOf(card.send('authorizations', authorization))).toEqual(
      used('external_transaction_id'),
    );
    const clearing = clearingOf(card, id, '1.00', { card_number: card.number });
    expect(await refusalOf(card.send('clearings', clearing))).toEqual(isRefund);
    const reversal = { reversal_id: newMessageId('rev'), external_transaction_id: id };
    expect(await refusalOf(card.send('reversals', reversal))).toEqual(isRefund);
    const refund = refundOf(card, '1.00', { external_transaction_id: id, card_number: card.number });
    expect(await refusalOf(card.send('refunds', refund))).toEqual(isRefund);
    expect(await card.available()).toBe(before);
  });

  test('another program may use the id', async () => {
    const id = newMessageId('ref');
    await refundNamed(id);
    await (await payingCard(app, {}, await ownProgram(app))).hold('1.00', {
      external_transaction_id: id,
    });
  });
});
