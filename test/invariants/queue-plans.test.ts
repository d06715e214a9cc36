import { beforeAll, describe, expect, test } from 'vitest';
import { ofBatch } from '../../src/cards/batches/filter-queries.ts';
import { ROW_FILTERS } from '../../src/cards/batches/filters.ts';
import {
  BATCH_ROW_LIST,
  completeBatches,
  countOpenBatches,
  listPendingRows,
} from '../../src/cards/batches/queries.ts';
import type { Queryable, Tx } from '../../src/db/database.ts';
import {
  claimDeliveries,
  findDueWithin,
  listDueEndpoints,
  resendMissed,
} from '../../src/events/delivery-queries.ts';
import { deleteStaleIdempotencyRecords } from '../../src/http/queries.ts';
import { listDue } from '../../src/jobs/queries.ts';
import { HIGHEST_ID, LOWEST_ID, lowestIdAt } from '../../src/kernel/ids.ts';
import { findMatching } from '../../src/lists/filter-queries.ts';
import { matchingOf } from '../../src/lists/filters.ts';
import { buffersOf } from '../support/database/buffers.ts';
import { appForTests } from '../support/server/test-app.ts';
import { addEndpoint } from '../support/webhooks/webhooks.ts';

const LATER = 20_000;
const TAKEN = 50;
const SINCE_MS = Date.now() - 3_600_000;
const LONG_AGO_MS = SINCE_MS - 86_400_000;
/** A few to find that nothing is there; a few more for each that is, which is also written. */
const MOST_BUFFERS = { looking: 30, walking: TAKEN * 6, resending: TAKEN * 20, taking: TAKEN * 40 };

/** A program has one of its own with this id. */
const OPEN_BATCH = '01a00000-0000-7000-8000-000000000000';

/** A worker looks many times a second: what is due later, however much it is, must not be read each time. */
describe.each(['known', 'unknown'])('a queue that the planner’s statistics call %s', (statistics) => {
  const app = appForTests();
  const fillBatches = (programId: string) =>
    app.sql(
      `with batch as (
         insert into card_batches (program_id, id, sender, total, created, failed, created_at, completed_at)
         select $1, case n when 0 then $2::uuid else gen_random_uuid() end, '{}', 1000,
                case n when 0 then null else 0 end, case n when 0 then null else 1000 end, now(),
                case n when 0 then null else now() end
         from generate_series(0, $3::int) n returning id)
       insert into card_batch_rows (program_id, batch_id, id, row_index, status, sealed, error)
       select $1, b.id, gen_random_uuid(), n, case when isPending then 'PENDING' else 'FAILED' end,
              case when isPending then decode(repeat('00', 900), 'hex') end,
              case when isPending then null else '{}'::jsonb end
       from batch b cross join lateral (
         select n, b.id = $2 and n % 100 = 0 as isPending from generate_series(1, 1000) n) r`,
      [programId, OPEN_BATCH, LATER / 1_000],
    );
  const endpoint = { programId: '', id: '' };
  /** A program of which nothing is due: all was delivered, but for a few that failed. */
  const settled = { programId: '' };

  beforeAll(async () => {
    endpoint.programId = app.program.id;
    endpoint.id = (await addEndpoint(app, 'http://127.0.0.1:9/')).id;
    await app.sql(
      `with event as (
         insert into events (program_id, id, event_type, event_name, data, created_at)
         select $1, gen_random_uuid(), 'card', 'frozen', '{}', now() from generate_series(1, $3::int)
         returning id)
       insert into webhook_deliveries (program_id, endpoint_id, event_id, status, due_at)
       select $1, $2, id, 'PENDING', now() + interval '1 hour' from event`,
      [endpoint.programId, endpoint.id, LATER],
    );
    await app.sql(
      `insert into idempotency_records (program_id, endpoint, key_digest, request_digest, answer, created_at)
       select $1, 'a', decode(md5(n::text), 'hex'), '', '', now() - interval '1 hour'
       from generate_series(1, $2::int) n`,
      [endpoint.programId, LATER],
    );
    await app.sql(
      `insert into program_jobs (program_id, job, due_at)
       select gen_random_uuid(), 'hold-expiry', now() + interval '1 hour' from generate_series(1, $1::int)`,
      [LATER],
    );
    await fillBatches(app.program.id);
    const { program, key } = await app.addProgram();
    await fillBatches(program.id);
    await app.sql(`update program_jobs set due_at = now() + interval '1 hour'`);
    settled.programId = program.id;
    const { id } = await addEndpoint(app, 'http://127.0.0.1:9/', undefined, { program, key });
    for (const [status, fromMs, count] of [
      ['DELIVERED', LONG_AGO_MS, LATER],
      ['FAILED', SINCE_MS, TAKEN],
    ] as const)
      await app.sql(
        `with event as (
           insert into events (program_id, id, event_type, event_name, data, created_at)
           select $1, (lpad(to_hex($4::bigint + n), 12, '0') || '70008' || left(md5(n::text), 15))::uuid,
                  'card', 'frozen', '{}', now() from generate_series(1, $5::int) n
           returning id)
         insert into webhook_deliveries (program_id, endpoint_id, event_id, status)
         select $1, $2, id, $3 from event`,
        [settled.programId, id, status, fromMs, count],
      );
    if (statistics === 'known') await app.sql('analyze');
  });

  test.each<[string, (db: Queryable) => Promise<unknown>]>([
    ['endpoints for which something is due', (db) => listDueEndpoints(db, [])],
    ['delivery that has become due lately', (db) => findDueWithin(db, 60_000)],
    ['program in which a job is due', (db) => listDue(db, 'hold-expiry', 1_000)],
    ['what is due at one endpoint', (db) => claimDeliveries(db, endpoint, TAKEN, 60_000)],
    ['idempotency keys past their day', (db) => deleteStaleIdempotencyRecords(db, TAKEN)],
  ])('finding no %s reads a few pages', async (_name, run) => {
    expect(await buffersOf(app.databaseUrl, run)).toBeLessThan(MOST_BUFFERS.looking);
  });

  test.each([
    ['the few events since', SINCE_MS, 2_000, MOST_BUFFERS.resending],
    ['a page among many events', LONG_AGO_MS, TAKEN, MOST_BUFFERS.walking],
  ])('searching for missed events of %s reads only those', async (_name, sinceMs, limit, mostBuffers) => {
    const resend = (db: Queryable) => resendMissed(db, settled.programId, lowestIdAt(sinceMs), null, limit);
    expect(await buffersOf(app.databaseUrl, resend)).toBeLessThan(mostBuffers);
  });

  /** A program with completed batches, and an open one of whose rows few are pending. */
  test.each<[string, number, (db: Queryable, programId: string) => Promise<unknown>]>([
    ['the pending rows', MOST_BUFFERS.walking, (db, id) => listPendingRows(db, id, TAKEN)],
    ['no batch to complete', MOST_BUFFERS.looking, (db, id) => completeBatches(db as Tx, id, new Date())],
    ['the open batches', MOST_BUFFERS.looking, (db, id) => countOpenBatches(db, id)],
    [
      'a page of the rows of one',
      MOST_BUFFERS.walking,
      (db, id) =>
        findMatching(
          db,
          matchingOf(BATCH_ROW_LIST, ROW_FILTERS, {}, undefined, [ofBatch(OPEN_BATCH)]),
          { programId: id, aboveId: LOWEST_ID, belowId: HIGHEST_ID, oldestFirst: false, limit: 20_000 },
          TAKEN,
        ),
    ],
  ])('of card batches, finding %s reads only those', async (_name, mostBuffers, run) => {
    const { programId } = settled;
    expect(await buffersOf(app.databaseUrl, (db) => run(db, programId))).toBeLessThan(mostBuffers);
  });

  test('claiming a few deliveries reads only those', async () => {
    await app.sql(
      `update webhook_deliveries set due_at = now() where event_id in (select event_id from webhook_deliveries limit $1)`,
      [2 * TAKEN],
    );
    const take = (db: Queryable) => claimDeliveries(db, endpoint, TAKEN, 60_000);
    expect(await buffersOf(app.databaseUrl, take)).toBeLessThan(MOST_BUFFERS.taking);
    const { length } = await app.sql('select from webhook_deliveries where attempts = 1');
    expect(length).toBe(TAKEN);
  });
});
