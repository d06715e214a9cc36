import type { ReportRequest } from '../../lib/api-types.gen.ts';
import { DAY_MS, dayKey } from '../../lib/time.ts';

export type FileType = ReportRequest['fileType'];

type Span = 'day' | 'month' | 'month to date';

interface ReportType {
  title: string;
  words: string;
  span: Span;
}

export const REPORT_TYPES: Record<FileType, ReportType> = {
  daily: {
    title: 'Daily statement',
    words: 'Every change to the master account on one day, with the running balance.',
    span: 'day',
  },
  monthly: {
    title: 'Monthly statement',
    words: 'Every change to the master account in one month, with the running balance.',
    span: 'month',
  },
  fee: {
    title: 'Cardholder fees',
    words: 'FX and ATM fees charged to cardholders, from the 1st of the month to the selected day.',
    span: 'month to date',
  },
  settlement: {
    title: 'Network settlement',
    words: 'Each clearing, refund and reversal of one day, with its interchange.',
    span: 'day',
  },
  dailyTransactionFee: {
    title: 'Daily transaction fees',
    words: 'Revenue and cost of each transaction on one day.',
    span: 'day',
  },
  monthlyTransactionFees: {
    title: 'Monthly transaction fees',
    words: 'Revenue and cost of each transaction in one month.',
    span: 'month',
  },
  monthlyNonTransactionFees: {
    title: 'Monthly card fees',
    words: 'Card issuance and maintenance costs in one month.',
    span: 'month',
  },
};
export const FILE_TYPES = Object.keys(REPORT_TYPES) as FileType[];

/** A day is closed two days later; a month on the 2nd of the next month. The server checks the same rules. */
const CLOSED_AFTER_DAYS = 2;

/** The last day that can be requested, by program time. */
export function latestDay(type: FileType, now: Date): string {
  const closed = new Date(now.getTime() - CLOSED_AFTER_DAYS * DAY_MS);
  if (REPORT_TYPES[type].span !== 'month') return dayKey(closed);
  const firstOfThisMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  // On the 1st the previous month is still open.
  const lastMonthEnd = new Date(firstOfThisMonth - DAY_MS);
  const open = now.getUTCDate() < 2;
  const end = open
    ? new Date(Date.UTC(lastMonthEnd.getUTCFullYear(), lastMonthEnd.getUTCMonth(), 1) - DAY_MS)
    : lastMonthEnd;
  const day = dayKey(end);
  return day < dayKey(closed) ? day : dayKey(closed);
}

/** The period of a report with this type and date, both days inclusive. */
export function periodOf(type: FileType, date: string): { firstDay: string; lastDay: string } {
  const { span } = REPORT_TYPES[type];
  if (span === 'day') return { firstDay: date, lastDay: date };
  const firstDay = `${date.slice(0, 7)}-01`;
  if (span === 'month to date') return { firstDay, lastDay: date };
  const [year = 0, month = 0] = date.split('-').map(Number);
  return { firstDay, lastDay: dayKey(new Date(Date.UTC(year, month, 0))) };
}

export const RULES: Record<Span, string> = {
  day: 'Available two days after the day.',
  'month to date': 'The last day must be at least two days ago.',
  month: 'Available from the 2nd of the following month. Select any day of the month.',
};
