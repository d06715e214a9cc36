import { describe, expect, test } from 'vitest';
import {
  abroad,
  balancesOf,
  clearingOf,
  networkApp,
  newMessageId,
  ownProgram,
  payingCard,
} from '../../support/cards/network.ts';

const app = networkApp();

describe('fees are held with the purchase', () => {
  test.each([
    ['at home', {}, '10.00', 240],
    ['abroad, 2.5 %', abroad('11.00', 'USD', '10.00'), '10.00', 239.75],
    ['abroad, half a cent to the even side, down', abroad('0.22', 'USD', '0.20'), '0.20', 249.8],
    ['abroad, half a cent to the even side, up', abroad('0.66', 'USD', '0.60'), '0.60', 249.38],
    ['cash', { channel: 'ATM' }, '10.00', 237],
    ['cash abroad', { channel: 'ATM', ...abroad('11.00', 'USD', '10.00') }, '10.00', 236.75],
    ['a check at a cash machine', { channel: 'ATM' }, '0.00', 250],
  ])('%s', async (_name, changes, bill, available) => {
    const owner = await ownProgram(app, { fx_fee_bps: 250, atm_fee_minor: 300 });
    const card = await payingCard(app, {}, owner);
    const answer = await card.authorize(bill, changes);
    expect(answer).toMatchObject({ approved: true, bill_amount: bill });
    expect(await card.available()).toBe(available);
    const heldMinor = BigInt(Math.round((250 - available) * 100));
    const { holds = 0n, master = 0n } = await balancesOf(app, owner);
    expect([holds, master]).toEqual([heldMinor, -heldMinor]);
  });

  test('a card that can pay the purchase but not its fee is declined', async () => {
    const owner = await ownProgram(app, { fx_fee_bps: 250, atm_fee_minor: 300 });
    const card = await payingCard(app, { spendLimit: 13.24 }, owner);
    const cash = { channel: 'ATM', ...abroad('11.00', 'USD', '10.00') };
    expect(await card.authorize('11.00', cash)).toMatchObject({ decline_code: '51' });
    await card.adjust(0.01);
    await card.hold('11.00', cash);
    expect(await card.available()).toBe(0);
  });
});

describe('the FX fee is charged on what clears, by the currency of each clearing', () => {
  const HOME = abroad('10.00', 'EUR', '10.00');
  const AWAY = abroad('11.00', 'USD', '10.00');
  const cent = abroad('0.22', 'USD', '0.20');

  test.each<[what: string, held: object | undefined, cleared: object[], available: number]>([
    ['held and cleared abroad', AWAY, [AWAY], 239.75],
    ['held abroad, cleared at home: no fee', AWAY, [HOME], 240],
    ['held at home, cleared abroad', HOME, [AWAY], 239.75],
    ['abroad without an authorization', undefined, [AWAY], 239.75],
    ['below the hold', AWAY, [abroad('4.40', 'USD', '4.00')], 245.9],
    ['above the hold', AWAY, [abroad('22.00', 'USD', '20.00')], 229.5],
    [
      'half abroad and half at home',
      AWAY,
      [abroad('5.50', 'USD', '5.00'), abroad('5.00', 'EUR', '5.00')],
      239.88,
    ],
    // 2.5 % of 0.20 is half a cent, three times; of 0.60 it is one and a half, which rounds to two.
    [
      'three clearings pay what one would have paid',
      abroad('0.66', 'USD', '0.60'),
      [cent, cent, cent],
      249.38,
    ],
    ['one clearing of the same', abroad('0.66', 'USD', '0.60'), [abroad('0.66', 'USD', '0.60')], 249.38],
  ])('%s', async (_what, held, cleared, available) => {
    const owner = await ownProgram(app, { fx_fee_bps: 250 });
    const card = await payingCard(app, {}, owner);
    const id = held ? await card.hold('', { ...held }) : newMessageId('offline');
    for (const [place, money] of cleared.entries()) {
      const given = { ...money, card_number: card.number, final: place === cleared.length - 1 };
      const { status } = await card.send('clearings', clearingOf(card, id, '', given));
      expect(status).toBe(200);
    }
    expect(await card.available()).toBe(available);
    const { settlement = 0n, fxRevenue = 0n, holds = 0n } = await balancesOf(app, owner);
    expect([settlement + fxRevenue, holds]).toEqual([BigInt(Math.round((250 - available) * 100)), 0n]);
  });
});

describe('currencies of every exponent', () => {
  test.each([
    ['JPY', 999_999_999_999_999, '999999999999998', '1', 1],
    ['EUR', 9_999_999_999_999.99, '9999999999999.98', '0.01', 0.01],
    ['KWD', 999_999_999_999.999, '999999999999.998', '0.001', 0.001],
    ['CLF', 99_999_999_999.9999, '99999999999.9998', '0.0001', 0.0001],
  ])(
    '%s: the largest amounts are exact to the last minor unit',
    async (currency, spendLimit, most, unit, left) => {
      const owner = await ownProgram(app, {}, currency);
      const card = await payingCard(app, { spendLimit }, owner);
      const answer = await card.authorize(most);
      expect(answer).toMatchObject({ approved: true, bill_amount: most, bill_currency: currency });
      expect(await card.available()).toBe(left);
      const unitAnswer = await card.authorize(unit);
      expect(unitAnswer).toMatchObject({ approved: true, bill_amount: unit });
      expect(await card.available()).toBe(0);
      expect(await card.authorize(unit)).toMatchObject({ approved: false, decline_code: '51' });
      await card.clear(answer.external_transaction_id, most);
      await card.refund(most, { card_number: card.number });
      await card.reverse(unitAnswer.external_transaction_id);
      expect(await card.available()).toBe(spendLimit);
      const amounts = (await card.transactions()).map(({ amount, status }) => `${amount} ${status}`);
      expect(amounts).toEqual([`-${most} CLEARED`, `${unit} DECLINED`, `${unit} VOID`, `${most} CLEARED`]);
      expect(await balancesOf(app, owner)).toEqual({ credit: expect.any(BigInt) });
    },
  );

  test.each([
    ['JPY', 'KWD', '1.234', '625'],
    ['KWD', 'JPY', '625', '1.234'],
    ['CLF', 'EUR', '36.05', '1.0001'],
    ['EUR', 'CLF', '1.0001', '36.05'],
  ])(
    "a card in %s pays in %s, each with its own decimals, and the fee in the card's currency",
    async (home, away, amount, bill) => {
      const owner = await ownProgram(app, { fx_fee_bps: 10_000 }, home);
      const card = await payingCard(app, { spendLimit: 10_000 }, owner);
      await card.hold(amount, abroad(amount, away, bill, home));
      expect((await card.transactions())[0]).toMatchObject({
        amount,
        currency: away,
        bill_amount: Number(bill),
      });
      const { holds } = await balancesOf(app, owner);
      expect(holds).toBe(BigInt(bill.replace('.', '')) * 2n);
    },
  );
});
