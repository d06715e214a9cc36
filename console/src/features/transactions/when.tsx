import { formatClock, formatDay, formatDayShort, formatRelative, parseTime } from '../../lib/time.ts';
import { useNow } from '../../lib/use-now.ts';
import classes from './transaction-table.module.css';

/** The date and time with the time zone first, then the age. */
export function When({ value }: { value: string }) {
  const now = useNow();
  const at = parseTime(value);
  const day = at.getUTCFullYear() === now.getUTCFullYear() ? formatDayShort(at) : formatDay(at);
  const ago = formatRelative(at, now);
  return (
    <time dateTime={at.toISOString()} className={`${classes.lines} num`}>
      <span className={classes.when}>
        {day}, {formatClock(at)} UTC
      </span>
      {ago !== day && <span className={classes.small}>{ago}</span>}
    </time>
  );
}
