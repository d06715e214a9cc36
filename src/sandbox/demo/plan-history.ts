import { adjustBalance } from '../../cards/adjust-balance.ts';
import { blockCard } from '../../cards/block-card.ts';
import { freezeCard } from '../../cards/freeze-card.ts';
import { reissueCard } from '../../cards/reissue-card.ts';
import type { ReissueBody } from '../../cards/schema.ts';
import { changeSpendControls } from '../../cards/spend-controls.ts';
import { addMonths, dayOf } from '../../kernel/calendar.ts';
import { amountToNumber } from '../../kernel/money.ts';
import { secret } from '../../kernel/secret.ts';
import { findBalance } from '../../ledger/queries.ts';
import { fundProgram } from '../../programs/fund-program.ts';
import { makePerson, type Person } from './people.ts';
import { storeNothing } from './perform.ts';
import type { Plan, Planned, Stage } from './plan.ts';
import { createPlan, DAY_MS, dayStart, type History, HOUR_MS, MINUTE_MS, planPurchase } from './plan.ts';
import { ATM, CASINO, CURRENCY, DESTINATIONS, PURCHASES, pickShop, SUBSCRIPTIONS } from './world.ts';

/** Weights of the days: more purchases towards the weekend. Sunday comes first. */
const WEEK = [0.8, 0.9, 0.95, 1, 1.05, 1.3, 1.45];
const WEEK_MS = 7 * DAY_MS;
/** No CVV has four digits, so this one is wrong for every card. */
const WRONG_CVV = secret('0000');

/** What all cardholders do, and a weekly funding that covers it, in order of time. */
export function planHistory(history: History, cards: number): Planned[] {
  const people = Array.from({ length: cards }, (_, index) => makePerson(history.seed, index));
  const planned = people.flatMap((person) => planPerson(history, person));
  const weeklyEur = people.reduce((sum, person) => sum + person.weeklyEur, 0);
  const amountMinor = BigInt(Math.ceil((weeklyEur * 1.1) / 1_000)) * 100_000n;
  for (let atMs = history.startMs; atMs < history.endMs; atMs += WEEK_MS) {
    const funding = { amountMinor, reference: `Funding of ${dayOf(atMs)}` };
    planned.push({ kind: 'manage', lane: -1, atMs, run: ({ db, actor }) => fundProgram(db, actor, funding) });
  }
  return planned.sort((one, other) => one.atMs - other.atMs);
}

/** All actions of one cardholder. */
export function planPerson(history: History, person: Person): Planned[] {
  const plan = createPlan(history, person);
  const { random, endMs, manage } = plan;
  // Most cardholders join in the first days, the others one by one.
  const joinedMs = history.startMs + 0.6 * random.next() ** 3 * (endMs - history.startMs);
  const openedMs = dayStart(joinedMs) + random.integer(8 * 60, 19 * 60) * MINUTE_MS;
  // The shortest possible validity, so that it ends within the history.
  const expiryDate = addMonths(dayOf(openedMs + DAY_MS), 1);
  const validity = person.story === 'expires' ? { expiryDate } : {};
  const card = { ...person.card, ...validity, spendLimit: 2 * person.weeklyEur };
  const controls = controlsOf(plan);
  manage(openedMs, async ({ db, actor, openCard }) => {
    const cardId = await openCard(card);
    if (controls) await changeSpendControls(db, actor, cardId, controls);
  });
  for (let atMs = openedMs + 5 * DAY_MS; atMs < endMs; atMs += WEEK_MS) {
    const amount = Math.round(person.weeklyEur * (0.8 + 0.35 * random.next()));
    const topUp = { amount, reference: 'Weekly top-up' };
    manage(atMs, ({ db, actor, cardId }) => adjustBalance(db, actor, cardId, topUp, storeNothing));
  }
  const storyMs = dayStart(openedMs + (0.25 + 0.4 * random.next()) * (endMs - openedMs)) + 8 * HOUR_MS;
  planStory(plan, openedMs, storyMs);
  planSubscriptions(plan, openedMs);
  planShopping(plan, openedMs, storyMs);
  return plan.planned;
}

/** Limits and categories that the merchant sets when the card is created. */
function controlsOf({ person: { story }, random }: Plan) {
  if (story === 'may not gamble') return { blockedMccs: [CASINO.mcc, ATM.mcc] };
  if (story !== 'has limits') return undefined;
  return random.pick([{ transactionLimit: 60 }, { dailyLimit: 75 }, { monthlyLimit: 800 }]);
}

function planStory({ random, person, manage, authorize, endMs }: Plan, openedMs: number, atMs: number): void {
  const freeze = (whenMs: number, frozen: boolean) =>
    manage(whenMs, ({ db, actor, cardId }) => freezeCard(db, actor, cardId, frozen));
  const renew = (whenMs: number, renewOption: NonNullable<ReissueBody['renewOption']>) =>
    manage(whenMs, (stage) => reissueCard(stage, stage.actor, stage.cardId, { renewOption }, storeNothing));
  if (person.story === 'freezes') {
    freeze(atMs, true);
    freeze(atMs + 30 * HOUR_MS, false);
    freeze(endMs - HOUR_MS, true);
  } else if (person.story === 'loses') {
    manage(atMs, ({ db, actor, cardId }) => blockCard(db, actor, cardId, 'Lost by the cardholder'));
    authorize(pickShop(random, ATM, person.city), atMs + HOUR_MS);
    manage(atMs + 3 * HOUR_MS, (stage) => replaceCard(stage, person));
  } else if (person.story === 'is attacked') {
    // Wrong CVVs block the card automatically.
    const shop = pickShop(random, CASINO, person.city);
    for (let guess = 0; guess < 4; guess++) authorize(shop, atMs + guess * MINUTE_MS, WRONG_CVV);
    manage(atMs + 3 * HOUR_MS, (stage) => replaceCard(stage, person));
  } else if (person.story === 'is renewed') renew(atMs, 'NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE');
  // Some cardholders renew an expired card after a decline, the others do not.
  else if (person.story === 'expires' && random.chance(0.7))
    renew(openedMs + 36 * DAY_MS, 'CALCULATE_NEW_EXPIRY_DATE');
}

/** Moves the rest of the old card's balance to a new card. */
async function replaceCard({ db, actor, cardId, openCard }: Stage, { card }: Person): Promise<void> {
  const left = amountToNumber(await findBalance(db, actor.program.id, cardId), CURRENCY);
  const move = { amount: -left, reference: 'Moved to the replacement card' };
  if (left > 0) await adjustBalance(db, actor, cardId, move, storeNothing);
  await openCard({ ...card, spendLimit: Math.max(left, 0) });
}

/** Services that charge the same amount every month. Each sends an account check when it is ordered. */
function planSubscriptions(plan: Plan, openedMs: number): void {
  for (const trade of SUBSCRIPTIONS) {
    if (plan.random.chance(0.5)) continue;
    const { city } = plan.person;
    const orderedMs = openedMs + plan.random.integer(1, 20) * DAY_MS;
    plan.authorize({ ...pickShop(plan.random, trade, city), amountMinor: 0n }, orderedMs);
    for (let atMs = orderedMs + HOUR_MS; atMs < plan.endMs; atMs += 30 * DAY_MS)
      planPurchase(plan, trade, city, atMs);
  }
}

/** Travellers shop abroad for four days. */
function planShopping(plan: Plan, openedMs: number, storyMs: number): void {
  const { random, person } = plan;
  const abroad = random.pick(DESTINATIONS);
  for (let dayMs = dayStart(openedMs); dayMs < plan.endMs; dayMs += DAY_MS) {
    const travels = person.story === 'travels' && dayMs > storyMs && dayMs < storyMs + 4 * DAY_MS;
    const expected = (person.purchasesPerWeek / 7) * (WEEK[new Date(dayMs).getUTCDay()] as number);
    const count = Math.floor(expected) + (random.chance(expected % 1) ? 1 : 0);
    for (let each = 0; each < count; each++) {
      const gambles = person.story === 'may not gamble' && random.chance(0.08);
      const trade = gambles ? CASINO : random.pick(PURCHASES);
      // From 7 to 22 o'clock, mostly around noon.
      const atMs = dayMs + Math.floor((7 + 7.5 * (random.next() + random.next())) * HOUR_MS);
      if (atMs > openedMs) planPurchase(plan, trade, travels ? abroad : person.city, atMs);
    }
  }
}
