import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consumerCard } from '../support/cards/cards.ts';
import { freshDatabase, sql } from '../support/database/database.ts';
import { seededRandom } from '../support/scripts/random.ts';
import { type Fleet, startFleet } from '../support/server/server-fleet.ts';

const BATCHES = '/api/v1/merchant/card-batches/';
const ROWS = 400;
const SEED = Number(process.env['EMBOSS_BATCH_SEED'] ?? Date.now() % 1e6);

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet(2, await freshDatabase());
});
afterAll(() => fleet?.close());

const query = <Row extends object>(text: string) => sql(fleet.databaseUrl, text) as unknown as Promise<Row[]>;

/** The cards that exist for each row that is a card, and all cards. */
const counts = async () =>
  (
    await query<{ created: number; cards: number; holders: number }>(
      `select (select count(*)::int from card_batch_rows where status = 'CREATED') as created,
              (select count(*)::int from cards) as cards,
              (select count(distinct cardholder_id)::int from cards) as holders`,
    )
  )[0];

/** Two processes work; one of them is killed again and again, at moments that the seed determines. */
test(`killed at random points, two processes create each row once (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  const cards = Array.from({ length: ROWS }, (_, index) =>
    consumerCard({ kycApplicantId: `kill-${index}`, meta: { ...consumerCard().meta, id: `kill-${index}` } }),
  );
  const { status, body } = await fleet.merchant(0, 'POST', BATCHES, { cards }, 'one batch');
  expect(status).toBe(202);
  const batch = async () => (await fleet.merchant(0, 'GET', `${BATCHES}${body.id}/`)).body;
  let kills = 0;
  for (let seen = 0; kills < 8; kills++) {
    const ended = (await batch()).created;
    if (ended === ROWS) break;
    // In the middle of the work: after some more rows than before.
    while (seen < Math.min(ROWS - 1, ended + 1 + Math.floor(random() * 40))) {
      seen = (await batch()).created;
      await pause(1 + random() * 20);
    }
    await fleet.killAndRestart(1);
    // The other one may not have the lease: what the killed one held is free again.
    await query("update program_jobs set leased_until = null where job = 'card-batches'");
    const now = await counts();
    expect(now?.cards).toBe(now?.holders);
  }
  expect(kills).toBeGreaterThan(2);
  for (let now = await batch(); now.status !== 'COMPLETED'; now = await batch()) await pause(50);
  expect(await batch()).toMatchObject({ total: ROWS, created: ROWS, failed: 0 });
  expect(await counts()).toEqual({ created: ROWS, cards: ROWS, holders: ROWS });
  const events = await query("select from events where event_name = 'card_batch.completed'");
  expect(events).toHaveLength(1);
  // A repeated request after all this is the same batch.
  expect((await fleet.merchant(0, 'POST', BATCHES, { cards }, 'one batch')).body.id).toBe(body.id);
}, 240_000);
