import fc from 'fast-check';
import type { Attempt } from '../../src/rules/attempt.ts';
import { CHANNELS, ENTRY_MODES, INITIATORS, TYPES } from '../../src/rules/attempt.ts';

/** The values of the merchant's lists, as the documents of the tests name them. */
export const LISTS: Record<
  string,
  { type: 'merchant' | 'country' | 'mcc' | 'customer' | 'text'; values: string[] }
> = {
  shops: { type: 'merchant', values: ['M-1', 'M-3'] },
  home: { type: 'country', values: ['DEU', 'FRA'] },
  fuel: { type: 'mcc', values: ['5411', '0742'] },
  vips: { type: 'customer', values: ['ada', 'eve'] },
  words: { type: 'text', values: ['gold', 'EUR', 'ECOMMERCE', 'design-1'] },
};
export const keyOf = (customerId: string): string => `key of ${customerId}`;

/** A JSON document, valid or not. */
export type Document = { [key: string]: unknown };

export const CONTEXT = {
  currency: 'EUR',
  lists: new Map(
    Object.entries(LISTS).map(([name, { type, values }]) => [
      name,
      new Set(type === 'customer' ? values.map(keyOf) : values),
    ]),
  ),
  customerKeyOf: keyOf,
};
export const PARSE = {
  currency: 'EUR',
  velocity: true,
  listTypeOf: (name: string) => LISTS[name]?.type,
};

const NAMES = ['Café  Zoë', 'CAFE ZOE 2', 'casino royal', ' Bar'];
const MERCHANTS = ['M-1', 'M-2', 'M-3'];
const CUSTOMERS = ['ada', 'bob', 'eve'];
const TIERS = ['gold', 'silver', 'Gold'];
const DESIGNS = ['design-1', 'design-2'];

const orNull = <T>(values: readonly T[]): fc.Arbitrary<T | null> => fc.constantFrom(...values, null);

/** Few different values, so that comparisons of both results are frequent. */
export const attempts: fc.Arbitrary<Attempt> = fc.record({
  atMs: fc.integer({ min: Date.UTC(2026, 10, 1), max: Date.UTC(2026, 10, 15) }),
  billAmountMinor: fc.constantFrom(0n, 999n, 1000n, 1001n, 25_000n),
  currency: fc.constantFrom('EUR', 'USD'),
  programCurrency: fc.constant('EUR'),
  country: orNull(['DEU', 'USA', 'FRA']),
  mcc: orNull(['5411', '0742', '7995']),
  channel: orNull(CHANNELS),
  type: fc.constantFrom(...TYPES),
  merchantId: orNull(MERCHANTS),
  merchantName: orNull(NAMES),
  initiator: orNull(INITIATORS),
  recurring: orNull([true, false]),
  entryMode: orNull(ENTRY_MODES),
  authenticated: fc.boolean(),
  cvvGiven: fc.boolean(),
  card: fc.record({
    id: fc.constantFrom('card-1', 'card-2'),
    type: fc.constantFrom('physical' as const, 'virtual' as const),
    createdAtMs: fc.constantFrom(Date.UTC(2026, 9, 31), Date.UTC(2026, 9, 1)),
    designId: fc.constantFrom(...DESIGNS),
    metadata: orNull([{}, ...TIERS.map((tier) => ({ tier }))]),
  }),
  customerKey: fc.constantFrom(...CUSTOMERS).map(keyOf),
});

const amounts = fc.constantFrom('0', '9.99', '10', '10.0', '10.01', '250.00');
const numbers = (max: number) => fc.integer({ min: 1, max });

/** The values that a document may compare each field with, its own lists, and whether it may be null. */
const VALUES: Record<string, { values: fc.Arbitrary<unknown>; list?: string; nullable?: boolean }> = {
  billAmount: { values: amounts },
  currency: { values: fc.constantFrom('EUR', 'USD', 'JPY'), list: 'words' },
  country: { values: fc.constantFrom('DE', 'DEU', 276, 'us', 'FR'), list: 'home', nullable: true },
  mcc: { values: fc.constantFrom('5411', '742', '7995'), list: 'fuel', nullable: true },
  channel: { values: fc.constantFrom(...CHANNELS), list: 'words', nullable: true },
  type: { values: fc.constantFrom(...TYPES), list: 'words' },
  'merchant.id': { values: fc.constantFrom(...MERCHANTS), list: 'shops', nullable: true },
  'merchant.name': { values: fc.constantFrom('cafe zoe', 'CAFÉ', 'Casino', 'zo', 'bar '), nullable: true },
  foreign: { values: fc.boolean() },
  hour: { values: numbers(23) },
  weekday: { values: numbers(7) },
  initiator: { values: fc.constantFrom(...INITIATORS), list: 'words', nullable: true },
  recurring: { values: fc.boolean(), nullable: true },
  entryMode: { values: fc.constantFrom(...ENTRY_MODES), list: 'words', nullable: true },
  authenticated: { values: fc.boolean() },
  cvvGiven: { values: fc.boolean() },
  'card.type': { values: fc.constantFrom('physical', 'virtual'), list: 'words' },
  'card.ageDays': { values: numbers(40) },
  'card.design': { values: fc.constantFrom(...DESIGNS), list: 'words' },
  'customer.id': { values: fc.constantFrom(...CUSTOMERS), list: 'vips' },
  'card.metadata.tier': { values: fc.constantFrom(...TIERS), list: 'words', nullable: true },
};

const COMPARED = ['billAmount', 'hour', 'weekday', 'card.ageDays'];
const YES_OR_NO = ['foreign', 'recurring', 'authenticated', 'cvvGiven'];

/** The operators of a field, by the contract and not by the catalogue. */
export function operatorsOf(field: string): string[] {
  const own = () => {
    if (COMPARED.includes(field)) return ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between'];
    if (YES_OR_NO.includes(field)) return ['eq'];
    if (field === 'merchant.name') return ['eq', 'startsWith', 'contains'];
    return ['eq', 'ne', 'in', 'notIn', 'inList', 'notInList'];
  };
  return VALUES[field]?.nullable ? [...own(), 'isNull'] : own();
}

const sorted = (ends: unknown[]): unknown[] => ends.toSorted((a, b) => Number(a) - Number(b));

function operandOf(op: string, values: fc.Arbitrary<unknown>, list?: string): fc.Arbitrary<unknown> {
  if (op === 'isNull') return fc.boolean();
  if (op === 'inList' || op === 'notInList') return fc.constant(list);
  if (op === 'in' || op === 'notIn') return fc.array(values, { minLength: 1, maxLength: 3 });
  return op === 'between' ? fc.tuple(values, values).map(sorted) : values;
}

const fieldLeaves: fc.Arbitrary<Document> = fc.oneof(
  ...Object.entries(VALUES).flatMap(([field, { values, list }]) =>
    operatorsOf(field).map((op) =>
      fc.record({ field: fc.constant(field), op: fc.constant(op), value: operandOf(op, values, list) }),
    ),
  ),
);

const windows = fc.oneof(
  fc.record({ minutes: fc.integer({ min: 1, max: 1440 }) }),
  fc.record({ calendar: fc.constantFrom('DAY', 'WEEK', 'MONTH') }),
);

const velocityLeaves = (depth: number): fc.Arbitrary<Document> =>
  fc.oneof(
    ...['COUNT', 'AMOUNT', 'DECLINES'].flatMap((measure) =>
      operatorsOf('billAmount').map((op) =>
        fc.record({
          velocity: fc.record(
            {
              measure: fc.constant(measure),
              per: fc.constantFrom('CARD', 'CUSTOMER', 'CARD_MERCHANT'),
              window: windows,
              ...(depth < 4 && { where: fieldLeaves }),
            },
            { requiredKeys: ['measure', 'per', 'window'] },
          ),
          op: fc.constant(op),
          value: operandOf(op, measure === 'AMOUNT' ? amounts : numbers(9)),
        }),
      ),
    ),
  );

/** Valid documents of every kind of node, at most 27 leaves and their `where`. */
export const documents = (depth = 1): fc.Arbitrary<Document> => {
  const leaves = fc.oneof(
    { weight: 4, arbitrary: fieldLeaves },
    { weight: 1, arbitrary: velocityLeaves(depth) },
  );
  if (depth === 4) return leaves;
  const part = documents(depth + 1);
  const parts = fc.array(part, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: depth, arbitrary: leaves },
    { weight: 1, arbitrary: fc.record({ all: parts }) },
    { weight: 1, arbitrary: fc.record({ any: parts }) },
    { weight: 1, arbitrary: fc.record({ not: part }) },
  );
};

export const velocityValues = fc.array(fc.constantFrom(null, 0n, 1n, 2n, 999n, 1000n), {
  minLength: 50,
  maxLength: 50,
});
