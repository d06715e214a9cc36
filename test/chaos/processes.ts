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
import type { Workspace } from './workspace.ts';

/** The processes of a run, and a keeper that restarts those that end. */

/** One run of a process: when it was started, when it was ready, when it ended and by what. */
export interface ProcessRun {
  name: ProcessName;
  startedAt: number;
  readyAt: number | undefined;
  endedAt: number | undefined;
  end: string | number | undefined;
}

export interface Keeper {
  processRuns: ProcessRun[];
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

/** As a service manager does: a process that ends is started again. Its pid is in a file, for the fault injector. */
export function createKeeper({ dir, postgres }: Workspace): Keeper {
  const processRuns: ProcessRun[] = [];
  const running = new Map<ProcessName, ChildProcess>();
  const current = new Map<ProcessName, ProcessRun>();
  let closing = false;

  async function keep(name: ProcessName, { spawn: launch, isReady }: Launch): Promise<void> {
    while (!closing) {
      const processRun: ProcessRun = {
        name,
        startedAt: now(),
        readyAt: undefined,
        endedAt: undefined,
        end: undefined,
      };
      const child = launch();
      processRuns.push(processRun);
      running.set(name, child);
      current.set(name, processRun);
      writeFileSync(join(dir, 'pids', name), String(child.pid));
      let output = '';
      child.stdout?.on('data', (chunk) => {
        output += chunk;
      });
      child.stderr?.on('data', (chunk) => appendFileSync(join(dir, 'logs', name), chunk));
      const ended = new Promise<void>((done) => {
        child.once('exit', (code, signal) => {
          Object.assign(processRun, { endedAt: now(), end: signal ?? code ?? undefined });
          done();
        });
      });
      while (processRun.endedAt === undefined && !(await isReady(output))) await pause(LOOK_EVERY_MS);
      if (processRun.endedAt === undefined) {
        processRun.readyAt = now();
        writeFileSync(join(dir, 'ready', name), '');
      }
      await ended;
      rmSync(join(dir, 'ready', name), { force: true });
      await pause(RESTART_PAUSE_MS);
    }
  }

  const keeping: Promise<void>[] = [];
  return {
    processRuns,
    start: (name, launch) => void keeping.push(keep(name, launch)),
    ready: async (name) => {
      for (;;) {
        const processRun = current.get(name);
        if (processRun?.readyAt !== undefined && processRun.endedAt === undefined) return;
        await pause(LOOK_EVERY_MS);
      }
    },
    close: async () => {
      closing = true;
      const isPostgres = (name: ProcessName) => postgres.some((one) => one.name === name);
      // PostgreSQL last, so that no process logs its loss. A paused one would not react to the signal.
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

const environment = ({ dir, shim }: Workspace, name: ProcessName): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  TZ: 'UTC',
  ...(shim && { LD_PRELOAD: shim, CHAOS_CONTROL: join(dir, 'controls', name) }),
});

export function launchPostgres(
  workspace: Workspace,
  { name, files, url }: Workspace['postgres'][number],
): Launch {
  const { ports, dir } = workspace;
  const settings = Object.entries(files.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return {
    spawn: () => {
      // Removes a stale pid file, as the product's own supervisor does.
      findPostmaster(files.dir);
      const log = openSync(join(dir, 'logs', name), 'a');
      if (files.runAs) chownSync(join(dir, 'logs', name), files.runAs.uid, files.runAs.gid);
      const args = ['-D', pathInside(files), '-p', String(ports[name]), ...settings];
      return spawn(join(files.binaries, 'bin/postgres'), args, {
        ...files.runAs,
        cwd: files.dir,
        env: { LC_ALL: 'C', ...environment(workspace, name) },
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

const roleSettings = (workspace: Workspace, keys: Keys, databaseUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  ...(workspace.cluster && { MIGRATION_DATABASE_URL: asOwner(workspace, databaseUrl) }),
  DATA_DIR: join(workspace.disk, 'files'),
  EMBOSS_MASTER_KEY: keys.master,
  EMBOSS_SANDBOX_API_KEY: keys.merchant,
  EMBOSS_SANDBOX_NETWORK_KEY: keys.network,
  LOG_LEVEL: 'warn',
  // All clients come from one address, and uses numbers and keys that were just replaced.
  WRONG_KEYS_PER_MINUTE: '0',
  GUESSES_PER_MERCHANT: '0',
  KEY_REVEALS_PER_MINUTE: '0',
});

function asOwner({ databaseUrl }: Workspace, url: string): string {
  const { host } = new URL(url);
  return Object.assign(new URL(databaseUrl), { host }).href;
}

/** Of commands, which go to the database past the fault injector. */
export const commandSettings = (workspace: Workspace, keys: Keys): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  ...roleSettings(workspace, keys, workspace.serverUrl),
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

/** As docs/cluster.md describes. The nodes know each other by the address of the fault injector. */
export async function formCluster(
  workspace: Workspace,
  keys: Keys,
  links: Record<string, string>,
): Promise<void> {
  for (const { url } of workspace.postgres) {
    await allowMoves(url);
    await sql(url, `create role ${SERVER_LOGIN} login`);
    await sql(url, 'create extension citus');
  }
  const ports = NODES.map((name) => new URL(links[`cluster to ${name}`] as string).port);
  await sql(
    workspace.databaseUrl,
    `select citus_set_coordinator_host('127.0.0.1', ${workspace.ports.postgres})`,
  );
  for (const port of ports) await sql(workspace.databaseUrl, `select citus_add_node('127.0.0.1', ${port})`);
  const settings = commandSettings(workspace, keys);
  await runCommand(workspace.release, ['migrate'], settings);
  await runCommand(workspace.release, ['cluster', 'distribute', '--shards', String(SHARDS)], settings);
}

const plantedIn = ({ planted }: Workspace): string[] =>
  planted
    ? ['node_modules/tsx/dist/loader.mjs', 'test/chaos/plant.ts'].flatMap((path) => [
        '--import',
        join(ROOT, path),
      ])
    : [];

/** `databaseUrl` leads through the fault injector. */
export const launchRole = (
  workspace: Workspace,
  name: ProcessName,
  keys: Keys,
  {
    databaseUrl,
    namedStatements,
    publicUrl,
  }: { databaseUrl: string; namedStatements: boolean; publicUrl: string },
): Launch => ({
  spawn: () =>
    spawn(process.execPath, [...plantedIn(workspace), join(workspace.release, 'bin/emboss.mjs'), 'start'], {
      cwd: workspace.dir,
      env: {
        ...environment(workspace, name),
        ...(workspace.planted && { CHAOS_PLANTED: workspace.planted, CHAOS_RELEASE: workspace.release }),
        ...roleSettings(workspace, keys, databaseUrl),
        EMBOSS_ROLES: name.startsWith('worker') ? 'worker' : 'api',
        PORT: String(workspace.ports[name]),
        PUBLIC_URL: publicUrl,
        DATABASE_NAMED_STATEMENTS: String(namedStatements),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  isReady: (output) => /^ready /m.test(output),
});

export const launchReceiver = (workspace: Workspace, seed: number): Launch => ({
  spawn: () => {
    const program = join(ROOT, 'test/chaos/receiver.ts');
    const args = [
      '--import',
      'tsx',
      program,
      String(workspace.ports.receiver),
      join(workspace.dir, 'received.jsonl'),
      String(seed),
    ];
    return spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  },
  isReady: (output) => output.includes('ready'),
});
