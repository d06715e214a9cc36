import type { LoadedRule } from '../../rules/judge-rules.ts';
import type { VelocityValues } from '../../rules/language/comparisons.ts';
import type { Velocity } from '../../rules/language/condition.ts';
import { valueWith } from '../../rules/velocity/counters.ts';
import type { Setting } from './effects.ts';
import { type Countable, entriesOf } from './marks.ts';

/**
 * What the velocities of a rule count with an attempt: the purchase before it, and as it would be if it were approved. An account
 * check counts nowhere, and their comparisons with it are false.
 */
export function velocityValues(
  { billAmountMinor }: { billAmountMinor: bigint },
  before: Countable | undefined,
  purchase: Countable & { cardId: string },
  { velocities }: Setting,
): (rule: LoadedRule) => VelocityValues {
  if (!velocities || billAmountMinor === 0n) return ({ velocities: numbers }) => numbers.map(() => null);
  const { counters, subjectsOf } = velocities;
  const subjects = subjectsOf(purchase);
  const [entries, attempted] = [entriesOf(before), entriesOf(purchase)];
  // A clearing that named no merchant counts for none until the authorization names it.
  const known = before && subjectsOf({ ...before, cardId: purchase.cardId });
  const isCountedIn = (per: keyof typeof subjects) => known?.[per] === subjects[per];
  const values = new Map<number, bigint>();
  const countedBy = (number: number): bigint => {
    const { per } = counters.velocities.get(number) as Velocity;
    const own = isCountedIn(per) ? entries : [];
    const value = values.get(number) ?? valueWith(counters, subjects, number, own, attempted);
    values.set(number, value);
    return value;
  };
  return (rule) => rule.velocities.map(countedBy);
}
