import type { PermanentLimits } from '../../model/card.ts';
import { createPen, type Item, type NetworkOp, type Pen, type Step } from './pen.ts';

/** One card's life, decided by the seed alone: nothing in it depends on responses. */
export function writeScript(random: () => number, card: string, messages: number): Step[] {
  const pen = createPen(random, card);
  const steps: Step[] = [];
  let written = 0;
  while (written < messages) {
    for (const step of drawMove(random)(pen)) {
      steps.push(step);
      for (const item of step) written += 'op' in item ? item.copies : 0;
    }
  }
  return steps;
}

function drawMove(random: () => number): (pen: Pen) => Step[] {
  let place = random() * MOVES.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, move] of MOVES) {
    place -= weight;
    if (place < 0) return move;
  }
  throw new Error('the weights do not add up');
}

const times = (copies: number, op: NetworkOp): Item => ({ op, copies });
const once = (op: NetworkOp): Item => times(1, op);
const INQUIRY = { type: 'BALANCE_INQUIRY', billMinor: 0n, amount: '0.00', currency: 'EUR' } as const;
const PARTS = ['exact', 'exact', 'less', 'more', 'first part', 'first part'] as const;
const many = (pen: Pen, from: number, to: number): Item[] =>
  Array.from({ length: from + pen.below(to - from + 1) }, () => once(pen.authorization()));

/** Ways a card's life goes on, by how often. Steps of one move follow each other; items of one step race. */
const MOVES: ReadonlyArray<readonly [weight: number, (pen: Pen) => Step[]]> = [
  [20, (pen) => [[once(pen.authorization())]]],
  [14, (pen) => [many(pen, 2, 6)]],
  [8, (pen) => [[{ op: pen.authorization(), copies: 2 + pen.below(3) }]]],
  [14, (pen) => [[once(pen.clearing(pen.recent(), pen.pick(PARTS), pen.random() < 0.5))]]],
  [
    6,
    (pen) => [
      [
        { op: pen.clearing(pen.recent(), pen.pick(PARTS), true), copies: 2 },
        once(pen.reversal(pen.recent(), 'part')),
        ...many(pen, 0, 2),
      ],
    ],
  ],
  [6, (pen) => [[once(pen.reversal(pen.recent(), pen.pick(['all', 'part', 'part'])))]]],
  // Everything about one purchase at once.
  [
    6,
    (pen) => {
      const of = pen.recent();
      return [
        [
          once(pen.reversal(of, 'all')),
          once(pen.clearing(of, pen.pick(PARTS), true)),
          { op: pen.reversal(of, 'part'), copies: 2 },
        ],
      ];
    },
  ],
  // A message overtakes its authorization, or races with it.
  [
    5,
    (pen) => {
      const op = pen.authorization();
      return [
        [
          once(op),
          once(pen.reversal(pen.last(), pen.pick(['all', 'part']))),
          once(pen.clearing(pen.last(), 'exact', pen.random() < 0.7)),
        ],
      ];
    },
  ],
  [
    4,
    (pen) => {
      const op = pen.authorization();
      return [[{ op: pen.reversal(pen.last(), pen.pick(['all', 'part'])), copies: 2 }], [once(op)]];
    },
  ],
  [
    4,
    (pen) => {
      const op = pen.authorization();
      return [
        [once(pen.clearing(pen.last(), pen.pick(PARTS), true))],
        [{ op, copies: 2 }],
        [once(pen.reversal(pen.last(), 'all'))],
      ];
    },
  ],
  [3, (pen) => [[once(pen.clearing(pen.never(), 'exact', pen.random() < 0.8))]]],
  [1, (pen) => [[once(pen.reversal(pen.recent(), 'too much'))]]],
  [6, (pen) => [[once(pen.increment(pen.recent())), ...many(pen, 0, 1)]]],
  [
    3,
    (pen) => [
      [{ op: pen.increment(pen.recent()), copies: 2 }, once(pen.clearing(pen.recent(), 'exact', true))],
    ],
  ],
  [
    5,
    (pen) => [[{ op: pen.takeBack(pen.recent(), 'clearing', pen.random() < 0.5), copies: 1 + pen.below(2) }]],
  ],
  [3, (pen) => [[once(pen.takeBack(pen.recent(), 'refund', pen.random() < 0.5)), ...many(pen, 0, 2)]]],
  [6, (pen) => [[once(pen.authorization({ partial: true, billMinor: BigInt(1_000 + pen.below(60_000)) }))]]],
  [4, (pen) => [[once(pen.authorization({ standIn: { approved: pen.random() < 0.5 } }))]]],
  [2, (pen) => [[once(pen.authorization({ type: 'CASH', channel: 'POS' }))]]],
  [1, (pen) => [[once(pen.authorization(INQUIRY))]]],
  // The id of a purchase cannot become that of a refund.
  [1, (pen) => [[once(pen.refund(undefined, true, pen.recent().id))]]],
  [4, (pen) => [[{ op: pen.refund(pen.recent(), pen.random() < 0.5), copies: 1 + pen.below(2) }]]],
  [3, (pen) => [[once(pen.refund(pen.random() < 0.5 ? undefined : pen.never(), true)), ...many(pen, 0, 2)]]],
  // Copies of anything, at any time.
  [
    8,
    (pen) => [
      [
        ...Array.from({ length: 3 }, () => pen.anySent())
          .filter((op) => op !== undefined)
          .map(once),
        ...many(pen, 0, 2),
      ],
    ],
  ],
  // The same id with another content: later, and at once.
  [
    3,
    (pen) => {
      const op = pen.authorization();
      const { id } = pen.last();
      return [[once(op)], [once(pen.authorization({ id, billMinor: 1n + pen.last().billMinor }))]];
    },
  ],
  [
    2,
    (pen) => {
      const op = pen.authorization();
      const { id } = pen.last();
      return [[once(op), once(pen.authorization({ id, mcc: '7995' }))]];
    },
  ],
  [3, (pen) => [[once(pen.authorization({ wrongCvv: true }))]]],
  [0.15, (pen) => [Array.from({ length: 4 }, () => once(pen.authorization({ wrongCvv: true })))]],
  [0.3, (pen) => [Array.from({ length: 12 }, () => once(pen.authorization({ expiry: '2031-01' })))]],
  [2, (pen) => [[once(pen.authorization({ billMinor: 0n, amount: '0.00', currency: 'EUR' }))]]],
  [1, (pen) => [[once(pen.authorization({ number: '9999009999999999' }))]]],
  [1, (pen) => [[once(pen.authorization({ expiry: '2031-01' }))]]],
  [
    4,
    (pen) => [
      [pen.merchant({ kind: 'freeze', freeze: true }), ...many(pen, 1, 3)],
      many(pen, 0, 2),
      [pen.merchant({ kind: 'freeze', freeze: false }), ...many(pen, 1, 3)],
    ],
  ],
  [
    1.5,
    (pen) => [
      [pen.merchant({ kind: 'reissue' }), ...many(pen, 1, 3)],
      [once(pen.authorization({ old: true })), once(pen.authorization())],
    ],
  ],
  [
    0.1,
    (pen) => [
      [
        pen.merchant({ kind: 'block', reason: pen.pick(['lost', 'stolen', 'fraud', 'moved away']) }),
        ...many(pen, 1, 2),
      ],
    ],
  ],
  [6, (pen) => [[pen.merchant({ kind: 'adjust', amountMinor: BigInt(pen.below(90_000) - 15_000) || 1n })]]],
  [3, (pen) => [[pen.merchant({ kind: 'controls', limits: someLimits(pen) })]]],
];

function someLimits(pen: Pen): Partial<PermanentLimits> {
  const maybe = (floor: number, width: number): bigint | null =>
    pen.random() < 0.5 ? null : BigInt(floor + pen.below(width));
  return pen.pick<() => Partial<PermanentLimits>>([
    () => ({ transactionLimit: maybe(4_000, 5_000), dailyLimit: maybe(5_000, 40_000) }),
    () => ({ dailyLimit: maybe(5_000, 40_000), monthlyLimit: maybe(20_000, 200_000) }),
    () => ({ allTimeLimit: maybe(100_000, 1_000_000) }),
    () => ({ blockedMccs: pen.random() < 0.5 ? [] : ['4111'] }),
    () => ({ allowedMccs: pen.random() < 0.6 ? [] : ['5411', '5812', '6011'] }),
  ])();
}
