import { EmbossError } from '../kernel/error.ts';
import { countInWindows } from '../kernel/window-counts.ts';

const MOST_WAITING = 32;
const MOST_PER_SOURCE = 8;
const FAILED_FOR_MS = 30 * 60_000;
const MOST_SOURCES = 10_000;
const TRY_AGAIN_SECONDS = 5;

/** Known devices and sessions, then the first request of an address without failures, then all others. */
const KNOWN = 0;
const CLEAN = 1;
const SUSPECT = 2;

/**
 * Passwords are checked one at a time, each for a good part of a second: those who wait take turns. An address with
 * failures waits behind those without, and gives its place up to them when there is none left.
 */
export interface SignInTurns {
  /** Resolves when it is the source's turn, with what must be called in the end; a 429 where there is no place. */
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
  /** Places of a source, of those who wait and of the one whose turn it is. */
  const places = new Map<string, number>();
  const waiting: Waiting[] = [];
  let isBusy = false;

  const rankOf = (source: string, isKnown: boolean): number => {
    if (places.has(source)) return SUSPECT;
    if (isKnown) return KNOWN;
    return failures.read(source, performance.now()) > 0 ? SUSPECT : CLEAN;
  };
  const leave = (source: string): void => {
    const left = (places.get(source) ?? 0) - 1;
    if (left > 0) places.set(source, left);
    else places.delete(source);
  };
  const next = (): void => {
    if (isBusy || waiting.length === 0) return;
    const best = Math.min(...waiting.map(({ rank }) => rank));
    const place = waiting.findIndex(({ rank }) => rank === best);
    const [{ source, go }] = waiting.splice(place, 1) as [Waiting];
    isBusy = true;
    go(() => {
      isBusy = false;
      leave(source);
      next();
    });
  };
  /** Makes place for a better rank: of the worst that wait, the one that came last goes. */
  const giveWay = (rank: number): void => {
    const worst = Math.max(...waiting.map((other) => other.rank));
    if (worst <= rank) throw tooMany();
    const place = waiting.findLastIndex((other) => other.rank === worst);
    const [{ source, refuse }] = waiting.splice(place, 1) as [Waiting];
    leave(source);
    refuse(tooMany());
  };
  return {
    noteFailure: (source) => void failures.add(source, performance.now()),
    enter: async (source, isKnown) => {
      if ((places.get(source) ?? 0) >= MOST_PER_SOURCE) throw tooMany();
      const rank = rankOf(source, isKnown);
      if (waiting.length >= MOST_WAITING) giveWay(rank);
      places.set(source, (places.get(source) ?? 0) + 1);
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
