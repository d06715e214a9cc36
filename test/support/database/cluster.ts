import { INSTALLATION_ID } from '../../../src/audit/entry.ts';
import { keepOnCoordinator } from '../../../src/db/citus/cluster.ts';
import { distribute } from '../../../src/db/citus/distribute.ts';
import { queryableOf, withClient } from '../../../src/db/connection.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { startCitus } from './citus.ts';
import { createDatabase, sql, urlOf } from './database.ts';
import { type InstalledPostgres, installedPostgres } from './installed-postgres.ts';

const DATABASE = 'emboss';
const LOGIN = 'emboss_server';

export interface Cluster {
  /** As the owner, and as the login of servers. */
  url: string;
  serverUrl: string;
  /** The coordinator first. */
  nodes: InstalledPostgres[];
  stop(): Promise<void>;
}

/** So many servers with Citus on this machine, and the schema distributed over all but the first. */
export async function startCluster(count: number, shards?: number): Promise<Cluster> {
  const nodes: InstalledPostgres[] = [];
  const stop = async () => void (await Promise.all(nodes.map((node) => node.stop())));
  try {
    const binDir = installedPostgres('installed');
    while (nodes.length < count) {
      const node = await startCitus(binDir);
      nodes.push(node);
      await sql(node.url, `create role ${LOGIN} login`);
      await createDatabase(node.url, DATABASE);
      await sql(urlOf(node.url, DATABASE), 'create extension citus');
    }
    const [coordinator, ...others] = nodes as [InstalledPostgres, ...InstalledPostgres[]];
    const url = urlOf(coordinator.url, DATABASE);
    await sql(url, `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
    for (const { port } of others) await sql(url, `select citus_add_node('127.0.0.1', ${port})`);
    await migrate(url);
    await withClient(url, async (client) => {
      await distribute(queryableOf(client), shards);
      await keepOnCoordinator(queryableOf(client), INSTALLATION_ID);
    });
    const serverUrl = new URL(url);
    serverUrl.username = LOGIN;
    return { url, serverUrl: serverUrl.href, nodes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
