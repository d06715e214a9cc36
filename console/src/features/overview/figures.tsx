import { Bar, times } from '../../components/bar.tsx';
import {
  formatCount,
  formatCountShort,
  formatMoney,
  formatMoneyShort,
  formatShare,
} from '../../lib/money.ts';
import type { Overview } from '../../lib/types.ts';
import classes from './figures.module.css';
import { Sparkline } from './sparkline.tsx';

const BEFORE = {
  '24h': 'the same hours a week before',
  '7d': 'the previous 7 days',
  '30d': 'the previous 30 days',
} as const;

/** Below this number of purchases a percentage is not meaningful. */
const FEWEST = 20;

export const FiguresOutline = () => (
  <div className={classes.figures} aria-hidden="true">
    {times(4, (index) => (
      <div key={index} className={`${classes.figure} ${classes.outline}`}>
        <Bar width={90} />
        <Bar width={110} height={26} />
        <Bar width={130} />
        <Bar width={110} height={28} />
      </div>
    ))}
  </div>
);

/** Four figures, each compared with an earlier period of the same length, with a line of the days before. */
export function Figures({
  overview: { totals, previous, comparable, days, currency, window },
}: {
  overview: Overview;
}) {
  const before = BEFORE[window];
  const rate = shareOf(totals.approved, totals.declined);
  const rateBefore = shareOf(previous.approved, previous.declined);
  const attempts = totals.approved + totals.declined;
  const attemptsBefore = previous.approved + previous.declined;
  // Without purchases in the whole earlier period there is nothing to compare with.
  const isFirst = attemptsBefore === 0 || !comparable;
  const areFew = Math.min(attempts, attemptsBefore) < FEWEST;
  // Days before the first purchase are left out.
  const first = days.findIndex(({ approved, declined }) => approved + declined > 0);
  const line = (of: (day: Day) => number | null, format: (value: number) => string, base?: number): Line => ({
    values: first < 0 ? [] : days.slice(first).map(of),
    format,
    base,
  });
  const count = (now: number, past: number) => (isFirst ? null : countChange(now, past));
  return (
    <dl className={classes.figures}>
      <Figure
        label="Approval rate"
        value={rate === null ? '–' : formatShare(rate)}
        line={line(({ approved, declined }) => shareOf(approved, declined), formatShare)}
        delta={rate === null || rateBefore === null || isFirst || areFew ? null : pointsOf(rate - rateBefore)}
        was={rateBefore !== null && !isFirst && areFew ? formatShare(rateBefore) : null}
        rising="good"
        before={before}
      />
      <Figure
        label="Approved"
        value={formatCountShort(totals.approved)}
        title={formatCount(totals.approved)}
        line={line(({ approved }) => approved, formatCount, 0)}
        {...count(totals.approved, previous.approved)}
        rising="good"
        before={before}
      />
      <Figure
        label="Declined"
        value={formatCountShort(totals.declined)}
        title={formatCount(totals.declined)}
        line={line(({ declined }) => declined, formatCount, 0)}
        {...count(totals.declined, previous.declined)}
        rising="bad"
        before={before}
      />
      <Figure
        label="Spend"
        value={formatMoneyShort(totals.spend, currency)}
        title={formatMoney(totals.spend, currency)}
        line={line(
          ({ spend }) => Number(spend),
          (spend) => formatMoneyShort(spend, currency),
          0,
        )}
        delta={isFirst || areFew ? null : changeOf(Number(totals.spend), Number(previous.spend))}
        was={
          !isFirst && (areFew || Number(previous.spend) === 0)
            ? formatMoneyShort(previous.spend, currency)
            : null
        }
        rising="good"
        before={before}
      />
    </dl>
  );
}

type Day = Overview['days'][number];

/** The values of days, how they are read out, and the value at the bottom. */
interface Line {
  values: Array<number | null>;
  format: (value: number) => string;
  base: number | undefined;
}

interface Delta {
  text: string;
  direction: 'up' | 'down' | 'same';
  /** Too small to be good or bad. */
  isSlight?: boolean;
}

function Figure({
  label,
  value,
  title,
  line: { values, format, base },
  delta = null,
  was = null,
  rising,
  before,
}: {
  label: string;
  value: string;
  title?: string;
  line: Line;
  delta?: Delta | null;
  /** The previous number, shown if a percentage would be misleading. */
  was?: string | null;
  /** Whether an increase is good. */
  rising: 'good' | 'bad';
  before: string;
}) {
  const falling = rising === 'good' ? 'bad' : 'good';
  const tone =
    !delta || delta.isSlight ? 'same' : { up: rising, down: falling, same: 'same' }[delta.direction];
  return (
    <div className={classes.figure}>
      <dt className={classes.label}>{label}</dt>
      <dd className={`${classes.value} num`} title={title}>
        {value}
      </dd>
      {delta && (
        <dd className={classes.compared}>
          <span className={`${classes.delta} num`} data-tone={tone}>
            <span aria-hidden="true">{ARROWS[delta.direction]}</span> {delta.text}
          </span>{' '}
          <span className={classes.before}>
            {delta.direction === 'same' ? 'from' : 'than'} {before}
          </span>
        </dd>
      )}
      {!delta && was !== null && (
        <dd className={classes.compared}>
          <span className={`${classes.delta} num`}>was {was}</span>{' '}
          <span className={classes.before}>in {before}</span>
        </dd>
      )}
      <dd className={classes.days}>
        <Sparkline values={values} label={describeLine(values, format)} base={base} />
      </dd>
    </div>
  );
}

function describeLine(values: Array<number | null>, format: (value: number) => string): string {
  const known = values.filter((value) => value !== null);
  return `${values.length} days before: ${format(Math.min(...known))} to ${format(Math.max(...known))} a day`;
}

const ARROWS = { up: '▲', down: '▼', same: '' } as const;

const shareOf = (approved: number, declined: number): number | null =>
  approved + declined === 0 ? null : approved / (approved + declined);

const countChange = (now: number, past: number): { delta: Delta | null; was: string | null } =>
  Math.min(now, past) < FEWEST
    ? { delta: null, was: formatCount(past) }
    : { delta: changeOf(now, past), was: null };

function changeOf(now: number, before: number): Delta | null {
  if (before === 0) return null;
  const change = now / before - 1;
  if (Math.abs(change) < 0.0005) return { text: 'unchanged', direction: 'same' };
  const size =
    Math.abs(change) >= 10 ? `${Math.round(Math.abs(change) + 1)} times` : formatShare(Math.abs(change));
  const isSlight = Math.abs(change) < 0.05;
  return change > 0
    ? { text: `${size} more`, direction: 'up', isSlight }
    : { text: `${size} less`, direction: 'down', isSlight };
}

function pointsOf(difference: number): Delta {
  const points = Math.abs(difference * 100).toFixed(1);
  if (points === '0.0') return { text: 'unchanged', direction: 'same' };
  const isSlight = Math.abs(difference) < 0.01;
  return difference > 0
    ? { text: `${points} points higher`, direction: 'up', isSlight }
    : { text: `${points} points lower`, direction: 'down', isSlight };
}
