import type { Attempt } from './attempt.ts';
import type { CompiledCondition, VelocityValues } from './language/compile.ts';
import type { VelocityLeaf } from './language/condition.ts';
import type { LeafExplanation } from './language/explain.ts';

export const RULE_ACTIONS = ['DECLINE', 'FLAG', 'REQUIRE_AUTHENTICATION'] as const;
export type RuleAction = (typeof RULE_ACTIONS)[number];

export const RULE_REASONS = ['NOT_PERMITTED', 'SUSPECTED_FRAUD', 'LIMIT', 'COUNT'] as const;
export type RuleReason = (typeof RULE_REASONS)[number];

export const RULE_EFFECTS = [
  'DECLINED',
  'FLAGGED',
  'AUTHENTICATION_REQUIRED',
  'WOULD_DECLINE',
  'WOULD_FLAG',
  'WOULD_REQUIRE_AUTHENTICATION',
] as const;
export type RuleEffect = (typeof RULE_EFFECTS)[number];

/** A rule of a status that is evaluated, compiled. */
export interface LoadedRule extends CompiledCondition {
  /** Ids sort by time: of two rules, the older one has the smaller id. */
  id: string;
  name: string;
  status: 'SHADOW' | 'ACTIVE';
  action: RuleAction;
  /** Null: not given. */
  reason: RuleReason | null;
  priority: number;
  appliesTo: 'PROGRAM' | { customerKeys: ReadonlySet<string> } | { cardIds: ReadonlySet<string> };
  /** In the order of the values that `matches` takes. */
  velocities: readonly VelocityLeaf[];
}

/** In the order in which they decide: made by `orderRules`. */
export interface RuleSet {
  rules: readonly LoadedRule[];
}

export interface RuleMatch {
  rule: LoadedRule;
  effect: RuleEffect;
}

/** As transactions, events and decision requests show it. */
export interface MatchedRule {
  rule_id: string;
  name: string;
  status: LoadedRule['status'];
  action: RuleAction;
  effect: RuleEffect;
  values: readonly LeafExplanation[];
}

export interface RuleVerdict {
  /** Every match. */
  matches: readonly RuleMatch[];
  /** At most 20 of them, the deciding one included, with what their leaves saw. */
  recorded: readonly MatchedRule[];
  /** The rule that decides. Its effect is `DECLINED` or `AUTHENTICATION_REQUIRED`. Null: none does. */
  decisive: RuleMatch | null;
}

export interface Circumstances {
  /** The network has decided already: matches are only recorded. */
  isAdvice: boolean;
  /** The regulation or the program exempts the purchase from authentication. */
  isExempt: boolean;
  /** What the rule's velocities count; without velocities it is not called. */
  valuesOf(rule: LoadedRule): VelocityValues;
}

export declare function orderRules(rules: readonly LoadedRule[]): RuleSet;
export declare function judgeRules(
  ruleSet: RuleSet,
  attempt: Attempt,
  circumstances: Circumstances,
): RuleVerdict;
