const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The API writes `+0000`, which not every browser parses without the colon. */
export const parseTime = (text: string): Date => new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));

const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
  return (at: Date) => formatter.format(at);
};

/** Days and hours of a program are in UTC: 15 Nov 2026. */
export const formatDay = format({ day: 'numeric', month: 'short', year: 'numeric' });
export const formatDayLong = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
export const formatDayShort = format({ day: 'numeric', month: 'short' });
export const formatClock = format({ hour: '2-digit', minute: '2-digit' });
const formatSeconds = format({ hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** 15 Nov 2026, 08:30:00 UTC */
export const formatMoment = (at: Date): string => `${formatDay(at)}, ${formatSeconds(at)} UTC`;

/** The day as text, for groups and comparisons: 2026-11-15. */
export const dayKey = (at: Date): string => at.toISOString().slice(0, 10);

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' });

/** Relative time: `just now`, `5m ago`, `3h ago`, `2d ago`; after a week the date. */
export function formatRelative(at: Date, now: Date): string {
  const passed = now.getTime() - at.getTime();
  const size = Math.abs(passed);
  if (size < 45_000) return 'just now';
  if (size < HOUR_MS - MINUTE_MS / 2) return relative.format(-Math.round(passed / MINUTE_MS), 'minute');
  if (size < DAY_MS - HOUR_MS / 2) return relative.format(-Math.round(passed / HOUR_MS), 'hour');
  if (size < 7 * DAY_MS) return relative.format(-Math.round(passed / DAY_MS), 'day');
  return at.getUTCFullYear() === now.getUTCFullYear() ? formatDayShort(at) : formatDay(at);
}
