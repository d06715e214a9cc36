import { queryableOf, withClient } from '../src/db/connection.ts';
import { openDatabase } from '../src/db/database.ts';
import { openVault } from '../src/vault/vault.ts';
import { startCluster } from '../test/support/database/cluster.ts';
import { networkTarget, spreadOver } from './authorize.ts';
import { familyCpuMs, parentOf } from './cpu-time.ts';
import { type Figure, median, msText, rateText } from './figures.ts';
import { fillNumberedCards, type NumberedCards } from './fill-numbers.ts';
import { type LoadRequest, sendLoad } from './http-load.ts';
import { findBackend, vacuumAll } from './queries.ts';
import { addProgram, type Server, type Stage } from './stage.ts';

const PROGRAMS = 12;
const NODES = 3;
const LIMITS = { one: 0.85, many: 0.65, cpu: 2.5 };

interface Side {
  server: Server;
  /** The processes of PostgreSQL: one, or one for each node. */
  postmasters: number[];
  programs: Array<{ key: string; cards: NumberedCards }>;
}

/** Authorizations on a coordinator and two nodes, against the same on one PostgreSQL: the rate, and the CPU of all nodes. */
export async function benchCluster(stage: Stage, quick: boolean): Promise<Figure[]> {
  const undo: Array<() => unknown> = [];
  try {
    const each = quick ? 200 : 1_000;
    const plain: Side = {
      server: stage.server,
      postmasters: [parentOf(await findBackend(stage.db))],
      programs: await fillPrograms(stage, each),
    };
    const cluster = await openCluster(stage, each, undo);
    const sizes = quick ? { rounds: 3, count: 2_000 } : { rounds: 5, count: 6_000 };
    return [
      ...(await compare(plain, cluster, 'one program', 256, 1, sizes)),
      ...(await compare(plain, cluster, `${PROGRAMS} programs`, 256, PROGRAMS, sizes)),
      ...(await compare(plain, cluster, `${PROGRAMS} programs`, 64, PROGRAMS, sizes)),
    ];
  } finally {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  }
}

type Filled = Pick<Stage, 'db' | 'vault' | 'masters'>;

async function fillPrograms(filled: Filled, each: number): Promise<Side['programs']> {
  const programs: Side['programs'] = [];
  for (let index = 0; index < PROGRAMS; index++) {
    const { program, networkKey } = await addProgram(filled.db, filled.vault, `Cluster ${index}`);
    programs.push({
      key: networkKey,
      cards: await fillNumberedCards(filled as Stage, program, each, 60 + index),
    });
  }
  await vacuumAll(filled.db);
  return programs;
}

async function openCluster(stage: Stage, each: number, undo: Array<() => unknown>): Promise<Side> {
  const { url, serverUrl, nodes, stop } = await startCluster(NODES);
  undo.push(stop);
  const db = openDatabase({ url, poolSize: 8, namedStatements: true, onIdleError: () => {} });
  undo.push(() => void db.close().catch(() => {}));
  const filled = { db, masters: stage.masters, vault: await openVault(db, stage.masters) };
  const server = await stage.startServer({ DATABASE_URL: serverUrl, MIGRATION_DATABASE_URL: url });
  undo.push(server.stop);
  const programs = await fillPrograms(filled, each);
  const postmasters = [];
  for (const node of nodes) postmasters.push(await postmasterOf(node.url));
  return { server, postmasters, programs };
}

/** Read while the connection is open, because its process ends with it. */
const postmasterOf = (url: string): Promise<number> =>
  withClient(url, async (client) => parentOf(await findBackend(queryableOf(client))));

async function compare(
  plain: Side,
  cluster: Side,
  what: string,
  connections: number,
  programs: number,
  { rounds, count }: { rounds: number; count: number },
): Promise<Figure[]> {
  const measure = async ({ server, postmasters, programs: all }: Side) => {
    const used = all.slice(0, programs);
    const databaseMs = () => postmasters.map(familyCpuMs);
    const before = databaseMs();
    const { perSecond } = await sendLoad(
      used.map(({ key }) => networkTarget(server.url, key)),
      connections,
      count,
      (_, target) => spreadOver((used[target] as (typeof used)[number]).cards)() as LoadRequest,
    );
    const each = databaseMs().map((ms, index) => (ms - (before[index] as number)) / count);
    return { perSecond, firstMs: each[0] as number, databaseMs: each.reduce((sum, ms) => sum + ms, 0) };
  };
  await measure(plain);
  await measure(cluster);
  const costs = [];
  for (let round = 0; round < rounds; round++)
    costs.push({ plain: await measure(plain), cluster: await measure(cluster) });
  const name = `authorize on a cluster, ${what}, ${connections} connections`;
  const limit = connections === 256 ? { atLeast: programs === 1 ? LIMITS.one : LIMITS.many } : undefined;
  return [
    {
      name,
      measured: rateText(median(costs.map((cost) => cost.cluster.perSecond))),
      against: `one server ${rateText(median(costs.map((cost) => cost.plain.perSecond)))}`,
      ratio: median(costs.map((cost) => cost.cluster.perSecond / cost.plain.perSecond)),
      ...(limit && { limit }),
    },
    {
      name: `${name}: CPU in PostgreSQL`,
      measured: `${msText(median(costs.map((cost) => cost.cluster.databaseMs)))}, coordinator ${msText(median(costs.map((cost) => cost.cluster.firstMs)))}`,
      against: `one server ${msText(median(costs.map((cost) => cost.plain.databaseMs)))}`,
      ratio: median(costs.map((cost) => cost.cluster.databaseMs / cost.plain.databaseMs)),
      ...(connections === 64 && { limit: { atMost: LIMITS.cpu } }),
    },
  ];
}
