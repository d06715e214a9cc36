import '../bin/tune-v8.mjs';
import { readConfig } from '../src/config.ts';
import { createLogger } from '../src/http/logging.ts';
import { createMetrics } from '../src/http/metrics.ts';
import type { App } from '../src/http/server.ts';
import { METRICS, openRuntime, openServices } from '../src/runtime.ts';

/** What the servers of the bench have in common. They are bundled like the product, because they are compared with it. */
export const config = readConfig();
const { logger, flush } = createLogger(config.logLevel);

export { logger };
export const metrics = createMetrics(METRICS);
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
