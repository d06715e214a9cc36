/** Failures in a row that open a breaker. */
const MOST_FAILURES = 5;
const OPEN_MS = 10_000;
/** An idle breaker is removed: its program may have left. */
const IDLE_MS = 3_600_000;

/** The permission to send a request. A probe is a single request that checks whether the endpoint works again. */
export interface Pass {
  isProbe: boolean;
}

/** `opened`: requests stop. `closed`: they are sent again. */
export type Change = 'opened' | 'closed';

export interface Breakers {
  /** Undefined: no request may be sent now. Each pass must be returned with `leave`. */
  enter(key: string, nowMs: number): Pass | undefined;
  /** `failed` undefined: the request says nothing about the endpoint. A failed probe opens the breaker again. */
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
 * One breaker per key. An endpoint that responds has none, so that memory grows only with failing endpoints; beyond
 * `mostKeys` the one that was added first is removed.
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
      // A request that was sent before the breaker opened says nothing about the time since.
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
