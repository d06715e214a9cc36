import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { isRefusedLogin } from './failures.ts';
import { inspectMigrations } from './inspect.ts';
import { connect, migrate } from './migrate.ts';
import {
  currentLogin,
  grantToServer,
  isServerReady,
  isVisitor,
  preferIndexes,
  prepareServerLogin,
  setServerPassword,
} from './queries.ts';

/** Of the embedded database, beside the owner that migrates. */
export const SERVER_LOGIN = 'emboss_server';

export interface Prepared {
  /** Names of the migrations that were applied just now. */
  applied: string[];
  /** What the server logs in with. */
  url: string;
  /** What its transactions run as; undefined: with the login's own rights. */
  role: string | undefined;
  /** Whether the coming months of transactions could be made. */
  monthsMade: boolean;
  /** Whether the login can neither change the schema nor rewrite ledger and audit. */
  bound: boolean;
}

/**
 * Brings a database to the newest schema, and the server's login to its rights. With a login of its own for migrations
 * the server's can do nothing but serve. With one for both, transactions take on a role with fewer rights. And one that
 * others have made ready is only looked at.
 */
export async function prepareDatabase(ownerUrl: string, serverUrl = ownerUrl): Promise<Prepared> {
  const prepared = await prepareRights(ownerUrl, serverUrl);
  await withClient(prepared.url, (client) => client.query(preferIndexes));
  return prepared;
}

async function prepareRights(ownerUrl: string, serverUrl: string): Promise<Prepared> {
  if (await ask(ownerUrl, isVisitor)) {
    await requireNewest(ownerUrl);
    return { applied: [], url: ownerUrl, role: undefined, monthsMade: true, bound: true };
  }
  const { applied, role, monthsMade } = await migrate(ownerUrl);
  const owner = await ask<string>(ownerUrl, currentLogin);
  const login = await ask<string>(serverUrl, currentLogin);
  if (owner === login) return { applied, url: serverUrl, role, monthsMade, bound: false };
  await admit(ownerUrl, login);
  return { applied, url: serverUrl, role: undefined, monthsMade, bound: true };
}

/** The same for a database of our own, where the server's login is made. Its password follows from the owner's. */
export async function prepareEmbedded(ownerUrl: string): Promise<Prepared> {
  const { applied, monthsMade } = await migrate(ownerUrl);
  const url = new URL(ownerUrl);
  const password = createHmac('sha256', url.password).update(SERVER_LOGIN).digest('base64url');
  url.username = SERVER_LOGIN;
  url.password = password;
  await withClient(ownerUrl, (client) => client.query(prepareServerLogin(SERVER_LOGIN, verifier(password))));
  await admit(ownerUrl, SERVER_LOGIN);
  await ask(url.href, currentLogin).catch(async (error) => {
    // The owner's password was changed since.
    if (!isRefusedLogin(error)) throw error;
    await withClient(ownerUrl, (client) => client.query(setServerPassword(SERVER_LOGIN, verifier(password))));
  });
  return { applied, url: url.href, role: undefined, monthsMade, bound: true };
}

/** For a login that may not change the schema: somebody else must have. */
async function requireNewest(url: string): Promise<void> {
  const { pending, edited } = await withClient(url, (client) =>
    inspectMigrations({ query: async ({ text }) => (await client.query(text)).rows }),
  );
  if (edited.length > 0)
    throw new Error(`migrations were edited after they were applied: ${edited.join(', ')}`);
  if (pending.length > 0)
    throw new Error(
      `the schema is out of date (${pending.join(', ')}), and this login cannot change it: run "emboss migrate" with MIGRATION_DATABASE_URL set to the owner's login`,
    );
}

/** Looked after at every start, since rights get lost when a database is restored elsewhere. */
const admit = (ownerUrl: string, login: string): Promise<void> =>
  withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ value: boolean }>(isServerReady(login));
    if (!rows[0]?.value) await client.query(grantToServer(login));
  });

const ask = <Value>(url: string, question: string): Promise<Value> =>
  withClient(url, async (client) => (await client.query<{ value: Value }>(question)).rows[0]?.value as Value);

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await connect(url);
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

const ITERATIONS = 4_096;

/** What PostgreSQL keeps of a password. Sent in its place, so that the password is in no statement and in no log. */
function verifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyFor = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(keyFor('Client Key')).digest('base64');
  const serverKey = keyFor('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
