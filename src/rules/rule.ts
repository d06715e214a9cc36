import { MS_PER_DAY } from '../kernel/calendar.ts';
import { EmbossError } from '../kernel/error.ts';
import type { Attempt } from './attempt.ts';
import type { LoadedRule, MatchedRule, RuleAction, RuleEffect, RuleReason, RuleSet } from './judge-rules.ts';
import type { Velocity } from './language/condition.ts';

export const RULE_STATUSES = ['PREPARING', 'SHADOW', 'ACTIVE', 'ARCHIVED'] as const;
export type RuleStatus = (typeof RULE_STATUSES)[number];

/** Of one program, without the archived ones. */
export const MOST_RULES = 100;
export const MOST_VELOCITIES = 20;
/** The days of SHADOW, and of approvals, that a promotion looks at. */
export const GUARD_DAYS = 7;

/** What a rule applies to, as its document says it. */
export type AppliesTo = 'PROGRAM' | { customerIds: string[] } | { cardIds: string[] };

/** The sealed part of a rule: it can name customers. */
export interface RuleDocument {
  when: unknown;
  appliesTo: AppliesTo;
}

export interface RuleRecord {
  programId: string;
  id: string;
  name: string;
  status: RuleStatus;
  action: RuleAction;
  /** Null: not given. */
  reason: RuleReason | null;
  priority: number;
  /** The merchant's lists in its condition. */
  lists: string[];
  /** The numbers of the velocities in its condition, in their order. */
  velocities: number[];
  /** The rule that its promotion archives. */
  replaces: string | null;
  createdAt: Date;
  /** The newest beginning of each status. */
  shadowSince: Date | null;
  activeSince: Date | null;
  archivedAt: Date | null;
  /** The versions of the program's rules from which on and before which it is evaluated. */
  firstVersion: bigint;
  archivedVersion: bigint | null;
}

export interface LoadedVelocity extends Velocity {
  number: number;
  /** Whether an attempt meets its `where`. */
  meets(attempt: Attempt): boolean;
  /** The rule whose own declines it leaves out. Null: it counts purchases. */
  ruleId: string | null;
}

/** The rules of a program as a process has loaded them. */
export interface ProgramRules {
  programId: string;
  version: bigint;
  set: RuleSet;
  /** Those that do not apply to all cards. */
  scoped: readonly LoadedRule[];
  /** What the rules count, by number. */
  velocities: ReadonlyMap<number, LoadedVelocity>;
  /** The key by which the rules know the customer of a card. */
  customerKeyOf(cardholderId: string): string;
}

/** What is stored of an attempt for which rules were evaluated. */
export interface EvaluatedAttempt {
  /** The id of its event. */
  id: string;
  transactionId: string;
  cardId: string;
  approved: boolean;
  /** In the program's currency: what was approved, or else requested. */
  amountMinor: bigint;
  /** The program, and the rules that do not apply to all cards and apply to this one. */
  subjects: readonly string[];
  /** `changes`: the rule turned an approval into a decline, or in SHADOW would have. */
  matches: ReadonlyArray<MatchedRule & { changes: boolean }>;
}

/** The network's code of a purchase that a rule declines. */
export const RULE_NETWORK_CODES: Record<RuleReason, string> = {
  NOT_PERMITTED: '57',
  SUSPECTED_FRAUD: '59',
  LIMIT: '61',
  COUNT: '65',
};

const CHANGED: readonly RuleEffect[] = ['DECLINED', 'AUTHENTICATION_REQUIRED'];
const WOULD_CHANGE: readonly RuleEffect[] = ['WOULD_DECLINE', 'WOULD_REQUIRE_AUTHENTICATION'];

/** Whether a match declined an attempt, or in SHADOW would have declined one that was approved. */
export const changes = ({ effect }: Pick<MatchedRule, 'effect'>, approved: boolean): boolean =>
  CHANGED.includes(effect) || (approved && WOULD_CHANGE.includes(effect));

export const RULE_STEPS = ['promote', 'demote', 'archive'] as const;
export type RuleStep = (typeof RULE_STEPS)[number];

const STEPS: Record<RuleStatus, readonly RuleStep[]> = {
  PREPARING: ['archive'],
  SHADOW: ['promote', 'archive'],
  ACTIVE: ['demote', 'archive'],
  ARCHIVED: [],
};

const DONE: Record<RuleStep, string> = { promote: 'promoted', demote: 'demoted', archive: 'archived' };

/** Throws a 409 that names what can be done with a rule of this status. */
export function requireStep({ status }: RuleRecord, step: RuleStep): void {
  const possible = STEPS[status];
  if (possible.includes(step)) return;
  const advice =
    possible.length === 0
      ? 'it stays so; create a new rule'
      : `it can be ${possible.map((each) => DONE[each]).join(' or ')}`;
  throw new EmbossError(409, `The rule is ${status}; ${advice}`);
}

/** What the last week says of a rule in SHADOW. */
export interface Trial {
  /** Of the program, in the last week. */
  approvals: number;
  /** Those of them that the rule would have declined. */
  wouldDecline: number;
  /** Since when it is in SHADOW. */
  shadowMs: number;
  /** What its newest completed backtest with an approval says. */
  backtest: { approved: number; wouldDecline: number } | undefined;
}

/** Why a promotion needs a confirmation; undefined if it needs none. */
export function promotionRefusal(
  { approvals, wouldDecline, shadowMs, backtest }: Trial,
  guardPercent: number,
): string | undefined {
  if (approvals === 0) return undefined;
  const isProven = backtest !== undefined || shadowMs >= GUARD_DAYS * MS_PER_DAY;
  const isTooMany = (declined: number, of: number) => declined * 100 > guardPercent * of;
  const isHarmful = isTooMany(wouldDecline, approvals);
  const wasHarmful = backtest !== undefined && isTooMany(backtest.wouldDecline, backtest.approved);
  if (isProven && !isHarmful && !wasHarmful) return undefined;
  const share = (declined: number, of: number) => ((declined * 100) / of).toFixed(1).replace(/\.0$/, '');
  const number = `would have declined ${wouldDecline} of ${approvals} approvals of the last ${GUARD_DAYS} days (${share(wouldDecline, approvals)} %)`;
  const days = Math.floor(shadowMs / MS_PER_DAY);
  const reasons = [
    ...(isHarmful ? [`more than ${guardPercent} %`] : []),
    ...(wasHarmful
      ? [
          `and by its newest backtest ${backtest.wouldDecline} of ${backtest.approved} (${share(backtest.wouldDecline, backtest.approved)} %), more than ${guardPercent} %`,
        ]
      : []),
    ...(isProven
      ? []
      : [`and has been in SHADOW for ${days} of ${GUARD_DAYS} days, without a finished backtest`]),
  ];
  return `The rule ${number}, ${reasons.join(', ')}; send "confirm": true to promote it`;
}
