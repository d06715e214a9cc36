import { addMonths, dayOf, dayStartMs } from '../../kernel/calendar.ts';
import type { Person } from './people.ts';
import {
  createPlan,
  DAY_MS,
  type History,
  HOUR_MS,
  MINUTE_MS,
  type Plan,
  type Planned,
  type Shown,
} from './plan.ts';
import { planPurchase } from './plan-purchase.ts';
import {
  ATM,
  CASINO,
  type City,
  cash,
  DESTINATIONS,
  HOTEL,
  LOCAL_TRADES,
  localShops,
  ONLINE_SHOPS,
  priced,
  type Shop,
  SUBSCRIPTIONS,
  type Trade,
} from './world.ts';

/** More is bought towards the weekend. Sunday comes first. */
const WEEK = [0.8, 0.9, 0.95, 1, 1.05, 1.3, 1.45];
const USUAL_PURCHASE_EUR = 30;
const ONLINE_SHARE = 0.28;

/** Everything that one cardholder does, in order of time. */
export function planPerson(history: History, person: Person): Planned[] {
  const plan = createPlan(history, person);
  const openedMs = openingTime(plan, history);
  const budgetEur = Math.round(person.purchasesPerWeek * USUAL_PURCHASE_EUR * person.taste);
  // The shortest validity there is: it ends within the history.
  const expiryDate = addMonths(dayOf(openedMs + DAY_MS), 1);
  plan.add(openedMs, {
    kind: 'open',
    card: { ...person.card, spendLimit: budgetEur * 2, ...(person.story === 'expires' && { expiryDate }) },
    controls: controlsOf(plan),
  });
  for (let atMs = openedMs + 5 * DAY_MS; atMs < history.endMs; atMs += 7 * DAY_MS) {
    const amountMinor = BigInt(Math.round(budgetEur * (0.8 + 0.35 * plan.random.next()))) * 100n;
    plan.add(atMs, {
      kind: 'top up',
      amountMinor,
      reference: person.isBusiness ? 'Weekly budget' : 'Top-up',
    });
  }
  const trouble = planStory(plan, openedMs);
  planSubscriptions(plan, openedMs, trouble);
  planShopping(plan, openedMs, trouble);
  return plan.planned.sort((one, other) => one.atMs - other.atMs);
}

/** Most join in the first days, the others one by one. */
function openingTime({ random, person }: Plan, { startMs, endMs }: History): number {
  const share = person.index < 10 || random.chance(0.6) ? 0.06 * random.next() : 0.6 * random.next();
  const day = Math.floor((share * (endMs - startMs)) / DAY_MS);
  return startMs + day * DAY_MS + random.integer(8 * 60, 19 * 60) * MINUTE_MS;
}

/** Limits and categories that the merchant sets when the card is created. */
function controlsOf({ person: { story }, random }: Plan) {
  if (story === 'may not gamble') return { blockedMccs: [CASINO.trade.mcc, ATM.mcc] };
  if (story !== 'has limits') return undefined;
  return random.pick([
    { transactionLimit: 60 },
    { dailyLimit: 75, transactionLimit: 200 },
    { monthlyLimit: 800 },
  ]);
}

/** How a story changes the days of shopping. */
interface Trouble {
  /** The cardholder buys nothing then. */
  staysHome?: (atMs: number) => boolean;
  /** What a merchant presents that has the card on file. */
  shownAt?: (atMs: number) => Shown | undefined;
  trip?: { fromMs: number; toMs: number; city: City };
}

function planStory(plan: Plan, openedMs: number): Trouble {
  const { random, person } = plan;
  const atMs = openedMs + (0.25 + 0.4 * random.next()) * (plan.endMs - openedMs);
  switch (person.story) {
    case 'travels':
      return travel(plan, atMs);
    case 'freezes': {
      const foundMs = atMs + random.integer(20, 90) * HOUR_MS;
      plan.add(atMs, { kind: 'freeze', freeze: true });
      plan.add(foundMs, { kind: 'freeze', freeze: false });
      return { staysHome: (at) => at > atMs && at < foundMs && random.chance(0.5) };
    }
    case 'loses': {
      plan.add(atMs, { kind: 'block', reason: 'Lost by the cardholder' });
      const machine = random.pick(localShops(person.city, ATM));
      plan.authorize(machine, atMs + 40 * MINUTE_MS, cash(200, machine.currency));
      return replace(plan, atMs);
    }
    case 'is attacked': {
      // Guesses at the CVV block a card by themselves.
      const shop = random.pick(ONLINE_SHOPS);
      for (let guess = 0; guess < 4; guess++)
        plan.authorize(shop, atMs + guess * MINUTE_MS, priced(49, shop.currency), 'wrong CVV');
      return replace(plan, atMs);
    }
    case 'is renewed':
      plan.add(atMs, { kind: 'renew', renewOption: 'NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE' });
      return {};
    case 'expires':
      // The cardholder notices it only when it is declined.
      plan.add(openedMs + 36 * DAY_MS, { kind: 'renew', renewOption: 'CALCULATE_NEW_EXPIRY_DATE' });
      return {};
    case 'has limits':
    case 'may not gamble':
    case undefined:
      return {};
  }
}

function travel(plan: Plan, atMs: number): Trouble {
  const { random } = plan;
  const city = random.pick(DESTINATIONS);
  const fromMs = Math.ceil(atMs / DAY_MS) * DAY_MS;
  planPurchase(plan, random.pick(localShops(city, HOTEL)), fromMs + openTime(plan, HOTEL, city));
  return { trip: { city, fromMs, toMs: fromMs + random.integer(2, 6) * DAY_MS } };
}

function replace(plan: Plan, lostMs: number): Trouble {
  const replacedMs = lostMs + plan.random.integer(5, 40) * HOUR_MS;
  plan.add(replacedMs, { kind: 'replace', card: plan.person.card });
  return {
    staysHome: (at) => at > lostMs && at < replacedMs,
    // Services use the number that they know for a month.
    shownAt: (at) => (at > lostMs && at < lostMs + 31 * DAY_MS ? 'lost card' : undefined),
  };
}

/** Services that take the same sum every month; each checks the account when it is ordered. */
function planSubscriptions(plan: Plan, openedMs: number, { shownAt }: Trouble): void {
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

function planShopping(plan: Plan, openedMs: number, { trip, staysHome }: Trouble): void {
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

/** Within the local opening hours. */
function openTime({ random }: Plan, { hours: [from, to] }: Trade, { utcOffsetHours }: City): number {
  const minute = random.integer(from * 60, to * 60 - 1) - utcOffsetHours * 60;
  return ((minute + 1_440) % 1_440) * MINUTE_MS;
}

function chooseShop({ random, person }: Plan, city: City): Shop {
  if (person.story === 'may not gamble' && random.chance(0.08)) return CASINO;
  if (random.chance(ONLINE_SHARE))
    return random.pickWeighted(ONLINE_SHOPS.map((shop) => [shop, shop.trade.weight] as const));
  const trade = random.pickWeighted(LOCAL_TRADES.map((each) => [each, each.weight] as const));
  return random.pick(localShops(city, trade));
}
