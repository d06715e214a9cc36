import type { Socket } from 'node:net';
import pg from 'pg';
import { EmbossError, unavailable } from '../kernel/error.ts';
import { isBusy, isConnectionLoss, isReadTimeout, isTransactionLost, isWorthRetrying } from './failures.ts';
import { beginTransaction } from './queries.ts';

/** One SQL statement. A name makes PostgreSQL plan it once per connection: give one to hot statements. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  /** How long to wait for the answer, where 15 s would be too long. */
  readonly timeoutMs?: number;
}

export interface Queryable {
  query<Row extends pg.QueryResultRow>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

declare const txBrand: unique symbol;
/** A transaction under way. Statements are pipelined: those not awaited one by one travel together. */
export interface Tx extends Queryable {
  readonly [txBrand]: true;
  /**
   * Sends a statement whose answer nobody needs; it travels with what follows, COMMIT among it. Should it fail, the
   * transaction fails with its error.
   */
  send(statement: Statement, values?: readonly unknown[]): void;
}

export interface Database extends Queryable {
  /**
   * Runs `work` in one transaction; on a deadlock or a serialization failure runs it again. It waits for locks as long
   * as `patience` allows.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>, patience?: Patience): Promise<Result>;
  /** Clients in use, idle and waited for, for the metrics. */
  poolState(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

export interface Patience {
  /** How long to wait for each lock. */
  lockMs: number;
  /** How long this process may leave the transaction idle, with all its locks, before the server ends it. */
  idleMs: number;
}

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** Off for poolers that cannot keep prepared statements apart (PgBouncer before 1.21). */
  namedStatements: boolean;
  /** The role that transactions take on: one that cannot rewrite ledger and audit. Undefined: the login's own rights. */
  role?: string | undefined;
  onIdleError: (error: Error) => void;
}

const MAX_ATTEMPTS = 5;
const USUAL_PATIENCE: Patience = { lockMs: 5_000, idleMs: 10_000 };
const CONNECT_TIMEOUT_MS = 2_000;
const QUERY_TIMEOUT_MS = 15_000;

export function openDatabase(options: DatabaseOptions): Database {
  let pool = createPool(options);
  const prepare = ({ name, text, timeoutMs }: Statement, values: readonly unknown[]) => ({
    text,
    values: [...values],
    ...(options.namedStatements && name !== undefined ? { name } : {}),
    ...(timeoutMs === undefined ? {} : { query_timeout: timeoutMs }),
  });

  /** After a silent loss of the network all idle connections are as dead as the one that told: none is tried again. */
  function leaveIfSilent(used: pg.Pool, error: unknown): void {
    if (!isReadTimeout(error) || used !== pool) return;
    pool = createPool(options);
    used.end().catch(options.onIdleError);
  }

  async function runOnce<Result>(work: (tx: Tx) => Promise<Result>, patience: Patience): Promise<Result> {
    const used = pool;
    const client = await used.connect();
    // After a failure, work that had not yet sent its statement must not send it outside the transaction.
    let over = false;
    const query = async (statement: Statement, values: readonly unknown[] = []) => {
      if (over) throw new Error('the transaction is over');
      gatherWrites(client);
      return (await client.query(prepare(statement, values))).rows;
    };
    const sent: Array<Promise<unknown>> = [];
    const send = (statement: Statement, values?: readonly unknown[]) => {
      const answer = query(statement, values);
      // Awaited at the commit; till then its failure is no surprise to anybody.
      answer.catch(() => {});
      sent.push(answer);
    };
    const tx = { query, send } as Tx;
    gatherWrites(client);
    const refusal = begin(client, beginTransaction(options.role, patience));
    let inDoubt: unknown;
    try {
      const result = await work(tx);
      over = true;
      const refused = await refusal;
      if (refused) throw refused;
      await commit(client, sent);
      return result;
    } catch (thrown) {
      over = true;
      const refused = await refusal;
      const error = refused ?? (await firstFailure(sent, thrown));
      if (refused || isConnectionLoss(error)) inDoubt = error;
      else await client.query('rollback').catch((lost) => (inDoubt = lost));
      leaveIfSilent(used, error);
      throw error;
    } finally {
      // A client whose connection is in doubt is thrown away, never lent out again.
      client.release(inDoubt === undefined ? undefined : (inDoubt as Error));
    }
  }

  return {
    query: async (statement, values = []) => {
      const used = pool;
      try {
        return (await used.query(prepare(statement, values))).rows;
      } catch (error) {
        leaveIfSilent(used, error);
        throw translate(error);
      }
    },
    transaction: async (work, patience = USUAL_PATIENCE) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runOnce(work, patience);
        } catch (error) {
          if (attempt < MAX_ATTEMPTS && isWorthRetrying(error)) continue;
          throw translate(error);
        }
      }
    },
    poolState: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

function createPool(options: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'emboss',
    types: { getTypeParser },
    pipeline: true,
  } as pg.PoolConfig);
  // An idle client that loses its connection is dropped by the pool; without a listener it would end us.
  pool.on('error', options.onIdleError);
  // One that is lent out and between two statements would end us just the same. Its next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * Not awaited at once: BEGIN travels with the first statement. Should it be refused, the statements sent after it ran
 * each on its own, so the outcome is not known. Gives that error, or nothing.
 */
const begin = (client: pg.PoolClient, statements: string): Promise<EmbossError | undefined> =>
  client.query(statements).then(
    () => undefined,
    (error) => unavailable('The database refused the transaction; ask again to learn the outcome', error),
  );

/** After a sent statement failed, whatever follows it only learns that the transaction is lost: find out why. */
async function firstFailure(sent: ReadonlyArray<Promise<unknown>>, thrown: unknown): Promise<unknown> {
  if (!isTransactionLost(thrown)) return thrown;
  const outcomes = await Promise.allSettled(sent);
  return outcomes.find((outcome) => outcome.status === 'rejected')?.reason ?? thrown;
}

/** What is sent in one turn of the event loop leaves in one write; the driver alone would make one per statement. */
function gatherWrites(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** `sent`: what travels with it unanswered. PostgreSQL commits only if none of it failed. */
async function commit(client: pg.PoolClient, sent: ReadonlyArray<Promise<unknown>>): Promise<void> {
  gatherWrites(client);
  const committed = client.query('commit').catch((error) => {
    if (!isConnectionLoss(error)) throw error;
    throw unavailable('The answer of the database was lost; ask again to learn the outcome', error);
  });
  const outcomes = await Promise.allSettled([...sent, committed]);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  // A connection lost with the COMMIT under way leaves the outcome open, whichever statement noticed it first.
  if (failed && isConnectionLoss(failed.reason)) await committed;
  if (failed) throw failed.reason;
  const result = await committed;
  // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK and no error.
  if (result.command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back');
}

function translate(error: unknown): unknown {
  if (error instanceof EmbossError) return error;
  if (isBusy(error)) return unavailable('The record is busy; try again shortly', error);
  return isConnectionLoss(error) ? unavailable('The database is away; try again shortly', error) : error;
}

const BIGINT_OID = 20;
const DATE_OID = 1082;

/** `bigint` stays exact, and a `date` stays text: as a JavaScript date it would shift with the time zone. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === BIGINT_OID) return BigInt;
  if (oid === DATE_OID) return (text) => text;
  return pg.types.getTypeParser(oid, format as 'text') as (text: string) => unknown;
}
