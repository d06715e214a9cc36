import { type Database, openDatabase, type Statement, type Tx } from '../src/db/database.ts';

/** A transaction as it was sent: statements of one message form a group. */
export type Recorded = Array<Array<{ statement: Statement; values: readonly unknown[] | undefined }>>;

/**
 * What the product sends in its transactions, recorded from the product itself. Each transaction is rolled back at its
 * end, so that it can be sent again.
 */
export async function recordTransactions(
  db: Database,
  run: (db: Database) => Promise<unknown>,
): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  const transaction: Database['transaction'] = async (work, patience) => {
    let done: { result: Awaited<ReturnType<typeof work>> } | undefined;
    const undo = new Error('undone');
    try {
      await db.transaction(async (tx) => {
        const { noting, groups } = noteStatements(tx);
        done = { result: await work(noting) };
        recorded.push(groups);
        throw undo;
      }, patience);
    } catch (error) {
      if (error !== undo) throw error;
    }
    return (done as NonNullable<typeof done>).result;
  };
  await run({ ...db, transaction, inProgram: (_programId, work, patience) => transaction(work, patience) });
  if (recorded.length === 0) throw new Error('no transaction was recorded');
  return recorded;
}

function noteStatements(tx: Tx): { noting: Tx; groups: Recorded } {
  const groups: Recorded = [];
  let open = false;
  const note = (statement: Statement, values: readonly unknown[] | undefined) => {
    if (!open) {
      open = true;
      groups.push([]);
      process.nextTick(() => (open = false));
    }
    groups.at(-1)?.push({ statement, values });
  };
  const noting = {
    query: (statement: Statement, values?: readonly unknown[]) => {
      note(statement, values);
      return tx.query(statement, values);
    },
    send: (statement: Statement, values?: readonly unknown[]) => {
      note(statement, values);
      tx.send(statement, values);
    },
  } as Tx;
  return { noting, groups };
}

export interface Replay {
  perSecond: number;
  latenciesMs: number[];
}

/** Sends them again over some connections, each in as many pieces as the product had. */
export async function replayTransactions(
  databaseUrl: string,
  connections: number,
  recorded: readonly Recorded[],
): Promise<Replay> {
  const db = openDatabase({
    url: databaseUrl,
    poolSize: connections,
    namedStatements: true,
    onIdleError: () => {},
  });
  const pending = recorded.values();
  const latenciesMs: number[] = [];
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const groups of pending) {
        const sent = performance.now();
        await db.transaction((tx) => replay(tx, groups));
        latenciesMs.push(performance.now() - sent);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  await db.close();
  return { perSecond: recorded.length / seconds, latenciesMs };
}

/** The last group is sent together with the commit. */
async function replay(tx: Tx, groups: Recorded): Promise<void> {
  for (const group of groups.slice(0, -1))
    await Promise.all(group.map(({ statement, values }) => tx.query(statement, values)));
  for (const { statement, values } of groups.at(-1) ?? []) tx.send(statement, values);
}
