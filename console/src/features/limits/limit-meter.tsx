import { Amount } from '../../components/amount.tsx';
import { formatDayAndTime, formatUtcMoment, parseTime } from '../../lib/time.ts';
import type { SpendControlsUse } from '../../lib/types.ts';
import classes from './limit-meter.module.css';

/** What is used of a limit, what remains, and when it starts again. */
export function LimitMeter({
  currency,
  use: { limit, used, remaining, resetsAt },
}: {
  currency: string;
  use: NonNullable<SpendControlsUse['dailyLimit']>;
}) {
  const share = limit === 0 ? 1 : Math.min(1, Math.max(0, used / limit));
  const at = resetsAt === null ? null : parseTime(resetsAt);
  return (
    <>
      <div
        className={classes.meter}
        // The words below say the same.
        aria-hidden="true"
        data-tone={share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : undefined}
      >
        <span style={{ width: `${100 * share}%` }} />
      </div>
      <p className={classes.words}>
        <span>
          <Amount value={used} currency={currency} /> used
        </span>
        <span>
          {remaining < 0 ? (
            <>
              <Amount value={-remaining} currency={currency} /> over
            </>
          ) : (
            <>
              <Amount value={remaining} currency={currency} /> left
            </>
          )}
        </span>
      </p>
      <p className={classes.reset}>
        {at ? (
          <>
            Resets{' '}
            <time dateTime={at.toISOString()} title={formatUtcMoment(at)}>
              {formatDayAndTime(at)}
            </time>
          </>
        ) : (
          'Never resets'
        )}
      </p>
    </>
  );
}
