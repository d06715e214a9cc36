import { Type } from 'typebox';
import { decimal, text, timestamp } from '../console-schema.ts';
import { WINDOW_NAMES } from './window.ts';

export const OverviewQuery = Type.Object({
  window: Type.Optional(Type.Enum([...WINDOW_NAMES], { description: 'Default 24h.' })),
});

const count = Type.Integer();
const spend = decimal('What was approved, refunds and reversals not taken off.');

export const Overview = Type.Object(
  {
    now: timestamp("By the program's clock."),
    window: Type.Enum([...WINDOW_NAMES]),
    currency: text,
    sliceSeconds: Type.Integer({ description: 'Length of each step.' }),
    slices: Type.Array(
      Type.Object(
        { start: timestamp(), approved: count, declined: count, spend },
        { title: 'OverviewSlice' },
      ),
      { description: 'Steps, oldest first, without gaps; the last one is in progress.' },
    ),
    totals: Type.Object({ approved: count, declined: count, spend, cards: count }),
    previous: Type.Object(
      { approved: count, declined: count, spend },
      { description: 'As much time, right before, to the nearest hour.' },
    ),
    declineReasons: Type.Array(Type.Object({ reason: text, meaning: text, count }), {
      description: 'Most frequent first.',
    }),
    topMerchants: Type.Array(Type.Object({ name: text, count, spend: decimal() }), {
      description: 'Where most was spent.',
    }),
    masterBalance: decimal("The program's money."),
    onHold: decimal('Of approved purchases that have not cleared.'),
    complete: Type.Boolean({
      description: 'false: older transactions are still being counted, and are missing here for a while.',
    }),
  },
  { title: 'Overview' },
);
