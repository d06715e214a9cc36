import { describe, expect, test } from 'vitest';
import { ruleVelocities } from '../../../src/authorizations/engine/fill-velocities.ts';
import { consumerCard } from '../../support/cards/cards.ts';
import { networkApp, type Owner, ownProgram, payingCard } from '../../support/cards/network.ts';
import { BREAD, callsOf, RULES } from '../../support/rules/rules.ts';
import { advanceSeconds } from '../../support/server/clock.ts';
import { runToEnd } from '../../support/server/jobs.ts';

const app = networkApp();

interface Velocity {
  measure?: string;
  per?: string;
  window?: object;
  where?: object;
}
const over = (value: string | number, velocity: Velocity = {}) => ({
  velocity: { measure: 'COUNT', per: 'CARD', window: { minutes: 60 }, ...velocity },
  op: 'gt',
  value,
});

/** An active rule, after its velocities have counted what came before. */
async function activeRule(owner: Owner, changes: Record<string, unknown>) {
  const calls = callsOf(app, owner);
  const { id, status } = await calls.create(changes);
  expect(status).toBe('PREPARING');
  await runToEnd(ruleVelocities(app));
  expect(await calls.get(`${RULES}${id}/`)).toMatchObject({ status: 'SHADOW' });
  return calls.promote(id);
}

const CUSTOMER = (id: string) => ({ meta: { ...consumerCard().meta, id } });

describe('a velocity', () => {
  test('counts purchases in a window of minutes, and not what was given back or has left it', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    const before = await card.hold('1.00');
    await activeRule(owner, { when: over(2), reason: 'COUNT' });
    await card.hold('1.00');
    const declined = await card.authorize('1.00');
    expect(declined).toMatchObject({ approved: false, decline_reason: 'rule_declined', network_code: '65' });
    const { body } = await app.call('GET', `/api/v1/merchant/transactions/${declined.transaction_id}/`, {
      key: owner.key,
    });
    expect(body.rules).toMatchObject([
      {
        effect: 'DECLINED',
        values: [{ path: 'when', value: '3 purchases in 60 minutes, limit 2', result: true }],
      },
    ]);
    await card.reverse(before, { amount: '0.40', currency: 'EUR' });
    expect((await card.authorize('1.00')).approved).toBe(false);
    await card.reverse(before);
    const third = await card.hold('1.00');
    // An increment, a clearing and an account check are no further purchases.
    expect(await card.increment(third, '5.00')).toMatchObject({ approved: true });
    await card.clear(third, '6.00', { final: true });
    expect((await card.authorize('0.00')).approved).toBe(true);
    expect((await card.authorize('1.00')).approved).toBe(false);
    await advanceSeconds(app, 61 * 60, owner.key);
    await card.hold('1.00');
    await card.hold('1.00');
    expect((await card.authorize('1.00')).approved).toBe(false);
  });

  test('adds up amounts of all cards of a customer in a UTC day', async () => {
    const owner = await ownProgram(app);
    const [one, two, other] = await Promise.all([
      payingCard(app, CUSTOMER('ann'), owner),
      payingCard(app, CUSTOMER('ann'), owner),
      payingCard(app, CUSTOMER('bob'), owner),
    ]);
    const velocity = { measure: 'AMOUNT', per: 'CUSTOMER', window: { calendar: 'DAY' } };
    await activeRule(owner, { when: over('10.00', velocity) });
    await one.hold('6.00');
    await two.hold('4.00');
    expect((await two.authorize('0.01')).approved).toBe(false);
    await other.hold('10.00');
    await advanceSeconds(app, 86_400, owner.key);
    await two.hold('10.00');
    expect((await one.authorize('0.01')).approved).toBe(false);
  });

  test('counts a card at one merchant where its condition is met', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    const where = { field: 'billAmount', op: 'gte', value: '5.00' };
    await activeRule(owner, {
      when: over(1, { per: 'CARD_MERCHANT', window: { calendar: 'MONTH' }, where }),
    });
    await card.hold('5.00', { merchant: BREAD });
    await card.hold('4.99', { merchant: BREAD });
    await card.hold('5.00');
    expect((await card.authorize('5.00', { merchant: BREAD })).approved).toBe(false);
    expect((await card.authorize('4.99', { merchant: BREAD })).approved).toBe(true);
  });

  test('counts declines by others than its own rule', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    await activeRule(owner, { when: over(1, { measure: 'DECLINES' }) });
    expect((await card.authorize('9999.00')).decline_reason).toBe('insufficient_funds');
    await card.hold('1.00');
    expect((await card.authorize('9999.00')).decline_reason).toBe('insufficient_funds');
    expect((await card.authorize('1.00')).decline_reason).toBe('rule_declined');
    expect((await card.authorize('1.00')).decline_reason).toBe('rule_declined');
    await advanceSeconds(app, 3_601, owner.key);
    await card.hold('1.00');
  });

  test('is exact: of 30 at once on three cards of a customer, five are approved', async () => {
    const owner = await ownProgram(app);
    const cards = await Promise.all([1, 2, 3].map(() => payingCard(app, CUSTOMER('cid'), owner)));
    await activeRule(owner, { when: over(5, { per: 'CUSTOMER' }) });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => cards[index % 3]?.authorize('1.00')),
    );
    expect(answers.filter((answer) => answer?.approved)).toHaveLength(5);
  });
});
