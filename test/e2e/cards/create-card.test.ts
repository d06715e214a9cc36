import { beforeAll, describe, expect, test, vi } from 'vitest';
import { businessCard, CARDS, consumerCard, rowsWritten, withValue } from '../../support/cards/cards.ts';
import { holdTable } from '../../support/database/hold-table.ts';
import { setClock } from '../../support/server/clock.ts';
import { type Answer, appForTests } from '../../support/server/test-app.ts';

const app = appForTests();

const create = (body: unknown, key = app.key): Promise<Answer> => app.call('POST', CARDS, { body, key });

function expectRefusal(answer: Answer, message: string): void {
  expect(answer.body).toEqual({ code: 400, message, status: 'failed' });
  expect(answer.status).toBe(400);
}

/** A value of a field and the rule it breaks; without a rule it is accepted. */
type Case = readonly [what: string, value: unknown, rule?: string];

const missing: Case = ['missing', undefined, 'is required'];
const optional: Case = ['missing', undefined];
const notA = (rule: string, ...values: unknown[]): Case[] =>
  values.map((value) => [JSON.stringify(value), value, rule] as const);

const string = (): Case[] => notA('must be a string', null, 5, true, [], {});
const requiredString = (): Case[] => [
  missing,
  ...string(),
  ['empty', '', 'must not be empty'],
  ['blank', '  ', 'must not be empty'],
];
/** Characters are counted as a reader counts them: one outside the basic plane is one, not two. */
const atMost = (max: number): Case[] => [
  [`${max} characters`, 'n'.repeat(max)],
  [`${max} astral characters`, '𝒜'.repeat(max)],
  [`${max + 1} characters`, 'n'.repeat(max + 1), `must be at most ${max} characters`],
  [`${max + 1} astral characters`, '𝒜'.repeat(max + 1), `must be at most ${max} characters`],
];
/** Where the specification sets no limit, a long text passes. */
const unlimited: Case = ['300 characters', 'n'.repeat(300)];
const object = (): Case[] => [missing, ...notA('must be an object', null, 'x', 5, [])];
const oneOf = (...values: string[]): Case[] => {
  const wrong = [null, 5, true, '', 'other', `${values[0]} `, values[0]?.toUpperCase()];
  return [
    missing,
    ...notA(`must be one of ${values.join(', ')}`, ...wrong),
    ...values.map((value) => [value, value] as const),
  ];
};

const countryRule = 'must be an ISO 3166-1 alpha-3 country code in upper case';
const country: Case[] = [
  missing,
  ...string(),
  ['alpha-3', 'DEU'],
  ['alpha-3 of a small country', 'LIE'],
  ['lower case', 'deu', countryRule],
  ['mixed case', 'Deu', countryRule],
  ['alpha-2', 'DE', countryRule],
  ['numeric', '276', countryRule],
  ['unknown', 'XXX', countryRule],
  ['empty', '', countryRule],
  ['with a space', 'DEU ', countryRule],
];
const line2 = (): Case[] => [missing, ...string(), ['empty', '']];
const postalCode: Case[] = [optional, ...string(), ['empty', ''], ['text', 'SW1Y 4JH']];

const dateRule = 'must be a valid date, as YYYY-MM-DD';
const badDates: Case[] = notA(
  dateRule,
  '',
  '2023-02-29',
  '2023-13-01',
  '2023-00-10',
  '2023-04-31',
  '0000-01-01',
  '1990-1-1',
  '10.12.1990',
  '19901210',
  '1990-12-10T00:00:00Z',
  ' 1990-12-10',
  'yesterday',
);

const emailRule = 'must be an e-mail address';
const nameRule = 'must not be blank or contain any of ; : ! ? < > ~ \\ % @ { } | [ ] ” _';
const phoneRule = 'must be 4 to 15 digits';

const fields: Record<string, Case[]> = {
  kycApplicantId: [...requiredString(), unlimited],
  cardType: oneOf('physical', 'virtual'),
  preferredCardName: [
    missing,
    ...string(),
    ['empty', '', 'must not be empty'],
    ['blank', '  ', nameRule],
    ...atMost(27),
    ...[...';:!?<>~\\%@{}|[]”_'].map((sign) => [`with ${sign}`, `ADA ${sign} L`, nameRule] as const),
    ...[...'\'"“`^#$&()*+,-./=é漢😀'].map((sign) => [`with ${sign}`, `ADA ${sign} L`] as const),
  ],
  spendLimit: [
    optional,
    ...notA('must be a number', null, '5', true, [], {}),
    ['zero', 0],
    ['negative', -0.01, 'must be at least 0'],
    ['far below zero', -1e300, 'must be at least 0'],
  ],
  customerType: oneOf('Consumer', 'Business').filter(([what]) => what !== 'Business'),
  kyc: object(),
  'kyc.firstName': [...requiredString(), ...atMost(20)],
  'kyc.lastName': [...requiredString(), ...atMost(20)],
  'kyc.dob': [missing, ...string(), ...badDates, ['leap day', '2024-02-29'], ['long ago', '0001-01-01']],
  'kyc.residentialAddress': object(),
  'kyc.residentialAddress.idDocumentType': [...requiredString(), unlimited],
  'kyc.residentialAddress.idDocumentNumber': [...requiredString(), ...atMost(255)],
  'kyc.residentialAddress.line1': [...requiredString(), ...atMost(255)],
  'kyc.residentialAddress.line2': [...line2(), ...atMost(255)],
  'kyc.residentialAddress.city': [...requiredString(), ...atMost(255)],
  'kyc.residentialAddress.country': country,
  'kyc.residentialAddress.postalCode': postalCode,
  expiryDate: [
    optional,
    ['null', null],
    ...notA('must be a string or null', 5, true, [], {}),
    ...badDates,
    ['long ago', '2020-01-01', 'must be at least one month from today'],
    ['far ahead', '9999-12-31'],
  ],
  meta: object(),
  'meta.id': [...requiredString(), unlimited],
  'meta.otpPhoneNumber': object(),
  'meta.otpPhoneNumber.dialCode': [
    missing,
    ...notA('must be a whole number', null, '44', 1.5, true),
    ['0', 0, 'must be at least 1'],
    ['-44', -44, 'must be at least 1'],
    ['1', 1],
    ['9999', 9999],
    ['10000', 10_000, 'must be at most 9999'],
  ],
  'meta.otpPhoneNumber.phoneNumber': [
    missing,
    ...string(),
    ['3 digits', '123', phoneRule],
    ['4 digits', '1234'],
    ['15 digits', '123456789012345'],
    ['16 digits', '1234567890123456', phoneRule],
    ...notA(phoneRule, '', '7700x00123', '+447700900123', '7700 900123', '٧٧٠٠٩٠٠', '77009001.3'),
  ],
  'meta.email': [
    optional,
    ['null', null],
    ...notA('must be a string or null', 5, true, [], {}),
    ...notA(emailRule, '', 'ada', 'ada@', '@example.com', 'a b@example.com', 'a@b@example.com'),
    ['plain', 'a@example.com'],
    ['tagged, not ASCII', 'ada+ä@exämple.com'],
  ],
  cardDesign: [
    optional,
    ...string(),
    ['empty', '', 'must not be empty'],
    ['unknown', 'no-such-design', 'is not a card design in this program'],
    ['other case', 'BLACK', 'is not a card design in this program'],
    ['out of stock, virtual card', 'sold-out'],
  ],
};

const businessFields: Record<string, Case[]> = {
  kyc: object(),
  'kyc.fullName': [...requiredString(), unlimited],
  'kyc.entityType': oneOf('personal', 'company'),
  'kyc.businessRegistrationNumber': [...requiredString(), unlimited],
  'kyc.businessOperationAddress': object(),
  'kyc.businessOperationAddress.line1': [...requiredString(), unlimited],
  'kyc.businessOperationAddress.line2': [...line2(), unlimited],
  'kyc.businessOperationAddress.city': [...requiredString(), unlimited],
  'kyc.businessOperationAddress.country': country,
  'kyc.businessOperationAddress.postalCode': postalCode,
};

const flatten = (table: Record<string, Case[]>, from: () => object) =>
  Object.entries(table).flatMap(([field, cases]) =>
    cases.map(([what, value, rule]) => ({ field, what, value, rule, from })),
  );
const rows = [...flatten(fields, consumerCard), ...flatten(businessFields, businessCard)];

describe('every field of the specification', () => {
  describe('with a valid value is accepted', () => {
    test.each(rows.filter(({ rule }) => rule === undefined))('$field: $what', async (row) => {
      const answer = await create(withValue(row.from(), row.field, row.value));
      expect(answer.body).toMatchObject({ status: 'ACTIVE' });
      expect(answer.status).toBe(201);
    });
  });

  describe('with an invalid value is refused with its path and the rule, and nothing is written', () => {
    let before: unknown;
    beforeAll(async () => {
      before = await rowsWritten(app);
    });
    test.each(rows.filter(({ rule }) => rule !== undefined))('$field: $what $rule', async (row) => {
      expectRefusal(await create(withValue(row.from(), row.field, row.value)), `${row.field}: ${row.rule}`);
    });
    test('cardDesign: a physical card of a design out of stock', async () => {
      const body = consumerCard({ cardType: 'physical', cardDesign: 'sold-out' });
      expectRefusal(await create(body), 'cardDesign: is out of stock');
    });
    test('kyc: of the other customer type', async () => {
      const { kyc } = businessCard();
      expectRefusal(await create(consumerCard({ kyc })), 'kyc.firstName: is required');
      expectRefusal(await create(businessCard({ kyc: consumerCard().kyc })), 'kyc.fullName: is required');
    });
    test('nothing is written', async () => {
      expect(await rowsWritten(app)).toEqual(before);
    });
  });
});

describe('a card number of the program in another field: 400 with the field’s name, and no card', () => {
  const FIELDS: Array<[path: string, makeBody: typeof consumerCard]> = [
    ...[
      'kycApplicantId',
      'preferredCardName',
      'cardDesign',
      'meta.id',
      'meta.email',
      'kyc.firstName',
      'kyc.lastName',
      'kyc.residentialAddress.idDocumentType',
      'kyc.residentialAddress.idDocumentNumber',
      'kyc.residentialAddress.line1',
      'kyc.residentialAddress.line2',
      'kyc.residentialAddress.city',
      'kyc.residentialAddress.postalCode',
    ].map((path): [string, typeof consumerCard] => [path, consumerCard]),
    ...['kyc.fullName', 'kyc.businessRegistrationNumber', 'kyc.businessOperationAddress.line1'].map(
      (path): [string, typeof consumerCard] => [path, businessCard],
    ),
  ];
  const WRITTEN = ['9999000088077395', '9999.0000.8807.7395', '9999 0000 8807 7395', '9999-0000-8807-7395'];
  test.each(FIELDS)('%s', async (path, makeBody) => {
    const before = await rowsWritten(app);
    for (const written of WRITTEN) {
      const text = path === 'meta.email' ? `${written.replaceAll(' ', '.')}@example.com` : written;
      expectRefusal(
        await create(withValue(makeBody(), path, text)),
        `${path}: must not contain a card number`,
      );
    }
    expect(await rowsWritten(app)).toEqual(before);
  });

  test('with other separators, if the field accepts them', async () => {
    for (const written of [
      '9999_0000_8807_7395',
      '9999%200000%208807%207395',
      '\uff19\uff19\uff19\uff19/0000/8807/7395',
    ])
      for (const path of ['kycApplicantId', 'meta.id', 'kyc.residentialAddress.line1'])
        expectRefusal(
          await create(withValue(consumerCard(), path, `x ${written}`)),
          `${path}: must not contain a card number`,
        );
  });

  test('is accepted in ignored fields, and if it is not a number of the program', async () => {
    for (const changes of [
      { note: '9999000088077395' },
      { kycApplicantId: '9999000088077396' },
      { kycApplicantId: '4111111111111111' },
    ])
      expect((await create(consumerCard(changes))).status).toBe(201);
  });
});

describe('the response', () => {
  test('of a person’s card has exactly the ten fields', async () => {
    const before = Date.now();
    const { status, body } = await create(consumerCard({ cardDesign: 'sold-out' }));
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      currency: 'EUR',
      lastFour: expect.stringMatching(/^\d{4}$/),
      externalCustomerId: 'customer-42',
      cardholderName: 'Ada Lovelace',
      cardName: 'ADA LOVELACE',
      cardDesign: 'sold-out',
      cardType: 'virtual',
      status: 'ACTIVE',
      created: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+0000$/),
    });
    const created = Date.parse(body.created);
    expect(created).toBeGreaterThan(before - 1000);
    expect(created).toBeLessThanOrEqual(Date.now());
  });

  test('of a business’s card contains the name of the business', async () => {
    const { body } = await create(businessCard({ cardType: 'physical' }));
    expect(body).toMatchObject({
      cardholderName: 'Analytical Engines Ltd',
      cardName: 'ADA LOVELACE',
      externalCustomerId: 'customer-42',
      cardDesign: 'black',
      cardType: 'physical',
    });
  });

  test.each(['virtual', 'physical'])(
    '%s: number, CVV and expiry are available immediately',
    async (cardType) => {
      const { body: card } = await create(consumerCard({ cardType }));
      const { status, body } = await app.call('GET', `${CARDS}${card.id}/credentials/`);
      expect(status).toBe(200);
      expect(body.cardNumber).toMatch(new RegExp(`^999900\\d{6}${card.lastFour}$`));
      expect(body.cvv).toMatch(/^\d{3}$/);
      expect(body.expiryDate).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    },
  );

  test('two cards can have the same cardholder id', async () => {
    const [one, two] = [await create(consumerCard()), await create(consumerCard())];
    expect(one.body.externalCustomerId).toBe(two.body.externalCustomerId);
    expect(one.body.id).not.toBe(two.body.id);
  });

  test('unknown fields are ignored at every level and stored nowhere', async () => {
    let body: object = { ...consumerCard(), id: 'mine', status: 'BLOCKED', lastFour: '0000' };
    for (const path of ['kyc', 'kyc.residentialAddress', 'meta', 'meta.otpPhoneNumber'])
      body = withValue(body, `${path}.extra`, { unknown: ['yes', 1, null] });
    const { status, body: card } = await create(body);
    expect(status).toBe(201);
    expect(card).toMatchObject({ status: 'ACTIVE' });
    expect(card.id).not.toBe('mine');
    const stored = await app.vault.openRecords(app.db, app.program.id, 'application', [card.id]);
    expect(stored.get(card.id)).toEqual({
      kycApplicantId: 'applicant-1',
      kyc: consumerCard().kyc,
      meta: consumerCard().meta,
    });
  });
});

describe('spendLimit has at most the decimals of the program’s currency', () => {
  const programs: Record<string, { key: string }> = {};
  beforeAll(async () => {
    for (const currency of ['EUR', 'JPY', 'KWD']) programs[currency] = await app.addProgram({ currency });
  });

  test.each([
    ['EUR', '0', 0],
    ['EUR', '-0', 0],
    ['EUR', '0.01', 0.01],
    ['EUR', '0.29', 0.29],
    ['EUR', '1.10', 1.1],
    ['EUR', '1e2', 100],
    ['EUR', '9999999999999.99', 9999999999999.99],
    ['JPY', '0', 0],
    ['JPY', '1.0', 1],
    ['JPY', '999999999999999', 999999999999999],
    ['KWD', '0.001', 0.001],
    ['KWD', '4.935', 4.935],
    ['KWD', '999999999999.999', 999999999999.999],
  ])('%s %s is the opening balance', async (currency, text, spendLimit) => {
    const { key } = programs[currency] as { key: string };
    const raw = JSON.stringify(consumerCard()).replace('"spendLimit":250', `"spendLimit":${text}`);
    const { status, body } = await app.call('POST', CARDS, { raw, key });
    expect(status).toBe(201);
    const card = await app.call('GET', `${CARDS}${body.id}/`, { key });
    expect(card.body).toMatchObject({ currency, spendLimit, availableCredit: spendLimit });
  });

  test.each([
    ['EUR', '0.001', 'must have at most 2 decimals in EUR'],
    ['EUR', '0.30000000000000004', 'must have at most 2 decimals in EUR'],
    ['EUR', '1e-7', 'must have at most 2 decimals in EUR'],
    ['EUR', '10000000000000', 'must be at most 9999999999999.99'],
    ['EUR', '1e300', 'must be at most 9999999999999.99'],
    ['EUR', '1e400', 'must be a number'],
    ['EUR', '-1e400', 'must be a number'],
    ['JPY', '0.5', 'must have at most 0 decimals in JPY'],
    ['JPY', '1000000000000000', 'must be at most 999999999999999'],
    ['KWD', '0.0001', 'must have at most 3 decimals in KWD'],
    ['KWD', '1000000000000', 'must be at most 999999999999.999'],
  ])('%s %s %s', async (currency, text, rule) => {
    const { key } = programs[currency] as { key: string };
    const raw = JSON.stringify(consumerCard()).replace('"spendLimit":250', `"spendLimit":${text}`);
    expectRefusal(await app.call('POST', CARDS, { raw, key }), `spendLimit: ${rule}`);
  });

  test('absent means 0', async () => {
    const { body } = await create(withValue(consumerCard(), 'spendLimit', undefined));
    const card = await app.call('GET', `${CARDS}${body.id}/`);
    expect(card.body).toMatchObject({ spendLimit: 0, availableCredit: 0 });
  });
});

describe('dates follow program time', () => {
  let key: string;
  beforeAll(async () => {
    key = (await app.addProgram()).key;
  });

  /** In order: the clock only moves forward. */
  describe.each([
    { today: '2151-01-31', dayBefore: '2151-02-27', oneMonth: '2151-02-28', threeYears: '2154-01-31' },
    { today: '2151-03-31', dayBefore: '2151-04-29', oneMonth: '2151-04-30', threeYears: '2154-03-31' },
    { today: '2151-12-31', dayBefore: '2152-01-30', oneMonth: '2152-01-31', threeYears: '2154-12-31' },
    { today: '2152-01-31', dayBefore: '2152-02-28', oneMonth: '2152-02-29', threeYears: '2155-01-31' },
    { today: '2152-02-29', dayBefore: '2152-03-28', oneMonth: '2152-03-29', threeYears: '2155-02-28' },
  ])('on $today', ({ today, dayBefore, oneMonth, threeYears }) => {
    beforeAll(async () => {
      await setClock(app, `${today}T10:00:00Z`, key);
    });
    const expiryOf = async (changes: object) => {
      const { body } = await create(consumerCard({ ...changes }), key);
      expect(body.created).toMatch(today);
      return (await app.call('GET', `${CARDS}${body.id}/`, { key })).body.expiryDate;
    };

    test(`expiryDate ${oneMonth}, one month on, is accepted`, async () => {
      expect(await expiryOf({ expiryDate: oneMonth })).toBe(oneMonth);
    });
    test(`expiryDate ${dayBefore}, a day less, is refused`, async () => {
      const answer = await create(consumerCard({ expiryDate: dayBefore }), key);
      expectRefusal(answer, 'expiryDate: must be at least one month from today');
    });
    test(`expiryDate absent or null is ${threeYears}`, async () => {
      expect(await expiryOf({})).toBe(threeYears);
      expect(await expiryOf({ expiryDate: null })).toBe(threeYears);
    });
    test('dob must be in the past', async () => {
      const born = (dob: string) => create(withValue(consumerCard(), 'kyc.dob', dob), key);
      const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
      expect((await born(yesterday)).status).toBe(201);
      expectRefusal(await born(today), 'kyc.dob: must be in the past');
      expectRefusal(await born(threeYears), 'kyc.dob: must be in the past');
    });
  });

  test('a clock that moves while a card is created determines its date: a closed period stays closed', async () => {
    const designs = await holdTable(app.databaseUrl, 'card_designs');
    const creating = create(consumerCard(), key);
    await vi.waitFor(async () => expect(await designs.waiting()).toBe(1), { timeout: 60_000, interval: 20 });
    await setClock(app, '2152-04-01T00:00:00Z', key);
    await designs.release();
    expect((await creating).body.created).toMatch('2152-04-01');
  });
});
