import { IconAlertTriangle } from '@tabler/icons-react';
import { useConnection } from '../../lib/connection.ts';
import { formatDayAndTime, formatTime, shownDay } from '../../lib/time.ts';
import classes from './connection-banner.module.css';

/** Warns that figures are old. The live region always exists: screen readers announce only changes inside it. */
export function ConnectionBanner() {
  const { lostAt, shownIsFrom } = useConnection();
  return (
    <div role="status" className={classes.region}>
      {lostAt && (
        <p className={classes.banner}>
          <IconAlertTriangle size={16} className={classes.icon} />
          <span>
            <strong>No connection since {timeOf(lostAt)}</strong>
            {shownIsFrom && `; the data shown is from ${timeOf(shownIsFrom)}`}. Retrying every few seconds.
          </span>
        </p>
      )}
    </div>
  );
}

/** Real time, not program time; with the date if it is not today. */
const timeOf = (at: Date): string =>
  shownDay(at) === shownDay(new Date()) ? formatTime(at) : formatDayAndTime(at);
