import { formatAmount } from '../../../src/kernel/money.ts';
import type { Program } from '../../../src/programs/program.ts';
import { type LoadedRule, orderRules } from '../../../src/rules/judge-rules.ts';
import { compileCondition } from '../../../src/rules/language/compile.ts';
import { parseCondition } from '../../../src/rules/language/parse.ts';
import type { ProgramRules } from '../../../src/rules/rule.ts';
import type { ModelRule } from '../../model/card.ts';

const idOf = (index: number): string => `00000000-0000-7000-8000-0000000001${String(index).padStart(2, '0')}`;

/** The rules of the model as a process loads them, in the order in which they decide. */
export function rulesFor({ id, currency }: Program, rules: readonly ModelRule[]): ProgramRules {
  const none = { currency, lists: new Map(), customerKeyOf: (customerId: string) => customerId };
  const load = ({ action, status, mcc, aboveMinor }: ModelRule, index: number): LoadedRule => {
    const amount = formatAmount(aboveMinor, currency);
    const when = {
      all: [
        { field: 'mcc', op: 'eq', value: mcc },
        { field: 'billAmount', op: 'gt', value: amount },
      ],
    };
    const condition = parseCondition(when, { currency, listTypeOf: () => undefined, velocity: false });
    return {
      ...{
        id: idOf(index),
        name: `Rule ${index}`,
        status,
        action,
        reason: null,
        priority: rules.length - index,
      },
      ...{ appliesTo: 'PROGRAM', velocities: [] },
      ...compileCondition(condition, none),
    };
  };
  const set = orderRules(rules.map(load));
  return {
    programId: id,
    version: 1n,
    set,
    scoped: [],
    velocities: new Map(),
    customerKeyOf: (cardholderId) => cardholderId,
  };
}
