import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { retireKeys, rotateKeys } from '../../../src/vault/rotate-keys.ts';
import { removedEndpoints } from '../../../src/webhooks/manage-endpoints.ts';
import { recordOutcomes } from '../../../src/webhooks/record-outcomes.ts';
import { createCard } from '../../support/cards/cards.ts';
import { dueIn, hurry, runToEnd } from '../../support/server/jobs.ts';
import { appForTests, type TestApp } from '../../support/server/test-app.ts';
import { type Received, type Receiver, startReceiver } from '../../support/webhooks/webhook-receiver.ts';
import {
  addEndpoint,
  deliver,
  ENDPOINTS,
  EVENTS,
  eventById,
  makeDue,
  verifies,
  withoutDeliveries,
} from '../../support/webhooks/webhooks.ts';

/** What one worker has under way at one endpoint at most. */
const CONCURRENCY = 32;
const BACKLOG = 300;

const server = appForTests();
let app: TestApp;
let worker: { stop: () => Promise<void> };
let hooks: Receiver;
/** The answers that the receiver owes, in the order of the requests. */
let owed: ServerResponse[];
let answerAtOnce: number | undefined;
beforeEach(async () => {
  app = await withoutDeliveries(server);
  worker = deliver(app);
  owed = [];
  answerAtOnce = undefined;
  hooks = await startReceiver((_got, response) => {
    if (answerAtOnce === undefined) owed.push(response);
    else response.writeHead(answerAtOnce).end();
  });
});
afterEach(async () => {
  await worker.stop();
  await hooks.close();
});

function answer(status: number): void {
  for (const response of owed.splice(0)) response.writeHead(status).end();
}

const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 10 });

interface Row {
  status: string;
  attempts: number;
  due: boolean;
}
const deliveries = (where = ''): Promise<Row[]> =>
  app.sql<Row>(`select status, attempts, due_at is not null as due from webhook_deliveries ${where}`);
const attemptsKept = async () => (await app.sql('select from webhook_attempts')).length;
const statusOf = async (id: string) => (await app.call('GET', `${ENDPOINTS}${id}/`)).body.status;

/** One event of each card. */
const cards = (count: number) => Promise.all(Array.from({ length: count }, () => createCard(app)));

/** As many events as cannot all be under way at once. */
const fillBacklog = (endpointId: string) =>
  app.sql(
    `with event as (
       insert into events (program_id, id, event_type, event_name, data, created_at)
       select $1, gen_random_uuid(), 'card', 'card.frozen', '{}', now() from generate_series(1, $3::int) returning id)
     insert into webhook_deliveries (program_id, endpoint_id, event_id, status, due_at)
     select $1, $2, id, 'PENDING', now() from event`,
    [app.program.id, endpointId, BACKLOG],
  );

describe('with a backlog, an endpoint', () => {
  test('that responds 410 gets nothing more immediately, and pending deliveries wait until it is enabled', async () => {
    const { id } = await addEndpoint(app, hooks.url);
    await fillBacklog(id);
    await hooks.until(CONCURRENCY);
    answer(410);
    answerAtOnce = 410;
    await eventually(async () => expect(await statusOf(id)).toBe('DISABLED'));
    await eventually(async () => expect(await attemptsKept()).toBe(hooks.received.length));
    expect(hooks.received).toHaveLength(CONCURRENCY);
    await makeDue(app);
    expect(await deliveries("where status = 'PENDING' and due_at is not null")).toHaveLength(BACKLOG);
    answerAtOnce = 200;
    await app.call('POST', `${ENDPOINTS}${id}/enable/`);
    await eventually(async () =>
      expect(await deliveries("where status = 'DELIVERED'")).toHaveLength(BACKLOG),
    );
    expect(hooks.received).toHaveLength(CONCURRENCY + BACKLOG);
  });

  test('that is removed gets only the requests in progress, and their deliveries are recorded', async () => {
    const { id } = await addEndpoint(app, hooks.url);
    await fillBacklog(id);
    await hooks.until(CONCURRENCY);
    await app.call('DELETE', `${ENDPOINTS}${id}/`);
    expect(await deliveries("where status = 'FAILED' and due_at is null")).toHaveLength(BACKLOG);
    const other = await startReceiver();
    await addEndpoint(app, other.url);
    await createCard(app);
    // By then the worker has looked again, and seen that the first is gone.
    await other.until(1);
    answer(200);
    await eventually(async () =>
      expect(await deliveries(`where endpoint_id = '${id}' and status = 'DELIVERED'`)).toHaveLength(
        CONCURRENCY,
      ),
    );
    expect(hooks.received).toHaveLength(CONCURRENCY);
    await other.close();
  });

  test('whose secret is rotated gets the remaining deliveries signed with both', async () => {
    const { id, secret: first } = await addEndpoint(app, hooks.url);
    await fillBacklog(id);
    await hooks.until(CONCURRENCY);
    const { body } = await app.call('POST', `${ENDPOINTS}${id}/rotate-secret/`);
    const other = await startReceiver();
    await addEndpoint(app, other.url);
    await createCard(app);
    await other.until(1);
    answerAtOnce = 200;
    answer(200);
    await hooks.until(BACKLOG + 1);
    const later = hooks.received.slice(CONCURRENCY);
    expect(later.filter((got) => !verifies(got, body.secret))).toEqual([]);
    expect(later.filter((got) => !verifies(got, first))).toEqual([]);
    await other.close();
  });
});

describe('concurrent attempts', () => {
  test('a resend during an attempt is sent, for any outcome of that attempt', async () => {
    await addEndpoint(app, hooks.url);
    await createCard(app);
    await hooks.until(1);
    const eventId = hooks.received[0]?.body.eventId;
    await app.call('POST', `${EVENTS}${eventId}/resend/`);
    await hooks.until(2);
    // The older one comes to nothing, after the younger one arrived.
    owed[1]?.end();
    await eventually(async () =>
      expect(await deliveries()).toEqual([{ status: 'DELIVERED', attempts: 1, due: false }]),
    );
    owed[0]?.writeHead(500).end();
    await eventually(async () => expect(await attemptsKept()).toBe(2));
    expect(await deliveries()).toEqual([{ status: 'DELIVERED', attempts: 1, due: false }]);
    const [delivery] = (await eventById(app, eventId)).deliveries;
    expect(delivery.attempts.map(({ statusCode }: { statusCode: number }) => statusCode).sort()).toEqual([
      200, 500,
    ]);
  });

  test('a worker that stops releases its claims, once', async () => {
    await addEndpoint(app, hooks.url);
    await cards(3);
    await hooks.until(3);
    for (const { body } of hooks.received) await app.call('POST', `${EVENTS}${body.eventId}/resend/`);
    await hooks.until(6);
    await worker.stop();
    expect(await deliveries()).toEqual(Array(3).fill({ status: 'PENDING', attempts: 0, due: true }));
    expect(await attemptsKept()).toBe(0);
    answerAtOnce = 500;
    worker = deliver(app);
    await eventually(async () => expect(await attemptsKept()).toBe(3));
    expect(await deliveries()).toEqual(Array(3).fill({ status: 'PENDING', attempts: 1, due: true }));
  });
});

describe('an endpoint is disabled', () => {
  test('not at its first failure after it was enabled again', async () => {
    answerAtOnce = 500;
    const { id } = await addEndpoint(app, hooks.url);
    await createCard(app);
    await eventually(async () => expect(await attemptsKept()).toBe(1));
    await app.sql("update webhook_endpoints set failing_since = now() - interval '121 hours'");
    await makeDue(app);
    await eventually(async () => expect(await statusOf(id)).toBe('DISABLED'));
    await app.call('POST', `${ENDPOINTS}${id}/enable/`);
    await makeDue(app);
    await eventually(async () => expect(await attemptsKept()).toBe(3));
    expect(await statusOf(id)).toBe('ENABLED');
  });

  test('not for an old failure without attempts since', async () => {
    answerAtOnce = 500;
    const { id } = await addEndpoint(app, hooks.url);
    await createCard(app);
    await eventually(async () => expect(await attemptsKept()).toBe(1));
    await app.sql(
      "update webhook_endpoints set failing_since = now() - interval '9 days', failed_at = now() - interval '6 days'",
    );
    await makeDue(app);
    await eventually(async () => expect(await attemptsKept()).toBe(2));
    expect(await statusOf(id)).toBe('ENABLED');
  });

  test('by a 410 that is recorded together with a success', async () => {
    const { id: endpointId } = await addEndpoint(app, hooks.url);
    await cards(2);
    await hooks.until(2);
    const outcome = (index: number, statusCode: number) => {
      const eventId = hooks.received[index]?.body.eventId;
      const status = statusCode === 200 ? ('DELIVERED' as const) : ('PENDING' as const);
      const answered = { statusCode, error: null, answerStart: '', durationMs: 1, createdAt: new Date() };
      return {
        attempt: { id: eventId, eventId, endpointId, ...answered },
        delivery: { eventId, endpointId, claimedUntil: 'infinity', status, dueInMs: null },
        gone: statusCode === 410,
        unsent: false,
      };
    };
    const disabled = await recordOutcomes(app.db, app.program.id, [outcome(0, 200), outcome(1, 410)]);
    expect(disabled.map(({ id }) => id)).toEqual([endpointId]);
    expect(await statusOf(endpointId)).toBe('DISABLED');
  });
});

test('an endpoint that is resumed gets what has waited for hours at once', async () => {
  answerAtOnce = 200;
  const { id } = await addEndpoint(app, hooks.url);
  const set = (paused: boolean) =>
    app.call('PUT', `${ENDPOINTS}${id}/`, { body: { url: hooks.url, eventTypes: null, paused } });
  await set(true);
  await createCard(app);
  await app.sql(`update webhook_deliveries set due_at = now() - interval '5 hours' where due_at is not null`);
  const looks: number[] = [];
  await worker.stop();
  worker = deliver(app, { onLook: (_, due) => looks.push(due), onTurn: () => {} });
  // It has seen that there is nothing to deliver, and looks only for what becomes due from now on.
  await vi.waitFor(() => expect(looks.length).toBeGreaterThan(2), { timeout: 10_000 });
  await set(false);
  await vi.waitFor(() => expect(hooks.received).toHaveLength(1), { timeout: 10_000 });
});

test('deliveries written while their endpoint is removed are dropped', async () => {
  answerAtOnce = 200;
  const { id } = await addEndpoint(app, hooks.url);
  await runToEnd(removedEndpoints(app.db));
  await app.call('DELETE', `${ENDPOINTS}${id}/`);
  await fillBacklog(id);
  expect(await dueIn(app, 'removed-endpoints')).toBeLessThan(120_000);
  await hurry(app, 'removed-endpoints', 120_000);
  await runToEnd(removedEndpoints(app.db));
  expect(await deliveries("where status = 'FAILED' and due_at is null")).toHaveLength(BACKLOG);
  expect(hooks.received).toEqual([]);
});

describe('secrets in the vault', () => {
  test('survive the rotation of its keys', async () => {
    answerAtOnce = 200;
    const { secret } = await addEndpoint(app, hooks.url);
    await worker.stop();
    await rotateKeys(app.db, app.masters, 'personal-data');
    const { retiredKeyIds } = await retireKeys(app.db, app.masters, 'personal-data', { retireAfterMs: 0 });
    expect(retiredKeyIds).toHaveLength(1);
    worker = deliver(app);
    await createCard(app);
    await hooks.until(1);
    expect(verifies(hooks.received[0] as Received, secret)).toBe(true);
  });

  test('that cannot be decrypted stop only their own endpoint', async () => {
    answerAtOnce = 200;
    const broken = await addEndpoint(app, `${hooks.url}/broken`);
    await addEndpoint(app, hooks.url);
    await app.sql(
      `update vault_records set sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)
       where owner_id = (select secret_id from webhook_endpoints where id = $1)`,
      [broken.id],
    );
    await cards(3);
    await hooks.until(3);
    expect(new Set(hooks.received.map(({ path }) => path))).toEqual(new Set(['/hooks']));
    expect(await deliveries(`where endpoint_id = '${broken.id}' and status = 'PENDING'`)).toHaveLength(3);
  });
});
