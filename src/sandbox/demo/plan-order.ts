import { DAY_MS, HOUR_MS, MINUTE_MS, type Plan, type Purchase, percentOf } from './plan.ts';

type OrderEnd = (plan: Plan, purchase: Purchase, days: number) => void;

/** The possible outcomes of an order, with their weights. */
export const ORDER_ENDS: ReadonlyArray<readonly [OrderEnd, number]> = [
  [(plan, purchase, days) => void plan.clear(purchase, { days }), 70],
  [sendInParts, 11],
  [cancel, 6],
  [leaveSomethingOut, 4],
  [sendBack, 9],
];

function sendInParts(plan: Plan, purchase: Purchase, days: number): void {
  const first = percentOf(purchase.amountMinor, 40);
  plan.clear(purchase, { amountMinor: first, days, final: false });
  plan.clear(purchase, { amountMinor: purchase.amountMinor - first, days: days + 2, part: 2 });
}

function cancel(plan: Plan, { id, atMs }: Purchase): void {
  const hours = plan.random.integer(1, 20);
  plan.add(atMs + hours * HOUR_MS, { kind: 'reverse', purchase: id, billAmountMinor: undefined });
}

function leaveSomethingOut(plan: Plan, purchase: Purchase, days: number): void {
  const { id, shop, atMs, amountMinor } = purchase;
  const billAmountMinor = percentOf(plan.moneyOf(amountMinor, shop.currency, atMs).billAmountMinor, 30);
  plan.add(atMs + 90 * MINUTE_MS, { kind: 'reverse', purchase: id, billAmountMinor });
  plan.clear(purchase, { amountMinor: percentOf(amountMinor, 70), days });
}

function sendBack(plan: Plan, purchase: Purchase, days: number): void {
  const atMs = plan.clear(purchase, { days }) + plan.random.integer(3, 12) * DAY_MS;
  const amountMinor = percentOf(purchase.amountMinor, plan.random.pick([50, 100]));
  plan.giveBack(purchase, atMs, amountMinor, 'refund');
}
