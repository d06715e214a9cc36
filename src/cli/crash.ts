import type { createLogger } from '../http/logging.ts';
import { EXIT } from './failure.ts';

/**
 * An error that nobody handled leaves the process in a state nobody thought of: say so and end; whoever
 * started it starts it again. Rejections that nobody handled arrive here too. What was acknowledged is safe in
 * the database, and the embedded PostgreSQL lives on for the next start.
 */
export function exitOnCrash(
  { logger }: Pick<ReturnType<typeof createLogger>, 'logger'>,
  end: (exitCode: number, sentence: string) => void,
): void {
  process.on('uncaughtException', (error, origin) => {
    logger.fatal({ err: error, origin }, 'ended by an error that nobody handled');
    end(
      EXIT.failed,
      `ended by an error that nobody handled: ${error instanceof Error ? error.message : error}`,
    );
  });
}
