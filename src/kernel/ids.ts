import { createHash, randomBytes } from 'node:crypto';

/**
 * Ids are UUIDs of version 7: 48 bits of time, then a counter, then random bits. They sort by creation time, so
 * the primary key is also the index every list walks, and a day is a range of ids. The time is the
 * caller's argument, because a program in the sandbox has a clock of its own.
 */
const TIME_MAX = 2 ** 48 - 1;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Keeps ids of one process in order within a millisecond. It fills the 12 bits after the version and the 14
 * after the variant: with the first alone it would start again in the middle of a busy millisecond.
 */
let counter = 0;
const COUNTER_MASK = 2 ** 26 - 1;

export function newId(nowMs: number): string {
  counter = (counter + 1) & COUNTER_MASK;
  const variantAndLow = 0x8000 | (counter & 0x3fff);
  return layOut(nowMs, counter >>> 14, `${variantAndLow.toString(16)}-${randomTail()}`);
}

let drawn = '';
let used = 0;

/** Twelve random hexadecimal digits, drawn for 256 ids at once: an authorization makes several ids. */
function randomTail(): string {
  if (used === drawn.length) [drawn, used] = [randomBytes(6 * 256).toString('hex'), 0];
  used += 12;
  return drawn.slice(used - 12, used);
}

/** The same parts give the same id. A UUID of version 8, without a time. */
export function derivedId(...parts: string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const variant = (0x8 | (Number.parseInt(hex.charAt(16), 16) & 0x3)).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The lowest id of a moment: every record made then or later has an id at least as high. */
export const lowestIdAt = (ms: number): string =>
  layOut(Math.min(Math.max(ms, 0), TIME_MAX), 0, '8000-000000000000');

/** When the record was created, by its program's clock. It also shows how far a cursor over ids has come, without a count. */
export const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** The id right after or before an id, by which a range can include it. */
export function idBeside(id: string, step: 1n | -1n): string {
  const value = BigInt(`0x${id.replaceAll('-', '')}`) + step;
  const hex = (value > 0n ? value : 0n).toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Upper-case ids are accepted nowhere: an id has one spelling. */
export const isId = (text: string): boolean => UUID.test(text);

let lastMs = -1;
let lastTime = '';

function layOut(ms: number, sequence: number, tail: string): string {
  // Ids come in bursts of one moment.
  if (ms !== lastMs) {
    const time = Math.floor(ms).toString(16).padStart(12, '0');
    lastTime = `${time.slice(0, 8)}-${time.slice(8)}`;
    lastMs = ms;
  }
  return `${lastTime}-${(0x7000 | sequence).toString(16)}-${tail}`;
}
