import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HIGHEST_ID, isId, LOWEST_ID, lowestIdAt, newId, timeOf } from './ids.ts';

const ms = fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) });

const firstOutOfOrder = (made: string[]): string | undefined =>
  made.find((id, index) => index > 0 && id <= (made[index - 1] as string));

describe('order', () => {
  test('ids of one millisecond sort in the order of creation, also when the counter overflows', () => {
    const made = Array.from({ length: 40_000 }, () => newId(1_700_000_000_000));
    expect(firstOutOfOrder(made)).toBeUndefined();
  });

  test('programs with different clocks do not affect each other', () => {
    const here = [];
    for (let round = 0; round < 10_000; round++) {
      here.push(newId(1_700_000_000_000));
      newId(3_000_000_000_000);
    }
    expect(firstOutOfOrder(here)).toBeUndefined();
  });

  test('a later time sorts higher', () => {
    fc.assert(
      fc.property(ms, ms, (a, b) => {
        fc.pre(a !== b);
        expect(newId(a) < newId(b)).toBe(a < b);
      }),
    );
  });

  test('ids created at a time or later are not below its lowest id, all earlier ones are', () => {
    fc.assert(
      fc.property(ms, (at) => {
        expect(newId(at) >= lowestIdAt(at)).toBe(true);
        if (at > 0) expect(newId(at - 1) < lowestIdAt(at)).toBe(true);
      }),
    );
  });

  test('the earliest and latest times stay within the range of ids', () => {
    for (const at of [Number.NEGATIVE_INFINITY, -62_135_596_800_000, 0, 2 ** 48 - 1, 2 ** 60]) {
      expect(isId(lowestIdAt(at))).toBe(true);
      expect(lowestIdAt(at) > LOWEST_ID && lowestIdAt(at) < HIGHEST_ID).toBe(true);
    }
  });
});

describe('form', () => {
  test('a UUID of version 7', () => {
    fc.assert(
      fc.property(ms, (at) => {
        const id = newId(at);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(timeOf(id)).toBe(at);
        expect(isId(id)).toBe(true);
      }),
    );
  });

  test('no two ids are equal', () => {
    expect(new Set(Array.from({ length: 100_000 }, () => newId(1_700_000_000_000))).size).toBe(100_000);
  });

  const ID = '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f';
  test.each([
    '',
    ID.toUpperCase(),
    `${ID} `,
    `{${ID}}`,
    ID.replaceAll('-', ''),
    ID.slice(1),
    `${ID}\n`,
    'x'.repeat(36),
  ])('%j is not an id', (text) => {
    expect(isId(text)).toBe(false);
  });
});
