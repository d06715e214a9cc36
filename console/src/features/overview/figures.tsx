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

const BEFORE = {
  '24h': 'the previous 24 hours',
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
      </div>
    ))}
  </div>
);

/** Four figures, each compared with the previous period of the same length. */
export function Figures({ overview: { totals, previous, currency, window } }: { overview: Overview }) {
  const before = BEFORE[window];
  const rate = shareOf(totals.approved, totals.declined);
  const rateBefore = shareOf(previous.approved, previous.declined);
  const attempts = totals.approved + totals.declined;
  const attemptsBefore = previous.approved + previous.declined;
  // Without earlier purchases there is nothing to compare with.
  const isFirst = attemptsBefore === 0;
  const areFew = Math.min(attempts, attemptsBefore) < FEWEST;
  const count = (now: number, past: number) => (isFirst ? null : countChange(now, past));
  return (
    <dl className={classes.figures}>
      <Figure
        label="Approval rate"
        value={rate === null ? '–' : formatShare(rate)}
        delta={rate === null || rateBefore === null || areFew ? null : pointsOf(rate - rateBefore)}
        was={rateBefore !== null && areFew ? formatShare(rateBefore) : null}
        rising="good"
        before={before}
      />
      <Figure
        label="Approved"
        value={formatCountShort(totals.approved)}
        title={formatCount(totals.approved)}
        {...count(totals.approved, previous.approved)}
        rising="good"
        before={before}
      />
      <Figure
        label="Declined"
        value={formatCountShort(totals.declined)}
        title={formatCount(totals.declined)}
        {...count(totals.declined, previous.declined)}
        rising="bad"
        before={before}
      />
      <Figure
        label="Spend"
        value={formatMoneyShort(totals.spend, currency)}
        title={formatMoney(totals.spend, currency)}
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

interface Delta {
  text: string;
  direction: 'up' | 'down' | 'same';
}

function Figure({
  label,
  value,
  title,
  delta = null,
  was = null,
  rising,
  before,
}: {
  label: string;
  value: string;
  title?: string;
  delta?: Delta | null;
  /** The previous number, shown if a percentage would be misleading. */
  was?: string | null;
  /** Whether an increase is good. */
  rising: 'good' | 'bad';
  before: string;
}) {
  const falling = rising === 'good' ? 'bad' : 'good';
  const tone = delta?.direction === 'up' ? rising : delta?.direction === 'down' ? falling : 'same';
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
    </div>
  );
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
  return change > 0 ? { text: `${size} more`, direction: 'up' } : { text: `${size} less`, direction: 'down' };
}

function pointsOf(difference: number): Delta {
  const points = Math.abs(difference * 100).toFixed(1);
  if (points === '0.0') return { text: 'unchanged', direction: 'same' };
  return difference > 0
    ? { text: `${points} points higher`, direction: 'up' }
    : { text: `${points} points lower`, direction: 'down' };
}
