import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueryResultRow } from 'pg';
import { type Logger, pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { addDesign } from '../../../src/cards/designs/save-design.ts';
import { openCluster } from '../../../src/db/citus/open-cluster.ts';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { type LimitSettings, NO_LIMITS } from '../../../src/http/limits.ts';
import { createMetrics, type ProcessMetrics } from '../../../src/http/metrics.ts';
import type { MetricsAccess } from '../../../src/http/metrics-route.ts';
import type { ServerSettings } from '../../../src/http/server.ts';
import { reveal, secret } from '../../../src/kernel/secret.ts';
import type { KycProvider } from '../../../src/kyc/kyc.ts';
import type { SmtpSettings } from '../../../src/notifications/mailer.ts';
import type { OpenIdProvider } from '../../../src/operators/openid/provider.ts';
import type { SecondFactorRule } from '../../../src/operators/operator.ts';
import { createProgram } from '../../../src/programs/create-program.ts';
import { createKey } from '../../../src/programs/manage-keys.ts';
import {
  type KeyKind,
  type Program,
  SANDBOX_BIN,
  SCOPES,
  type Scope,
} from '../../../src/programs/program.ts';
import { METRICS, openServices, type Services } from '../../../src/runtime.ts';
import { type MasterKey, masterKeyFrom } from '../../../src/vault/keyring.ts';
import { cheapPasswords } from '../console/operators.ts';
import { applicationRole, freshDatabase, namedStatements, sql } from '../database/database.ts';
import { withCheckedStatements } from '../database/program-tables.ts';
import { type DocumentCheck, openApiCheck } from '../openapi/openapi-check.ts';
import { LOCAL_SETTINGS } from '../webhooks/addresses.ts';
import { TESTER, testActor } from './actor.ts';
import { sendRequest } from './wire.ts';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
  body: any;
  headers: Headers;
}

export interface RequestOptions {
  key?: string | null;
  networkKey?: string;
  body?: unknown;
  /** Sent as it stands instead of `body`. */
  raw?: string | Uint8Array;
  headers?: Record<string, string>;
}

export interface TestApp extends Services {
  url: string;
  databaseUrl: string;
  /** With it a command or another server runs on the same database. */
  env: Record<string, string>;
  /** One statement on a connection of its own, past all of the product's code. */
  sql<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  db: Database;
  metrics: ProcessMetrics;
  masters: MasterKey[];
  /** Where their files are. */
  filesDir: string;
  /** The default program and its key: sandbox mode, EUR, with the designs `black` (default) and `sold-out`. */
  program: Program;
  key: string;
  networkKey: string;
  /** The live route table, as `GET /path/:id/`, whatever the document says. */
  routes: string[];
  /** The OpenAPI documents of the public API and of the console API. */
  documents: unknown[];
  /** Calls the API over real HTTP and holds every answer against the OpenAPI document. */
  call(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  addProgram(options?: {
    mode?: 'sandbox' | 'live';
    currency?: string;
    bin?: string;
    kycProvider?: 'sandbox' | 'sumsub';
  }): Promise<{ program: Program; key: string; networkKey: string }>;
  /** The same app for a new program, whose key its calls have: cheaper than another app. */
  forNewProgram(): Promise<TestApp>;
  addKey(programId: string, scopes: Scope[], expiresAt?: Date): Promise<{ id: string; key: string }>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  sumsub?: KycProvider;
  databaseUrl?: string;
  /** Of its first program. */
  currency?: string;
  masterKey?: string;
  /** How old the vault's keys may become before they are read again. */
  keyMaxAgeMs?: number;
  logger?: Logger;
  /** No other limits, because tests send many requests. */
  limits?: Partial<LimitSettings>;
  metricsAccess?: MetricsAccess;
  mostMistakes?: number;
  readsAtOnce?: number;
  sandboxPrograms?: boolean;
  revealUrl?: string;
  smtp?: SmtpSettings;
  secondFactorRule?: SecondFactorRule;
  openId?: OpenIdProvider;
  /** Passwords cost as much as in the product. */
  slowPasswords?: boolean;
  server?: ServerSettings;
  /** With one of its own, its links lead to it. */
  port?: number;
}

/**
 * One app for all tests of a file or a `describe`. Its fields are set before the `beforeAll` hooks that follow; options
 * that are known only then come from a function.
 */
export function appForTests(
  options: TestAppOptions | (() => TestAppOptions | Promise<TestAppOptions>) = {},
): TestApp {
  const app = {} as TestApp;
  beforeAll(async () => {
    Object.assign(app, await startTestApp(typeof options === 'function' ? await options() : options));
  });
  afterAll(() => app.close());
  return app;
}

/** Two servers on one database. */
export function twoAppsForTests(): [TestApp, TestApp] {
  const masterKey = randomBytes(32).toString('base64');
  const app = appForTests({ masterKey });
  return [app, appForTests(() => ({ masterKey, databaseUrl: app.databaseUrl }))];
}

/** Every app has the same routes, so one set of documents, and of compiled checks, serves all files of a worker. */
const describeApi = (documents: unknown[]) => ({ documents, check: openApiCheck(...documents) });
let described: ReturnType<typeof describeApi> | undefined;

/** The whole product on a database of its own, listening on a real port. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const databaseUrl = options.databaseUrl ?? (await freshDatabase());
  const single = openDatabase({
    url: databaseUrl,
    poolSize: 10,
    namedStatements: namedStatements(),
    role: await applicationRole(databaseUrl),
    onIdleError: () => {},
  });
  const db = withCheckedStatements(await openCluster(single));
  const masterKey = options.masterKey ?? randomBytes(32).toString('base64');
  const masters = [masterKeyFrom(secret(masterKey))];
  const { port = 0, keyMaxAgeMs } = options;
  const publicUrl = port === 0 ? 'http://emboss.test' : `http://127.0.0.1:${port}`;
  const logger = options.logger ?? pino({ level: 'silent' });
  const metrics = createMetrics(METRICS);
  const filesDir = mkdtempSync(join(tmpdir(), 'emboss-reports-'));
  const services = await openServices(
    {
      publicUrl,
      reportRetentionDays: 1,
      reportStorage: { kind: 'disk', directory: filesDir },
      sumsub: undefined,
      webhookAddresses: LOCAL_SETTINGS,
      ...(options.smtp && { smtp: options.smtp }),
    },
    { db, logger, masters },
    metrics,
    keyMaxAgeMs === undefined ? {} : { maxAgeMs: keyMaxAgeMs },
  );
  const { vault, decisions, sender } = services;
  const routes: string[] = [];
  const app = await createApp({
    ...services,
    kycProviders: { ...services.kycProviders, sumsub: options.sumsub },
    db,
    metrics,
    logger,
    publicUrl,
    revealUrl: options.revealUrl ?? publicUrl,
    version: 'test',
    sandboxPrograms: options.sandboxPrograms ?? true,
    limits: { ...NO_LIMITS, ...options.limits },
    metricsAccess: options.metricsAccess ?? 'anybody',
    mostMistakes: options.mostMistakes ?? 0,
    readsAtOnce: options.readsAtOnce ?? 0,
    secondFactorRule: options.secondFactorRule ?? 'live-managers',
    openId: options.openId,
    ...(!options.slowPasswords && { passwords: cheapPasswords({ vault }).passwords }),
    ...(options.server && { server: options.server }),
    onRoutes: (table) => {
      for (const [path, methods] of table) routes.push(...[...methods].map((method) => `${method} ${path}`));
    },
  });
  await app.listen({ host: '127.0.0.1', port });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  described ??= describeApi([app.swagger(), app.consoleDocument()]);
  const { documents, check } = described;

  const addKey: TestApp['addKey'] = (programId, scopes, expiresAt) =>
    createTestKey({ db, vault }, programId, 'merchant', scopes, expiresAt);
  // The names of programs are unique; another app on the same database has its own.
  const label = options.databaseUrl === undefined ? 'Test' : `Test ${randomBytes(4).toString('hex')}`;
  let programs = 0;
  const addProgram: TestApp['addProgram'] = async (input = {}) => {
    const program = await db.transaction(async (tx) => {
      const created = await createProgram(tx, TESTER, {
        name: ++programs === 1 ? label : `${label} ${programs}`,
        mode: input.mode ?? 'sandbox',
        currency: input.currency ?? 'EUR',
        bin: input.bin ?? (input.mode === 'live' ? '400000' : SANDBOX_BIN),
        kycProvider: input.kycProvider ?? (input.mode === 'live' ? 'sumsub' : 'sandbox'),
        // Old enough for a report of every type.
        createdAt: new Date(Date.now() - 92 * 86_400_000),
      });
      const actor = await testActor(tx, created.id);
      const design = { stock: true, default: false, embossNameSupported: true };
      await addDesign(tx, actor, { ...design, id: 'black', name: 'Black', default: true });
      await addDesign(tx, actor, { ...design, id: 'sold-out', name: 'Sold out', stock: false });
      return created;
    });
    return {
      program,
      key: (await createTestKey({ db, vault }, program.id, 'merchant')).key,
      networkKey: (await createTestKey({ db, vault }, program.id, 'network')).key,
    };
  };
  const { program, key, networkKey } = await addProgram(
    options.currency === undefined ? {} : { currency: options.currency },
  );
  const callsOf =
    (ownKey: string): TestApp['call'] =>
    (method, path, request = {}) =>
      call(url, check, method, path, { key: ownKey, ...request });
  const started: TestApp = {
    url,
    ...services,
    databaseUrl,
    env: {
      DATABASE_URL: databaseUrl,
      EMBOSS_MASTER_KEY: masterKey,
      DATA_DIR: join(tmpdir(), 'emboss-cli-none'),
    },
    sql: (text, values) => sql(databaseUrl, text, values),
    db,
    metrics,
    masters,
    filesDir,
    program,
    key,
    networkKey,
    routes,
    documents,
    addProgram,
    addKey,
    forNewProgram: async () => {
      const own = await addProgram();
      return { ...started, ...own, call: callsOf(own.key) };
    },
    call: callsOf(key),
    close: async () => {
      await app.close();
      await decisions.stop();
      sender.closeAgents();
      await db.close();
      rmSync(filesDir, { recursive: true, force: true });
    },
  };
  return started;
}

export async function createTestKey(
  { db, vault }: Pick<TestApp, 'db' | 'vault'>,
  programId: string,
  kind: KeyKind,
  scopes: readonly Scope[] = SCOPES[kind],
  expiresAt: Date | null = null,
): Promise<{ id: string; key: string }> {
  const actor = await testActor(db, programId);
  const rights = { kind, name: 'test', scopes, expiresAt };
  const { key, row } = await db.transaction((tx) => createKey(tx, vault.digest, actor, rights));
  return { id: row.id, key: reveal(key) };
}

async function call(
  base: string,
  check: DocumentCheck,
  method: string,
  path: string,
  request: RequestOptions,
): Promise<Answer> {
  const { key, networkKey, body, raw, headers } = request;
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const answer = await sendRequest(new URL(path, base), method, payload, {
    ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key ? { 'x-payments-api-key': key } : {}),
    ...(networkKey ? { 'x-network-key': networkKey } : {}),
    ...headers,
  });
  const { status, text } = answer;
  const parsed = text === '' ? undefined : JSON.parse(text);
  check(method, path, status, parsed);
  return { status, body: parsed, headers: answer.headers };
}
