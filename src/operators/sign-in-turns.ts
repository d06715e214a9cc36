import { EmbossError } from '../kernel/error.ts';
import { countInWindows } from '../kernel/window-counts.ts';

const MOST_WAITING = 32;
const MOST_PER_SOURCE = 8;
const FAILED_FOR_MS = 30 * 60_000;
const MOST_SOURCES = 10_000;
const TRY_AGAIN_SECONDS = 5;

/** The ranks: known devices and sessions, then the first request of an address without failures, then all others. */
const KNOWN = 0;
const CLEAN = 1;
const SUSPECT = 2;

/**
 * A queue for password checks, which run one at a time and take a good part of a second each. A source with failures
 * waits behind sources without failures. If the queue is full, a request of a better rank replaces one of the worst
 * rank.
 */
export interface SignInTurns {
  /** Resolves at the source's turn with a function to call at the end. Throws a 429 if the queue is full. */
  enter(source: string, isKnown: boolean): Promise<() => void>;
  noteFailure(source: string): void;
}

interface Waiting {
  source: string;
  rank: number;
  go: (leave: () => void) => void;
  refuse: (error: EmbossError) => void;
}

export function createSignInTurns(): SignInTurns {
  const failures = countInWindows(FAILED_FOR_MS, MOST_SOURCES);
  /** The number of waiting and running requests by source. */
  const requests = new Map<string, number>();
  const waiting: Waiting[] = [];
  let isBusy = false;

  const rankOf = (source: string, isKnown: boolean): number => {
    if (requests.has(source)) return SUSPECT;
    if (isKnown) return KNOWN;
    return failures.read(source, performance.now()) > 0 ? SUSPECT : CLEAN;
  };
  const leave = (source: string): void => {
    const left = (requests.get(source) ?? 0) - 1;
    if (left > 0) requests.set(source, left);
    else requests.delete(source);
  };
  const next = (): void => {
    if (isBusy || waiting.length === 0) return;
    const best = Math.min(...waiting.map(({ rank }) => rank));
    const index = waiting.findIndex(({ rank }) => rank === best);
    const [{ source, go }] = waiting.splice(index, 1) as [Waiting];
    isBusy = true;
    go(() => {
      isBusy = false;
      leave(source);
      next();
    });
  };
  /** Frees a slot for a better rank: refuses the newest waiting request of the worst rank. */
  const giveWay = (rank: number): void => {
    const worst = Math.max(...waiting.map((other) => other.rank));
    if (worst <= rank) throw tooMany();
    const index = waiting.findLastIndex((other) => other.rank === worst);
    const [{ source, refuse }] = waiting.splice(index, 1) as [Waiting];
    leave(source);
    refuse(tooMany());
  };
  return {
    noteFailure: (source) => void failures.add(source, performance.now()),
    enter: async (source, isKnown) => {
      if ((requests.get(source) ?? 0) >= MOST_PER_SOURCE) throw tooMany();
      const rank = rankOf(source, isKnown);
      if (waiting.length >= MOST_WAITING) giveWay(rank);
      requests.set(source, (requests.get(source) ?? 0) + 1);
      return new Promise((go, refuse) => {
        waiting.push({ source, rank, go, refuse });
        next();
      });
    },
  };
}

const tooMany = (): EmbossError =>
  new EmbossError(429, `Too many sign-ins in progress; try again in ${TRY_AGAIN_SECONDS} s`, {
    retryAfterSeconds: TRY_AGAIN_SECONDS,
  });
