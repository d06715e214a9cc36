import { addMonths, dayOf } from '../../kernel/calendar.ts';
import type { Planned } from './action.ts';
import { type City, DESTINATIONS } from './cities.ts';
import { localShops, onlineShop, type Shop } from './merchants.ts';
import type { Person } from './people.ts';
import { createPlan, DAY_MS, type History, HOUR_MS, MINUTE_MS, type Plan } from './plan.ts';
import { planPurchase } from './plan-purchase.ts';
import { controlsOf, FLEET_MCCS, planStory, type Trouble } from './plan-story.ts';
import { planSubscriptions } from './plan-subscriptions.ts';
import { CASINO, HOTELS, LOCAL_TRADES, ONLINE_SHOPS, type Trade } from './trades.ts';

/** More is bought towards the weekend. Sunday comes first. */
const WEEK = [0.8, 0.9, 0.95, 1, 1.05, 1.3, 1.45];
const USUAL_PURCHASE_EUR = 30;
const ONLINE_SHARE = 0.28;

interface Trip {
  fromMs: number;
  toMs: number;
  city: City;
}

/** Everything that one cardholder does, in order of time. */
export function planPerson(history: History, person: Person): Planned[] {
  const plan = createPlan(history, person);
  const openedMs = openingTime(plan);
  const budgetEur = person.purchasesPerWeek * USUAL_PURCHASE_EUR * person.taste;
  plan.add(openedMs, {
    kind: 'open',
    card: {
      ...person.card,
      spendLimit: Math.round(budgetEur / 5) * 5 * 2,
      // The shortest life there is: it ends while the history runs.
      ...(person.story === 'expires' && { expiryDate: addMonths(dayOf(openedMs + DAY_MS), 1) }),
    },
    controls: controlsOf(plan),
  });
  planMoney(plan, openedMs, budgetEur);
  const trip = planTrip(plan, openedMs);
  const trouble = planStory(plan, openedMs);
  planSubscriptions(plan, openedMs, trouble);
  planShopping(plan, openedMs, trip, trouble);
  return plan.planned.sort((one, other) => one.atMs - other.atMs);
}

/** Most join in the first days, the others one by one. */
function openingTime({ random, history, person }: Plan): number {
  const { startMs, endMs } = history;
  const share = person.index < 10 || random.chance(0.6) ? 0.06 * random.next() : 0.6 * random.next();
  const day = Math.floor((share * (endMs - startMs)) / DAY_MS);
  return startMs + day * DAY_MS + random.integer(8 * 60, 19 * 60) * MINUTE_MS;
}

/** Wages, pocket money, budgets: by the week, every other week, or by the month. */
function planMoney(plan: Plan, openedMs: number, budgetEur: number): void {
  const { random, history, person } = plan;
  const weeks = person.isBusiness ? 1 : random.pick([1, 2, 4]);
  const reference = person.isBusiness
    ? 'Weekly budget'
    : weeks === 4
      ? 'Salary'
      : random.pick(['Top-up', 'Allowance']);
  const first = openedMs + random.integer(3, 7) * DAY_MS;
  for (let atMs = first; atMs < history.endMs; atMs += weeks * 7 * DAY_MS) {
    const eur = Math.max(10, Math.round((budgetEur * weeks * (0.8 + 0.35 * random.next())) / 10) * 10);
    const morning = Math.floor(atMs / DAY_MS) * DAY_MS + random.integer(6 * 60, 9 * 60) * MINUTE_MS;
    plan.add(morning, { kind: 'top up', amountMinor: BigInt(eur) * 100n, reference });
  }
}

function planTrip(plan: Plan, openedMs: number): Trip | undefined {
  const { random, history, person } = plan;
  if (person.story !== 'travels' && !random.chance(0.08)) return undefined;
  const city = random.pick(DESTINATIONS.filter(({ name }) => name !== person.city.name));
  const day = Math.floor((openedMs + (0.1 + 0.6 * random.next()) * (history.endMs - openedMs)) / DAY_MS);
  const fromMs = (day + 1) * DAY_MS;
  const hotel = random.pick(localShops(history.seed, city, HOTELS));
  planPurchase(plan, hotel, fromMs + openingHour(plan, HOTELS, city));
  return { city, fromMs, toMs: fromMs + random.integer(2, 6) * DAY_MS };
}

function planShopping(plan: Plan, openedMs: number, trip: Trip | undefined, trouble: Trouble): void {
  const { random, history, person } = plan;
  for (let dayMs = Math.floor(openedMs / DAY_MS) * DAY_MS; dayMs < history.endMs; dayMs += DAY_MS) {
    const weekday = new Date(dayMs).getUTCDay();
    const isWeekend = weekday === 0 || weekday === 6;
    const mood = person.isBusiness && isWeekend ? 0.1 : (WEEK[weekday] as number);
    const expected = (person.purchasesPerWeek / 7) * mood;
    const count = Math.floor(expected) + (random.chance(expected % 1) ? 1 : 0);
    for (let each = 0; each < count; each++) {
      const away = trip && dayMs >= trip.fromMs && dayMs < trip.toMs;
      const city = away ? trip.city : person.city;
      const shop = chooseShop(plan, city, isWeekend);
      const atMs = dayMs + openingHour(plan, shop.trade, city) + random.integer(0, 59_999);
      if (atMs > openedMs + HOUR_MS && !trouble.staysHome(atMs)) planPurchase(plan, shop, atMs);
    }
  }
}

/** By local time. */
function openingHour({ random }: Plan, { hours: [from, to] }: Trade, { utcOffsetHours }: City): number {
  const minute = random.integer(from * 60, to * 60 - 1) - utcOffsetHours * 60;
  return ((minute + 1_440) % 1_440) * MINUTE_MS;
}

function chooseShop({ random, history, person }: Plan, city: City, isWeekend: boolean): Shop {
  if (person.story === 'may not gamble' && random.chance(0.08)) return onlineShop(CASINO);
  const weight = ({ weight: [weekday, weekend] }: Trade) => (isWeekend ? weekend : weekday);
  if (!person.isFleet && random.chance(ONLINE_SHARE))
    return onlineShop(random.pickWeighted(ONLINE_SHOPS.map((shop) => [shop, weight(shop.trade)] as const)));
  // Now and then a driver tries the company's card for lunch.
  const fits = ({ mcc }: Trade) => !person.isFleet || FLEET_MCCS.includes(mcc) || random.chance(0.01);
  const trades = LOCAL_TRADES.filter(fits).map((trade) => [trade, weight(trade)] as const);
  return random.pick(localShops(history.seed, city, random.pickWeighted(trades)));
}
