import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documents, PARSE } from '../../../test/support/rules.ts';
import { wrongDocuments } from '../../../test/support/wrong-rules.ts';
import { EmbossError } from '../../kernel/error.ts';
import { FIELDS, findField } from './fields.ts';
import { parseCondition } from './parse.ts';

const parse = (document: unknown) => parseCondition(document, PARSE);
const faultOf = (document: unknown): EmbossError => {
  try {
    parse(document);
  } catch (error) {
    if (error instanceof EmbossError) return error;
    throw error;
  }
  throw new Error(`taken: ${JSON.stringify(document)}`);
};

test('each of a thousand wrong documents is a 400 that names the path of its fault', () => {
  const paths = new Set<string>();
  fc.assert(
    fc.property(wrongDocuments, ({ document, path }) => {
      const { httpStatus, message } = faultOf(document);
      paths.add(path.replaceAll(/\[\d+\]/g, '[]'));
      expect([httpStatus, message.slice(0, path.length + 2)]).toEqual([400, `${path}: `]);
    }),
    { numRuns: 1000 },
  );
  expect(paths.size).toBeGreaterThan(100);
});

test('every generated document without a fault is taken', () => {
  fc.assert(
    fc.property(documents(), (document) => void parse(document)),
    { numRuns: 200 },
  );
});

const leaf = { field: 'mcc', op: 'eq', value: '5411' };
test.each([
  [
    { all: [leaf, { field: 'billAmount', op: 'gt', value: '1.234' }] },
    'when.all[1].value: at most 2 decimals in EUR',
  ],
  [
    { any: [{ ...leaf, field: 'merchant.mcc' }] },
    'when.any[0].field: "merchant.mcc" is not a field; did you mean "mcc"?',
  ],
  [{ ...leaf, field: 'bilAmount' }, 'when.field: "bilAmount" is not a field; did you mean "billAmount"?'],
  [{ ...leaf, field: '"<b>"' }, 'when.field: this is not a field'],
  [{ ...leaf, opp: 'eq' }, 'when.opp: is not a key of a condition; did you mean "op"?'],
  [{ ...leaf, 'a b': 1 }, 'when: is not a key of a condition'],
  [
    { ...leaf, op: 'gt' },
    'when.op: must be an operator of mcc: eq, ne, in, notIn, inList, notInList, isNull',
  ],
  [
    { ...leaf, op: 'inList', value: 'mcc:gamblin' },
    'when.value: "mcc:gamblin" is not a list; did you mean "mcc:gambling"?',
  ],
  [{ ...leaf, op: 'inList', value: 'country:eea' }, 'when.value: must be a list of type mcc, not country'],
  [
    { field: 'billAmount', op: 'between', value: ['10', '9.99'] },
    'when.value: must be [low, high], the lower end first',
  ],
  [{ any: Array.from({ length: 51 }, () => leaf) }, 'when.any[50]: must have at most 50 leaves in all'],
])('%j', (document, message) => {
  expect(faultOf(document).message).toBe(message);
});

test('the leaves of a velocity count, and so do its levels', () => {
  const velocity = (where: unknown) => ({
    velocity: { measure: 'COUNT', per: 'CARD', window: { minutes: 5 }, where },
    op: 'gt',
    value: 1,
  });
  const fifty = { any: Array.from({ length: 49 }, () => leaf) };
  parse(velocity(fifty));
  expect(faultOf({ all: [velocity(fifty), leaf] }).message).toMatch(/^when\.all\[1\]: must have at most 50/);
  parse({ all: [{ not: velocity(leaf) }] });
  expect(faultOf({ all: [{ not: velocity({ not: leaf }) }] }).message).toMatch(
    /^when\.all\[0\]\.not\.velocity\.where\.not: must be at most 4 levels deep/,
  );
});

test('the catalogue has the fields of the contract, and each example is valid', () => {
  const names =
    'billAmount currency country mcc channel type merchant.id merchant.name foreign hour weekday initiator recurring entryMode authenticated cvvGiven card.type card.ageDays card.design customer.id card.metadata.<key>';
  expect(FIELDS.map(({ name }) => name)).toEqual(names.split(' '));
  for (const { name, example, operators } of FIELDS) {
    const field = name.replace('<key>', 'tier');
    expect(findField(field)?.operators).toEqual(operators);
    parse({ field, op: 'eq', value: example });
  }
});

test('amounts have the decimals of the currency', () => {
  const yen = (value: string) => () =>
    parseCondition({ field: 'billAmount', op: 'gt', value }, { ...PARSE, currency: 'JPY' });
  yen('500')();
  expect(yen('500.5')).toThrow('when.value: at most 0 decimals in JPY');
});
