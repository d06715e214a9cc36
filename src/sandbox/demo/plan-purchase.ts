import type { City } from './cities.ts';
import { cash, priced } from './exchange.ts';
import { DAY_MS, MINUTE_MS, type Plan, type Purchase, percentOf } from './plan.ts';
import { ORDER_ENDS } from './plan-order.ts';
import type { Shop } from './shops.ts';
import type { Manner, Trade } from './trades.ts';

const HOLD_DAYS = 7;
/** Held at the pump before the final amount is known. */
const PUMP_EUR = 120;

/** Plans one purchase and all its later messages. */
export function planPurchase(plan: Plan, shop: Shop, atMs: number): void {
  const [min, max] = shop.trade.eur;
  const eur = min === max ? min : plan.random.skewed(min, min + (max - min) * plan.person.taste);
  MANNERS[shop.trade.manner](plan, shop, atMs, eur);
}

type PlanManner = (plan: Plan, shop: Shop, atMs: number, eur: number) => void;

const MANNERS: Record<Manner, PlanManner> = {
  plain: (plan, shop, atMs, eur) => {
    const { random } = plan;
    const purchase = plan.authorize(shop, atMs, priced(eur, shop.currency));
    if (random.chance(0.012)) return forget(plan, purchase);
    const clearedMs = plan.clear(purchase, { days: usualDays(plan) });
    // The cardholder disputes the amount, and the shop refunds part of it.
    if (eur > 15 && random.chance(0.015))
      plan.giveBack(
        purchase,
        clearedMs + random.integer(5, 15) * DAY_MS,
        percentOf(purchase.amountMinor, 20),
        'dispute',
      );
  },
  tip: (plan, shop, atMs, eur) => {
    const purchase = plan.authorize(shop, atMs, priced(eur, shop.currency));
    const percent = 100 + plan.random.pick([0, 0, 5, 10, 15]);
    plan.clear(purchase, { amountMinor: percentOf(purchase.amountMinor, percent), days: usualDays(plan) });
  },
  fuel: (plan, shop, atMs, eur) => {
    const purchase = plan.authorize(shop, atMs, cash(PUMP_EUR, shop.currency));
    plan.clear(purchase, { amountMinor: priced(eur, shop.currency), days: 1 });
  },
  cash: (plan, shop, atMs, eur) =>
    void plan.clear(plan.authorize(shop, atMs, cash(eur, shop.currency)), { days: usualDays(plan) }),
  stay: (plan, shop, atMs, eur) => {
    const nights = plan.random.integer(2, 4);
    const nightMinor = priced(eur, shop.currency);
    const purchase = plan.authorize(shop, atMs, nightMinor * BigInt(nights) + cash(50, shop.currency));
    for (let night = 1; night <= nights; night++)
      plan.clear(purchase, { amountMinor: nightMinor, days: night, part: night, final: night === nights });
  },
  order: (plan, shop, atMs, eur) => {
    const purchase = plan.authorize(shop, atMs, priced(eur, shop.currency));
    plan.random.pickWeighted(ORDER_ENDS)(plan, purchase, plan.random.integer(1, 4));
  },
};

const usualDays = ({ random }: Plan): number => random.pick([1, 1, 1, 2, 2, 3]);

/** The shop does not clear in time, so the hold expires. Some shops clear later. */
function forget(plan: Plan, purchase: Purchase): void {
  plan.add(purchase.atMs + HOLD_DAYS * DAY_MS + 30 * MINUTE_MS, { kind: 'expire', purchase: purchase.id });
  if (plan.random.chance(0.4)) plan.clear(purchase, { days: HOLD_DAYS + 2 });
}

/** A random time within the local opening hours, as an offset into the UTC day. */
export function openTime({ random }: Plan, { hours: [from, to] }: Trade, { utcOffsetHours }: City): number {
  const minute = random.integer(from * 60, to * 60 - 1) - utcOffsetHours * 60;
  return ((minute + 1_440) % 1_440) * MINUTE_MS;
}
