import { type Day, dayOf, dayStartMs, MS_PER_DAY } from '../../kernel/calendar.ts';
import { invalid } from '../../kernel/error.ts';
import { timeOf } from '../../kernel/ids.ts';
import { formatAmount } from '../../kernel/money.ts';
import type { MatchedRule, RuleAction, RuleEffect } from '../judge-rules.ts';
import type { RuleDocument } from '../rule.ts';

export const MODES = ['OBSERVED', 'AS_IF_ACTIVE'] as const;
export type Mode = (typeof MODES)[number];

export const BACKTEST_STATUSES = ['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
export type BacktestStatus = (typeof BACKTEST_STATUSES)[number];

export const MOST_DAYS = 366;
/** Waiting or running, of one program. */
export const MOST_OPEN = 20;

/** The sealed part: it can name customers. */
export interface TestedRule extends RuleDocument {
  name: string;
  action: RuleAction;
}

/** Why an attempt was not evaluated. */
export const REASONS = ['declinedBefore', 'appliesToOthers', 'purchaseDeclined'] as const;
export type NotEvaluated = (typeof REASONS)[number];

interface DayTally {
  evaluated: number;
  matched: number;
  amountMinor: bigint;
}

export interface Tally {
  evaluated: number;
  /** Of those that were evaluated. */
  approved: number;
  notEvaluated: Record<NotEvaluated, number>;
  matched: number;
  /** Of approvals. */
  wouldDecline: { count: number; amountMinor: bigint };
  alreadyDeclined: number;
  byDay: Record<Day, DayTally>;
}

export interface BacktestRecord {
  programId: string;
  id: string;
  /** Null: the rule is not saved. */
  ruleId: string | null;
  mode: Mode;
  fromDay: Day;
  toDay: Day;
  status: BacktestStatus;
  /** It reads the events before this id, and has read those up to `position`. */
  belowId: string;
  position: string | null;
  tally: Tally;
  approximate: boolean;
  /** Real time. */
  requestedAt: Date;
  createdAt: Date;
  completedAt: Date | null;
}

/** An attempt that the rule matches. */
export interface BacktestMatch {
  /** That of the attempt's event. */
  id: string;
  transactionId: string;
  cardId: string;
  effect: RuleEffect;
  approved: boolean;
  amountMinor: bigint;
  values: MatchedRule['values'];
}

export const emptyTally = (): Tally => ({
  evaluated: 0,
  approved: 0,
  notEvaluated: { declinedBefore: 0, appliesToOthers: 0, purchaseDeclined: 0 },
  matched: 0,
  wouldDecline: { count: 0, amountMinor: 0n },
  alreadyDeclined: 0,
  byDay: {},
});

/** Throws a 400 for days that are not a time of at most 366 days. */
export function requireDays(from: Day, to: Day): void {
  if (from > to) throw invalid('from', 'must not be after to');
  if (dayStartMs(to) - dayStartMs(from) >= MOST_DAYS * MS_PER_DAY)
    throw invalid('from', `must be at most ${MOST_DAYS} days before the end of to`);
}

/** What became of an attempt. `changes`: an approval that the rule would have declined. */
export type Outcome =
  | { eventId: string; reason: NotEvaluated }
  | { eventId: string; approved: boolean; match: BacktestMatch | null; changes: boolean };

export function addToTally(tally: Tally, outcome: Outcome): void {
  if ('reason' in outcome) {
    tally.notEvaluated[outcome.reason]++;
    return;
  }
  const { approved, match, changes } = outcome;
  const day = dayOf(timeOf(outcome.eventId));
  tally.byDay[day] ??= { evaluated: 0, matched: 0, amountMinor: 0n };
  const ofDay = tally.byDay[day];
  tally.evaluated++;
  ofDay.evaluated++;
  if (approved) tally.approved++;
  if (!match) return;
  tally.matched++;
  ofDay.matched++;
  ofDay.amountMinor += match.amountMinor;
  if (!match.approved) tally.alreadyDeclined++;
  if (!changes) return;
  tally.wouldDecline.count++;
  tally.wouldDecline.amountMinor += match.amountMinor;
}

/** How much of its time has been read, in whole percent. 100: it has completed. */
export function progressOf({ status, position, fromDay, belowId }: BacktestRecord): number {
  if (status === 'COMPLETED') return 100;
  if (position === null) return 0;
  const fromMs = dayStartMs(fromDay);
  // Velocities read what was before the first day.
  const share = (timeOf(position) - fromMs) / Math.max(1, timeOf(belowId) - fromMs);
  return Math.min(99, Math.max(0, Math.floor(share * 100)));
}

export function presentTally(tally: Tally, currency: string) {
  const { evaluated, approved, notEvaluated, matched, wouldDecline, alreadyDeclined, byDay } = tally;
  return {
    evaluated,
    approved,
    notEvaluated: {
      count: REASONS.reduce((sum, reason) => sum + notEvaluated[reason], 0),
      why: notEvaluated,
    },
    matched,
    approvedThatWouldBeDeclined: {
      count: wouldDecline.count,
      amount: formatAmount(wouldDecline.amountMinor, currency),
    },
    alreadyDeclined,
    byDay: Object.entries(byDay)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([day, { amountMinor, ...counts }]) => ({
        ...{ day, ...counts },
        amount: formatAmount(amountMinor, currency),
      })),
  };
}
