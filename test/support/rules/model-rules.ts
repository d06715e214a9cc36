import { formatAmount } from '../../../src/kernel/money.ts';
import type { Program } from '../../../src/programs/program.ts';
import { type LoadedRule, orderRules } from '../../../src/rules/judge-rules.ts';
import { compileCondition } from '../../../src/rules/language/compile.ts';
import { velocitiesOf } from '../../../src/rules/language/condition.ts';
import { parseCondition } from '../../../src/rules/language/parse.ts';
import type { LoadedVelocity, ProgramRules } from '../../../src/rules/rule.ts';
import type { ModelRule } from '../../model/card.ts';

const idOf = (index: number): string => `00000000-0000-7000-8000-0000000001${String(index).padStart(2, '0')}`;

/** The rules of the model as a process loads them, in the order in which they decide. */
export function rulesFor({ id, currency }: Program, rules: readonly ModelRule[]): ProgramRules {
  const none = { currency, lists: new Map(), customerKeyOf: (customerId: string) => customerId };
  const counted = new Map<number, LoadedVelocity>();
  const load = ({ action, status, mcc, aboveMinor, velocity: own }: ModelRule, index: number): LoadedRule => {
    const all: object[] = [
      { field: 'mcc', op: 'eq', value: mcc },
      { field: 'billAmount', op: 'gt', value: formatAmount(aboveMinor, currency) },
    ];
    if (own) {
      const { measure, per, window, above } = own;
      const value = measure === 'AMOUNT' ? formatAmount(above, currency) : Number(above);
      all.push({ velocity: { measure, per, window }, op: 'gt', value });
    }
    const condition = parseCondition({ all }, { currency, listTypeOf: () => undefined, velocity: true });
    const velocities = velocitiesOf(condition).map(({ velocity }) => {
      const number = numberOf(index);
      const ruleId = velocity.measure === 'DECLINES' ? idOf(index) : null;
      counted.set(number, { ...velocity, number, meets: () => true, ruleId });
      return number;
    });
    return {
      ...{ id: idOf(index), name: `Rule ${index}`, status, action, reason: null },
      ...{ priority: rules.length - index, appliesTo: 'PROGRAM', velocities },
      ...compileCondition(condition, none),
    };
  };
  const set = orderRules(rules.map(load));
  return {
    programId: id,
    version: 1n,
    set,
    scoped: [],
    velocities: counted,
    customerKeyOf: (cardholderId) => cardholderId,
  };
}

/** Of the velocity of the rule at this index. */
export const numberOf = (index: number): number => index + 1;
