import { cash, priced } from './exchange.ts';
import type { Shop } from './merchants.ts';
import { DAY_MS, MINUTE_MS, type Plan } from './plan.ts';
import { planOrder } from './plan-order.ts';
import { type Asked, authorize, clear, giveBack, percentOf, usualDays } from './purchase-parts.ts';
import type { Manner } from './trades.ts';

const HOLD_DAYS = 7;
/** Held at the pump before anybody knows how much it will be. */
const PUMP_EUR = 120;

type PlanManner = (plan: Plan, shop: Shop, atMs: number, eur: number) => void;

const MANNERS: Record<Manner, PlanManner> = {
  plain: planPlain,
  tip: planTip,
  fuel: planFuel,
  order: planOrder,
  cash: planCash,
  stay: planStay,
};

/** One visit to a shop, with all that follows from it in the days after. */
export function planPurchase(plan: Plan, shop: Shop, atMs: number): void {
  const { random, person } = plan;
  const [min, max] = shop.trade.eur;
  const eur = min === max ? min : random.skewed(min, min + (max - min) * person.taste);
  MANNERS[shop.trade.manner](plan, shop, atMs, eur);
}

function planPlain(plan: Plan, shop: Shop, atMs: number, eur: number): void {
  const { random } = plan;
  const asked = authorize(plan, shop, atMs, priced(eur, shop.currency));
  if (random.chance(0.012)) {
    forget(plan, asked);
    return;
  }
  const clearedMs = clear(plan, asked, { days: usualDays(plan) });
  // Charged too much, the cardholder says; the shop gives the difference back.
  if (eur < 15 || !random.chance(0.015)) return;
  const amountMinor = percentOf(asked.amountMinor, 20);
  giveBack(plan, asked, { atMs: clearedMs + random.integer(5, 15) * DAY_MS, amountMinor, why: 'dispute' });
}

/** The shop never clears, and the hold is let go; some wake up later and clear all the same. */
function forget(plan: Plan, asked: Asked): void {
  const { purchase, atMs } = asked;
  plan.add(atMs + HOLD_DAYS * DAY_MS + 30 * MINUTE_MS, { kind: 'expire', purchase });
  if (plan.random.chance(0.4)) clear(plan, asked, { days: HOLD_DAYS + 2 });
}

function planTip(plan: Plan, shop: Shop, atMs: number, eur: number): void {
  const { random } = plan;
  const asked = authorize(plan, shop, atMs, priced(eur, shop.currency));
  const tip = shop.merchant.country === 'US' ? random.integer(15, 22) : random.pick([0, 0, 5, 10, 12]);
  clear(plan, asked, { amountMinor: percentOf(asked.amountMinor, 100 + tip), days: usualDays(plan) });
}

function planFuel(plan: Plan, shop: Shop, atMs: number, eur: number): void {
  const asked = authorize(plan, shop, atMs, cash(PUMP_EUR, shop.currency));
  clear(plan, asked, { amountMinor: priced(eur, shop.currency), days: 1 });
}

function planCash(plan: Plan, shop: Shop, atMs: number, eur: number): void {
  clear(plan, authorize(plan, shop, atMs, cash(eur, shop.currency)), { days: usualDays(plan) });
}

function planStay(plan: Plan, shop: Shop, atMs: number, eur: number): void {
  const nights = plan.random.integer(2, 4);
  const nightMinor = priced(eur, shop.currency);
  const minibarMinor = priced(plan.random.integer(6, 30), shop.currency);
  const asked = authorize(plan, shop, atMs, nightMinor * BigInt(nights) + cash(50, shop.currency));
  for (let night = 1; night <= nights; night++) {
    const last = night === nights;
    const amountMinor = last ? nightMinor + minibarMinor : nightMinor;
    clear(plan, asked, { amountMinor, days: night, part: night, final: last });
  }
}
