import { afterAll, beforeAll, expect, test } from 'vitest';
import { expireHolds } from '../../src/authorizations/engine/expire-holds.ts';
import { credentialsOf, retrieve } from '../support/card-states.ts';
import { CARDS, createCard } from '../support/cards.ts';
import { advanceDays } from '../support/clock.ts';
import { sql } from '../support/database.ts';
import { purchase } from '../support/server-fleet.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

/** An authorization that comes days after a part of it has cleared: what it holds is let go, what it counts is uncounted. */
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const send = async (name: string, body: object) => {
  const path = `/api/v1/network/${name}/`;
  const { status, body: answer } = await app.call('POST', path, {
    body,
    networkKey: app.networkKey,
    key: null,
  });
  expect(status).toBe(200);
  return answer;
};

/** A card with a daily limit of 100.00 and a purchase of which 10.00 has cleared. */
async function clearedCard(name: string) {
  const { id } = await createCard(app, { spendLimit: 1_000 });
  await app.call('PUT', `${CARDS}${id}/spend-controls/`, { body: { dailyLimit: 100 } });
  const { cardNumber, cvv, expiryDate } = await credentialsOf(app, id);
  const credentials = { number: cardNumber, cvv, expiry: expiryDate.slice(0, 7) };
  const money = { amount: '10.00', currency: 'EUR', bill_amount: '10.00', bill_currency: 'EUR' };
  const ids = { external_transaction_id: name, clearing_id: `${name}-clearing` };
  await send('clearings', { ...ids, ...money, card_number: cardNumber, final: false });
  return {
    id,
    authorize: (other: string, amount: string) =>
      send('authorizations', purchase(other, credentials, amount)),
  };
}

test('what is given back of it no longer counts on the day it was approved', async () => {
  const card = await clearedCard('limit');
  await advanceDays(app, 1);
  expect(await card.authorize('limit', '100.00')).toMatchObject({ approved: true, status: 'PENDING' });
  expect(
    await send('reversals', { external_transaction_id: 'limit', reversal_id: 'limit-reversal' }),
  ).toMatchObject({
    bill_amount: '90.00',
  });
  expect(await card.authorize('same-day', '90.00')).toMatchObject({ approved: true });
});

test('its hold is released too, although the walk through old holds has long passed its purchase', async () => {
  const card = await clearedCard('hold');
  await advanceDays(app, 8);
  // The walk remembers how far it came only when the clock was not moved just now.
  await sql(app.databaseUrl, "update programs set clock_moved_at = clock_moved_at - interval '1 hour'");
  await expireHolds(app, app.program.id);
  await card.authorize('hold', '100.00');
  await advanceDays(app, 8);
  expect((await retrieve(app, card.id)).availableCredit).toBe(990);
});
