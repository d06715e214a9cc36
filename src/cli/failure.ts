import { CommanderError } from 'commander';
import { isConnectionLoss } from '../db/failures.ts';
import { EmbossError } from '../kernel/error.ts';
import type { Terminal } from './terminal.ts';

export const EXIT = { done: 0, failed: 1, usage: 2, notFound: 3 } as const;

/** The error for a name on the command line that does not exist. */
export const missing = (what: string, advice: string): EmbossError =>
  new EmbossError(404, `There is no ${what}; ${advice}`);

/** Prints the error as one sentence and returns the exit code. Prints the stack only with LOG_LEVEL=debug. */
export function reportFailure(
  terminal: Terminal,
  error: unknown,
  options: { json: boolean; stack: boolean },
): number {
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
  const { exitCode, code, message } = judge(error);
  if (options.json) terminal.out(`${JSON.stringify({ code, message, status: 'failed' }, null, 2)}\n`);
  // Without a command, commander has already shown the help.
  if (!(error instanceof CommanderError && error.code === 'commander.help'))
    terminal.err(`emboss: ${message}\n`);
  if (options.stack && error instanceof Error && exitCode !== EXIT.usage)
    terminal.err(`${stacksOf(error).join('\ncaused by: ')}\n`);
  return exitCode;
}

function judge(error: unknown): { exitCode: number; code: number; message: string } {
  if (error instanceof CommanderError) return { exitCode: EXIT.usage, code: 400, message: usage(error) };
  const message = sentenceOf(error);
  if (!(error instanceof EmbossError)) return { exitCode: EXIT.failed, code: 500, message };
  const exitCode = error.httpStatus === 404 ? EXIT.notFound : EXIT.failed;
  return { exitCode, code: error.code, message };
}

function usage({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'a command is missing; see --help';
  return message.replace(/^error: /, '');
}

export function sentenceOf(error: unknown): string {
  if (isConnectionLoss(error))
    return `the database does not respond (${rootMessage(error)}); check DATABASE_URL, or run "emboss doctor"`;
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ERR_INVALID_URL')
    return 'DATABASE_URL is not a connection URL such as postgres://user:password@host:5432/name';
  return rootMessage(error, false);
}

/** A connection attempt over two address families fails with a list of errors and no message of its own. */
function rootMessage(error: unknown, followCause = true): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map((each) => rootMessage(each)).join(', ');
  if (!(error instanceof Error)) return String(error);
  if (followCause && error.cause !== undefined) return rootMessage(error.cause);
  return error.message || error.name;
}

/** The stacks of the error and its causes. Other fields are not printed, because they may contain settings. */
const stacksOf = (error: Error): string[] => [
  error.stack ?? error.message,
  ...(error.cause instanceof Error ? stacksOf(error.cause) : []),
];
