import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { notificationUpdates } from '../../../src/notifications/update-notifications.ts';
import { findersOf } from '../../../src/worker.ts';
import { type SignedIn, signInAs } from '../../support/console/operators.ts';
import { fund } from '../../support/server/fund.ts';
import { runToEnd } from '../../support/server/jobs.ts';
import { appForTests, type TestApp } from '../../support/server/test-app.ts';
import { addEndpoint } from '../../support/webhooks/webhooks.ts';

const shared = appForTests();
let app: TestApp;
let admin: SignedIn;
let isMasterKeyKept = true;
beforeAll(async () => {
  admin = await signInAs(shared, 'admin');
});
beforeEach(async () => {
  app = await shared.forNewProgram();
});

const update = () =>
  runToEnd(
    notificationUpdates({ db: app.db, finders: findersOf({ isMasterKeyKept: () => isMasterKeyKept }) }),
  );

interface Shown {
  id: string;
  kind: string;
  title: string;
  text: string;
  closed: string | null;
  isRead: boolean;
}
const bell = async (operator = admin): Promise<{ unread: number; notifications: Shown[] }> => {
  const { status, body } = await operator.call('GET', 'notifications/', undefined, app.program.id);
  expect([status, body.message]).toEqual([200, undefined]);
  return body;
};
const titles = async (operator = admin) =>
  (await bell(operator)).notifications.map(({ title, closed }) => `${title}${closed ? ' (over)' : ''}`);

/** An endpoint that has failed for longer than a hiccup. */
async function failingEndpoint(url = 'https://shop.example/secret-path'): Promise<string> {
  const { id } = await addEndpoint(app, url);
  await app.sql(
    `update webhook_endpoints set failing_since = now() - interval '6 minutes', failed_at = now() where id = $1`,
    [id],
  );
  return id;
}
const recover = (id: string) =>
  app.sql('update webhook_endpoints set failing_since = null where id = $1', [id]);

describe('a failing webhook endpoint', () => {
  test('opens one notification, which says so until the endpoint responds again', async () => {
    const id = await failingEndpoint();
    await update();
    await update();
    const { unread, notifications } = await bell();
    expect([unread, notifications]).toEqual([
      1,
      [
        {
          id: expect.any(String),
          kind: 'webhook_endpoint',
          link: `/console/programs/${app.program.id}/webhooks?endpoint=${id}&state=undelivered`,
          title: 'Webhook endpoint shop.example is failing',
          text: expect.stringMatching(/^No event was delivered for five minutes\./),
          opened: expect.any(String),
          closed: null,
          isRead: false,
        },
      ],
    ]);
    await app.sql(
      `update webhook_endpoints set status = 'DISABLED', status_reason = 'responded 410 Gone', failing_since = null
       where id = $1`,
      [id],
    );
    await update();
    expect((await bell()).notifications.map(({ title, text }) => [title, text])).toEqual([
      ['Webhook endpoint shop.example was disabled', expect.stringMatching(/^It responded 410 Gone\./)],
    ]);
    await app.sql(`update webhook_endpoints set status = 'ENABLED' where id = $1`, [id]);
    await update();
    expect(await titles()).toEqual(['Webhook endpoint shop.example was disabled (over)']);
  });

  test('that fails again within half an hour is the same notification, and later another', async () => {
    const id = await failingEndpoint();
    await update();
    await recover(id);
    await update();
    const fail = () =>
      app.sql(`update webhook_endpoints set failing_since = now() - interval '6 minutes' where id = $1`, [
        id,
      ]);
    await fail();
    await update();
    expect(await titles()).toEqual(['Webhook endpoint shop.example is failing']);
    await recover(id);
    await update();
    await app.sql(`update notifications set closed_at = closed_at - interval '31 minutes'`);
    await fail();
    await update();
    expect(await titles()).toEqual([
      'Webhook endpoint shop.example is failing',
      'Webhook endpoint shop.example is failing (over)',
    ]);
  });

  test('that failed just now, or was paused, opens none', async () => {
    const [id, paused] = [await failingEndpoint(), await failingEndpoint()];
    await app.sql(`update webhook_endpoints set failing_since = now() where id = $1`, [id]);
    await app.sql(`update webhook_endpoints set status = 'PAUSED' where id = $1`, [paused]);
    await update();
    expect(await titles()).toEqual([]);
  });
});

test('a failing decision endpoint, a low master account and a failed report open one each', async () => {
  const url = 'http://127.0.0.1:9/decide';
  await app.call('PUT', '/api/v1/merchant/decision-endpoints/otp/', { body: { url }, key: app.key });
  await app.sql(
    `update decision_endpoints set stand_in_reason = 'failing', last_failure = $2 where program_id = $1`,
    [
      app.program.id,
      { at: '2026-11-15T08:30:00Z', outcome: 'invalid', statusCode: 500, error: null, answerStart: 'Ada' },
    ],
  );
  await fund(app, 1_000n);
  const alert = await admin.call('PUT', 'merchant/account/alert/', { alertBelow: 5_000_000 }, app.program.id);
  expect(alert.status).toBe(200);
  await app.sql(
    `insert into reports (program_id, id, file_type, first_day, last_day, status, attempts, created_at)
     values ($1, gen_random_uuid(), 'daily', '2026-11-01', '2026-11-01', 'pending', 5, now())`,
    [app.program.id],
  );
  await update();
  const { notifications } = await bell();
  expect(Object.fromEntries(notifications.map(({ title, text }) => [title, text]))).toEqual({
    'Decision endpoint for one-time passwords is failing': expect.stringMatching(
      /^127\.0\.0\.1:9 failed five times in a row \(the last: response 500\)\./,
    ),
    'The master account is low': 'Less than €5,000,000.00 is available.',
    'A report cannot be generated': expect.stringMatching(/^The report "daily" up to 2026-11-01 failed/),
  });
  await app.sql(`update reports set status = 'ready' where program_id = $1`, [app.program.id]);
  await app.sql('delete from decision_endpoints where program_id = $1', [app.program.id]);
  await admin.call('PUT', 'merchant/account/alert/', { alertBelow: null }, app.program.id);
  await update();
  expect((await bell()).notifications.every(({ closed }) => closed !== null)).toBe(true);
});

describe('a spike of declines', () => {
  const hour = (ago: number, approved: number, declined: number) =>
    app.sql(
      `insert into hourly_totals (program_id, starts_at, approved, declined, spend_minor, reasons, merchants)
       values ($1, date_trunc('hour', now()) - $2 * interval '1 hour', $3, $4, 0, '{}', '[]')`,
      [app.program.id, ago, approved, declined],
    );

  test('is measured against the seven days before', async () => {
    await hour(50, 950, 50);
    await hour(0, 60, 40);
    await update();
    const [only] = (await bell()).notifications;
    expect([only?.title, only?.text]).toEqual([
      'Spike of declines',
      '40 of 100 purchases in one hour were declined (40%); 5% in the seven days before.',
    ]);
    await app.sql(`update hourly_totals set starts_at = starts_at - interval '3 hours' where declined = 40`);
    await update();
    expect(await titles()).toEqual(['Spike of declines (over)']);
  });

  test.each([
    ['few declines', [0, 0, 19]],
    ['a small share of many', [0, 900, 100]],
    ['as many as usual', [0, 70, 30]],
    ['an earlier hour', [3, 10, 90]],
  ] as Array<[string, [number, number, number]]>)('is not %s', async (_, now) => {
    await hour(60, 850, 150);
    await hour(...now);
    await update();
    expect(await titles()).toEqual([]);
  });

  test('is found in the time of a sandbox that is ahead', async () => {
    await app.call('POST', '/api/v1/sandbox/clock/', { body: { advance_seconds: 8 * 86_400 }, key: app.key });
    await hour(0, 0, 50);
    await update();
    expect(await titles()).toEqual([]);
    await hour(-8 * 24, 0, 50);
    await update();
    expect(await titles()).toEqual(['Spike of declines']);
  });
});

describe('who sees what', () => {
  test('each operator has read marks of their own', async () => {
    await failingEndpoint();
    await update();
    const viewer = await signInAs(shared, 'viewer');
    const { notifications } = await bell();
    const ids = [notifications[0]?.id, app.program.id, 'nonsense'];
    const { status, body } = await admin.call('PUT', 'notifications/read/', { ids }, app.program.id);
    expect([status, body.unread, body.notifications[0].isRead]).toEqual([200, 0, true]);
    expect((await bell()).unread).toBe(0);
    expect((await bell(viewer)).unread).toBe(1);
  });

  test('a program shows only its own; the installation’s are for administrators of all programs', async () => {
    await failingEndpoint();
    isMasterKeyKept = false;
    await update();
    const mine = 'Webhook endpoint shop.example is failing';
    const key = 'The file with the master key is missing or has changed';
    expect(await titles()).toEqual([mine, key]);
    expect(await titles(await signInAs(shared, 'manager'))).toEqual([mine]);
    expect(await titles(await signInAs(shared, 'admin', app.program.id))).toEqual([mine]);
    const ids = (await bell()).notifications.map(({ id }) => id);
    expect((await admin.call('PUT', 'notifications/read/', { ids }, app.program.id)).body.unread).toBe(0);
    isMasterKeyKept = true;
    await update();
    app = await shared.forNewProgram();
    expect(await titles()).toEqual([`${key} (over)`]);
  });
});
