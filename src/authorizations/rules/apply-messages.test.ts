import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chargedOf, clearedMinor, countedIn, sum } from '../../../test/model/card.ts';
import {
  authorize,
  clear,
  expectAgreement,
  expire,
  increment,
  modelled,
  newWorld,
  refund,
  reverse,
  reversePresented,
  type World,
} from '../../../test/support/cards/purchase-life.ts';
import { dayOf } from '../../kernel/calendar.ts';

const bill = fc.oneof(fc.bigInt({ min: 0n, max: 400n }), fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }));
const bps = fc.oneof(fc.constant(0), fc.nat(500), fc.nat(10_000));
const fee = fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 1_000n }));
const thousandths = fc.option(fc.bigInt({ min: 0n, max: 1_200n }), { nil: undefined });
const limit = fc.option(fc.bigInt({ min: 0n, max: 600n }), { nil: undefined });
const start = fc.record({
  bill,
  abroad: fc.boolean(),
  cash: fc.boolean(),
  partial: fc.boolean(),
  standIn: fc.option(fc.boolean(), { nil: undefined, freq: 8 }),
});
const part = { bill, final: fc.boolean(), abroad: fc.boolean(), cash: fc.boolean() };

const step = fc.oneof(
  fc.record({ kind: fc.constant('increment' as const), bill: bill.map((amount) => amount + 1n) }),
  fc.record({ kind: fc.constant('reversal' as const), thousandths }),
  fc.record({ kind: fc.constant('presented' as const), place: fc.nat(5), thousandths }),
  fc.record({ kind: fc.constant('clearing' as const), ...part }),
  fc.record({ kind: fc.constant('refund' as const), bill: bill.map((amount) => amount + 1n) }),
  fc.record({ kind: fc.constant('expiry' as const) }),
  fc.record({ kind: fc.constant('wait' as const), hours: fc.nat(24 * 10) }),
  fc.record({ kind: fc.constant('authorization' as const) }),
);

const life = fc.record({
  first: start,
  /** A clearing that arrives before its authorization, and possibly a reversal before both. */
  early: fc.option(fc.record({ ...part, reversedFirst: fc.boolean() }), { nil: undefined }),
  availableMinor: fc.oneof(fc.bigInt({ min: 0n, max: 500n }), fc.constant(4n * 10n ** 15n)),
  limits: fc.record({ transactionLimit: limit, dailyLimit: limit, monthlyLimit: limit, allTimeLimit: limit }),
  hasLimits: fc.boolean(),
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

/** Only the limits that are given. */
const limitsOf = ({ limits, hasLimits }: Life) =>
  Object.fromEntries(
    Object.entries(limits).flatMap(([name, minor]) =>
      hasLimits && minor !== undefined ? [[name, minor]] : [],
    ),
  );

/** Applies all messages of a purchase and checks the state after each. */
function live(given: Life): World & { expiredMinor: bigint } {
  const world = newWorld(given.availableMinor, given.fees, limitsOf(given));
  const { first, early, steps } = given;
  let authorized = false;
  let expiredMinor = 0n;
  const authorizeOnce = () => {
    if (authorized) return;
    authorized = true;
    authorize(world, first);
  };
  if (early) clear(world, early, early.reversedFirst);
  else authorizeOnce();
  expectAgreement(world);
  for (const taken of steps) {
    if (taken.kind === 'increment') increment(world, taken.bill);
    else if (taken.kind === 'reversal') reverse(world, taken.thousandths);
    else if (taken.kind === 'presented') reversePresented(world, taken.place, taken.thousandths);
    else if (taken.kind === 'clearing') clear(world, taken);
    else if (taken.kind === 'refund') refund(world, taken.bill);
    else if (taken.kind === 'expiry') expiredMinor += expire(world);
    else if (taken.kind === 'wait') world.nowMs += taken.hours * 3_600_000;
    else authorizeOnce();
    expectAgreement(world);
    expectLimitsFollowMoney(world);
  }
  return { ...world, expiredMinor };
}

/** What counts is what is held and cleared, to the minor unit: nothing that was given back, and all that was spent. */
function expectLimitsFollowMoney(world: World): void {
  const model = modelled(world);
  const spentMinor = model ? model.heldMinor + clearedMinor(model) : 0n;
  expect(world.card.totalSpentMinor).toBe(spentMinor);
  expect(world.card.daySpentMinor >= 0n && world.card.daySpentMinor <= spentMinor).toBe(true);
}

describe('any sequence of messages about one purchase', () => {
  const seen = new Set<string>();
  test('card, holds, fees and limits agree with the model after each of them', () => {
    fc.assert(
      fc.property(life, (given) => {
        const world = live(given);
        const model = modelled(world);
        if (!model) return;
        const { cleared } = model;
        const { fxMinor, atmMinor } = chargedOf(model);
        const reversedParts = sum(cleared.map(({ reversedMinor }) => reversedMinor));
        seen.add(`ends ${model.status}`);
        if (world.card.availableMinor < 0n) seen.add('below zero');
        if (cleared.length > 1) seen.add('several parts');
        if (atmMinor > 0n && cleared.length > 1) seen.add('cash fee once');
        if (fxMinor > 0n) seen.add('FX fee');
        if (cleared.some(({ isForeign }) => isForeign !== model.isForeign))
          seen.add('another currency clears');
        if (reversedParts > 0n) seen.add('clearing taken back');
        if ([...world.model.refunds.values()].some((part) => part.reversedMinor > 0n))
          seen.add('refund taken back');
        if (given.early && model.approvedDay) seen.add('late, approved');
        if (model.approvedDay && model.askedMinor > given.first.bill) seen.add('raised');
        if (model.approvedDay && model.askedMinor < given.first.bill) seen.add('approved in part');
        if (model.counted.size > 1) seen.add('counts on several days');
        if (world.expiredMinor > 0n) seen.add('hold expired');
        if (countedIn(world.model, dayOf(world.nowMs)) > 0n) seen.add('counts today');
        if (model.declineReason && clearedMinor(model) > 0n) seen.add('declined and cleared');
      }),
      { numRuns: 1_500 },
    );
  });

  test('the random search reached every case that it must reach', () => {
    expect([...seen].sort()).toEqual([
      'FX fee',
      'another currency clears',
      'approved in part',
      'below zero',
      'cash fee once',
      'clearing taken back',
      'counts on several days',
      'counts today',
      'declined and cleared',
      'ends CLEARED',
      'ends DECLINED',
      'ends PENDING',
      'ends VOID',
      'hold expired',
      'late, approved',
      'raised',
      'refund taken back',
      'several parts',
    ]);
  });
});

test('several clearings together pay what one would have paid, in any parts', () => {
  const minor = fc.bigInt({ min: 1n, max: 10_000n });
  fc.assert(
    fc.property(fc.array(minor, { minLength: 1, maxLength: 8 }), fc.nat(10_000), (parts, fxFeeBps) => {
      const [whole, split] = [newWorld(10n ** 9n, { fxFeeBps }), newWorld(10n ** 9n, { fxFeeBps })];
      const total = sum(parts);
      for (const world of [whole, split]) authorize(world, { bill: total, abroad: true, cash: false });
      clear(whole, { bill: total, final: true, abroad: true });
      for (const each of parts) clear(split, { bill: each, final: false, abroad: true });
      expect(split.card.availableMinor).toBe(whole.card.availableMinor);
    }),
  );
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
