/** Failures in a row after which nothing is asked for a while. */
const MOST_FAILURES = 5;
const OPEN_MS = 10_000;
/** An idle breaker is forgotten: its program may have left. */
const IDLE_MS = 3_600_000;

/** The permission to ask. A probe is the one question that is let through to see whether the endpoint is back. */
export interface Pass {
  isProbe: boolean;
}

/** Asking is to stop, or may go on. */
export type Change = 'opened' | 'closed';

export interface Breakers {
  /** Undefined: must not ask now. A pass must be given back with `leave`. */
  enter(key: string, nowMs: number): Pass | undefined;
  /** `failed` undefined: the question says nothing about the endpoint. A failed probe opens the breaker again. */
  leave(key: string, pass: Pass, failed: boolean | undefined, nowMs: number): Change | undefined;
  /** The number of open breakers. */
  countOpen(nowMs: number): number;
}

interface Breaker {
  failures: number;
  /** Undefined while closed. */
  openUntilMs: number | undefined;
  isProbing: boolean;
  usedMs: number;
}

/**
 * One breaker per key. An endpoint that answers has none, so that memory grows only with failing endpoints; beyond
 * `mostKeys` the one that was added first is forgotten.
 */
export function createBreakers(mostKeys = 10_000): Breakers {
  const breakers = new Map<string, Breaker>();
  const add = (key: string, nowMs: number): Breaker => {
    if (breakers.size >= mostKeys) breakers.delete(breakers.keys().next().value as string);
    const breaker = { failures: 0, openUntilMs: undefined, isProbing: false, usedMs: nowMs };
    breakers.set(key, breaker);
    return breaker;
  };
  return {
    enter: (key, nowMs) => {
      const breaker = breakers.get(key);
      if (breaker?.openUntilMs === undefined) return { isProbe: false };
      breaker.usedMs = nowMs;
      if (breaker.isProbing || nowMs < breaker.openUntilMs) return undefined;
      breaker.isProbing = true;
      return { isProbe: true };
    },
    leave: (key, { isProbe }, failed, nowMs) => {
      const known = breakers.get(key);
      if (known && isProbe) known.isProbing = false;
      // A question that was asked before the breaker opened says nothing about the time since.
      if (failed === undefined || (known?.openUntilMs !== undefined && !isProbe)) return undefined;
      if (!failed) {
        breakers.delete(key);
        return isProbe ? 'closed' : undefined;
      }
      const breaker = known ?? add(key, nowMs);
      breaker.failures++;
      breaker.usedMs = nowMs;
      if (!isProbe && breaker.failures < MOST_FAILURES) return undefined;
      breaker.openUntilMs = nowMs + OPEN_MS;
      return 'opened';
    },
    countOpen: (nowMs) => {
      for (const [key, { usedMs }] of breakers) if (nowMs - usedMs > IDLE_MS) breakers.delete(key);
      return [...breakers.values()].filter(({ openUntilMs }) => openUntilMs !== undefined).length;
    },
  };
}
