import { addMonths, dayOf, dayStartMs } from '../../kernel/calendar.ts';
import type { City } from './cities.ts';
import { priced } from './exchange.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Plan } from './plan.ts';
import { openTime, planPurchase } from './plan-purchase.ts';
import type { Trouble } from './plan-story.ts';
import { CASINO, localShops, ONLINE_SHOPS, type Shop, SUBSCRIPTIONS } from './shops.ts';
import { LOCAL_TRADES } from './trades.ts';

/** Weights of the days: more purchases towards the weekend. Sunday comes first. */
const WEEK = [0.8, 0.9, 0.95, 1, 1.05, 1.3, 1.45];
const ONLINE_SHARE = 0.28;

/** Services that charge the same amount every month. Each sends an account check when it is ordered. */
export function planSubscriptions(plan: Plan, openedMs: number, { shownAt }: Trouble): void {
  const { random } = plan;
  for (let count = random.integer(0, 3); count > 0; count--) {
    const shop = random.pick(SUBSCRIPTIONS);
    const orderedMs = openedMs + random.integer(60, 20 * 24 * 60) * MINUTE_MS;
    plan.authorize(shop, orderedMs, 0n);
    for (let month = 0; ; month++) {
      const day = addMonths(dayOf(orderedMs + DAY_MS), month);
      const atMs = dayStartMs(day) + random.integer(240, 420) * MINUTE_MS;
      if (atMs >= plan.endMs) break;
      const shown = shownAt?.(atMs);
      if (shown) plan.authorize(shop, atMs, priced(shop.trade.eur[0], shop.currency), shown);
      else planPurchase(plan, shop, atMs);
    }
  }
}

export function planShopping(plan: Plan, openedMs: number, { trip, staysHome }: Trouble): void {
  const { random, person } = plan;
  for (let dayMs = Math.floor(openedMs / DAY_MS) * DAY_MS; dayMs < plan.endMs; dayMs += DAY_MS) {
    const expected = (person.purchasesPerWeek / 7) * (WEEK[new Date(dayMs).getUTCDay()] as number);
    const count = Math.floor(expected) + (random.chance(expected % 1) ? 1 : 0);
    for (let each = 0; each < count; each++) {
      const city = trip && dayMs >= trip.fromMs && dayMs < trip.toMs ? trip.city : person.city;
      const shop = chooseShop(plan, city);
      const atMs = dayMs + openTime(plan, shop.trade, city) + random.integer(0, 59_999);
      if (atMs > openedMs + HOUR_MS && !staysHome?.(atMs)) planPurchase(plan, shop, atMs);
    }
  }
}

function chooseShop({ random, person }: Plan, city: City): Shop {
  if (person.story === 'may not gamble' && random.chance(0.08)) return CASINO;
  if (random.chance(ONLINE_SHARE))
    return random.pickWeighted(ONLINE_SHOPS.map((shop) => [shop, shop.trade.weight] as const));
  const trade = random.pickWeighted(LOCAL_TRADES.map((each) => [each, each.weight] as const));
  return random.pick(localShops(city, trade));
}
