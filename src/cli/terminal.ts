import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { maskCardNumbers } from '../kernel/card-numbers.ts';
import { EmbossError } from '../kernel/error.ts';

/** Input and output of a command; tests provide their own. */
export interface Terminal {
  /** Undefined: the environment of the process. */
  env: Record<string, string | undefined> | undefined;
  out(text: string): void;
  err(text: string): void;
  /** For long output: a writer waits for the reader. Default: `out`. */
  stdout?: Writable & { isTTY?: boolean };
  /** Piped input. Default: the standard input of the process. */
  stdin?: AsyncIterable<unknown>;
  color: boolean;
  /** True if stderr is a terminal, so that progress can be drawn. */
  live?: boolean;
  /** Stops a long-running command. Default: Ctrl-C and SIGTERM. */
  stop?: AbortSignal;
  /** Aborted when the reader closes the pipe (`| head`). */
  unread?: AbortSignal;
}

/** Output of a command: `json` for scripts, `text` for people. */
export interface Output {
  json: unknown;
  text: string;
}

export function processTerminal(): Terminal {
  // A reader that closes the pipe early (`| head`) is not an error. Any other failure, such as a full disk, is.
  const unread = new AbortController();
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.once('exit', () => endUnwritten(error));
      else if (stream === process.stdout) unread.abort();
    });
  return {
    env: undefined,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(maskCardNumbers(text)),
    stdout: process.stdout,
    // `hasColors` respects NO_COLOR and similar variables.
    color: process.stdout.isTTY === true && process.stdout.hasColors(),
    live: process.stderr.isTTY === true,
    unread: unread.signal,
  };
}

/** Reports the error and sets the exit code, unless the command has already failed. */
function endUnwritten(error: NodeJS.ErrnoException): void {
  if (process.exitCode) return;
  process.exitCode = 1;
  process.stderr.write(`emboss: ${unwritten(error)}\n`);
}

const unwritten = ({ code, message }: NodeJS.ErrnoException): string =>
  `cannot write the output: ${code ?? message}`;

/** Streams a long text. Returns false if the reader closed the pipe early (`| head`), which is not an error. */
export async function writeOut({ stdout, out }: Terminal, content: Readable): Promise<boolean> {
  const target = stdout ?? writerOf(out);
  let refusal: NodeJS.ErrnoException | undefined;
  target.once('error', (error) => {
    refusal = error;
  });
  try {
    await pipeline(content, target, { end: false });
    return true;
  } catch (error) {
    if (refusal === undefined || error !== refusal) throw error;
    if (refusal.code === 'EPIPE') return false;
    throw new EmbossError(500, unwritten(refusal));
  }
}

const writerOf = (out: Terminal['out']): Writable =>
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      out(chunk.toString());
      done();
    },
  });

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export const paint = (terminal: Terminal, color: keyof typeof CODES, text: string): string =>
  terminal.color ? `\u001b[${CODES[color]}m${text}\u001b[0m` : text;

/** Aligned columns, separated by two spaces, with a header line; without rows the text `empty`. */
export function table(
  terminal: Terminal,
  names: readonly string[],
  rows: readonly string[][],
  empty: string,
): string {
  if (rows.length === 0) return empty;
  const widths = names.map((name, index) =>
    Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [paint(terminal, 'bold', line(names)), ...rows.map(line)].join('\n');
}

/** One record: a name and its value per line. */
export function details(pairs: ReadonlyArray<readonly [string, string]>): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
}

export const moment = (at: Date | null, otherwise: string): string =>
  at ? `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC` : otherwise;
