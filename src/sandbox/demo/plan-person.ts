import { addMonths, dayOf } from '../../kernel/calendar.ts';
import type { Planned } from './action.ts';
import type { Person } from './people.ts';
import { createPlan, DAY_MS, type History, MINUTE_MS, type Plan } from './plan.ts';
import { planShopping, planSubscriptions } from './plan-shopping.ts';
import { controlsOf, planStory } from './plan-story.ts';

const USUAL_PURCHASE_EUR = 30;

/** All actions of one cardholder, in order of time. */
export function planPerson(history: History, person: Person): Planned[] {
  const plan = createPlan(history, person);
  const openedMs = openingTime(plan, history);
  const budgetEur = Math.round(person.purchasesPerWeek * USUAL_PURCHASE_EUR * person.taste);
  // The shortest possible validity, so that it ends within the history.
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

/** Most cardholders join in the first days, the others one by one. */
function openingTime({ random, person }: Plan, { startMs, endMs }: History): number {
  const share = person.index < 10 || random.chance(0.6) ? 0.06 * random.next() : 0.6 * random.next();
  const day = Math.floor((share * (endMs - startMs)) / DAY_MS);
  return startMs + day * DAY_MS + random.integer(8 * 60, 19 * 60) * MINUTE_MS;
}
