import type { Shown } from './action.ts';
import { cash, priced } from './exchange.ts';
import { localShops, onlineShop } from './merchants.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Plan } from './plan.ts';
import { authorize } from './purchase-parts.ts';
import type { Story } from './stories.ts';
import { LOCAL_TRADES, ONLINE_SHOPS, type Trade } from './trades.ts';

/** How a story changes the days of shopping. */
export interface Trouble {
  /** No purchase is tried then. */
  staysHome(atMs: number): boolean;
  /** What a shop shows that has the card on file. */
  shownAt(atMs: number): Shown | undefined;
}

const NO_TROUBLE: Trouble = { staysHome: () => false, shownAt: () => undefined };
const CASH = LOCAL_TRADES.find(({ channel }) => channel === 'ATM') as Trade;

export function planStory(plan: Plan, openedMs: number): Trouble {
  const { random, history, person } = plan;
  const atMs = openedMs + (0.25 + 0.4 * random.next()) * (history.endMs - openedMs);
  const tellers: Partial<Record<Story, (plan: Plan, atMs: number) => Trouble>> = {
    freezes: freeze,
    loses: (given, at) => lose(given, at, 'Lost by the cardholder'),
    'is robbed': (given, at) => lose(given, at, 'Stolen, reported by the cardholder'),
    'is attacked': attack,
    'is renewed': renew,
  };
  if (person.story === 'expires') return expire(plan, openedMs);
  return tellers[person.story]?.(plan, atMs) ?? NO_TROUBLE;
}

/** Fuel, parking and tolls. */
export const FLEET_MCCS = ['5541', '5542', '7523', '4784'];

/** Limits and categories that the merchant set when the card was made. */
export function controlsOf({ person, random }: Plan) {
  if (person.isFleet) return { allowedMccs: FLEET_MCCS };
  if (person.story === 'may not gamble') return { blockedMccs: ['7995', CASH.mcc] };
  if (person.story !== 'has limits') return undefined;
  return random.pick([
    { transactionLimit: 60 },
    { dailyLimit: 75, transactionLimit: 200 },
    { monthlyLimit: 800 },
  ]);
}

/** Mislaid and found again: frozen for a few days, in which some still try. */
function freeze(plan: Plan, atMs: number): Trouble {
  const { random } = plan;
  const foundMs = atMs + random.integer(20, 90) * HOUR_MS;
  plan.add(atMs, { kind: 'freeze', freeze: true });
  plan.add(foundMs, { kind: 'freeze', freeze: false });
  return { ...NO_TROUBLE, staysHome: (at) => at > atMs && at < foundMs && random.chance(0.5) };
}

/** Blocked for good, somebody tries it in vain, and a new card takes its place. */
function lose(plan: Plan, atMs: number, reason: string): Trouble {
  const { random, history, person } = plan;
  plan.add(atMs, { kind: 'block', reason });
  const machine = random.pick(localShops(history.seed, person.city, CASH));
  authorize(plan, machine, atMs + 40 * MINUTE_MS, cash(200, machine.currency));
  return replaced(plan, atMs, atMs + random.integer(5, 30) * HOUR_MS);
}

/** Guesses at the CVV block a card by themselves. */
function attack(plan: Plan, atMs: number): Trouble {
  const shop = onlineShop(plan.random.pick(ONLINE_SHOPS));
  for (let guess = 0; guess < 4; guess++)
    authorize(plan, shop, atMs + guess * MINUTE_MS, priced(49, shop.currency), 'wrong CVV');
  return replaced(plan, atMs, atMs + plan.random.integer(8, 40) * HOUR_MS);
}

function replaced(plan: Plan, lostMs: number, replacedMs: number): Trouble {
  const { spendLimit: _, ...card } = plan.person.card;
  plan.add(replacedMs, { kind: 'replace', card });
  return {
    staysHome: (at) => at > lostMs && at < replacedMs,
    // Services go on with the number they know, for a month.
    shownAt: (at) => (at > lostMs && at < lostMs + 31 * DAY_MS ? 'lost card' : undefined),
  };
}

function renew(plan: Plan, atMs: number): Trouble {
  plan.add(atMs, { kind: 'renew', renewOption: 'NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE' });
  return {
    ...NO_TROUBLE,
    shownAt: (at) => (at > atMs && at < atMs + 31 * DAY_MS ? 'old number' : undefined),
  };
}

/** Noticed only when it is declined. */
function expire(plan: Plan, openedMs: number): Trouble {
  plan.add(openedMs + 36 * DAY_MS, { kind: 'renew', renewOption: 'CALCULATE_NEW_EXPIRY_DATE' });
  return NO_TROUBLE;
}
