import { describe, expect, test } from 'vitest';
import { act } from '../../support/cards/card-states.ts';
import {
  abroad,
  clearingOf,
  fund,
  incrementOf,
  networkApp,
  newMessageId,
  type Owner,
  ownProgram,
  type PayingCard,
  payingCard,
  refundOf,
  STORED_MERCHANT,
  setTerms,
} from '../../support/cards/network.ts';
import { setClock } from '../../support/server/clock.ts';
import type { Answer } from '../../support/server/test-app.ts';

const TRANSACTIONS = '/api/v1/merchant/transactions/';

const app = networkApp();

const TERMS = { fx_fee_bps: 250, atm_fee_minor: 300, interchange_bps: 150 };
const AWAY = { channel: 'ATM', ...abroad('110.00', 'USD', '100.00') };
const NOT_DECLINED = { decline_code: null, decline_reason: null, limits: null };

async function detailsOf(id: string, { key }: Pick<Owner, 'key'> = app): Promise<Answer['body']> {
  const { status, body } = await app.call('GET', `${TRANSACTIONS}${id}/`, { key });
  expect([status, body.message]).toEqual([200, undefined]);
  return body;
}

const decided = (outcome: string, source = 'emboss', reason: string | null = null) => ({
  source,
  outcome,
  duration_ms: null,
  reason,
  reference: null,
  metadata: null,
});

describe('a purchase', () => {
  test('has every field, and the ten of the list have the same values', async () => {
    const owner = await ownProgram(app, TERMS);
    const card = await payingCard(app, {}, owner);
    const approval = await card.authorize('', AWAY);
    const [listed] = await card.transactions();
    expect(Object.keys(listed)).toEqual([
      'id',
      'external_transaction_id',
      'card_id',
      'bill_amount',
      'bill_currency',
      'cardholder_name',
      'amount',
      'currency',
      'status',
      'created',
    ]);
    expect(await detailsOf(approval.transaction_id, owner)).toEqual({
      id: approval.transaction_id,
      external_transaction_id: approval.external_transaction_id,
      card_id: card.id,
      bill_amount: 100,
      bill_currency: 'EUR',
      cardholder_name: 'Ada Lovelace',
      amount: '110.00',
      currency: 'USD',
      status: 'PENDING',
      created: listed.created,
      kind: 'purchase',
      channel: 'ATM',
      merchant: STORED_MERCHANT,
      authentication: null,
      decline_code: null,
      decline_reason: null,
      network_code: '00',
      approval_code: approval.approval_code,
      authorization_mode: 'STANDARD',
      fx_fee: '2.50',
      atm_fee: '3.00',
      held_amount: '100.00',
      cleared_amount: '0.00',
      flags: [],
      network: null,
      rules: [],
      metadata: {},
      parent_transaction_id: null,
      refunds: [],
      refunded_amount: '0.00',
      decision: decided('approved'),
      limits: null,
      events_total: 1,
      events: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: 'authorization',
          created: listed.created,
          message_id: approval.external_transaction_id,
          status: 'PENDING',
          amount: '110.00',
          currency: 'USD',
          bill_amount: '100.00',
          fx_fee: '2.50',
          atm_fee: '3.00',
          decline_reason: null,
          network: null,
          decision: decided('approved'),
        },
      ],
    });
  });

  test('has what is held, cleared and refunded, and its fees, after every message', async () => {
    const owner = await ownProgram(app, TERMS);
    const card = await payingCard(app, { spendLimit: 1_000 }, owner);
    const { transaction_id, external_transaction_id: id } = await card.authorize('', AWAY);
    const shown = async () => {
      const { status, held_amount, cleared_amount, refunded_amount, fx_fee, atm_fee } = await detailsOf(
        transaction_id,
        owner,
      );
      return [status, held_amount, cleared_amount, refunded_amount, fx_fee, atm_fee].join(' ');
    };
    expect(await shown()).toBe('PENDING 100.00 0.00 0.00 2.50 3.00');
    await card.increment(id, '', abroad('11.00', 'USD', '10.00'));
    expect(await shown()).toBe('PENDING 110.00 0.00 0.00 2.75 3.00');
    await card.reverse(id, { bill_amount: '30.00' });
    expect(await shown()).toBe('PENDING 80.00 0.00 0.00 2.00 3.00');
    const part = { ...clearingOf(card, id, ''), ...abroad('44.00', 'USD', '40.00'), final: false };
    await card.send('clearings', part);
    expect(await shown()).toBe('PENDING 40.00 40.00 0.00 2.00 3.00');
    // Cleared in the card's own currency: no FX fee on it.
    await card.clear(id, '20.00');
    expect(await shown()).toBe('CLEARED 0.00 60.00 0.00 1.00 3.00');
    const refunds = [refundOf(card, '15.00'), refundOf(card, '5.00')];
    for (const refund of refunds) await card.send('refunds', { ...refund, external_transaction_id: id });
    expect(await shown()).toBe('CLEARED 0.00 60.00 20.00 1.00 3.00');
    const back = { reversal_id: newMessageId('rev'), refund_id: refunds[0]?.refund_id, bill_amount: '6.00' };
    await card.send('reversals', back);
    expect(await shown()).toBe('CLEARED 0.00 60.00 14.00 1.00 3.00');
    const reversal = { reversal_id: newMessageId('rev'), clearing_id: part.clearing_id };
    await card.send('reversals', reversal);
    expect(await shown()).toBe('CLEARED 0.00 20.00 14.00 0.00 3.00');
    const { events } = await detailsOf(transaction_id, owner);
    const recorded = events.map(
      ({ name, status, bill_amount, fx_fee, atm_fee }: Record<string, string>) =>
        `${name} ${status} ${bill_amount} ${fx_fee} ${atm_fee}`,
    );
    expect(recorded).toEqual([
      'authorization PENDING 100.00 2.50 3.00',
      'authorization.increment PENDING 10.00 0.25 0.00',
      'authorization.reversal PENDING 30.00 0.75 0.00',
      'authorization.clearing PENDING 40.00 1.00 3.00',
      'authorization.clearing CLEARED 20.00 0.00 0.00',
      'authorization.clearing.reversal CLEARED 40.00 1.00 0.00',
    ]);
    expect(events[5].message_id).toBe(reversal.reversal_id);
  });

  test('whose hold expired has nothing held and no fees', async () => {
    const owner = await ownProgram(app, TERMS);
    await setClock(app, '2095-01-10T12:00:00Z', owner.key);
    const card = await payingCard(app, {}, owner);
    const { transaction_id } = await card.authorize('', AWAY);
    await setClock(app, '2095-01-18T12:00:00Z', owner.key);
    const details = await detailsOf(transaction_id, owner);
    expect(details).toMatchObject({ status: 'VOID', held_amount: '0.00', fx_fee: '0.00', atm_fee: '0.00' });
    expect(details.created).toMatch(/^2095-01-10T12:0\d:\d\d\+0000$/);
    expect(details.events.map(({ name }: { name: string }) => name)).toEqual([
      'authorization',
      'authorization.expired',
    ]);
  });

  test('that was approved in part has the approved amounts', async () => {
    const card = await payingCard(app, { spendLimit: 60 });
    const { transaction_id } = await card.authorize('100.00', { partial_approval: true });
    expect(await detailsOf(transaction_id)).toMatchObject({
      ...NOT_DECLINED,
      bill_amount: 60,
      amount: '60.00',
      held_amount: '60.00',
      network_code: '10',
      decision: decided('approved'),
    });
  });

  test('that cleared without an authorization has no decision, merchant or channel', async () => {
    const card = await payingCard(app);
    const clearing = clearingOf(card, newMessageId('offline'), '10.00', { card_number: card.number });
    const { body } = await card.send('clearings', clearing);
    expect(await detailsOf(body.transaction_id)).toMatchObject({
      ...NOT_DECLINED,
      status: 'CLEARED',
      channel: null,
      merchant: null,
      network_code: null,
      approval_code: null,
      decision: null,
      cleared_amount: '10.00',
    });
  });

  test('that cleared before its authorization was declined shows the decline', async () => {
    const card = await payingCard(app);
    const external_transaction_id = newMessageId('early');
    const clearing = clearingOf(card, external_transaction_id, '10.00', { final: false });
    await card.send('clearings', { ...clearing, card_number: card.number });
    await card.setControls({ transactionLimit: 50 });
    const { transaction_id } = await card.authorize('60.00', { external_transaction_id });
    expect(await detailsOf(transaction_id)).toMatchObject({
      status: 'CLEARED',
      cleared_amount: '10.00',
      decline_reason: 'transaction_limit',
      decision: decided('declined'),
      limits: { limit: 'transactionLimit', value: '50.00', spent: '10.00', resets_at: null },
    });
  });

  test('a declined increment is in its history and does not make it a decline', async () => {
    const card = await payingCard(app);
    const { transaction_id, external_transaction_id } = await card.authorize('60.00');
    await card.setControls({ dailyLimit: 70 });
    await card.increment(external_transaction_id, '10.01');
    const details = await detailsOf(transaction_id);
    expect(details).toMatchObject({ ...NOT_DECLINED, status: 'PENDING', decision: decided('approved') });
    expect(details.events[1]).toMatchObject({
      name: 'authorization.declined',
      status: 'PENDING',
      bill_amount: '10.01',
      decline_reason: 'daily_limit',
      decision: decided('declined'),
      limits: { limit: 'dailyLimit', value: '70.00', spent: '60.00' },
    });
  });

  test('with many messages has the first event, the newest 500 and the number of all', async () => {
    const card = await payingCard(app);
    const { transaction_id, external_transaction_id: id } = await card.authorize('60.00');
    const declined = () => card.send('increments', incrementOf(card, id, '500.00'));
    await Promise.all(Array.from({ length: 510 }, declined));
    const [row] = await app.sql<{ ids: string[] }>(
      'select event_ids::text[] as ids from transactions where id = $1',
      [transaction_id],
    );
    const ids = row?.ids ?? [];
    const { events, events_total, decision } = await detailsOf(transaction_id);
    expect([ids.length, events_total, decision]).toEqual([511, 511, decided('approved')]);
    expect(events.map((event: { id: string }) => event.id)).toEqual([ids[0], ...ids.slice(-500)]);
  });

  test.each([true, false])('that the network decided says so (approved: %s)', async (approved) => {
    const card = await payingCard(app);
    const { transaction_id } = await card.authorize('10.00', {
      stand_in: { approved, reason: 'issuer unavailable' },
    });
    expect(await detailsOf(transaction_id)).toMatchObject({
      status: approved ? 'PENDING' : 'DECLINED',
      decline_code: approved ? null : 'R14',
      decision: decided(approved ? 'approved' : 'declined', 'network', 'issuer unavailable'),
      limits: null,
    });
  });
});

describe('a refund', () => {
  test('has its own amounts, negative as in the list, and no decision', async () => {
    const owner = await ownProgram(app, TERMS);
    const card = await payingCard(app, {}, owner);
    const id = await card.hold('10.00');
    await card.clear(id, '10.00');
    const request = refundOf(card, '4.00', { external_transaction_id: id });
    const { body } = await card.send('refunds', request);
    const refund = await detailsOf(body.transaction_id, owner);
    expect(refund).toMatchObject({
      ...NOT_DECLINED,
      kind: 'refund',
      external_transaction_id: request.refund_id,
      status: 'CLEARED',
      bill_amount: -4,
      amount: '-4.00',
      channel: 'POS',
      merchant: STORED_MERCHANT,
      network_code: null,
      approval_code: null,
      fx_fee: '0.00',
      atm_fee: '0.00',
      held_amount: '0.00',
      cleared_amount: '4.00',
      refunded_amount: '0.00',
      decision: null,
    });
    expect(refund.events).toMatchObject([
      { name: 'refund', message_id: request.refund_id, bill_amount: '4.00' },
    ]);
    await card.send('reversals', { reversal_id: newMessageId('rev'), refund_id: request.refund_id });
    const reversed = await detailsOf(body.transaction_id, owner);
    expect(reversed).toMatchObject({ status: 'VOID', cleared_amount: '0.00' });
    expect(reversed.events.map(({ name }: { name: string }) => name)).toEqual(['refund', 'refund.reversal']);
  });
});

describe('the numbers behind a decline', () => {
  type Prepare = (card: PayingCard) => Promise<unknown>;
  const limit =
    (body: object): Prepare =>
    (card) =>
      card.setControls(body);
  const RESET = { day: '2095-12-16T00:00:00+0000', month: '2096-01-01T00:00:00+0000' };

  /** On a card of 250.00 of which 30.00 is held, in the middle of December. */
  test.each<[what: string, decline_reason: string, Prepare, request: object, limits: object | null]>([
    [
      'the transaction limit',
      'transaction_limit',
      limit({ transactionLimit: 50 }),
      { amount: '50.01' },
      { limit: 'transactionLimit', value: '50.00', spent: '0.00', resets_at: null },
    ],
    [
      'the daily limit',
      'daily_limit',
      limit({ dailyLimit: 50 }),
      { amount: '20.01' },
      { limit: 'dailyLimit', value: '50.00', spent: '30.00', resets_at: RESET.day },
    ],
    [
      'the monthly limit',
      'card_limit',
      limit({ monthlyLimit: 50 }),
      { amount: '20.01' },
      { limit: 'monthlyLimit', value: '50.00', spent: '30.00', resets_at: RESET.month },
    ],
    [
      'the all-time limit where the monthly one is not reached',
      'card_limit',
      limit({ monthlyLimit: 60, allTimeLimit: 50 }),
      { amount: '20.01' },
      { limit: 'allTimeLimit', value: '50.00', spent: '30.00', resets_at: null },
    ],
    [
      'funds',
      'insufficient_funds',
      async () => {},
      { amount: '220.01' },
      { available: '220.00', needed: '220.01' },
    ],
    [
      'funds, with both fees',
      'insufficient_funds',
      ({ owner }) => setTerms(app, owner, TERMS),
      { channel: 'ATM', ...abroad('242.00', 'USD', '220.00') },
      { available: '220.00', needed: '228.50' },
    ],
    [
      'the master account',
      'program_balance',
      async ({ owner }) => {
        await fund(app, owner, 5_000n);
        await setTerms(app, owner, { enforce_master_balance: true });
      },
      { amount: '20.01' },
      { available: '20.00', needed: '20.01' },
    ],
    ['a frozen card', 'card_frozen', ({ id, owner }) => act(app, id, 'freeze', owner.key), {}, null],
    ['a category', 'merchant_category_not_allowed', limit({ blockedMccs: ['5814'] }), {}, null],
    ['a wrong expiry', 'expiry_mismatch', async () => {}, { expiry: '2094-01' }, null],
  ])('%s: %s', async (_what, decline_reason, prepare, request, limits) => {
    const owner = await ownProgram(app);
    await setClock(app, '2095-12-15T12:00:00Z', owner.key);
    const card = await payingCard(app, {}, owner);
    await card.hold('30.00');
    await prepare(card);
    const { transaction_id, decline_code, network_code } = await card.authorize('10.00', {
      ...request,
    });
    const details = await detailsOf(transaction_id, owner);
    expect(details).toMatchObject({
      status: 'DECLINED',
      decline_code,
      decline_reason,
      network_code,
      approval_code: null,
      held_amount: '0.00',
      fx_fee: '0.00',
      atm_fee: '0.00',
      decision: decided('declined'),
    });
    expect(details.limits).toEqual(limits);
    expect(details.events).toMatchObject([{ name: 'authorization.declined', decline_reason }]);
  });

  test('are those of the decline, whatever changed since', async () => {
    const card = await payingCard(app, { spendLimit: 10 });
    const { transaction_id } = await card.authorize('10.01');
    await card.refund('90.00', { card_number: card.number });
    expect((await detailsOf(transaction_id)).limits).toEqual({ available: '10.00', needed: '10.01' });
  });
});
