import { beforeAll, describe, expect, test } from 'vitest';
import { type CardRows, cardRows, leavesOf } from '../../support/cards/card-rows.ts';
import { CARDS, createCard, shippingInformation, withValue } from '../../support/cards/cards.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
let physical: string;
let virtual: string;
/** A physical and a virtual card that only ever meet refusals, with their rows from the start. */
let untouched: Map<string, CardRows>;
beforeAll(async () => {
  physical = (await createCard(app, { cardType: 'physical' })).id;
  virtual = (await createCard(app)).id;
  untouched = new Map();
  for (const cardType of ['physical', 'virtual']) {
    const { id } = await createCard(app, { cardType });
    untouched.set(id, await cardRows(app, id));
  }
});

/** IDENTICAL orders another plastic and touches nothing else, so one card serves every row. */
const ship = (id: string, shipping: unknown) =>
  app.call('PUT', `${CARDS}${id}/replace/`, {
    body: { renewOption: 'IDENTICAL_TO_THE_CURRENT_CARD', shippingInformation: shipping },
  });

/** Refused on a physical and on a virtual card alike: what is given is checked, also where it is not needed. */
async function expectRefused(shipping: unknown, path: string): Promise<void> {
  for (const [id, before] of untouched) {
    const answer = await ship(id, shipping);
    expect(answer).toMatchObject({ status: 400, body: { code: 400, status: 'failed' } });
    expect(answer.body.message.startsWith(`${path}: `), answer.body.message).toBe(true);
    expect(await cardRows(app, id)).toEqual(before);
  }
}

async function expectAccepted(shipping: unknown): Promise<void> {
  for (const id of [physical, virtual]) {
    const answer = await ship(id, shipping);
    expect([answer.status, answer.body]).toEqual([200, { message: expect.stringMatching(/./) }]);
  }
}

const refused = (field: string, value: unknown) =>
  expectRefused(withValue(shippingInformation(), field, value), `shippingInformation.${field}`);
const accepted = (field: string, value: unknown) =>
  expectAccepted(withValue(shippingInformation(), field, value));

const ADDRESS = 'shippingAddress';
const REQUIRED = [
  ADDRESS,
  `${ADDRESS}.line1`,
  `${ADDRESS}.city`,
  `${ADDRESS}.postalCode`,
  `${ADDRESS}.country`,
  'recipientFirstName',
  'recipientLastName',
  'recipientPhoneNumber',
  'recipientDialCode',
  'recipientEmail',
  'cardDesign',
];
const OPTIONAL = [`${ADDRESS}.line2`, `${ADDRESS}.zone`];
const TEXTS = REQUIRED.filter((field) => ![ADDRESS, 'recipientDialCode'].includes(field));

test('the example is accepted', () => expectAccepted(shippingInformation()));

test.each([null, 'London', 7, [], true])('shippingInformation %j is not an object: 400', async (value) => {
  const answer = await ship(virtual, value);
  expect(answer).toMatchObject({ status: 400, body: { code: 400 } });
  expect(answer.body.message).toMatch(/^shippingInformation(\.shippingAddress)?: /);
});

describe('required fields', () => {
  test.each(REQUIRED)('%s missing: 400', (field) => refused(field, undefined));
  test.each(REQUIRED)('%s null: 400', (field) => refused(field, null));
  test.each(TEXTS)('%s empty or blank: 400', async (field) => {
    await refused(field, '');
    await refused(field, '  ');
  });
  test.each(TEXTS)('%s as a number: 400', (field) => refused(field, 44));
});

describe('optional fields', () => {
  test.each(OPTIONAL)('%s can be absent, null, empty and long', async (field) => {
    for (const value of [undefined, null, '', 'Flat 3', 'x'.repeat(500)]) await accepted(field, value);
  });
  test.each(OPTIONAL)('%s as a number: 400', (field) => refused(field, 3));
});

describe('limits', () => {
  test.each([
    ['line1', 50],
    ['city', 20],
    ['postalCode', 10],
  ])('%s: %i characters are the limit', async (field, limit) => {
    await accepted(`${ADDRESS}.${field}`, '1');
    await accepted(`${ADDRESS}.${field}`, '1'.repeat(limit));
    await refused(`${ADDRESS}.${field}`, '1'.repeat(limit + 1));
  });
});

describe('characters of address text', () => {
  const FIELDS = ['line1', 'line2', 'zone', 'city'].map((field) => `${ADDRESS}.${field}`);
  const FORBIDDEN = [...";:!?<>~\\%^@{}|[]'"];
  /** Outside ASCII 33 to 122, but for the space. */
  const OUTSIDE = ['\t', '\n', '\u007f', '\u0000', 'é', 'ß', '’', '”', '東', '😀', '\u00a0'];
  const ALLOWED = Array.from({ length: 122 - 33 + 1 }, (_, index) => String.fromCharCode(33 + index)).filter(
    (character) => !FORBIDDEN.includes(character),
  );

  test.each(FORBIDDEN)('%s is forbidden in every field', async (character) => {
    for (const field of FIELDS) await refused(field, `High ${character} Street`);
  });
  test.each(OUTSIDE.map((character) => [JSON.stringify(character), character]))(
    '%s is not allowed',
    async (_name, character) => {
      for (const field of FIELDS) await refused(field, `A${character}B`);
    },
  );
  test('all other characters from ASCII 33 to 122 are allowed', async () => {
    expect(ALLOWED).toHaveLength(90 - FORBIDDEN.filter((character) => character <= 'z').length);
    for (let from = 0; from < ALLOWED.length; from += 20)
      for (const field of FIELDS) await accepted(field, ALLOWED.slice(from, from + 20).join(''));
  });
  test('spaces are allowed anywhere', async () => {
    for (const field of FIELDS) await accepted(field, ' 1  High Street ');
  });
});

describe('postal code', () => {
  test.each(['SW1Y 4JH', '12345-6789', 'abcdefghij', 'XYZ', '0', 'A - 9'])('%s is accepted', (code) =>
    accepted(`${ADDRESS}.postalCode`, code),
  );
  test.each(['12_34', '12.34', '12/34', '12,34', '#12', 'É12', "1'2", '1\t2', '12+3', '(12)'])(
    '%s: 400',
    (code) => refused(`${ADDRESS}.postalCode`, code),
  );
});

describe('country', () => {
  test.each(['GB', 'DE', 'US', 'TW', 'AX', 'ZW'])('%s is accepted', (code) =>
    accepted(`${ADDRESS}.country`, code),
  );
  test.each(['gb', 'Gb', 'GBR', 'UK', 'EU', 'XK', 'XX', 'ZZ', 'G', 'GB ', '826'])('%s: 400', (code) =>
    refused(`${ADDRESS}.country`, code),
  );
});

describe('recipient', () => {
  test.each([1, 44, 9999])('dial code %i is accepted', (code) => accepted('recipientDialCode', code));
  test.each([0, -1, 10_000, 4.5, '44', '+44', true])('dial code %j: 400', (code) =>
    refused('recipientDialCode', code),
  );
  test.each(['1234', '7700900123', '123456789012345', '(0)20 7946-0958'])('phone %s is accepted', (phone) =>
    accepted('recipientPhoneNumber', phone),
  );
  test.each(['123', '1234567890123456', 'call me', '77009x0123'])('phone %s: 400', (phone) =>
    refused('recipientPhoneNumber', phone),
  );
  test.each(['ada', 'ada@', '@example.com', 'ada lovelace@example.com', 'a@b@c'])('e-mail %s: 400', (email) =>
    refused('recipientEmail', email),
  );
  test('names have no limit and no forbidden characters', async () => {
    for (const name of ["D'Arcy-Müller", '李', 'x'.repeat(300)]) {
      await accepted('recipientFirstName', name);
      await accepted('recipientLastName', name);
    }
  });
});

describe('cardDesign', () => {
  test('unknown, or in another case: 400', async () => {
    for (const design of ['no-such', 'BLACK', 'black ']) await refused('cardDesign', design);
  });
  test('out of stock: 400 for a physical card; a virtual card needs no stock', async () => {
    const before = await cardRows(app, physical);
    const answer = await ship(physical, shippingInformation({ cardDesign: 'sold-out' }));
    expect(answer).toMatchObject({ status: 400, body: { code: 400 } });
    expect(answer.body.message).toMatch(/^shippingInformation\.cardDesign: /);
    expect(await cardRows(app, physical)).toEqual(before);
    expect((await ship(virtual, shippingInformation({ cardDesign: 'sold-out' }))).status).toBe(200);
  });
  test('a different design of the program replaces the card’s, on the card and on its shipment', async () => {
    const { id } = await createCard(app, { cardType: 'physical' });
    await app.db.query({ text: "update card_designs set stock = true where id = 'sold-out'" });
    expect((await ship(id, shippingInformation({ cardDesign: 'sold-out' }))).status).toBe(200);
    const { body } = await app.call('GET', `${CARDS}${id}/`);
    expect(body).toMatchObject({
      cardDesign: 'sold-out',
      shipment: { cardDesign: 'sold-out', status: 'ORDERED' },
    });
  });
});

test('the events, the audit and plain columns contain nothing of the address', async () => {
  const text = leavesOf(await cardRows(app, physical)).join('\n');
  for (const value of ['St James Square', 'SW1Y 4JH', '7700900123', 'ada@example.com', 'Lovelace'])
    expect(text).not.toContain(value);
});
