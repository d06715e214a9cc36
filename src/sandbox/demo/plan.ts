import type { Action, Money, Planned, Shown } from './action.ts';
import { billed } from './exchange.ts';
import type { Person } from './people.ts';
import { createRandom } from './random.ts';
import type { Shop } from './shops.ts';

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;

/** Whole UTC days. */
export interface History {
  seed: number;
  startMs: number;
  endMs: number;
}

/** An authorized purchase that later messages can refer to. */
export interface Purchase {
  id: string;
  shop: Shop;
  atMs: number;
  amountMinor: bigint;
}

interface Clearing {
  /** Default: the authorized amount. */
  amountMinor?: bigint;
  /** Days after the authorization. */
  days: number;
  part?: number;
  final?: boolean;
}

/** When the network sends its clearing files, in minutes of the UTC day. */
const FILES = [100, 320, 790];

export type Plan = ReturnType<typeof createPlan>;

/** The plan of one person, while it is being created. */
export function createPlan({ seed, startMs, endMs }: History, person: Person) {
  const planned: Planned[] = [];
  const random = createRandom(seed, `plan ${person.index}`);
  let purchases = 0;
  /** Ignores actions outside the history. */
  function add(time: number, action: Action): void {
    const atMs = Math.round(time);
    if (atMs >= startMs && atMs < endMs) planned.push({ ...action, atMs, lane: person.index });
  }
  const moneyOf = (amountMinor: bigint, currency: string, atMs: number): Money => {
    const day = Math.floor((atMs - startMs) / DAY_MS);
    return { amountMinor, currency, billAmountMinor: billed(seed, amountMinor, currency, day) };
  };
  return {
    endMs,
    person,
    planned,
    random,
    add,
    moneyOf,
    authorize(shop: Shop, atMs: number, amountMinor: bigint, shown?: Shown): Purchase {
      const id = `demo-${pad(person.index + 1)}-${pad(++purchases)}`;
      const { merchant, currency, trade } = shop;
      const money = moneyOf(amountMinor, currency, atMs);
      add(atMs, { kind: 'authorize', purchase: id, merchant, channel: trade.channel, shown, money });
      return { id, shop, atMs, amountMinor };
    },
    /** Returns the time of the clearing. */
    clear(
      { id, shop, atMs, ...held }: Purchase,
      { days, part = 1, final = true, ...given }: Clearing,
    ): number {
      const clearedMs = (Math.floor(atMs / DAY_MS) + days) * DAY_MS + random.pick(FILES) * MINUTE_MS;
      const money = moneyOf(given.amountMinor ?? held.amountMinor, shop.currency, clearedMs);
      add(clearedMs, { kind: 'clear', purchase: id, part, final, money });
      return clearedMs;
    },
    giveBack({ id, shop }: Purchase, atMs: number, amountMinor: bigint, why: 'refund' | 'dispute'): void {
      add(atMs, { kind: 'refund', purchase: id, why, money: moneyOf(amountMinor, shop.currency, atMs) });
    },
  };
}

const pad = (value: number): string => String(value).padStart(5, '0');

export const percentOf = (amountMinor: bigint, percent: number): bigint =>
  (amountMinor * BigInt(percent)) / 100n || 1n;
