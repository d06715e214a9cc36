import { EmbossError } from '../kernel/error.ts';
import type { Counter, Metrics } from '../kernel/metric.ts';
import { countInWindows } from '../kernel/window-counts.ts';

/** The limits, each with its error message. */
const REFUSALS = {
  anonymous_requests: 'Too many requests without a key from this address',
  merchant_requests: 'Too many requests with this key',
  network_requests: 'Too many requests with this key',
  wrong_keys: 'Too many wrong keys from this address',
  wrong_passwords: 'Too many wrong passwords from this address',
  key_reveals: 'Too many card numbers revealed with this key',
  program_reveals: 'Too many reveals in this program',
  operator_reveals: 'Too many reveals by this operator',
} as const;

export type LimitKind = keyof typeof REFUSALS;
export const LIMIT_KINDS = Object.keys(REFUSALS) as LimitKind[];

/** Most occurrences per minute that this process counts; 0 means no limit. */
export type LimitSettings = Record<LimitKind, number>;
export const NO_LIMITS = Object.fromEntries(LIMIT_KINDS.map((kind) => [kind, 0])) as LimitSettings;

/** A limit per API key, address or operator. */
export interface Limit {
  /** Counts one, or throws a 429 if the limit is reached. */
  take(key: string): void;
  /** Counts one without checking. */
  count(key: string): void;
  isReached(key: string): boolean;
  /** The 429 for a reached limit; counted in the metrics. */
  refuse(key: string): EmbossError;
}
export type Limits = Record<LimitKind, Limit>;

export const RATE_LIMITED: Counter<{ kind: LimitKind }> = {
  type: 'counter',
  name: 'emboss_rate_limited_total',
  help: 'Requests rejected with 429, by limit.',
  labels: { kind: LIMIT_KINDS },
};

const WINDOW_MS = 60_000;
/** A few megabytes at most. */
const MOST_KEYS = 10_000;

/**
 * Counted in this process only: with several servers, divide a limit by their number. With several processes of one
 * server, `settingsOfOne` has divided them. Counting in the database would cost more than most of the limited requests.
 */
export const createLimits = (settings: LimitSettings, metrics: Metrics): Limits =>
  Object.fromEntries(LIMIT_KINDS.map((kind) => [kind, createLimit(settings[kind], kind, metrics)])) as Limits;

function createLimit(perMinute: number, kind: LimitKind, metrics: Metrics): Limit {
  const counts = countInWindows(WINDOW_MS, MOST_KEYS);
  const limit: Limit = {
    take: (key) => {
      if (limit.isReached(key)) throw limit.refuse(key);
      limit.count(key);
    },
    count: (key) => {
      if (perMinute > 0) counts.add(key, performance.now());
    },
    isReached: (key) => perMinute > 0 && counts.read(key, performance.now()) >= perMinute,
    refuse: (key) => {
      metrics.count(RATE_LIMITED, { kind });
      const seconds = Math.max(1, Math.ceil(counts.leftMs(key, performance.now()) / 1000));
      const words = `${REFUSALS[kind]}; retry in ${seconds} s`;
      return new EmbossError(429, words, { retryAfterSeconds: seconds });
    },
  };
  return limit;
}
