import type { Logger } from 'pino';
import { EXIT } from './failure.ts';

/**
 * An unhandled error leaves the process in an unknown state, so the process logs it and ends; the service manager
 * starts it again. Unhandled rejections arrive here too. Acknowledged work is safe in the database.
 */
export function exitOnCrash(logger: Logger, end: (exitCode: number, sentence: string) => void): void {
  process.on('uncaughtException', (error, origin) => {
    logger.fatal({ err: error, origin }, 'ended by an unhandled error');
    end(EXIT.failed, `ended by an unhandled error: ${error instanceof Error ? error.message : error}`);
  });
}
