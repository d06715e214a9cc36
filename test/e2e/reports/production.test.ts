import { readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openReport } from '../../../src/reports/open-report.ts';
import type { ProducerServices } from '../../../src/reports/produce-reports.ts';
import { completeFileData } from '../../../src/reports/read-request.ts';
import { sweepFiles } from '../../../src/reports/sweep-files.ts';
import { createCard } from '../../support/cards/cards.ts';
import { swipe } from '../../support/cards/swipe.ts';
import { FILES, fileOf, makeReports, produceReports, requestReport } from '../../support/reports/reports.ts';
import { setClock } from '../../support/server/clock.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
/** Each test has a day of its own, with one purchase; it lies far enough back. */
let day: string;
let cardId: string;
let dayNumber = 9;
beforeAll(async () => {
  await setClock(app, '2030-03-10T08:00:00Z');
  cardId = (await createCard(app)).id;
});
beforeEach(async () => {
  dayNumber += 2;
  day = new Date(Date.UTC(2030, 2, dayNumber)).toISOString().slice(0, 10);
  await setClock(app, `${day}T08:00:00Z`);
  await swipe(app, cardId, '10.00');
  await setClock(app, new Date(Date.UTC(2030, 2, dayNumber + 2)).toISOString());
});

interface Row {
  id: string;
  status: string;
  storage_key: string;
  attempts: number;
  /** Milliseconds from now. */
  leased: number;
  kept: number;
}
async function row(programId = app.program.id): Promise<Row> {
  const [found] = await app.sql<Row>(
    `select id, status, storage_key, attempts,
            (extract(epoch from leased_until - clock_timestamp()) * 1000)::float8 as leased,
            (extract(epoch from kept_until - clock_timestamp()) * 1000)::float8 as kept
     from reports where program_id = $1 and last_day = $2 and file_type = 'daily'`,
    [programId, day],
  );
  return found as Row;
}
const change = (assignments: string, programId = app.program.id) =>
  app.sql(
    `update reports set ${assignments} where program_id = $1 and last_day = $2 and file_type = 'daily'`,
    [programId, day],
  );
const stateOf = async (referenceId: string) =>
  (await app.call('GET', `${FILES}requests/${referenceId}/`)).body.status;
const eventsOf = (referenceId: string) =>
  app.sql(`select id from events where data ->> 'reference_id' = $1`, [referenceId]);
/** Of this report, drafts included. */
const filesLeft = async () => {
  const { id } = await row();
  const drafts = readdirSync(join(app.filesDir, '.drafts'));
  return [...drafts, ...readdirSync(app.filesDir).filter((name) => name.startsWith(id))];
};
const readers = () =>
  app.sql(
    `select pid from pg_stat_activity
     where application_name = 'emboss reader' and datname = current_database() and query like 'copy%'`,
  );
/** Sooner than a query that waits for a lock would end by itself. */
const until = (condition: () => Promise<void>) => vi.waitFor(condition, { timeout: 3_500 });

/** What a worker works with, some of it another way. */
const services = (other: Partial<ProducerServices> = {}): ProducerServices => ({
  db: app.db,
  ...app.reports,
  ...other,
});
const savingBy = (save: ProducerServices['storage']['save']) =>
  services({ storage: { ...app.reports.storage, save } });

/** A report in progress, whose names are held back until `release`. */
async function inTheMiddle(leaseMs?: number) {
  let started = () => {};
  let release = () => {};
  const underWay = new Promise<void>((resolve) => {
    started = resolve;
  });
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let stopping = false;
  const failures: unknown[] = [];
  const done = produceReports(
    services({
      namesOf: async (...given) => {
        started();
        await held;
        return app.reports.namesOf(...given);
      },
      ...(leaseMs === undefined ? {} : { leaseMs }),
    }),
    () => stopping,
    { onFailure: (error) => failures.push(error) },
  );
  await underWay;
  const stop = () => {
    stopping = true;
  };
  return { done, stop, release, failures };
}

describe('a stopped worker', () => {
  test('in the middle of a report leaves only that report to the next worker', async () => {
    const referenceId = await requestReport(app, 'daily', day);
    const { done, stop, failures } = await inTheMiddle();
    stop();
    await done;
    expect(failures).toEqual([]);
    expect(await row()).toMatchObject({ status: 'pending', attempts: 0 });
    expect((await row()).leased).toBeLessThanOrEqual(0);
    expect(await filesLeft()).toEqual([]);
    await until(async () => expect(await readers()).toEqual([]));
    await makeReports(app);
    expect(await stateOf(referenceId)).toBe('ready');
  });

  /** No report gets a row while `work` runs. It is no writer, so that no period stays open because of it. */
  async function withoutRows(work: () => Promise<void>) {
    const blocker = new pg.Client({
      connectionString: app.databaseUrl,
      application_name: 'emboss reader',
    });
    await blocker.connect();
    await blocker.query('begin; lock table credentials');
    try {
      await work();
    } finally {
      await blocker.end();
    }
  }

  test('before the first row of a report does not wait for it', async () => {
    await requestReport(app, 'daily', day);
    await withoutRows(async () => {
      let stopping = false;
      const done = produceReports(services(), () => stopping);
      await until(async () => expect(await readers()).toHaveLength(1));
      stopping = true;
      await done;
      await until(async () => expect(await readers()).toEqual([]));
    });
    expect(await row()).toMatchObject({ status: 'pending', attempts: 0 });
    expect(await filesLeft()).toEqual([]);
    await makeReports(app);
  });

  test('a report that is cancelled before it is read ends its query', async () => {
    const subject = { fileType: 'daily' as const, firstDay: day, lastDay: day };
    await withoutRows(async () => {
      const { content } = await openReport(services(), app.program, subject);
      await until(async () => expect(await readers()).toHaveLength(1));
      content.destroy();
      await until(async () => expect(await readers()).toEqual([]));
    });
  });
});

describe('a lease', () => {
  test('is extended while the worker generates the report', async () => {
    const referenceId = await requestReport(app, 'daily', day);
    const { done, release } = await inTheMiddle(1_000);
    await change('leased_until = now()');
    await until(async () => expect((await row()).leased).toBeGreaterThan(0));
    release();
    await done;
    expect(await stateOf(referenceId)).toBe('ready');
  });

  test('that is lost in the middle stops its worker, whose file is deleted', async () => {
    await requestReport(app, 'daily', day);
    const { done, failures } = await inTheMiddle(300);
    await change(`storage_key = 'winner.csv', leased_until = now() + interval '1 hour'`);
    await done;
    expect(failures).toMatchObject([{ message: expect.stringContaining('ran out') }]);
    expect(await row()).toMatchObject({ status: 'pending', storage_key: 'winner.csv', attempts: 0 });
    expect((await row()).leased).toBeGreaterThan(3_000_000);
    expect(await filesLeft()).toEqual([]);
  });

  test('that is lost at the end leaves the report to the new worker, and the old worker’s file is deleted', async () => {
    const referenceId = await requestReport(app, 'daily', day);
    const { storage } = app.reports;
    await produceReports(
      savingBy(async (key, content) => {
        const saved = await storage.save(key, content);
        await change(`storage_key = 'winner.csv', leased_until = now() + interval '1 hour'`);
        return saved;
      }),
    );
    expect(await row()).toMatchObject({ status: 'pending', storage_key: 'winner.csv', attempts: 0 });
    expect(await filesLeft()).toEqual([]);
    expect(await eventsOf(referenceId)).toEqual([]);
  });
});

describe('a report that cannot be generated', () => {
  test('leaves no incomplete file, is retried less and less often, and delays no other report', async () => {
    const failing = await requestReport(app, 'daily', day);
    const other = await requestReport(app, 'dailyTransactionFee', day);
    const { id } = await row();
    const { storage } = app.reports;
    const failures: unknown[] = [];
    const produce = () =>
      produceReports(
        savingBy(async (key, content) => {
          const saved = await storage.save(key, content);
          if (key.startsWith(id)) throw new Error('the disk is full');
          return saved;
        }),
        () => false,
        { onFailure: (error) => failures.push(error) },
      );
    await change('attempts = 3');
    await produce();
    expect([await stateOf(failing), await stateOf(other)]).toEqual(['pending', 'ready']);
    expect(await filesLeft()).toEqual([]);
    for (const [times, pauseMs] of [8_000, 16_000, 32_000].entries()) {
      const { leased, ...left } = await row();
      expect(left).toMatchObject({ status: 'pending', attempts: 4 + times });
      expect([leased > pauseMs - 5_000, leased < pauseMs]).toEqual([true, true]);
      await produce();
      expect(failures).toHaveLength(1 + times);
      await change('leased_until = now()');
      await produce();
    }
    await change('attempts = 60, leased_until = null');
    await produce();
    expect((await row()).leased).toBeLessThan(300_000);
    await change('leased_until = null');
    await makeReports(app);
    expect([await stateOf(failing), (await row()).attempts]).toEqual(['ready', 0]);
  });

  test('because its period is not closed yet is generated after those that can be', async () => {
    const { program, key } = await app.addProgram();
    await setClock(app, '2031-05-01T00:00:00Z', key);
    const writer = new pg.Client({ connectionString: app.databaseUrl });
    await writer.connect();
    await writer.query('begin');
    day = '2031-05-02';
    try {
      await setClock(app, '2031-05-10T00:00:00Z', key);
      await requestReport(app, 'daily', day, key);
      await change('attempts = 3', program.id);
      await makeReports(app);
      const { leased, ...left } = await row(program.id);
      expect(left).toMatchObject({ status: 'pending', attempts: 4 });
      expect(leased).toBeGreaterThan(0);
    } finally {
      await writer.end();
    }
    await change('leased_until = now()', program.id);
    await makeReports(app);
    expect(await row(program.id)).toMatchObject({ status: 'ready', attempts: 0 });
  });

  test('reports its own failure, whatever fails after it', async () => {
    await requestReport(app, 'daily', day);
    const { db, storage } = services();
    let failed = false;
    const away = () => Promise.reject(new Error('away'));
    const failing = {
      db: { ...db, query: (...given: Parameters<typeof db.query>) => (failed ? away() : db.query(...given)) },
      storage: {
        ...storage,
        save: async () => {
          failed = true;
          throw new Error('the disk is full');
        },
        remove: (key: string) => (failed ? away() : storage.remove(key)),
      },
    } as Partial<ProducerServices>;
    await expect(produceReports(services(failing))).rejects.toThrow('the disk is full');
    await change('leased_until = null');
    await makeReports(app);
  });
});

describe('programs', () => {
  const NOW = '2030-06-20T08:00:00Z';
  const pastDay = (ago: number) =>
    new Date(Date.parse(NOW) - (2 + ago) * 86_400_000).toISOString().slice(0, 10);
  /** A program with reports of so many days that wait. */
  async function waiting(count: number, now = NOW) {
    const { program, key } = await app.addProgram();
    await setClock(app, now, key);
    await Promise.all(
      Array.from({ length: count }, (_, ago) => requestReport(app, 'daily', pastDay(ago), key)),
    );
    return { id: program.id, key };
  }
  /** Whose report is made by a worker that ends after one. */
  async function nextServed(): Promise<string> {
    let made = 0;
    await produceReports(services(), () => made > 0, { onMade: () => made++ });
    const [last] = await app.sql<{ program_id: string }>(
      'select program_id from reports where produced_at is not null order by produced_at desc limit 1',
    );
    return last?.program_id as string;
  }

  test('take turns: many reports of one do not delay the only one of another, with any number of workers', async () => {
    await makeReports(app);
    const busy = await waiting(4);
    const other = await waiting(1, '2030-06-20T09:00:00Z');
    const served = [];
    for (let turn = 0; turn < 4; turn++) served.push(await nextServed());
    expect(served).toEqual([busy.id, other.id, busy.id, busy.id]);
    await requestReport(app, 'daily', pastDay(9), other.key);
    expect(await nextServed()).toBe(other.id);
    await makeReports(app);
    const open = await app.sql(`select from reports where status = 'pending' and program_id = $1`, [busy.id]);
    expect(open).toEqual([]);
  });

  test('take turns when a report fails too: a failing report gives its turn away', async () => {
    await makeReports(app);
    const failing = await waiting(2);
    const other = await waiting(1, '2030-06-20T09:00:00Z');
    let failed = 0;
    const away = savingBy(() => Promise.reject(new Error('the disk is full')));
    await produceReports(away, () => failed > 0, { onFailure: () => failed++ });
    expect([await nextServed(), await nextServed()]).toEqual([other.id, failing.id]);
    await app.sql('update reports set leased_until = null');
    await makeReports(app);
  });

  test('have at most 100 open reports, also with concurrent requests', async () => {
    const { id, key } = await waiting(90);
    const request = (ago: number) => app.call('GET', `${FILES}daily/?date=${pastDay(ago)}`, { key });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, more) => request(90 + more)));
    const refused = answers.filter(({ status }) => status === 429);
    expect([refused.length, answers.filter(({ status }) => status === 200).length]).toEqual([30, 10]);
    expect(refused[0]?.body.message).toBe(
      'A program can have at most 100 pending reports; retry when some are ready',
    );
    expect(refused[0]?.headers.get('retry-after')).toBe('10');
    expect((await request(0)).status, 'a report that is open already').toBe(200);
    expect((await app.call('GET', `${FILES}daily/?date=${day}`)).status, 'another program').toBe(200);
    // One that is ready makes room for one, and an expired one that is looked at takes it.
    await app.sql(`update reports set status = 'expired' where program_id = $1 and last_day = any ($2)`, [
      id,
      [pastDay(0), pastDay(1)],
    ]);
    const [stored] = await app.sql<{ id: string }>(
      `select q.id from report_requests q join reports r on r.program_id = q.program_id and r.id = q.report_id
       where r.program_id = $1 and r.last_day = $2 limit 1`,
      [id, pastDay(0)],
    );
    const look = () => app.call('GET', `${FILES}requests/${stored?.id}/`, { key });
    expect((await request(1)).status).toBe(200);
    expect((await request(200)).status).toBe(200);
    expect((await look()).status).toBe(429);
    await app.sql(`update reports set status = 'expired' where program_id = $1`, [id]);
    expect((await look()).body.status).toBe('pending');
  });

  test('have no report for a time before they were created', async () => {
    const { program, key } = await app.addProgram();
    const created = program.createdAt.toISOString().slice(0, 10);
    const request = (date: string) => app.call('GET', `${FILES}daily/?date=${date}`, { key });
    for (const date of [
      '0001-01-01',
      new Date(program.createdAt.getTime() - 86_400_000).toISOString().slice(0, 10),
    ])
      expect(await request(date)).toMatchObject({
        status: 400,
        body: { message: `date: must not be before the program was created (${created})` },
      });
    expect((await request(created)).status).toBe(200);
  });
});

describe('a file', () => {
  const made = async () => {
    const referenceId = await requestReport(app, 'daily', day);
    await makeReports(app);
    return referenceId;
  };

  test.each([
    ['requested again', () => requestReport(app, 'daily', day)],
    ['whose request is looked at', (referenceId: string) => stateOf(referenceId)],
  ])('%s is kept for longer', async (_how, use) => {
    const referenceId = await made();
    await change(`kept_until = now() + interval '10 min'`);
    await use(referenceId);
    const { status, kept } = await row();
    expect(status).toBe('ready');
    expect(kept).toBeGreaterThan(3_500_000);
  });

  test('that cannot be deleted blocks no other, and is tried again an hour later', async () => {
    await made();
    const stuck = await row();
    const [first, second] = [day, '2030-03-01'];
    day = second;
    await made();
    await app.sql(`update reports set kept_until = now() - interval '1 s' where status = 'ready'`);
    const { storage } = app.reports;
    const remove = (key: string) =>
      key === stuck.storage_key ? Promise.reject(new Error('in use')) : storage.remove(key);
    await expect(sweepFiles(services({ storage: { ...storage, remove } }))).rejects.toThrow('in use');
    expect(await row()).toMatchObject({ status: 'expired', kept: null });
    expect(await filesLeft()).toEqual([]);
    day = first;
    expect((await row()).kept).toBeGreaterThan(3_500_000);
    await change('kept_until = now()');
    await sweepFiles(services());
    expect(await row()).toMatchObject({ status: 'expired', kept: null });
    expect(await filesLeft()).toEqual([]);
  });

  test.each([
    ['is missing from its storage', (path: string) => rmSync(path)],
    ['is cut short in its storage', (path: string) => truncateSync(path, 20)],
  ])('that %s is generated again on request, with the same bytes', async (_what, damage) => {
    const referenceId = await made();
    const first = await fileOf(app, referenceId);
    const damageIt = async () => damage(join(app.filesDir, (await row()).storage_key));

    await damageIt();
    expect(await stateOf(referenceId)).toBe('pending');
    await makeReports(app);
    expect(await fileOf(app, referenceId)).toBe(first);

    await damageIt();
    await expect(
      completeFileData({ ...services(), mintLink: app.reports.mintLink }, app.program.id, referenceId),
    ).rejects.toThrow('being generated again');
    await makeReports(app);

    await damageIt();
    const { body } = await app.call('GET', `${FILES}daily/?date=${day}`);
    expect(body.message).toBe('The report is being generated; a webhook event delivers its link');
    expect(await eventsOf(body.reference_id)).toEqual([]);
    await makeReports(app);
    expect(await fileOf(app, body.reference_id)).toBe(first);
    expect(await eventsOf(body.reference_id)).toHaveLength(1);
    expect(await eventsOf(referenceId)).toHaveLength(1);
    expect(await filesLeft()).toHaveLength(1);
  });

  test('that was generated again meanwhile is not generated twice', async () => {
    const referenceId = await made();
    const { storage } = app.reports;
    const size = async () => {
      await change(`storage_key = 'other.csv'`);
      return undefined;
    };
    const { storage_key } = await row();
    await expect(
      completeFileData(
        { ...services({ storage: { ...storage, size } }), mintLink: app.reports.mintLink },
        app.program.id,
        referenceId,
      ),
    ).rejects.toThrow('being generated again');
    expect((await row()).status).toBe('ready');
    await change(`storage_key = '${storage_key}'`);
  });
});
