import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { localIdentity } from '../../src/audit/entry.ts';
import { addDesign } from '../../src/cards/designs/save-design.ts';
import { type Database, openDatabase, type Tx } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { reveal, secret } from '../../src/kernel/secret.ts';
import { addOperator } from '../../src/operators/manage-operators.ts';
import { createPasswords } from '../../src/operators/password.ts';
import { readActor } from '../../src/programs/actor.ts';
import { createProgram } from '../../src/programs/create-program.ts';
import { fundProgram } from '../../src/programs/fund-program.ts';
import { createKey } from '../../src/programs/manage-keys.ts';
import { SANDBOX_BIN, SCOPES, type Scope } from '../../src/programs/program.ts';
import { masterKeyFrom } from '../../src/vault/keyring.ts';
import { openVault } from '../../src/vault/vault.ts';
import { namedStatements } from '../support/database/database.ts';
import { ROOT } from '../support/scripts/sources.ts';
import { freePort } from '../support/server/free-port.ts';
import { spawnServer } from '../support/server/server-process.ts';

type Digest = Parameters<typeof createPasswords>[0];

/** Ends the server of a long run if it leaks memory. */
const MOST_HEAP_MB = 256;
const COLLECT_GARBAGE = pathToFileURL(join(ROOT, 'bench/collect-garbage.mjs')).href;
const CHEAP = { N: 1_024, r: 8, p: 1 };
export const PASSWORD = 'a password for the 1st fuzz';
/** How many requests of another operator wait for a second person in each program. */
const APPROVALS = 30;

/** No limits: each answer must depend on its request alone. Limits have tests of their own. */
const NO_LIMITS = {
  MERCHANT_REQUESTS_PER_MINUTE: '0',
  NETWORK_REQUESTS_PER_MINUTE: '0',
  WRONG_KEYS_PER_MINUTE: '0',
  WRONG_PASSWORDS_PER_MINUTE: '0',
  KEY_REVEALS_PER_MINUTE: '0',
  OPERATOR_REVEALS_PER_MINUTE: '0',
  GUESSES_PER_MERCHANT: '0',
};

export interface Person {
  email: string;
  password: string;
}

/** A program of its own for each lane, so that what a lane does is repeatable and what it changes can be counted. */
export interface Tenant {
  programId: string;
  key: string;
  readKey: string;
  networkKey: string;
  /** Deposits that another operator has requested. */
  approvals: string[];
}

export interface Stage {
  url: string;
  db: Database;
  databaseUrl: string;
  environment: Record<string, string>;
  /** Where webhooks may go. */
  receiverUrl: string;
  hasEnded(): boolean;
  residentMb(): number;
  collectGarbage(): void;
  /** The memory in the heap and in buffers outside it. */
  keptMb(): Promise<number>;
  complaints(): string[];
  addTenant(name: string): Promise<Tenant>;
  addPerson(programId: string, name: string): Promise<Person>;
  close(): Promise<void>;
}

/** The real server as a process of its own, on a database of its own. */
export async function openStage(databaseUrl: string, dataDir: string): Promise<Stage> {
  await migrate(databaseUrl);
  const masterKey = randomBytes(32).toString('base64');
  const environment = { DATABASE_URL: databaseUrl, EMBOSS_MASTER_KEY: masterKey, DATA_DIR: dataDir };
  const receiver = createServer((request, response) =>
    request.resume().on('end', () => response.end('thanks')),
  );
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const server = spawnServer(
    await freePort(),
    { ...environment, LOG_LEVEL: 'warn', ...NO_LIMITS },
    undefined,
    [`--max-old-space-size=${MOST_HEAP_MB}`, '--expose-gc', '--import', COLLECT_GARBAGE],
  );
  const hasEnded = () => server.child.exitCode !== null || server.child.signalCode !== null;
  const db = openDatabase({
    url: databaseUrl,
    poolSize: 6,
    namedStatements: namedStatements(),
    onIdleError: () => {},
  });
  const close = async () => {
    await server.kill('SIGKILL');
    await db.close();
    receiver.closeAllConnections();
    receiver.close();
  };
  try {
    await untilReady(server.url, () => {
      if (hasEnded()) throw new Error(`the server ended: ${server.stderr()}`);
    });
    const vault = await openVault(db, [masterKeyFrom(secret(masterKey))]);
    return {
      url: server.url,
      db,
      databaseUrl,
      environment,
      receiverUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
      hasEnded,
      residentMb: () =>
        Number(execFileSync('ps', ['-o', 'rss=', '-p', String(server.child.pid)]).toString()) / 1024,
      collectGarbage: () => server.child.kill('SIGUSR2'),
      keptMb: () => keptMb(server.url),
      complaints: () =>
        server
          .stderr()
          .split('\n')
          .filter((line) => line.includes('request failed')),
      addTenant: (name) => addTenant(db, vault.digest, name),
      addPerson: (programId, name) => addPerson(db, vault.digest, programId, name),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function untilReady(url: string, check: () => void): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    check();
    await pause(20);
  }
}

export async function keptMb(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const bytes = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return (bytes('nodejs_heap_size_used_bytes') + bytes('nodejs_external_memory_bytes')) / 1_048_576;
}

const FUZZER = localIdentity('fuzz');

const addAdmin = (tx: Tx, digest: Digest, programId: string, name: string) =>
  addOperator(
    tx,
    { digest, passwords: createPasswords(digest, CHEAP) },
    FUZZER,
    { email: `${name}@example.com`, name, role: 'admin', programId },
    { password: secret(PASSWORD), isTheirOwn: true },
  );

async function addPerson(db: Database, digest: Digest, programId: string, name: string): Promise<Person> {
  const { operator } = await db.transaction((tx) => addAdmin(tx, digest, programId, name));
  return { email: operator.email, password: PASSWORD };
}

async function addApprovals(tx: Tx, digest: Digest, programId: string): Promise<string[]> {
  const { operator } = await addAdmin(tx, digest, programId, `first-of-${programId}`);
  const ids = Array.from({ length: APPROVALS }, () => randomUUID());
  await tx.query(
    `insert into approvals (program_id, id, kind, payload, amount_minor, requested_by, requested_at, expires_at)
     select $1, id, 'deposit', $3, 100, $4, now(), now() + interval '3 days' from unnest($2::uuid[]) as id`,
    [programId, ids, { amount: 1, reference: 'test' }, operator.id],
  );
  return ids;
}

async function addTenant(db: Database, digest: Digest, name: string): Promise<Tenant> {
  return db.transaction(async (tx) => {
    const terms = {
      name,
      mode: 'sandbox',
      currency: 'EUR',
      bin: SANDBOX_BIN,
      kycProvider: 'sandbox',
      createdAt: new Date('2024-01-01'),
    } as const;
    const { id: programId } = await createProgram(tx, FUZZER, terms);
    const actor = await readActor(tx, FUZZER, programId);
    const design = { stock: true, default: false, embossNameSupported: true };
    await addDesign(tx, actor, { ...design, id: 'black', name: 'Black', default: true });
    await addDesign(tx, actor, { ...design, id: 'sold-out', name: 'Sold out', stock: false });
    await fundProgram(tx, actor, { amountMinor: 100_000_000_00n, reference: 'for the fuzz' });
    const keyWith = async (kind: 'merchant' | 'network', scopes: readonly Scope[]) =>
      reveal((await createKey(tx, digest, actor, { kind, name, scopes, expiresAt: null })).key);
    return {
      programId,
      key: await keyWith('merchant', SCOPES.merchant),
      readKey: await keyWith('merchant', ['read']),
      networkKey: await keyWith('network', SCOPES.network),
      approvals: await addApprovals(tx, digest, programId),
    };
  });
}
