import { Writable } from 'node:stream';
import { maskCardNumbers } from '../kernel/luhn.ts';

/** Where a command reads its settings and writes its words; a test brings its own. */
export interface Terminal {
  /** Undefined: the environment of the process. */
  env: Record<string, string | undefined> | undefined;
  out(text: string): void;
  err(text: string): void;
  /** For more than fits into one text: whoever writes there waits for the reader. Default: `out`. */
  stdout?: Writable;
  color: boolean;
  /** A person watches stderr: progress can be drawn there. */
  live?: boolean;
}

/** What a command has to say: `json` for scripts, `text` for people. */
export interface Output {
  json: unknown;
  text: string;
}

export function processTerminal(): Terminal {
  // A reader that has seen enough (`| head`) is no failure of ours.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  return {
    env: undefined,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(maskCardNumbers(text)),
    stdout: process.stdout,
    // `hasColors` knows NO_COLOR and its kin.
    color: process.stdout.isTTY === true && process.stdout.hasColors(),
    live: process.stderr.isTTY === true,
  };
}

/** Where a long text goes, piece by piece. */
export const stdoutOf = ({ stdout, out }: Terminal): Writable =>
  stdout ??
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      out(chunk.toString());
      done();
    },
  });

const CODES = { bold: 1, red: 31, green: 32, yellow: 33 } as const;

export const paint = (terminal: Terminal, color: keyof typeof CODES, text: string): string =>
  terminal.color ? `\u001b[${CODES[color]}m${text}\u001b[0m` : text;

/** Columns in line, two spaces between them, the names on top. */
export function table(terminal: Terminal, names: readonly string[], rows: readonly string[][]): string {
  const widths = names.map((name, place) =>
    Math.max(name.length, ...rows.map((row) => row[place]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, place) => cell.padEnd(widths[place] ?? 0))
      .join('  ')
      .trimEnd();
  return [paint(terminal, 'bold', line(names)), ...rows.map(line)].join('\n');
}

/** One thing: a name and its value per line. */
export function details(pairs: ReadonlyArray<readonly [string, string]>): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
}

export const moment = (at: Date | null, otherwise: string): string =>
  at ? `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC` : otherwise;
