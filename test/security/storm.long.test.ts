import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readKept } from '../fuzz/memory.ts';
import { keptMb } from '../fuzz/stage.ts';
import { eventually } from '../support/scripts/eventually.ts';
import { seededRandom } from '../support/scripts/random.ts';
import { ROOT } from '../support/scripts/sources.ts';
import { freePort } from '../support/server/free-port.ts';
import {
  endAll,
  MERCHANT_KEY,
  ownDatabase,
  type ServerProcess,
  spawnServer,
} from '../support/server/server-process.ts';
import { rawExchange } from '../support/server/wire.ts';
import { play } from './storm/play.ts';
import { type Script, scriptWriter } from './storm/script.ts';

/**
 * Reset, half-close, abort and garbage at every state of a connection: the process lives, and memory and sockets return
 * to where they were. `STORM_SEED` repeats a run; the long form is `STORM_CONNECTIONS=10000`.
 */
const SEED = Number(process.env['STORM_SEED'] ?? randomInt(2 ** 31));
/** Half of them to each process. */
const CONNECTIONS = Number(process.env['STORM_CONNECTIONS'] ?? 1_500) / 2;
const AT_ONCE = 64;
/** Requests to the health endpoint by each client: after them the server has accepted all earlier connections. */
const LOOK_EVERY = 8;
const WARM_UP = 300;
const MOST_GROWTH_MB = 8;
const SHOWN = 5;
const COLLECT_GARBAGE = pathToFileURL(join(ROOT, 'bench/collect-garbage.mjs')).href;

const servers: Partial<Record<'api' | 'worker', ServerProcess>> = {};
beforeAll(async () => {
  process.stdout.write(`the storm's seed is ${SEED}\n`);
  const env = {
    ...(await ownDatabase()),
    LOG_LEVEL: 'error',
    // All of the storm comes from one address.
    ANONYMOUS_REQUESTS_PER_MINUTE: '0',
  };
  for (const role of ['api', 'worker'] as const) {
    const nodeOptions = ['--expose-gc', '--import', COLLECT_GARBAGE];
    const settings = { ...env, EMBOSS_ROLES: role };
    servers[role] = spawnServer(await freePort(), settings, undefined, nodeOptions);
    await servers[role].ready();
  }
});
afterAll(endAll);

const hasEnded = ({ child }: ServerProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Connections to the server's port that the process still has. */
function openConnections({ child, url }: ServerProcess): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const lines = readFileSync(`/proc/${child.pid}/net/tcp`, 'utf8').split('\n');
  const LISTENING = '0A';
  const inodes = new Set(
    lines
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => local?.endsWith(`:${port}`) && state !== LISTENING)
      .map((columns) => `socket:[${columns[9]}]`),
  );
  return openFiles(child.pid as number).filter((link) => inodes.has(link)).length;
}

const openFiles = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${name}`)];
    } catch {
      // Closed since the directory was read.
      return [];
    }
  });

async function storm(server: ServerProcess, next: () => Script, count: number): Promise<void> {
  const port = Number(new URL(server.url).port);
  const last: Script[] = [];
  let begun = 0;
  let answered = 0;
  const work = async () => {
    for (let index = 1; begun < count && !hasEnded(server); index++) {
      begun++;
      if (index % LOOK_EVERY === 0) await rawExchange(server.url, LIVE).catch(() => {});
      const script = next();
      last.push(script);
      if (last.length > AT_ONCE + SHOWN) last.shift();
      if ((await play(port, script)) > 0) answered++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const scripts = () => last.map((script) => JSON.stringify(script, shorten)).join('\n');
  if (hasEnded(server))
    throw new Error(
      `the server ended after ${begun} connections (seed ${SEED}): ${server.stderr().slice(-2000)}\n${scripts()}`,
    );
  // Else it was no storm.
  expect(answered).toBeGreaterThan(count / 5);
}

const shorten = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > 200 ? `${value.slice(0, 200)}… ${value.length}` : value;

describe.each(['api', 'worker'] as const)('a process of role %s', (role) => {
  const server = () => servers[role] as ServerProcess;

  test(`survives ${CONNECTIONS} connections of a storm and keeps nothing of them`, {
    timeout: 180_000,
  }, async () => {
    const next = scriptWriter(seededRandom(SEED), MERCHANT_KEY);
    await storm(server(), next, WARM_UP);
    const kept = {
      collectGarbage: () => void server().child.kill('SIGUSR2'),
      keptMb: () => keptMb(server().url),
      hasEnded: () => hasEnded(server()),
    };
    const beforeMb = await readKept(kept);
    // The connection of the metrics request may stay open.
    const openBefore = openConnections(server());
    await storm(server(), next, CONNECTIONS);
    expect((await rawExchange(server().url, LIVE)).status).toBe(200);
    await eventually(() => expect(openConnections(server())).toBeLessThanOrEqual(openBefore));
    const afterMb = await readKept(kept);
    process.stdout.write(
      `${role}: ${beforeMb.toFixed(1)} MB before, ${afterMb.toFixed(1)} MB after the storm\n`,
    );
    expect(afterMb - beforeMb).toBeLessThan(MOST_GROWTH_MB);
    // A client that goes away is no fault of the server's.
    expect(server().stderr().slice(0, 2_000)).toBe('');
  });
});

const LIVE = 'GET /health/live HTTP/1.1\r\nhost: emboss.test\r\nconnection: close\r\n\r\n';
