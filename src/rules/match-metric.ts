import type { Counter, Metrics } from '../kernel/metric.ts';
import { RULE_EFFECTS, type RuleEffect } from './judge-rules.ts';
import type { EvaluatedAttempt } from './rule.ts';

export const RULE_MATCHES: Counter<{ effect: RuleEffect }> = {
  type: 'counter',
  name: 'emboss_rule_matches_total',
  help: 'Matches of rules, by effect: what the rule did, or would have done.',
  labels: { effect: RULE_EFFECTS },
};

/** After the commit: the matches are written. */
export function countMatches(metrics: Metrics, evaluated: readonly EvaluatedAttempt[]): void {
  for (const { matches } of evaluated)
    for (const { effect } of matches) metrics.count(RULE_MATCHES, { effect });
}
