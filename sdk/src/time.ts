const TIMESTAMP = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?)(?:Z|([+-]\d{2}):?(\d{2}))$/;

/**
 * Converts a time of the API (`2026-11-15T08:30:00+0000`) to a `Date`. Not every runtime parses an offset without a
 * colon.
 */
export function parseTimestamp(text: string): Date {
  const [, moment, hours = '+00', minutes = '00'] = TIMESTAMP.exec(text) ?? [];
  const date = new Date(`${moment}${hours}:${minutes}`);
  if (Number.isNaN(date.getTime()) || !isOfCalendar(moment))
    throw new RangeError('time: must have the form 2026-11-15T08:30:00+0000');
  return date;
}

/** `Date` turns February 30 into March 2. */
const isOfCalendar = (moment = ''): boolean =>
  new Date(`${moment}Z`).toISOString().slice(0, 10) === moment.slice(0, 10);

/** The UTC day of a time, for filters and reports: `2026-11-15`. */
export const utcDay = (date: Date): string => date.toISOString().slice(0, 10);
