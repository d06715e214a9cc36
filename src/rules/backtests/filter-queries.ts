import type { Bind } from '../../db/bind.ts';
import type { Wanted } from '../../lists/filters.ts';

const of = (column: 'rule_id' | 'backtest_id', id: string): Wanted => ({
  where: (bind: Bind) => `t.${column} = ${bind(id, 'uuid')}`,
  leads: [{ column, value: (bind: Bind) => bind(id, 'uuid') }],
  isExact: true,
});

/** The backtests of a rule. */
export const ofTestedRule = (ruleId: string): Wanted => of('rule_id', ruleId);

/** The matches of a backtest. */
export const ofBacktest = (backtestId: string): Wanted => of('backtest_id', backtestId);
