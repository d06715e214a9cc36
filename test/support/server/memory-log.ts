import { Writable } from 'node:stream';
import { type LevelWithSilent, type Logger, pino } from 'pino';

/** A logger, and the lines that it wrote. */
export function memoryLog(level: LevelWithSilent): { logger: Logger; text: string } {
  const memory = new Writable({
    write: (chunk, _encoding, done) => {
      log.text += chunk;
      done();
    },
  });
  const log = { logger: pino({ level }, memory), text: '' };
  return log;
}
