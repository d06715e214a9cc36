import type { EmbossError } from './error.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** If the server requests a longer wait, the call fails and the caller decides. */
const LONGEST_WISH_MS = 60_000;

/**
 * Whether the same request may be sent again. A rate-limited request had no effect. A request with an unknown outcome
 * is repeated only if executing it twice has the same effect as once.
 */
export function mayRepeat(error: EmbossError, repeatable: boolean): boolean {
  if ((error.retryAfterMs ?? 0) > LONGEST_WISH_MS) return false;
  // An answer that is not JSON does not come from the server, and a retry would not change that.
  if (error.cause instanceof SyntaxError) return false;
  return error.status === 429 || (error.outcomeUnknown && repeatable);
}

/** Doubles with each attempt, with jitter in the upper half, so that clients do not all retry at the same time. */
export function pauseMs(
  attempt: number,
  retryAfterMs: number | undefined,
  random: number = Math.random(),
): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
  return Math.max(retryAfterMs ?? 0, longest / 2 + (longest / 2) * random);
}

/** The longest wait of a timer, 24 days; a longer time limit means no limit. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Aborts its signal after this time, unless `end` is called before. 0 or Infinity: no limit. */
export function timeLimit(ms: number): { signal: AbortSignal; end(): void } {
  if (!(ms >= 0))
    throw new TypeError('timeoutMs: must be a number of milliseconds; 0 or Infinity means no limit');
  const controller = new AbortController();
  const isLimit = ms > 0 && ms <= LONGEST_TIMER_MS;
  const timer = isLimit ? setTimeout(() => controller.abort(), ms) : undefined;
  return { signal: controller.signal, end: () => clearTimeout(timer) };
}

/** Waits; rejects with the signal's reason as soon as the signal is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/** `Retry-After` in seconds or as a date. */
export function retryAfterMs(header: string | null, nowMs: number = Date.now()): number | undefined {
  if (header === null || header === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
