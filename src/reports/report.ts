import type { EventName } from '../events/names.ts';
import { addMonths, type Day, dayOf, dayStartMs } from '../kernel/calendar.ts';
import { invalid } from '../kernel/error.ts';

/** The time that a report covers: a day, a calendar month, or a month up to a day. */
type Span = 'day' | 'month' | 'month to date';

const KINDS = {
  monthly: { span: 'month', eventName: 'monthly_file', title: 'monthly' },
  daily: { span: 'day', eventName: 'daily_file', title: 'daily' },
  fee: { span: 'month to date', eventName: 'fee_file', title: 'fee' },
  monthlyTransactionFees: {
    span: 'month',
    eventName: 'monthly_transaction_fees_file',
    title: 'monthly-transaction-fees',
  },
  monthlyNonTransactionFees: {
    span: 'month',
    eventName: 'monthly_non_transaction_fees_file',
    title: 'monthly-non-transaction-fees',
  },
  dailyTransactionFee: {
    span: 'day',
    eventName: 'daily_transaction_fee_file',
    title: 'daily-transaction-fee',
  },
  settlement: { span: 'day', eventName: 'settlement_file', title: 'settlement' },
} as const satisfies Record<string, { span: Span; eventName: EventName<'files'>; title: string }>;

export type FileType = keyof typeof KINDS;
export const FILE_TYPES = Object.keys(KINDS) as FileType[];

/** Both days inclusive, in UTC. */
export interface Period {
  firstDay: Day;
  lastDay: Day;
}

/** The subject of a report. The same subject always has the same bytes. */
export interface Subject extends Period {
  fileType: FileType;
}

const MS_PER_DAY = 86_400_000;
const DAYS_BACK = 2;
const addDays = (day: Day, days: number): Day => dayOf(dayStartMs(day) + days * MS_PER_DAY);

/**
 * The subject of a request. Refuses a period that is not over yet or that ended before the program was created. `today`
 * and `createdOn` are days in program time.
 */
export function subjectOf(fileType: FileType, date: Day, today: Day, createdOn: Day): Subject {
  if (date > addDays(today, -DAYS_BACK)) throw invalid('date', 'must be at least two days before today');
  const subject = { fileType, ...periodOf(KINDS[fileType].span, date) };
  if (subject.lastDay < createdOn)
    throw invalid('date', `must not be before the program was created (${createdOn})`);
  if (KINDS[fileType].span === 'month' && today < addDays(subject.lastDay, DAYS_BACK))
    throw invalid('date', 'must be in a past month: available from the 2nd day of the following month');
  return subject;
}

function periodOf(span: Span, date: Day): Period {
  if (span === 'day') return { firstDay: date, lastDay: date };
  const firstDay = `${date.slice(0, 7)}-01`;
  return { firstDay, lastDay: span === 'month' ? addDays(addMonths(firstDay, 1), -1) : date };
}

export const eventNameOf = (fileType: FileType): EventName<'files'> => KINDS[fileType].eventName;

/** `emboss-daily-2026-11-01.csv`, `emboss-monthly-2026-10.csv`. */
export function fileNameOf({ fileType, lastDay }: Pick<Subject, 'fileType' | 'lastDay'>): string {
  const { title, span } = KINDS[fileType];
  return `emboss-${title}-${span === 'month' ? lastDay.slice(0, 7) : lastDay}.csv`;
}
