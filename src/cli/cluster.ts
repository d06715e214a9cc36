import { type Command, InvalidArgumentError } from 'commander';
import { INSTALLATION_ID } from '../audit/entry.ts';
import {
  type ClusterStatus,
  isolateProgram,
  keepOnCoordinator,
  type Moved,
  moveProgram,
  readCluster,
} from '../db/citus/cluster.ts';
import { distribute, SHARDS } from '../db/citus/distribute.ts';
import { queryableOf, withClient } from '../db/connection.ts';
import type { Queryable } from '../db/database.ts';
import { listProgramIds } from '../programs/queries.ts';
import type { Runtime } from '../runtime.ts';
import { withProgress } from './progress.ts';
import { selectProgram } from './select.ts';
import type { Session } from './session.ts';
import { type Output, table } from './terminal.ts';

const MOST_SHARDS = 1_024;

export function clusterCommands(emboss: Command, session: Session): void {
  const group = emboss
    .command('cluster')
    .description('Several PostgreSQL servers with Citus: docs/cluster.md');
  const onCluster = (work: (owner: Queryable, runtime: Runtime) => Promise<Output>) =>
    session.run((runtime) => withClient(runtime.ownerUrl, (client) => work(queryableOf(client), runtime)));
  group
    .command('distribute')
    .description(
      'Distribute the tables by program over the nodes of the cluster. Stop the servers first. It can be repeated at any time',
    )
    .option(
      '--shards <number>',
      'number of parts of each table; used the first time only',
      shardCount,
      SHARDS,
    )
    .action(({ shards }) =>
      onCluster(async (owner) => {
        const tables = await withProgress(session.terminal, 'Distributing', (onProgress) =>
          distribute(owner, shards, onProgress),
        );
        await keepOnCoordinator(owner, INSTALLATION_ID);
        const text =
          tables.length === 0
            ? 'All tables are already distributed.'
            : `Distributed ${tables.length} tables. Restart the servers.`;
        return { json: { distributed: tables }, text };
      }),
    );
  group
    .command('status')
    .description('List the nodes, their programs, and what needs attention')
    .action(() =>
      onCluster(async (owner, { db }) => {
        const status = await readCluster(owner, await listProgramIds(db), INSTALLATION_ID);
        return { json: status, text: tellStatus(session, status) };
      }),
    );
  group
    .command('move')
    .argument('<program>', 'id or name')
    .argument('<node>', 'name:port, as "emboss cluster status" shows it')
    .description(
      'Move a program to another node while it is in use, with the programs that share its shards. Needs wal_level = logical',
    )
    .action((wanted: string, node: string) =>
      onCluster(async (owner, { db }) => {
        const { id, name } = await selectProgram(db, wanted);
        const moved = await moveProgram(owner, id, await listProgramIds(db), node, (from) =>
          session.terminal.err(`emboss: copying ${name} from ${from} to ${node}\n`),
        );
        return { json: { program: id, node, moved: moved ?? null }, text: tellMove(name, node, moved) };
      }),
    );
  group
    .command('isolate')
    .argument('<program>', 'id or name')
    .description('Give a program shards of its own, so that it can move alone. It stays on its node')
    .action((wanted: string) =>
      onCluster(async (owner, { db }) => {
        const { id, name } = await selectProgram(db, wanted);
        const isolated = await isolateProgram(owner, id, await listProgramIds(db));
        const text = isolated
          ? `${name} has shards of its own on ${isolated.node}. Programs that shared them before: ${isolated.left}.`
          : `${name} has shards of its own already.`;
        return { json: { program: id, isolated: isolated ?? null }, text };
      }),
    );
}

function shardCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > MOST_SHARDS)
    throw new InvalidArgumentError(`must be a number from 1 to ${MOST_SHARDS}`);
  return count;
}

function tellStatus(
  { terminal }: Session,
  { nodes, distributed, undistributed, signInNode }: ClusterStatus,
): string {
  const rows = nodes.map(({ node, active, programs, shards, prepared }) => [
    node,
    prepared === null ? 'does not answer' : active ? 'active' : 'not active',
    String(programs),
    String(shards),
    String(prepared ?? ''),
  ]);
  const missing =
    undistributed.length === 0
      ? `All ${distributed} tables are distributed.`
      : `Not distributed: ${undistributed.join(', ')}. Run "emboss cluster distribute".`;
  const names = ['NODE', 'STATE', 'PROGRAMS', 'SHARDS', 'PREPARED'];
  return [
    table(terminal, names, rows, ''),
    ...(signInNode ? [`Sign-in needs ${signInNode}. Run "emboss cluster distribute".`] : []),
    missing,
  ].join('\n');
}

function tellMove(program: string, node: string, moved: Moved | undefined): string {
  if (!moved) return `${program} is on ${node} already.`;
  const others =
    moved.neighbours === 0 ? '' : ` Programs that share its shards moved too: ${moved.neighbours}.`;
  return `Moved ${program} from ${moved.from} to ${node}.${others}`;
}
