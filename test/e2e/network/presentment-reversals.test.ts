import { describe, expect, test } from 'vitest';
import {
  abroad,
  accepted,
  balancesOf,
  clearingOf,
  networkApp,
  newMessageId,
  type Owner,
  ownProgram,
  type PayingCard,
  payingCard,
  send,
  setTerms,
} from '../../support/cards/network.ts';
import { setClock } from '../../support/server/clock.ts';
import type { Answer } from '../../support/server/test-app.ts';

/** Reversals of what the network has presented: clearings and refunds, named by their own ids. */

const app = networkApp();

const TERMS = {
  fx_fee_bps: 250,
  atm_fee_minor: 300,
  interchange_bps: 150,
  cash_interchange_bps: 150,
  transaction_cost_minor: 7,
  transaction_cost_bps: 20,
};

const takeBack = (named: object, changes: object = {}) => ({
  reversal_id: newMessageId('rev'),
  ...named,
  ...changes,
});

/** `status bill_amount` of a reversal's answer: what is left of the transaction, and what was taken back. */
async function reverse(owner: Owner, named: object, bill_amount?: string): Promise<string> {
  const request = takeBack(named, bill_amount === undefined ? {} : { bill_amount });
  const body = await accepted(app, 'reversals', request, owner);
  return `${body.status} ${body.bill_amount}`;
}

/** Clears and returns the clearing's id. */
const clear = async (card: PayingCard, ...given: Parameters<PayingCard['clear']>): Promise<string> =>
  (await card.clear(...given)).clearing_id;

const refund = (card: PayingCard, amount: string, changes: object = {}): Promise<Answer['body']> =>
  card.refund(amount, { card_number: card.number, ...changes });

describe('the reversal of a clearing', () => {
  test('takes back the money, both fees and the interchange: response, ledger, list and event', async () => {
    const owner = await ownProgram(app, TERMS);
    const card = await payingCard(app, {}, owner);
    const money = abroad('11.00', 'USD', '10.00');
    const approval = await card.authorize('', { channel: 'ATM', ...money });
    const clearing_id = await clear(card, approval.external_transaction_id, '', money);
    const cost = { transactionCost: -9n, payable: 9n };
    expect([await card.available(), await balancesOf(app, owner)]).toEqual([
      236.75,
      {
        master: -1_325n,
        settlement: 985n,
        fxRevenue: 25n,
        atmRevenue: 300n,
        interchangeRevenue: 15n,
        credit: -23_675n,
        ...cost,
      },
    ]);
    const request = takeBack({ clearing_id });
    const { status, body } = await card.send('reversals', request);
    expect([status, body]).toEqual([
      200,
      {
        reversal_id: request.reversal_id,
        clearing_id,
        transaction_id: approval.transaction_id,
        external_transaction_id: approval.external_transaction_id,
        status: 'VOID',
        bill_amount: '10.00',
        bill_currency: 'EUR',
      },
    ]);
    // The cost of processing the clearing stays.
    expect([await card.available(), await balancesOf(app, owner)]).toEqual([
      250,
      { credit: -25_000n, ...cost },
    ]);
    expect(await card.transactions()).toMatchObject([{ status: 'VOID' }]);
    expect((await card.events()).at(-1)).toMatchObject({
      name: 'authorization.clearing.reversal',
      sequence: 4,
      data: {
        transaction_id: approval.transaction_id,
        message_id: request.reversal_id,
        status: 'VOID',
        amount: '11.00',
        currency: 'USD',
        bill_amount: '10.00',
        fx_fee: '0.25',
        atm_fee: '3.00',
      },
    });
  });

  test('in parts gives back the same as in one, and the ATM fee with the last of it', async () => {
    const owner = await ownProgram(app, TERMS);
    const card = await payingCard(app, {}, owner);
    const money = abroad('11.00', 'USD', '10.00');
    const id = await card.hold('', { channel: 'ATM', ...money });
    const clearing_id = await clear(card, id, '', money);
    expect(await reverse(owner, { clearing_id }, '4.00')).toBe('CLEARED 4.00');
    expect(await card.available()).toBe(240.85);
    expect(await balancesOf(app, owner)).toMatchObject({
      settlement: 591n,
      fxRevenue: 15n,
      atmRevenue: 300n,
      interchangeRevenue: 9n,
    });
    expect(await card.transactions()).toMatchObject([{ status: 'CLEARED', amount: '6.60', bill_amount: 6 }]);
    expect(await reverse(owner, { clearing_id }, '6.00')).toBe('VOID 6.00');
    expect(await card.available()).toBe(250);
    const amounts = (await card.events()).slice(-2).map(({ data }) => data?.['amount']);
    expect(amounts).toEqual(['4.40', '6.60']);
  });

  test('gives back at the rates of the clearing, whatever the program charges since', async () => {
    const owner = await ownProgram(app, TERMS);
    const card = await payingCard(app, {}, owner);
    const money = abroad('11.00', 'USD', '10.00');
    const clearing_id = await clear(card, await card.hold('', money), '', money);
    await setTerms(app, owner, { fx_fee_bps: 1_000, interchange_bps: 0 });
    await reverse(owner, { clearing_id });
    expect(await balancesOf(app, owner)).toEqual({ credit: -25_000n, transactionCost: -9n, payable: 9n });
  });

  test('gives back on the day on which the clearing counts', async () => {
    const owner = await ownProgram(app);
    await setClock(app, '2095-01-10T12:00:00Z', owner.key);
    const card = await payingCard(app, {}, owner);
    await card.setControls({ dailyLimit: 10, monthlyLimit: 20 });
    const clearing_id = await clear(card, await card.hold('10.00'), '10.00');
    await setClock(app, '2095-01-11T12:00:00Z', owner.key);
    await card.hold('4.00');
    await reverse(owner, { clearing_id });
    // Yesterday's money makes no room today, only in the month.
    expect(await card.authorize('6.01')).toMatchObject({ decline_code: 'R6' });
    await card.hold('6.00');
    await setClock(app, '2095-01-12T12:00:00Z', owner.key);
    await card.hold('10.00');
  });

  test.each(['freeze', 'block: stolen'])('is accepted on a card that cannot pay: %s', async (action) => {
    const card = await payingCard(app);
    const clearing_id = await clear(card, await card.hold('10.00'), '10.00');
    await card.act(action);
    expect(await reverse(app, { clearing_id })).toBe('VOID 10.00');
    expect(await card.available()).toBe(250);
  });
});

describe('the reversal of a refund', () => {
  test('takes the money back and returns the interchange: response, ledger, list and event', async () => {
    const owner = await ownProgram(app, TERMS);
    const card = await payingCard(app, {}, owner);
    const id = await card.hold('10.00');
    await clear(card, id, '10.00');
    const before = [await card.available(), await balancesOf(app, owner)];
    const { refund_id, transaction_id, parent_transaction_id } = await refund(card, '4.00', {
      external_transaction_id: id,
    });
    expect(await balancesOf(app, owner)).toMatchObject({ settlement: 591n, interchangeRevenue: 9n });
    const request = takeBack({ refund_id });
    const { status, body } = await card.send('reversals', request);
    expect([status, body]).toEqual([
      200,
      {
        reversal_id: request.reversal_id,
        refund_id,
        transaction_id,
        external_transaction_id: null,
        status: 'VOID',
        bill_amount: '4.00',
        bill_currency: 'EUR',
      },
    ]);
    expect([await card.available(), await balancesOf(app, owner)]).toEqual(before);
    expect(await card.transactions()).toMatchObject([
      { id: transaction_id, status: 'VOID' },
      { id: parent_transaction_id, status: 'CLEARED', bill_amount: 10 },
    ]);
    expect((await card.events()).at(-1)).toMatchObject({
      name: 'refund.reversal',
      data: {
        transaction_id,
        parent_transaction_id,
        message_id: request.reversal_id,
        status: 'VOID',
        amount: '4.00',
        bill_amount: '4.00',
        fx_fee: '0.00',
        atm_fee: '0.00',
      },
    });
  });

  test('abroad, in parts that do not divide evenly, adds up in the merchant’s currency', async () => {
    const card = await payingCard(app);
    const { refund_id } = await refund(card, '', abroad('1000', 'JPY', '7.00'));
    await reverse(app, { refund_id }, '3.00');
    expect((await card.transactions())[0]).toMatchObject({ amount: '-572', bill_amount: -4 });
    await reverse(app, { refund_id });
    const amounts = (await card.events()).slice(-2).map(({ data }) => data?.['amount']);
    expect(amounts).toEqual(['428', '572']);
  });
});

describe('a repeated reversal', () => {
  test('twenty concurrent reversals take back no more than was cleared', async () => {
    const card = await payingCard(app);
    const clearing_id = await clear(card, await card.hold('10.00'), '10.00');
    await Promise.all(Array.from({ length: 20 }, () => reverse(app, { clearing_id }, '1.00')));
    expect(await card.available()).toBe(250);
    expect(await card.transactions()).toMatchObject([{ status: 'VOID' }]);
  });

  test('a reversal that arrives together with its clearing is refused or takes all of it back', async () => {
    const card = await payingCard(app);
    const id = await card.hold('10.00');
    const clearing = clearingOf(card, id, '10.00');
    const request = takeBack({ clearing_id: clearing.clearing_id });
    const [, first] = await Promise.all([card.send('clearings', clearing), card.send('reversals', request)]);
    const { clearing_id } = clearing;
    if (first.status !== 200)
      expect(first.body.message).toBe('clearing_id: is not a clearing in this program');
    expect((await card.send('reversals', request)).body).toMatchObject({ clearing_id, bill_amount: '10.00' });
    expect(await card.available()).toBe(250);
  });
});

describe('a reversal that names nothing to take back: 400, and its id stays free', () => {
  const known = async () => {
    const card = await payingCard(app);
    const id = await card.hold('10.00');
    const clearing_id = await clear(card, id, '10.00');
    const { refund_id } = await refund(card, '5.00');
    return { card, ids: { external_transaction_id: id, clearing_id, refund_id } };
  };
  type Ids = Awaited<ReturnType<typeof known>>['ids'];

  test.each<[what: string, name: (ids: Ids) => object, message: string]>([
    [
      'an unknown clearing',
      () => ({ clearing_id: 'clr-unheard' }),
      'clearing_id: is not a clearing in this program',
    ],
    ['an unknown refund', () => ({ refund_id: 'ref-unheard' }), 'refund_id: is not a refund in this program'],
    [
      'a refund as a clearing',
      ({ refund_id }) => ({ clearing_id: refund_id }),
      'clearing_id: is not a clearing in this program',
    ],
    [
      'a clearing as a refund',
      ({ clearing_id }) => ({ refund_id: clearing_id }),
      'refund_id: is not a refund in this program',
    ],
    [
      'a purchase and a clearing',
      ({ refund_id: _, ...ids }) => ids,
      'reversal_id: must name one purchase, clearing or refund, not several',
    ],
    [
      'a clearing and a refund',
      ({ external_transaction_id: _, ...ids }) => ids,
      'reversal_id: must name one purchase, clearing or refund, not several',
    ],
    ['all three', (ids) => ids, 'reversal_id: must name one purchase, clearing or refund, not several'],
    ['nothing', () => ({}), 'external_transaction_id: is required without clearing_id and refund_id'],
    [
      'an amount of zero',
      ({ clearing_id }) => ({ clearing_id, bill_amount: '0.00' }),
      'bill_amount: must be greater than 0',
    ],
  ])('%s', async (_what, name, message) => {
    const { card, ids } = await known();
    const request = takeBack(name(ids));
    await card.refuse('reversals', request, message);
    expect(await card.available()).toBe(245);
    const good = { reversal_id: request.reversal_id, clearing_id: ids.clearing_id };
    expect((await card.send('reversals', good)).body).toMatchObject({ status: 'VOID', bill_amount: '10.00' });
  });

  test.each(['clearing_id', 'refund_id'] as const)("another program's %s is unknown", async (field) => {
    const { card, ids } = await known();
    const other = await ownProgram(app);
    const { status, body } = await send(app, 'reversals', takeBack({ [field]: ids[field] }), other);
    expect([status, body.message]).toEqual([400, expect.stringMatching(`^${field}: is not a`)]);
    expect(await card.available()).toBe(245);
  });
});
