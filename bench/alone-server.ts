/**
 * The product with one difference: every authorization is a transaction of its own. It runs the built product, since
 * that is what it is compared with; only the types come from the sources.
 */
const built = <Module>(path: string): Promise<Module> =>
  import(new URL(`../dist/${path}`, import.meta.url).href);

const { createApp } = await built<typeof import('../src/app.ts')>('app.js');
const { createEngine } = await built<typeof import('../src/authorizations/engine/engine.ts')>(
  'authorizations/engine/engine.js',
);
const { readConfig } = await built<typeof import('../src/config.ts')>('config.js');
const { createLogger } = await built<typeof import('../src/http/logging.ts')>('http/logging.js');
const { createMetrics } = await built<typeof import('../src/http/metrics.ts')>('http/metrics.js');
const { openRuntime, openServices } = await built<typeof import('../src/runtime.ts')>('runtime.js');

const config = readConfig();
const { logger, flush } = createLogger(config.logLevel);
const runtime = await openRuntime(config, logger);
const { db } = runtime;
const services = await openServices(config, runtime);
const submit = createEngine({ db, vault: services.vault }, { gathered: false });
const app = await createApp({
  db,
  ...services,
  submit,
  metrics: createMetrics([]),
  logger,
  publicUrl: config.publicUrl,
  version: 'bench',
  sandboxPrograms: true,
  limits: config.limits,
  mostMistakes: config.mostMistakes,
  readsAtOnce: config.readsAtOnce,
  secondFactorRule: 'live-admins',
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });

async function stop(): Promise<void> {
  await app.close();
  await runtime.close();
  flush();
  process.exit(0);
}
process.on('SIGTERM', () => void stop());
process.stdout.write(`ready ${url}\n`);
