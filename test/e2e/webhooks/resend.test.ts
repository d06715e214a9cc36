import { beforeEach, describe, expect, test } from 'vitest';
import { lowestIdAt } from '../../../src/kernel/ids.ts';
import { resendMissed } from '../../../src/webhooks/resend-events.ts';
import { CARDS, createCard } from '../../support/cards/cards.ts';
import { appForTests, type TestApp } from '../../support/server/test-app.ts';
import { addEndpoint, ENDPOINTS, EVENTS } from '../../support/webhooks/webhooks.ts';

const NOWHERE = 'http://127.0.0.1:9/';
const LONG_AGO = '2020-01-01T00:00:00Z';
const NO_MOMENT =
  'since: must be a timestamp with an offset, such as 2026-12-01T00:00:00Z, or `next` from a previous response';
/** More than two pages of the walk. */
const MANY = 4_500;

/** No worker runs: what is started stays pending. */
const app = appForTests();
let owner: Awaited<ReturnType<TestApp['addProgram']>>;
beforeEach(async () => {
  owner = await app.addProgram();
});

const call = (method: string, path: string, body?: unknown) =>
  app.call(method, path, { key: owner.key, ...(body !== undefined && { body }) });
const add = (eventTypes?: string[]) => addEndpoint(app, NOWHERE, eventTypes, owner);
const create = () => createCard(app, {}, owner.key);
const settle = (status: 'DELIVERED' | 'FAILED') =>
  app.sql(
    `update webhook_deliveries set status = $2, due_at = null, attempts = 9
     where program_id = $1 and status = 'PENDING'`,
    [owner.program.id, status],
  );

const disable = (id: string) =>
  app.sql("update webhook_endpoints set status = 'DISABLED' where id = $1", [id]);
const enable = (id: string) => call('POST', `${ENDPOINTS}${id}/enable/`);
const resendAll = async (body: Record<string, unknown>) =>
  (await call('POST', `${EVENTS}resend/`, { since: LONG_AGO, ...body })).body;
const newestEvent = async (): Promise<string> => (await call('GET', EVENTS)).body.results[0].eventId;
const pending = async (): Promise<string[]> => {
  const rows = await app.sql<{ id: string }>(
    `select endpoint_id as id from webhook_deliveries
     where program_id = $1 and status = 'PENDING' and attempts = 0 order by endpoint_id`,
    [owner.program.id],
  );
  return rows.map(({ id }) => id);
};

/** Events of one moment, more than a page of them, and what became of each: 'FAILED' for every n-th. */
const fill = (endpointId: string, failedEvery: number) =>
  app.sql(
    `with event as (
       insert into events (program_id, id, event_type, event_name, data, created_at)
       select $1, (substr($3, 1, 24) || lpad(to_hex(n), 12, '0'))::uuid, 'card', 'card.frozen', '{}', now()
       from generate_series(1, $4::int) n returning id, ('x' || right(id::text, 8))::bit(32)::int as n)
     insert into webhook_deliveries (program_id, endpoint_id, event_id, status)
     select $1, $2, id, case when n % $5 = 0 then 'FAILED' else 'DELIVERED' end from event`,
    [owner.program.id, endpointId, lowestIdAt(Date.now()), MANY, failedEvery],
  );

describe('a resent event', () => {
  test('is sent to the endpoints that subscribe to its type, or to the one that is named', async () => {
    const files = await add(['files']);
    const cards = await add(['card', 'files']);
    const all = await add();
    await create();
    await settle('FAILED');
    const path = `${EVENTS}${await newestEvent()}/resend/`;
    expect((await call('POST', path)).body).toEqual({ message: 'Resending', deliveries: 2 });
    expect(await pending()).toEqual([cards.id, all.id]);
    expect((await call('POST', `${path}?endpointId=${files.id}`)).body.deliveries).toBe(1);
    expect(await pending()).toEqual([files.id, cards.id, all.id]);
  });
});

describe('missed events', () => {
  test('are those that failed or happened while an endpoint was disabled, of the types it subscribes to', async () => {
    const [all, files] = [await add(), await add(['files'])];
    const card = await create();
    await settle('DELIVERED');
    await call('PUT', `${CARDS}${card.id}/freeze/`, { freeze: true });
    await settle('FAILED');
    await disable(all.id);
    await call('PUT', `${CARDS}${card.id}/freeze/`, { freeze: false });
    expect(await resendAll({})).toEqual({ message: 'Nothing to resend', deliveries: 0, next: null });
    await enable(all.id);
    expect(await resendAll({ endpointId: files.id })).toMatchObject({ deliveries: 0 });
    expect(await resendAll({})).toEqual({ message: 'Resending', deliveries: 2, next: null });
    expect(await pending()).toEqual([all.id, all.id]);
    expect(await resendAll({})).toMatchObject({ deliveries: 0 });
  });

  test('include what waits for a retry, once; also for a paused endpoint; without `since` all of them', async () => {
    const { id } = await add();
    await create();
    await create();
    expect((await call('POST', `${EVENTS}resend/`, {})).body.deliveries).toBe(0);
    await app.sql(
      "update webhook_deliveries set attempts = 3, due_at = now() + interval '8 hours' where program_id = $1",
      [owner.program.id],
    );
    expect(await pending()).toEqual([]);
    const wanted = { url: NOWHERE, eventTypes: null, paused: true };
    expect((await call('PUT', `${ENDPOINTS}${id}/`, wanted)).status).toBe(200);
    expect((await call('POST', `${EVENTS}resend/`, {})).body.deliveries).toBe(2);
    expect(await pending()).toEqual([id, id]);
    expect((await call('POST', `${EVENTS}resend/`, { endpointId: id })).body.deliveries).toBe(0);
    // What the endpoint should have got stays owed to it after it unsubscribes from the type.
    await settle('FAILED');
    expect((await call('PUT', `${ENDPOINTS}${id}/`, { ...wanted, eventTypes: ['files'] })).status).toBe(200);
    await create();
    expect((await call('POST', `${EVENTS}resend/`, {})).body.deliveries).toBe(2);
  });

  test('are none from before the endpoint', async () => {
    await create();
    const late = await add();
    await disable(late.id);
    await create();
    await enable(late.id);
    expect(await resendAll({ endpointId: late.id })).toMatchObject({ deliveries: 1 });
    const [row] = await app.sql<{ id: string }>(
      'select event_id as id from webhook_deliveries where program_id = $1',
      [owner.program.id],
    );
    expect(row?.id).toBe(await newestEvent());
  });

  test('are found by program time, also if its clock is ahead', async () => {
    const { id } = await add();
    await disable(id);
    await create();
    const clock = await call('POST', '/api/v1/sandbox/clock/', { advance_seconds: 864_000 });
    await create();
    await enable(id);
    expect(await resendAll({ since: clock.body.now.replace('+0000', 'Z') })).toMatchObject({ deliveries: 1 });
    expect(await resendAll({})).toMatchObject({ deliveries: 1 });
    expect(await pending()).toHaveLength(2);
    // An endpoint is as old as the events by program time: it missed none of these.
    const late = await add();
    expect(await resendAll({ endpointId: late.id })).toMatchObject({ deliveries: 0 });
  });

  test('are found however far apart they are', async () => {
    const { id } = await add();
    await fill(id, MANY / 3);
    expect(await resendAll({})).toEqual({ message: 'Resending', deliveries: 3, next: null });
  });

  test('are resent page by page if time is short, and `next` leads to the rest', async () => {
    const { id } = await add();
    await fill(id, 1);
    const first = await resendMissed(app.db, owner.program.id, lowestIdAt(0), undefined, performance.now());
    expect([first.deliveries, await pending()]).toEqual([2_000, expect.objectContaining({ length: 2_000 })]);
    expect(await resendAll({ since: first.next })).toMatchObject({ deliveries: 2_500, next: null });
    expect(await pending()).toHaveLength(MANY);
  });

  test('are resent once by concurrent requests', async () => {
    const { id } = await add();
    await fill(id, 2);
    const answers = await Promise.all([{}, { endpointId: id }, {}, {}].map(resendAll));
    expect(answers.map(({ next }) => next)).toEqual([null, null, null, null]);
    expect(answers.reduce((sum, { deliveries }) => sum + deliveries, 0)).toBe(MANY / 2);
    expect(await pending()).toHaveLength(MANY / 2);
  });

  test.each([
    [{ since: 'yesterday' }, NO_MOMENT],
    [{ since: '2026-12-01' }, NO_MOMENT],
    [{ since: 5 }, 'since: must be a string'],
    [{ endpointId: 'x' }, 'endpointId: is not a webhook endpoint in this program'],
  ])('%j is refused', async (body, message) => {
    expect(await resendAll(body)).toEqual({ code: 400, status: 'failed', message });
  });
});
