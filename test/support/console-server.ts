import { randomBytes } from 'node:crypto';
import { freshDatabase } from './database.ts';
import { freePort, newDataDir, type ServerProcess, startServerProcess } from './server-process.ts';

export interface ConsoleServer {
  url: string;
  databaseUrl: string;
  process: ServerProcess;
}

/** `emboss start` on a database of its own, as the browser of an operator meets it. `endAll` ends it. */
export async function startConsoleServer(): Promise<ConsoleServer> {
  const databaseUrl = await freshDatabase();
  const server = await startServerProcess(await freePort(), {
    DATABASE_URL: databaseUrl,
    EMBOSS_MASTER_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: newDataDir(),
  });
  return { url: server.url, databaseUrl, process: server };
}
