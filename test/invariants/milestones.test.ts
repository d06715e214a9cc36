import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { SETTLED_AFTER_MS } from '../../src/db/database.ts';
import { dayEndMs, dayOf, dayStartMs } from '../../src/kernel/calendar.ts';
import { HIGHEST_ID, LOWEST_ID, lowestIdAt, newId } from '../../src/kernel/ids.ts';
import { extendMilestones } from '../../src/lists/extend-milestones.ts';
import { findPage } from '../../src/lists/find-page.ts';
import { countBefore, findAtOrdinal, insertMilestones, MILESTONE_INTERVAL } from '../../src/lists/queries.ts';
import { listMilestones } from '../../src/worker.ts';
import { fillTransactions } from '../support/cards/swipe.ts';
import { fillCards } from '../support/database/fill-cards.ts';
import { runToEnd } from '../support/server/jobs.ts';
import { appForTests } from '../support/server/test-app.ts';

/**
 * A milestone is every 500th settled record with its ordinal. Whatever milestones there are, counting and
 * finding give what plain SQL gives; they only make it cheap.
 */
const app = appForTests();
let programId: string;
/** Every id of the list, oldest first. */
let ids: string[];
const HOUR_MS = 3_600_000;
const NOW_MS = Date.now();
const SETTLED_CARDS = 3_140;
const FRESH_CARDS = 60;
const FIRST_MS = NOW_MS - 50 * HOUR_MS;

beforeAll(async () => {
  programId = app.program.id;
  const fill = (count: number, fromMs: number, toMs: number) =>
    fillCards(app, app.program, { count, fromMs, toMs });
  const settled = await fill(SETTLED_CARDS, FIRST_MS, NOW_MS - 2 * HOUR_MS);
  const fresh = await fill(FRESH_CARDS, NOW_MS - SETTLED_AFTER_MS + 5_000, NOW_MS);
  ids = [...settled, ...fresh].sort();
  // A neighbour in the same tables: nothing of it may ever be counted.
  const other = await app.addProgram();
  await fillCards(app, other.program, { count: 1_200, fromMs: FIRST_MS, toMs: NOW_MS });
});

const milestones = () =>
  app.db.query<{ ordinal: number; id: string }>(
    {
      text: `select ordinal::int, record_id as id from list_milestones
             where program_id = $1 and list = 'cards' order by ordinal`,
    },
    [programId],
  );
const clearMilestones = () =>
  app.db.query({ text: 'delete from list_milestones where program_id = $1' }, [programId]);
const extend = (changes: { tail?: number; nowMs?: number; sinceMoveMs?: number } = {}) => {
  const { tail = ids.length, nowMs = NOW_MS, sinceMoveMs = Number.POSITIVE_INFINITY } = changes;
  return extendMilestones(app.db, { table: 'cards' }, programId, tail, { nowMs, sinceMoveMs });
};
const every500th = (length: number) =>
  Array.from({ length: Math.floor(length / MILESTONE_INTERVAL) }, (_, index) => {
    const ordinal = (index + 1) * MILESTONE_INTERVAL;
    return { ordinal, id: ids[ordinal - 1] };
  });

/** How the milestones may stand when a reader comes. */
const STAGES: Array<[name: string, prepare: () => Promise<unknown>]> = [
  ['no milestones', clearMilestones],
  [
    'milestones of the first day only',
    async () => {
      await clearMilestones();
      await extend({ nowMs: NOW_MS - 26 * HOUR_MS });
    },
  ],
  ['all milestones', () => extend()],
];

/** Ids that exist, ids that never did, and both ends. */
const anyId = fc.oneof(
  fc.nat(SETTLED_CARDS + FRESH_CARDS - 1).map((index) => ids[index] as string),
  fc.integer({ min: FIRST_MS - HOUR_MS, max: NOW_MS + HOUR_MS }).map(newId),
  fc.integer({ min: FIRST_MS - HOUR_MS, max: NOW_MS + HOUR_MS }).map(lowestIdAt),
  fc.constantFrom(LOWEST_ID, HIGHEST_ID),
);
const anyDay = fc.integer({ min: -1, max: 3 }).map((days) => dayOf(FIRST_MS + days * 24 * HOUR_MS));

describe.each(STAGES)('with %s', (_name, prepare) => {
  beforeAll(async () => {
    await prepare();
  });

  test('countBefore equals a plain count', async () => {
    await fc.assert(
      fc.asyncProperty(anyId, async (id) => {
        const [plain] = await app.db.query<{ count: number }>(
          { text: 'select count(*)::int as count from cards where program_id = $1 and id < $2' },
          [programId, id],
        );
        expect((await countBefore(app.db, { table: 'cards' }, programId, id)).rank).toBe(plain?.count);
      }),
      { numRuns: 60, examples: [[LOWEST_ID], [HIGHEST_ID], [ids[499] as string], [ids[500] as string]] },
    );
  });

  test('findAtOrdinal equals a plain offset', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: ids.length + 100 }), async (ordinal) => {
        const [plain] = await app.db.query<{ id: string }>(
          { text: 'select id from cards where program_id = $1 order by id offset $2 limit 1' },
          [programId, ordinal - 1],
        );
        expect(await findAtOrdinal(app.db, { table: 'cards' }, programId, ordinal)).toBe(plain?.id);
      }),
      { numRuns: 60, examples: [[1], [499], [500], [501], [1_000], [ids.length], [ids.length + 1]] },
    );
  });

  test('a page between two days is a part of the plain list', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyDay,
        anyDay,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 100 }),
        async (a, b, page, pageSize) => {
          const [minCreated, maxCreated] = a < b ? [a, b] : [b, a];
          const [low, high] = [
            lowestIdAt(dayStartMs(minCreated as string)),
            lowestIdAt(dayEndMs(maxCreated as string)),
          ];
          const matching = ids.filter((id) => id >= low && id < high).reverse();
          const found = await findPage(app.db, { table: 'cards' }, programId, {
            page,
            pageSize,
            minCreated,
            maxCreated,
          });
          expect(found.count).toBe(matching.length);
          const read = matching.filter(
            (id) => found.fromId !== undefined && id <= found.fromId && id >= found.lowestId,
          );
          expect(read.slice(0, pageSize)).toEqual(matching.slice((page - 1) * pageSize, page * pageSize));
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('the cost of lists', () => {
  test('with all milestones, any settled record is fewer than 500 entries away', async () => {
    await clearMilestones();
    await extend();
    for (let index = 0; index < SETTLED_CARDS; index += 157) {
      const { counted } = await countBefore(app.db, { table: 'cards' }, programId, ids[index] as string);
      expect(counted).toBeLessThan(MILESTONE_INTERVAL);
    }
  });
});

describe('which records become milestones', () => {
  test('every 500th settled record and no other', async () => {
    await clearMilestones();
    await extend();
    expect(await milestones()).toEqual(every500th(SETTLED_CARDS));
  });

  test('none within a minute of now, for any number of records', async () => {
    await clearMilestones();
    const nowMs = FIRST_MS + 48 * HOUR_MS * (1_600 / SETTLED_CARDS);
    await extend({ nowMs });
    const made = await milestones();
    const settled = ids.filter((id) => id < lowestIdAt(nowMs - SETTLED_AFTER_MS));
    expect(made).toEqual(every500th(settled.length));
    expect(made.length).toBeGreaterThan(0);
    expect(made.length).toBeLessThan(every500th(SETTLED_CARDS).length);
  });

  test('a record 59 seconds old is not settled, one of 61 seconds is', async () => {
    const lastMs = Number.parseInt((ids[MILESTONE_INTERVAL - 1] as string).replace('-', '').slice(0, 12), 16);
    await clearMilestones();
    await extend({ nowMs: lastMs + SETTLED_AFTER_MS - 1_000 });
    expect(await milestones()).toEqual([]);
    await extend({ nowMs: lastMs + SETTLED_AFTER_MS + 1_000 });
    expect(await milestones()).toHaveLength(1);
  });

  test('none right after the clock was moved, and none for a short tail', async () => {
    await clearMilestones();
    await extend({ sinceMoveMs: 0 });
    await extend({ sinceMoveMs: SETTLED_AFTER_MS - 1 });
    await extend({ tail: 2 * MILESTONE_INTERVAL - 1 });
    expect(await milestones()).toEqual([]);
    await extend({ sinceMoveMs: SETTLED_AFTER_MS, tail: 2 * MILESTONE_INTERVAL });
    expect(await milestones()).toEqual(every500th(SETTLED_CARDS));
  });
});

describe('adding milestones', () => {
  test('is idempotent, and gives the same result step by step', async () => {
    await clearMilestones();
    for (let hours = 50; hours >= 0; hours -= 5) await extend({ nowMs: NOW_MS - hours * HOUR_MS });
    expect(await milestones()).toEqual(every500th(SETTLED_CARDS));
    await extend();
    expect(await milestones()).toEqual(every500th(SETTLED_CARDS));
  });

  test('gives the same result for concurrent calls with different times', async () => {
    await clearMilestones();
    // Past the guard of one process: this is what several processes do to each other.
    await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        insertMilestones(
          app.db,
          { table: 'cards' },
          programId,
          lowestIdAt(NOW_MS - (index % 5) * 9 * HOUR_MS - SETTLED_AFTER_MS),
          2_000_000,
        ),
      ),
    );
    expect(await milestones()).toEqual(every500th(SETTLED_CARDS));
  });

  test('happens beside the request of a reader with a long tail', async () => {
    await clearMilestones();
    await app.call('GET', '/api/v1/merchant/cards/');
    await expect.poll(milestones, { timeout: 60_000 }).toEqual(every500th(SETTLED_CARDS));
    expect((await app.call('GET', '/api/v1/merchant/cards/')).body.count).toBe(ids.length);
  });
});

test('is done by the worker for every program, also without readers', async () => {
  await clearMilestones();
  await runToEnd(listMilestones(app.db));
  const laid = await milestones();
  expect(laid.length).toBeGreaterThanOrEqual(Math.floor(SETTLED_CARDS / MILESTONE_INTERVAL));
  expect(laid).toEqual(every500th(laid.length * MILESTONE_INTERVAL));
  const programs = await app.db.query({ text: 'select distinct program_id from list_milestones' });
  expect(programs).toHaveLength(2);
});

test('is done by the worker for lists of transactions too, in their own order', async () => {
  const { program } = await app.addProgram();
  const cardIds = [newId(FIRST_MS), newId(FIRST_MS)];
  const range = { count: 1_100, fromMs: FIRST_MS, toMs: NOW_MS - HOUR_MS };
  const made = await fillTransactions(app, program, cardIds, range);
  await runToEnd(listMilestones(app.db));
  const laid = await app.db.query(
    {
      text: 'select list, ordinal::int, record_id as id from list_milestones where program_id = $1 order by ordinal',
    },
    [program.id],
  );
  const list = 'transactions';
  expect(laid).toEqual([
    { list, ordinal: 500, id: made[499]?.id },
    { list, ordinal: 1000, id: made[999]?.id },
  ]);
});
