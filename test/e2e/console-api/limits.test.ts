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

test('support raises limits within the bounds that admins set, and admins without them', async () => {
  const { id } = await createCard(app);
  const raise = async (who: SignedIn, field: string, amount: number) => {
    const temporaryLimits = { [field]: { amount, endsAt: '2095-01-20T00:00:00Z' } };
    const { status, body } = await who.call('PUT', `cards/${id}/temporary-limits/`, { temporaryLimits });
    return body.message ?? [status, body.temporaryLimits[field].amount];
  };
  const none = { transactionLimit: null, dailyLimit: null, monthlyLimit: null };
  expect((await support.call('GET', 'support-limits/')).body).toEqual(none);
  expect(await raise(support, 'dailyLimit', 0)).toBe(
    'temporaryLimits.dailyLimit.amount: your role may not raise this limit; ask a manager',
  );
  const bounds = { transactionLimit: 500.5, dailyLimit: 1_000, monthlyLimit: null };
  const set = (who: SignedIn, body: object) => who.call('PUT', 'support-limits/', body);
  expect((await set(support, bounds)).status).toBe(403);
  expect((await set(admin, { ...bounds, dailyLimit: 0.001 })).body.message).toMatch(/^dailyLimit: must have/);
  expect((await set(admin, { ...bounds, monthlyLimit: -1 })).body.message).toMatch(/^monthlyLimit: must be/);
  expect(await set(admin, bounds)).toMatchObject({ status: 200, body: bounds });
  expect((await support.call('GET', 'support-limits/')).body).toEqual(bounds);

  expect(await raise(support, 'transactionLimit', 500.5)).toEqual([200, 500.5]);
  expect(await raise(support, 'dailyLimit', 1_000)).toEqual([200, 1_000]);
  expect(await raise(support, 'dailyLimit', 1_000.01)).toBe(
    'temporaryLimits.dailyLimit.amount: must be at most 1000.00 for your role; ask a manager',
  );
  expect(await raise(support, 'monthlyLimit', 1)).toMatch(/your role may not raise this limit/);
  expect(await raise(admin, 'monthlyLimit', 9_000)).toEqual([200, 9_000]);
  const ended = { temporaryLimits: { monthlyLimit: null } };
  expect((await support.call('PUT', `cards/${id}/temporary-limits/`, ended)).status).toBe(200);

  const { audits } = await cardRows(app, id);
  const raised = audits.filter(({ name }) => name === 'card.spend_controls_changed');
  const endsAt = '2095-01-20T00:00:00+0000';
  expect(raised).toHaveLength(4);
  expect(raised[1]).toMatchObject({
    actor: expect.stringMatching(/^operator:Test support/),
    before: { temporaryLimits: { ...none, transactionLimit: { amount: 500.5, endsAt } } },
    after: {
      temporaryLimits: {
        ...none,
        transactionLimit: { amount: 500.5, endsAt },
        dailyLimit: { amount: 1_000, endsAt },
      },
    },
  });
  const changes = await app.sql(
    `select before, after from audit_entries where program_id = $1 and action = 'program.updated'`,
    [app.program.id],
  );
  expect(changes).toEqual([
    {
      before: {
        supportTransactionLimitMinor: null,
        supportDailyLimitMinor: null,
        supportMonthlyLimitMinor: null,
      },
      after: {
        supportTransactionLimitMinor: '50050',
        supportDailyLimitMinor: '100000',
        supportMonthlyLimitMinor: null,
      },
    },
  ]);
});
