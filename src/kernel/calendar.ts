import { Temporal } from 'temporal-polyfill';

/** A UTC day as `YYYY-MM-DD`. Days of this form compare as text. */
export type Day = string;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
export const MS_PER_DAY = 86_400_000;

/** True for a day that exists: `2025-02-29` does not. Year 0 is refused because PostgreSQL has no such year. */
export function isDay(text: string): boolean {
  if (!DAY.test(text) || text < '0001-01-01') return false;
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' });
    return true;
  } catch {
    return false;
  }
}

let known = { number: Number.NaN, day: '' };

/** Most calls are about the day of the call before. */
export function dayOf(nowMs: number): Day {
  const number = Math.floor(nowMs / MS_PER_DAY);
  if (number !== known.number) known = { number, day: new Date(nowMs).toISOString().slice(0, 10) };
  return known.day;
}

/** A day that the month lacks becomes its last day: 31 January plus one month is 28 February. */
export const addMonths = (day: Day, months: number): Day =>
  Temporal.PlainDate.from(day).add({ months }, { overflow: 'constrain' }).toString();

export const addYears = (day: Day, years: number): Day => addMonths(day, years * 12);

/** The first millisecond of the day. */
export const dayStartMs = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

/** The first millisecond after the day. */
export const dayEndMs = (day: Day): number => dayStartMs(day) + MS_PER_DAY;

/** The specification's timestamp: `2026-11-15T08:30:00+0000`. */
export const formatTimestamp = (at: Date): string => `${at.toISOString().slice(0, 19)}+0000`;

const FIRST_MS = dayStartMs('0001-01-01');
const END_MS = dayEndMs('9999-12-31');

/**
 * A moment with its offset (`2026-11-15T08:30:00Z`, `…+0000`) in milliseconds; undefined if it does not exist, or if its
 * year in UTC does not have four digits.
 */
export function parseTimestamp(text: string): number | undefined {
  try {
    const ms = Temporal.Instant.from(text).epochMilliseconds;
    return ms >= FIRST_MS && ms < END_MS ? ms : undefined;
  } catch {
    return undefined;
  }
}
