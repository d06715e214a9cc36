import { describe, expect, test } from 'vitest';
import { ruleBacktests } from '../../../src/authorizations/backtests/run-backtests.ts';
import { consumerCard } from '../../support/cards/cards.ts';
import {
  networkApp,
  newMessageId,
  ownProgram,
  type PayingCard,
  payingCard,
  setTerms,
} from '../../support/cards/network.ts';
import { BREAD, callsOf, LISTS, RULES } from '../../support/rules/rules.ts';
import { advanceDays, today } from '../../support/server/clock.ts';
import { runToEnd } from '../../support/server/jobs.ts';

const app = networkApp();

const bread = (changes: Record<string, unknown> = {}) => ({ merchant: BREAD, ...changes });
const online = (changes: Record<string, unknown> = {}) => bread({ channel: 'ECOMMERCE', ...changes });

/** A program with a card of its own, and calls of its merchant. */
async function stage(terms: Record<string, unknown> = {}) {
  const owner = await ownProgram(app, terms);
  return { owner, calls: callsOf(app, owner), card: await payingCard(app, {}, owner) };
}

const detailOf = async ({ owner: { key } }: PayingCard, id: string) =>
  (await app.call('GET', `/api/v1/merchant/transactions/${id}/`, { key })).body;

/** The rules of a transaction as `name effect`. */
const effectsOf = async (card: PayingCard, id: string): Promise<string[]> =>
  (await detailOf(card, id)).rules.map(
    ({ name, effect }: { name: string; effect: string }) => `${name} ${effect}`,
  );

async function outcomeOf(card: PayingCard, amount: string, changes: Record<string, unknown>) {
  const answer = await card.authorize(amount, changes);
  const { approved, decline_reason, decline_code, network_code } = answer;
  const outcome = approved ? 'approved' : `${decline_reason} ${decline_code} ${network_code}`;
  return { outcome, effects: await effectsOf(card, answer.transaction_id) };
}

test('a rule is created, promoted, declines an authorization and lists it as its match', async () => {
  const { calls, card } = await stage();
  const rule = await calls.create();
  expect(rule).toMatchObject({
    name: 'No bread',
    status: 'SHADOW',
    reason: null,
    priority: 0,
    activeSince: null,
  });
  const first = await card.authorize('5.00', bread());
  expect(first.approved).toBe(true);
  expect(await calls.promote(rule.id)).toMatchObject({ id: rule.id, status: 'ACTIVE' });
  const second = await card.authorize('6.00', bread());
  const declined = {
    approved: false,
    decline_code: 'R20',
    decline_reason: 'rule_declined',
    network_code: '57',
  };
  expect(second).toMatchObject(declined);
  await card.hold('7.00');
  const { results, count } = await calls.get(`${RULES}${rule.id}/matches/`);
  expect(count).toBe(2);
  const values = [{ path: 'when', value: '5462', result: true }];
  const common = { cardId: card.id, currency: 'EUR', values };
  expect(results).toMatchObject([
    {
      ...common,
      transactionId: second.transaction_id,
      status: 'ACTIVE',
      effect: 'DECLINED',
      approved: false,
      amount: '6.00',
    },
    {
      ...common,
      transactionId: first.transaction_id,
      status: 'SHADOW',
      effect: 'WOULD_DECLINE',
      approved: true,
      amount: '5.00',
    },
  ]);
  const shown = {
    rule_id: rule.id,
    name: 'No bread',
    status: 'ACTIVE',
    action: 'DECLINE',
    effect: 'DECLINED',
    values,
  };
  const detail = await detailOf(card, second.transaction_id);
  expect([detail.rules, detail.events[0].rules, detail.events[0].id]).toEqual([
    [shown],
    [shown],
    results[0].id,
  ]);
  // Evaluated: all three. The report adds up to the matches.
  const { byDay } = await calls.get(`${RULES}${rule.id}/report/`);
  expect(byDay).toHaveLength(30);
  const day = await today(app, card.owner.key);
  expect(byDay.at(-1)).toEqual({ day, evaluated: 3, matched: 2, wouldHaveChanged: 2, amount: '11.00' });
});

describe('a decision', () => {
  test.each([
    ['NOT_PERMITTED', '57'],
    ['SUSPECTED_FRAUD', '59'],
    ['LIMIT', '61'],
    ['COUNT', '65'],
  ])('tells the network %s as %s', async (reason, code) => {
    const { calls, card } = await stage();
    await calls.active({ reason });
    expect((await outcomeOf(card, '1.00', bread())).outcome).toBe(`rule_declined R20 ${code}`);
  });

  test('is that of the highest priority, then of the older rule; a flag stands in no way', async () => {
    const { calls, card } = await stage();
    await calls.active({ name: 'old', reason: 'LIMIT', priority: 5 });
    await calls.active({ name: 'new', reason: 'COUNT', priority: 5 });
    await calls.active({ name: 'flag', action: 'FLAG', priority: 999 });
    await calls.create({ name: 'shadow', priority: 999 });
    const older = await outcomeOf(card, '1.00', bread());
    expect(older.outcome).toBe('rule_declined R20 61');
    expect(older.effects.sort()).toEqual([
      'flag FLAGGED',
      'new WOULD_DECLINE',
      'old DECLINED',
      'shadow WOULD_DECLINE',
    ]);
    await calls.active({ name: 'high', reason: 'SUSPECTED_FRAUD', priority: 6 });
    expect((await outcomeOf(card, '1.00', bread())).outcome).toBe('rule_declined R20 59');
  });

  test('requires an authentication of online purchases that are not exempt, and is a flag elsewhere', async () => {
    const { calls, card } = await stage({ allowed_exemptions: ['LOW_VALUE'] });
    await calls.active({ name: 'proof', action: 'REQUIRE_AUTHENTICATION' });
    const required = { outcome: 'authentication_required 1A 1A', effects: ['proof AUTHENTICATION_REQUIRED'] };
    expect(await outcomeOf(card, '1.00', online())).toEqual(required);
    expect(await outcomeOf(card, '1.00', online({ authentication: { eci: '07' } }))).toEqual(required);
    expect(await outcomeOf(card, '1.00', online({ exemption: 'CORPORATE' }))).toEqual(required);
    for (const passing of [
      online({ authentication: { eci: '05' } }),
      online({ initiator: 'MERCHANT' }),
      online({ exemption: 'LOW_VALUE' }),
      bread(),
    ]) {
      const found = await outcomeOf(card, '1.00', passing);
      expect([passing, found]).toEqual([passing, { outcome: 'approved', effects: ['proof FLAGGED'] }]);
    }
  });

  test('comes after the guards before it, which leave the rules unevaluated, and before the amounts', async () => {
    const { calls, card } = await stage();
    const rule = await calls.active();
    await card.setControls({ blockedMccs: ['5462'], transactionLimit: 1 });
    const blocked = await outcomeOf(card, '1.00', bread());
    expect(blocked).toEqual({ outcome: 'merchant_category_not_allowed R19 57', effects: [] });
    expect((await calls.get(`${RULES}${rule.id}/matches/`)).count).toBe(0);
    await card.setControls({ blockedMccs: [], transactionLimit: 1 });
    // The limit, which allows a part, comes after the rule.
    const over = await outcomeOf(card, '9.00', bread({ partial_approval: true }));
    expect(over).toEqual({ outcome: 'rule_declined R20 57', effects: ['No bread DECLINED'] });
    const { byDay } = await calls.get(`${RULES}${rule.id}/report/`);
    expect(byDay.at(-1)).toMatchObject({ evaluated: 1, matched: 1 });
  });

  test('never approves: what would be declined without rules stays declined', async () => {
    const { calls, card } = await stage();
    await calls.active({ name: 'flag', action: 'FLAG' });
    await calls.active({ name: 'shadow' }).then(({ id }) => calls.demote(id));
    const poor = await outcomeOf(card, '9999.00', bread());
    expect(poor.outcome).toBe('insufficient_funds 51 51');
    expect(poor.effects.sort()).toEqual(['flag FLAGGED', 'shadow WOULD_DECLINE']);
    // A rule in SHADOW would not have changed a decline.
    const { results } = await calls.get(`${RULES}?action=DECLINE`);
    const { byDay } = await calls.get(`${RULES}${results[0].id}/report/`);
    expect(byDay.at(-1)).toMatchObject({ matched: 1, wouldHaveChanged: 0 });
  });
});

describe('what is decided', () => {
  test('an account check and an increment, which leaves the hold as it was', async () => {
    const { calls, card } = await stage();
    const when = {
      any: [
        { field: 'billAmount', op: 'gt', value: '10.00' },
        { field: 'billAmount', op: 'eq', value: '0.00' },
      ],
    };
    const purchase = await card.hold('8.00');
    const rule = await calls.active({ name: 'ten', when });
    expect((await outcomeOf(card, '0.00', {})).outcome).toBe('rule_declined R20 57');
    expect(await card.increment(purchase, '2.00')).toMatchObject({ approved: true });
    // By what the whole purchase would be.
    const raised = await card.increment(purchase, '0.01');
    expect(raised).toMatchObject({ approved: false, decline_reason: 'rule_declined', network_code: '57' });
    const detail = await detailOf(card, raised.transaction_id);
    expect([detail.held_amount, detail.status, detail.rules]).toEqual(['10.00', 'PENDING', []]);
    expect(detail.events.at(-1).rules).toMatchObject([{ name: 'ten', effect: 'DECLINED' }]);
    const { results } = await calls.get(`${RULES}${rule.id}/matches/`);
    expect(results.map(({ amount }: { amount: string }) => amount)).toEqual(['0.01', '0.00']);
  });

  test('advices are only recorded, a credit is flagged; clearings and refunds are untouched', async () => {
    const { calls, card } = await stage();
    const rule = await calls.active();
    const advised = await card.authorize('3.00', bread({ stand_in: { approved: true } }));
    expect(advised.approved).toBe(true);
    expect(await effectsOf(card, advised.transaction_id)).toEqual(['No bread WOULD_DECLINE']);
    const credit = await card.authorize('4.00', bread({ type: 'CREDIT' }));
    expect([credit.approved, await effectsOf(card, credit.transaction_id)]).toEqual([
      true,
      ['No bread FLAGGED'],
    ]);
    const cleared = await card.clear(newMessageId('late'), '5.00', {
      merchant: BREAD,
      card_number: card.number,
    });
    const refunded = await card.refund('1.00', { merchant: BREAD, card_number: card.number });
    for (const { transaction_id } of [cleared, refunded])
      expect(await effectsOf(card, transaction_id)).toEqual([]);
    const { byDay } = await calls.get(`${RULES}${rule.id}/report/`);
    expect(byDay.at(-1)).toMatchObject({ evaluated: 2, matched: 2, wouldHaveChanged: 0, amount: '7.00' });
  });

  test('only the cards that the rule applies to', async () => {
    const { owner, calls, card } = await stage();
    const other = await payingCard(app, { meta: { ...consumerCard().meta, id: 'other-customer' } }, owner);
    const { externalCustomerId } = (
      await app.call('GET', `/api/v1/merchant/cards/${other.id}/`, { key: owner.key })
    ).body;
    const ofCard = await calls.active({ name: 'card', appliesTo: { cardIds: [card.id] } });
    await calls.active({ name: 'customer', appliesTo: { customerIds: [externalCustomerId] } });
    expect((await outcomeOf(card, '1.00', bread())).effects).toEqual(['card DECLINED']);
    expect((await outcomeOf(other, '1.00', bread())).effects).toEqual(['customer DECLINED']);
    const { byDay } = await calls.get(`${RULES}${ofCard.id}/report/`);
    expect(byDay.at(-1)).toMatchObject({ evaluated: 1, matched: 1 });
  });

  test('by lists as they are when an authorization begins, of merchants and of customers', async () => {
    const { owner, calls, card } = await stage();
    await calls.put('merchants', 'merchant', ['m-4']);
    await calls.active({ when: { field: 'merchant.id', op: 'inList', value: 'merchants' } });
    const at = async () => (await outcomeOf(card, '1.00', bread())).outcome;
    expect(await at()).toBe('approved');
    const change = (verb: string) =>
      app.call('POST', `${LISTS}merchants/${verb}/`, { key: owner.key, body: { values: [' m-5 ', 'm-5'] } });
    expect((await change('add')).body).toMatchObject({ name: 'merchants', size: 2 });
    expect(await at()).toBe('rule_declined R20 57');
    expect((await change('remove')).body).toMatchObject({ size: 1 });
    expect(await at()).toBe('approved');
    const { externalCustomerId } = (
      await app.call('GET', `/api/v1/merchant/cards/${card.id}/`, { key: owner.key })
    ).body;
    await calls.put('customers', 'customer', [externalCustomerId]);
    await calls.active({ when: { field: 'customer.id', op: 'inList', value: 'customers' } });
    expect(await at()).toBe('rule_declined R20 57');
  });
});

test('the promotion guard says the number, at both sides of the percentage and of the seven days', async () => {
  const { owner, calls, card } = await stage();
  const key = owner.key;
  const free = await calls.create({ name: 'free' });
  expect(await calls.promote(free.id, {})).toMatchObject({ status: 'ACTIVE' });
  await calls.archive(free.id);
  const rule = await calls.create();
  const promote = (body: object = {}) => app.call('POST', `${RULES}${rule.id}/promote/`, { key, body });
  const prove = async (given?: string) => {
    const day = given ?? (await today(app, key));
    const body = { from: day, to: day, mode: 'OBSERVED' };
    const { status } = await app.call('POST', `${RULES}${rule.id}/backtests/`, { key, body });
    expect(status).toBe(202);
    await runToEnd(ruleBacktests({ ...app, keeper: app.vault }));
  };
  for (let i = 0; i < 19; i++) await card.hold('1.00');
  await card.hold('1.00', bread());
  const early = await promote();
  const number = 'The rule would have declined 1 of 20 approvals of the last 7 days (5 %)';
  expect([early.status, early.body.message]).toEqual([
    409,
    `${number}, and has been in SHADOW for 0 of 7 days, without a finished backtest; send "confirm": true to promote it`,
  ]);
  // A day without approvals proves nothing.
  await prove('2020-01-01');
  expect((await promote()).body).toEqual(early.body);
  await card.authorize('1.00', bread());
  await advanceDays(app, 6, key);
  expect((await promote()).body.message).toContain(
    '2 of 21 approvals of the last 7 days (9.5 %), more than 5 %, and has been in SHADOW for 6',
  );
  await setTerms(app, owner, { rules_guard_percent: 10 });
  await advanceDays(app, 1, key);
  // The first purchases are a little older than seven days by now.
  for (let i = 0; i < 8; i++) await card.hold('1.00');
  await card.hold('1.00', bread());
  expect((await promote()).body.message).toBe(
    'The rule would have declined 1 of 9 approvals of the last 7 days (11.1 %), more than 10 %; send "confirm": true to promote it',
  );
  await prove();
  await prove('2020-01-01');
  await card.hold('1.00');
  // Nor does one hide what an earlier backtest says.
  expect((await promote()).body.message).toBe(
    'The rule would have declined 1 of 10 approvals of the last 7 days (10 %), and by its newest backtest 1 of 9 (11.1 %), more than 10 %; send "confirm": true to promote it',
  );
  await prove();
  expect((await promote()).status).toBe(200);
});
