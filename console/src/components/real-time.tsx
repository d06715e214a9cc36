import { formatMoment, formatRelative, formatUtcMoment, parseTime } from '../lib/time.ts';

/** A real time, for records that do not use program time: keys, deliveries, links. */
export function RealTime({ value, absolute = false }: { value: string; absolute?: boolean }) {
  const at = parseTime(value);
  return (
    <time dateTime={at.toISOString()} title={formatUtcMoment(at)} className="num">
      {absolute ? formatMoment(at) : formatRelative(at, new Date())}
    </time>
  );
}
