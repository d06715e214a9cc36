import type { ChildProcess } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isAlive } from './binaries.ts';
import { type Cluster, DATABASE, prepareCluster, ROLE } from './cluster.ts';
import { findPostmaster, guardPostmaster, isPostmaster, lastPort, spawnPostmaster } from './postmaster.ts';

export interface EmbeddedPostgres {
  /** Connection URL of the `emboss` database, with its password: never log it. */
  readonly url: string;
  /** True if this process started the postmaster, false if it adopted a running one. */
  readonly started: boolean;
  /** Ends supervision and shuts PostgreSQL down; resolves when the postmaster has ended. */
  stop(): Promise<void>;
  /** Ends supervision and leaves the postmaster running for another process. */
  release(): void;
  /** Ties PostgreSQL to this process, as the server needs it. A postmaster started here is tied from the start. */
  own(): void;
}

export interface EmbeddedOptions {
  dataDir: string;
  log: (level: 'info' | 'warn' | 'error', message: string) => void;
  settings?: Record<string, string>;
}

interface Postmaster {
  pid: number;
  port: number;
  started: boolean;
  /** Set if this process started the postmaster: it ends with this process from its first moment. */
  guard: Guard | undefined;
}

type Guard = ReturnType<typeof guardPostmaster>;

const POLL_MS = 20;
const WATCH_MS = 250;
const START_LIMIT_MS = 60_000;
const FAST_STOP_MS = 5000;
const HARD_STOP_MS = 15_000;
const STEADY_MS = 10_000;
const MAX_BACKOFF_MS = 2000;

/** Below the range of ephemeral ports, so that the port stays free during a restart. */
const FIRST_PORT = 20_000;
const PORT_COUNT = 12_000;

/** Causes: another process was first, backends of a killed postmaster are still ending, or the port is in use. */
const PASSING = /lock file "postmaster\.pid"|pre-existing shared memory block|could not bind/;

/** Starts or adopts the database under `dataDir` and keeps it running until `stop` or `release`. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(options.dataDir, options.settings ?? {});
  const nextPort = () => choosePort(lastPort(cluster.dir));
  const first = await ensureRunning(cluster, nextPort, new AbortController().signal, true);
  const verb = first.started ? 'started' : 'adopted';
  options.log('info', `embedded PostgreSQL ${verb} (pid ${first.pid}, port ${first.port})`);
  return supervise(cluster, first, options.log);
}

function supervise(cluster: Cluster, first: Postmaster, log: EmbeddedOptions['log']): EmbeddedPostgres {
  const ended = new AbortController();
  let current = first;
  let sinceMs = Date.now();
  let backoffMs = 0;
  let recovery: Promise<void> | undefined;
  let { guard } = first;
  const own = (): void => {
    guard ??= guardPostmaster(current.pid);
  };

  const recover = async (): Promise<void> => {
    if (Date.now() - sinceMs > STEADY_MS) backoffMs = 0;
    log('warn', `embedded PostgreSQL (pid ${current.pid}) ended; restarting it`);
    while (!ended.signal.aborted) {
      try {
        await pause(backoffMs, undefined, { ref: false, signal: ended.signal });
        backoffMs = Math.min(Math.max(backoffMs * 2, 100), MAX_BACKOFF_MS);
        current = await ensureRunning(cluster, async () => first.port, ended.signal, false);
        sinceMs = Date.now();
        // The previous postmaster has ended, so its guard is dismissed.
        guard?.dismiss();
        guard = current.guard ?? (guard && guardPostmaster(current.pid));
        if (current.port === first.port) log('info', `embedded PostgreSQL restarted (pid ${current.pid})`);
        else log('error', `embedded PostgreSQL moved to port ${current.port}: restart this process`);
        return;
      } catch (error) {
        if (!ended.signal.aborted) log('error', error instanceof Error ? error.message : String(error));
      }
    }
  };
  const watch = setInterval(() => {
    if (recovery || isRunning(current.pid, cluster.dir)) return;
    recovery = recover().finally(() => {
      recovery = undefined;
    });
  }, WATCH_MS).unref();
  const endSupervision = (): void => {
    clearInterval(watch);
    ended.abort();
  };
  return {
    url: `postgres://${ROLE}:${cluster.password}@127.0.0.1:${first.port}/${DATABASE}`,
    get started() {
      return current.started;
    },
    release: () => {
      endSupervision();
      guard?.dismiss();
    },
    own,
    async stop() {
      endSupervision();
      await recovery;
      await shutDown(cluster.dir, log);
      guard?.dismiss();
    },
  };
}

/** The full check on Linux, where it is two small reads. Elsewhere a signal is cheaper than starting a process. */
const isRunning = (pid: number, dir: string): boolean =>
  process.platform === 'linux' ? isPostmaster(pid, dir) : isAlive(pid);

/**
 * Polls until a postmaster of the cluster answers, and starts one if there is none. If several processes start one at the
 * same time, PostgreSQL's lock file selects one and the others adopt it.
 */
async function ensureRunning(
  cluster: Cluster,
  nextPort: () => Promise<number>,
  signal: AbortSignal,
  ref: boolean,
): Promise<Postmaster> {
  let attempt: Attempt | undefined;
  let startDelayMs = POLL_MS;
  let giveUpMs = Date.now() + START_LIMIT_MS;
  try {
    for (;;) {
      const found = findPostmaster(cluster.dir);
      const answer = found && (await probe(cluster, found.port));
      if (found && answer === 'ready') {
        const started = found.pid === attempt?.child.pid;
        if (!started) attempt?.guard?.dismiss();
        return { ...found, started, guard: started ? attempt?.guard : undefined };
      }
      // No time limit: recovery after a crash may take long.
      if (answer === 'busy') giveUpMs = Date.now() + START_LIMIT_MS;
      if (Date.now() > giveUpMs) throw new Error(`PostgreSQL does not respond: see ${cluster.logFile}`);
      if (!found && attempt?.ended()) {
        const complaint = attempt.complaint();
        if (!PASSING.test(complaint)) throw new Error(`PostgreSQL does not start: ${complaint}`);
        attempt.guard?.dismiss();
        attempt = undefined;
        startDelayMs = Math.min(startDelayMs * 2, 1000);
        await pause(startDelayMs, undefined, { ref, signal });
      } else if (!found && !attempt) {
        attempt = startAttempt(cluster, await nextPort());
      }
      await pause(POLL_MS, undefined, { ref, signal });
    }
  } catch (error) {
    // A postmaster handles the signal only after it has started, so wait for that.
    attempt?.child.kill('SIGINT');
    while (attempt && !attempt.ended()) await pause(POLL_MS);
    attempt?.guard?.dismiss();
    throw error;
  }
}

interface Attempt {
  child: ChildProcess;
  guard: Guard | undefined;
  ended(): boolean;
  /** The server's log since this start. */
  complaint(): string;
}

function startAttempt(cluster: Cluster, port: number): Attempt {
  const child = spawnPostmaster(cluster, port);
  const guard = child.pid === undefined ? undefined : guardPostmaster(child.pid);
  const logStart = statSync(cluster.logFile).size;
  let failure: Error | undefined;
  child.on('error', (error) => {
    failure = error;
  });
  return {
    child,
    guard,
    ended: () => failure !== undefined || child.exitCode !== null || child.signalCode !== null,
    complaint: () =>
      failure?.message ?? readFileSync(cluster.logFile).subarray(logStart).toString().trim().slice(-1000),
  };
}

/** `busy`: a server that starts, recovers or stops. The password proves that it is our cluster. */
async function probe(cluster: Cluster, port: number): Promise<'ready' | 'busy' | 'silent'> {
  const { password } = cluster;
  const target = { host: '127.0.0.1', port, user: ROLE, password, database: DATABASE, ssl: false };
  const client = new pg.Client({ ...target, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return 'ready';
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    if (code === '53300') return 'ready';
    if (code === '57P03') return 'busy';
    if (!code.startsWith('28') && !code.startsWith('3D')) return 'silent';
    throw new Error(
      `The database in ${cluster.dir} rejects the stored password or has no database "${DATABASE}"`,
      {
        cause: error,
      },
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/** SIGINT ends sessions and writes a checkpoint; SIGQUIT leaves recovery to the next start and loses nothing. */
async function shutDown(dir: string, log: EmbeddedOptions['log']): Promise<void> {
  const pid = findPostmaster(dir)?.pid;
  if (!pid || (await endsWithin(FAST_STOP_MS, pid, 'SIGINT', dir))) return;
  log('warn', 'embedded PostgreSQL does not stop in time; terminating it');
  if (await endsWithin(HARD_STOP_MS, pid, 'SIGQUIT', dir)) return;
  throw new Error(`PostgreSQL (pid ${pid}) does not stop`);
}

async function endsWithin(
  limitMs: number,
  pid: number,
  signal: NodeJS.Signals,
  dir: string,
): Promise<boolean> {
  if (isAlive(pid)) process.kill(pid, signal);
  for (const endMs = Date.now() + limitMs; Date.now() < endMs; await pause(POLL_MS))
    if (!isRunning(pid, dir)) return true;
  return false;
}

async function choosePort(preferred: number | undefined): Promise<number> {
  for (let port = preferred ?? randomPort(), tries = 0; tries < 100; port = randomPort(), tries++)
    if (await isFree(port)) return port;
  throw new Error('PostgreSQL found no free port on 127.0.0.1: set DATABASE_URL');
}

const randomPort = (): number => FIRST_PORT + Math.floor(Math.random() * PORT_COUNT);

function isFree(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const server = createServer();
    server.once('error', () => answer(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => answer(true)));
  });
}
