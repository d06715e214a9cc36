import { beforeAll, expect, test } from 'vitest';
import { cardRows } from '../../support/cards/card-rows.ts';
import { createCard } from '../../support/cards/cards.ts';
import { type SignedIn, signInAs } from '../../support/console/operators.ts';
import { setClock } from '../../support/server/clock.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
let support: SignedIn;
let admin: SignedIn;
beforeAll(async () => {
  await setClock(app, '2095-01-15T12:00:00Z');
  support = await signInAs(app, 'support');
  admin = await signInAs(app, 'admin');
});

test('support raises limits within the bounds that admins set, by default to twice for 7 days; admins without them', async () => {
  const { id } = await createCard(app);
  const limits = { transactionLimit: 250.25, dailyLimit: 500, monthlyLimit: null };
  await app.call('PUT', `/api/v1/merchant/cards/${id}/spend-controls/`, { body: limits });
  const endsAt = '2095-01-22T12:00:00+0000';
  const raise = async (who: SignedIn, field: string, amount: number, until = endsAt) => {
    const temporaryLimits = { [field]: { amount, endsAt: until } };
    const { status, body } = await who.call('PUT', `cards/${id}/temporary-limits/`, { temporaryLimits });
    return body.message ?? [status, body.temporaryLimits[field].amount];
  };
  expect((await support.call('GET', 'support-limits/')).body).toEqual({ factor: 2, days: 7 });
  expect(await raise(support, 'transactionLimit', 500.5)).toEqual([200, 500.5]);
  expect(await raise(support, 'transactionLimit', 500.51)).toBe(
    'temporaryLimits.transactionLimit.amount: must be at most 500.50 for your role; ask a manager',
  );
  expect(await raise(support, 'dailyLimit', 900, '2095-01-22T12:10:00Z')).toBe(
    'temporaryLimits.dailyLimit.endsAt: must be at most 7 days ahead for your role; ask a manager',
  );
  expect(await raise(support, 'monthlyLimit', 1)).toMatch(/your role may not raise this limit/);
  expect(await raise(admin, 'monthlyLimit', 9_000, '2095-04-01T00:00:00Z')).toEqual([200, 9_000]);

  const set = (who: SignedIn, body: object) => who.call('PUT', 'support-limits/', body);
  const bounds = { factor: 1, days: 30 };
  expect((await set(support, bounds)).status).toBe(403);
  expect((await set(admin, { ...bounds, factor: 0 })).body.message).toMatch(/^factor: must be/);
  expect((await set(admin, { ...bounds, days: 91 })).body.message).toMatch(/^days: must be/);
  expect(await set(admin, bounds)).toMatchObject({ status: 200, body: bounds });
  expect(await raise(support, 'dailyLimit', 500)).toMatch(/your role may not raise this limit/);
  await set(admin, { factor: 3, days: 30 });
  expect(await raise(support, 'dailyLimit', 1_500, '2095-02-14T12:00:00Z')).toEqual([200, 1_500]);
  const ended = { temporaryLimits: { monthlyLimit: null } };
  expect((await support.call('PUT', `cards/${id}/temporary-limits/`, ended)).status).toBe(200);

  const { audits } = await cardRows(app, id);
  const raised = audits.filter(({ name }) => name === 'card.spend_controls_changed');
  expect(raised).toHaveLength(5);
  expect(raised[1]).toMatchObject({
    actor: expect.stringMatching(/^operator:Test support/),
    before: { temporaryLimits: { transactionLimit: null } },
    after: { temporaryLimits: { transactionLimit: { amount: 500.5, endsAt }, dailyLimit: null } },
  });
  const [change] = await app.sql(
    `select before, after from audit_entries where program_id = $1 and action = 'program.updated' order by id`,
    [app.program.id],
  );
  expect(change).toEqual({
    before: { supportLimitFactor: 2, supportLimitDays: 7 },
    after: { supportLimitFactor: 1, supportLimitDays: 30 },
  });
});
