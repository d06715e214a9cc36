import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { claimDataDir, countOtherSessions } from '../queries.ts';

/** The session of a killed server takes a moment to end. */
const PATIENCE_MS = 3_000;
const RETRY_MS = 100;
const POLL_MS = 20;

/**
 * Allows one server per DATA_DIR. The claim is a lock in the embedded database: it ends with the process, so there is no
 * stale file to clean up. `onLost` is called if another process took it while the database was unavailable.
 */
export async function claimServerRole(
  url: string,
  dataDir: string,
  onLost: (error: Error) => void,
): Promise<{ release: () => Promise<void> }> {
  let released = false;
  let client = await claim(url, dataDir);

  function watch(): void {
    client.once('end', () => {
      if (!released) void reclaim();
    });
  }
  /** PostgreSQL stopped, and the claim with it: take it again as soon as PostgreSQL is back. */
  async function reclaim(): Promise<void> {
    while (!released) {
      try {
        client = await claim(url, dataDir);
        return watch();
      } catch (error) {
        if (error instanceof Error && error.message.startsWith('another')) return onLost(error);
        await pause(RETRY_MS, undefined, { ref: false });
      }
    }
  }
  watch();
  return {
    release: async () => {
      released = true;
      await client.end().catch(() => {});
    },
  };
}

async function claim(url: string, dataDir: string): Promise<pg.Client> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'emboss claim',
      keepAlive: true,
    });
    // Without a listener, a connection lost between two statements would end the process.
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ claimed: boolean }>(claimDataDir);
    if (rows[0]?.claimed) return client;
    await client.end();
    if (performance.now() > deadline)
      throw new Error(
        `another Emboss server is running on DATA_DIR ${dataDir}; stop it first, or set another DATA_DIR`,
      );
    await pause(RETRY_MS);
  }
}

/** A closed connection takes a moment to leave the server's list. */
const USE_PATIENCE_MS = 500;

/** Whether another process is connected: a server that adopted the database, or a command. */
export async function isDatabaseInUse(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: 'emboss look' });
  client.on('error', () => {});
  await client.connect();
  try {
    const deadline = performance.now() + USE_PATIENCE_MS;
    for (;;) {
      const { rows } = await client.query<{ others: number }>(countOtherSessions);
      if (rows[0]?.others === 0) return false;
      if (performance.now() > deadline) return true;
      await pause(POLL_MS);
    }
  } finally {
    await client.end();
  }
}
