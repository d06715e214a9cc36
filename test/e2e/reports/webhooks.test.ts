import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCard } from '../../support/cards/cards.ts';
import { swipe } from '../../support/cards/swipe.ts';
import { makeReports, requestReport } from '../../support/reports/reports.ts';
import { SOON } from '../../support/scripts/soon.ts';
import { setClock } from '../../support/server/clock.ts';
import { appForTests, type TestApp } from '../../support/server/test-app.ts';
import { type Received, type Receiver, startReceiver } from '../../support/webhooks/webhook-receiver.ts';
import {
  addEndpoint,
  deliver,
  eventById,
  makeDue,
  withoutDeliveries,
} from '../../support/webhooks/webhooks.ts';

const server = appForTests();
let app: TestApp;
let receiver: Receiver;
let worker: { stop: () => Promise<void> };
let status = 200;
beforeEach(async () => {
  app = await withoutDeliveries(server);
  receiver = await startReceiver((_got, response) => response.writeHead(status).end());
  worker = deliver(app);
  await addEndpoint(app, receiver.url, ['files']);
  await setClock(app, '2030-03-10T08:00:00Z');
  await swipe(app, (await createCard(app)).id, '10.00');
  await setClock(app, '2030-03-12T00:00:00Z');
});
afterEach(async () => {
  status = 200;
  await worker.stop();
  await receiver.close();
});

/** The link as a receiver would open it: the public address is that of the test app. */
const download = (link: string) => fetch(link.replace('http://emboss.test', app.url));

test('a webhook has a report’s link, which works for any program time', async () => {
  const reference = await requestReport(app, 'daily', '2030-03-10');
  await makeReports(app);
  const [got] = (await receiver.until(1)) as [Received];
  expect(got.body).toEqual({
    eventType: 'files',
    eventName: 'daily_file',
    eventId: got.headers['webhook-id'],
    created: expect.stringMatching(/^2030-03-12T/),
    data: { reference_id: reference, link: expect.any(String), expireAt: expect.any(Number) },
  });
  const { link, expireAt } = got.body.data;
  const leftSeconds = expireAt - Date.now() / 1000;
  expect([leftSeconds > 240, leftSeconds <= 300]).toEqual([true, true]);
  const file = await download(link);
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(await file.text()).toMatch(/^event_time,event,.*\r\n2030-03-10T/);
  expect((await download(link.replace('2030-03-10', '2030-03-11'))).status).toBe(403);
});

test('each delivery attempt has a new link, and no link is stored', async () => {
  status = 500;
  await requestReport(app, 'daily', '2030-03-10');
  await makeReports(app);
  const [first] = (await receiver.until(1)) as [Received];
  const { eventId } = first.body;
  await vi.waitFor(
    async () => expect((await eventById(app, eventId)).deliveries[0].attempts).toHaveLength(1),
    SOON,
  );
  // Links name the second in which they were made.
  await vi.waitFor(() => expect(Date.now() / 1000).toBeGreaterThan(first.body.data.expireAt - 299), 3_000);
  status = 200;
  await makeDue(app);
  const [, second] = (await receiver.until(2)) as [Received, Received];
  expect(second.body.eventId).toBe(eventId);
  expect(second.body.data.expireAt).toBeGreaterThan(first.body.data.expireAt);
  expect((await download(second.body.data.link)).status).toBe(200);
  const kept = JSON.stringify(
    await app.sql('select data from events union all select to_jsonb(a) from webhook_attempts a'),
  );
  expect(kept).not.toContain('signature');
});
