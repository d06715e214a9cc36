import { randomUUID } from 'node:crypto';

/**
 * Ids are UUIDs of version 7: 48 bits of time, then a counter, then chance. They sort by creation time, so
 * the primary key is also the index every list walks, and a day is a range of ids. The time is the
 * caller's argument, because a program in the sandbox has a clock of its own.
 */
const TIME_MAX = 2 ** 48 - 1;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Keeps ids of one process in order within a millisecond. */
let counter = 0;

export function newId(nowMs: number): string {
  counter = (counter + 1) & 0xfff;
  // The second half of a random UUID has the same form, and Node draws its bytes ahead of time in bulk.
  return layOut(nowMs, counter, randomUUID().slice(19));
}

/** The lowest id of a moment: every record made then or later has an id at least as high. */
export const lowestIdAt = (ms: number): string =>
  layOut(Math.min(Math.max(ms, 0), TIME_MAX), 0, '8000-000000000000');

export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Upper-case ids are accepted nowhere: an id has one spelling. */
export const isId = (text: string): boolean => UUID.test(text);

function layOut(ms: number, sequence: number, tail: string): string {
  const time = Math.floor(ms).toString(16).padStart(12, '0');
  const version = (0x7000 | sequence).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${tail}`;
}
