import { openSync, readFileSync, writeSync } from 'node:fs';

/** The requests and responses of clients, one line each, on disk before a request is sent. */

/** 2xx is ok; 4xx is certainly nothing; a cut connection, a time-out or a 5xx may be either. */
export type Outcome = 'ok' | 'refused' | 'unknown';

export const OPERATIONS = [
  'create',
  'freeze',
  'unfreeze',
  'block',
  'reissue',
  'adjust',
  'authorization',
  'advice',
  'increment',
  'clearing',
  'reversal',
  'refund',
  'report',
  'create key',
  'use key',
  'revoke key',
  'move clock',
  'read',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** One request. Several under one id are the same request, sent again. */
export interface Attempt {
  operation: Operation;
  id: string;
  /** The index of the server. */
  index: number;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own
  args: any;
  /** Milliseconds on the one clock of all clients. */
  invokedAt: number;
  /** Infinity where the end of the run came first. */
  returnedAt: number;
  outcome: Outcome;
  status: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own
  answer: any;
}

export type AttemptedRequest = Pick<Attempt, 'operation' | 'id' | 'index' | 'args'>;
export type AttemptResult = Pick<Attempt, 'outcome' | 'status' | 'answer'>;

export interface History {
  /** On disk when it returns; gives what to call with the answer. */
  invoke(request: AttemptedRequest): (result: AttemptResult) => void;
}

export const now = (): number => performance.timeOrigin + performance.now();

const asNumbers = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

export function openHistory(path: string): History {
  const file = openSync(path, 'a');
  let count = 0;
  const write = (line: object) => writeSync(file, `${JSON.stringify(line, asNumbers)}\n`);
  return {
    invoke: (request) => {
      const n = ++count;
      write({ n, invokedAt: now(), ...request });
      return (result) => write({ n, returnedAt: now(), ...result });
    },
  };
}

/** What was never answered is unknown. */
export function readHistory(path: string): Attempt[] {
  const attempts = new Map<number, Attempt>();
  for (const { n, ...line } of readLines<{ n: number } & Partial<Attempt>>(path)) {
    const pending = { returnedAt: Number.POSITIVE_INFINITY, outcome: 'unknown', status: null, answer: null };
    attempts.set(n, { ...pending, ...attempts.get(n), ...line } as Attempt);
  }
  return [...attempts.values()];
}

/** Lines of JSON; the last one may have been cut by a kill. One by one, since hours are too long for one string. */
export function readLines<Line>(path: string): Line[] {
  const bytes = readFileSync(path);
  const lines: Line[] = [];
  for (let start = 0, end = 0; ; start = end + 1) {
    end = bytes.indexOf('\n', start);
    if (end === -1) return lines;
    lines.push(JSON.parse(bytes.toString('utf8', start, end)) as Line);
  }
}
