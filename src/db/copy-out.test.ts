import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freshDatabase, isPooled, namedStatements, sql } from '../../test/support/database/database.ts';
import { type Database, openDatabase } from './database.ts';

let url: string;
let db: Database;
beforeAll(async () => {
  url = await freshDatabase();
  db = openDatabase({ url, poolSize: 1, namedStatements: namedStatements(), onIdleError: () => {} });
});
afterAll(() => db.close());

const readers = () =>
  sql(
    url,
    `select state from pg_stat_activity
     where application_name = 'emboss reader' and datname = $1 and not ($2 and state = 'idle')`,
    [new URL(url).pathname.slice(1), isPooled()],
  );
const noReader = (timeout = 40_000) =>
  vi.waitFor(async () => expect(await readers()).toEqual([]), { timeout });
const ENDLESS = 'select generate_series(1, 1000000000) as n';

test('the output has a header and all rows, and leaves no query or connection open', async () => {
  expect(await text(await db.copyOut(`select 1 as "one", 'a,"b' as two`))).toBe('one,two\n1,"a,""b"\n');
  await noReader();
});

test('a stream that is closed in the middle ends its query', async () => {
  for await (const _ of await db.copyOut(ENDLESS)) break;
  await noReader();
});

test('a stream that is closed before its first row ends its query', async () => {
  const rows = await db.copyOut('select pg_sleep(60)');
  rows.destroy();
  await noReader();
});

test('a stream that waits for a lock ends its query when it is closed, and waits for a limited time', async () => {
  const blocker = new pg.Client({ connectionString: url });
  await blocker.connect();
  await blocker.query('begin; lock table programs');
  try {
    (await db.copyOut('select id from programs')).destroy();
    // Sooner than it would end by itself.
    await noReader(4_500);
    expect(await text(await db.copyOut(`select current_setting('lock_timeout') as "limit"`))).toContain(
      '\n5s\n',
    );
  } finally {
    await blocker.end();
  }
});

test('a failed query is an error of the stream', async () => {
  const rows = await db.copyOut('select 1 / (3 - generate_series(1, 9))');
  await expect(text(rows)).rejects.toThrow('division by zero');
  await noReader();
});
