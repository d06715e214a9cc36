import { destination, type Logger, type LoggerOptions, pino, symbols } from 'pino';
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
 * With `isShared`, several processes write to one stderr: lines name their process and are not mixed.
 */
export function createLogger(level: LogLevel, isShared = false): { logger: Logger; flush: () => void } {
  const stream = joinLines(
    destination({
      fd: 2,
      sync: false,
      ...(isShared ? { minLength: 3_072, maxWrite: PIPE_BYTES } : { minLength: 16_000 }),
      maxLength: 8_388_608,
      periodicFlush: 200,
    }),
  );
  const logger = pino(
    {
      level,
      timestamp: timeField(),
      base: isShared ? { pid: process.pid } : null,
      redact: { paths: REDACTED, censor: '[redacted]' },
      hooks: { streamWrite: maskCardNumbers },
    } satisfies LoggerOptions,
    stream,
  );
  const flush = () => {
    try {
      stream.flushSync();
    } catch {
      // The stream is not open.
    }
  };
  // Lines of the turn in which the process ends.
  process.once('exit', flush);
  return { logger, flush };
}

interface LineStream {
  write(lines: string): void;
  flushSync(): void;
}

/** A pipe keeps at most so many bytes of one write together. */
const PIPE_BYTES = 4_096;

/**
 * Passes the lines of one turn of the event loop on together, because pino's stream measures all that it holds at every
 * write: 14 µs for each request.
 */
export function joinLines(stream: LineStream): LineStream {
  let [lines, bytes] = ['', 0];
  const pass = () => {
    const joined = lines;
    [lines, bytes] = ['', 0];
    if (joined !== '') stream.write(joined);
  };
  return {
    write: (line) => {
      const lineBytes = Buffer.byteLength(line);
      if (bytes + lineBytes > PIPE_BYTES) pass();
      if (lines === '') setImmediate(pass);
      lines += line;
      bytes += lineBytes;
    },
    flushSync: () => {
      pass();
      stream.flushSync();
    },
  };
}

/** The time as text. What all lines of a second have in common is made once. */
function timeField(): () => string {
  let [second, text] = [0, ''];
  return () => {
    const now = Date.now();
    const ms = now % 1_000;
    if (now - ms !== second)
      [second, text] = [now - ms, `,"time":"${new Date(now - ms).toISOString().slice(0, 20)}`];
    return `${text}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z"`;
  };
}

export interface AnswerLine {
  reqId: string;
  method: string;
  route: string;
  status: number;
  ms: number;
  address: string | null;
  actor: string | undefined;
}

/**
 * Writes the line of a request. It is half of what a request costs in pino, so it is put together here: from ids, numbers
 * and the program's own words, in which nothing is to be escaped, redacted or masked.
 */
export function createAnswerLog(
  logger: Logger,
): (level: 'info' | 'warn', line: AnswerLine, msg: string) => void {
  const {
    [symbols.streamSym]: stream,
    [symbols.timeSym]: time,
    [symbols.chindingsSym]: base,
  } = logger as never as {
    [symbols.streamSym]: { write(line: string): void };
    [symbols.timeSym](): string;
    [symbols.chindingsSym]: string;
  };
  return (level, { reqId, method, route, status, ms, address, actor }, msg) => {
    if (!logger.isLevelEnabled(level)) return;
    const by = actor === undefined ? '' : `,"actor":"${actor}"`;
    const from = address === null ? 'null' : `"${address}"`;
    stream.write(
      `{"level":${logger.levels.values[level]}${time()}${base},"reqId":"${reqId}","method":"${method}","route":"${route}","status":${status},"ms":${ms},"address":${from}${by},"msg":"${msg}"}\n`,
    );
  };
}
