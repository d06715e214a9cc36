/** The day that a person typed as `YYYY-MM-DD`, or as `15 Nov 2026`. */
export function parseDay(text: string): string | null {
  const typed = text.trim();
  const written = /^\d{1,2} \p{L}{3,9} \d{4}$/u.test(typed);
  if (!written && !/^\d{4}-\d\d-\d\d$/.test(typed)) return null;
  const day = new Date(written ? `${typed} UTC` : typed).toJSON()?.slice(0, 10) ?? null;
  return written || day === typed ? day : null;
}

/** The same with a time of day: `2026-11-15 08:30`. */
export function parseMinute(text: string): string | null {
  const [, first = '', time] = /^(.*?)(?:[ T](\d\d:\d\d))?$/.exec(text.trim()) ?? [];
  const day = parseDay(first);
  if (!day || (time && !/^([01]\d|2[0-3]):[0-5]\d$/.test(time))) return null;
  return `${day} ${time ?? '00:00'}:00`;
}
