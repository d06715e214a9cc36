import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { maskCardNumbers } from '../kernel/card-numbers.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Fields that are never logged. */
const REDACTED = [
  'headers',
  'body',
  'req.headers',
  'req.body',
  'cardNumber',
  'card_number',
  'cvv',
  'key',
  'apiKey',
  'secret',
  'password',
  'masterKey',
  'url',
  'err.client',
  'err.config',
  'err.where',
  'err.detail',
  'err.parameters',
];

/**
 * Structured lines on stderr; stdout is for output that a person or a script reads. Writing never blocks: if the reader
 * stops reading, lines are dropped and memory stays bounded. The mask is the last defence and sees the finished line.
 * With `isShared`, several processes write to one stderr, and lines name their process. pino writes the last lines when
 * the process exits; `flush` writes them earlier.
 */
export function createLogger(level: LogLevel, isShared = false): { logger: Logger; flush: () => void } {
  const stream = destination({
    fd: 2,
    sync: false,
    minLength: 3_072,
    // Whole lines, as many as a pipe keeps together: the lines of several processes do not mix.
    maxWrite: 4_096,
    maxLength: 8_388_608,
    periodicFlush: 200,
  });
  const logger = pino(
    {
      level,
      timestamp: stdTimeFunctions.isoTime,
      base: isShared ? { pid: process.pid } : null,
      redact: { paths: REDACTED, censor: '[redacted]' },
      hooks: { streamWrite: maskCardNumbers },
    },
    stream,
  );
  return { logger, flush: () => stream.flushSync() };
}
