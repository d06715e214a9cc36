import { EmbossError } from '../../kernel/error.ts';
import type { Address, Database, Queryable } from '../database.ts';
import { type ClusterTable, isCluster, readValue, requireCitus } from './distribute.ts';
import {
  clusterSettings,
  countNeighbours,
  countPrepared,
  findCoordinator,
  findHome,
  holdHome,
  isolateProgram as isolateTenant,
  letHaveShards,
  listBlockingNodes,
  listClusterTables,
  listNodes,
  moveShard,
  NODE_SETTINGS,
} from './queries.ts';

/** What the commands `emboss cluster` and `emboss doctor` do: they inspect the nodes and move programs between them. */

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
  const neighbours = await readValue<number>(db, countNeighbours, [programId, programIds]);
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
  const left = await readValue<number>(db, countNeighbours, [programId, programIds]);
  await db.query(isolateTenant(programId, 'auto'));
  return { node: nodeOf(home), left };
}

/**
 * Keeps what belongs to no program on the coordinator, so that sign-in does not need another node. `id`: what it is stored
 * under. Sign-ins wait meanwhile.
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

/** Whether a node serves a program from here: `id`, with its shard held. Not for long: its rows may be moving. */
export const isReached = (db: Database, address: Address, id: string): Promise<boolean> =>
  openNode(db, address)
    .query({ ...holdHome, timeoutMs: 5_000 }, [id])
    .then(Boolean, () => false);

/** Connections to a node, where statements may name shards. */
export const openNode = (db: Database, { name, port }: Address): Database =>
  db.further({ name, port, settings: NODE_SETTINGS });

/** Citus needs its address as soon as there is another node. */
async function readCoordinator(db: Queryable): Promise<Address & { hasShards: boolean }> {
  const [coordinator] = await db.query<Address & { hasShards: boolean }>(findCoordinator);
  if (coordinator) return coordinator;
  throw new EmbossError(
    409,
    'the cluster does not know its coordinator: run "select citus_set_coordinator_host(...)" as docs/cluster.md describes',
  );
}

export const readHome = async (db: Queryable, programId: string): Promise<Home> =>
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
