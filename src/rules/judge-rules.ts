import type { Attempt } from './attempt.ts';
import type { VelocityValues } from './language/comparisons.ts';
import type { CompiledCondition } from './language/compile.ts';
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
  /** The numbers of its velocities, in the order of the values that `matches` takes. */
  velocities: readonly number[];
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

const MOST_RECORDED = 20;
const NO_VELOCITIES: VelocityValues = [];
const NO_MATCH: RuleVerdict = { matches: [], recorded: [], decisive: null };

/** Of the rules that match, the first one decides: that of the highest priority, of these the oldest one. */
export const orderRules = (rules: readonly LoadedRule[]): RuleSet => ({
  rules: rules.toSorted((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1)),
});

/** What the rules say of an attempt that no earlier guard declines. They only ever decline: nothing here approves. */
export function judgeRules(ruleSet: RuleSet, attempt: Attempt, circumstances: Circumstances): RuleVerdict {
  let matching: LoadedRule[] | undefined;
  for (const rule of ruleSet.rules) {
    if (!applies(rule, attempt) || !rule.matches(attempt, valuesFor(rule, circumstances))) continue;
    matching ??= [];
    matching.push(rule);
  }
  return matching ? decide(matching, attempt, circumstances) : NO_MATCH;
}

const valuesFor = (rule: LoadedRule, { valuesOf }: Circumstances): VelocityValues =>
  rule.velocities.length === 0 ? NO_VELOCITIES : valuesOf(rule);

export function applies({ appliesTo }: LoadedRule, { card, customerKey }: Attempt): boolean {
  if (appliesTo === 'PROGRAM') return true;
  return 'cardIds' in appliesTo ? appliesTo.cardIds.has(card.id) : appliesTo.customerKeys.has(customerKey);
}

function decide(matching: LoadedRule[], attempt: Attempt, circumstances: Circumstances): RuleVerdict {
  const isDecided = !circumstances.isAdvice;
  const possible = possibleConsequences(attempt, circumstances);
  const consequenceOf = ({ action }: LoadedRule): RuleAction => (possible.includes(action) ? action : 'FLAG');
  const deciding = matching.find((rule) => rule.status === 'ACTIVE' && consequenceOf(rule) !== 'FLAG');
  const effectOf = (rule: LoadedRule): RuleEffect => {
    const consequence = consequenceOf(rule);
    const takesEffect =
      isDecided && rule.status === 'ACTIVE' && (consequence === 'FLAG' || rule === deciding);
    return EFFECTS[consequence][takesEffect ? 'now' : 'otherwise'];
  };
  const matches = matching.map((rule) => ({ rule, effect: effectOf(rule) }));
  const decisive = (isDecided && matches.find(({ rule }) => rule === deciding)) || null;
  const recorded = mostImportant(matches, decisive).map((match) => ({
    rule_id: match.rule.id,
    name: match.rule.name,
    status: match.rule.status,
    action: match.rule.action,
    effect: match.effect,
    values: match.rule.explain(attempt, valuesFor(match.rule, circumstances)).leaves,
  }));
  return { matches, recorded, decisive };
}

const EFFECTS: Record<RuleAction, { now: RuleEffect; otherwise: RuleEffect }> = {
  DECLINE: { now: 'DECLINED', otherwise: 'WOULD_DECLINE' },
  FLAG: { now: 'FLAGGED', otherwise: 'WOULD_FLAG' },
  REQUIRE_AUTHENTICATION: { now: 'AUTHENTICATION_REQUIRED', otherwise: 'WOULD_REQUIRE_AUTHENTICATION' },
};

/**
 * What a rule can do to this attempt. What it cannot do is a flag, which stands in the way of no other rule. A credit gives
 * money to the cardholder: only the state of the card declines it.
 */
function possibleConsequences(
  { channel, type, authenticated }: Attempt,
  { isExempt }: Circumstances,
): readonly RuleAction[] {
  if (type === 'CREDIT') return ['FLAG'];
  const isPurchase = channel === 'ECOMMERCE' && type !== 'BALANCE_INQUIRY';
  return isPurchase && !authenticated && !isExempt ? RULE_ACTIONS : ['DECLINE', 'FLAG'];
}

/** The first ones, and the one that decides in any case. */
function mostImportant(matches: readonly RuleMatch[], decisive: RuleMatch | null): readonly RuleMatch[] {
  const first = matches.slice(0, MOST_RECORDED);
  return decisive && !first.includes(decisive) ? [...first.slice(0, -1), decisive] : first;
}
