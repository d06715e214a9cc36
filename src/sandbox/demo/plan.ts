import type { Static } from 'typebox';
import type { Channel, Merchant } from '../../authorizations/transaction.ts';
import type { CreateCardBody, ReissueBody, SpendControlsBody } from '../../cards/schema.ts';
import type { Person } from './people.ts';
import { createRandom } from './random.ts';
import { billed, type Shop } from './world.ts';

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;

/** Whole UTC days. */
export interface History {
  seed: number;
  startMs: number;
  endMs: number;
}

export interface Money {
  amountMinor: bigint;
  currency: string;
  billAmountMinor: bigint;
}

/** What the merchant presents, where it is not just the active card. */
export type Shown = 'wrong CVV' | 'lost card';

/** What is going to happen; the engine decides whether it is approved. */
export type Action =
  | { kind: 'open'; card: CreateCardBody; controls: Static<typeof SpendControlsBody> | undefined }
  | {
      kind: 'authorize';
      purchase: string;
      merchant: Merchant;
      channel: Channel;
      shown: Shown | undefined;
      money: Money;
    }
  | { kind: 'clear'; purchase: string; part: number; final: boolean; money: Money }
  | { kind: 'reverse'; purchase: string; billAmountMinor: bigint | undefined }
  | { kind: 'refund'; purchase: string; why: 'refund' | 'dispute'; money: Money }
  | { kind: 'expire'; purchase: string }
  | { kind: 'top up'; amountMinor: bigint; reference: string }
  | { kind: 'freeze'; freeze: boolean }
  | { kind: 'block'; reason: string }
  | { kind: 'replace'; card: CreateCardBody }
  | { kind: 'renew'; renewOption: NonNullable<ReissueBody['renewOption']> }
  | { kind: 'fund'; amountMinor: bigint; reference: string };

/** An action of one cardholder, or of the program itself (`lane` -1). A lane's actions happen one after another. */
export type Planned = Action & { atMs: number; lane: number };

/** A purchase that was authorized, to which more can happen. */
export interface Purchase {
  id: string;
  shop: Shop;
  atMs: number;
  amountMinor: bigint;
}

interface Clearing {
  /** Default: all that was held. */
  amountMinor?: bigint;
  /** After the authorization. */
  days: number;
  part?: number;
  final?: boolean;
}

/** When the network sends its clearing files, in minutes of the UTC day. */
const FILES = [100, 320, 790];

export type Plan = ReturnType<typeof createPlan>;

/** One person's plan while it is being written. */
export function createPlan({ seed, startMs, endMs }: History, person: Person) {
  const planned: Planned[] = [];
  const random = createRandom(seed, `plan ${person.index}`);
  let purchases = 0;
  /** Only what is within the history happens. */
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
    /** Returns when. */
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
