import cluster from 'node:cluster';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { createLogger } from '../http/logging.ts';
import type { RunningServer } from '../main.ts';
import { exitOnCrash } from './crash.ts';
import { EXIT } from './failure.ts';
import type { Session } from './session.ts';
import { startSummary } from './start-summary.ts';

const FORCED_EXIT_MS = 9_000;

export function startCommand(emboss: Command, session: Session): void {
  emboss
    .command('start')
    .description('Start the server: API, worker and, without DATABASE_URL, an embedded PostgreSQL')
    .action(() => start(session));
}

/** Prints a short summary and the `ready` line on stdout; the log goes to stderr. */
async function start(session: Session): Promise<void> {
  const config = readConfig(session.terminal.env);
  const { logger, flush } = createLogger(config.logLevel, config.processes > 1);
  const end = (exitCode: number, sentence?: string) => {
    flush();
    if (sentence) session.terminal.err(`emboss: ${sentence}\n`);
    process.exit(exitCode);
  };
  exitOnCrash(logger, end);
  const stopOnSignal = watchSignals(end);
  // Loaded here, because only this command needs the server and other commands start faster without it.
  const { startServer, startApiProcess } = await import('../main.ts');
  if (cluster.isWorker) {
    const failed = (error: unknown) => {
      logger.fatal({ err: error }, 'this API process could not start');
      end(EXIT.failed);
    };
    return startApiProcess(config, logger).then((api) => void stopOnSignal(api), failed);
  }
  try {
    const server = await startServer(config, (error) => end(EXIT.failed, error.message), logger);
    if (!stopOnSignal(server)) session.print(startSummary(session.terminal, config, server));
  } finally {
    flush();
  }
}

/** Ctrl-C reaches npm and its child, and npm forwards it: a signal this soon after the first is the same Ctrl-C. */
const SAME_SIGNAL_MS = 1_500;

type Running = Pick<RunningServer, 'stop'>;

/**
 * The first signal stops the server gracefully, the second one immediately. A signal during the start takes effect when
 * the server has started. API processes stop in the same way: Ctrl-C reaches all processes.
 */
function watchSignals(end: (exitCode: number, sentence?: string) => void): (server: Running) => boolean {
  let running: Running | undefined;
  let stopping = false;
  let firstAt = 0;
  const stopRunning = () =>
    running?.stop().then(
      () => end(EXIT.done),
      (error) => end(EXIT.failed, `stopping failed: ${error instanceof Error ? error.message : error}`),
    );
  const onSignal = () => {
    // An API process ends with the process that started it, which decides about the second signal.
    if (stopping && (cluster.isWorker || performance.now() - firstAt < SAME_SIGNAL_MS)) return;
    if (stopping) end(EXIT.failed);
    stopping = true;
    firstAt = performance.now();
    setTimeout(() => end(EXIT.done), FORCED_EXIT_MS).unref();
    void stopRunning();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return (server) => {
    running = server;
    if (stopping) void stopRunning();
    return stopping;
  };
}
