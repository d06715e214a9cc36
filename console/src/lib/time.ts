import { shownZone } from './time-zone.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The API writes `+0000`, which not every browser parses without the colon. */
export const parseTime = (text: string): Date => new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The second argument is the time zone: by default UTC. */
const format = (options: Intl.DateTimeFormatOptions) => {
  const name = JSON.stringify(options);
  return (at: Date, timeZone = 'UTC'): string => {
    const known = formatters.get(`${name} ${timeZone}`);
    const formatter = known ?? new Intl.DateTimeFormat('en-GB', { timeZone, ...options });
    formatters.set(`${name} ${timeZone}`, formatter);
    return formatter.format(at);
  };
};

/** Days of a program are in UTC: 15 Nov 2026. */
export const formatDay = format({ day: 'numeric', month: 'short', year: 'numeric' });
/** Wed, 15 Nov 2026 */
export const formatWeekday = format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
/** 15 Nov: only at charts, where there is no room for the year. */
export const formatDayShort = format({ day: 'numeric', month: 'short' });
export const formatClock = format({ hour: '2-digit', minute: '2-digit' });
const formatSeconds = format({ hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** 2026-11-15 as 15 Nov 2026. */
export const formatUtcDay = (day: string): string => formatDay(new Date(`${day}T00:00:00Z`));

/** 15 Nov 2026, 09:30:00: in the time zone that the operator chose, which each page names once, at its end. */
export const formatMoment = (at: Date, zone = shownZone()): string =>
  `${formatDay(at, zone)}, ${formatSeconds(at, zone)}`;

/** 15 Nov 2026, 08:30:00 UTC */
export const formatUtcMoment = (at: Date): string => `${formatMoment(at, 'UTC')} UTC`;

/** 09:30 */
export const formatTime = (at: Date): string => formatClock(at, shownZone());

/** 15 Nov 2026, 09:30 */
export const formatDayAndTime = (at: Date): string => `${formatDay(at, shownZone())}, ${formatTime(at)}`;

/** The UTC day as text, for groups and comparisons: 2026-11-15. */
export const dayKey = (at: Date): string => at.toISOString().slice(0, 10);

/** The day in the chosen time zone, as text. */
export function shownDay(at: Date): string {
  const [day, month, year] = formatNumbers(at, shownZone()).split('/');
  return `${year}-${month}-${day}`;
}
const formatNumbers = format({ day: '2-digit', month: '2-digit', year: 'numeric' });

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' });

/** Relative time: `just now`, `5m ago`, `3h ago`, `2d ago`; after a week the date. */
export function formatRelative(at: Date, now: Date): string {
  const passed = now.getTime() - at.getTime();
  const size = Math.abs(passed);
  if (size < 45_000) return 'just now';
  if (size < HOUR_MS - MINUTE_MS / 2) return relative.format(-Math.round(passed / MINUTE_MS), 'minute');
  if (size < DAY_MS - HOUR_MS / 2) return relative.format(-Math.round(passed / HOUR_MS), 'hour');
  if (size < 7 * DAY_MS) return relative.format(-Math.round(passed / DAY_MS), 'day');
  return formatDay(at, shownZone());
}
