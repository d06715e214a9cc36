import type { Bind } from '../db/bind.ts';
import type { Wanted } from '../lists/filters.ts';

export const withStatus = (status: string): Wanted => ({
  where: (bind: Bind) => `t.status = ${bind(status, 'text')}`,
});

export const withAction = (action: string): Wanted => ({
  where: (bind: Bind) => `t.action = ${bind(action, 'text')}`,
});

/** The matches of a rule. */
export const ofRule = (ruleId: string): Wanted => ({
  where: (bind: Bind) => `t.rule_id = ${bind(ruleId, 'uuid')}`,
  leads: [{ column: 'rule_id', value: (bind: Bind) => bind(ruleId, 'uuid') }],
  isExact: true,
});
