import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import {
  APPROVE,
  type DecidingMerchant,
  decidingMerchant,
  ENDPOINT,
} from '../../support/cards/deciding-merchant.ts';
import {
  abroad,
  accepted,
  authorizationOf,
  clearingOf,
  incrementOf,
  MERCHANT,
  networkApp,
  type PayingCard,
  payingCard,
  STORED_MERCHANT,
  setTerms,
} from '../../support/cards/network.ts';
import { readReport } from '../../support/reports/reports.ts';
import { eventually } from '../../support/scripts/eventually.ts';
import { advanceDays, today } from '../../support/server/clock.ts';

const app = networkApp();
const open: DecidingMerchant[] = [];
afterEach(async () => {
  for (const { receiver } of open.splice(0)) await receiver.close();
});

async function merchantWith(
  ...options: Parameters<typeof decidingMerchant> extends [unknown, ...infer Rest] ? Rest : never
) {
  const merchant = await decidingMerchant(app, ...options);
  open.push(merchant);
  const card = await payingCard(app, {}, merchant.owner);
  return { merchant, card, before: await card.available() };
}

const lastEvent = async (card: PayingCard) => (await card.events()).at(-1);
const detailsOf = async ({ owner }: PayingCard, id: string) =>
  (await app.call('GET', `/api/v1/merchant/transactions/${id}/`, { key: owner.key })).body;

describe('the question', () => {
  test('has all that a decision needs, signed, and no number, CVV or name', async () => {
    const { merchant, card, before } = await merchantWith();
    await setTerms(app, merchant.owner, { fx_fee_bps: 200, atm_fee_minor: 150 });
    let headers: Record<string, string> = {};
    let text = '';
    merchant.decide = (_, { headers: given, body }) => {
      [headers, text] = [given as typeof headers, body];
      return APPROVE;
    };
    const request = authorizationOf(card, '100.00', {
      ...abroad('100.00', 'USD', '90.00'),
      channel: 'ATM',
      type: 'CASH',
      cvv: card.cvv,
      partial_approval: true,
    });
    const { body } = await card.send('authorizations', request);
    expect(body).toMatchObject({ approved: true, bill_amount: '90.00' });
    expect(merchant.requests).toEqual([
      {
        eventType: 'decision',
        eventName: 'authorization.request',
        eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        created: expect.any(String),
        data: {
          external_transaction_id: request.external_transaction_id,
          card_id: card.id,
          external_customer_id: expect.any(String),
          card_metadata: {},
          type: 'CASH',
          amount: '100.00',
          currency: 'USD',
          bill_amount: '90.00',
          bill_currency: 'EUR',
          fx_fee: '1.80',
          atm_fee: '1.50',
          hold_amount: '93.30',
          channel: 'ATM',
          merchant: STORED_MERCHANT,
          partial_approval_allowed: true,
          authentication: null,
          network: null,
          rules: [],
          available_credit: before.toFixed(2),
          timeout_ms: 2000,
        },
      },
    ]);
    for (const hidden of [card.number, `"${card.cvv}"`, 'Lovelace']) expect(text).not.toContain(hidden);
    expect(() => new Webhook(merchant.secret).verify(text, headers)).not.toThrow();
    expect(headers['webhook-id']).toBe(merchant.requests[0]?.eventId);
  });

  test('does not decide unknown numbers, account checks, advices, repeats, and what a guard declines', async () => {
    const { merchant, card } = await merchantWith();
    const first = authorizationOf(card, '10.00');
    await card.send('authorizations', first);
    expect(merchant.requests).toHaveLength(1);
    const repeat = await card.send('authorizations', first);
    expect(repeat.body.approved).toBe(true);
    await card.with({ number: '9999000000000008' }).authorize('10.00');
    expect((await card.authorize('0.00')).approved).toBe(true);
    await card.authorize('10.00', { stand_in: { approved: true } });
    await card.setControls({ transactionLimit: 50 });
    expect((await card.authorize('50.01')).decline_reason).toBe('transaction_limit');
    await card.act('freeze');
    const frozen = await card.authorize('10.00');
    expect(frozen.decline_reason).toBe('card_frozen');
    expect(merchant.requests).toHaveLength(1);
    expect((await lastEvent(card))?.data).toMatchObject({
      decision: { source: 'emboss', outcome: 'declined' },
    });
  });
});

describe('the answer', () => {
  test('APPROVE: money is held on the master account, and the available credit does not move', async () => {
    const { merchant, card, before } = await merchantWith();
    merchant.decide = () => ({ ...APPROVE, reference: 'w-1', metadata: { wallet: 'main' } });
    const answer = await card.authorize('5000.00');
    expect(answer).toMatchObject({ approved: true, bill_amount: '5000.00', network_code: '00' });
    expect(await card.available()).toBe(before);
    expect(await card.balances()).toMatchObject({ master: -500_000n, holds: 500_000n });
    const decision = {
      source: 'merchant',
      outcome: 'approved',
      duration_ms: expect.any(Number),
      reason: null,
      reference: 'w-1',
      metadata: { wallet: 'main' },
    };
    expect((await lastEvent(card))?.data).toMatchObject({ decision, authorization_mode: 'REAL_TIME' });
    expect(await detailsOf(card, answer.transaction_id)).toMatchObject({
      decision,
      authorization_mode: 'REAL_TIME',
      status: 'PENDING',
    });
  });

  test.each([
    ['insufficient_funds', 'program_insufficient_funds', '5E', '51'],
    ['too late in the evening', 'program_declined', '05', '05'],
    [undefined, 'program_declined', '05', '05'],
  ])('DECLINE with the reason %s', async (reason, decline_reason, decline_code, network_code) => {
    const { merchant, card } = await merchantWith();
    merchant.decide = () => ({ decision: 'DECLINE', reason });
    const answer = await card.authorize('10.00');
    expect(answer).toMatchObject({ approved: false, decline_reason, decline_code, network_code });
    const decision = { source: 'merchant', outcome: 'declined', reason: reason ?? null };
    expect((await lastEvent(card))?.data).toMatchObject({ decision, decline_reason });
    expect(await card.balances()).not.toHaveProperty('holds');
  });

  test('a smaller amount, if the network accepts one', async () => {
    const { merchant, card } = await merchantWith();
    merchant.decide = () => ({ ...APPROVE, approved_amount: '4.20' });
    const partly = await card.authorize('10.00', { partial_approval: true });
    expect(partly).toMatchObject({ approved: true, bill_amount: '4.20', network_code: '10' });
    expect(await card.authorize('10.00')).toMatchObject({
      approved: false,
      decline_reason: 'decision_invalid',
      decline_code: 'R12',
      network_code: '96',
    });
    expect(await card.balances()).toMatchObject({ holds: 420n });
  });

  test('comes too late for a card that was frozen meanwhile: declined, and the event says what the merchant said', async () => {
    const { merchant, card } = await merchantWith();
    merchant.decide = async () => {
      // No lock is held: the freeze does not wait for the answer.
      await card.act('freeze');
      return APPROVE;
    };
    const answer = await card.authorize('10.00');
    expect(answer).toMatchObject({ approved: false, decline_reason: 'card_frozen' });
    expect(await lastEvent(card)).toMatchObject({
      name: 'authorization.declined',
      data: { decision: { source: 'merchant', outcome: 'approved' }, decline_reason: 'card_frozen' },
    });
  });

  test('in BOTH, our own funds count too: before the question and after it', async () => {
    const { merchant, card, before } = await merchantWith('BOTH');
    expect((await card.authorize((before + 1).toFixed(2))).decline_reason).toBe('insufficient_funds');
    expect(merchant.requests).toEqual([]);
    await card.hold('10.00');
    expect(await card.available()).toBe(before - 10);
    merchant.decide = () => ({ decision: 'DECLINE' });
    expect((await card.authorize('10.00')).decline_reason).toBe('program_declined');
  });
});

describe('without an answer', () => {
  const FAILURES = [
    ['hang', 'timeout', 'decision_timeout', 'R17', '91'],
    [500, 'unreachable', 'decision_unavailable', 'R18', '91'],
    [302, 'unreachable', 'decision_unavailable', 'R18', '91'],
    [{ decision: 'MAYBE' }, 'invalid', 'decision_invalid', 'R12', '96'],
    ['paused', 'paused', 'decision_unavailable', 'R18', '91'],
  ] as const;
  const failing = async (failure: (typeof FAILURES)[number][0], mode: 'REAL_TIME' | 'BOTH', rule: object) => {
    const found = await merchantWith(mode, { timeoutMs: 200, paused: failure === 'paused', ...rule });
    found.merchant.decide = () => (failure === 'paused' ? APPROVE : failure);
    return found;
  };

  test.each(FAILURES)('%s, DECLINE', async (failure, outcome, decline_reason, decline_code, network_code) => {
    const { card, before } = await failing(failure, 'REAL_TIME', {});
    const answer = await card.authorize('10.00');
    expect(answer).toMatchObject({ approved: false, decline_reason, decline_code, network_code });
    expect((await lastEvent(card))?.data).toMatchObject({ decision: { source: 'stand_in', outcome } });
    expect(await card.available()).toBe(before);
  });

  test.each(['REAL_TIME', 'BOTH'] as const)(
    'in %s, STANDARD: as in that mode, and the transaction keeps it',
    async (mode) => {
      const { card, before } = await failing(500, mode, { onFailure: 'STANDARD' });
      const id = await card.hold('10.00');
      expect((await lastEvent(card))?.data).toMatchObject({
        decision: { source: 'stand_in', outcome: 'unreachable' },
        authorization_mode: 'STANDARD',
      });
      expect(await card.available()).toBe(before - 10);
      await card.reverse(id);
      expect(await card.available()).toBe(before);
      const tooMuch = await card.authorize((before + 1).toFixed(2));
      expect(tooMuch.decline_reason).toBe('insufficient_funds');
    },
  );

  test.each(['REAL_TIME', 'BOTH'] as const)(
    'in %s, APPROVE: within the limits of the stand-in',
    async (mode) => {
      const standIn = { transactionLimit: 30, dailyLimit: 50 };
      const { card, before } = await failing(500, mode, { onFailure: 'APPROVE', standIn });
      await card.hold('30.00');
      expect((await lastEvent(card))?.data).toMatchObject({
        decision: { source: 'stand_in', outcome: 'unreachable' },
        authorization_mode: mode,
      });
      expect((await card.authorize('30.01')).decline_reason).toBe('decision_unavailable');
      await card.hold('20.00');
      expect((await card.authorize('0.01')).decline_reason).toBe('decision_unavailable');
      expect(await card.available()).toBe(mode === 'BOTH' ? before - 50 : before);
    },
  );

  test('`paused` takes effect with the next authorization', async () => {
    const { merchant, card } = await merchantWith();
    await card.hold('1.00');
    await merchant.set({ paused: true });
    expect((await card.authorize('1.00')).decline_reason).toBe('decision_unavailable');
    await merchant.set({});
    await card.hold('1.00');
    expect(merchant.requests).toHaveLength(2);
  });

  test('a merchant that hangs delays no other card of its program', async () => {
    const { merchant, card } = await merchantWith('REAL_TIME', { timeoutMs: 3000 });
    const other = await payingCard(app, {}, merchant.owner);
    merchant.decide = ({ data }) => (data['card_id'] === card.id ? 'hang' : APPROVE);
    const hung = card.authorize('10.00');
    await eventually(() => expect(merchant.requests).toHaveLength(1));
    let isOver = false;
    void hung.then(() => {
      isOver = true;
    });
    await other.hold('10.00');
    await card.refund('5.00', { card_number: card.number });
    expect(isOver).toBe(false);
    expect((await hung).decline_reason).toBe('decision_timeout');
  });
});

test('the daily report says who approved', async () => {
  const { merchant, card } = await merchantWith('REAL_TIME', {
    onFailure: 'APPROVE',
    standIn: { transactionLimit: 50, dailyLimit: 50 },
  });
  await card.hold('10.00');
  merchant.decide = () => 500;
  await card.hold('20.00');
  const { key } = merchant.owner;
  const day = await today(app, key);
  await advanceDays(app, 3, key);
  const { rows } = await readReport(app, 'daily', day, key);
  expect(rows.filter(({ event }) => event === 'authorization').map(({ description }) => description)).toEqual(
    [
      expect.stringMatching(/^Hold for a purchase, approved by the merchant in \d+ ms$/),
      'Hold for a purchase, approved in place of the merchant: unreachable',
    ],
  );
});

describe('later messages', () => {
  test('undo what was done in the mode of the purchase, also after the mode has changed', async () => {
    const { merchant, card, before } = await merchantWith();
    const { owner } = merchant;
    const [reversed, cleared] = [await card.hold('10.00'), await card.hold('20.00')];
    await setTerms(app, owner, { authorization_mode: 'STANDARD' });
    const own = await card.hold('30.00');
    expect(await card.available()).toBe(before - 30);
    await card.reverse(reversed);
    const clearing = clearingOf(card, cleared, '25.00');
    await accepted(app, 'clearings', clearing, owner);
    await card.refund('5.00', { external_transaction_id: cleared });
    expect(await card.available()).toBe(before - 30);
    await setTerms(app, owner, { authorization_mode: 'REAL_TIME' });
    const { clearing_id } = clearing;
    await accepted(app, 'reversals', { reversal_id: `${cleared}-r`, clearing_id }, owner);
    await card.clear(own, '30.00');
    await card.refund('30.00', { external_transaction_id: own });
    expect(await card.available()).toBe(before);
    // Without a known purchase: the present mode.
    await card.refund('7.00', { card_number: card.number });
    expect(await card.available()).toBe(before);
  });

  test('the request for an increment has its own id', async () => {
    const { merchant, card } = await merchantWith();
    const id = await card.hold('10.00');
    const request = incrementOf(card, id, '5.00');
    expect((await accepted(app, 'increments', request, card.owner)).approved).toBe(true);
    expect(merchant.requests[1]?.data).toMatchObject({
      external_transaction_id: id,
      increment_id: request.increment_id,
      bill_amount: '5.00',
      hold_amount: '5.00',
      merchant: { ...MERCHANT, country: 'GBR' },
      partial_approval_allowed: false,
    });
    expect(merchant.requests[1]?.eventId).not.toBe(merchant.requests[0]?.eventId);
    merchant.decide = () => ({ decision: 'DECLINE', reason: 'limit_exceeded' });
    const refused = await card.increment(id, '5.00');
    expect(refused).toMatchObject({ approved: false, decline_reason: 'program_limit' });
    expect(await card.balances()).toMatchObject({ holds: 1_500n });
    expect((await detailsOf(card, refused.transaction_id)).decision).toMatchObject({ outcome: 'approved' });
  });

  test('without an endpoint, a purchase in REAL_TIME cannot be raised', async () => {
    const { merchant, card } = await merchantWith();
    const id = await card.hold('10.00');
    await setTerms(app, merchant.owner, { authorization_mode: 'STANDARD' });
    const removed = await app.call('DELETE', ENDPOINT, { key: merchant.owner.key });
    expect(removed.status).toBe(200);
    const refused = await card.increment(id, '5.00');
    expect(refused.decline_reason).toBe('decision_unavailable');
  });
});
