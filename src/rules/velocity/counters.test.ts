import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Velocity, Window } from '../language/condition.ts';
import { type Counters, countChange, openCounters, valueWith } from './counters.ts';
import type { Entry } from './entries.ts';
import type { EntryRow, SumsRow } from './queries.ts';
import { subjectsOf } from './subjects.ts';
import { windowStartMs } from './sums.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-01-30T21:00:00Z');
const CUSTOMER = 'customer';
const CARDS = ['card-1', 'card-2'];
const SHOPS = ['shop-1', 'shop-2'];

const velocity = (measure: Velocity['measure'], per: Velocity['per'], window: Window): Velocity => ({
  measure,
  per,
  window,
  where: null,
  definition: '',
});
const VELOCITIES = new Map<number, Velocity>([
  [1, velocity('COUNT', 'CARD', { minutes: 5 })],
  [2, velocity('AMOUNT', 'CUSTOMER', { minutes: 60 })],
  [3, velocity('COUNT', 'CARD_MERCHANT', { minutes: 1_440 })],
  [4, velocity('AMOUNT', 'CARD', { calendar: 'DAY' })],
  [5, velocity('COUNT', 'CUSTOMER', { calendar: 'WEEK' })],
  [6, velocity('AMOUNT', 'CARD_MERCHANT', { calendar: 'MONTH' })],
]);

/** The tables, as the statements of `queries.ts` read and write them. */
function createTables() {
  const sums = new Map<string, SumsRow['sums']>();
  const entries = new Map<string, EntryRow>();
  return {
    open(nowMs: number): Counters {
      const rows = [...sums].map(([subject, stored]): SumsRow => {
        const leaving = [...entries.values()].flatMap((row) =>
          row.subject === subject
            ? row.velocities
                .filter((number) => row.atMs >= (stored[number]?.[0] as number))
                .map((number): [number, number, number, string] => [
                  number,
                  row.atMs,
                  row.count,
                  String(row.minor),
                ])
            : [],
        );
        return { subject, sums: stored, leaving };
      });
      return openCounters(VELOCITIES, rows, nowMs);
    },
    write(counters: Counters): void {
      for (const subject of counters.changedSums) {
        const stored = [...(counters.sums.get(subject) ?? [])].map(
          ([number, { sinceMs, count, minor }]): [number, [number, number, string]] => [
            number,
            [sinceMs, count, String(minor)],
          ],
        );
        sums.set(subject, Object.fromEntries(stored));
      }
      for (const [key, row] of counters.changedEntries) entries.set(key, row);
    },
  };
}

interface Purchase {
  id: string;
  cardId: string;
  shop: string;
  entries: Entry[];
}

/** All entries of all purchases, counted anew. */
function naive(purchases: readonly Purchase[], number: number, of: Purchase, nowMs: number): bigint {
  const { measure, per, window } = VELOCITIES.get(number) as Velocity;
  const sinceMs = windowStartMs(window, nowMs);
  const isSame = ({ cardId, shop }: Purchase) =>
    per === 'CUSTOMER' || (cardId === of.cardId && (per === 'CARD' || shop === of.shop));
  return purchases
    .filter(isSame)
    .flatMap(({ entries }) => entries)
    .filter(({ atMs, velocities }) => atMs >= sinceMs && velocities.includes(number))
    .reduce((sum, { count, minor }) => sum + (measure === 'AMOUNT' ? minor : BigInt(count)), 0n);
}

const step = fc.record({
  waitMs: fc.oneof(fc.nat(3 * MINUTE), fc.nat(30 * 60 * MINUTE), fc.constant(0)),
  kind: fc.constantFrom('purchase', 'increment', 'reversal', 'partial', 'again'),
  which: fc.nat(20),
  cardId: fc.constantFrom(...CARDS),
  shop: fc.constantFrom(...SHOPS),
  minor: fc.bigInt(1n, 500n),
  velocities: fc.subarray([...VELOCITIES.keys()]),
});

describe('the running sums', () => {
  test('are what counting anew gives, whatever is bought, raised, given back and bought again', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
        const tables = createTables();
        const purchases: Purchase[] = [];
        let nowMs = START;
        for (const { waitMs, kind, which, cardId, shop, minor, velocities } of steps) {
          nowMs += waitMs;
          const old = purchases[which % Math.max(1, purchases.length)];
          const purchase =
            kind === 'purchase' || !old ? { id: String(purchases.length), cardId, shop, entries: [] } : old;
          const [first, ...others] = purchase.entries;
          const atMs = Math.max(nowMs, (purchase.entries.at(-1)?.atMs ?? 0) + 1);
          const added = { atMs, count: first ? 0 : 1, minor, velocities };
          const entries =
            !first || kind === 'increment'
              ? [...purchase.entries, added]
              : kind === 'reversal'
                ? purchase.entries.map((entry) => ({ ...entry, count: 0, minor: 0n }))
                : kind === 'partial'
                  ? [{ ...first, minor: first.minor / 2n }, ...others]
                  : [{ ...first, count: 1, minor }, ...others];
          const counters = tables.open(nowMs);
          const subjects = subjectsOf(purchase.cardId, CUSTOMER, purchase.shop);
          const expected = (all: readonly Purchase[]) =>
            [...VELOCITIES.keys()].map((number) => naive(all, number, purchase, nowMs));
          const after = { ...purchase, entries };
          const later = [...purchases.filter(({ id }) => id !== purchase.id), after];
          const values = [...VELOCITIES.keys()].map((number) =>
            valueWith(counters, subjects, number, purchase.entries, entries),
          );
          expect(values).toEqual(expected(later));
          countChange(counters, subjects, purchase.id, purchase.entries, entries);
          tables.write(counters);
          purchases.splice(0, purchases.length, ...later);
        }
      }),
      { numRuns: 60 },
    );
  });
});

test.each<[Window, string, string]>([
  [{ minutes: 60 }, '2026-03-01T00:30:00.000Z', '2026-02-28T23:30:00.001Z'],
  [{ calendar: 'DAY' }, '2026-03-01T00:30:00.000Z', '2026-03-01T00:00:00.000Z'],
  [{ calendar: 'WEEK' }, '2026-03-01T23:59:59.999Z', '2026-02-23T00:00:00.000Z'],
  [{ calendar: 'WEEK' }, '2026-03-02T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
  [{ calendar: 'MONTH' }, '2024-02-29T12:00:00.000Z', '2024-02-01T00:00:00.000Z'],
])('a window of %j that ends at %s begins at %s', (window, now, start) => {
  expect(new Date(windowStartMs(window, Date.parse(now))).toISOString()).toBe(start);
});
