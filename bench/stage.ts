import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../bin/bundle.mjs';
import { localIdentity } from '../src/audit/entry.ts';
import { addDesign } from '../src/cards/designs/save-design.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/supervisor.ts';
import { migrate } from '../src/db/migrate.ts';
import { reveal, secret } from '../src/kernel/secret.ts';
import { readActor } from '../src/programs/actor.ts';
import { createProgram } from '../src/programs/create-program.ts';
import { createKey, type NewKey } from '../src/programs/manage-keys.ts';
import { type Program, SANDBOX_BIN, SCOPES } from '../src/programs/program.ts';
import { type MasterKey, masterKeyFrom } from '../src/vault/keyring.ts';
import { openVault, type Vault } from '../src/vault/vault.ts';

export const DESIGN = 'classic-black';

const COLLECTABLE = [
  ...['--min-semi-space-size=8', '--max-semi-space-size=32'],
  ...['--expose-gc', '--import', './bench/collect-garbage.mjs'],
];

export interface Server {
  url: string;
  pid: number;
  collectGarbage(): void;
  stop(): Promise<void>;
}

/** Everything a measurement needs: a durable database and, as processes of their own, the servers. */
export interface Stage {
  db: Database;
  databaseUrl: string;
  vault: Vault;
  masters: MasterKey[];
  /** The product as it is shipped: `bin/emboss.mjs start`, built, with its log on. */
  server: Server;
  /** One more of the same kind on the same database, with further settings. */
  startServer(settings?: Record<string, string>): Promise<Server>;
  /** A bare Fastify: the baseline, which is not ours. */
  bare: Server;
  /** Takes create-card requests on the same stack and does nothing with them. */
  noop: Server;
  /** The product with every authorization in a transaction of its own. */
  alone: Server;
  /** A merchant's server, as a process of its own until the stage closes. */
  startReceiver(): Promise<{ url: string }>;
  /** Warnings and errors in the logs of the servers, for failed measurements. */
  complaints(): string;
  addProgram(name: string): Promise<{ program: Program; key: string; networkKey: string }>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const dir = mkdtempSync(join(tmpdir(), 'emboss-bench-'));
  const undo: Array<() => unknown> = [() => rmSync(dir, { recursive: true, force: true })];
  let isClosed = false;
  const close = async () => {
    isClosed = true;
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  };
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: dir, log: () => {} });
    undo.push(() => postgres.stop());
    const databaseUrl = postgres.url;
    await migrate(databaseUrl);
    const db = openDatabase({ url: databaseUrl, poolSize: 20, namedStatements: true, onIdleError: () => {} });
    // Not awaited: stopping PostgreSQL ends a long query.
    undo.push(() => void db.close().catch(() => {}));
    const masterKey = randomBytes(32).toString('base64');
    const masters = [masterKeyFrom(secret(masterKey))];
    const vault = await openVault(db, masters);
    const environment = {
      DATABASE_URL: databaseUrl,
      EMBOSS_MASTER_KEY: masterKey,
      DATA_DIR: dir,
      // Not reached, but counted, so that the measurements include its cost.
      MERCHANT_REQUESTS_PER_MINUTE: '999999999',
      NETWORK_REQUESTS_PER_MINUTE: '999999999',
    };
    const logs: string[] = [];
    const start = async (args: string[], settings: Record<string, string> = environment) => {
      if (isClosed) throw new Error('the stage is closed');
      const started = startProcess(args, settings, dir);
      // Registered before it is ready, so that a stop ends it too.
      undo.push(started.stop);
      logs.push(started.log);
      return { ...started, url: await started.ready };
    };
    const startServer = async (settings: Record<string, string> = {}) =>
      start([...COLLECTABLE, 'bin/emboss.mjs', 'start'], {
        ...environment,
        PORT: await freePort(),
        ...settings,
      });
    const server = await startServer();
    const bare = await start(['--import', 'tsx', 'bench/bare-server.ts'], {});
    await bundle(['bench/noop-server.ts', 'bench/alone-server.ts'], 'dist/bench');
    const noop = await start(['dist/bench/noop-server.js']);
    const alone = await start(['dist/bench/alone-server.js']);
    return {
      db,
      databaseUrl,
      vault,
      server,
      bare,
      noop,
      alone,
      masters,
      startServer,
      startReceiver: () => start(['--import', 'tsx', 'bench/receiver-server.ts'], {}),
      complaints: () => logs.map(lastComplaint).join('\n'),
      addProgram: (name) => addProgram(db, vault, name),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const lastComplaint = (log: string): string =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => /"level":[45]0/.test(line))
    .at(-1) ?? '';

export async function addProgram(
  db: Database,
  vault: Vault,
  name: string,
): Promise<{ program: Program; key: string; networkKey: string }> {
  return db.transaction(async (tx) => {
    const input = {
      name,
      mode: 'sandbox',
      currency: 'EUR',
      bin: SANDBOX_BIN,
      kycProvider: 'sandbox',
      // Created before the history that it is filled with.
      createdAt: new Date(Date.now() - 400 * 86_400_000),
    } as const;
    const by = localIdentity('bench');
    const program = await createProgram(tx, by, input);
    const actor = await readActor(tx, by, program.id);
    const design = {
      id: DESIGN,
      name: 'Classic Black',
      stock: true,
      default: true,
      embossNameSupported: true,
    };
    await addDesign(tx, actor, design);
    const rights: NewKey = { kind: 'merchant', name: 'bench', scopes: SCOPES.merchant, expiresAt: null };
    const { key } = await createKey(tx, vault.digest, actor, rights);
    const network = await createKey(tx, vault.digest, actor, {
      ...rights,
      kind: 'network',
      scopes: SCOPES.network,
    });
    return { program, key: reveal(key), networkKey: reveal(network.key) };
  });
}

/** Starts a Node process; it is ready with the line on its stdout that begins so and ends with its address. */
function startProcess(args: string[], environment: Record<string, string>, dir: string) {
  const log = join(dir, `${randomBytes(4).toString('hex')}.log`);
  const child = spawn(process.execPath, args, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', openSync(log, 'a')],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  const ready = Promise.race([
    readyAddress(child),
    exited.then(() => {
      throw new Error(`${args.join(' ')} did not start: ${readFileSync(log, 'utf8').slice(-1000)}`);
    }),
  ]);
  return { ready, pid: child.pid as number, stop, collectGarbage: () => void child.kill('SIGUSR2'), log };
}

function readyAddress(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve) => {
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      const url = /^ready (\S+)$/m.exec(output)?.[1];
      if (url) resolve(url);
    });
  });
}

function freePort(): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(String(port)));
    });
  });
}
