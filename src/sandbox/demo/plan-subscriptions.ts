import { addMonths, dayOf, dayStartMs } from '../../kernel/calendar.ts';
import { priced } from './exchange.ts';
import { onlineShop } from './merchants.ts';
import { DAY_MS, MINUTE_MS, type Plan } from './plan.ts';
import { planPurchase } from './plan-purchase.ts';
import type { Trouble } from './plan-story.ts';
import { authorize } from './purchase-parts.ts';
import { SUBSCRIPTIONS } from './trades.ts';

/** Services that take the same sum every month; each checks the account when it is ordered. */
export function planSubscriptions(plan: Plan, openedMs: number, trouble: Trouble): void {
  const { random, history, person } = plan;
  const count = person.isFleet ? 0 : random.integer(0, 3);
  for (let each = 0; each < count; each++) {
    const offer = random.pick(SUBSCRIPTIONS);
    const [min, max] = offer.trade.eur;
    const price = min + (max - min) * Math.round(random.next() * 4) * 0.25;
    const shop = onlineShop({ ...offer, trade: { ...offer.trade, eur: [price, price] } });
    const orderedMs = openedMs + random.integer(60, 20 * 24 * 60) * MINUTE_MS;
    authorize(plan, shop, orderedMs, 0n);
    const firstDay = dayOf(orderedMs + DAY_MS);
    for (let month = 0; ; month++) {
      const atMs = dayStartMs(addMonths(firstDay, month)) + random.integer(240, 420) * MINUTE_MS;
      if (atMs >= history.endMs) break;
      const shown = trouble.shownAt(atMs);
      if (shown) authorize(plan, shop, atMs, priced(price, shop.currency), shown);
      else planPurchase(plan, shop, atMs);
    }
  }
}
