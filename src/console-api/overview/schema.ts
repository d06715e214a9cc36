import { Type } from 'typebox';
import { decimal, text, timestamp } from '../console-schema.ts';
import { WINDOW_NAMES } from './window.ts';

export const OverviewQuery = Type.Object({
  window: Type.Optional(
    Type.Enum([...WINDOW_NAMES], {
      description: 'Default 7d; if these had no purchase, the seven days up to the last one.',
    }),
  ),
});

const count = Type.Integer();
const spend = decimal(
  'Approved amount, without subtracting refunds and reversals, and without increments that arrive more than some minutes after the purchase.',
);

const slice = Type.Object(
  { start: timestamp(), approved: count, declined: count, spend },
  { title: 'OverviewSlice' },
);

export const Overview = Type.Object(
  {
    now: timestamp('Program time.'),
    until: timestamp('The end of the period: program time, or that of the last transaction.'),
    window: Type.Enum([...WINDOW_NAMES]),
    currency: text,
    sliceSeconds: Type.Integer({ description: 'Length of each interval.' }),
    slices: Type.Array(slice, {
      description: 'Oldest first, without gaps; the last interval is not complete yet.',
    }),
    days: Type.Array(slice, { description: 'The whole UTC days before the last one, oldest first.' }),
    totals: Type.Object({ approved: count, declined: count, spend, cards: count }),
    previous: Type.Object(
      { approved: count, declined: count, spend },
      {
        description:
          'Totals of an earlier period, to the nearest hour: of a day, the same hours a week earlier; else the period before.',
      },
    ),
    comparable: Type.Boolean({
      description:
        'false if the program had no purchase before the earlier period, so that it may be incomplete.',
    }),
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
