import type { Tone } from '../../components/status-badge.tsx';
import { formatCount, formatShare } from '../../lib/money.ts';
import { formatUtcDay } from '../../lib/time.ts';
import type { BacktestMode, RuleBacktest } from './backtest-queries.ts';

export const MODES: Record<BacktestMode, string> = { OBSERVED: 'As it was', AS_IF_ACTIVE: 'As if active' };

export const MODE_WORDS: Record<BacktestMode, string> = {
  OBSERVED: 'Counts the purchases that happened. Over days in shadow it finds what was recorded then.',
  AS_IF_ACTIVE: 'Leaves out of later counts what the rule would have declined.',
};

export const BACKTEST_STATUSES: Record<RuleBacktest['status'], readonly [label: string, tone: Tone]> = {
  QUEUED: ['Queued', 'quiet'],
  RUNNING: ['Running', 'warn'],
  COMPLETED: ['Completed', 'good'],
  FAILED: ['Failed', 'bad'],
};

type Reason = keyof RuleBacktest['notEvaluated']['why'];

/** Why attempts were not evaluated. */
export const REASON_WORDS: Record<Reason, string> = {
  declinedBefore: 'declined before rules are evaluated',
  appliesToOthers: 'on cards that the rule does not apply to',
  purchaseDeclined: 'increments of purchases that the rule would have declined',
};

export const periodWords = ({ from, to }: Pick<RuleBacktest, 'from' | 'to'>): string =>
  from === to ? formatUtcDay(from) : `${formatUtcDay(from)} to ${formatUtcDay(to)}`;

/** 12 of 3,400 (0.4%), or with a noun 12 of 3,400 approvals (0.4%). */
export const shareWords = (count: number, of: number, noun = ''): string =>
  of === 0
    ? formatCount(count)
    : `${formatCount(count)} of ${formatCount(of)}${noun && ` ${noun}`} (${formatShare(count / of)})`;
