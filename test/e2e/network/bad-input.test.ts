import { beforeAll, describe, expect, test } from 'vitest';
import { withValue } from '../../support/cards/cards.ts';
import {
  authorizationOf,
  clearingOf,
  incrementOf,
  MERCHANT,
  type NetworkPath,
  networkApp,
  type PayingCard,
  payingCard,
  refundOf,
  reversalOf,
} from '../../support/cards/network.ts';
import { tableNames } from '../../support/database/catalog.ts';
import { SEPARATORS } from '../../support/server/scan.ts';

const app = networkApp();
let card: PayingCard;
/** One digest over every row of every table. Keys are left out: each use of one is noted in its row. */
let fingerprint: () => Promise<unknown>;
beforeAll(async () => {
  card = await payingCard(app, { spendLimit: 10_000 });
  const tables = (await tableNames(app.databaseUrl)).filter((table) => table !== 'api_keys');
  expect(tables).toContain('network_messages');
  const digests = tables.map(
    (table) => `(select md5(string_agg(r::text, ' ' order by r::text)) from ${table} r) as ${table}`,
  );
  fingerprint = () => app.db.query({ name: 'fingerprint', text: `select ${digests.join(', ')}` });
});

type Field = [path: string, values: readonly unknown[]];

const ABSENT = Symbol('absent');
const NO_TEXT = [ABSENT, null, 5, 0, true, [], {}, ['x']];
const UNCLEAN = ['a\u0000b', 'a\nb', '\u007f', 'a\u0085b', 'half \ud83d', '\ude00 half', 'a\u001bb'];
const BAD_TEXT = [...NO_TEXT, ...UNCLEAN, '', '   ', 'x'.repeat(256), '😀'.repeat(256)];
const NO_DECIMAL = [
  ...NO_TEXT.slice(1),
  5.5,
  -1,
  1e3,
  ...UNCLEAN,
  ...['', ' ', '-1', '-0.01', '-0', '+1', ' 1', '1 ', '1.', '.5', '1..0', '1.2.3', '1,50', '1 000', '1_000'],
  ...[
    '1e3',
    '1E3',
    '1e-2',
    '0x10',
    '0b1',
    '1n',
    'NaN',
    'Infinity',
    '-Infinity',
    'null',
    '٣',
    '１',
    '½',
    '€5',
    'ten',
  ],
];
/** More than any card has, up to what no integer holds. */
const HUGE = ['10000000000000.00', '9'.repeat(19), '9'.repeat(24), '9'.repeat(25), '9'.repeat(4_000)];
const BAD_DECIMAL = [
  ABSENT,
  ...NO_DECIMAL,
  ...HUGE,
  '1.001',
  '0.000',
  '1.00000000001',
  `1.${'0'.repeat(400)}`,
];
const NO_CODE = [...NO_TEXT, ...UNCLEAN, '', ' '];
const BAD_CURRENCY = [...NO_CODE, 'eur', 'Eur', 'EURO', 'EU', 'XXX', 'ZZZ', '978', 'DEM', ' EUR'];
const BAD_NUMBER = [
  ...NO_CODE,
  ...[
    '999900',
    '9'.repeat(20),
    '9999 0000 0000 0000',
    '9999-0000-0000-0000',
    '999900000000000a',
    '٩'.repeat(16),
  ],
];
const optional = (values: readonly unknown[]) => values.filter((value) => value !== ABSENT);
const nullable = (values: readonly unknown[]) => optional(values).filter((value) => value !== null);
const BAD_FLAG = [null, 'true', 1, 0, '', [], {}];
/** The network describes merchants loosely: absent, null and empty texts are accepted. */
const BAD_LOOSE_TEXT = [...nullable(NO_TEXT), ...UNCLEAN, 'x'.repeat(256), '😀'.repeat(256)];
const BAD_LOOSE_CODE = [true, [], {}, ['x'], 8.5, ...UNCLEAN, 'x'.repeat(256)];
/** The fields of a merchant, in the messages that may carry one. */
const MERCHANT_FIELDS: Field[] = [
  ['merchant.id', BAD_TEXT],
  ['merchant.name', BAD_LOOSE_TEXT],
  ['merchant.mcc', [...NO_CODE, '58', '58145', '58a4', '-581', '5 14', '٥٨١٤']],
  ['merchant.city', BAD_LOOSE_TEXT],
  ['merchant.country', BAD_LOOSE_CODE],
];
const BAD_CHANNEL = [...NO_CODE, 'pos', 'PHONE', 'POS ', 'ECOM'];
const BAD_MERCHANT = [ABSENT, null, 5, 'Corner Coffee', [], true];

/** What is wrong at each field, and the body that is right but for it. */
const MESSAGES: Record<NetworkPath, { body: () => Promise<object>; fields: Field[] }> = {
  authorizations: {
    body: async () =>
      authorizationOf(card, '1.00', {
        bill_amount: '1.00',
        bill_currency: 'EUR',
        cvv: card.cvv,
        stand_in: { approved: true },
      }),
    fields: [
      ['external_transaction_id', BAD_TEXT],
      ['card_number', BAD_NUMBER],
      [
        'expiry',
        [
          ...nullable(NO_CODE),
          '2029',
          '2029-13',
          '2029-00',
          '2029-1',
          '11/29',
          '1129',
          '2029-11-15',
          '99999-01',
        ],
      ],
      ['cvv', [...optional(NO_CODE), '12', '12345', '12a', '-12', '1.2', ' 123']],
      ['amount', BAD_DECIMAL],
      ['currency', BAD_CURRENCY],
      ['bill_amount', [...optional(BAD_DECIMAL), '1.01', '0.99']],
      ['bill_currency', [...optional(BAD_CURRENCY), 'USD']],
      ['channel', BAD_CHANNEL],
      ['merchant', BAD_MERCHANT],
      ...MERCHANT_FIELDS,
      ['type', [...optional(NO_CODE), 'purchase', 'REFUND']],
      ['partial_approval', BAD_FLAG],
      ['stand_in', [null, true, 'approved', 5, []]],
      ['stand_in.approved', [ABSENT, ...BAD_FLAG]],
      ['stand_in.approval_code', [...optional(NO_CODE), '1234567', '12-4']],
      ['stand_in.reason', [...optional(NO_TEXT), ...UNCLEAN, 'x'.repeat(256)]],
      ['advice_id', optional(BAD_TEXT)],
      ['cash_back_amount', nullable(BAD_DECIMAL)],
      ['recurring', nullable(BAD_FLAG)],
      ['initiator', [5, true, [], {}]],
    ],
  },
  increments: {
    body: async () =>
      incrementOf(card, await card.hold('1.00'), '1.00', { bill_amount: '1.00', bill_currency: 'EUR' }),
    fields: [
      ['external_transaction_id', [...BAD_TEXT, 'net-unheard']],
      ['increment_id', BAD_TEXT],
      ['amount', BAD_DECIMAL],
      ['currency', [...BAD_CURRENCY, 'USD']],
      ['bill_amount', [...optional(BAD_DECIMAL), '0', '0.00', '1.01']],
      ['bill_currency', [...optional(BAD_CURRENCY), 'USD']],
    ],
  },
  reversals: {
    body: async () =>
      reversalOf(await card.hold('1.00'), {
        amount: '1.00',
        currency: 'EUR',
        bill_amount: '1.00',
        bill_currency: 'EUR',
      }),
    fields: [
      ['external_transaction_id', BAD_TEXT],
      ['reversal_id', BAD_TEXT],
      ['clearing_id', optional(BAD_TEXT)],
      ['refund_id', optional(BAD_TEXT)],
      ['bill_amount', [...optional(BAD_DECIMAL), '0', '0.00']],
      ['bill_currency', [...optional(BAD_CURRENCY), 'USD']],
      // Neither without the other.
      ['amount', BAD_DECIMAL],
      ['currency', BAD_CURRENCY],
      ['increment_id', optional(BAD_TEXT)],
      ['reason', [...optional(NO_CODE), 'timeout', 'TIMEOUT']],
    ],
  },
  clearings: {
    body: async () =>
      clearingOf(card, await card.hold('1.00'), '1.00', {
        final: true,
        card_number: card.number,
        channel: 'POS',
        merchant: MERCHANT,
      }),
    fields: [
      ['external_transaction_id', BAD_TEXT],
      ['clearing_id', BAD_TEXT],
      ['amount', BAD_DECIMAL],
      ['currency', BAD_CURRENCY],
      ['bill_amount', [...BAD_DECIMAL, '1.01']],
      ['bill_currency', [...BAD_CURRENCY, 'USD']],
      ['final', BAD_FLAG],
      ['card_number', optional(BAD_NUMBER)],
      ['channel', optional(BAD_CHANNEL)],
      ['merchant', optional(BAD_MERCHANT)],
      ...MERCHANT_FIELDS,
    ],
  },
  refunds: {
    body: async () =>
      refundOf(card, '1.00', {
        card_number: card.number,
        external_transaction_id: 'net-unheard',
        channel: 'POS',
        merchant: MERCHANT,
      }),
    fields: [
      ['refund_id', BAD_TEXT],
      ['external_transaction_id', optional(BAD_TEXT)],
      ['amount', BAD_DECIMAL],
      ['currency', BAD_CURRENCY],
      ['bill_amount', [...BAD_DECIMAL, '0', '0.00', '1.01']],
      ['bill_currency', [...BAD_CURRENCY, 'USD']],
      ['card_number', BAD_NUMBER],
      ['channel', optional(BAD_CHANNEL)],
      ['merchant', optional(BAD_MERCHANT)],
      ...MERCHANT_FIELDS,
    ],
  },
};
const NETWORK_PATHS = Object.keys(MESSAGES) as NetworkPath[];
const CASES = NETWORK_PATHS.flatMap((name) =>
  MESSAGES[name].fields.map((field) => [name, ...field] as const),
);

describe('every invalid value of every field: 400 with the field’s name, and no row is written', () => {
  test.each(CASES)('%s: %s', async (name, path, values) => {
    const good = await MESSAGES[name].body();
    const before = await fingerprint();
    const answers = await Promise.all(
      values.map(async (value) => {
        const { status, body } = await card.send(
          name,
          withValue(good, path, value === ABSENT ? undefined : value),
        );
        const { message, ...rest } = body;
        const named = typeof message === 'string' && message.startsWith(`${path}: `);
        const silent = !message?.includes(card.number);
        return [value, status, rest, named || message, silent];
      }),
    );
    const refused = { code: 400, status: 'failed' };
    expect(answers).toEqual(values.map((value) => [value, 400, refused, true, true]));
    expect(await fingerprint()).toEqual(before);
    // Nothing but that field was in the way.
    expect((await card.send(name, good)).status).toBe(200);
    expect(await fingerprint()).not.toEqual(before);
  });
});

describe('amounts that are valid for their field but not for their currency', () => {
  test.each([
    ['JPY', '1.0'],
    ['JPY', '1000000000000000'],
    ['EUR', '1.000'],
    ['KWD', '1.0000'],
    ['KWD', '1000000000000.000'],
    ['CLF', '1.00000'],
    ['CLF', '100000000000.0000'],
  ])('%s %s', async (currency, amount) => {
    const before = await fingerprint();
    const request = authorizationOf(card, amount, { currency, bill_amount: '1.00' });
    const { status, body } = await card.send('authorizations', request);
    expect([status, body.message]).toEqual([400, expect.stringMatching(/^amount: must /)]);
    expect(await fingerprint()).toEqual(before);
  });

  test.each<[string, object, string]>([
    ['abroad without a bill amount', { currency: 'USD' }, 'bill_amount'],
    ['abroad with a bill currency alone', { currency: 'USD', bill_currency: 'EUR' }, 'bill_amount'],
    [
      "a bill in another currency than the card's",
      { bill_amount: '1.00', bill_currency: 'USD' },
      'bill_currency',
    ],
    ['a bill for nothing', { amount: '0', bill_amount: '0.01' }, 'bill_amount'],
  ])('%s', async (_name, changes, field) => {
    const before = await fingerprint();
    const { status, body } = await card.send('authorizations', {
      ...authorizationOf(card, '1.00'),
      ...changes,
    });
    expect([status, body.message]).toEqual([400, expect.stringMatching(new RegExp(`^${field}: `))]);
    expect(await fingerprint()).toEqual(before);
  });
});

describe('a card number in another field: 400, and it is neither stored nor repeated', () => {
  const FIELDS: Array<[NetworkPath, string]> = [
    ['authorizations', 'external_transaction_id'],
    ['increments', 'external_transaction_id'],
    ['increments', 'increment_id'],
    ['reversals', 'external_transaction_id'],
    ['reversals', 'clearing_id'],
    ['reversals', 'refund_id'],
    ['reversals', 'reversal_id'],
    ['clearings', 'external_transaction_id'],
    ['clearings', 'clearing_id'],
    ['refunds', 'external_transaction_id'],
    ['refunds', 'refund_id'],
  ];
  const refusalOf = async (name: NetworkPath, path: string, text: string): Promise<unknown[]> => {
    const good = await MESSAGES[name].body();
    const before = await fingerprint();
    const { status, body } = await card.send(name, withValue(good, path, text));
    const untouched = JSON.stringify(await fingerprint()) === JSON.stringify(before);
    return [name, status, body.message, untouched];
  };
  const refused = (name: NetworkPath, path: string) => [
    name,
    400,
    `${path}: must not contain a card number`,
    true,
  ];

  test.each(FIELDS)('%s: %s', async (name, path) => {
    for (const text of [card.number, `Pay ${card.number}`, `x${card.number}x`])
      expect(await refusalOf(name, path, text)).toEqual(refused(name, path));
  });

  const inGroups = (mark: string) => (card.number.match(/.{4}/g) ?? []).join(mark);

  test('also written in groups', async () => {
    for (const [name, path] of FIELDS)
      for (const mark of SEPARATORS)
        expect(await refusalOf(name, path, `Pay ${inGroups(mark)}`)).toEqual(refused(name, path));
  });

  test('in the merchant’s description it is masked: no authorization is refused because of it', async () => {
    for (const text of [card.number, ...SEPARATORS.map(inGroups)]) {
      const merchant = { ...MERCHANT, id: `m ${text}`, name: `Pay ${text}`, city: text };
      const { transaction_id, approved } = await card.authorize('0.01', { merchant });
      expect(approved).toBe(true);
      const kept = await app.sql(
        'select merchant_id as id, merchant_name as name, merchant_city as city from transactions where id = $1',
        [transaction_id],
      );
      expect(kept).toEqual([{ id: 'm [card number]', name: 'Pay [card number]', city: '[card number]' }]);
    }
  });

  test('a long id that is not a number of the program is accepted', async () => {
    // Another issuer's, and one of the program's BIN whose check digit is wrong.
    const wrongDigit = `${card.number.slice(0, -1)}${(Number(card.number.at(-1)) + 1) % 10}`;
    for (const id of ['4111111111111111', wrongDigit]) {
      const merchant = { ...MERCHANT, id };
      const answer = await card.authorize('0.01', { external_transaction_id: `${id}-x`, merchant });
      expect(answer).toMatchObject({ approved: true, external_transaction_id: `${id}-x` });
    }
  });
});

describe('requests that are not messages', () => {
  test.each<[string, string | undefined]>([
    ['no body', undefined],
    ['no JSON', '{"amount": '],
    ['a list', '[]'],
    ['a text', '"1.00"'],
    ['null', 'null'],
    ['a number', '1e3'],
  ])('%s: 400', async (_name, raw) => {
    const before = await fingerprint();
    for (const name of NETWORK_PATHS) {
      const options = { key: null, networkKey: app.networkKey, ...(raw === undefined ? {} : { raw }) };
      const { status, body } = await app.call('POST', `/api/v1/network/${name}/`, options);
      expect([status, body]).toEqual([
        400,
        { code: 400, message: expect.stringMatching(/^body: /), status: 'failed' },
      ]);
    }
    expect(await fingerprint()).toEqual(before);
  });

  test('the largest JSON number is not an amount', async () => {
    const raw = JSON.stringify(authorizationOf(card, 'AMOUNT')).replace('"AMOUNT"', '1e400');
    const options = { key: null, networkKey: app.networkKey, raw };
    const { status, body } = await app.call('POST', '/api/v1/network/authorizations/', options);
    expect([status, body.message]).toEqual([400, 'amount: must be a string']);
  });
});

describe('the largest accepted values', () => {
  test('ids and names of 255 characters, also outside the basic plane', async () => {
    const wide = '😀'.repeat(254);
    const merchant = { id: `${wide}a`, name: `${wide}b`, mcc: '0000', city: `${wide}c`, country: 'GBR' };
    const id = `${wide}d`;
    const answer = await card.send(
      'authorizations',
      authorizationOf(card, '1.00', { external_transaction_id: id, merchant }),
    );
    expect([answer.status, answer.body.external_transaction_id]).toEqual([200, id]);
    const clearing = await card.send('clearings', clearingOf(card, id, '1.00', { clearing_id: `${wide}e` }));
    expect([clearing.status, clearing.body.clearing_id]).toEqual([200, `${wide}e`]);
  });

  test('leading zeros, and fewer decimals than the currency has', async () => {
    for (const amount of ['1', '1.0', '001.00', '000000000000000000000001'])
      expect(await card.authorize(amount)).toMatchObject({
        approved: true,
        bill_amount: '1.00',
      });
  });
});
