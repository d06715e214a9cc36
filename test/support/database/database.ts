import { randomBytes } from 'node:crypto';
import { setImmediate as afterArrivals } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { readyApplicationRole } from '../../../src/db/application-role.ts';
import { preferIndexes } from '../../../src/db/queries.ts';
import { isCitusRun } from './on-citus.ts';

export const TEMPLATE = 'emboss_template';

/** The run has none if only files of the project `unit` are in it. */
function serverOfTheRun(): string {
  const url: string | undefined = inject('serverUrl');
  if (url) return url;
  throw new Error('a test of the project "unit" has no PostgreSQL: import database.ts statically');
}

/** A fresh database with the newest schema and nothing in it. */
export const freshDatabase = async (): Promise<string> => newDatabase(serverOfTheRun(), TEMPLATE);

async function newDatabase(serverUrl: string, template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await createDatabase(serverUrl, name, template);
  // Nodes are queried as the role of transactions, so it can log in; an administrator creates it so.
  if (isCitusRun()) await sql(serverUrl, `create role emboss_app_${name} login`);
  return urlOf(inject('databasesUrl'), name);
}

/** Another database with all that is in this one, to which no app may be connected: cheaper than to fill it again. */
export async function cloneDatabase(url: string): Promise<string> {
  const serverUrl = serverOfTheRun();
  const template = new URL(url).pathname.slice(1);
  // Connections that are kept, by us or by a pooler.
  const end = 'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1';
  await sql(serverUrl, end, [template]);
  return newDatabase(serverUrl, template);
}

/** False behind a pooler that cannot keep prepared statements apart. */
export const namedStatements = (): boolean => process.env['TEST_NAMED_STATEMENTS'] !== 'false';

/** A pooler keeps connections for others after their client has ended. */
export const isPooled = (): boolean => inject('databasesUrl') !== inject('serverUrl');

/** The same database with nothing in between: for what is about the sessions themselves. */
export const pastPooler = (url: string): string => urlOf(inject('serverUrl'), new URL(url).pathname.slice(1));

/** The environment that a server or command of its own needs in this run. */
export const runSettings = (): Record<string, string> =>
  namedStatements() ? {} : { DATABASE_NAMED_STATEMENTS: 'false' };

export async function createDatabase(serverUrl: string, name: string, template = 'template1'): Promise<void> {
  // The strategy file_copy would make two checkpoints, and after one each page is written to the WAL as a whole again.
  await sql(serverUrl, `create database ${name} template ${template} strategy wal_log`);
}

/** The role of the transactions of a server on this database, prepared as at a start of the server. */
export async function applicationRole(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(preferIndexes);
    return await readyApplicationRole(client);
  } finally {
    await client.end();
  }
}

export function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** A statement on a new connection needs forty times the CPU of one on a connection that is kept. */
const kept: Array<{ url: string; client: pg.Client }> = [];
const MOST_KEPT = 6;

/** Connections that ended: with their database, or because a test ended them. */
const forget = (client: pg.Client): void => {
  const index = kept.findIndex((each) => each.client === client);
  if (index >= 0) kept.splice(index, 1);
};

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // A lost connection fails the statement; without a listener it would also end the process.
  client.on('error', () => forget(client));
  client.on('end', () => forget(client));
  await client.connect();
  return client;
}

/** The driver's types leave it out. */
const life = (client: pg.Client) => client as unknown as { ref(): void; unref(): void };

/** One statement on a connection that only these share, without the code of the product. */
export const sql = <Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> => onKept(url, async (client) => (await client.query<Row>(text, values)).rows);

/** Statements on one of those connections. They leave it as it was, or fail. */
export async function onKept<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  // The end of a connection that a test has just ended arrives first.
  await afterArrivals();
  const index = kept.findLastIndex((each) => each.url === url);
  const client = index < 0 ? await connect(url) : (kept.splice(index, 1)[0] as (typeof kept)[number]).client;
  life(client).ref();
  try {
    const result = await work(client);
    const oldest = kept.push({ url, client }) > MOST_KEPT ? kept.shift()?.client : undefined;
    await oldest?.end();
    // It does not keep a process that is done.
    life(client).unref();
    return result;
  } catch (error) {
    // It may be left in a transaction.
    await client.end();
    throw error;
  }
}
