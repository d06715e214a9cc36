import { EmbossError } from '../../kernel/error.ts';
import type { Queryable } from '../database.ts';
import { BEGIN, COMMIT, ROLLBACK } from '../queries.ts';
import {
  addForeignKey,
  allowTruncate,
  closeHoldHome,
  clusterSessions,
  createHoldHome,
  currentDatabase,
  distributeTable,
  dropForeignKey,
  dropRemains,
  hasCitus,
  isOwner,
  listClusterTables,
  listForeignKeys,
  listTablesWithRemains,
  setShards,
  workInSequence,
} from './queries.ts';

/**
 * A cluster is a PostgreSQL database whose tables Citus distributes by program: the rows of a program are on one node,
 * and the same statements run as on a single server.
 */

/** More than a cluster will have nodes, and few: a statement about all programs queries each shard. */
export const SHARDS = 32;

export interface ClusterTable {
  name: string;
  done: boolean;
}

export const readValue = async <Value>(db: Queryable, text: string, values?: unknown[]): Promise<Value> =>
  (await db.query<{ value: Value }>(text, values))[0]?.value as Value;

/** Undefined on a single server: the extension is missing, or no table is distributed. */
async function readTables(db: Queryable): Promise<ClusterTable[] | undefined> {
  if (!(await readValue<boolean>(db, hasCitus))) return undefined;
  const tables = await db.query<ClusterTable>(listClusterTables);
  return tables.some(({ done }) => done) ? tables : undefined;
}

export const isCluster = async (db: Queryable): Promise<boolean> => (await readTables(db)) !== undefined;

/** Tables of a cluster that are not distributed: a later migration added them, or a command was interrupted. */
export const findUndistributed = async (db: Queryable): Promise<string[]> =>
  ((await readTables(db)) ?? []).filter(({ done }) => !done).map(({ name }) => name);

/**
 * Distributes the tables that are not distributed yet, in one transaction, and returns their names. Everything else waits
 * meanwhile. Then removes what Citus leaves on the coordinator. `shards` counts for the first time only. `db` is one
 * connection.
 */
export async function distribute(
  db: Queryable,
  shards = SHARDS,
  onProgress: (share: number) => void = () => {},
): Promise<string[]> {
  await requireCitus(db);
  await requireOwner(db);
  const missing = await inTransaction(db, async () => {
    for (const setting of clusterSessions(await readValue(db, currentDatabase))) await db.query(setting);
    const missing = await distributeMissing(db, shards, onProgress);
    await db.query(createHoldHome);
    await db.query(closeHoldHome);
    return missing;
  });
  for (const { name } of await db.query<{ name: string }>(listTablesWithRemains)) {
    await db.query(allowTruncate(name));
    await db.query(dropRemains, [name]);
  }
  return missing;
}

async function distributeMissing(
  db: Queryable,
  shards: number,
  onProgress: (share: number) => void,
): Promise<string[]> {
  await db.query(workInSequence);
  await db.query(setShards(shards));
  const tables = await db.query<ClusterTable>(listClusterTables);
  const missing = tables.filter(({ done }) => !done);
  const keys = await db.query<ForeignKey>(listForeignKeys);
  for (const { table, name } of keys) await db.query(dropForeignKey(table, name));
  const first = (tables.find(({ done }) => done) ?? missing[0])?.name;
  for (const [index, { name }] of missing.entries()) {
    onProgress(index / missing.length);
    await db.query(distributeTable, [name, name === first ? 'none' : first]);
  }
  for (const { table, name, definition, toLocal } of keys)
    if (!toLocal) await db.query(addForeignKey(table, name, definition));
  return missing.map(({ name }) => name);
}

async function inTransaction<Result>(db: Queryable, work: () => Promise<Result>): Promise<Result> {
  await db.query(BEGIN.text);
  try {
    const result = await work();
    await db.query(COMMIT.text);
    return result;
  } catch (error) {
    await db.query(ROLLBACK);
    throw error;
  }
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
  toLocal: boolean;
}

export async function requireCitus(db: Queryable): Promise<void> {
  if (await readValue<boolean>(db, hasCitus)) return;
  throw new EmbossError(
    409,
    'the database has no Citus extension: install it on every node as docs/cluster.md describes, then run "create extension citus"',
  );
}

async function requireOwner(db: Queryable): Promise<void> {
  if (await readValue<boolean>(db, isOwner)) return;
  throw new EmbossError(
    409,
    'this login does not own the database and all of its tables; set MIGRATION_DATABASE_URL to the login that does',
  );
}
