import type pg from 'pg';
import utils from 'pg/lib/utils.js';

export interface GroupedStatement {
  /** Undefined where the server shall forget it at once. */
  name: string | undefined;
  text: string;
  values: ReadonlyArray<string | Buffer | null>;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
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

interface Field {
  name: string;
  dataTypeID: number;
}

type Columns = Array<{ name: string; parse: (text: string) => unknown }>;

/** The columns of each connection's named statements, so that the server tells them once. */
const knownColumns = new WeakMap<Connection, Map<string, Columns>>();

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
  const answers = collectAnswers(statements, typeParser);
  // The driver calls these as the messages of the server come in.
  const group = {
    // Under these it notes which named statements the server knows.
    get name() {
      return answers.current()?.name;
    },
    get text() {
      return answers.current()?.text;
    },
    query_timeout: timeoutMs,
    /** It replaces this by what stops its timer. */
    callback: () => {},

    submit(connection: Connection): unknown {
      const error = refusal();
      if (error) return error;
      const known = knownColumns.get(connection) ?? new Map<string, Columns>();
      knownColumns.set(connection, known);
      answers.expect(known);
      connection.stream.cork();
      submitAll(connection, statements, known);
      connection.stream.uncork();
      return null;
    },
    handleRowDescription: ({ fields }: { fields: Field[] }) => answers.describe(fields),
    handleDataRow: ({ fields }: { fields: Array<string | null> }) => answers.addRow(fields),
    handleCommandComplete: ({ text }: { text: string }) => answers.complete(text),
    handleReadyForQuery(): void {
      group.callback();
      answers.settle();
    },
    handleError(error: Error): void {
      group.callback();
      answers.settle(error);
    },
  };
  client.query(group as never);
}

/** Sorts what the server says to the statements that it answers, one after the other. */
function collectAnswers(statements: readonly GroupedStatement[], typeParser: TypeParser) {
  const answers = statements.map((): Answer => ({ rows: [], command: '' }));
  let place = 0;
  let known = new Map<string, Columns>();
  let columns: Columns = [];
  const current = () => statements[place];
  const begin = () => {
    columns = known.get(current()?.name ?? '') ?? [];
  };
  return {
    current,
    expect(knownByName: Map<string, Columns>): void {
      known = knownByName;
      begin();
    },
    describe(fields: readonly Field[]): void {
      columns = fields.map(({ name, dataTypeID }) => ({ name, parse: typeParser(dataTypeID) }));
    },
    addRow(texts: ReadonlyArray<string | null>): void {
      answers[place]?.rows.push(readRow(columns, texts));
    },
    complete(command: string): void {
      const name = current()?.name;
      if (name !== undefined) known.set(name, columns);
      (answers[place] as Answer).command = command;
      place++;
      begin();
    },
    /** With an error: the statement it belongs to, and those after it, failed. */
    settle(error?: Error): void {
      statements.forEach(({ resolve, reject }, at) => {
        if (error === undefined || at < place) resolve(answers[at] as Answer);
        else reject(error);
      });
    },
  };
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
