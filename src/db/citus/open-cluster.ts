import { unavailable } from '../../kernel/error.ts';
import { type Address, type Database, detailed, type Statement, type Tx } from '../database.ts';
import { isBusy } from '../failures.ts';
import { openNode, readHome } from './cluster.ts';
import { isCluster, readValue } from './distribute.ts';
import { createEachProgram } from './each-program.ts';
import { findPrepared, findShards, holdHome } from './queries.ts';

/** Longer than a commit takes on a healthy cluster. A transaction of a minute ago was prepared before. */
const OVERDUE_MS = 2_000;

/** The node of a program. Statements there name the program's shards, so the node plans each once, as any server does. */
interface Home {
  node: Database;
  shard: string;
  /** The statement as the node runs it: it names the shards. */
  localize(statement: Statement): Statement;
}

/** The program has moved, or its transaction also writes to the coordinator. */
class NotAtHome extends Error {}
const AWAY = 'the transaction writes to the coordinator';

/**
 * The same database, if it is a cluster with what a cluster does differently.
 *
 * `inProgram` runs on the node that stores the program, without the coordinator. It holds the program there: a move waits
 * for it. A transaction that also writes to tables of the coordinator runs again through the coordinator, which can commit
 * on both.
 *
 * `settledBefore` also knows the transactions between their two phases: their rows can appear however old they are. A
 * program's transactions run on the coordinator or on its node, each with its own clock: hence ages.
 */
export async function openCluster(single: Database): Promise<Database> {
  if (!(await isCluster(single))) return single;
  const db = { ...single, transaction: holdBeforeLocks(single.transaction) };
  // With connections of its own: all others may be waiting for the locks of the transaction that reads.
  const coordinator = db.further();
  const homes = new Map<string, Promise<Home>>();
  const homeOf = (programId: string): Promise<Home> => {
    const home = homes.get(programId) ?? findHome(db, programId);
    homes.set(programId, home);
    home.catch(() => homes.delete(programId));
    return home;
  };
  return {
    ...db,
    async inProgram(programId, work, patience) {
      const home = await homeOf(programId);
      try {
        return await home.node.transaction((tx) => workAt(home, programId, tx, coordinator, work), patience);
      } catch (error) {
        // Its shards may have been split, or its node may have another address now.
        if (!isBusy(error)) homes.delete(programId);
        if (!(error instanceof NotAtHome)) throw error;
        return db.transaction(work, patience);
      }
    },
    async settledBefore(programId, ageMs) {
      const node = openNode(db, await readHome(db, programId));
      for (const server of [single, node]) if (!(await server.settledBefore(programId, ageMs))) return false;
      return !(await readValue<boolean>(node, findPrepared, [Math.min(ageMs, OVERDUE_MS)]));
    },
    eachProgram: createEachProgram(),
  };
}

/**
 * Through the coordinator, Citus holds a program from the first write on. A row that was locked before would be written
 * where the program has moved to meanwhile, and there the row is not locked.
 */
const holdBeforeLocks =
  (transaction: Database['transaction']): Database['transaction'] =>
  (work, patience) =>
    transaction((tx) => {
      const holding =
        <Result>(pass: (statement: Statement | string, values?: readonly unknown[]) => Result) =>
        (statement: Statement | string, values?: readonly unknown[]): Result => {
          if (detailed(statement).locks) tx.send(holdHome, values?.slice(0, 1));
          return pass(statement, values);
        };
      return work({ query: holding(tx.query), send: holding(tx.send) } as Tx);
    }, patience);

/** With the address of its node. */
interface Shard extends Address {
  table: string;
  shard: string;
}

async function findHome(db: Database, programId: string): Promise<Home> {
  const shards = await db.query<Shard>(findShards, [programId]);
  const [first] = shards;
  if (!first) throw unavailable('The database is unavailable; retry', new Error('the program has no node'));
  const shardOf = new Map(shards.map((row) => [row.table, row.shard]));
  const shard = shardOf.get('cards') as string;
  const tables = new RegExp(
    `(?<=\\b(?:from|join|into|update)\\s+)(?:${[...shardOf.keys()].join('|')})\\b`,
    'g',
  );
  const localize = ({ name, text }: Statement): Statement => ({
    ...(name !== undefined && { name: `${name}_${shard}` }),
    text: text.replace(tables, (table) => `${table}_${shardOf.get(table)}`),
  });
  const known = new Map<string, Statement>();
  return {
    node: openNode(db, first),
    shard,
    localize(statement) {
      if (statement.name === undefined) return localize(statement);
      const local = known.get(statement.text) ?? localize(statement);
      known.set(statement.text, local);
      return local;
    },
  };
}

async function workAt<Result>(
  { shard, localize }: Home,
  programId: string,
  tx: Tx,
  coordinator: Database,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const held = tx.query<{ shard: string | null }>(holdHome, [programId]).then(([row]) => {
    if (row?.shard !== shard) throw new NotAtHome('the program has moved');
  });
  held.catch(() => {});
  /** The answers to all statements so far. None counts before `held`. */
  let answered: Promise<unknown> = held;
  const query: Tx['query'] = <Row>(given: Statement | string, values?: readonly unknown[]) => {
    const statement = detailed(given);
    if (statement.onCoordinator === 'writes') throw new NotAtHome(AWAY);
    const found = statement.onCoordinator ? undefined : tx.query<Row & object>(localize(statement), values);
    // What is read from the coordinator is read under the locks of the statements before it.
    const rows = found
      ? held.then(() => found)
      : answered.then(() => coordinator.query<Row & object>(statement, values));
    if (found) answered = rows;
    rows.catch(() => {});
    return rows;
  };
  const send: Tx['send'] = (given, values) => {
    const statement = detailed(given);
    if (statement.onCoordinator) throw new NotAtHome(AWAY);
    tx.send(localize(statement), values);
  };
  const result = await work({ query, send } as Tx);
  await held;
  return result;
}
