import { formatMoment, formatRelative, parseTime } from '../lib/time.ts';

/** A real time, for records that do not use program time: keys, deliveries, links. */
export function RealTime({ value, absolute = false }: { value: string; absolute?: boolean }) {
  const at = parseTime(value);
  const moment = formatMoment(at);
  return (
    <time dateTime={at.toISOString()} title={moment} className="num">
      {absolute ? moment : formatRelative(at, new Date())}
    </time>
  );
}
