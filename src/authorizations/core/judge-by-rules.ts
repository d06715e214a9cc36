import type { Attempt } from '../../rules/attempt.ts';
import { applies, judgeRules, type MatchedRule, type RuleVerdict } from '../../rules/judge-rules.ts';
import { changes, type EvaluatedAttempt, type ProgramRules } from '../../rules/rule.ts';
import { isExempt } from './authentication.ts';
import type { DeclineReason } from './decline.ts';
import type { Setting, TransactionEvent } from './effects.ts';
import type { Countable } from './marks.ts';
import { type Asked, type AttemptCard, type Attempted, attemptOf } from './rule-attempt.ts';
import type { TransactionRecord } from './transaction.ts';
import { velocityValues } from './velocity-values.ts';

/** What the rules of the program say of an attempt. */
export interface Verdict extends RuleVerdict {
  attempt: Attempt;
  /** Every match, with what its leaves saw. */
  matched: readonly MatchedRule[];
  rules: ProgramRules;
  /** The network has decided. */
  isAdvice: boolean;
}

interface Judged {
  isAdvice: boolean;
  /** The purchase before the attempt. */
  before: Countable | undefined;
}

/** Undefined: the program has no rules. */
export function judgeByRules(
  asked: Asked,
  purchase: Attempted & Countable & { cardId: string },
  card: AttemptCard,
  setting: Setting,
  { isAdvice, before }: Judged,
): Verdict | undefined {
  const { rules, program } = setting;
  if (!rules) return undefined;
  const attempt = attemptOf(asked, purchase, card, setting, rules);
  const valuesOf = velocityValues(asked, before, purchase, setting);
  const verdict = judgeRules(rules.set, attempt, {
    isAdvice,
    isExempt: isExempt(purchase.type, asked.network, program.allowedExemptions),
    valuesOf,
  });
  const { matches, recorded } = verdict;
  const matched = matches.map(
    ({ rule, effect }) =>
      recorded.find((each) => each.rule_id === rule.id) ?? {
        ...{ rule_id: rule.id, name: rule.name, status: rule.status, action: rule.action, effect },
        values: rule.explain(attempt, valuesOf(rule)).leaves,
      },
  );
  return { ...verdict, attempt, matched, rules, isAdvice };
}

/** The rule that declined an attempt. Undefined: none did. */
export const declinedBy = (
  { reason }: { reason: DeclineReason },
  verdict: Verdict | undefined,
): string | undefined =>
  BY_RULES.includes(reason) && verdict?.decisive ? verdict.decisive.rule.id : undefined;

const BY_RULES: readonly DeclineReason[] = ['rule_declined', 'authentication_required'];

/** For the transaction; null if no rule matched. */
export const recordedRules = (verdict: Verdict | undefined): TransactionRecord['rules'] =>
  verdict && verdict.recorded.length > 0 ? verdict.recorded : null;

/** For the event of the attempt: absent if no rule matched. */
export const rulesView = (verdict: Verdict | undefined) =>
  verdict && verdict.recorded.length > 0 ? { rules: verdict.recorded } : undefined;

/** What is stored beside the transaction. */
export const evaluatedBy = (
  verdict: Verdict | undefined,
  { id }: TransactionEvent,
  { id: transactionId }: TransactionRecord,
  { approved, amountMinor }: { approved: boolean; amountMinor: bigint },
): { evaluated: EvaluatedAttempt } | undefined => {
  if (!verdict) return undefined;
  const { attempt, rules, matched, isAdvice } = verdict;
  const matches = matched.map((match) => ({ ...match, changes: !isAdvice && changes(match, approved) }));
  const scoped = rules.scoped.filter((rule) => applies(rule, attempt)).map((rule) => rule.id);
  const subjects = [rules.programId, ...scoped];
  return {
    evaluated: { id, transactionId, cardId: attempt.card.id, approved, amountMinor, subjects, matches },
  };
};
