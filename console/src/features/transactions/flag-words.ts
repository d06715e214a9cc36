import type { TransactionDetail } from '../../lib/types.ts';

type Flag = TransactionDetail['flags'][number];

/** Each flag as a badge, and why a person should look at it. */
export const FLAGS: Record<Flag, readonly [label: string, words: string]> = {
  no_authorization: [
    'No authorization',
    'The network cleared it without an authorization that was approved and still stood.',
  ],
  over_hold: ['Above the hold', 'More cleared than was approved, by more than the program allows.'],
  late: ['Late', 'It cleared after the hold had expired.'],
  after_block: ['After the block', 'It cleared after the card was blocked.'],
  duplicate: [
    'Possible duplicate',
    'A clearing with the same card, acquirer reference, amount and currency came under another id.',
  ],
};
