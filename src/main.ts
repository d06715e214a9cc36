import { createServer } from 'node:net';
import type { Logger } from 'pino';
import { type AppServices, createApp, createHealthApp } from './app.ts';
import { type Config, settingsOfOne } from './config.ts';
import { measurePool } from './db/database.ts';
import { claimServerRole } from './db/embedded/data-dir-claim.ts';
import { createMetrics } from './http/metrics.ts';
import { createOpenIdProvider } from './operators/openid/provider.ts';
import { listOperators } from './operators/queries.ts';
import { joinProcesses, startProcesses } from './processes.ts';
import { isValidKey } from './programs/authenticate.ts';
import type { Program } from './programs/program.ts';
import { listPrograms } from './programs/queries.ts';
import {
  isMasterKeyKept,
  joinRuntime,
  METRICS,
  openRuntime,
  openServices,
  type Runtime,
  type Services,
} from './runtime.ts';
import { type SeededSandbox, seedSandbox } from './sandbox/seed-sandbox.ts';
import { VERSION } from './version.ts';
import { startWorker } from './worker.ts';

const STOP_LIMIT_MS = 8_000;

export interface RunningServer {
  url: string;
  seeded: SeededSandbox | undefined;
  found: Found;
  embeddedPostgres: boolean;
  /** Stops accepting requests, finishes those in progress and closes everything. */
  stop(): Promise<void>;
}

/** State of the database after the start. */
export interface Found {
  programs: Program[];
  hasOperators: boolean;
  /** Key settings that do not match this database: they apply only to the first start of a database. */
  strangeKeys: Array<'EMBOSS_SANDBOX_API_KEY' | 'EMBOSS_SANDBOX_NETWORK_KEY'>;
}

/** Starts the roles of this process, by default all. After it resolves, requests succeed. */
export async function startServer(
  config: Config,
  onFatal: (error: Error) => void,
  logger: Logger,
): Promise<RunningServer> {
  let claim: { release: () => Promise<void> } | undefined;
  const runtime = await openRuntime(config, logger, async ({ url, own }) => {
    claim = await claimServerRole(url, config.dataDir, onFatal);
    own();
  });
  const undo: Array<() => unknown> = [() => runtime.close({ stopDatabase: true }), () => claim?.release()];
  try {
    const metrics = createMetrics(METRICS);
    const services = await openServices(config, runtime, metrics);
    undo.push(services.decisions.stop, services.sender.closeAgents);
    // Before the first keys are created: a start that fails afterwards would never show them.
    await requireFreePort(config);
    const seeded = config.sandboxPrograms
      ? await seedSandbox(
          { db: runtime.db, vault: services.vault },
          { merchantKey: config.sandboxApiKey, networkKey: config.sandboxNetworkKey },
        )
      : undefined;
    const found = await lookAround(config, runtime, services);
    for (const name of found.strangeKeys)
      logger.warn(
        `${name} is not a valid key in this database; create one with "emboss key create", or unset it`,
      );
    const roles = { db: runtime.db, ...services, metrics, logger };
    const api = config.processes > 1 ? await supervise(config, runtime, roles) : await listen(config, roles);
    const ofWorker = { ...roles, isMasterKeyKept: () => isMasterKeyKept(config, runtime.masters) };
    const worker = config.roles.includes('worker') ? startWorker(ofWorker, logger) : undefined;
    undo.push(() => worker?.stop(), api.stop);
    return {
      url: config.publicUrl,
      seeded,
      found,
      embeddedPostgres: runtime.embedded !== undefined,
      stop: () => runInReverse(undo),
    };
  } catch (error) {
    await runInReverse(undo);
    throw error;
  }
}

/** One of several API processes of a server. It answers requests and nothing else. */
export async function startApiProcess(config: Config, logger: Logger): Promise<Pick<RunningServer, 'stop'>> {
  const undo: Array<() => unknown> = [];
  try {
    const metrics = createMetrics(METRICS);
    const { database, metricsText } = await joinProcesses(metrics);
    const runtime = await joinRuntime(config, logger, database);
    undo.push(runtime.db.close);
    const services = await openServices(config, runtime, metrics);
    undo.push(services.decisions.stop, services.sender.closeAgents);
    const summed = { ...metrics, text: metricsText };
    const api = await listen(settingsOfOne(config), { db: runtime.db, ...services, metrics: summed, logger });
    undo.push(api.stop);
    return { stop: () => runInReverse(undo) };
  } catch (error) {
    await runInReverse(undo);
    throw error;
  }
}

type Roles = Services & Pick<AppServices, 'db' | 'metrics' | 'logger'>;

/** The HTTP server of this process. */
async function listen(config: Config, roles: Roles): Promise<{ stop: () => Promise<void> }> {
  const { limits, trustProxy, maxConnections, metricsAccess } = config;
  const services = { ...roles, limits, metricsAccess, server: { trustProxy, maxConnections } };
  const app = config.roles.includes('api')
    ? await createApp({
        ...services,
        publicUrl: config.publicUrl,
        revealUrl: config.revealUrl,
        version: VERSION,
        sandboxPrograms: config.sandboxPrograms,
        mostMistakes: config.mostMistakes,
        readsAtOnce: config.readsAtOnce,
        secondFactorRule: config.secondFactorRule,
        openId: config.openId && createOpenIdProvider(config.openId),
      })
    : await createHealthApp(services);
  await app.listen({ host: config.host, port: config.port });
  return {
    stop: async () => {
      const cut = setTimeout(() => app.server.closeAllConnections(), STOP_LIMIT_MS).unref();
      await app.close();
      clearTimeout(cut);
    },
  };
}

/** The HTTP servers of other processes, in place of one in this process. */
function supervise(
  { processes }: Config,
  { databaseUrl: url, role }: Runtime,
  { db, metrics, logger }: Roles,
) {
  measurePool(metrics, db);
  return startProcesses(processes, { database: { url, role }, metrics, logger });
}

async function lookAround(config: Config, { db }: Runtime, { vault }: Services): Promise<Found> {
  const strangeKeys: Found['strangeKeys'] = [];
  const isStrange = async (kind: 'merchant' | 'network', key: Config['sandboxApiKey']) =>
    key !== undefined && !(await isValidKey(db, vault.digest, kind, key));
  if (await isStrange('merchant', config.sandboxApiKey)) strangeKeys.push('EMBOSS_SANDBOX_API_KEY');
  if (await isStrange('network', config.sandboxNetworkKey)) strangeKeys.push('EMBOSS_SANDBOX_NETWORK_KEY');
  const [programs, operators] = await Promise.all([listPrograms(db), listOperators(db)]);
  return { programs, hasOperators: operators.length > 0, strangeKeys };
}

/** Runs every step even if others fail, then throws the first error. */
async function runInReverse(steps: Array<() => unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps.reverse())
    await Promise.resolve()
      .then(step)
      .catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

function requireFreePort({ host, port }: Config): Promise<void> {
  return new Promise((free, taken) => {
    const probe = createServer();
    probe.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'another program uses it' : cause.message;
      const other = cause.code === 'EADDRINUSE' ? 'stop that program, or ' : '';
      const advice = `${other}set another PORT or HOST`;
      taken(new Error(`cannot listen on ${host} port ${port}: ${why}; ${advice}`, { cause }));
    });
    probe.listen({ host, port }, () => probe.close(() => free()));
  });
}
