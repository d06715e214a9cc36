import type { Readable } from 'node:stream';
import pg from 'pg';
import { EmbossError, unavailable } from '../kernel/error.ts';
import type { Gauge, Metrics } from '../kernel/metric.ts';
import { copyOut } from './copy-out.ts';
import {
  isBusy,
  isConnectionLoss,
  isReadTimeout,
  isStrangeSession,
  isUnfinishedCommit,
  isWorthRetrying,
  nodeLost,
} from './failures.ts';
import {
  BEGIN,
  BEGIN_SNAPSHOT,
  COMMIT,
  findOlderTransaction,
  limitLocks,
  limitTransaction,
  ROLLBACK,
} from './queries.ts';
import { type Answer, type GroupedStatement, sendGroup, writeValues } from './statement-group.ts';

/** One SQL statement. PostgreSQL plans a named statement once per connection, so name frequent statements. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  /** How long to wait for the answer, if 15 s is too long. Not for statements in transactions. */
  readonly timeoutMs?: number;
  /** It locks rows of the program that is its first parameter. A cluster keeps the program from moving first. */
  readonly locks?: true;
  /**
   * Its tables are on the coordinator of a cluster, because they belong to no single program. A statement sent in
   * `inProgram` must say so: others run on the node of the program.
   */
  readonly onCoordinator?: 'reads' | 'writes';
}

export interface Queryable {
  /** A text alone is a statement without a name. */
  query<Row extends pg.QueryResultRow>(
    statement: Statement | string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
}

declare const txBrand: unique symbol;
/** An open transaction. Statements that are not awaited one by one are sent together. */
export interface Tx extends Queryable {
  readonly [txBrand]: true;
  /**
   * Sends a statement whose answer is not needed, together with the next statements or COMMIT. If it fails, the
   * transaction fails with its error.
   */
  send(statement: Statement | string, values?: readonly unknown[]): void;
}

/**
 * What a cluster does differently from a single server: `citus/`. Features know no more of a cluster than this.
 */
export interface Programs {
  /** Runs a transaction that reads and writes rows of one program. */
  inProgram<Result>(
    programId: string,
    work: (tx: Tx) => Promise<Result>,
    patience?: Patience,
  ): Promise<Result>;
  /**
   * Whether no transaction that began at least `ageMs` ago can still commit rows of the program. From SETTLED_AFTER_MS on
   * this costs a single server no statement.
   */
  settledBefore(programId: string, ageMs: number): Promise<boolean>;
  /** Queries all programs with one statement. If a cluster cannot answer it, `query` is called for one program at a time. */
  eachProgram: EachProgram;
}

export type EachProgram = <Row>(
  listIds: () => Promise<readonly string[]>,
  query: (programId?: string) => Promise<Row[]>,
) => Promise<{
  rows: Row[];
  /** Programs that could not be queried. */
  missed: ReadonlySet<string>;
}>;

/** Transactions are cancelled after seconds; a minute leaves room for clocks that differ. */
export const SETTLED_AFTER_MS = 60_000;

export interface Database extends Queryable, Programs {
  /**
   * Runs `work` in one transaction, and runs it again after a deadlock or a serialization failure. `patience` limits
   * the wait for locks.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>, patience?: Patience): Promise<Result>;
  /** A read-only transaction: all reads see the same snapshot. */
  snapshot<Result>(work: (tx: Tx) => Promise<Result>, patience?: Patience): Promise<Result>;
  /** Streams the rows of a query as CSV from one snapshot. The query takes no parameters: check every value in it. */
  copyOut(query: string): Promise<Readable>;
  /** The same login with further connections, here or to another server. They are closed with this. */
  further(address?: Address): Database;
  /** Number of all clients, idle clients and waiting requests, for the metrics. */
  poolState(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

export const CONNECTIONS: Gauge<{ state: keyof ReturnType<Database['poolState']> }> = {
  type: 'gauge',
  name: 'emboss_database_connections',
  help: 'Connections of the database pool, and requests that wait for one.',
  labels: { state: ['total', 'idle', 'waiting'] },
};

export function measurePool(metrics: Metrics, { poolState }: Database): void {
  metrics.gauge(CONNECTIONS, (set) => {
    const { total, idle, waiting } = poolState();
    set({ state: 'total' }, total);
    set({ state: 'idle' }, idle);
    set({ state: 'waiting' }, waiting);
  });
}

export interface Address {
  name: string;
  port: number;
  /** Settings of the sessions, as on the command line. */
  settings?: string;
}

export interface Patience {
  /** The longest wait for each lock. */
  lockMs: number;
  /** How long the transaction may be idle, with all its locks, before the server ends it. */
  idleMs: number;
  /** How long each statement may take before the server cancels it; 10 s by default. */
  statementMs?: number;
  /** The most times the work runs; 5 by default. 1 for a caller that retries by itself. */
  attempts?: number;
}

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** Off for poolers without support for prepared statements (PgBouncer before 1.21). */
  namedStatements: boolean;
  /** The role of transactions: it cannot rewrite ledger and audit. Undefined: the login's own rights. */
  role?: string | undefined;
  onIdleError: (error: Error) => void;
  /** How long a connection is used; for ever by default. */
  lifetimeS?: number;
  /** How long to wait for a connection, and for a free one of the pool; 2 s by default. */
  connectWithinMs?: number | undefined;
  /** How long to wait for an answer; 15 s by default. */
  answerWithinMs?: number;
}

const MAX_ATTEMPTS = 5;
const USUAL_PATIENCE: Patience = { lockMs: 5_000, idleMs: 10_000 };
const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 2_000;
const QUERY_TIMEOUT_MS = 15_000;
/** On a node, a connection keeps the statements of each shard that it has used. */
const FURTHER_LIFETIME_S = 1_800;

/** Connections whose last commit is not finished on a node of the cluster. */
const unfinished = new WeakSet<pg.ClientBase>();

export function openDatabase(options: DatabaseOptions): Database {
  let pool = createPool(options);
  const others = new Map<string, Database>();

  /** After a silent loss of the network all idle connections are lost too, so the whole pool is replaced. */
  function leaveIfSilent(used: pg.Pool, error: unknown): void {
    if (!isReadTimeout(error) || used !== pool) return;
    pool = createPool(options);
    used.end().catch(options.onIdleError);
  }

  /** Runs `use` with a client of the pool. If its state is in doubt, the client is closed and never reused. */
  async function withClient<Result>(
    use: (client: pg.PoolClient, giveUp: () => void) => Promise<Result>,
  ): Promise<Result> {
    const used = pool;
    const client = await used.connect();
    let inDoubt = false;
    const giveUp = () => {
      inDoubt = true;
    };
    try {
      const result = await use(client, giveUp);
      // The rows on that node stay invisible until it is back, so the commit is not acknowledged.
      if (unfinished.has(client)) throw unavailable(UNKNOWN_OUTCOME, nodeLost());
      return result;
    } catch (error) {
      if (isConnectionLoss(error)) giveUp();
      leaveIfSilent(used, error);
      throw error;
    } finally {
      unfinished.delete(client);
      client.release(inDoubt);
    }
  }

  async function runOnce<Result>(
    client: pg.PoolClient,
    giveUp: () => void,
    begin: Statement,
    work: (tx: Tx) => Promise<Result>,
    patience: Patience,
  ): Promise<Result> {
    const { issue, close } = openLine(client, options.namedStatements);
    // Work that continues after the end of the transaction must not send statements outside of it.
    let over = false;
    const query = (statement: Statement | string, values?: readonly unknown[]) => {
      const rows = over
        ? Promise.reject(new Error('the transaction is over'))
        : issue(statement, values).then(rowsOf);
      // The transaction fails with this error, so a rejection that the work does not await must not end the process.
      rows.catch(() => {});
      return rows;
    };
    const send = (...given: Parameters<typeof query>) => void query(...given);
    send(begin);
    send(limitLocks(patience.lockMs));
    send(limitTransaction(options.role), limitsOf(patience));
    try {
      const result = await work({ query, send } as Tx);
      over = true;
      await commit(issue);
      return result;
    } catch (error) {
      over = true;
      if (isConnectionLoss(close(error))) giveUp();
      else await client.query(ROLLBACK).catch(giveUp);
      throw error;
    }
  }

  async function run<Result>(
    begin: Statement,
    work: (tx: Tx) => Promise<Result>,
    patience = USUAL_PATIENCE,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await withClient((client, giveUp) => runOnce(client, giveUp, begin, work, patience));
      } catch (error) {
        if (attempt < (patience.attempts ?? MAX_ATTEMPTS) && isWorthRetrying(error)) continue;
        throw translate(error);
      }
    }
  }

  const limitsOf = ({ idleMs, statementMs = STATEMENT_TIMEOUT_MS }: Patience) => [
    String(idleMs),
    String(Math.ceil(statementMs)),
    ...(options.role ? [options.role] : []),
  ];

  async function query<Row>(statement: Statement | string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      const { rows } = await withClient((client) =>
        openLine(client, options.namedStatements, detailed(statement).timeoutMs).issue(statement, values),
      );
      return rows as Row[];
    } catch (error) {
      throw translate(error);
    }
  }

  return {
    query,
    inProgram: (_, work, patience) => run(BEGIN, work, patience),
    settledBefore: async (_, ageMs) =>
      ageMs >= SETTLED_AFTER_MS ||
      !(await query<{ found: boolean }>(findOlderTransaction, [ageMs]))[0]?.found,
    eachProgram: async (_, queryAll) => ({ rows: await queryAll(), missed: new Set() }),
    transaction: (work, patience) => run(BEGIN, work, patience),
    snapshot: (work, patience) => run(BEGIN_SNAPSHOT, work, patience),
    copyOut: (query) =>
      copyOut(options, query).catch((error) => {
        throw translate(error);
      }),
    further(address) {
      const key = address ? `${address.name}:${address.port}` : 'here';
      const url = address ? addressedTo(options.url, address) : options.url;
      const other = others.get(key) ?? openDatabase({ ...options, url, lifetimeS: FURTHER_LIFETIME_S });
      others.set(key, other);
      return other;
    },
    poolState: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () =>
      void (await Promise.all([pool.end(), ...[...others.values()].map((other) => other.close())])),
  };
}

function addressedTo(url: string, { name, port, settings = '' }: Address): string {
  const changed = new URL(url);
  changed.hostname = name.includes(':') ? `[${name}]` : name;
  changed.port = String(port);
  for (const parameter of ['host', 'port']) changed.searchParams.delete(parameter);
  const own = changed.searchParams.get('options');
  changed.searchParams.set('options', [own, settings].filter(Boolean).join(' '));
  return changed.href;
}

type Issue = (statement: Statement | string, values?: readonly unknown[]) => Promise<Answer>;

const rowsOf = ({ rows }: Answer): Answer['rows'] => rows;

export const detailed = (statement: Statement | string): Statement =>
  typeof statement === 'string' ? { text: statement } : statement;

/**
 * Sends the statements of one turn of the event loop together. After a failure (or `close`) it sends nothing more:
 * statements after a ROLLBACK, or after a failed BEGIN, would run outside of the transaction.
 */
function openLine(
  client: pg.PoolClient,
  namedStatements: boolean,
  timeoutMs?: number,
): { issue: Issue; close: (error: unknown) => unknown } {
  let waiting: GroupedStatement[] = [];
  let underWay = false;
  let failure: unknown;
  /** Returns the first failure. */
  const close = (error: unknown) => {
    failure ??= error;
    return failure;
  };
  const leave = () => {
    if (underWay || waiting.length === 0) return;
    const group = waiting;
    waiting = [];
    if (failure) for (const { reject } of group) reject(failure as Error);
    else {
      underWay = true;
      sendGroup(client, group, { typeParser, timeoutMs, done });
    }
  };
  const done = () => {
    underWay = false;
    leave();
  };
  const wait = (statement: Pick<GroupedStatement, 'name' | 'text' | 'values'>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        close(error);
        reject(error);
      };
      waiting.push(Object.assign(statement, { resolve, reject: fail }));
      if (waiting.length === 1) process.nextTick(leave);
    });
  // No closure holds the values: they are garbage once they are sent, and not only when the answer arrives.
  const issue: Issue = (given, values = []) => {
    const { name, text } = detailed(given);
    try {
      return wait({ name: namedStatements ? name : undefined, text, values: writeValues(values) });
    } catch (error) {
      close(error);
      return Promise.reject(error as Error);
    }
  };
  return { issue, close };
}

async function commit(issue: Issue): Promise<void> {
  const { command } = await issue(COMMIT).catch((error) => {
    if (!isConnectionLoss(error)) throw error;
    throw unavailable(UNKNOWN_OUTCOME, error);
  });
  // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK and no error.
  if (command !== 'COMMIT') throw new Error('the transaction had failed and was rolled back');
}

function createPool(options: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: options.connectWithinMs ?? CONNECT_TIMEOUT_MS,
    query_timeout: options.answerWithinMs ?? QUERY_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: options.lifetimeS ?? 0,
    keepAlive: true,
    application_name: 'emboss',
  } as pg.PoolConfig);
  // The pool removes an idle client that loses its connection; without a listener the error would end the process.
  pool.on('error', options.onIdleError);
  // The same for a client in use between two statements: its next statement fails.
  pool.on('connect', (client) =>
    client
      .on('error', () => {})
      .on('notice', (notice) => {
        if (isUnfinishedCommit(notice)) unfinished.add(client);
      }),
  );
  return pool;
}

const UNKNOWN_OUTCOME = 'The database connection was lost and the outcome is unknown; retry with the same id';

const STRANGE_SESSION =
  'the connection pooler does not keep prepared statements apart; set DATABASE_NAMED_STATEMENTS=false';

function translate(error: unknown): unknown {
  if (error instanceof EmbossError) return error;
  if (isBusy(error)) return unavailable('The record is busy; retry', error);
  if (isStrangeSession(error)) return new Error(STRANGE_SESSION, { cause: error });
  return isConnectionLoss(error) ? unavailable('The database is unavailable; retry', error) : error;
}

const BIGINT_OID = 20;
const DATE_OID = 1082;

/** `bigint` stays exact, and a `date` stays text: a JavaScript date would shift with the time zone. */
function typeParser(oid: number): (text: string) => unknown {
  if (oid === BIGINT_OID) return BigInt;
  if (oid === DATE_OID) return (text) => text;
  return pg.types.getTypeParser(oid, 'text') as (text: string) => unknown;
}
