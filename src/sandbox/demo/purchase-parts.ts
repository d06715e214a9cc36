import type { Shown } from './action.ts';
import type { Shop } from './merchants.ts';
import { DAY_MS, MINUTE_MS, type Plan } from './plan.ts';

/** When the network sends its clearings, in minutes of the UTC day. */
const FILES = [100, 320, 790];

/** A purchase that was asked for, to which more can happen. */
export interface Asked {
  shop: Shop;
  purchase: string;
  atMs: number;
  amountMinor: bigint;
}

export function authorize(plan: Plan, shop: Shop, atMs: number, amountMinor: bigint, shown?: Shown): Asked {
  const purchase = plan.nextPurchase();
  const { merchant, currency, trade } = shop;
  const billAmountMinor = amountMinor === 0n ? 0n : plan.bill(amountMinor, currency, atMs);
  plan.add(atMs, {
    kind: 'authorize',
    purchase,
    merchant,
    channel: trade.channel,
    money: { amountMinor, currency, billAmountMinor },
    ...(shown && { shown }),
  });
  return { shop, purchase, atMs, amountMinor };
}

interface Part {
  /** Default: all that was asked for. */
  amountMinor?: bigint;
  /** So many days after the authorization. */
  days: number;
  part?: number;
  final?: boolean;
}

/** Comes with one of the day's files. Returns when. */
export function clear(plan: Plan, asked: Asked, given: Part): number {
  const { purchase, shop, atMs } = asked;
  const { amountMinor = asked.amountMinor, days, part = 1, final = true } = given;
  const { currency } = shop;
  const dayMs = Math.floor(atMs / DAY_MS) * DAY_MS;
  const clearedMs = dayMs + days * DAY_MS + plan.random.pick(FILES) * MINUTE_MS;
  const money = { amountMinor, currency, billAmountMinor: plan.bill(amountMinor, currency, clearedMs) };
  plan.add(clearedMs, { kind: 'clear', purchase, part, final, money });
  return clearedMs;
}

export function giveBack(
  plan: Plan,
  { shop, purchase }: Asked,
  given: { atMs: number; amountMinor: bigint; why: 'refund' | 'dispute' },
): void {
  const { atMs, amountMinor, why } = given;
  const { currency } = shop;
  const money = { amountMinor, currency, billAmountMinor: plan.bill(amountMinor, currency, atMs) };
  plan.add(atMs, { kind: 'refund', purchase, why, money });
}

export const percentOf = (amountMinor: bigint, percent: number): bigint =>
  (amountMinor * BigInt(percent)) / 100n || 1n;

export const usualDays = ({ random }: Plan): number => random.pick([1, 1, 1, 2, 2, 3]);
