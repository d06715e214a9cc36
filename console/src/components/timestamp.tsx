import { formatMoment, formatRelative, formatTime, formatUtcMoment, parseTime } from '../lib/time.ts';
import { useNow } from '../lib/use-now.ts';

/** The age of a program time; `absolute` shows the moment and `clock` the time of day. UTC is shown on hover. */
export function Timestamp({
  value,
  absolute = false,
  clock = false,
}: {
  value: string;
  absolute?: boolean;
  clock?: boolean;
}) {
  const now = useNow();
  const at = parseTime(value);
  return (
    <time dateTime={at.toISOString()} title={formatUtcMoment(at)} className="num">
      {clock ? formatTime(at) : absolute ? formatMoment(at) : formatRelative(at, now)}
    </time>
  );
}
