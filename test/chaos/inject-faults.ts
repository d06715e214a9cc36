import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database/database-proxy.ts';
import { familyOf, signal } from './family.ts';
import { now } from './history.ts';
import {
  type Fault,
  NODES,
  type Order,
  type ProcessName,
  planFaults,
  RETURN_LIMIT_MS,
  ROLES,
} from './plan.ts';

/**
 * A process of its own that injects the planned faults: it owns the network between the others, sends them signals, fills
 * their disk and moves their clocks. It reports each fault to the supervisor, and whether it struck.
 */

export interface InjectorSettings {
  dir: string;
  disk: string;
  diskMegabytes: number;
  /** Each PostgreSQL, past the network. */
  postgres: Partial<Record<ProcessName, string>>;
  /** Where each way leads, by its name. */
  links: Record<string, string>;
  /** Where the commands of each release are, and their environment. */
  commands: { release: string; nextRelease: string; env: Record<string, string> };
}

/** An injected fault. `struck` is whether the fault met what it was meant for. */
export type InjectedFault = { kind: string; fault: Fault; beganAt: number; endedAt: number; struck: boolean };
export type FromInjector =
  | { links: Record<string, string> }
  | { began: string }
  | { injected: InjectedFault }
  | { done: true };
export type ToInjector = { order: Order };

const report = (message: FromInjector): void => void process.send?.(message);
const settings = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as InjectorSettings;
const { dir, disk, postgres } = settings;

const links = new Map<string, DatabaseProxy>();
for (const [name, url] of Object.entries(settings.links)) links.set(name, await startDatabaseProxy(url));
const linkOf = (name: string): DatabaseProxy => links.get(name) as DatabaseProxy;

const familyNamed = (name: ProcessName): number[] =>
  familyOf(Number(readFileSync(join(dir, 'pids', name), 'utf8')));

async function inject(fault: Fault): Promise<boolean> {
  switch (fault.what) {
    case 'kill':
      return kill(fault.targets, fault.calm);
    case 'pause': {
      const family = familyNamed(fault.target);
      const struck = signal(family, 'SIGSTOP');
      await pause(fault.ms);
      signal(family, 'SIGCONT');
      return struck;
    }
    case 'cut': {
      const struck = linkOf(fault.link).connections() > 0;
      await linkOf(fault.link).refuse();
      await pause(fault.ms);
      await linkOf(fault.link).restore();
      return struck;
    }
    case 'half-open': {
      linkOf(fault.link).fallSilent(fault.lost);
      await pause(fault.ms);
      await waitFor(() => linkOf(fault.link).swallowed() > 0);
      const struck = linkOf(fault.link).swallowed() > 0;
      await linkOf(fault.link).restore();
      return struck;
    }
    case 'full disk':
      return fillDisk(fault.ms);
    case 'failing sync':
      return failSyncs(fault.target, fault.syncs);
    case 'clock step':
      writeClock(fault.target, fault.offsetMs);
      await pause(fault.ms);
      writeClock(fault.target, 0);
      return true;
    case 'interrupted migration':
      return interruptMigration(fault.also);
    case 'move':
      return move(fault.killed, fault.ms);
    case 'kill between phases':
      return killBetweenPhases();
  }
}

const LONGEST_CALM_MS = 15_000;
/** A process that has not responded by then is slow. */
const AFTER_RETURN_MS = RETURN_LIMIT_MS + 100;
const SOON_MS = 2;

/**
 * Waits for the processes that are not back yet after the previous fault, and for a request that has just been sent: a
 * fault that meets no request proves nothing.
 */
async function waitForMoment(fault: Fault): Promise<void> {
  if (fault.what === 'kill') await waitUntilAlive(fault.targets);
  if (fault.what === 'pause') await waitUntilAlive([fault.target]);
  if (fault.what === 'move' || fault.what === 'kill between phases')
    await waitUntilReady(['postgres', ...NODES]);
  if ('link' in fault) await waitUntilUsed(fault.link);
  await waitForSomebody();
  if (fault.what === 'cut') await waitFor(() => linkOf(fault.link).connections() > 0, SOON_MS);
}

const waitUntilAlive = (targets: readonly ProcessName[]): Promise<void> =>
  waitFor(() => targets.every((name) => signal(familyNamed(name).slice(0, 1), 0)));

/** A link between processes that are not back yet is not used. */
const waitUntilUsed = (link: string): Promise<void> => {
  const ends = link.split(' to ').filter((end) => end !== 'clients' && end !== 'cluster');
  return waitUntilReady([...ends, 'postgres']);
};

const waitUntilReady = (names: readonly string[]): Promise<void> =>
  waitFor(() => names.every((name) => existsSync(join(dir, 'ready', name))));

/** By the clients' own history, which is on disk before a request leaves. */
async function waitForSomebody(): Promise<void> {
  const file = openSync(join(dir, 'history.jsonl'), 'r');
  let index = fstatSync(file).size;
  await waitFor(() => {
    const news = Buffer.alloc(fstatSync(file).size - index);
    index += readSync(file, news, 0, news.length, index);
    return news
      .toString()
      .split('\n')
      .some((line) => line.includes('"invokedAt"') && !line.includes('"operation":"read"'));
  }, SOON_MS);
  closeSync(file);
}

async function kill(targets: readonly ProcessName[], calm: boolean): Promise<boolean> {
  const struck = targets.map((name) => signal(familyNamed(name), 'SIGKILL')).every(Boolean);
  for (const name of targets) rmSync(join(dir, 'ready', name), { force: true });
  if (!calm) return struck;
  await waitFor(() => targets.every((name) => existsSync(join(dir, 'ready', name))));
  await pause(AFTER_RETURN_MS);
  return struck;
}

async function waitFor(condition: () => boolean, lookEveryMs = 20): Promise<void> {
  for (const end = now() + LONGEST_CALM_MS; !condition() && now() < end; ) await pause(lookEveryMs);
}

const FILL_TRIES = 50;
const FELT_EVERY_MS = 50;
const WRITERS = [...(Object.keys(postgres) as ProcessName[]), ...ROLES];
const OUT_OF_SPACE = /No space left on device|ENOSPC/;

/** Shrinks the disk to its content until a process has logged a failed write; the writers may not be back yet. */
async function fillDisk(ms: number): Promise<boolean> {
  const ends = WRITERS.map((name) => readLog(name).length);
  const isFelt = () =>
    WRITERS.some((name, index) => OUT_OF_SPACE.test(readLog(name, ends[index]).toString()));
  let full = false;
  for (let tries = 0; tries < FILL_TRIES && !full; tries++) {
    const { blocks, bfree, bsize } = statfsSync(disk);
    full = await resizeDisk((blocks - bfree) * bsize);
  }
  await pause(ms);
  await waitFor(isFelt, FELT_EVERY_MS);
  await resizeDisk(settings.diskMegabytes * 2 ** 20);
  return isFelt();
}

/** Its content from an offset on. */
function readLog(name: ProcessName, from = 0): Buffer {
  const path = join(dir, 'logs', name);
  if (!existsSync(path)) return Buffer.alloc(0);
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - from));
  readSync(file, bytes, 0, bytes.length, from);
  closeSync(file);
  return bytes;
}

/** False where more was written meanwhile than would fit. */
const resizeDisk = (bytes: number): Promise<boolean> =>
  new Promise((done) => {
    execFile('mount', ['-o', `remount,size=${bytes}`, disk], (error) => done(error === null));
  });

const CLOCK_AT = 0;
const SYNCS_AT = 8;

function writeControl(name: ProcessName, at: number, bytes: Buffer): void {
  const file = openSync(join(dir, 'controls', name), 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

function writeClock(name: ProcessName, offsetMs: number): void {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(offsetMs));
  writeControl(name, CLOCK_AT, bytes);
}

const failingSyncs = (name: ProcessName): number =>
  readFileSync(join(dir, 'controls', name)).readInt32LE(SYNCS_AT);

/** PostgreSQL ends itself at the first that fails, and the next start may meet another. */
async function failSyncs(name: ProcessName, syncs: number): Promise<boolean> {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(syncs);
  writeControl(name, SYNCS_AT, bytes);
  for (let looks = 0; failingSyncs(name) > 0 && looks < 30; looks++) await pause(100);
  const struck = failingSyncs(name) < syncs;
  writeControl(name, SYNCS_AT, Buffer.alloc(4));
  return struck;
}

const MIGRATING = `select pid from pg_stat_activity
  where application_name = 'emboss migrate' and state = 'active' and query like '%chaos_release%'`;

/** Starts the migration of the next release and kills it in the middle, or the database with it. */
async function interruptMigration(also: 'postgres' | null): Promise<boolean> {
  const { child, gone } = runCommand(settings.commands.nextRelease, ['migrate']);
  const struck = await meets(child, MIGRATING);
  if (also) signal(familyNamed(also), 'SIGKILL');
  child.kill('SIGKILL');
  await gone;
  return struck;
}

function runCommand(release: string, args: string[]): { child: ChildProcess; gone: Promise<void> } {
  const command = [join(release, 'bin/emboss.mjs'), ...args];
  const log = openSync(join(dir, 'logs', 'fault-injector'), 'a');
  const { env } = settings.commands;
  const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'ignore', log] });
  closeSync(log);
  return { child, gone: new Promise((done) => child.once('exit', () => done())) };
}

/** Whether the statement finds something before the command ends. */
async function meets(child: ChildProcess, text: string): Promise<boolean> {
  let met = false;
  while (!met && child.exitCode === null && child.signalCode === null) {
    met = (await queryRows(text)).length > 0;
    if (!met) await pause(100);
  }
  return met;
}

const OTHER_NODE = `
  select p.id as program, n.nodename || ':' || n.nodeport as node from programs p
  join pg_dist_placement s on s.shardid = get_shard_id_for_distribution_column('cards', p.id)
  join pg_dist_node n on n.groupid not in (0, s.groupid)`;
const MOVING = `select from pg_stat_activity
  where state = 'active' and query like '%citus_move_shard_placement($1%' and pid <> pg_backend_pid()`;

/** A move survives the death of a server. */
async function move(killed: ProcessName, ms: number): Promise<boolean> {
  const [home] = await queryRows<{ program: string; node: string }>(OTHER_NODE);
  if (!home) return false;
  const { child, gone } = runCommand(settings.commands.release, ['cluster', 'move', home.program, home.node]);
  await meets(child, MOVING);
  await pause(ms);
  const struck = child.exitCode === null && (await kill([killed], false));
  await gone;
  return struck && (killed in postgres || child.exitCode === 0);
}

/** Stops the coordinator whenever a node has a prepared transaction, and kills it if it has not sent the second phase. */
async function killBetweenPhases(): Promise<boolean> {
  const clients = await Promise.all(NODES.map((name) => connectTo(postgres[name])));
  const coordinator = familyNamed('postgres');
  const isPrepared = async () => {
    const found = await Promise.all(clients.map((client) => client.query('select from pg_prepared_xacts')));
    return found.some(({ rows }) => rows.length > 0);
  };
  try {
    for (const end = now() + LONGEST_CALM_MS; now() < end; ) {
      if (!(await isPrepared())) continue;
      signal(familyNamed('postgres'), 'SIGSTOP');
      if (await isPrepared()) return kill(['postgres'], false);
      signal(familyNamed('postgres'), 'SIGCONT');
    }
    return false;
  } finally {
    signal(coordinator, 'SIGCONT');
    for (const client of clients) client.end().catch(() => {});
  }
}

async function connectTo(url = ''): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function queryRows<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = await connectTo(postgres.postgres).catch(() => undefined);
  try {
    return (await client?.query<Row>(text))?.rows ?? [];
  } catch {
    return [];
  } finally {
    await client?.end().catch(() => {});
  }
}

const MOST_TRIES = 3;

async function carryOut(order: Order): Promise<void> {
  const end = now() + order.minutes * 60_000;
  for (const { kind, afterMs, ...fault } of planFaults(order, () => now() >= end)) {
    await pause(afterMs);
    // What it was meant for may have been gone at this very moment, by a fault before.
    let struck = false;
    let beganAt = now();
    for (let tries = 0; tries < MOST_TRIES && !struck; tries++) {
      await waitForMoment(fault);
      beganAt = now();
      report({ began: kind });
      struck = await inject(fault).catch((error) => {
        appendFileSync(join(dir, 'logs', 'fault-injector'), `${kind}: ${(error as Error).stack}\n`);
        return false;
      });
    }
    const injected: InjectedFault = { kind, fault, beganAt, endedAt: now(), struck };
    appendFileSync(join(dir, 'injected-faults.jsonl'), `${JSON.stringify(injected)}\n`);
    report({ injected });
  }
  report({ done: true });
}

writeFileSync(join(dir, 'injected-faults.jsonl'), '');
process.on('message', (message: ToInjector) => void carryOut(message.order));
process.on('disconnect', () => process.exit());
report({ links: Object.fromEntries([...links].map(([name, { url }]) => [name, url])) });
