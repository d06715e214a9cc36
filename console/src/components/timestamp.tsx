import { formatMoment, formatRelative, parseTime } from '../lib/time.ts';
import { useNow } from '../lib/use-now.ts';

/** The age of a program time, with the UTC time on hover; `absolute` shows the UTC time. */
export function Timestamp({ value, absolute = false }: { value: string; absolute?: boolean }) {
  const now = useNow();
  const at = parseTime(value);
  const moment = formatMoment(at);
  return (
    <time dateTime={at.toISOString()} title={moment} className="num">
      {absolute ? moment : formatRelative(at, now)}
    </time>
  );
}
