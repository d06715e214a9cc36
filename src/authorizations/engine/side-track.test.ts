import pg from 'pg';
import { describe, expect, test } from 'vitest';
import {
  authorizationOf,
  clearingOf,
  type NetworkPath,
  networkApp,
  ownProgram,
  type PayingCard,
  payingCard,
  reversalOf,
  send,
} from '../../../test/support/cards/network.ts';

const app = networkApp();

/** Locks a card in another transaction until `end` is called. */
async function keep(card: PayingCard): Promise<{ end: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select from card_counters where program_id = $1 and card_id = $2 for update', [
    card.owner.program.id,
    card.id,
  ]);
  return { end: () => client.end() };
}

interface Timed {
  status: number;
  body: Record<string, unknown>;
  afterMs: number;
}

/** Sends a message and measures the time. */
async function timed(
  path: NetworkPath,
  body: object,
  owner = app as Parameters<typeof send>[3],
): Promise<Timed> {
  const startMs = performance.now();
  const answer = await send(app, path, body, owner);
  return { status: answer.status, body: answer.body, afterMs: performance.now() - startMs };
}

const slowest = (answers: readonly Timed[]): number => Math.max(...answers.map(({ afterMs }) => afterMs));
const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

/**
 * The longest waits: for messages on other cards, one batch that did not know of the lock; for the locked card's own
 * messages, until they are refused.
 */
const PATIENCE_MS = { neighbour: 2_000, card: 5_000 };

describe('a card that another transaction holds locked', () => {
  test('delays only its own messages; they are refused in time, and succeed with the same ids once the lock is released', async () => {
    const [kept, ...others] = (await Promise.all(times(9, () => payingCard(app)))) as [
      PayingCard,
      ...PayingCard[],
    ];
    const cleared = await kept.hold('10.00');
    const reversed = await kept.hold('20.00');
    const own: Array<[NetworkPath, object]> = [
      ['clearings', clearingOf(kept, cleared, '10.00')],
      ['reversals', reversalOf(reversed)],
      // More messages than the side track runs concurrently, and later some that arrive when the lock is known.
      ...times(40, (): [NetworkPath, object] => ['authorizations', authorizationOf(kept, '1.00')]),
    ];
    const [atOnce, later] = [own.slice(0, 32), own.slice(32)];
    const served: Timed[] = [];
    const lock = await keep(kept);
    const waiting = atOnce.map(([path, body]) => timed(path, body));
    let over = false;
    void Promise.all(waiting).finally(() => (over = true));
    let rounds = 0;
    while (!over) {
      const late = later[rounds++];
      if (late) waiting.push(timed(...late));
      const round = others.map((card) => timed('authorizations', authorizationOf(card, '0.01')));
      served.push(...(await Promise.all(round)));
    }
    const refused = await Promise.all(waiting.slice(0, atOnce.length));
    await lock.end();
    expect(served.filter(({ status, body }) => status !== 200 || body['approved'] !== true)).toEqual([]);
    expect(slowest(served)).toBeLessThan(PATIENCE_MS.neighbour);
    // Other cards were served all the time: if each batch waited one second for the lock, there would be five rounds.
    expect(rounds).toBeGreaterThan(5);
    expect(refused.map(({ status }) => status)).toEqual(atOnce.map(() => 503));
    expect(slowest(await Promise.all(waiting))).toBeLessThan(PATIENCE_MS.card);
    const after = await Promise.all(own.map(([path, body]) => timed(path, body)));
    expect(after.map(({ status }) => status)).toEqual(own.map(() => 200));
    expect(after.map(({ body }) => body['status'])).toEqual([
      'CLEARED',
      'VOID',
      ...Array(40).fill('PENDING'),
    ]);
    expect(await kept.transactions()).toHaveLength(42);
    // 250 less the 10 that cleared and forty holds of 1: each message had one effect, however often it was sent.
    expect(await kept.available()).toBe(200);
    // Batches run normally again, without waits.
    expect(slowest(await Promise.all([timed('authorizations', authorizationOf(kept, '1.00'))]))).toBeLessThan(
      1_000,
    );
  });

  test('for a short time: no message is refused', async () => {
    const [kept, other] = [await payingCard(app), await payingCard(app)];
    const lock = await keep(kept);
    const waiting = [kept, other, kept].map((card) => timed('authorizations', authorizationOf(card, '1.00')));
    // Release the lock as soon as the batch waits for it.
    await expect
      .poll(() => app.db.query({ text: 'select from pg_locks where not granted limit 1' }), { interval: 10 })
      .toHaveLength(1);
    await lock.end();
    const told = await Promise.all(waiting);
    expect(told.map(({ status, body }) => [status, body['approved']])).toEqual(times(3, () => [200, true]));
    expect([await kept.available(), await other.available()]).toEqual([248, 249]);
  });

  test('does not delay the cards of another program', async () => {
    const owner = await ownProgram(app);
    const [kept, theirs] = [await payingCard(app), await payingCard(app, {}, owner)];
    const lock = await keep(kept);
    try {
      const waiting = timed('authorizations', authorizationOf(kept, '1.00'));
      const answer = await timed('authorizations', authorizationOf(theirs, '1.00'), owner);
      expect([answer.status, answer.body['approved']]).toEqual([200, true]);
      // Less than the time that the locked card's batch waits before it continues without the card.
      expect(answer.afterMs).toBeLessThan(900);
      expect((await waiting).status).toBe(503);
    } finally {
      await lock.end();
    }
  });
});
