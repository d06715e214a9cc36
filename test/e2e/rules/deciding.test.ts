import { expect, test } from 'vitest';
import { networkApp, ownProgram, payingCard } from '../../support/cards/network.ts';
import { BREAD, callsOf, RULES } from '../../support/rules/rules.ts';

const app = networkApp();

const detailOf = async (id: string, key = app.key) =>
  (await app.call('GET', `/api/v1/merchant/transactions/${id}/`, { key })).body;

test('a rule is created, promoted, declines an authorization and lists it as its match', async () => {
  const owner = await ownProgram(app);
  const calls = callsOf(app, owner);
  const card = await payingCard(app, {}, owner);
  const rule = await calls.create();
  expect(rule).toMatchObject({ name: 'No bread', status: 'SHADOW', reason: null, priority: 0, activeSince: null });
  const first = await card.authorize('5.00', { merchant: BREAD });
  expect(first.approved).toBe(true);
  expect(await calls.promote(rule.id)).toMatchObject({ id: rule.id, status: 'ACTIVE' });
  const second = await card.authorize('6.00', { merchant: BREAD });
  expect(second).toMatchObject({ approved: false, decline_code: 'R20', decline_reason: 'rule_declined', network_code: '57' });
  await card.hold('7.00');
  const { results, count } = await calls.get(`${RULES}${rule.id}/matches/`);
  expect(count).toBe(2);
  const values = [{ path: 'when', value: '5462', result: true }];
  const common = { cardId: card.id, currency: 'EUR', values };
  expect(results).toMatchObject([
    { ...common, transactionId: second.transaction_id, status: 'ACTIVE', effect: 'DECLINED', approved: false, amount: '6.00' },
    { ...common, transactionId: first.transaction_id, status: 'SHADOW', effect: 'WOULD_DECLINE', approved: true, amount: '5.00' },
  ]);
  const shown = { rule_id: rule.id, name: 'No bread', status: 'ACTIVE', action: 'DECLINE', effect: 'DECLINED', values };
  const detail = await detailOf(second.transaction_id, owner.key);
  expect([detail.rules, detail.events[0].rules]).toEqual([[shown], [shown]]);
});
