import fc from 'fast-check';
import { expect, test } from 'vitest';
import { interpret } from '../../../test/model/interpret-rule.ts';
import { attempts, CONTEXT, documents, PARSE, velocityValues } from '../../../test/support/rules.ts';
import type { Attempt } from '../attempt.ts';
import { compileCondition } from './compile.ts';
import { leavesOf, listsOf, velocitiesOf } from './condition.ts';
import { evaluateSample } from './evaluate-sample.ts';
import { parseCondition } from './parse.ts';

const parse = (document: unknown) => parseCondition(document, PARSE);
const velocityOf = (velocity: object, op = 'gt', value: unknown = 4) =>
  velocitiesOf(parse({ velocity, op, value }))[0]?.velocity.definition;

test('a compiled condition says what the plain interpreter says, and explains it by the same leaves', () => {
  const results = { true: 0, false: 0 };
  fc.assert(
    fc.property(
      documents(),
      fc.array(attempts, { minLength: 4, maxLength: 4 }),
      velocityValues,
      (document, all, values) => {
        const condition = parse(document);
        const compiled = compileCondition(condition, CONTEXT);
        for (const attempt of all) {
          const expected = interpret(document, attempt, [...values]);
          results[`${expected}`]++;
          expect(compiled.matches(attempt, values)).toBe(expected);
          const { result, leaves } = compiled.explain(attempt, values);
          expect([result, leaves.map(({ path }) => path)]).toEqual([
            expected,
            leavesOf(condition).map(({ path }) => path),
          ]);
          // Each leaf alone, as a document of its own.
          let used = 0;
          leavesOf(condition).forEach((leaf, index) => {
            const own = leafAt(document, leaf.path);
            const seen = leaf.kind === 'velocity' ? [values[used++] ?? null] : [];
            expect(leaves[index]?.result).toBe(interpret(own, attempt, seen));
          });
        }
      },
    ),
    { numRuns: 150 },
  );
  expect(Math.min(results.true, results.false)).toBeGreaterThan(100);
});

/** The node of a document at a path. */
const leafAt = (document: unknown, path: string): unknown =>
  (path.match(/\w+/g) ?? []).slice(1).reduce((node, key) => (node as Record<string, unknown>)[key], document);

const MONDAY = Date.UTC(2026, 10, 16, 22, 30);
const ATTEMPT: Attempt = {
  ...{
    atMs: MONDAY,
    billAmountMinor: 1250n,
    currency: 'USD',
    programCurrency: 'EUR',
    country: 'USA',
    mcc: '7995',
  },
  ...{ channel: 'ECOMMERCE', type: 'PURCHASE', merchantId: 'M-1', merchantName: ' Łódź   Straße ' },
  ...{ initiator: null, recurring: null, entryMode: null, authenticated: false, cvvGiven: true },
  card: {
    id: 'card-1',
    type: 'virtual',
    createdAtMs: MONDAY - 86_400_001,
    designId: 'design-1',
    metadata: { tier: 'gold' },
  },
  customerKey: 'key of ada',
};

test.each([
  [{ field: 'billAmount', op: 'between', value: ['12.50', '12.5'] }, '12.50', true],
  [{ field: 'merchant.name', op: 'eq', value: 'lodz strasse' }, ' Łódź   Straße ', true],
  [{ field: 'country', op: 'notInList', value: 'country:sepa' }, 'USA', true],
  [{ field: 'mcc', op: 'inList', value: 'mcc:gambling' }, '7995', true],
  [{ field: 'initiator', op: 'ne', value: 'MERCHANT' }, null, false],
  [{ field: 'entryMode', op: 'notIn', value: ['CHIP'] }, null, false],
  [{ field: 'recurring', op: 'isNull', value: true }, null, true],
  [{ field: 'weekday', op: 'eq', value: 1 }, '1', true],
  [{ field: 'card.ageDays', op: 'lte', value: 1 }, '1', true],
  [{ field: 'foreign', op: 'eq', value: true }, 'true', true],
  [{ field: 'card.metadata.tier', op: 'in', value: ['gold'] }, 'gold', true],
  [{ field: 'card.metadata.constructor', op: 'isNull', value: true }, null, true],
  [{ field: 'customer.id', op: 'in', value: ['bob', 'ada'] }, '[customer]', true],
])('%j sees %j', (leaf, value, result) => {
  const { leaves } = compileCondition(parse(leaf), CONTEXT).explain(ATTEMPT, []);
  expect(leaves).toEqual([{ path: 'when', value, result }]);
});

const window = { minutes: 60 };
test.each([
  [{ measure: 'COUNT', per: 'CARD', window }, 'gt', 4, 5n, '5 purchases in 60 minutes, limit 4', true],
  [
    { measure: 'COUNT', per: 'CARD', window: { minutes: 1 } },
    'gte',
    2,
    1n,
    '1 purchase in 1 minute, rule: 2 or more',
    false,
  ],
  [
    { measure: 'AMOUNT', per: 'CARD', window: { calendar: 'DAY' } },
    'gt',
    '200',
    25_000n,
    '250.00 EUR today, limit 200.00',
    true,
  ],
  [
    { measure: 'DECLINES', per: 'CUSTOMER', window: { calendar: 'WEEK' } },
    'between',
    [2, 9],
    2n,
    '2 declines this week, rule: 2 to 9',
    true,
  ],
  [{ measure: 'COUNT', per: 'CARD', window: { calendar: 'MONTH' } }, 'lt', 4, null, null, false],
])('a velocity %j %s %j of %s: %s', (velocity, op, value, counted, shown, result) => {
  const compiled = compileCondition(parse({ velocity, op, value }), CONTEXT);
  expect(compiled.explain(ATTEMPT, [counted]).leaves).toEqual([{ path: 'when', value: shown, result }]);
});

test('velocities that differ only in how they are written have one definition', () => {
  const where = {
    all: [
      { field: 'country', op: 'in', value: ['DE', 'US'] },
      { field: 'billAmount', op: 'gt', value: '5' },
    ],
  };
  const same = {
    all: [
      { value: '5.00', op: 'gt', field: 'billAmount' },
      { field: 'country', op: 'in', value: ['USA', 276, 'DEU'] },
    ],
  };
  const [one, other] = [where, same].map((each) =>
    velocityOf({ measure: 'COUNT', per: 'CARD', window, where: each }),
  );
  expect(one).toBe(other);
  const different = [
    { measure: 'COUNT', per: 'CARD', window },
    { measure: 'DECLINES', per: 'CARD', window },
    { measure: 'COUNT', per: 'CUSTOMER', window },
    { measure: 'COUNT', per: 'CARD', window: { calendar: 'DAY' } },
    { measure: 'COUNT', per: 'CARD', window, where: { not: where } },
    { measure: 'COUNT', per: 'CARD', window, where: { any: where.all } },
  ].map((velocity) => velocityOf(velocity));
  expect(new Set([one, ...different]).size).toBe(7);
});

test('the lists that a condition uses, those of a velocity too', () => {
  const where = { field: 'mcc', op: 'inList', value: 'fuel' };
  const velocity = { velocity: { measure: 'COUNT', per: 'CARD', window, where }, op: 'gt', value: 1 };
  const leaf = { field: 'country', op: 'notInList', value: 'home' };
  expect(listsOf(parse({ all: [velocity, { not: leaf }, leaf] }))).toEqual(['fuel', 'home']);
});

test('a sample is evaluated by the same leaves; what it leaves out is null', () => {
  const document = {
    all: [
      { field: 'country', op: 'eq', value: 'DEU' },
      { field: 'customer.id', op: 'eq', value: 'ada' },
      { field: 'foreign', op: 'eq', value: true },
      { velocity: { measure: 'AMOUNT', per: 'CARD', window }, op: 'gt', value: '10' },
      { field: 'billAmount', op: 'lt', value: '1' },
    ],
  };
  const sample = { country: 276, 'customer.id': 'ada', currency: 'USD', velocity: ['10.01'] };
  const { result, leaves } = evaluateSample(parse(document), sample, CONTEXT);
  expect([result, ...leaves.map((leaf) => leaf.result)]).toEqual([false, true, true, true, true, false]);
  expect(leaves.map(({ value }) => value)).toEqual([
    'DEU',
    '[customer]',
    'true',
    '10.01 EUR in 60 minutes, limit 10.00',
    null,
  ]);
  const wrong = (given: unknown) => () => evaluateSample(parse(document), given, CONTEXT);
  expect(wrong([])).toThrow('sample: must be an object');
  expect(wrong({ 'merchant.mcc': '5411' })).toThrow(
    'sample: "merchant.mcc" is not a field; did you mean "mcc"?',
  );
  expect(wrong({ billAmount: 5 })).toThrow('sample.billAmount: must be an amount');
  expect(wrong({ 'card.type': null })).toThrow('sample.card.type: must not be null');
  expect(wrong({ velocity: [] })).toThrow('sample.velocity: must have one value for each velocity: 1');
  expect(wrong({ velocity: [5] })).toThrow('sample.velocity[0]: must be an amount');
});
