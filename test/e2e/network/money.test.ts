import { describe, expect, test } from 'vitest';
import { abroad, balancesOf, networkApp, ownProgram, payingCard } from '../../support/cards/network.ts';

const app = networkApp();

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
