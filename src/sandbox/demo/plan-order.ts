import type { Shown } from './action.ts';
import { priced } from './exchange.ts';
import type { Shop } from './merchants.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Plan } from './plan.ts';
import { type Asked, authorize, clear, giveBack, percentOf } from './purchase-parts.ts';

type OrderEnd = (plan: Plan, asked: Asked, days: number) => void;

/** What becomes of an order, and how often. */
const ENDS: ReadonlyArray<readonly [OrderEnd, number]> = [
  [(plan, asked, days) => void clear(plan, asked, { days }), 70],
  [sendInParts, 11],
  [cancel, 6],
  [leaveSomethingOut, 4],
  [sendBack, 9],
];

/** Bought at a distance: paid when it is sent. Some mistype their card first. */
export function planOrder(plan: Plan, shop: Shop, atMs: number, eur: number): void {
  const { random } = plan;
  const amountMinor = priced(eur, shop.currency);
  const mistyped = random.chance(0.02) ? random.pick<Shown>(['wrong CVV', 'wrong expiry']) : undefined;
  if (mistyped) authorize(plan, shop, atMs - 2 * MINUTE_MS, amountMinor, mistyped);
  const asked = authorize(plan, shop, atMs, amountMinor, mistyped && 'right CVV');
  random.pickWeighted(ENDS)(plan, asked, random.integer(1, 4));
}

function sendInParts(plan: Plan, asked: Asked, days: number): void {
  const first = percentOf(asked.amountMinor, 40);
  clear(plan, asked, { amountMinor: first, days, final: false });
  clear(plan, asked, { amountMinor: asked.amountMinor - first, days: days + 2, part: 2 });
}

function cancel(plan: Plan, { purchase, atMs }: Asked): void {
  const hours = plan.random.integer(1, 20);
  plan.add(atMs + hours * HOUR_MS, { kind: 'reverse', purchase, billAmountMinor: undefined });
}

function leaveSomethingOut(plan: Plan, asked: Asked, days: number): void {
  const { shop, purchase, atMs, amountMinor } = asked;
  const billAmountMinor = percentOf(plan.bill(amountMinor, shop.currency, atMs), 30);
  plan.add(atMs + 90 * MINUTE_MS, { kind: 'reverse', purchase, billAmountMinor });
  clear(plan, asked, { amountMinor: percentOf(amountMinor, 70), days });
}

function sendBack(plan: Plan, asked: Asked, days: number): void {
  const { random } = plan;
  const atMs = clear(plan, asked, { days }) + random.integer(3, 12) * DAY_MS;
  const amountMinor = percentOf(asked.amountMinor, random.pick([50, 100]));
  giveBack(plan, asked, { atMs, amountMinor, why: 'refund' });
}
