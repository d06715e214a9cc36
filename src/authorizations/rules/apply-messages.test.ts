import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clearedMinor, sum } from '../../../test/model/card.ts';
import {
  authorize,
  clear,
  expectAgreement,
  expire,
  modelled,
  newWorld,
  refund,
  reverse,
  type World,
} from '../../../test/support/cards/purchase-life.ts';

const bill = fc.oneof(fc.bigInt({ min: 0n, max: 400n }), fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }));
const bps = fc.oneof(fc.constant(0), fc.nat(500), fc.nat(10_000));
const fee = fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 1_000n }));
const start = fc.record({ bill, abroad: fc.boolean(), cash: fc.boolean() });

const step = fc.oneof(
  fc.record({
    kind: fc.constant('reversal' as const),
    thousandths: fc.option(fc.bigInt({ min: 0n, max: 1_200n }), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('clearing' as const), bill, final: fc.boolean(), abroad: fc.boolean() }),
  fc.record({ kind: fc.constant('refund' as const), bill: bill.map((amount) => amount + 1n) }),
  fc.record({ kind: fc.constant('expiry' as const) }),
  fc.record({ kind: fc.constant('wait' as const), hours: fc.nat(24 * 10) }),
  fc.record({ kind: fc.constant('authorization' as const) }),
);

const life = fc.record({
  first: start,
  /** A clearing that arrives before its authorization, and possibly a reversal before both. */
  early: fc.option(
    fc.record({ bill, final: fc.boolean(), abroad: fc.boolean(), reversedFirst: fc.boolean() }),
    { nil: undefined },
  ),
  availableMinor: fc.oneof(fc.bigInt({ min: 0n, max: 500n }), fc.constant(4n * 10n ** 15n)),
  fees: fc.record({
    fxFeeBps: bps,
    atmFeeMinor: fee,
    interchangeBps: bps,
    transactionCostMinor: fee,
    transactionCostBps: bps,
    holdDays: fc.integer({ min: 1, max: 10 }),
  }),
  steps: fc.array(step, { maxLength: 14 }),
});
type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

/** Applies all messages of a purchase and checks the state after each. */
function live(given: Life): World & { expiredMinor: bigint; wasUncountedLate: boolean } {
  const world = newWorld(given.availableMinor, given.fees);
  const { first, early, steps } = given;
  let authorized = false;
  let expiredMinor = 0n;
  let wasUncountedLate = false;
  const authorizeOnce = () => {
    if (authorized) return;
    authorized = true;
    authorize(world, first);
  };
  if (early) clear(world, early, early.reversedFirst);
  else authorizeOnce();
  for (const taken of steps) {
    const { heldMinor = 0n, reversedMinor = 0n } = modelled(world) ?? {};
    if (taken.kind === 'reversal') reverse(world, taken.thousandths);
    else if (taken.kind === 'clearing') clear(world, taken);
    else if (taken.kind === 'refund') refund(world, taken.bill);
    else if (taken.kind === 'expiry') expiredMinor += expire(world);
    else if (taken.kind === 'wait') world.nowMs += taken.hours * 3_600_000;
    else authorizeOnce();
    if (taken.kind === 'reversal')
      wasUncountedLate ||= (modelled(world)?.reversedMinor ?? 0n) - reversedMinor > heldMinor;
    expectAgreement(world);
  }
  expectAgreement(world);
  return { ...world, expiredMinor, wasUncountedLate };
}

describe('any sequence of messages about one purchase', () => {
  const seen = new Set<string>();
  test('card, holds, fees and limits agree after each of them', () => {
    fc.assert(
      fc.property(life, (given) => {
        const world = live(given);
        const model = modelled(world);
        if (!model) return;
        const { cleared, approved, lateFeeMinor } = model;
        const cashFees = sum([lateFeeMinor, ...cleared.map(({ atmMinor }) => atmMinor)]);
        seen.add(`ends ${model.status}`);
        if (world.card.availableMinor < 0n) seen.add('below zero');
        if (cleared.length > 1) seen.add('several parts');
        if (model.reversedMinor > 0n && cleared.length > 0) seen.add('part reversed, part cleared');
        if (cashFees > 0n && cleared.length > 1) seen.add('cash fee once');
        if (lateFeeMinor > 0n) seen.add('cash fee late');
        if (given.early && approved && approved.minor > 0n) seen.add('late, approved');
        if (world.wasUncountedLate) seen.add('reversed after it expired');
        if (world.expiredMinor > 0n) seen.add('hold expired');
        if (cleared.some(({ fxMinor }) => fxMinor > 0n)) seen.add('FX fee');
        if (model.declineReason && clearedMinor(model) > 0n) seen.add('declined and cleared');
      }),
      { numRuns: 1_000 },
    );
  });

  test('the random search reached every case that it must reach', () => {
    expect([...seen].sort()).toEqual([
      'FX fee',
      'below zero',
      'cash fee late',
      'cash fee once',
      'declined and cleared',
      'ends CLEARED',
      'ends DECLINED',
      'ends PENDING',
      'ends VOID',
      'hold expired',
      'late, approved',
      'part reversed, part cleared',
      'reversed after it expired',
      'several parts',
    ]);
  });
});

test.each([
  ['a millisecond short of its time', -1, 'PENDING'],
  ['at the very end of it', 0, 'PENDING'],
  ['a millisecond past it', 1, 'VOID'],
])('a hold %s: %s', (_name, pastMs, status) => {
  const world = newWorld(1_000n, { holdDays: 7 });
  authorize(world, { bill: 100n, abroad: false, cash: false });
  world.nowMs += 7 * 86_400_000 + pastMs;
  expire(world);
  expectAgreement(world);
  expect(world.purchase?.status).toBe(status);
});
