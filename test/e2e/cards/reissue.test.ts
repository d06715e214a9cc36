import { beforeEach, describe, expect, test } from 'vitest';
import { isLuhn } from '../../../src/kernel/luhn.ts';
import { cardRows } from '../../support/cards/card-rows.ts';
import { act, cardIn, credentialsOf, retrieve, STATES, type State } from '../../support/cards/card-states.ts';
import { CARDS, createCard, shippingInformation } from '../../support/cards/cards.ts';
import { advanceDays, setClock } from '../../support/server/clock.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
let key: string;
beforeEach(async () => {
  // A program of its own, so that each test has its clock: noon of 31 January, three years before 2098-01-31.
  ({ key } = await app.addProgram());
  await setClock(app, '2095-01-31T12:00:00Z', key);
});

const reissue = (id: string, body: object = {}) => app.call('PUT', `${CARDS}${id}/replace/`, { body, key });
const virtualCard = () => createCard(app, {}, key);
const physicalCard = () => createCard(app, { cardType: 'physical' }, key);

const address = () => shippingInformation().shippingAddress;

const DEFAULT = 'NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE';
/** The specification's table; `custom` is the day the request gives. Today is 2095-02-10. */
const OPTIONS: Array<[option: string, number: 'same' | 'new', expiry: string, cvv: 'same' | 'new']> = [
  ['IDENTICAL_TO_THE_CURRENT_CARD', 'same', '2098-01-31', 'same'],
  ['CALCULATE_NEW_EXPIRY_DATE', 'same', '2098-02-10', 'new'],
  ['NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE', 'new', '2098-01-31', 'new'],
  ['NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE', 'new', '2098-02-10', 'new'],
  ['SAME_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY', 'same', '2096-06-30', 'new'],
  ['NEW_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY', 'new', '2096-06-30', 'new'],
];

describe('renewal options', () => {
  test.each(OPTIONS)('%s: number %s, expiry %s, CVV %s', async (renewOption, number, expiry, cvv) => {
    const { id } = await virtualCard();
    await advanceDays(app, 10, key);
    const custom = renewOption.endsWith('CUSTOM_EXPIRY') ? { expiryDate: '2096-06-30' } : {};
    const [old, before] = [await credentialsOf(app, id, key), await cardRows(app, id)];
    const answer = await reissue(id, { renewOption, ...custom });
    expect([answer.status, answer.body]).toEqual([200, { message: expect.stringMatching(/./) }]);
    const [renewed, after] = [await credentialsOf(app, id, key), await cardRows(app, id)];

    expect(renewed.cardNumber === old.cardNumber ? 'same' : 'new').toBe(number);
    expect(renewed.cvv === old.cvv ? 'same' : 'new').toBe(cvv);
    const [expiryYear, expiryMonth] = expiry.split('-').map(Number);
    expect(renewed).toMatchObject({ expiryDate: expiry, expiryYear, expiryMonth });
    expect(isLuhn(renewed.cardNumber)).toBe(true);
    const lastFour = renewed.cardNumber.slice(-4);
    expect(await retrieve(app, id, key)).toMatchObject({
      id,
      lastFour,
      expiryDate: expiry,
      status: 'ACTIVE',
    });

    // The old credential is still on record, untouched, and no longer the one the card names.
    const made = cvv === 'new' ? 1 : 0;
    expect(after.credentials).toHaveLength(1 + made);
    expect(after.credentials[0]).toEqual(before.credentials[0]);
    expect(after.card['credentialId']).toBe(after.credentials.at(-1)?.['id']);
    expect(after.shipments).toEqual([]);
    const numbers = after.sealed.filter(({ kind }) => kind === 'number');
    expect(numbers).toHaveLength(number === 'new' ? 2 : 1);
    if (made) expect(after.credentials[1]?.['transaction']).toBe(after.card['transaction']);
  });

  test(`the default is ${DEFAULT}`, async () => {
    const { id } = await virtualCard();
    const old = await credentialsOf(app, id, key);
    await advanceDays(app, 10, key);
    expect((await reissue(id)).status).toBe(200);
    const renewed = await credentialsOf(app, id, key);
    expect(renewed.cardNumber).not.toBe(old.cardNumber);
    expect(renewed.expiryDate).toBe('2098-02-10');
    const { audits } = await cardRows(app, id);
    expect(audits.find(({ name }) => name === 'card.reissued')?.after).toMatchObject({
      renewOption: DEFAULT,
    });
  });

  test.each([
    ['CALCULATE_NEW_EXPIRY_DATE', {}, 1],
    ['SAME_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY', { expiryDate: '2098-01-31' }, 1],
    [DEFAULT, {}, 31],
  ])(
    '%s repeatedly: each CVV differs from the previous one, without a pattern',
    async (renewOption, more, numbers) => {
      const { id } = await virtualCard();
      const seen = [await credentialsOf(app, id, key)];
      for (let round = 0; round < 30; round++) {
        await reissue(id, { renewOption, ...more });
        seen.push(await credentialsOf(app, id, key));
        expect(seen.at(-1)?.cvv).not.toBe(seen.at(-2)?.cvv);
      }
      expect(new Set(seen.map(({ cvv }) => cvv)).size).toBeGreaterThan(20);
      expect(new Set(seen.map(({ cardNumber }) => cardNumber)).size).toBe(numbers);
    },
  );

  test.each([['identical_to_the_current_card'], ['NEW_CARD'], [''], [null], [5]])(
    'option %j: 400, nothing changes',
    async (renewOption) => {
      const { id } = await virtualCard();
      const before = await cardRows(app, id);
      const answer = await reissue(id, { renewOption });
      expect(answer).toMatchObject({ status: 400, body: { code: 400, status: 'failed' } });
      expect(answer.body.message).toMatch(/^renewOption: /);
      expect(await cardRows(app, id)).toEqual(before);
    },
  );
});

describe('without a body', () => {
  const bare = (id: string) => app.call('PUT', `${CARDS}${id}/replace/`, { key });

  test('a virtual card is reissued with the default option', async () => {
    const { id } = await virtualCard();
    const old = await credentialsOf(app, id, key);
    expect(await bare(id)).toMatchObject({
      status: 200,
      body: { message: 'Card is reissued with new credentials' },
    });
    expect((await credentialsOf(app, id, key)).cardNumber).not.toBe(old.cardNumber);
  });

  test('a physical card: 400 that names shippingInformation, nothing changes', async () => {
    const { id } = await physicalCard();
    const before = await cardRows(app, id);
    const answer = await bare(id);
    expect(answer).toMatchObject({ status: 400, body: { code: 400, status: 'failed' } });
    expect(answer.body.message).toBe('shippingInformation: is required for a physical card');
    expect(await cardRows(app, id)).toEqual(before);
  });

  test.each(['null', '[]', '""', ' '])('the body %j is no missing body: 400', async (raw) => {
    const { id } = await virtualCard();
    const answer = await app.call('PUT', `${CARDS}${id}/replace/`, { raw, key });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^body: /) } });
  });
});

describe('custom expiry', () => {
  const CUSTOM = ['SAME_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY', 'NEW_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY'];
  const BAD_DATES: Array<[name: string, expiryDate: unknown]> = [
    ['a day under a month', '2095-02-27'],
    ['in the past', '2090-01-01'],
    ['a day that does not exist', '2095-02-29'],
    ['not a date', 'next year'],
    ['a moment', '2095-06-01T00:00:00Z'],
    ['empty', ''],
    ['null', null],
    ['a number', 20_950_601],
  ];
  test.each(CUSTOM)('%s without expiryDate: 400, nothing changes', async (renewOption) => {
    const { id } = await virtualCard();
    const before = await cardRows(app, id);
    const answer = await reissue(id, { renewOption });
    expect(answer).toMatchObject({ status: 400, body: { code: 400 } });
    expect(answer.body.message).toMatch(/^expiryDate: /);
    expect(await cardRows(app, id)).toEqual(before);
  });

  test.each(BAD_DATES)('%s: 400 with every option, required or not', async (_name, expiryDate) => {
    const { id } = await virtualCard();
    const before = await cardRows(app, id);
    for (const [renewOption] of OPTIONS) {
      const answer = await reissue(id, { renewOption, expiryDate });
      expect(answer).toMatchObject({ status: 400, body: { code: 400 } });
      expect(answer.body.message).toMatch(/^expiryDate: /);
    }
    expect(await cardRows(app, id)).toEqual(before);
  });

  test.each(CUSTOM)(
    '%s: exactly one calendar month is enough, 31 January to 28 February',
    async (renewOption) => {
      const { id } = await virtualCard();
      expect((await reissue(id, { renewOption, expiryDate: '2095-02-28' })).status).toBe(200);
      expect((await retrieve(app, id, key)).expiryDate).toBe('2095-02-28');
    },
  );

  test('a valid date that the option does not need is ignored', async () => {
    const { id } = await virtualCard();
    await reissue(id, { renewOption: 'CALCULATE_NEW_EXPIRY_DATE', expiryDate: '2096-06-30' });
    expect((await retrieve(app, id, key)).expiryDate).toBe('2098-01-31');
  });
});

describe('states', () => {
  test('a frozen card stays frozen with new credentials', async () => {
    const id = await cardIn(app, 'FROZEN', key);
    const old = await credentialsOf(app, id, key);
    expect((await reissue(id)).status).toBe(200);
    expect((await retrieve(app, id, key)).status).toBe('FROZEN');
    expect((await credentialsOf(app, id, key)).cardNumber).not.toBe(old.cardNumber);
  });

  test.each([
    ['CALCULATE_NEW_EXPIRY_DATE', {}, '2098-03-04'],
    [DEFAULT, {}, '2098-03-04'],
    ['SAME_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY', { expiryDate: '2095-04-04' }, '2095-04-04'],
    ['NEW_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY', { expiryDate: '2095-04-04' }, '2095-04-04'],
  ])('%s makes an expired card active', async (renewOption, more, expiryDate) => {
    const id = await cardIn(app, 'EXPIRED', key);
    expect((await retrieve(app, id, key)).status).toBe('EXPIRED');
    expect((await reissue(id, { renewOption, ...more })).status).toBe(200);
    expect(await retrieve(app, id, key)).toMatchObject({ status: 'ACTIVE', expiryDate });
  });

  test('a card that was frozen before it expired comes back frozen, and is active once it is unfrozen', async () => {
    const id = await cardIn(app, 'EXPIRED while FROZEN', key);
    expect((await retrieve(app, id, key)).status).toBe('EXPIRED');
    expect((await reissue(id)).status).toBe(200);
    expect((await retrieve(app, id, key)).status).toBe('FROZEN');
    const { audits, events } = await cardRows(app, id);
    expect(audits.at(-1)?.after).toMatchObject({ status: 'FROZEN' });
    expect(events.at(-1)).toMatchObject({ name: 'card.reissued', data: { status: 'FROZEN' } });
    await act(app, id, 'unfreeze', key);
    expect((await retrieve(app, id, key)).status).toBe('ACTIVE');
  });

  const blocked = (Object.keys(STATES) as State[]).filter((state) => state.startsWith('BLOCKED'));
  test.each(blocked)(
    '%s: refused with its code by every option, also for a physical card with shipping',
    async (state) => {
      const { code } = (await act(app, await cardIn(app, state, key), 'freeze', key)).body;
      const { id } = await physicalCard();
      await act(app, id, STATES[state][0] as string, key);
      const before = await cardRows(app, id);
      for (const [renewOption] of OPTIONS) {
        for (const shipping of [{}, { shippingInformation: shippingInformation() }]) {
          const answer = await reissue(id, { renewOption, expiryDate: '2096-06-30', ...shipping });
          expect(answer).toMatchObject({ status: 400, body: { code, status: 'failed' } });
        }
      }
      expect(await cardRows(app, id)).toEqual(before);
    },
  );
});

describe('physical cards', () => {
  test.each(OPTIONS)(
    '%s of a physical card orders a new plastic card',
    async (renewOption, _number, expiry) => {
      const { id } = await physicalCard();
      const first = (await retrieve(app, id, key)).shipment;
      expect(first).toEqual({
        status: 'ORDERED',
        cardDesign: 'black',
        created: expect.stringMatching(/^2095-01-31T12:/),
      });
      await advanceDays(app, 10, key);
      const body = { renewOption, expiryDate: '2096-06-30', shippingInformation: shippingInformation() };
      expect((await reissue(id, body)).status).toBe(200);
      const card = await retrieve(app, id, key);
      expect(card.expiryDate).toBe(expiry);
      expect(card.shipment).toEqual({ ...first, created: expect.stringMatching(/^2095-02-10T12:/) });
      const { shipments, sealed, credentials } = await cardRows(app, id);
      expect(shipments).toHaveLength(2);
      // The address is in the vault, under the shipment's own id.
      expect(sealed.filter(({ kind }) => kind === 'shipment').map((row) => row['id'])).toEqual([
        shipments[1]?.['id'],
      ]);
      expect(credentials).toHaveLength(renewOption === 'IDENTICAL_TO_THE_CURRENT_CARD' ? 1 : 2);
    },
  );

  test.each(OPTIONS)(
    '%s of a physical card without shippingInformation: 400, nothing changes',
    async (renewOption) => {
      const { id } = await physicalCard();
      const before = await cardRows(app, id);
      const answer = await reissue(id, { renewOption, expiryDate: '2096-06-30' });
      expect(answer).toMatchObject({ status: 400, body: { code: 400, status: 'failed' } });
      expect(answer.body.message).toMatch(/^shippingInformation: /);
      expect(await cardRows(app, id)).toEqual(before);
    },
  );

  test('a virtual card ships nothing, even with an address', async () => {
    const { id } = await virtualCard();
    expect((await reissue(id, { shippingInformation: shippingInformation() })).status).toBe(200);
    expect((await retrieve(app, id, key)).shipment).toBeNull();
  });

  test.each([
    ['an unknown design', { cardDesign: 'no-such-design' }, 'cardDesign'],
    [
      'a country in lower case',
      { shippingAddress: { ...address(), country: 'gb' } },
      'shippingAddress.country',
    ],
    ['a dial code of 0', { recipientDialCode: 0 }, 'recipientDialCode'],
  ])('an address that a virtual card does not need is checked: %s', async (_name, change, field) => {
    const { id } = await virtualCard();
    const before = await cardRows(app, id);
    const answer = await reissue(id, { shippingInformation: { ...shippingInformation(), ...change } });
    expect(answer.status).toBe(400);
    expect(answer.body.message.split(': ')[0]).toBe(`shippingInformation.${field}`);
    expect(await cardRows(app, id)).toEqual(before);
  });
});
