const leaf = (field: string, op: string, value: unknown) => ({ field, op, value });

/** Leaves that hold for the purchases of the benches, and such that do not. */
const TRUE = [
  leaf('billAmount', 'lt', '5.00'),
  leaf('mcc', 'in', ['5814', '5999', '7011']),
  leaf('country', 'notInList', 'country:eea'),
  leaf('merchant.name', 'contains', 'coffee'),
  leaf('hour', 'between', [0, 23]),
  leaf('channel', 'eq', 'POS'),
  leaf('card.ageDays', 'lt', 3_000),
  leaf('foreign', 'eq', false),
  leaf('customer.id', 'notIn', ['a', 'b']),
  leaf('merchant.name', 'startsWith', 'corner'),
];
const FALSE = [
  leaf('billAmount', 'gt', '5000.00'),
  leaf('mcc', 'inList', 'mcc:gambling'),
  leaf('country', 'in', ['DE', 'FR']),
  leaf('merchant.name', 'contains', 'casino'),
  leaf('card.metadata.tier', 'eq', 'gold'),
  leaf('weekday', 'gt', 7),
  leaf('entryMode', 'isNull', false),
  leaf('customer.id', 'eq', 'x'),
];
const pick = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;

/** Fifty conditions that no purchase meets, but only at their last leaf. */
export const FIVE_LEAVES = Array.from({ length: 50 }, (_, index) =>
  index % 2 === 0
    ? { all: [...[0, 3, 5, 7].map((step) => pick(TRUE, index + step)), pick(FALSE, index)] }
    : { any: [0, 1, 2, 3, 4].map((step) => pick(FALSE, index + step)) },
);

const MOST = 1_000_000;

/** Ten velocities that count every purchase, and conditions that none meets. */
export const TEN_VELOCITIES = [
  ...(['CARD', 'CUSTOMER', 'CARD_MERCHANT'] as const).flatMap((per) => [
    { velocity: { measure: 'COUNT', per, window: { minutes: 60 } }, op: 'gt', value: MOST },
    { velocity: { measure: 'AMOUNT', per, window: { minutes: 1_440 } }, op: 'gt', value: '1000000.00' },
    { velocity: { measure: 'COUNT', per, window: { calendar: 'DAY' } }, op: 'gt', value: MOST },
  ]),
  { velocity: { measure: 'DECLINES', per: 'CARD', window: { minutes: 60 } }, op: 'gt', value: MOST },
];
