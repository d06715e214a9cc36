import { MINUTE_MS, parseTime } from '../../lib/time.ts';
import type { Overview } from '../../lib/types.ts';

const toMinute = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16)}Z`;

/** The period of the overview, to the minute, as filters of the transactions. */
export function periodOf({ slices, until }: Pick<Overview, 'slices' | 'until'>) {
  const from = parseTime(slices[0]?.start ?? until).getTime();
  return { min_created: toMinute(from), max_created: toMinute(parseTime(until).getTime() + MINUTE_MS) };
}

/** The purchases of a bar: all, or those that were approved or declined. */
export const purchasesOf = ({ startMs, endMs }: { startMs: number; endMs: number }, series?: string) => ({
  kind: 'purchase',
  ...(series && { status: series === 'declined' ? 'DECLINED' : 'APPROVED' }),
  min_created: toMinute(startMs),
  max_created: toMinute(endMs),
});
