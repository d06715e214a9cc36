import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { type Identity, localIdentity } from '../audit/entry.ts';
import { type Config, readConfig } from '../config.ts';
import { EmbossError } from '../kernel/error.ts';
import { openRuntime, type Runtime } from '../runtime.ts';
import type { Output, Terminal } from './terminal.ts';

/** A person waits for a command: on a busy machine a connection takes seconds. */
const CONNECT_WITHIN_MS = 10_000;

/** Shared by all commands: the terminal, the database and the output. */
export interface Session {
  terminal: Terminal;
  /** Prints the JSON document if --json is set, otherwise the text. */
  print(output: Output): void;
  /**
   * Opens the database, runs `work`, prints its output (if `work` has not written it), and closes the database. Creates
   * a missing embedded database only with `makesDatabase`.
   */
  run(
    work: (runtime: Runtime) => Promise<Output | undefined>,
    options?: { makesDatabase: boolean },
  ): Promise<void>;
  /** The exit code of a command that finished. */
  exitCode: number;
}

export function createSession(terminal: Terminal, wantsJson: () => boolean): Session {
  const print = ({ json, text }: Output) =>
    terminal.out(`${wantsJson() ? JSON.stringify(json, null, 2) : text}\n`);
  return {
    terminal,
    print,
    exitCode: 0,
    run: async (work, options) => {
      const config = { ...readConfig(terminal.env), connectWithinMs: CONNECT_WITHIN_MS };
      if (!options?.makesDatabase) requireData(config);
      const runtime = await openRuntime(config, terminalLogger(config, terminal));
      let output: Output | undefined;
      try {
        output = await work(runtime);
      } finally {
        await runtime.close();
      }
      if (output) print(output);
    },
  };
}

/** Without this, a command in the wrong directory or with other settings would create a second, empty database. */
function requireData({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl || isThere(join(dataDir, 'postgres', 'PG_VERSION'))) return;
  const advice =
    'set DATA_DIR or DATABASE_URL, or start a server first ("emboss start", or "emboss migrate")';
  throw new EmbossError(409, `there is no Emboss data in ${dataDir}; ${advice}`);
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // This user has no access; opening the database reports it.
    return true;
  }
}

/** Prints warnings as sentences on stderr. LOG_LEVEL can reduce them; verbose levels apply to the server only. */
function terminalLogger({ logLevel }: Config, terminal: Terminal): Logger {
  const level = logLevel === 'error' || logLevel === 'silent' ? logLevel : 'warn';
  return pino({ level }, { write: (line) => terminal.err(`emboss: ${JSON.parse(line).msg}\n`) });
}

/** Called before a sandbox program is created. */
export function requireSandbox({ terminal }: Session): void {
  if (!readConfig(terminal.env).sandboxPrograms)
    throw new EmbossError(409, 'sandbox programs are disabled: SANDBOX_PROGRAMS is off');
}

/** The user of the command line, for the audit. In a container the user may have no name. */
export function cliIdentity(): Identity {
  try {
    return localIdentity(`cli:${userInfo().username}`);
  } catch {
    return localIdentity(`cli:${process.getuid?.() ?? 'unknown'}`);
  }
}
