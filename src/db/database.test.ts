import { connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase, sql } from '../../test/support/database.ts';
import { type Database, openDatabase } from './database.ts';

let url: string;
let db: Database;
beforeEach(async () => {
  url = await freshDatabase();
  await sql(url, 'create table notes (id int primary key, text text)');
  db = open(url);
});
afterEach(() => db.close());

const open = (to: string): Database =>
  openDatabase({ url: to, poolSize: 4, namedStatements: true, onIdleError: () => {} });
const insert = { text: 'insert into notes values ($1, $2)' };
const notes = () => sql(url, 'select id from notes order by id');

describe('a transaction', () => {
  test('is whole or not at all', async () => {
    const failed = db.transaction(async (tx) => {
      await tx.query(insert, [1, 'a']);
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    await db.transaction(async (tx) => void (await tx.query(insert, [2, 'b'])));
    expect(await notes()).toEqual([{ id: 2 }]);
  });

  test('takes no statement after it failed, however late that comes', async () => {
    let late: Promise<unknown> | undefined;
    const failed = db.transaction((tx) => {
      late = new Promise((resolve) => setImmediate(resolve)).then(() => tx.query(insert, [3, 'late']));
      late.catch(() => {});
      return Promise.reject(new Error('failed first'));
    });
    await expect(failed).rejects.toThrow('failed first');
    await expect(late).rejects.toThrow('the transaction is over');
    expect(await notes()).toEqual([]);
  });

  test('that waits too long for a lock is a 503 that says so, and leaves nothing waiting in the server', async () => {
    await sql(url, "insert into notes values (1, 'held')");
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from notes where id = 1 for update');
    try {
      const waiter = db.transaction((tx) =>
        tx.query({ text: "update notes set text = 'mine' where id = 1" }),
      );
      const busy = { httpStatus: 503, message: 'The record is busy; try again shortly' };
      await expect(waiter).rejects.toMatchObject(busy);
      const waiting =
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
      expect(await sql(url, waiting)).toEqual([]);
    } finally {
      await holder.end();
    }
  });
});

describe('through a network that has a will of its own', () => {
  let proxy: Server;
  let links: Array<{ from: Socket; to: Socket; swallows: boolean }>;
  let silent: Database;
  let rewrite: (bytes: Buffer) => Buffer;

  beforeEach(async () => {
    links = [];
    rewrite = (bytes) => bytes;
    const { hostname, port } = new URL(url);
    proxy = createServer((from) => {
      const to = connect(Number(port), hostname);
      const link = { from, to, swallows: false };
      links.push(link);
      from.on('error', () => {}).on('data', (bytes) => link.swallows || to.write(rewrite(bytes)));
      to.on('error', () => {}).on('data', (bytes) => link.swallows || from.write(bytes));
    });
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
    const through = new URL(url);
    through.port = String((proxy.address() as { port: number }).port);
    silent = open(through.href);
  });
  afterEach(async () => {
    for (const { from, to } of links) for (const socket of [from, to]) socket.destroy();
    proxy.close();
    await silent.close();
  });

  test('a transaction whose BEGIN was refused has an unknown outcome, and its connection is not used again', async () => {
    rewrite = (bytes) => Buffer.from(bytes.toString('latin1').replace('begin;', 'bogus;'), 'latin1');
    const refused = silent.transaction((tx) => tx.query(insert, [1, 'on its own']));
    const message = 'The database refused the transaction; ask again to learn the outcome';
    await expect(refused).rejects.toMatchObject({ httpStatus: 503, message });
    rewrite = (bytes) => bytes;
    await silent.transaction((tx) => tx.query(insert, [2, 'in a transaction']));
    expect(links).toHaveLength(2);
  });

  test('when it swallows what was connected, one statement waits for its limit, and the next finds fresh connections', async () => {
    const ask = { text: 'select 1 as one', timeoutMs: 500 };
    await Promise.all([silent.query(ask), silent.query(ask), silent.query(ask), silent.query(ask)]);
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) link.swallows = true;
    await expect(silent.query(ask)).rejects.toMatchObject({ httpStatus: 503 });
    expect(await silent.query(ask)).toEqual([{ one: 1 }]);
  });
});
