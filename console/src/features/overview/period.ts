import { MINUTE_MS, parseTime } from '../../lib/time.ts';
import type { Overview } from '../../lib/types.ts';

const toMinute = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}Z`;

/** The period of the overview, to the minute, as filters of the transactions. */
export function periodOf({ slices, now }: Pick<Overview, 'slices' | 'now'>) {
  const from = parseTime(slices[0]?.start ?? now).getTime();
  return { min_created: toMinute(from), max_created: toMinute(parseTime(now).getTime() + MINUTE_MS) };
}
