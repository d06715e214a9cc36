import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Queryable, Statement } from './database.ts';
import { isStartingUp } from './failures.ts';
import { propertyName } from './property-name.ts';

/** A single connection without the pool, for the commands that prepare, migrate and inspect a database. */

const START_PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 200;

/** Waits for a database that is starting; fails immediately if there is none. */
export async function connect(url: string): Promise<pg.Client> {
  const deadline = performance.now() + START_PATIENCE_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url, application_name: 'emboss migrate' });
    // A lost connection fails the current statement; without a listener it would also end the process.
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (!isStartingUp(error) || performance.now() > deadline) throw error;
      await pause(LOOK_EVERY_MS);
    }
  }
}

/** A connection that is closed when the work has ended. */
export async function withClient<Result>(
  url: string,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect(url);
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** The statements of one connection. */
export const queryableOf = (client: pg.Client): Queryable => ({
  query: async <Row>(statement: Statement | string, values: readonly unknown[] = []) => {
    const text = typeof statement === 'string' ? statement : statement.text;
    const { rows } = await client.query(text, [...values]);
    return rows.map(withPropertyNames) as Row[];
  },
});

const withPropertyNames = (row: pg.QueryResultRow): pg.QueryResultRow =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [propertyName(column), value]));
