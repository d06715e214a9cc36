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

/** Several processes of the real server on one database, behind nothing: whoever calls chooses one. */
export interface Fleet {
  databaseUrl: string;
  size: number;
  urlOf(place: number): string;
  /** False from the moment a server is killed until it is ready again. */
  isUp(place: number): boolean;
  network(place: number, path: string, body: object): Promise<Reply>;
  merchant(place: number, method: string, path: string, body?: object, key?: string): Promise<Reply>;
  /** Takes the process away without warning, then starts it again on its port. */
  killAndRestart(place: number): Promise<void>;
  /** Kills them all; when it is done, nobody of them moves anything any more. */
  close(): Promise<void>;
}

/** The servers' transactions meet real locks, so `size` of 1 and of 3 are different worlds. */
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
  const start = async (place: number): Promise<void> => {
    do {
      servers[place] = spawnServer(ports[place] as number, env);
      up[place] = await becomesReady(servers[place]);
    } while (!up[place]);
  };
  const call = async (place: number, method: string, path: string, headers: object, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${ports[place]}${path}`, {
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
    await Promise.all(ports.slice(1).map((_, place) => start(place + 1)));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    databaseUrl,
    size,
    urlOf: (place) => `http://127.0.0.1:${ports[place]}`,
    isUp: (place) => up[place] === true,
    network: (place, path, body) =>
      call(place, 'POST', NETWORK + path, { 'x-network-key': NETWORK_KEY }, body),
    merchant: (place, method, path, body, key) => {
      const headers = { 'x-payments-api-key': MERCHANT_KEY, ...(key && { 'idempotency-key': key }) };
      return call(place, method, path, headers, body);
    },
    killAndRestart: async (place) => {
      up[place] = false;
      await servers[place]?.kill('SIGKILL');
      await start(place);
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
 * What a killed server had under way is finished or undone by PostgreSQL, a moment later. Who asks has a name of his own:
 * a pooler would lend him a session of the dead, with their name on it, and keep it for as long as he asks.
 */
async function untilUnused(databaseUrl: string): Promise<void> {
  const asking = new URL(databaseUrl);
  asking.searchParams.set('application_name', 'fleet');
  const sessions =
    "select from pg_stat_activity where datname = current_database() and application_name = 'emboss'";
  while ((await sql(asking.href, sessions)).length > 0) await pause(20);
}

export async function addCard(
  fleet: Fleet,
  changes: Record<string, unknown> = {},
): Promise<{ id: string; credentials: Credentials }> {
  const { status, body } = await fleet.merchant(0, 'POST', CARDS, consumerCard(changes));
  if (status !== 201) throw new Error(`card not created: ${JSON.stringify(body)}`);
  return { id: body.id, credentials: await revealCredentials(fleet, 0, body.id) };
}

export async function revealCredentials(fleet: Fleet, place: number, cardId: string): Promise<Credentials> {
  const { status, body } = await fleet.merchant(place, 'GET', `${CARDS}${cardId}/credentials/`);
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
