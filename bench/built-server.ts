import type { App } from '../src/http/server.ts';

/** The parts of a server in the bench come from the built product, because it is compared with that; only types come from the sources. */
export const built = <Module>(path: string): Promise<Module> =>
  import(new URL(`../dist/${path}`, import.meta.url).href);

const { readConfig } = await built<typeof import('../src/config.ts')>('config.js');
const { createLogger } = await built<typeof import('../src/http/logging.ts')>('http/logging.js');
const { createMetrics } = await built<typeof import('../src/http/metrics.ts')>('http/metrics.js');
const { openRuntime, openServices } = await built<typeof import('../src/runtime.ts')>('runtime.js');

export const config = readConfig();
const { logger, flush } = createLogger(config.logLevel);

export { logger };
export const metrics = createMetrics([]);
export const runtime = await openRuntime(config, logger);
export const services = await openServices(config, runtime);

/** Prints `ready` with its address; SIGTERM stops it. */
export async function serve(app: App): Promise<void> {
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const stop = async (): Promise<void> => {
    await app.close();
    await runtime.close();
    flush();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.stdout.write(`ready ${url}\n`);
}
