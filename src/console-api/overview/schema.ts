import { Type } from 'typebox';
import { decimal, text, timestamp } from '../console-schema.ts';
import { WINDOW_NAMES } from './window.ts';

export const OverviewQuery = Type.Object({
  window: Type.Optional(Type.Enum([...WINDOW_NAMES], { description: 'Default 24h.' })),
});

const count = Type.Integer();
const spend = decimal(
  'Approved amount, without subtracting refunds and reversals, and without increments that arrive more than some minutes after the purchase.',
);

export const Overview = Type.Object(
  {
    now: timestamp('Program time.'),
    window: Type.Enum([...WINDOW_NAMES]),
    currency: text,
    sliceSeconds: Type.Integer({ description: 'Length of each interval.' }),
    slices: Type.Array(
      Type.Object(
        { start: timestamp(), approved: count, declined: count, spend },
        { title: 'OverviewSlice' },
      ),
      { description: 'Oldest first, without gaps; the last interval is not complete yet.' },
    ),
    totals: Type.Object({ approved: count, declined: count, spend, cards: count }),
    previous: Type.Object(
      { approved: count, declined: count, spend },
      { description: 'Totals of the previous period of the same length, to the nearest hour.' },
    ),
    declineReasons: Type.Array(Type.Object({ reason: text, meaning: text, count }), {
      description: 'Most frequent first.',
    }),
    topMerchants: Type.Array(Type.Object({ name: text, count, spend: decimal() }), {
      description: 'Highest spend first.',
    }),
    balance: decimal("The program's money: what is held and what is available together."),
    held: decimal('Held for purchases that have not cleared yet.'),
    available: decimal('Available for new purchases.'),
    complete: Type.Boolean({
      description: 'false while older transactions are still being counted and are missing here.',
    }),
  },
  { title: 'Overview' },
);
