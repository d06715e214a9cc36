import type { Shown } from './action.ts';
import { type City, DESTINATIONS } from './cities.ts';
import { cash, priced } from './exchange.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Plan } from './plan.ts';
import { openTime, planPurchase } from './plan-purchase.ts';
import { CASINO, localShops, ONLINE_SHOPS } from './shops.ts';
import { ATM, HOTEL } from './trades.ts';

/** Limits and categories that the merchant sets when the card is created. */
export function controlsOf({ person: { story }, random }: Plan) {
  if (story === 'may not gamble') return { blockedMccs: [CASINO.trade.mcc, ATM.mcc] };
  if (story !== 'has limits') return undefined;
  return random.pick([
    { transactionLimit: 60 },
    { dailyLimit: 75, transactionLimit: 200 },
    { monthlyLimit: 800 },
  ]);
}

/** How a story changes the cardholder's shopping. */
export interface Trouble {
  /** True at times when the cardholder buys nothing. */
  staysHome?: (atMs: number) => boolean;
  /** What a merchant with the card on file presents at this time. */
  shownAt?: (atMs: number) => Shown | undefined;
  trip?: { fromMs: number; toMs: number; city: City };
}

export function planStory(plan: Plan, openedMs: number): Trouble {
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
      // Wrong CVVs block the card automatically.
      const shop = random.pick(ONLINE_SHOPS);
      for (let guess = 0; guess < 4; guess++)
        plan.authorize(shop, atMs + guess * MINUTE_MS, priced(49, shop.currency), 'wrong CVV');
      return replace(plan, atMs);
    }
    case 'is renewed':
      plan.add(atMs, { kind: 'renew', renewOption: 'NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE' });
      return {};
    case 'expires':
      // The cardholder renews the card only after a decline.
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
    // Services keep using the old card for a month.
    shownAt: (at) => (at > lostMs && at < lostMs + 31 * DAY_MS ? 'lost card' : undefined),
  };
}
