import type { ReactNode } from 'react';
import { Amount } from '../../components/amount.tsx';
import { formatDayAndTime, formatUtcMoment, parseTime } from '../../lib/time.ts';
import type { Decline } from '../../lib/types.ts';
import classes from './decline-numbers.module.css';
import { LIMIT_WORDS } from './words.ts';

/** The numbers of the decision: the limit, what was spent and when it resets, or what was available and needed. */
export function DeclineNumbers({
  decline: { reason, limits },
  purchase: { billAmount, billCurrency },
}: {
  decline: Decline;
  purchase: { billAmount: string; billCurrency: string };
}) {
  if (!limits) return null;
  const { limit, value = '0', spent = '0', resets_at, available = '0', needed = '0' } = limits;
  const money = (amount: string) => <Amount value={amount} currency={billCurrency} />;
  const account = reason === 'program_balance' ? 'Master account then' : 'Available then';
  const rows: Array<[label: string, value: ReactNode]> = limit
    ? [
        [LIMIT_WORDS[limit], money(value)],
        ...(limit === 'transactionLimit' ? [] : [['Spent', money(spent)] as [string, ReactNode]]),
        ['This purchase', money(billAmount)],
        ...(limit === 'transactionLimit' ? [] : [['Resets', resetOf(resets_at)] as [string, ReactNode]]),
      ]
    : [
        [account, money(available)],
        ['Needed, with fees', money(needed)],
      ];

  function resetOf(time: string | null | undefined): ReactNode {
    if (!time) return 'Never';
    const at = parseTime(time);
    return (
      <time dateTime={at.toISOString()} title={formatUtcMoment(at)} className="num">
        {formatDayAndTime(at)}
      </time>
    );
  }

  return (
    <dl className={classes.numbers}>
      {rows.map(([label, shown]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{shown}</dd>
        </div>
      ))}
    </dl>
  );
}
