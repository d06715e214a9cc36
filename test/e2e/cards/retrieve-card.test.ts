import { beforeAll, describe, expect, test } from 'vitest';
import { isLuhn } from '../../../src/kernel/luhn.ts';
import { cardRows } from '../../support/cards/card-rows.ts';
import { credentialsOf, retrieve } from '../../support/cards/card-states.ts';
import { businessCard, CARDS, consumerCard, createCard, withValue } from '../../support/cards/cards.ts';
import { setClock } from '../../support/server/clock.ts';
import { type Answer, appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
beforeAll(async () => {
  await setClock(app, '2095-01-31T12:00:00Z');
});

const NO_CONTROLS = {
  transactionLimit: null,
  dailyLimit: null,
  monthlyLimit: null,
  allTimeLimit: null,
  allowedMccs: [],
  blockedMccs: [],
  temporaryLimits: { transactionLimit: null, dailyLimit: null, monthlyLimit: null },
};
const create = async (body: object, key = app.key) => (await app.call('POST', CARDS, { body, key })).body;

describe('retrieve', () => {
  test('a consumer’s virtual card, with all fields', async () => {
    const created = await create(consumerCard());
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      currency: 'EUR',
      lastFour: expect.stringMatching(/^\d{4}$/),
      externalCustomerId: 'customer-42',
      cardholderName: 'Ada Lovelace',
      cardName: 'ADA LOVELACE',
      cardDesign: 'black',
      cardType: 'virtual',
      status: 'ACTIVE',
      created: expect.stringMatching(/^2095-01-31T12:\d\d:\d\d\+0000$/),
    });
    expect(await retrieve(app, created.id)).toEqual({
      ...created,
      statusReason: null,
      availableCredit: 250,
      spendLimit: 250,
      expiryDate: '2098-01-31',
      spendControls: NO_CONTROLS,
      usage: null,
      replaces: null,
      replacedBy: null,
      shipment: null,
      meta: {
        id: 'customer-42',
        otpPhoneNumber: { dialCode: 44, phoneNumber: '7700900123' },
        email: 'ada@example.com',
      },
      metadata: {},
    });
  });

  test('a business’s physical card, with its shipment', async () => {
    const created = await create(
      businessCard({ cardType: 'physical', expiryDate: '2095-02-28', spendLimit: 0.1 }),
    );
    const card = await retrieve(app, created.id);
    expect(card).toMatchObject({
      ...created,
      cardholderName: 'Analytical Engines Ltd',
      cardType: 'physical',
      expiryDate: '2095-02-28',
      availableCredit: 0.1,
      spendLimit: 0.1,
    });
    expect(card.shipment).toEqual({ status: 'ORDERED', cardDesign: 'black', created: created.created });
  });

  test.each([
    ['null', null],
    ['absent', undefined],
  ])('meta.email %s is returned as null', async (_name, email) => {
    const { id } = await create(withValue(consumerCard(), 'meta.email', email));
    expect((await retrieve(app, id)).meta.email).toBeNull();
  });

  test('unknown fields are not returned', async () => {
    const { id } = await create(withValue(consumerCard(), 'meta.nickname', 'Countess'));
    expect(Object.keys((await retrieve(app, id)).meta).sort()).toEqual(['email', 'id', 'otpPhoneNumber']);
  });

  test.each([
    ['EUR', undefined, 0],
    ['EUR', 0, 0],
    ['EUR', 1234.56, 1234.56],
    ['JPY', 5000, 5000],
    ['KWD', 1.234, 1.234],
    ['CLF', 0.0001, 0.0001],
    ['EUR', 9_999_999_999_999.99, 9_999_999_999_999.99],
  ])('%s, spendLimit %s: availableCredit and spendLimit are %s', async (currency, spendLimit, amount) => {
    const { key } = await app.addProgram({ currency });
    const { id } = await create(withValue(consumerCard(), 'spendLimit', spendLimit), key);
    expect(await retrieve(app, id, key)).toMatchObject({
      currency,
      availableCredit: amount,
      spendLimit: amount,
    });
  });

  test('two cards of one cardholder are separate', async () => {
    const [first, second] = [await createCard(app), await createCard(app)];
    expect(first.id).not.toBe(second.id);
    const rows = await Promise.all([first, second].map(({ id }) => cardRows(app, id)));
    expect(rows[0]?.card['cardholderId']).toBe(rows[1]?.card['cardholderId']);
  });
});

describe('credentials', () => {
  test('are available immediately: a number of the program’s BIN with expiry and CVV', async () => {
    const { key } = await app.addProgram({ bin: '99990123' });
    await setClock(app, '2095-01-31T12:00:00Z', key);
    for (const cardType of ['virtual', 'physical']) {
      const { id, lastFour } = await createCard(app, { cardType, expiryDate: '2097-06-05' }, key);
      const { status, body, headers } = await app.call('GET', `${CARDS}${id}/credentials/`, { key });
      expect([status, body]).toEqual([
        200,
        {
          cardNumber: expect.stringMatching(/^99990123\d{8}$/),
          cvv: expect.stringMatching(/^\d{3}$/),
          expiryMonth: 6,
          expiryYear: 2097,
          expiryDate: '2097-06-05',
        },
      ]);
      expect(isLuhn(body.cardNumber)).toBe(true);
      expect(body.cardNumber.slice(-4)).toBe(lastFour);
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  test('are the same each time, and each time is audited with the actor', async () => {
    const { id } = await createCard(app);
    const before = await cardRows(app, id);
    const answers: Answer[] = [];
    for (let round = 0; round < 3; round++) answers.push(await app.call('GET', `${CARDS}${id}/credentials/`));
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => answers[0]?.body));
    const after = await cardRows(app, id);
    expect({ ...after, audits: before.audits }).toEqual(before);
    const revealed = after.audits.slice(before.audits.length);
    expect(revealed).toEqual(
      answers.map(({ headers }) => ({
        ...before.audits[0],
        name: 'card.credentials_revealed',
        requestId: headers.get('x-request-id'),
        before: null,
        after: { credentialId: before.card['credentialId'] },
        transaction: expect.any(String),
      })),
    );
  });

  test('belong to one card: no two cards share a number', async () => {
    const cards = await Promise.all(Array.from({ length: 20 }, () => createCard(app)));
    const numbers = await Promise.all(cards.map(async ({ id }) => (await credentialsOf(app, id)).cardNumber));
    expect(new Set(numbers).size).toBe(20);
  });

  test('stay readable on a frozen, blocked and expired card', async () => {
    const { id } = await createCard(app, { expiryDate: '2095-02-28' });
    const first = await credentialsOf(app, id);
    await app.call('PUT', `${CARDS}${id}/freeze/`, { body: { freeze: true } });
    expect(await credentialsOf(app, id)).toEqual(first);
    await setClock(app, '2095-03-01T12:00:00Z');
    expect(await credentialsOf(app, id)).toEqual(first);
    await app.call('PUT', `${CARDS}${id}/block/`, { body: { reason: 'lost' } });
    expect(await credentialsOf(app, id)).toEqual(first);
  });

  test('need the scope: without it 403, and only the refusal is audited', async () => {
    const { id } = await createCard(app);
    const { key } = await app.addKey(app.program.id, ['read', 'write']);
    const before = await cardRows(app, id);
    const { status, body } = await app.call('GET', `${CARDS}${id}/credentials/`, { key });
    expect([status, body]).toEqual([
      403,
      { code: 403, message: expect.stringMatching(/credentials/), status: 'failed' },
    ]);
    const after = await cardRows(app, id);
    expect(after).toEqual({ ...before, audits: [...before.audits, after.audits.at(-1)] });
    expect(after.audits.at(-1)).toMatchObject({ name: 'card.reveal_refused', after: { cause: 'scope' } });
  });
});
