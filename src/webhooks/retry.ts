const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pause after the first attempt, the second, and so on. The last one repeats. */
const PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
];
const JITTER = 0.2;
const GIVE_UP_MS = 72 * HOUR_MS;
const LONGEST_WISH_MS = 24 * HOUR_MS;

/** `gone`: the receiver wants no more events. */
export type Outcome = 'delivered' | 'gone' | 'failed';

export function outcomeOf(result: { error: string } | { statusCode: number }): Outcome {
  if ('error' in result) return 'failed';
  if (result.statusCode >= 200 && result.statusCode <= 299) return 'delivered';
  return result.statusCode === 410 ? 'gone' : 'failed';
}

interface FailedAttempt {
  /** From 1. */
  attempt: number;
  firstAttemptMs: number;
  nowMs: number;
  /** The unparsed header of the response. */
  retryAfter: string | undefined;
  /** At least 0 and below 1. */
  random: number;
}

/**
 * The time of the next attempt in Unix milliseconds; undefined to give up. The last attempt is at the end of the three
 * days, so that a receiver that recovers late still gets the event.
 */
export function nextAttempt(failed: FailedAttempt): number | undefined {
  const { attempt, firstAttemptMs, nowMs, retryAfter, random } = failed;
  const endMs = firstAttemptMs + GIVE_UP_MS;
  if (nowMs >= endMs) return undefined;
  const pauseMs = PAUSES_MS[Math.min(attempt, PAUSES_MS.length) - 1] as number;
  // The jitter spreads the retries of events that failed together.
  const ownMs = nowMs + Math.round(pauseMs * (1 - JITTER + 2 * JITTER * random));
  return Math.min(Math.max(ownMs, wishedMs(retryAfter, nowMs)), endMs);
}

/** The header contains seconds or a date. Any other value is ignored. */
function wishedMs(retryAfter: string | undefined, nowMs: number): number {
  const text = retryAfter?.trim() ?? '';
  let wishMs = Number.NaN;
  if (/^\d+$/.test(text)) wishMs = nowMs + Number(text) * SECOND_MS;
  else if (/^[A-Z].* GMT$/.test(text)) wishMs = Date.parse(text);
  return Number.isNaN(wishMs) ? nowMs : Math.min(wishMs, nowMs + LONGEST_WISH_MS);
}
