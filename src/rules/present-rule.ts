import { formatTimestamp } from '../kernel/calendar.ts';
import { formatAmount } from '../kernel/money.ts';
import type { MatchRecord } from './match-queries.ts';
import type { RuleDocument, RuleRecord } from './rule.ts';

const timestamp = (at: Date | null): string | null => at && formatTimestamp(at);

/** For events and the audit: without the condition and what it applies to, which can name customers. */
export const ruleView = (rule: RuleRecord) => ({
  id: rule.id,
  name: rule.name,
  status: rule.status,
  action: rule.action,
  reason: rule.reason,
  priority: rule.priority,
  replaces: rule.replaces,
  createdAt: formatTimestamp(rule.createdAt),
  shadowSince: timestamp(rule.shadowSince),
  activeSince: timestamp(rule.activeSince),
  archivedAt: timestamp(rule.archivedAt),
});

export const presentRule = (rule: RuleRecord, { appliesTo, when }: RuleDocument) => ({
  ...ruleView(rule),
  appliesTo,
  when,
});
export type PresentedRule = ReturnType<typeof presentRule>;

export const presentMatch = (match: MatchRecord, currency: string) => ({
  id: match.id,
  transactionId: match.transactionId,
  cardId: match.cardId,
  status: match.status,
  effect: match.effect,
  approved: match.approved,
  amount: formatAmount(match.amountMinor, currency),
  currency,
  values: match.matchValues,
  createdAt: formatTimestamp(match.createdAt),
});
