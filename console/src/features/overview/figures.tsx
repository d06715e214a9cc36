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
  '24h': 'the 24 hours before',
  '7d': 'the 7 days before',
  '30d': 'the 30 days before',
} as const;

/** The four numbers that tell how the day goes, each against as much time right before. */
export function Figures({ overview: { totals, previous, currency, window } }: { overview: Overview }) {
  const before = BEFORE[window];
  const rate = shareOf(totals.approved, totals.declined);
  const rateBefore = shareOf(previous.approved, previous.declined);
  return (
    <dl className={classes.figures}>
      <Figure
        label="Approval rate"
        value={rate === null ? '–' : formatShare(rate)}
        delta={rate === null || rateBefore === null ? null : pointsOf(rate - rateBefore)}
        rising="good"
        before={before}
      />
      <Figure
        label="Approved"
        value={formatCountShort(totals.approved)}
        title={formatCount(totals.approved)}
        delta={changeOf(totals.approved, previous.approved)}
        rising="good"
        before={before}
      />
      <Figure
        label="Declined"
        value={formatCountShort(totals.declined)}
        title={formatCount(totals.declined)}
        delta={changeOf(totals.declined, previous.declined)}
        rising="bad"
        before={before}
      />
      <Figure
        label="Spend"
        value={formatMoneyShort(totals.spend, currency)}
        title={formatMoney(totals.spend, currency)}
        delta={changeOf(Number(totals.spend), Number(previous.spend))}
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
  delta,
  rising,
  before,
}: {
  label: string;
  value: string;
  title?: string;
  delta: Delta | null;
  /** Whether more of it is good news. */
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
      <dd className={classes.compared}>
        {delta ? (
          <>
            <span className={`${classes.delta} num`} data-tone={tone}>
              <span aria-hidden="true">{ARROWS[delta.direction]}</span> {delta.text}
            </span>{' '}
            <span className={classes.before}>than {before}</span>
          </>
        ) : (
          <span className={classes.before}>nothing in {before}</span>
        )}
      </dd>
    </div>
  );
}

const ARROWS = { up: '▲', down: '▼', same: '' } as const;

const shareOf = (approved: number, declined: number): number | null =>
  approved + declined === 0 ? null : approved / (approved + declined);

function changeOf(now: number, before: number): Delta | null {
  if (before === 0) return null;
  const change = now / before - 1;
  if (Math.abs(change) < 0.0005) return { text: 'no more and no less', direction: 'same' };
  const size =
    Math.abs(change) >= 10 ? `${Math.round(Math.abs(change) + 1)} times` : formatShare(Math.abs(change));
  return change > 0 ? { text: `${size} more`, direction: 'up' } : { text: `${size} less`, direction: 'down' };
}

function pointsOf(difference: number): Delta {
  const points = Math.abs(difference * 100).toFixed(1);
  if (points === '0.0') return { text: 'no higher and no lower', direction: 'same' };
  return difference > 0
    ? { text: `${points} points higher`, direction: 'up' }
    : { text: `${points} points lower`, direction: 'down' };
}
