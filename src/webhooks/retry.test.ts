import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextAttempt, outcomeOf } from './retry.ts';

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 10, 15, 8, 30);

interface Receiver {
  retryAfter?: (nowMs: number) => string | undefined;
  random: () => number;
  /** The duration of an attempt and the delay of the worker. */
  delayMs: () => number;
}

/** The times of all attempts on a receiver that never accepts. */
function attemptsOn({ retryAfter, random, delayMs }: Receiver): number[] {
  const times = [START_MS];
  for (let attempt = 1; attempt < 1000; attempt += 1) {
    const nowMs = (times.at(-1) as number) + delayMs();
    const header = retryAfter?.(nowMs);
    const next = nextAttempt({
      attempt,
      firstAttemptMs: START_MS,
      nowMs,
      retryAfter: header,
      random: random(),
    });
    if (next === undefined) return times;
    expect(next).toBeGreaterThan(nowMs);
    expect(next).toBeLessThanOrEqual(START_MS + 72 * HOUR_MS);
    expect(Number.isInteger(next)).toBe(true);
    times.push(next);
  }
  return expect.unreachable('it never gives up');
}

/** Random numbers for one run. */
const numbers = (max: number) =>
  fc.infiniteStream(fc.double({ min: 0, max, maxExcluded: true, noNaN: true })).map((stream) => () => {
    const { value } = stream.next();
    return value as number;
  });

test('the pauses grow from seconds to half a day', () => {
  const times = attemptsOn({ random: () => 0.5, delayMs: () => 0 });
  const pauses = times.slice(1).map((time, index) => (time - (times[index] as number)) / SECOND_MS);
  expect(pauses).toEqual([
    ...[5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800],
    ...[43_200, 43_200, 43_200, 43_200],
    // The last pause is the rest of the three days.
    72 * 3600 - 56_555 - 4 * 43_200,
  ]);
});

test('a receiver that never accepts gets 12 to 20 attempts, until the end of the three days', () => {
  fc.assert(
    fc.property(numbers(1), numbers(15_000), (random, delay) => {
      const times = attemptsOn({ random, delayMs: () => Math.round(delay()) });
      expect(times.length).toBeGreaterThanOrEqual(12);
      expect(times.length).toBeLessThanOrEqual(20);
      expect(times.at(-1)).toBe(START_MS + 72 * HOUR_MS);
    }),
  );
});

test('jitter changes a pause by up to a fifth, evenly in both directions', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempt, random) => {
        const failed = { attempt, firstAttemptMs: START_MS, nowMs: START_MS, retryAfter: undefined };
        const middleMs = (nextAttempt({ ...failed, random: 0.5 }) as number) - START_MS;
        const pauseMs = (nextAttempt({ ...failed, random }) as number) - START_MS;
        expect(Math.abs(pauseMs - middleMs * (0.8 + 0.4 * random))).toBeLessThanOrEqual(1);
      },
    ),
  );
});

describe('Retry-After', () => {
  const pauseAfter = (retryAfter: string | undefined, attempt = 1): number =>
    (nextAttempt({ attempt, firstAttemptMs: START_MS, nowMs: START_MS, retryAfter, random: 0.5 }) as number) -
    START_MS;
  const inSeconds = (seconds: number) => new Date(START_MS + seconds * SECOND_MS).toUTCString();

  test.each([
    ['120', 120],
    [' 120 ', 120],
    [inSeconds(120), 120],
    ['0', 5],
    ['3', 5],
    [inSeconds(-3600), 5],
    ['86400', 86_400],
    ['86401', 86_400],
    ['9'.repeat(60), 86_400],
    ['9'.repeat(400), 86_400],
    [inSeconds(90_000), 86_400],
    [inSeconds(1e9), 86_400],
    ['', 5],
    ['-120', 5],
    ['120.5', 5],
    ['1e9', 5],
    ['0x80', 5],
    ['soon', 5],
    ['Never GMT', 5],
    ['2026-11-15T09:30:00Z', 5],
    ['Sun Nov 15 09:30:00 2026', 5],
  ])('%j is a pause of %i s at the first attempt', (header, seconds) => {
    expect(pauseAfter(header)).toBe(seconds * SECOND_MS);
  });

  test('has no effect if it is earlier than the planned attempt', () => {
    for (let attempt = 1; attempt <= 12; attempt += 1)
      expect(pauseAfter('4', attempt)).toBe(pauseAfter(undefined, attempt));
  });

  test('for any value, the pauses stay within their bounds and the three days end', () => {
    const header = fc.oneof(
      fc.string(),
      fc.nat({ max: 400_000 }).map(String),
      fc.integer({ min: -400_000, max: 400_000 }).map(inSeconds),
    );
    fc.assert(
      fc.property(fc.infiniteStream(header), numbers(1), (headers, random) => {
        const retryAfter = () => headers.next().value as string;
        const times = attemptsOn({ retryAfter, random, delayMs: () => 0 });
        for (const [index, time] of times.slice(1).entries())
          expect(time - (times[index] as number)).toBeLessThanOrEqual(24 * HOUR_MS);
        expect(times.at(-1)).toBe(START_MS + 72 * HOUR_MS);
      }),
    );
  });
});

test('the status alone determines the outcome', () => {
  const answered = (statusCode: number) => outcomeOf({ statusCode });
  for (let status = 100; status < 600; status += 1) {
    const expected = status >= 200 && status < 300 ? 'delivered' : status === 410 ? 'gone' : 'failed';
    expect([status, answered(status)]).toEqual([status, expected]);
  }
  expect(outcomeOf({ error: 'connection refused' })).toBe('failed');
});
