import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { findUndistributed, isCluster } from './citus/distribute.ts';
import { queryableOf, withClient } from './connection.ts';
import type { Queryable } from './database.ts';
import { isRefusedLogin } from './failures.ts';
import { inspectMigrations } from './inspect.ts';
import { migrate } from './migrate.ts';
import {
  canLogIn,
  currentLogin,
  grantToServer,
  isServerReady,
  isVisitor,
  preferIndexes,
  prepareServerLogin,
  setServerPassword,
} from './queries.ts';

/** The server's login in the embedded database; the owner migrates. */
export const SERVER_LOGIN = 'emboss_server';

export interface Prepared {
  /** Names of the migrations applied by this call. */
  applied: string[];
  /** The connection URL of the server. */
  url: string;
  /** The role of its transactions; undefined: the login's own rights. */
  role: string | undefined;
  /** Whether the partitions of the coming months exist. */
  monthsMade: boolean;
  /** Whether the login can neither change the schema nor rewrite ledger and audit. */
  bound: boolean;
}

/**
 * Migrates a database to the newest schema and grants the server's login its rights. With a separate owner, the
 * server's login can only serve. With one login for both, transactions run under a role with fewer rights. If another
 * login owns the schema, this only checks that the schema is up to date.
 */
export async function prepareDatabase(ownerUrl: string, serverUrl = ownerUrl): Promise<Prepared> {
  const prepared = await prepareRights(ownerUrl, serverUrl);
  await withClient(prepared.url, (client) => client.query(preferIndexes));
  return prepared;
}

async function prepareRights(ownerUrl: string, serverUrl: string): Promise<Prepared> {
  if (await readValue(ownerUrl, isVisitor)) {
    await requireNewest(ownerUrl);
    return { applied: [], url: ownerUrl, role: undefined, monthsMade: true, bound: true };
  }
  const { applied, role, monthsMade } = await migrate(ownerUrl);
  const owner = await readValue<string>(ownerUrl, currentLogin);
  const login = await readValue<string>(serverUrl, currentLogin);
  if (owner === login) {
    await withClient(ownerUrl, (client) => requireLogin(queryableOf(client), role));
    return { applied, url: serverUrl, role, monthsMade, bound: false };
  }
  await admit(ownerUrl, login);
  return { applied, url: serverUrl, role: undefined, monthsMade, bound: true };
}

/** The same for the embedded database. It creates the server's login; its password is derived from the owner's. */
export async function prepareEmbedded(ownerUrl: string): Promise<Prepared> {
  const { applied, monthsMade } = await migrate(ownerUrl);
  const url = new URL(ownerUrl);
  const password = createHmac('sha256', url.password).update(SERVER_LOGIN).digest('base64url');
  url.username = SERVER_LOGIN;
  url.password = password;
  await withClient(ownerUrl, (client) => client.query(prepareServerLogin(SERVER_LOGIN, verifier(password))));
  await admit(ownerUrl, SERVER_LOGIN);
  await readValue(url.href, currentLogin).catch(async (error) => {
    // The owner's password has changed, and with it the derived password.
    if (!isRefusedLogin(error)) throw error;
    await withClient(ownerUrl, (client) => client.query(setServerPassword(SERVER_LOGIN, verifier(password))));
  });
  return { applied, url: url.href, role: undefined, monthsMade, bound: true };
}

/** A cluster queries its other nodes as the role of the transaction. */
async function requireLogin(db: Queryable, role: string | undefined): Promise<void> {
  if (role === undefined || !(await isCluster(db))) return;
  const [row] = await db.query<{ value: boolean }>(canLogIn, [role]);
  if (!row?.value) throw new Error(ONE_LOGIN);
}

const ONE_LOGIN =
  "on a cluster the server needs a login of its own, which exists on every node: set MIGRATION_DATABASE_URL to the owner's login and DATABASE_URL to the server's";

/** For a login that cannot change the schema: the owner must have migrated it. */
async function requireNewest(url: string): Promise<void> {
  const { pending, edited } = await withClient(url, (client) => inspectMigrations(queryableOf(client)));
  if (edited.length > 0)
    throw new Error(`migrations were edited after they were applied: ${edited.join(', ')}`);
  if (pending.length > 0)
    throw new Error(
      `the schema is out of date (${pending.join(', ')}), and this login cannot change it: run "emboss migrate" with MIGRATION_DATABASE_URL set to the owner's login`,
    );
  const undistributed = await withClient(url, (client) => findUndistributed(queryableOf(client)));
  if (undistributed.length > 0)
    throw new Error(
      `these tables are not distributed: ${undistributed.join(', ')}; run "emboss cluster distribute" with MIGRATION_DATABASE_URL set to the owner's login`,
    );
}

/** Checked at every start, because grants are lost when a database is restored elsewhere. */
const admit = (ownerUrl: string, login: string): Promise<void> =>
  withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ value: boolean }>(isServerReady(login));
    if (!rows[0]?.value) await client.query(grantToServer(login));
  });

const readValue = <Value>(url: string, query: string): Promise<Value> =>
  withClient(url, async (client) => (await client.query<{ value: Value }>(query)).rows[0]?.value as Value);

const ITERATIONS = 4_096;

/**
 * The form in which PostgreSQL stores a password (SCRAM). It is sent instead of the password, so that no statement and
 * no log contains the password.
 */
function verifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyFor = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(keyFor('Client Key')).digest('base64');
  const serverKey = keyFor('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
