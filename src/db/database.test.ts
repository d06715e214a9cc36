import { connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase, namedStatements, pastPooler, sql } from '../../test/support/database/database.ts';
import { type Database, openDatabase, type Tx } from './database.ts';
import { changedMeanwhile } from './failures.ts';

let url: string;
let db: Database;
beforeEach(async () => {
  url = await freshDatabase();
  await sql(url, 'create table notes (id int primary key, text text)');
  db = open(url);
});
afterEach(() => db.close());

const open = (to: string, options: Partial<Parameters<typeof openDatabase>[0]> = {}): Database =>
  openDatabase({
    url: to,
    poolSize: 4,
    namedStatements: namedStatements(),
    onIdleError: () => {},
    ...options,
  });
const insert = { text: 'insert into notes values ($1, $2)' };
const notes = () => sql(url, 'select id from notes order by id');

test('a pooler that mixes up prepared statements: the error names the setting to change', async () => {
  const lent = open(pastPooler(url), { poolSize: 1, namedStatements: true });
  await lent.query({ text: 'prepare notes_of_another as select 1' });
  await expect(lent.query({ name: 'notes_of_another', text: 'select id from notes' })).rejects.toThrow(
    'set DATABASE_NAMED_STATEMENTS=false',
  );
  await lent.query({ name: 'notes', text: 'select id from notes' });
  await lent.query({ text: 'deallocate all' });
  await expect(lent.query({ name: 'notes', text: 'select id from notes' })).rejects.toThrow(
    'set DATABASE_NAMED_STATEMENTS=false',
  );
  await lent.close();
});

test('a commit that a node of a cluster has not finished is not acknowledged, and the next one is', async () => {
  const lent = open(url, { poolSize: 1 });
  // This is how Citus reports it.
  const warn = "do $$ begin raise warning 'failed to commit transaction on 127.0.0.1:5432'; end $$";
  const unknown = { httpStatus: 503, message: expect.stringContaining('the outcome is unknown') };
  await expect(lent.query(warn)).rejects.toMatchObject(unknown);
  await lent.transaction(async (tx) => tx.send(insert, [1, 'a']));
  const late = lent.transaction(async (tx) => {
    tx.send(insert, [2, 'b']);
    tx.send(warn);
  });
  await expect(late).rejects.toMatchObject(unknown);
  await lent.transaction(async (tx) => tx.send(insert, [3, 'c']));
  expect(await notes()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  await lent.close();
});

describe('a transaction', () => {
  test('is committed completely or not at all', async () => {
    const failed = db.transaction(async (tx) => {
      await tx.query(insert, [1, 'a']);
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    await db.transaction(async (tx) => void (await tx.query(insert, [2, 'b'])));
    expect(await notes()).toEqual([{ id: 2 }]);
  });

  test('accepts no statement after it failed, at any later time', async () => {
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

  test('that fails rolls back the statements sent before, and does not send those that wait', async () => {
    const failed = db.transaction(async (tx) => {
      tx.send(insert, [1, 'on its way']);
      await tx.query({ text: 'select 1' });
      tx.send(insert, [2, 'not yet on its way']);
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    await db.transaction((tx) => tx.query({ text: 'select 1' }));
    expect(await notes()).toEqual([]);
  });

  test('with a value that cannot be encoded is not committed', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const failed = db.transaction(async (tx) => {
      tx.send(insert, [1, 'fine']);
      tx.send(insert, [2, circle]);
    });
    await expect(failed).rejects.toThrow('circular');
    expect(await notes()).toEqual([]);
  });

  test('that fails while a statement hangs leaves nothing for the next transaction to commit', async () => {
    const impatient = open(url, { poolSize: 1, answerWithinMs: 300 });
    try {
      await impatient.transaction((tx) => tx.query({ text: 'select 1' }));
      const failed = impatient.transaction(async (tx) => {
        tx.send(insert, [1, 'of the failed one']);
        tx.send({ text: 'select pg_sleep(1)' });
        await new Promise((resolve) => setTimeout(resolve, 50));
        throw new Error('changed my mind');
      });
      await expect(failed).rejects.toThrow('changed my mind');
      await impatient.transaction((tx) => tx.query(insert, [2, 'of the next one']));
      expect(await notes()).toEqual([{ id: 2 }]);
    } finally {
      await impatient.close();
    }
  });

  test('that fails before it awaits its statements ends with its own error only', async () => {
    const failed = db.transaction(async (tx) => {
      const result = tx.query({ text: 'select 1' });
      if (url) throw new Error('no such card');
      await result;
    });
    await expect(failed).rejects.toThrow('no such card');
  });

  test('that waits too long for a lock is a 503 with that message, and leaves no query waiting in the server', async () => {
    await sql(url, "insert into notes values (1, 'held')");
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from notes where id = 1 for update');
    try {
      const waiter = db.transaction((tx) =>
        tx.query({ text: "update notes set text = 'mine' where id = 1" }),
      );
      const busy = { httpStatus: 503, message: 'The record is busy; retry' };
      await expect(waiter).rejects.toMatchObject(busy);
      const waiting =
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
      expect(await sql(url, waiting)).toEqual([]);
    } finally {
      await holder.end();
    }
  });
});

describe('a transaction with limits of its own', () => {
  test.each([
    [undefined, '10s'],
    [1_499.5, '1500ms'],
  ])('limits each statement: %s gives %s', async (statementMs, limit) => {
    const patience = { lockMs: 1_000, idleMs: 1_000, ...(statementMs && { statementMs }) };
    const setting = { text: "select current_setting('statement_timeout') as limit" };
    expect(await db.transaction((tx) => tx.query(setting), patience)).toEqual([{ limit }]);
  });

  test.each([
    [undefined, 5],
    [1, 1],
  ])('limits its attempts: %s gives %i', async (attempts, runs) => {
    let count = 0;
    const work = async () => {
      count++;
      throw changedMeanwhile('it');
    };
    await expect(
      db.transaction(work, { lockMs: 1_000, idleMs: 1_000, ...(attempts && { attempts }) }),
    ).rejects.toThrow('it changed meanwhile');
    expect(count).toBe(runs);
  });
});

describe('a statement', () => {
  test('outside a transaction succeeds only after its commit', async () => {
    await sql(
      url,
      'create table replies (id int primary key, note int references notes (id) deferrable initially deferred)',
    );
    await expect(db.query({ text: 'insert into replies values (1, 99) returning id' })).rejects.toMatchObject(
      {
        code: '23503',
      },
    );
  });

  test('has one text per name', async () => {
    await db.transaction(async (tx) => tx.send({ name: 'named', text: 'select 1' }));
    const second = { name: 'named', text: 'select 2' };
    const single = open(pastPooler(url), { poolSize: 1, namedStatements: true });
    try {
      await single.query({ name: 'named', text: 'select 1' });
      await expect(single.query(second)).rejects.toThrow('two statements are named "named"');
      const both = single.transaction(async (tx) => {
        tx.send({ name: 'other', text: 'select 1' });
        tx.send({ name: 'other', text: 'select 2' });
      });
      await expect(both).rejects.toThrow('two statements are named "other"');
      expect(await single.query({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
    } finally {
      await single.close();
    }
  });

  test.each([
    ['nothing', '', []],
    ['a comment', '-- nothing', []],
  ])('whose text is %s has an empty result', async (_name, text, rows) => {
    expect(await db.query({ text })).toEqual(rows);
    expect(await db.query({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
  });

  test('with COPY is refused, and the connection stays usable', async () => {
    const single = open(url, { poolSize: 1 });
    await expect(single.query({ text: 'copy notes from stdin' })).rejects.toThrow();
    expect(await single.query({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
    await single.close();
  });
});

describe('a statement that is sent without waiting', () => {
  const selectOne = { text: 'select 1 as one' };
  const touch = { text: 'update notes set text = text where id = $1' };
  const raise = (code: string) => ({
    text: `do $$ begin raise exception 'refused' using errcode = '${code}'; end $$`,
  });

  test.each<[string, (tx: Tx) => Promise<unknown>]>([
    ['an awaited one after it', (tx) => tx.query(selectOne)],
    [
      'several after it, sent and awaited',
      (tx) => {
        tx.send(selectOne);
        return tx.query(selectOne);
      },
    ],
    ['the commit alone after it', async () => {}],
  ])('fails the transaction with its own error: %s', async (_name, goOn) => {
    await sql(url, "insert into notes values (1, 'there already')");
    const failed = db.transaction(async (tx) => {
      tx.send(insert, [2, 'before']);
      tx.send(insert, [1, 'twice']);
      await goOn(tx);
    });
    await expect(failed).rejects.toMatchObject({ code: '23505', constraint: 'notes_pkey' });
    expect(await notes()).toEqual([{ id: 1 }]);
    // The connection works again.
    await db.transaction(async (tx) => tx.send(insert, [3, 'later']));
    expect(await notes()).toEqual([{ id: 1 }, { id: 3 }]);
  });

  test('does not hide an error of the transaction itself', async () => {
    const failed = db.transaction(async (tx) => {
      tx.send(raise('23505'));
      await tx.query(selectOne).catch(() => {});
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
  });

  test.each(['40001', '40P01'])('the transaction is retried after %s', async (code) => {
    let runs = 0;
    const answer = await db.transaction(async (tx) => {
      runs++;
      tx.send(insert, [runs, 'a run']);
      if (runs < 3) tx.send(raise(code));
      return tx.query(selectOne);
    });
    expect([answer, runs, await notes()]).toEqual([[{ one: 1 }], 3, [{ id: 3 }]]);
  });

  test('of two transactions in a deadlock one is retried, and both succeed', async () => {
    await sql(url, "insert into notes values (1, 'a'), (2, 'b')");
    let runs = 0;
    let meet: () => void;
    const met = new Promise<void>((resolve) => (meet = resolve));
    const cross = (first: number, second: number) =>
      db.transaction(async (tx) => {
        await tx.query(touch, [first]);
        if (++runs === 2) meet();
        await met;
        tx.send(touch, [second]);
        return tx.query(selectOne);
      });
    expect(await Promise.all([cross(1, 2), cross(2, 1)])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    expect(runs).toBeGreaterThan(2);
  });

  test.each(['53100', '53200'])(
    'a transaction that runs out of space (%s) is a 503, and is rolled back',
    async (code) => {
      const failed = db.transaction(async (tx) => {
        await tx.query(insert, [1, 'a']);
        await tx.query(raise(code));
      });
      await expect(failed).rejects.toMatchObject({ httpStatus: 503 });
      expect(await notes()).toEqual([]);
    },
  );

  test('a lock timeout is a 503, also if another statement reports it', async () => {
    const failed = db.transaction(async (tx) => {
      tx.send(raise('55P03'));
      await tx.query(selectOne);
    });
    const busy = { httpStatus: 503, message: 'The record is busy; retry' };
    await expect(failed).rejects.toMatchObject(busy);
  });
});

describe('over an unreliable network connection', () => {
  let proxy: Server;
  let links: Array<{ from: Socket; to: Socket; swallows: boolean }>;
  let silent: Database;
  let rewrite: (bytes: Buffer) => Buffer;

  beforeEach(async () => {
    links = [];
    rewrite = (bytes) => bytes;
    const { hostname, port } = new URL(pastPooler(url));
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
    silent = open(through.href, { namedStatements: true });
  });
  afterEach(async () => {
    for (const { from, to } of links) for (const socket of [from, to]) socket.destroy();
    proxy.close();
    await silent.close();
  });

  test('a transaction whose BEGIN is refused has no effect, for any statements after it', async () => {
    rewrite = (bytes) =>
      Buffer.from(bytes.toString('latin1').replace('begin\0begin', 'begin\0bogus'), 'latin1');
    const refused = silent.transaction(async (tx) => {
      tx.send(insert, [1, 'with the BEGIN']);
      await new Promise((resolve) => setImmediate(resolve));
      tx.send(insert, [2, 'while it is on its way']);
      await tx.query(insert, [3, 'awaited']).catch(() => {});
      await tx.query(insert, [4, 'after its failure is known']);
    });
    await expect(refused).rejects.toMatchObject({ message: 'syntax error at or near "bogus"' });
    rewrite = (bytes) => bytes;
    expect(await notes()).toEqual([]);
    await silent.transaction((tx) => tx.query(insert, [5, 'in a transaction']));
    expect(await notes()).toEqual([{ id: 5 }]);
  });

  test('a statement that was skipped after a failure is prepared again, also behind a pooler that remembers its name', async () => {
    const said: string[] = [];
    rewrite = (bytes) => {
      said.push(bytes.toString('latin1'));
      return bytes;
    };
    const skipped = { name: 'skipped', text: 'select 7 as seven' };
    const failed = silent.transaction(async (tx) => {
      tx.send({ text: 'select 1 / 0' });
      await tx.query(skipped);
    });
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    said.length = 0;
    expect(await silent.transaction((tx) => tx.query(skipped))).toEqual([{ seven: 7 }]);
    expect(said.join('')).toMatch(/C\0\0\0[\s\S]Sskipped\0P\0\0\0[\s\S]skipped\0/);
    said.length = 0;
    await silent.transaction((tx) => tx.query(skipped));
    expect(said.join('')).not.toContain('Sskipped');
  });

  test('after all connections are dropped silently, one statement times out, and the next one uses new connections', async () => {
    const selectOne = { text: 'select 1 as one', timeoutMs: 500 };
    await Promise.all([
      silent.query(selectOne),
      silent.query(selectOne),
      silent.query(selectOne),
      silent.query(selectOne),
    ]);
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) link.swallows = true;
    await expect(silent.query(selectOne)).rejects.toMatchObject({ httpStatus: 503 });
    expect(await silent.query(selectOne)).toEqual([{ one: 1 }]);
  });
});
