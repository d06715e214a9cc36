import type { Action, Planned } from './action.ts';
import { billed } from './exchange.ts';
import type { Person } from './people.ts';
import { createRandom, type Random } from './random.ts';

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;

/** The span that is made: whole UTC days. */
export interface History {
  seed: number;
  startMs: number;
  endMs: number;
}

/** One person's plan while it is being made. */
export interface Plan {
  history: History;
  person: Person;
  random: Random;
  planned: Planned[];
  /** Only what lies within the history happens. */
  add(atMs: number, action: Action): void;
  /** The network's id of the person's next purchase. */
  nextPurchase(): string;
  /** In the card's currency, by the rate of that day. */
  bill(amountMinor: bigint, currency: string, atMs: number): bigint;
}

export function createPlan(history: History, person: Person): Plan {
  const { seed, startMs, endMs } = history;
  const planned: Planned[] = [];
  let purchases = 0;
  return {
    history,
    person,
    random: createRandom(seed, `plan ${person.index}`),
    planned,
    add: (time, action) => {
      const atMs = Math.round(time);
      if (atMs >= startMs && atMs < endMs) planned.push({ ...action, atMs, lane: person.index });
    },
    nextPurchase: () => `demo-${pad(person.index + 1)}-${pad(++purchases)}`,
    bill: (amountMinor, currency, atMs) =>
      billed(seed, amountMinor, currency, Math.floor((atMs - startMs) / DAY_MS)),
  };
}

const pad = (value: number): string => String(value).padStart(5, '0');
