import { unavailable } from '../kernel/error.ts';
import { isCluster } from './cluster.ts';
import { findShards, holdHome } from './cluster-queries.ts';
import type { Address, Database, Patience, Statement, Tx } from './database.ts';
import { isBusy } from './failures.ts';

/** A database with programs, each of which a cluster stores on one of its nodes. */
export interface ProgramDatabase extends Database {
  inProgram: InProgram;
}

/** Runs a transaction that reads and writes rows of one program. */
export type InProgram = <Result>(
  programId: string,
  work: (tx: Tx) => Promise<Result>,
  patience?: Patience,
) => Promise<Result>;

/** The node of a program. Statements there name the program's shards, so the node plans each once, as any server does. */
interface Home {
  node: Database;
  shard: string;
  /** Undefined: the statement names no table of the node. */
  localize(statement: Statement): Statement | undefined;
}

/** The program has moved, or its transaction also writes to the coordinator. */
class NotAtHome extends Error {}
const AWAY = 'the transaction writes to the coordinator';

/**
 * On a cluster, `inProgram` runs on the node that stores the program, without the coordinator. It holds the program there:
 * a move waits for it. A transaction that also writes to tables of the coordinator runs again through the coordinator,
 * which can commit on both.
 */
export async function openHomes(single: Database): Promise<ProgramDatabase> {
  if (!(await isCluster(single)))
    return { ...single, inProgram: (_, work, patience) => single.transaction(work, patience) };
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
  const inProgram: InProgram = async (programId, work, patience) => {
    const home = await homeOf(programId);
    try {
      return await home.node.transaction((tx) => workAt(home, programId, tx, coordinator, work), patience);
    } catch (error) {
      // Its shards may have been split, or its node may have another address now.
      if (!isBusy(error)) homes.delete(programId);
      if (!(error instanceof NotAtHome)) throw error;
      return db.transaction(work, patience);
    }
  };
  return { ...db, inProgram };
}

/** A statement that locks rows of the program that is its first parameter. */
export const LOCKS_ROWS = /\bprogram_id = \$1\b[\s\S]*\bfor (?:no key )?(?:update|share)\b/;

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
          const text = typeof statement === 'string' ? statement : statement.text;
          if (LOCKS_ROWS.test(text)) tx.send(holdHome, values?.slice(0, 1));
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
  const { name, port } = first;
  const shardOf = new Map(shards.map((row) => [row.table, row.shard]));
  const shard = shardOf.get('cards') as string;
  const tables = new RegExp(
    `(?<=\\b(?:from|join|into|update)\\s+)(?:${[...shardOf.keys()].join('|')})\\b`,
    'g',
  );
  const known = new Map<string, Statement | undefined>();
  const localize = (statement: Statement): Statement | undefined => {
    const text = statement.text.replace(tables, (table) => `${table}_${shardOf.get(table)}`);
    if (text === statement.text) return undefined;
    return statement.name === undefined ? { text } : { name: `${statement.name}_${shard}`, text };
  };
  return {
    node: db.further({ name, port }),
    shard,
    localize(statement) {
      if (statement.name === undefined) return localize(statement);
      if (!known.has(statement.text)) known.set(statement.text, localize(statement));
      return known.get(statement.text);
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
    const statement = typeof given === 'string' ? { text: given } : given;
    const local = localize(statement);
    if (!local && !/^\s*select\b/.test(statement.text)) throw new NotAtHome(AWAY);
    const found = local && tx.query<Row & object>(local, values);
    // What is read from the coordinator is read under the locks of the statements before it.
    const rows = found
      ? held.then(() => found)
      : answered.then(() => coordinator.query<Row & object>(statement, values));
    if (found) answered = rows;
    rows.catch(() => {});
    return rows;
  };
  const send: Tx['send'] = (given, values) => {
    const local = localize(typeof given === 'string' ? { text: given } : given);
    if (!local) throw new NotAtHome(AWAY);
    tx.send(local, values);
  };
  const result = await work({ query, send } as Tx);
  await held;
  return result;
}
