import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostmaster } from '../../../src/db/embedded/postmaster.ts';
import { freshDatabase, runSettings } from '../database/database.ts';
import { eventually } from '../scripts/eventually.ts';
import { ROOT } from '../scripts/sources.ts';

export const MERCHANT_KEY = 'merchant-key-for-a-test-run';
export const NETWORK_KEY = 'network-key-for-a-test-run';

/** `emboss start` as an operator runs it: a process of its own that can be killed. */
export interface ServerProcess {
  child: ChildProcess;
  url: string;
  stdout(): string;
  stderr(): string;
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  /** The line that begins `ready`; fails when the process ends before. */
  ready(): Promise<string>;
  kill(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

const dataDirs: string[] = [];
const processes: ServerProcess[] = [];

export function newDataDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'emboss-server-'));
  dataDirs.push(directory);
  return directory;
}

/** The settings of a server on a fresh database of the run's PostgreSQL, which is ready much sooner than an embedded one. */
export const ownDatabase = async () => ({
  DATABASE_URL: await freshDatabase(),
  EMBOSS_MASTER_KEY: randomBytes(32).toString('base64'),
  DATA_DIR: newDataDir(),
});

/** Starts it and does not wait. Of our own environment it sees nothing but the path. */
export function spawnServer(
  port: number,
  env: Record<string, string>,
  command: string = join(ROOT, 'bin/emboss.mjs'),
  nodeOptions: readonly string[] = [],
): ServerProcess {
  const child = spawn(process.execPath, [...nodeOptions, command, 'start'], {
    cwd: tmpdir(),
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: String(port),
      EMBOSS_SANDBOX_API_KEY: MERCHANT_KEY,
      EMBOSS_SANDBOX_NETWORK_KEY: NETWORK_KEY,
      ...runSettings(),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  const server: ServerProcess = {
    child,
    url: `http://127.0.0.1:${port}`,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ended,
    ready: async () => {
      const find = () => /^ready .*$/m.exec(output.stdout)?.[0];
      const line = eventually(() => find() ?? Promise.reject(new Error('not ready')));
      const death = ended.then((end) => {
        throw new Error(`the server ended (${end}) before it was ready: ${output.stderr}`);
      });
      return Promise.race([line, death]);
    },
    kill: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
  processes.push(server);
  return server;
}

export async function startServerProcess(port: number, env: Record<string, string>): Promise<ServerProcess> {
  const server = spawnServer(port, env);
  await server.ready();
  return server;
}

/** Status and body of one request on a connection of its own; rejects when the connection is cut. */
export function call(
  url: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: string }> {
  return new Promise((answer, fail) => {
    const headers = { 'x-payments-api-key': MERCHANT_KEY, 'content-type': 'application/json' };
    const sent = request(url + path, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => answer({ status: response.statusCode ?? 0, body: text }));
      response.on('error', fail);
    });
    sent.on('error', fail);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export const postmasterOf = (dataDir: string) => findPostmaster(join(dataDir, 'postgres'));

/** The embedded database, past the server. */
export function embeddedUrl(dataDir: string): string {
  const password = readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim();
  return `postgres://emboss:${password}@127.0.0.1:${postmasterOf(dataDir)?.port}/emboss`;
}

/** Ends every server at once, for a process that ends itself and can wait for nothing. */
export function killServers(): void {
  for (const { child } of processes) child.kill('SIGKILL');
}

/** Ends every server and every PostgreSQL of this test file and removes their directories. */
export async function endAll(): Promise<void> {
  for (const server of processes) if (server.child.exitCode === null) await server.kill('SIGKILL');
  for (const dataDir of dataDirs) {
    const postmaster = postmasterOf(dataDir);
    if (postmaster) process.kill(postmaster.pid, 'SIGQUIT');
    await eventually(() => {
      if (postmasterOf(dataDir)) throw new Error('PostgreSQL still runs');
    });
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  }
}
