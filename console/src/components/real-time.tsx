import { formatMoment, formatRelative, parseTime } from '../lib/time.ts';

/** A moment of real time, for what does not follow a sandbox's clock: keys, deliveries, links. */
export function RealTime({ value, absolute = false }: { value: string; absolute?: boolean }) {
  const at = parseTime(value);
  const moment = formatMoment(at);
  return (
    <time dateTime={at.toISOString()} title={moment} className="num">
      {absolute ? moment : formatRelative(at, new Date())}
    </time>
  );
}
