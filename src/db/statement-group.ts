import type pg from 'pg';
import utils from 'pg/lib/utils.js';
import { propertyName } from './property-name.ts';

export interface GroupedStatement {
  /** Undefined: an unnamed statement, which the server does not store. */
  name: string | undefined;
  text: string;
  /** Released when they are sent: they would otherwise outlive the young generation while the answer is awaited. */
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

/** The parts of the driver's connection used here; its published types are of an older version. */
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
  /** The server describes each statement once. */
  columns: Map<string, Columns>;
  /** The names that were sent: the server may have skipped a statement, but a pooler has stored its name. */
  sent: Set<string>;
}

const knownOf = new WeakMap<Connection, Known>();

/**
 * Sends statements to the server as one message and receives one answer. After a failed statement the server skips the
 * rest, so the rest fail with the same error. `done` is called after the answers to all of them.
 *
 * The driver's own `pipeline` requests an answer after each statement, and runs the rest after a failure: then the
 * answer to BEGIN must be awaited, or statements could run outside of the transaction. Measured with `pipeline`, an
 * authorization alone took 12 % more processor time in the server and 25 % more in PostgreSQL; without that wait 15 %
 * and 16 %.
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
  // The driver calls these functions when messages of the server arrive.
  const group = {
    // The current statement: the driver stores which named statements the server has. These are not getters, because
    // V8 keeps an object literal with getters, and all that they can reach, until the next major garbage collection.
    name: statements[0]?.name,
    text: statements[0]?.text,
    query_timeout: timeoutMs,
    /** The driver replaces this with the function that stops its timer. */
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
    handleCommandComplete({ text }: { text: string }): void {
      const next = answers.complete(text);
      group.name = next?.name;
      group.text = next?.text;
    },
    handleEmptyQuery: () => group.handleCommandComplete({ text: '' }),
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

/** Assigns the server's messages to the statements in order. */
function collectAnswers(statements: readonly GroupedStatement[], typeParser: TypeParser) {
  const answers = statements.map((): Answer & { unreadable?: Error } => ({ rows: [], command: '' }));
  let current = 0;
  let known = new Map<string, Columns>();
  let columns: Columns = [];
  const begin = () => {
    columns = known.get(statements[current]?.name ?? '') ?? [];
  };
  return {
    expect(knownByName: Map<string, Columns>): void {
      known = knownByName;
      begin();
    },
    describe(fields: readonly Field[]): void {
      columns = fields.map(({ name, dataTypeID }) => ({
        name: propertyName(name),
        parse: typeParser(dataTypeID),
      }));
    },
    addRow(texts: ReadonlyArray<string | null>): void {
      const answer = answers[current] as (typeof answers)[number];
      try {
        answer.rows.push(readRow(columns, texts));
      } catch (error) {
        answer.unreadable = error as Error;
      }
    },
    /** Returns the next statement. */
    complete(command: string): GroupedStatement | undefined {
      const name = statements[current]?.name;
      if (name !== undefined) known.set(name, columns);
      (answers[current] as Answer).command = command;
      current++;
      begin();
      return statements[current];
    },
    /**
     * With an error: the current statement and all later ones failed. The last statement is complete only at the end of
     * the group, because outside of a transaction it is committed then.
     */
    settle(error?: Error): void {
      statements.forEach(({ resolve, reject }, index) => {
        const answer = answers[index] as (typeof answers)[number];
        if (error && (index >= current || index === statements.length - 1)) reject(error);
        else if (answer.unreadable) reject(answer.unreadable);
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
  for (const statement of statements) {
    const { name, text, values } = statement;
    statement.values = [];
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

/** A name must belong to one text: the server would run the text that it has stored. */
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
  columns.forEach(({ name, parse }, index) => {
    const text = fields[index];
    row[name] = text === null || text === undefined ? null : parse(text);
  });
  return row;
}
