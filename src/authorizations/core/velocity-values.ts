import type { LoadedRule } from '../../rules/judge-rules.ts';
import type { VelocityValues } from '../../rules/language/comparisons.ts';
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
  const values = new Map<number, bigint>();
  const countedBy = (number: number): bigint => {
    const known = values.get(number) ?? valueWith(counters, subjects, number, entries, attempted);
    values.set(number, known);
    return known;
  };
  return (rule) => rule.velocities.map(countedBy);
}
