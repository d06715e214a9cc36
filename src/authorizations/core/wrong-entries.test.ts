import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOW_MS, someCard } from '../../../test/support/cards/authorization-facts.ts';
import type { CardFacts } from '../../cards/card-facts.ts';
import type { Decision } from './decide.ts';
import type { DeclineReason } from './decline.ts';
import { countWrongEntries } from './wrong-entries.ts';

const HOUR_MS = 3_600_000;
const decline = (reason: DeclineReason): Decision => ({
  approved: false,
  reason,
  networkCode: '05',
});
const ATTEMPTS = {
  expiry: [undefined, decline('expiry_mismatch')],
  cvv: [false, decline('cvv_mismatch')],
  right: [true, { approved: true, networkCode: '00' }],
  poor: [true, decline('insufficient_funds')],
  plain: [undefined, { approved: true, networkCode: '00' }],
} as const;
type Attempt = keyof typeof ATTEMPTS;

const attempts = fc.array(
  fc.record({
    what: fc.oneof(
      { weight: 8, arbitrary: fc.constant<Attempt>('expiry') },
      { weight: 2, arbitrary: fc.constant<Attempt>('cvv') },
      { weight: 2, arbitrary: fc.constantFrom<Attempt>('right', 'poor', 'plain') },
    ),
    waitMs: fc.oneof(
      { weight: 8, arbitrary: fc.nat(2 * HOUR_MS) },
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.constantFrom(12 * HOUR_MS, 24 * HOUR_MS) },
    ),
  }),
  { maxLength: 60 },
);

/** The contract's rule, computed from the whole history without state. */
function reasonToBlock(history: ReadonlyArray<{ what: Attempt; atMs: number }>): string | null {
  const compared = history.filter(({ what }) => what === 'cvv' || what === 'right' || what === 'poor');
  const lastThree = compared.slice(-3);
  if (lastThree.length === 3 && lastThree.every(({ what }) => what === 'cvv'))
    return 'fraud suspected: cvv attempts';
  const wrong = history.filter(({ what }) => what === 'cvv' || what === 'expiry');
  const [tenth, last] = [wrong.at(-10), wrong.at(-1)];
  return tenth && last && last.atMs - tenth.atMs <= 24 * HOUR_MS ? 'fraud suspected: guessing' : null;
}

test('a card is blocked by the third wrong CVV in a row, or by the tenth wrong entry in any 24 hours', () => {
  const met = new Set<string | null>();
  fc.assert(
    fc.property(attempts, (given) => {
      let card: CardFacts = someCard();
      let atMs = NOW_MS;
      const history: Array<{ what: Attempt; atMs: number }> = [];
      for (const { what, waitMs } of given) {
        atMs += waitMs;
        history.push({ what, atMs });
        const [cvvMatches, decision] = ATTEMPTS[what];
        card = countWrongEntries(card, cvvMatches, decision, atMs);
        expect(card.statusReason).toBe(reasonToBlock(history));
        expect([card.status, card.reasonCode]).toEqual(
          card.statusReason ? ['BLOCKED', 'FRAUD'] : ['ACTIVE', null],
        );
        expect(card.wrongEntries.length).toBeLessThanOrEqual(10);
        met.add(card.statusReason);
        if (card.status === 'BLOCKED') break;
      }
    }),
    // The examples cover both ways to block a card, whatever the seed is.
    {
      numRuns: 500,
      examples: (['expiry', 'cvv'] as const).map((what) => [Array(10).fill({ what, waitMs: 0 })]),
    },
  );
  expect(met.size).toBe(3);
});

test.each<[DeclineReason, number]>([
  ['card_blocked', 2],
  // Such as a number that the card had before.
  ['invalid_card_number', 2],
  ['card_frozen', 2],
  ['card_expired', 2],
  ['expiry_mismatch', 2],
  ['merchant_category_not_allowed', 0],
])(
  'a right CVV in a decline by %s leaves %i of two wrong CVVs in a row: a reason before the CVV says nothing about it',
  (reason, left) => {
    expect(countWrongEntries(someCard({ wrongCvvs: 2 }), true, decline(reason), NOW_MS).wrongCvvs).toBe(left);
  },
);
