import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { recordEvent } from '../../../src/events/journal.ts';
import { CARDS, createCard } from '../../support/cards/cards.ts';
import { payingCard } from '../../support/cards/network.ts';
import { SOON } from '../../support/scripts/soon.ts';
import { appForTests, type TestApp } from '../../support/server/test-app.ts';
import { startRawReceiver } from '../../support/webhooks/receiver.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/webhook-receiver.ts';
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

const server = appForTests();
let app: TestApp;
let worker: { stop: () => Promise<void> };
const receivers: Array<Pick<Receiver, 'close'>> = [];
beforeEach(async () => {
  app = await withoutDeliveries(server);
  worker = deliver(app);
});
afterEach(async () => {
  await worker.stop();
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

async function receiver(...given: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...given);
  receivers.push(started);
  return started;
}

const freeze = (cardId: string, on: boolean) =>
  app.call('PUT', `${CARDS}${cardId}/freeze/`, { body: { freeze: on } });

describe('an event', () => {
  test('reaches every endpoint that subscribes to it, signed, with its card’s sequence number', async () => {
    const [all, cardsOnly, none] = [await receiver(), await receiver(), await receiver()];
    const { secret } = await addEndpoint(app, all.url);
    await addEndpoint(app, cardsOnly.url, ['card']);
    await addEndpoint(app, none.url, ['files']);
    const card = await payingCard(app, { spendLimit: 100 });
    const { transaction_id } = await card.authorize('10.00');
    await freeze(card.id, true);
    await all.until(3);
    await cardsOnly.until(2);
    const byName = new Map(all.received.map((got) => [got.body.eventName, got]));
    expect([...byName.keys()].sort()).toEqual(['authorization', 'card.created', 'card.frozen']);
    expect(byName.get('authorization')?.body).toEqual({
      eventType: 'transaction',
      eventName: 'authorization',
      eventId: byName.get('authorization')?.headers['webhook-id'],
      created: expect.stringMatching(/\+0000$/),
      data: expect.objectContaining({ transaction_id, sequence: 2 }),
    });
    expect(byName.get('card.frozen')?.body.data).toMatchObject({
      cardId: card.id,
      status: 'FROZEN',
      sequence: 3,
    });
    for (const got of all.received) {
      expect(verifies(got, secret)).toBe(true);
      expect(verifies({ ...got, text: `${got.text} ` }, secret)).toBe(false);
      expect(got.headers['content-type']).toBe('application/json');
    }
    expect(cardsOnly.received.map(({ body }) => body.eventType)).toEqual(['card', 'card']);
    expect(none.received).toEqual([]);
  });

  test('is sent only to endpoints of its own program', async () => {
    const [own, other] = [await receiver(), await receiver()];
    const neighbour = await app.addProgram();
    await addEndpoint(app, own.url);
    await addEndpoint(app, other.url, undefined, neighbour);
    await createCard(app);
    await own.until(1);
    await createCard(app, {}, neighbour.key);
    await other.until(1);
    expect([own.received.length, other.received.length]).toEqual([1, 1]);
  });

  test('is not sent if its change was rolled back', async () => {
    const hooks = await receiver();
    await addEndpoint(app, hooks.url);
    const failed = await app.call('POST', CARDS, { body: { cardType: 'virtual' } });
    expect(failed.status).toBe(400);
    await createCard(app);
    await hooks.until(1);
    expect(await app.sql('select from webhook_deliveries')).toHaveLength(1);
  });
});

test.each([
  ['is not HTTP', 'hello\r\n'],
  ['has interim responses without end', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10)],
])('an endpoint whose response %s gets nothing for 5 s, then every event', async (_what, text) => {
  const arrivedMs: number[] = [];
  const broken = await startRawReceiver((socket, count) => {
    socket.once('data', () => {
      arrivedMs.push(performance.now());
      socket.end(count === 1 ? text : 'HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n');
    });
  });
  receivers.push(broken);
  const other = await receiver();
  await addEndpoint(app, broken.url);
  await addEndpoint(app, other.url);
  await createCard(app);
  await vi.waitFor(() => expect(arrivedMs).toHaveLength(1), SOON);
  await createCard(app);
  await other.until(2);
  await vi.waitFor(() => expect(arrivedMs).toHaveLength(3), SOON);
  const [first = 0, second = 0] = arrivedMs;
  expect(second - first).toBeGreaterThanOrEqual(4_990);
});

describe('a failed delivery', () => {
  test('is retried with the same id, and every attempt is stored', async () => {
    let answers = [500, 302, 204];
    const hooks = await receiver((_got, response) => {
      const [status = 204, ...rest] = answers;
      answers = rest;
      response
        .writeHead(status, { location: 'http://127.0.0.1:1/' })
        .end(status === 204 ? '' : `no ${'x'.repeat(3000)}`);
    });
    const { id, secret } = await addEndpoint(app, hooks.url);
    await createCard(app);
    await hooks.until(1);
    const eventId = hooks.received[0]?.headers['webhook-id'] as string;
    for (const tries of [1, 2]) {
      await vi.waitFor(async () => {
        const [delivery] = (await eventById(app, eventId)).deliveries;
        expect([delivery.status, delivery.attempts.length]).toEqual(['PENDING', tries]);
      }, SOON);
      await makeDue(app);
      await hooks.until(tries + 1);
    }
    await vi.waitFor(async () => {
      const { deliveries, ...event } = await eventById(app, eventId);
      expect(deliveries).toEqual([
        {
          endpointId: id,
          url: hooks.url,
          status: 'DELIVERED',
          nextAttempt: null,
          attempts: [500, 302, 204].map((statusCode) => ({
            created: expect.any(String),
            statusCode,
            error: null,
            answerStart: statusCode === 204 ? '' : `no ${'x'.repeat(1021)}`,
            durationMs: expect.any(Number),
          })),
        },
      ]);
      expect(event).toEqual(hooks.received[0]?.body);
    }, SOON);
    expect(new Set(hooks.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(hooks.received.every((got) => verifies(got, secret))).toBe(true);
  });

  test('waits as long as Retry-After says', async () => {
    const hooks = await receiver((_got, response) =>
      response.writeHead(503, { 'retry-after': '3600' }).end(),
    );
    await addEndpoint(app, hooks.url);
    await createCard(app);
    await hooks.until(1);
    await vi.waitFor(async () => {
      const [row] = await app.sql(
        "select extract(epoch from due_at - now())::int as seconds from webhook_deliveries where due_at > now() + interval '5 min'",
      );
      expect((row as { seconds: number }).seconds).toBeGreaterThan(3_500);
    }, SOON);
  });

  test('ends after three days, and can be sent again', async () => {
    let status = 500;
    const hooks = await receiver((_got, response) => response.writeHead(status).end());
    await addEndpoint(app, hooks.url);
    await createCard(app);
    await hooks.until(1);
    const eventId = hooks.received[0]?.body.eventId;
    const statusOf = async () => (await eventById(app, eventId)).deliveries[0].status;
    await vi.waitFor(
      async () => expect((await eventById(app, eventId)).deliveries[0].attempts).toHaveLength(1),
      SOON,
    );
    await app.sql("update webhook_deliveries set first_attempt_at = now() - interval '73 hours'");
    await makeDue(app);
    await vi.waitFor(async () => expect(await statusOf()).toBe('FAILED'), SOON);
    status = 200;
    const answer = await app.call('POST', `${EVENTS}${eventId}/resend/`);
    expect([answer.status, answer.body]).toEqual([200, { message: 'Resending', deliveries: 1 }]);
    await vi.waitFor(async () => expect(await statusOf()).toBe('DELIVERED'), SOON);
    expect(new Set(hooks.received.map(({ body }) => body.eventId))).toEqual(new Set([eventId]));
  });
});

describe('an endpoint', () => {
  const statusOf = async (id: string) => {
    const { body } = await app.call('GET', `${ENDPOINTS}${id}/`);
    return [body.status, body.statusReason];
  };

  test('that is slow or does not respond delays no other', async () => {
    const stuck = await receiver(() => {});
    const live = await receiver();
    await addEndpoint(app, stuck.url);
    await addEndpoint(app, live.url);
    await Promise.all(Array.from({ length: 60 }, () => createCard(app)));
    await live.until(60);
    expect(stuck.received.length).toBeLessThanOrEqual(32);
  });

  test('that responds 410 is disabled, with the reason; once enabled, it gets the pending events', async () => {
    let status = 410;
    const hooks = await receiver((_got, response) => response.writeHead(status).end());
    const { id } = await addEndpoint(app, hooks.url);
    await createCard(app);
    await vi.waitFor(
      async () => expect(await statusOf(id)).toEqual(['DISABLED', 'responded 410 Gone']),
      SOON,
    );
    await createCard(app);
    status = 200;
    expect((await app.call('POST', `${ENDPOINTS}${id}/enable/`)).body.status).toBe('ENABLED');
    const { body } = await app.call('POST', `${EVENTS}resend/`, { body: { since: '2020-01-01T00:00:00Z' } });
    expect(body.deliveries).toBe(2);
    await makeDue(app);
    await vi.waitFor(async () => {
      const { results } = (await app.call('GET', EVENTS)).body;
      expect(
        results.map((event: { deliveries: Array<{ status: string }> }) => event.deliveries[0]?.status),
      ).toEqual(['DELIVERED', 'DELIVERED']);
    }, SOON);
    const actions = await app.sql(
      "select actor, action from audit_entries where program_id = $1 and action like 'webhook%' order by id",
      [app.program.id],
    );
    expect(actions.map((row) => (row as { action: string }).action)).toEqual([
      'webhook_endpoint.added',
      'webhook_endpoint.disabled',
      'webhook_endpoint.enabled',
    ]);
    expect(actions[1]).toMatchObject({ actor: 'system:webhooks' });
  });

  test('whose attempts fail for five days is disabled, and one success resets the count', async () => {
    let status = 500;
    const hooks = await receiver((_got, response) => response.writeHead(status).end());
    const { id } = await addEndpoint(app, hooks.url);
    const age = () =>
      app.sql(
        "update webhook_endpoints set failing_since = now() - interval '121 hours' where failing_since is not null",
      );
    const failing = async () =>
      (await app.sql('select from webhook_endpoints where failing_since is not null')).length;
    await createCard(app);
    await vi.waitFor(async () => expect(await failing()).toBe(1), SOON);
    await age();
    status = 200;
    await makeDue(app);
    await vi.waitFor(async () => expect(await failing()).toBe(0), SOON);
    expect(await statusOf(id)).toEqual(['ENABLED', null]);
    // An event that our side could not send is no failure of the endpoint: this report does not exist.
    await app.db.transaction(async (tx) =>
      recordEvent(tx, {
        ...{ programId: app.program.id, eventType: 'files', eventName: 'daily_file', nowMs: Date.now() },
        ...{ cardId: null, cardSequence: null, data: { reference_id: 'none' } },
      }),
    );
    const unsent = `select from webhook_attempts where error like 'no link%'`;
    await vi.waitFor(async () => expect(await app.sql(unsent)).toHaveLength(1), SOON);
    expect(await failing()).toBe(0);
    status = 500;
    await createCard(app);
    await vi.waitFor(async () => expect(await failing()).toBe(1), SOON);
    await age();
    await makeDue(app);
    await vi.waitFor(
      async () => expect(await statusOf(id)).toEqual(['DISABLED', 'nothing was delivered for 5 days']),
      SOON,
    );
  });
});

test('several workers deliver each event once', async () => {
  const hooks = await receiver();
  await addEndpoint(app, hooks.url);
  const others = [deliver(app), deliver(app)];
  // On a busy machine, more at once would wait too long for a connection.
  for (let round = 0; round < 5; round++)
    await Promise.all(Array.from({ length: 20 }, () => createCard(app)));
  await hooks.until(100);
  await Promise.all(others.map((other) => other.stop()));
  expect(new Set(hooks.received.map(({ body }) => body.eventId)).size).toBe(100);
  expect(hooks.received).toHaveLength(100);
});
