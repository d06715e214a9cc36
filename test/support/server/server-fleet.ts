import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CARDS, consumerCard } from '../cards/cards.ts';
import { sql } from '../database/database.ts';
import { freePort } from './free-port.ts';
import { MERCHANT_KEY, type ServerProcess, spawnServer } from './server-process.ts';

const NETWORK_KEY = 'network-key-of-the-fleet';
const NETWORK = '/api/v1/network/';

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
  body: any;
}

export interface Credentials {
  number: string;
  cvv: string;
  /** `YYYY-MM`, as the network writes it. */
  expiry: string;
}

/** Several processes of the real server on one database; the caller chooses one. */
export interface Fleet {
  databaseUrl: string;
  size: number;
  urlOf(index: number): string;
  /** False from the moment a server is killed until it is ready again. */
  isUp(index: number): boolean;
  network(index: number, path: string, body: object): Promise<Reply>;
  merchant(index: number, method: string, path: string, body?: object, key?: string): Promise<Reply>;
  /** Kills the process, then starts it again on its port. */
  killAndRestart(index: number): Promise<void>;
  /** Kills them all; after it, none of their transactions is in progress. */
  close(): Promise<void>;
}

/** The servers' transactions wait for each other's locks, so a `size` of 1 differs from 3. */
export async function startFleet(
  size: number,
  databaseUrl: string,
  settings: Record<string, string> = {},
): Promise<Fleet> {
  const env = {
    DATABASE_URL: databaseUrl,
    EMBOSS_MASTER_KEY: randomBytes(32).toString('base64'),
    EMBOSS_SANDBOX_NETWORK_KEY: NETWORK_KEY,
    LOG_LEVEL: 'warn',
    ...settings,
  };
  const ports = await freePorts(size);
  const servers: ServerProcess[] = [];
  const up: boolean[] = [];
  /** As a supervisor does: one that ends because the database is away is started again. */
  const start = async (index: number): Promise<void> => {
    do {
      servers[index] = spawnServer(ports[index] as number, env);
      up[index] = await becomesReady(servers[index]);
    } while (!up[index]);
  };
  const call = async (index: number, method: string, path: string, headers: object, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${ports[index]}${path}`, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.kill('SIGKILL')));
    await untilUnused(databaseUrl);
  };
  try {
    // The first start makes the program; the others find it.
    await start(0);
    await Promise.all(ports.slice(1).map((_, index) => start(index + 1)));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    databaseUrl,
    size,
    urlOf: (index) => `http://127.0.0.1:${ports[index]}`,
    isUp: (index) => up[index] === true,
    network: (index, path, body) =>
      call(index, 'POST', NETWORK + path, { 'x-network-key': NETWORK_KEY }, body),
    merchant: (index, method, path, body, key) => {
      const headers = { 'x-payments-api-key': MERCHANT_KEY, ...(key && { 'idempotency-key': key }) };
      return call(index, method, path, headers, body);
    },
    killAndRestart: async (index) => {
      up[index] = false;
      await servers[index]?.kill('SIGKILL');
      await start(index);
    },
    close,
  };
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** False: the database does not answer. */
async function becomesReady(server: ServerProcess): Promise<boolean> {
  for (;;) {
    const answer = await fetch(`${server.url}/health/ready`).catch(() => undefined);
    if (answer?.ok) return true;
    const end = server.child.exitCode ?? server.child.signalCode;
    if (end !== null && /the database does not respond/.test(server.stderr())) return false;
    if (end !== null) throw new Error(`the server ended with ${end}: ${server.stderr()}`);
    await pause(20);
  }
}

/**
 * PostgreSQL ends the transactions of a killed server a moment later. This query has an application name of its own,
 * because a pooler would give it a session of the killed server, and keep that session in use.
 */
async function untilUnused(databaseUrl: string): Promise<void> {
  const observer = new URL(databaseUrl);
  observer.searchParams.set('application_name', 'fleet');
  const sessions =
    "select from pg_stat_activity where datname = current_database() and application_name = 'emboss'";
  while ((await sql(observer.href, sessions)).length > 0) await pause(20);
}

export async function addCard(
  fleet: Fleet,
  changes: Record<string, unknown> = {},
): Promise<{ id: string; credentials: Credentials }> {
  const { status, body } = await fleet.merchant(0, 'POST', CARDS, consumerCard(changes));
  if (status !== 201) throw new Error(`card not created: ${JSON.stringify(body)}`);
  return { id: body.id, credentials: await revealCredentials(fleet, 0, body.id) };
}

export async function revealCredentials(fleet: Fleet, index: number, cardId: string): Promise<Credentials> {
  const { status, body } = await fleet.merchant(index, 'GET', `${CARDS}${cardId}/credentials/`);
  if (status !== 200) throw new Error(`no credentials: ${JSON.stringify(body)}`);
  return { number: body.cardNumber, cvv: body.cvv, expiry: body.expiryDate.slice(0, 7) };
}

/** A purchase of some euros in a shop. */
export const purchase = (id: string, { number, expiry }: Credentials, amount: string) => ({
  external_transaction_id: id,
  card_number: number,
  expiry,
  amount,
  currency: 'EUR',
  channel: 'POS',
  merchant: { id: 'shop-1', name: 'Corner Shop', mcc: '5411', city: 'London', country: 'GBR' },
});
