import { expect, test } from 'vitest';
import { DECLINES } from '../../../src/authorizations/core/decline.ts';
import { updateHourlyTotals } from '../../../src/authorizations/totals/update-hourly-totals.ts';
import { createCard } from '../../support/cards/cards.ts';
import { fund, type Owner, ownProgram } from '../../support/cards/network.ts';
import { follow, swipe } from '../../support/cards/swipe.ts';
import { consoleForTests } from '../../support/console/console.ts';
import { setClock } from '../../support/server/clock.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
const desk = consoleForTests(app);

interface Slice {
  start: string;
  approved: number;
  declined: number;
  spend: string;
}
const overview = async ({ key }: Owner, window = '24h') => {
  const { status, body } = await desk.get(`overview/?window=${window}`, key);
  expect([status, body.message]).toEqual([200, undefined]);
  return body;
};
const busy = (slices: Slice[]) => slices.filter(({ approved, declined }) => approved + declined > 0);
const at = (shop: string) => ({ merchant: { id: shop, name: shop, mcc: '5814', city: 'X', country: 'GB' } });

test('a program without transactions has an empty chart', async () => {
  const owner = await ownProgram(app);
  await setClock(app, '2030-05-15T12:34:56Z', owner.key);
  for (const [window, length, seconds, start] of [
    ['24h', 24, 3_600, '2030-05-14T13:00:00+0000'],
    ['7d', 168, 3_600, '2030-05-08T13:00:00+0000'],
    ['30d', 120, 21_600, '2030-04-15T18:00:00+0000'],
  ] as const) {
    const body = await overview(owner, window);
    expect(body.slices).toHaveLength(length);
    expect(body.slices[0]).toEqual({ start, approved: 0, declined: 0, spend: '0.00' });
    expect(body.slices.at(-1).start < body.now).toBe(true);
    expect(body).toMatchObject({
      window,
      currency: 'EUR',
      sliceSeconds: seconds,
      totals: { approved: 0, declined: 0, spend: '0.00', cards: 0 },
      previous: { approved: 0, declined: 0, spend: '0.00' },
      declineReasons: [],
      topMerchants: [],
      balance: '0.00',
      held: '0.00',
      available: '0.00',
      complete: true,
    });
  }
  await updateHourlyTotals(app.db, owner.program.id);
  expect(
    await app.sql("select from cursors where program_id = $1 and name = 'transaction-totals'", [
      owner.program.id,
    ]),
  ).toEqual([]);
});

test('decisions are shown immediately, and the result is the same after they are added to the hourly totals', async () => {
  const owner = await ownProgram(app);
  const { key, program } = owner;
  await fund(app, owner, 100_000n);
  await setClock(app, '2030-05-15T12:02:00Z', key);
  const card = await createCard(app, { spendLimit: 100 }, key);
  const pay = (amount: string, shop: string) => swipe(app, card.id, amount, at(shop), key);
  const cleared = await pay('10.00', 'Bakery');
  await follow(app, 'clearings', { transaction_id: cleared.transaction_id, amount: '12.00' }, key);
  await follow(app, 'refunds', { transaction_id: cleared.transaction_id, amount: '5.00' }, key);
  await pay('20.50', 'Garage');
  await setClock(app, '2030-05-15T12:07:00Z', key);
  const reversed = await pay('1.00', 'Bakery');
  await follow(app, 'reversals', { transaction_id: reversed.transaction_id }, key);
  await pay('500.00', 'Jeweller');
  await pay('501.00', 'Jeweller');
  await app.call('PUT', `/api/v1/merchant/cards/${card.id}/freeze/`, { body: { freeze: true }, key });
  await pay('2.00', 'Bakery');
  await setClock(app, '2030-05-15T12:31:00Z', key);
  const live = await overview(owner);
  expect(busy(live.slices)).toEqual([
    { start: '2030-05-15T12:00:00+0000', approved: 3, declined: 3, spend: '31.50' },
  ]);
  expect(live.totals).toEqual({ approved: 3, declined: 3, spend: '31.50', cards: 1 });
  expect(live.declineReasons).toEqual([
    { reason: 'insufficient_funds', meaning: DECLINES.insufficient_funds.meaning, count: 2 },
    { reason: 'card_frozen', meaning: DECLINES.card_frozen.meaning, count: 1 },
  ]);
  expect(live.topMerchants).toEqual([
    { name: 'Garage', count: 1, spend: '20.50' },
    { name: 'Bakery', count: 2, spend: '11.00' },
  ]);
  // 1000 less what is held (20.50) and what cleared (12.00), and 5.00 that came back.
  expect([live.available, live.held, live.complete]).toEqual(['972.50', '20.50', true]);
  await updateHourlyTotals(app.db, program.id);
  const counted = await app.sql(
    `select to_char(starts_at at time zone 'utc', 'HH24:MI') as start, approved::int, declined::int from hourly_totals
     where program_id = $1`,
    [program.id],
  );
  expect(counted).toEqual([{ start: '12:00', approved: 3, declined: 3 }]);
  const same = ({ now: _now, ...rest }: Record<string, unknown>) => rest;
  expect(same(await overview(owner))).toEqual(same(live));

  await setClock(app, '2030-05-17T13:06:00Z', key);
  expect(await overview(owner)).toMatchObject({
    totals: { approved: 0, declined: 0 },
    previous: { approved: 0, declined: 0, spend: '0.00' },
  });
  expect((await overview(owner, '7d')).totals).toMatchObject({ approved: 3, spend: '31.50' });
  expect(busy((await overview(owner, '7d')).slices).map(({ start }) => start)).toEqual([
    '2030-05-15T12:00:00+0000',
  ]);
  expect(busy((await overview(owner, '30d')).slices).map(({ start }) => start)).toEqual([
    '2030-05-15T12:00:00+0000',
  ]);
  const sums = { approved: 3, declined: 3, spend: '31.50' };
  await setClock(app, '2030-05-22T13:05:00Z', key);
  const later = await overview(owner);
  // The window began at 14:00 of the day before; the same hours a week earlier are compared. The program was new then.
  expect(later.totals).toMatchObject({ approved: 0, declined: 0 });
  expect([later.previous, later.comparable]).toEqual([sums, false]);
  expect([later.days.length, later.days.at(-1).start]).toEqual([30, '2030-05-21T00:00:00+0000']);
  expect(busy(later.days)).toEqual([{ start: '2030-05-15T00:00:00+0000', ...sums }]);
  await setClock(app, '2030-05-29T13:05:00Z', key);
  expect((await overview(owner)).comparable).toBe(true);
  // The default leads back to the last days with data.
  const { body } = await desk.get('overview/', key);
  expect(body).toMatchObject({ window: '7d', until: '2030-05-15T12:07:00+0000', totals: sums });
  expect([body.now, body.slices.at(-1)]).toEqual(['2030-05-29T13:05:00+0000', live.slices.at(-1)]);
  await pay('3.00', 'Bakery');
  const { until, now } = (await desk.get('overview/', key)).body;
  expect(until).toBe(now);
});

test('an invalid window is refused; the default is a week', async () => {
  const { status, body } = await desk.get('overview/?window=1y');
  expect([status, body.message]).toEqual([400, 'window: must be one of 24h, 7d, 30d']);
  expect((await desk.get('overview/')).body.window).toBe('7d');
});
