import type pg from 'pg';
import utils from 'pg/lib/utils.js';

export interface GroupedStatement {
  /** Undefined: the server does not keep it. */
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

/** The parts of the driver's connection that are used here; its published types are of an older version. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, string | undefined>;
  parse(message: { name: string | undefined; text: string }): void;
  bind(message: { statement: string | undefined; values: readonly unknown[] }): void;
  describe(message: { type: 'P' }): void;
  execute(): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
  sendCopyFail(reason: string): void;
}

interface Field {
  name: string;
  dataTypeID: number;
}

type Columns = Array<{ name: string; parse: (text: string) => unknown }>;

/** The named statements of a connection. */
interface Known {
  /** The server describes them once. */
  columns: Map<string, Columns>;
  /** Those that were sent: the server may have skipped them, but a pooler in between has stored their names. */
  sent: Set<string>;
}

const knownOf = new WeakMap<Connection, Known>();

/**
 * Sends statements as one message to the server, which answers them as one. After a statement that fails the server
 * skips the rest, so the rest gets the same error. `done` is called when all of them are answered.
 *
 * The driver's own `pipeline` asks for an answer after each statement, and runs the rest after a failure: the answer to
 * BEGIN must then be awaited, or statements could run outside of the transaction. Measured with it, an authorization
 * alone took 12 % more processor time in the server and 25 % more in PostgreSQL; without that wait 15 % and 16 %.
 */
export function sendGroup(
  client: pg.ClientBase,
  statements: readonly GroupedStatement[],
  {
    typeParser,
    timeoutMs,
    done,
  }: { typeParser: TypeParser; timeoutMs: number | undefined; done: () => void },
): void {
  const answers = collectAnswers(statements, typeParser);
  // The driver calls these as the messages of the server come in.
  const group = {
    // By these it stores which named statements the server knows.
    get name() {
      return answers.current()?.name;
    },
    get text() {
      return answers.current()?.text;
    },
    query_timeout: timeoutMs,
    /** The driver replaces this by the function that stops its timer. */
    callback: () => {},

    submit(connection: Connection): unknown {
      const known = knownOf.get(connection) ?? { columns: new Map(), sent: new Set() };
      knownOf.set(connection, known);
      const error = findAmbiguous(connection, statements);
      if (error) return error;
      answers.expect(known.columns);
      connection.stream.cork();
      submitAll(connection, statements, known);
      connection.stream.uncork();
      return null;
    },
    handleRowDescription: ({ fields }: { fields: Field[] }) => answers.describe(fields),
    handleDataRow: ({ fields }: { fields: Array<string | null> }) => answers.addRow(fields),
    handleCommandComplete: ({ text }: { text: string }) => answers.complete(text),
    handleEmptyQuery: () => answers.complete(''),
    handleCopyInResponse(connection: Connection): void {
      connection.sendCopyFail('COPY is not supported here');
      connection.sync();
    },
    handleCopyData: () => {},
    handlePortalSuspended: () => {},
    handleReadyForQuery(): void {
      group.callback();
      answers.settle();
      done();
    },
    handleError(error: Error): void {
      group.callback();
      answers.settle(error);
      done();
    },
  };
  client.query(group as never);
}

/** Assigns the messages of the server to the statements, one after the other. */
function collectAnswers(statements: readonly GroupedStatement[], typeParser: TypeParser) {
  const answers = statements.map((): Answer & { unreadable?: Error } => ({ rows: [], command: '' }));
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
      const answer = answers[place] as (typeof answers)[number];
      try {
        answer.rows.push(readRow(columns, texts));
      } catch (error) {
        answer.unreadable = error as Error;
      }
    },
    complete(command: string): void {
      const name = current()?.name;
      if (name !== undefined) known.set(name, columns);
      (answers[place] as Answer).command = command;
      place++;
      begin();
    },
    /**
     * With an error: the statement it belongs to, and those after it, failed. The last one is complete only at the end of
     * the group: outside of a transaction it is committed then.
     */
    settle(error?: Error): void {
      statements.forEach(({ resolve, reject }, at) => {
        const { unreadable, ...answer } = answers[at] as (typeof answers)[number];
        if (error && (at >= place || at === statements.length - 1)) reject(error);
        else if (unreadable) reject(unreadable);
        else resolve(answer);
      });
    },
  };
}

function submitAll(
  connection: Connection,
  statements: readonly GroupedStatement[],
  { columns, sent }: Known,
): void {
  const parsedHere = new Set<string>();
  for (const { name, text, values } of statements) {
    if (name === undefined) connection.parse({ name, text });
    else if (!(connection.parsedStatements[name] || parsedHere.has(name))) {
      if (sent.has(name)) connection.close({ type: 'S', name });
      connection.parse({ name, text });
      parsedHere.add(name);
      sent.add(name);
    }
    connection.bind({ statement: name, values });
    if (name === undefined || !columns.has(name)) connection.describe({ type: 'P' });
    connection.execute();
  }
  connection.sync();
}

/** A name stands for one text: the server would run the one it knows. */
function findAmbiguous(connection: Connection, statements: readonly GroupedStatement[]): Error | undefined {
  const texts = new Map<string, string>();
  for (const { name, text } of statements) {
    if (name === undefined) continue;
    if ((connection.parsedStatements[name] ?? texts.get(name) ?? text) !== text)
      return new Error(`two statements are named "${name}"`);
    texts.set(name, text);
  }
  return undefined;
}

function readRow(columns: Columns, fields: ReadonlyArray<string | null>): pg.QueryResultRow {
  const row: pg.QueryResultRow = {};
  columns.forEach(({ name, parse }, at) => {
    const text = fields[at];
    row[name] = text === null || text === undefined ? null : parse(text);
  });
  return row;
}
