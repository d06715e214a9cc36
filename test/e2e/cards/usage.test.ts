import { beforeAll, describe, expect, test } from 'vitest';
import { retrieve } from '../../support/cards/card-states.ts';
import { CARDS, consumerCard } from '../../support/cards/cards.ts';
import {
  MERCHANT,
  networkApp,
  newMessageId,
  type PayingCard,
  payingCard,
} from '../../support/cards/network.ts';
import { signInAs } from '../../support/console/operators.ts';
import { setClock } from '../../support/server/clock.ts';

const app = networkApp();
beforeAll(() => setClock(app, '2095-01-15T12:00:00Z'));

const NOTHING = { purchases: null, merchants: null, from: null, until: null };
const at = (id: string) => ({ merchant: { ...MERCHANT, id } });

const setUsage = async (card: Pick<PayingCard, 'id'>, usage: unknown) =>
  app.call('PUT', `${CARDS}${card.id}/usage/`, { body: { usage } });
const usageOf = async ({ id }: PayingCard) =>
  (await app.call('GET', `${CARDS}${id}/spend-controls/`)).body.usage;
const outcomeOf = async (card: PayingCard, amount: string, changes: Record<string, unknown> = {}) => {
  const { approved, decline_reason, decline_code, network_code } = await card.authorize(amount, changes);
  return approved ? 'approved' : `${decline_reason} ${decline_code} ${network_code}`;
};

const USED = 'card_used R24 62';
const LOCKED = 'merchant_locked R21 57';
const NOT_NOW = 'card_not_valid_now R25 62';

describe('a rule', () => {
  test('is given at creation or later, replaced, lifted, and shown with what was used', async () => {
    const card = await payingCard(app, { usage: { purchases: 2, merchants: [' m-1 ', 'm-1', 'm-2'] } });
    const own = { ...NOTHING, purchases: 2, merchants: ['m-1', 'm-2'], used: 0, lockedTo: null };
    expect(await usageOf(card)).toEqual(own);
    expect((await retrieve(app, card.id)).usage).toEqual(own);
    await card.hold('1.00', at('m-1'));
    const answer = await setUsage(card, { until: '2095-02-01T00:00:00+01:00' });
    const until = { ...NOTHING, until: '2095-01-31T23:00:00+0000', used: 1, lockedTo: null };
    expect([answer.status, answer.body]).toEqual([200, { usage: until }]);
    expect((await setUsage(card, null)).body).toEqual({ usage: null });
    expect(await usageOf(card)).toBeNull();
    // What was used while there was no rule counts too.
    await card.hold('1.00', at('m-9'));
    expect((await setUsage(card, { purchases: 2 })).body.usage.used).toBe(2);
    expect(await outcomeOf(card, '1.00')).toBe(USED);
    const changes = (await card.events())
      .filter(({ name }) => name === 'card.updated')
      .map(({ data }) => data);
    expect(changes.map((data) => [data?.['changed'], data?.['fields']])).toEqual([
      [['usage'], ['purchases', 'merchants', 'until']],
      [['usage'], ['until']],
      [['usage'], ['purchases']],
    ]);
  });

  test('that comes first finds what was used in the transactions of the card', async () => {
    const card = await payingCard(app);
    const first = await card.hold('1.00', at('m-1'));
    await card.reverse(await card.hold('1.00', at('m-2')));
    await card.authorize('9999.00', at('m-3'));
    await card.authorize('0.00', at('m-4'));
    await card.clear(first, '1.00');
    await card.refund('1.00', { external_transaction_id: first });
    const { body } = await setUsage(card, { merchants: 'FIRST' });
    expect(body.usage).toEqual({ ...NOTHING, merchants: 'FIRST', used: 1, lockedTo: 'm-1' });
    expect(await outcomeOf(card, '1.00', at('m-2'))).toBe(LOCKED);
  });

  test.each([
    [{}, 'usage: must limit something: purchases, merchants, from or until; null lifts the rule'],
    [{ purchases: 0 }, 'usage.purchases: must be at least 1'],
    [{ purchases: 1001 }, 'usage.purchases: must be at most 1000'],
    [{ purchases: 1.5 }, 'usage.purchases: must be a whole number'],
    [{ merchants: [] }, 'usage.merchants: must be "FIRST", a list of 1 to 50 merchant ids, or null'],
    [{ merchants: 'LAST' }, 'usage.merchants: must be "FIRST", a list of 1 to 50 merchant ids, or null'],
    [{ merchants: [' '] }, 'usage.merchants: must be "FIRST", a list of 1 to 50 merchant ids, or null'],
    [{ from: 'tomorrow' }, 'usage.from: must be a timestamp with an offset'],
    [
      { from: '2095-02-01T00:00:00Z', until: '2095-02-01T00:00:00Z' },
      'usage.until: must be after usage.from',
    ],
  ])('%j is refused, at creation and later', async (usage, message) => {
    const card = await payingCard(app);
    const later = await setUsage(card, usage);
    const created = await app.call('POST', CARDS, { body: consumerCard({ usage }) });
    for (const { status, body } of [later, created]) expect([status, body.message]).toEqual([400, message]);
    expect(await usageOf(card)).toBeNull();
  });

  test('of an unknown card is a 404, and a missing one a 400', async () => {
    expect((await setUsage({ id: app.program.id }, null)).status).toBe(404);
    const card = await payingCard(app);
    const { body } = await app.call('PUT', `${CARDS}${card.id}/usage/`, { body: {} });
    expect(body.message).toBe('usage: is required');
  });

  test('goes over to the card that replaces a blocked one, which begins anew', async () => {
    const card = await payingCard(app, { usage: { purchases: 1 } });
    await card.hold('1.00');
    await card.act('block');
    const manager = await signInAs(app, 'manager');
    const { status, body } = await manager.call('POST', `cards/${card.id}/replacement/`, {}, app.program.id);
    expect(status).toBe(201);
    expect((await retrieve(app, body.id)).usage).toEqual({
      ...NOTHING,
      purchases: 1,
      used: 0,
      lockedTo: null,
    });
  });
});

describe('a number of purchases', () => {
  test('counts what is held or has cleared, and nothing else', async () => {
    const card = await payingCard(app, { usage: { purchases: 1 } });
    expect(await outcomeOf(card, '0.00')).toBe('approved');
    expect(await outcomeOf(card, '1.00', { type: 'CREDIT' })).toBe('approved');
    expect((await usageOf(card)).used).toBe(0);
    const id = await card.hold('10.00');
    expect(await outcomeOf(card, '1.00')).toBe(USED);
    // What belongs to the purchase, and what uses nothing, goes on.
    expect((await card.increment(id, '5.00')).approved).toBe(true);
    await card.clear(id, '7.00', { final: false });
    await card.clear(id, '8.00');
    expect(await outcomeOf(card, '0.00')).toBe('approved');
    expect((await usageOf(card)).used).toBe(1);
    await card.refund('15.00', { external_transaction_id: id });
    expect(await outcomeOf(card, '1.00')).toBe(USED);
  });

  test('is free again once nothing of the purchase is left', async () => {
    const card = await payingCard(app, { usage: { purchases: 1 } });
    const id = await card.hold('10.00');
    await card.reverse(id, { amount: '4.00', currency: 'EUR' });
    expect(await outcomeOf(card, '1.00')).toBe(USED);
    await card.reverse(id);
    expect((await usageOf(card)).used).toBe(0);
    const again = await card.hold('2.00');
    const clearing_id = newMessageId('clr');
    await card.clear(again, '2.00', { clearing_id });
    expect(await outcomeOf(card, '1.00')).toBe(USED);
    await card.send('reversals', { clearing_id, reversal_id: newMessageId('rev') });
    expect(await outcomeOf(card, '1.00')).toBe('approved');
  });

  test('never refuses a clearing or an advice', async () => {
    const card = await payingCard(app, { usage: { purchases: 1, merchants: ['m-1'] } });
    await card.clear(newMessageId('net'), '3.00', { card_number: card.number, ...at('m-2') });
    expect((await usageOf(card)).used).toBe(1);
    expect(await outcomeOf(card, '1.00', { ...at('m-2'), stand_in: { approved: true } })).toBe('approved');
    expect((await usageOf(card)).used).toBe(2);
    expect(await outcomeOf(card, '1.00', at('m-1'))).toBe(USED);
  });
});

describe('merchants', () => {
  test('of a list, without surrounding spaces', async () => {
    const card = await payingCard(app, { usage: { merchants: ['m-1', 'm-2 '] } });
    expect(await outcomeOf(card, '1.00', at('m-3'))).toBe(LOCKED);
    expect(await outcomeOf(card, '0.00', at('m-3'))).toBe(LOCKED);
    expect(await outcomeOf(card, '1.00', at('  m-2'))).toBe('approved');
    expect((await usageOf(card)).lockedTo).toBeNull();
  });

  test('FIRST: the merchant of the first purchase, until no purchase counts any more', async () => {
    const card = await payingCard(app, { usage: { merchants: 'FIRST' } });
    // An account check and a decline lock nothing.
    expect(await outcomeOf(card, '0.00', at('m-0'))).toBe('approved');
    expect(await outcomeOf(card, '9999.00', at('m-0'))).toBe('insufficient_funds 51 51');
    const first = await card.hold('1.00', at('m-1   '));
    expect((await usageOf(card)).lockedTo).toBe('m-1');
    const second = await card.hold('1.00', at(' m-1'));
    expect(await outcomeOf(card, '1.00', at('m-2'))).toBe(LOCKED);
    await card.reverse(first);
    expect(await outcomeOf(card, '1.00', at('m-2'))).toBe(LOCKED);
    await card.reverse(second);
    expect(await outcomeOf(card, '1.00', at('m-2'))).toBe('approved');
    expect((await usageOf(card)).lockedTo).toBe('m-2');
  });

  test.each([
    [
      'a clearing without authorization',
      (card: PayingCard) =>
        card.clear(newMessageId('net'), '1.00', { card_number: card.number, ...at('m-5') }),
    ],
    [
      'an advice',
      (card: PayingCard) => card.authorize('1.00', { ...at('m-5'), stand_in: { approved: true } }),
    ],
  ])('FIRST is locked by %s', async (_name, send) => {
    const card = await payingCard(app, { usage: { merchants: 'FIRST' } });
    await send(card);
    expect(await outcomeOf(card, '1.00', at('m-6'))).toBe(LOCKED);
    expect(await outcomeOf(card, '1.00', at('m-5'))).toBe('approved');
  });
});

test('a time: nothing before it begins, and nothing once it has ended', async () => {
  const from = '2095-01-15T18:00:00Z';
  const card = await payingCard(app, { usage: { from, until: '2095-01-20T00:00:00Z' } });
  expect(await outcomeOf(card, '1.00')).toBe(NOT_NOW);
  await setClock(app, '2095-01-16T12:00:00Z');
  const id = await card.hold('1.00');
  await setClock(app, '2095-01-20T00:00:00Z');
  expect(await outcomeOf(card, '0.00')).toBe(NOT_NOW);
  expect((await card.increment(id, '1.00')).decline_reason).toBe('card_not_valid_now');
  await card.clear(id, '1.00');
});
