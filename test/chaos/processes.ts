import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, chownSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pathInside } from '../../src/db/embedded/cluster.ts';
import { findPostmaster } from '../../src/db/embedded/postmaster.ts';
import { SERVER_LOGIN } from '../../src/db/server-login.ts';
import { allowMoves } from '../support/database/citus.ts';
import { sql } from '../support/database/database.ts';
import { ROOT } from '../support/scripts/sources.ts';
import { familyOf, signal } from './family.ts';
import { now } from './history.ts';
import { NODES, type ProcessName } from './plan.ts';
import type { Room } from './room.ts';

/** The processes of a run, each with what starts it, and a keeper that starts again what ends. */

/** One of a process's lives: when it was started, when it was ready, when it ended and by what. */
export interface Life {
  name: ProcessName;
  startedAt: number;
  readyAt: number | undefined;
  endedAt: number | undefined;
  end: string | number | undefined;
}

export interface Keeper {
  lives: Life[];
  start(name: ProcessName, launch: Launch): void;
  ready(name: ProcessName): Promise<void>;
  /** Ends all for good. */
  close(): Promise<void>;
}

export interface Launch {
  spawn: () => ChildProcess;
  isReady: (output: string) => boolean | Promise<boolean>;
}

const RESTART_PAUSE_MS = 100;
const LOOK_EVERY_MS = 20;

/** As a service manager does: whatever ends is started again, and its pid is in a file for the nemesis to find. */
export function createKeeper({ dir, postgres }: Room): Keeper {
  const lives: Life[] = [];
  const running = new Map<ProcessName, ChildProcess>();
  const current = new Map<ProcessName, Life>();
  let closing = false;

  async function keep(name: ProcessName, { spawn: launch, isReady }: Launch): Promise<void> {
    while (!closing) {
      const life: Life = { name, startedAt: now(), readyAt: undefined, endedAt: undefined, end: undefined };
      const child = launch();
      lives.push(life);
      running.set(name, child);
      current.set(name, life);
      writeFileSync(join(dir, 'pids', name), String(child.pid));
      let output = '';
      child.stdout?.on('data', (chunk) => {
        output += chunk;
      });
      child.stderr?.on('data', (chunk) => appendFileSync(join(dir, 'logs', name), chunk));
      const ended = new Promise<void>((done) => {
        child.once('exit', (code, signal) => {
          Object.assign(life, { endedAt: now(), end: signal ?? code ?? undefined });
          done();
        });
      });
      while (life.endedAt === undefined && !(await isReady(output))) await pause(LOOK_EVERY_MS);
      if (life.endedAt === undefined) {
        life.readyAt = now();
        writeFileSync(join(dir, 'ready', name), '');
      }
      await ended;
      rmSync(join(dir, 'ready', name), { force: true });
      await pause(RESTART_PAUSE_MS);
    }
  }

  const keeping: Promise<void>[] = [];
  return {
    lives,
    start: (name, launch) => void keeping.push(keep(name, launch)),
    ready: async (name) => {
      for (;;) {
        const life = current.get(name);
        if (life?.readyAt !== undefined && life.endedAt === undefined) return;
        await pause(LOOK_EVERY_MS);
      }
    },
    close: async () => {
      closing = true;
      const isPostgres = (name: ProcessName) => postgres.some((one) => one.name === name);
      // PostgreSQL last, so that nobody complains on the way. Paused, it would not hear that it is to end.
      for (const [name, child] of running) if (!isPostgres(name)) child.kill('SIGKILL');
      for (const [name, child] of running) {
        if (!isPostgres(name)) continue;
        if (child.pid) signal(familyOf(child.pid), 'SIGCONT');
        child.kill('SIGQUIT');
      }
      await Promise.all(keeping);
    },
  };
}

const environment = ({ dir, shim }: Room, name: ProcessName): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  TZ: 'UTC',
  ...(shim && { LD_PRELOAD: shim, CHAOS_CONTROL: join(dir, 'controls', name) }),
});

export function launchPostgres(room: Room, { name, files, url }: Room['postgres'][number]): Launch {
  const { ports, dir } = room;
  const settings = Object.entries(files.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return {
    spawn: () => {
      // Takes a stale pid file away, as the product's own keeper does.
      findPostmaster(files.dir);
      const log = openSync(join(dir, 'logs', name), 'a');
      if (files.runAs) chownSync(join(dir, 'logs', name), files.runAs.uid, files.runAs.gid);
      const args = ['-D', pathInside(files), '-p', String(ports[name]), ...settings];
      return spawn(join(files.binaries, 'bin/postgres'), args, {
        ...files.runAs,
        cwd: files.dir,
        env: { LC_ALL: 'C', ...environment(room, name) },
        detached: true,
        stdio: ['ignore', log, log],
      });
    },
    isReady: () => answers(url),
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

export interface Keys {
  merchant: string;
  network: string;
  master: string;
}

export const newKeys = (): Keys => ({
  merchant: `chaos-merchant-${randomBytes(12).toString('hex')}`,
  network: `chaos-network-${randomBytes(12).toString('hex')}`,
  master: randomBytes(32).toString('base64'),
});

const roleSettings = (room: Room, keys: Keys, databaseUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  ...(room.cluster && { MIGRATION_DATABASE_URL: asOwner(room, databaseUrl) }),
  DATA_DIR: join(room.disk, 'files'),
  EMBOSS_MASTER_KEY: keys.master,
  EMBOSS_SANDBOX_API_KEY: keys.merchant,
  EMBOSS_SANDBOX_NETWORK_KEY: keys.network,
  LOG_LEVEL: 'warn',
  // All clients come from one address, and with numbers and keys that were good a moment ago.
  WRONG_KEYS_PER_MINUTE: '0',
  GUESSES_PER_MERCHANT: '0',
  KEY_REVEALS_PER_MINUTE: '0',
});

function asOwner({ databaseUrl }: Room, url: string): string {
  const { host } = new URL(url);
  return Object.assign(new URL(databaseUrl), { host }).href;
}

/** Of commands, which go to the database past the nemesis. */
export const commandSettings = (room: Room, keys: Keys): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  ...roleSettings(room, keys, room.serverUrl),
});

export async function runCommand(
  release: string,
  args: string[],
  env: Record<string, string>,
  input = '',
): Promise<void> {
  const command = [join(release, 'bin/emboss.mjs'), ...args];
  const child = spawn(process.execPath, command, { env, stdio: ['pipe', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`emboss ${args.join(' ')} ended with ${code}: ${complaint}`);
}

const SHARDS = 4;

/** As docs/cluster.md describes. The nodes know each other by the address of the nemesis. */
export async function formCluster(room: Room, keys: Keys, links: Record<string, string>): Promise<void> {
  for (const { url } of room.postgres) {
    await allowMoves(url);
    await sql(url, `create role ${SERVER_LOGIN} login`);
    await sql(url, 'create extension citus');
  }
  const ports = NODES.map((name) => new URL(links[`cluster to ${name}`] as string).port);
  await sql(room.databaseUrl, `select citus_set_coordinator_host('127.0.0.1', ${room.ports.postgres})`);
  for (const port of ports) await sql(room.databaseUrl, `select citus_add_node('127.0.0.1', ${port})`);
  const settings = commandSettings(room, keys);
  await runCommand(room.release, ['migrate'], settings);
  await runCommand(room.release, ['cluster', 'distribute', '--shards', String(SHARDS)], settings);
}

const plantedIn = ({ planted }: Room): string[] =>
  planted
    ? ['node_modules/tsx/dist/loader.mjs', 'test/chaos/plant.ts'].flatMap((path) => [
        '--import',
        join(ROOT, path),
      ])
    : [];

/** `databaseUrl` leads through the nemesis. */
export const launchRole = (
  room: Room,
  name: ProcessName,
  keys: Keys,
  {
    databaseUrl,
    namedStatements,
    publicUrl,
  }: { databaseUrl: string; namedStatements: boolean; publicUrl: string },
): Launch => ({
  spawn: () =>
    spawn(process.execPath, [...plantedIn(room), join(room.release, 'bin/emboss.mjs'), 'start'], {
      cwd: room.dir,
      env: {
        ...environment(room, name),
        ...(room.planted && { CHAOS_PLANTED: room.planted, CHAOS_RELEASE: room.release }),
        ...roleSettings(room, keys, databaseUrl),
        EMBOSS_ROLES: name.startsWith('worker') ? 'worker' : 'api',
        PORT: String(room.ports[name]),
        PUBLIC_URL: publicUrl,
        DATABASE_NAMED_STATEMENTS: String(namedStatements),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  isReady: (output) => /^ready /m.test(output),
});

export const launchReceiver = (room: Room, seed: number): Launch => ({
  spawn: () => {
    const program = join(ROOT, 'test/chaos/receiver.ts');
    const args = [
      '--import',
      'tsx',
      program,
      String(room.ports.receiver),
      join(room.dir, 'received.jsonl'),
      String(seed),
    ];
    return spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  },
  isReady: (output) => output.includes('ready'),
});
