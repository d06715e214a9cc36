import { formatDayAndTime, formatRelative, formatUtcMoment, parseTime } from '../../lib/time.ts';
import { useNow } from '../../lib/use-now.ts';
import classes from './transaction-table.module.css';

/** The date and time with the time zone first, then the age. */
export function When({ value }: { value: string }) {
  const now = useNow();
  const at = parseTime(value);
  const moment = formatDayAndTime(at);
  const ago = formatRelative(at, now);
  return (
    <time dateTime={at.toISOString()} title={formatUtcMoment(at)} className={`${classes.lines} num`}>
      <span className={classes.when}>{moment}</span>
      {!moment.startsWith(ago) && <span className={classes.small}>{ago}</span>}
    </time>
  );
}
