import { EmbossError } from '../kernel/error.ts';
import {
  addForeignKey,
  allowTruncate,
  closeHoldHome,
  clusterSessions,
  clusterSettings,
  countNeighbours,
  countPrepared,
  createHoldHome,
  currentDatabase,
  distributeTable,
  dropForeignKey,
  dropRemains,
  findCoordinator,
  findHome,
  findPrepared,
  hasCitus,
  isOwner,
  isolateProgram as isolateTenant,
  letHaveShards,
  listBlockingNodes,
  listClusterTables,
  listForeignKeys,
  listNodes,
  listTablesWithRemains,
  moveShard,
  setShards,
  workInSequence,
} from './cluster-queries.ts';
import type { Address, Database, Queryable } from './database.ts';
import { BEGIN, COMMIT, ROLLBACK } from './queries.ts';

/**
 * A cluster is a PostgreSQL database whose tables Citus distributes by program: the rows of a program are on one node,
 * and the same statements run as on a single server.
 */

/** More than a cluster will have nodes, and few: a statement about all programs asks each shard. */
export const SHARDS = 32;

interface ClusterTable {
  name: string;
  done: boolean;
}

const askOne = async <Value>(db: Queryable, text: string, values?: unknown[]): Promise<Value> =>
  (await db.query<{ value: Value }>(text, values))[0]?.value as Value;

/** Undefined on a single server: the extension is missing, or no table is distributed. */
async function readTables(db: Queryable): Promise<ClusterTable[] | undefined> {
  if (!(await askOne<boolean>(db, hasCitus))) return undefined;
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
    for (const setting of clusterSessions(await askOne(db, currentDatabase))) await db.query(setting);
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
  for (const [place, { name }] of missing.entries()) {
    onProgress(place / missing.length);
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

async function requireCitus(db: Queryable): Promise<void> {
  if (await askOne<boolean>(db, hasCitus)) return;
  throw new EmbossError(
    409,
    'the database has no Citus extension: install it on every node as docs/cluster.md describes, then run "create extension citus"',
  );
}

async function requireOwner(db: Queryable): Promise<void> {
  if (await askOne<boolean>(db, isOwner)) return;
  throw new EmbossError(
    409,
    'this login does not own the database and all of its tables; set MIGRATION_DATABASE_URL to the login that does',
  );
}

async function requireCluster(db: Queryable): Promise<void> {
  await requireCitus(db);
  if (!(await isCluster(db)))
    throw new EmbossError(409, 'the tables are not distributed yet; run "emboss cluster distribute"');
}

export interface ClusterNode extends Address {
  node: string;
  active: boolean;
  shards: number;
  programs: number;
  /** Transactions that wait for their second phase; null: the node does not answer. */
  prepared: number | null;
}

export interface ClusterStatus {
  nodes: ClusterNode[];
  /** Another node than the coordinator that stores the audit of the installation: sign-in needs it. */
  signInNode: string | null;
  distributed: number;
  undistributed: string[];
}

/** `programIds`: all programs. `installationId`: what the audit of the installation is stored under. */
export async function readCluster(
  db: Queryable,
  programIds: readonly string[],
  installationId: string,
): Promise<ClusterStatus> {
  await requireCluster(db);
  const tables = await db.query<ClusterTable>(listClusterTables);
  const nodes = await db.query<Omit<ClusterNode, 'prepared'>>(listNodes, [programIds]);
  const prepared = await db.query<{ node: string; count: number | null }>(countPrepared);
  const home = await readHome(db, installationId);
  const coordinator = await readCoordinator(db);
  return {
    nodes: nodes.map((row) => ({
      ...row,
      prepared: prepared.find(({ node }) => node === row.node)?.count ?? null,
    })),
    signInNode: nodeOf(home) === nodeOf(coordinator) ? null : nodeOf(home),
    distributed: tables.filter(({ done }) => done).length,
    undistributed: tables.filter(({ done }) => !done).map(({ name }) => name),
  };
}

/** Databases that are clusters, or are not. It never changes while servers run. */
const known = new WeakMap<Database, boolean>();

/** The node of a program. On a single server, the database itself; after the first call that costs no statement. */
export async function findNode(db: Database, programId: string): Promise<Database> {
  if (!known.has(db)) known.set(db, await isCluster(db));
  if (!known.get(db)) return db;
  return db.further(await readHome(db, programId));
}

/** Longer than a commit takes on a healthy cluster. */
const OVERDUE_MS = 2_000;

/**
 * Whether a transaction that the program's node prepared at least `ageMs` ago is unfinished: its rows can still appear, with
 * ids older than that. Fails while the node does not answer.
 */
export async function hasPrepared(db: Database, programId: string, ageMs = OVERDUE_MS): Promise<boolean> {
  const node = await findNode(db, programId);
  return node !== db && askOne(node, findPrepared, [ageMs]);
}

interface Home extends Address {
  shard: string;
  /** Whether the program has shards of its own. */
  alone: boolean;
}

const nodeOf = ({ name, port }: Address): string => `${name}:${port}`;

export interface Moved {
  from: string;
  to: string;
  /** Other programs of the same shards, which moved too. */
  neighbours: number;
}

/** Moves a program to another node while it is in use. Undefined: it is there already. */
export async function moveProgram(
  db: Queryable,
  programId: string,
  programIds: readonly string[],
  node: string,
  onStart: (from: string) => void,
): Promise<Moved | undefined> {
  await requireCluster(db);
  const nodes = (await db.query<ClusterNode>(listNodes, [[]])).map((row) => row.node);
  if (!nodes.includes(node))
    throw new EmbossError(404, `no node is named "${node}"; see "emboss cluster status"`);
  const home = await readHome(db, programId);
  if (nodeOf(home) === node) return undefined;
  const neighbours = await askOne<number>(db, countNeighbours, [programId, programIds]);
  const [name, port] = [node.slice(0, node.lastIndexOf(':')), node.slice(node.lastIndexOf(':') + 1)];
  onStart(nodeOf(home));
  await db.query(moveShard, [home.shard, home.name, home.port, name, port, 'auto']);
  return { from: nodeOf(home), to: node, neighbours };
}

/** Gives a program shards of its own, so that it can move alone. Undefined: it has them already. */
export async function isolateProgram(
  db: Queryable,
  programId: string,
  programIds: readonly string[],
): Promise<{ node: string; left: number } | undefined> {
  await requireCluster(db);
  const home = await readHome(db, programId);
  if (home.alone) return undefined;
  const left = await askOne<number>(db, countNeighbours, [programId, programIds]);
  await db.query(isolateTenant(programId, 'auto'));
  return { node: nodeOf(home), left };
}

/**
 * Keeps what belongs to no program on the coordinator, so that sign-in does not need another node. `id`: what it is stored
 * under. Whoever signs in meanwhile waits.
 */
export async function keepOnCoordinator(db: Queryable, id: string): Promise<void> {
  const coordinator = await readCoordinator(db);
  const before = await readHome(db, id);
  if (nodeOf(before) === nodeOf(coordinator)) return;
  if (!before.alone) await db.query(isolateTenant(id, 'block_writes'));
  const { shard, name, port } = await readHome(db, id);
  const there = [coordinator.name, coordinator.port];
  await db.query(letHaveShards, [...there, true]);
  try {
    await db.query(moveShard, [shard, name, port, ...there, 'block_writes']);
  } finally {
    await db.query(letHaveShards, [...there, coordinator.hasShards]);
  }
}

/** Citus needs its address as soon as there is another node. */
async function readCoordinator(db: Queryable): Promise<Address & { hasShards: boolean }> {
  const [coordinator] = await db.query<Address & { hasShards: boolean }>(findCoordinator);
  if (coordinator) return coordinator;
  throw new EmbossError(
    409,
    'the cluster does not know its coordinator: run "select citus_set_coordinator_host(...)" as docs/cluster.md describes',
  );
}

const readHome = async (db: Queryable, programId: string): Promise<Home> =>
  (await db.query<Home>(findHome, [programId]))[0] as Home;

export interface ClusterSettings {
  /** -1: prepared transactions of a lost coordinator are never finished. */
  recoverInterval: string;
  propagated: string;
  /** Nodes from which programs cannot move while in use. */
  blocking: string[];
}

/** Undefined on a single server. */
export async function readClusterSettings(db: Queryable): Promise<ClusterSettings | undefined> {
  if (!(await isCluster(db))) return undefined;
  const [settings] = await db.query<Omit<ClusterSettings, 'blocking'>>(clusterSettings);
  const nodes = await db.query<{ node: string }>(listBlockingNodes);
  return settings && { ...settings, blocking: nodes.map(({ node }) => node) };
}
