import type pg from 'pg';
import utils from 'pg/lib/utils.js';

export interface GroupedStatement {
  /** Undefined where the server shall forget it at once. */
  name: string | undefined;
  text: string;
  values: ReadonlyArray<string | Buffer | null>;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

export interface Answer {
  rows: pg.QueryResultRow[];
  /** `INSERT 0 1`, `COMMIT` and so on. */
  command: string;
}

export type TypeParser = (oid: number) => (text: string) => unknown;

export const writeValues = (values: readonly unknown[]): Array<string | Buffer | null> =>
  values.map(utils.prepareValue);

/** What we use of the driver's connection; its published types are of an older version. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, string | undefined>;
  parse(message: { name: string | undefined; text: string }): void;
  bind(message: { statement: string | undefined; values: readonly unknown[] }): void;
  describe(message: { type: 'P' }): void;
  execute(): void;
  sync(): void;
}

type Columns = Array<{ name: string; parse: (text: string) => unknown }>;

/** The columns of each connection's named statements, so that the server tells them once. */
const knownColumns = new WeakMap<Connection, Map<string, Columns>>();
const NO_COLUMNS: Columns = [];

/**
 * Sends statements as one message to the server, which answers them as one. (The driver by itself asks for an answer
 * after each statement, and each answer wakes both sides up.) After a statement that fails, the server skips the
 * rest, so the rest gets the same error. `refusal` is asked at the last moment: where it gives an error, nothing is sent.
 */
export function sendGroup(
  client: pg.ClientBase,
  statements: readonly GroupedStatement[],
  {
    typeParser,
    timeoutMs,
    refusal,
  }: { typeParser: TypeParser; timeoutMs: number | undefined; refusal: () => unknown },
): void {
  const answers = statements.map((): Answer => ({ rows: [], command: '' }));
  let place = 0;
  let known = new Map<string, Columns>();
  let columns: Columns | undefined;

  const startOn = (next: number) => {
    place = next;
    const name = statements[next]?.name;
    columns = name === undefined ? undefined : known.get(name);
  };

  // The driver calls these as the messages of the server come in.
  const group = {
    // Under these it notes which named statements the server knows.
    get name() {
      return statements[place]?.name;
    },
    get text() {
      return statements[place]?.text;
    },
    query_timeout: timeoutMs,
    /** It replaces this by what stops its timer. */
    callback: () => {},

    submit(connection: Connection): unknown {
      const error = refusal();
      if (error) return error;
      known = knownColumns.get(connection) ?? known;
      knownColumns.set(connection, known);
      startOn(0);
      connection.stream.cork();
      submitAll(connection, statements, known);
      connection.stream.uncork();
      return null;
    },
    handleRowDescription({ fields }: { fields: Array<{ name: string; dataTypeID: number }> }): void {
      columns = fields.map(({ name, dataTypeID }) => ({ name, parse: typeParser(dataTypeID) }));
    },
    handleDataRow({ fields }: { fields: Array<string | null> }): void {
      answers[place]?.rows.push(readRow(columns ?? NO_COLUMNS, fields));
    },
    handleCommandComplete({ text }: { text: string }): void {
      const name = statements[place]?.name;
      if (name !== undefined && !known.has(name)) known.set(name, columns ?? NO_COLUMNS);
      (answers[place] as Answer).command = text;
      startOn(place + 1);
    },
    handleReadyForQuery(): void {
      group.callback();
      statements.forEach(({ resolve }, at) => resolve(answers[at] as Answer));
    },
    handleError(error: unknown): void {
      group.callback();
      statements.forEach(({ resolve, reject }, at) => {
        if (at < place) resolve(answers[at] as Answer);
        else reject(error);
      });
    },
  };
  client.query(group as never);
}

function submitAll(
  connection: Connection,
  statements: readonly GroupedStatement[],
  known: ReadonlyMap<string, Columns>,
): void {
  const parsedHere = new Set<string>();
  for (const { name, text, values } of statements) {
    if (name === undefined || !(connection.parsedStatements[name] || parsedHere.has(name)))
      connection.parse({ name, text });
    if (name !== undefined) parsedHere.add(name);
    connection.bind({ statement: name, values });
    if (name === undefined || !known.has(name)) connection.describe({ type: 'P' });
    connection.execute();
  }
  connection.sync();
}

function readRow(columns: Columns, fields: ReadonlyArray<string | null>): pg.QueryResultRow {
  const row: pg.QueryResultRow = {};
  columns.forEach(({ name, parse }, at) => {
    const text = fields[at];
    row[name] = text === null || text === undefined ? null : parse(text);
  });
  return row;
}
