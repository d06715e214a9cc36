import { beforeAll, describe, expect, test } from 'vitest';
import { renewSearchWords } from '../../../src/cards/renew-search-words.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { Program } from '../../../src/programs/program.ts';
import { act, credentialsOf } from '../../support/cards/card-states.ts';
import { businessCard, CARDS, consumerCard } from '../../support/cards/cards.ts';
import { follow, swipe } from '../../support/cards/swipe.ts';
import { consoleForTests } from '../../support/console/console.ts';
import { fillCards } from '../../support/database/fill-cards.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
const desk = consoleForTests(app);

interface Found {
  card: { id: string; lastFour: string };
  matchedBy: string;
  transactionId: string | null;
}
async function search(q: string, key?: string): Promise<{ results: Found[]; more: boolean }> {
  const { status, body } = await desk.get(`search/?q=${encodeURIComponent(q)}`, key);
  expect([status, body.message]).toEqual([200, undefined]);
  return body;
}
/** How and which cards a search found, by the names of a test. */
const namesFound = (results: Found[], cards: Record<string, string>) =>
  results.map(({ card }) => Object.keys(cards).find((name) => cards[name] === card.id));

async function create(body: object, key: string = app.key): Promise<{ id: string; lastFour: string }> {
  const answer = await app.call('POST', CARDS, { body, key });
  expect([answer.status, answer.body.message]).toEqual([201, undefined]);
  return answer.body;
}
const person = (firstName: string, lastName: string, cardName: string, customerId = 'customer-1') => {
  const body = consumerCard({ preferredCardName: cardName });
  return { ...body, kyc: { ...body.kyc, firstName, lastName }, meta: { ...body.meta, id: customerId } };
};

describe('by name', () => {
  let key: string;
  const cards: Record<string, string> = {};
  beforeAll(async () => {
    ({ key } = await app.addProgram());
    const people: Record<string, object> = {
      ada: person('Ada', 'Lovelace', 'ADA LOVELACE'),
      adam: person('Adam', 'Loveland', 'A LOVELAND'),
      zoe: person('Zoë', 'Müller-Straße', 'CAPTAIN ZED'),
      brien: person('Flann', "O'Brien", 'MYLES'),
      li: person('Li', 'Ng', 'LI NG'),
      engines: businessCard({ preferredCardName: 'ENGINES' }),
    };
    for (const [name, body] of Object.entries(people)) cards[name] = (await create(body, key)).id;
  });

  test.each<[query: string, found: string[]]>([
    ['lovelace', ['ada']],
    ['LOVE', ['adam', 'ada']],
    ['ada', ['adam', 'ada']],
    ['ada lovelace', ['ada']],
    ['Lovelace Ada', ['ada']],
    ['  love   ada ', ['adam', 'ada']],
    ['lovelander', []],
    ['ada müller', []],
    ['muller', ['zoe']],
    ['zoe strasse', ['zoe']],
    ['ZOË', ['zoe']],
    ['captain', ['zoe']],
    ["o'brien", ['brien']],
    ['O’Brien', ['brien']],
    ['obrien', ['brien']],
    ['ng', ['li']],
    ['li ng', ['li']],
    ['lo', []],
    ['analytical eng', ['engines']],
    ['%', []],
    // One typo.
    ['lovelase', ['ada']],
    ['lovelcae', ['ada']],
    ['ada lovlace', ['ada']],
    ['lovelace adda', []],
    ['mueller', ['zoe']],
    ['obrian', ['brien']],
    ['lavelase', []],
    ['adda lovelase', []],
    ['lo', []],
    ['nh', []],
  ])('%s', async (query, found) => {
    const { results, more } = await search(query, key);
    expect(namesFound(results, cards)).toEqual(found);
    expect([...new Set(results.map(({ matchedBy }) => matchedBy))]).toEqual(
      found.length > 0 ? ['cardholder'] : [],
    );
    expect(more).toBe(false);
  });

  test('does not find cards of another program', async () => {
    expect((await search('muller')).results).toEqual([]);
  });

  test('the index contains no name in plain text', async () => {
    const rows = await app.sql<{ word: string }>(`select encode(word, 'hex') as word from card_search_words`);
    expect(rows.length).toBeGreaterThan(10);
    const plain = ['LOVELACE', 'LOV', 'ADA', 'MULLER', 'MUL'].map((word) =>
      Buffer.from(word).toString('hex'),
    );
    expect(rows.filter(({ word }) => plain.some((text) => word.includes(text)))).toEqual([]);
    expect(new Set(rows.map(({ word }) => word.length))).toEqual(new Set([28]));
  });
});

describe('by other data', () => {
  test('finds a card by its id', async () => {
    const card = await create(consumerCard());
    const { results, more } = await search(card.id);
    expect(results).toMatchObject([{ card: { id: card.id }, matchedBy: 'id', transactionId: null }]);
    expect(more).toBe(false);
    expect((await search(card.id.toUpperCase())).results).toHaveLength(1);
    expect((await search(newId(Date.now()))).results).toEqual([]);
  });

  test('finds cards by last four digits, also of an old number, each card once', async () => {
    const card = await create(consumerCard());
    await act(app, card.id, 'reissue: NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE');
    await act(app, card.id, 'reissue: CALCULATE_NEW_EXPIRY_DATE');
    const { cardNumber } = await credentialsOf(app, card.id);
    for (const digits of [
      card.lastFour,
      cardNumber.slice(-4),
      `•••• ${card.lastFour}`,
      `**** **** **** ${card.lastFour}`,
    ]) {
      const { results } = await search(digits);
      const own = results.filter((found) => found.card.id === card.id);
      expect(own.map(({ matchedBy }) => matchedBy)).toEqual(['lastFour']);
    }
  });

  test('finds all cards of a customer by the complete customer id', async () => {
    const first = await create(person('Grace', 'Hopper', 'GRACE', 'ACME/77 x'));
    const second = await create(person('Grace', 'Hopper', 'GRACE', 'ACME/77 x'));
    const { results } = await search('ACME/77 x');
    expect(results).toMatchObject([
      { card: { id: second.id }, matchedBy: 'customerId' },
      { card: { id: first.id }, matchedBy: 'customerId' },
    ]);
    expect((await search('ACME/77')).results).toEqual([]);
    expect((await search('acme/77 x')).results).toEqual([]);
  });

  test('finds cards by phone number and e-mail, also after a change', async () => {
    const { program, key } = await app.addProgram();
    const card = await create(consumerCard(), key);
    const found = async (q: string) =>
      (await search(q, key)).results.map(({ matchedBy }) => matchedBy).join();
    for (const phone of ['+44 7700 900123', '0044 (0)7700 900123', '07700-900123', '7700900123'])
      expect([phone, await found(phone)]).toEqual([phone, 'phone']);
    expect([await found('ADA@example.com'), await found('eda@example.com')]).toEqual(['email', '']);
    const contact = { otpPhoneNumber: { dialCode: 49, phoneNumber: '015123456789' }, email: null };
    await app.call('PUT', `${CARDS}${card.id}/contact/`, { body: contact, key });
    const isRight = async () => {
      expect([await found('+49 151 23456789'), await found('015123456789')]).toEqual(['phone', 'phone']);
      expect([await found('07700 900123'), await found('ada@example.com')]).toEqual(['', '']);
    };
    await isRight();
    await app.sql('delete from card_search_words where program_id = $1', [program.id]);
    expect(await renewSearchWords(app, [program.id])).toBe(1);
    await isRight();
  });

  test('finds transactions by merchant and by the amount that was taken, newest first', async () => {
    const { program, key } = await app.addProgram();
    const fees = 'update programs set fx_fee_bps = 150, atm_fee_minor = 200 where id = $1';
    await app.sql(fees, [program.id]);
    const card = await create(consumerCard({ spendLimit: 1_000 }), key);
    const pay = async (amount: string, more: object = {}) => {
      const body = { card_id: card.id, amount, ...more };
      const answer = await app.call('POST', '/api/v1/sandbox/authorizations/', { body, key });
      expect([answer.status, answer.body.approved]).toEqual([200, true]);
      return answer.body.transaction_id as string;
    };
    const coffee = { name: 'Corner Coffee', mcc: '5814' };
    const plain = await pay('12.00', { merchant: coffee });
    const cash = await pay('10.00', { channel: 'ATM', merchant: { name: 'Bank of Corners', mcc: '6011' } });
    const foreign = await pay('15.00', { currency: 'USD', bill_amount: '12.00', merchant: coffee });
    const found = async (q: string) => {
      const { body } = await desk.get(`search/?q=${encodeURIComponent(q)}`, key);
      expect(body.searchedBackTo).toBeNull();
      return body.transactions.map(({ id }: { id: string }) => id);
    };
    expect(await found('corner')).toEqual([foreign, cash, plain]);
    expect(await found('corner coff')).toEqual([foreign, plain]);
    expect(await found('12.00')).toEqual([cash, plain]);
    expect(await found('12,18 €')).toEqual([foreign]);
    expect(await found('10')).toEqual([]);
    expect(await found('12.17')).toEqual([]);
    expect(await found('ada@example.com')).toEqual([]);
  });

  test('finds a transaction by its id and by the network’s ids of all its messages', async () => {
    const card = await create(consumerCard());
    const paid = await swipe(app, card.id, '5.00', { external_transaction_id: 'ext 4711' });
    const transactionId = paid.transaction_id;
    const cleared = await follow(app, 'clearings', { transaction_id: transactionId, bill_amount: '4.00' });
    const refunded = await follow(app, 'refunds', { transaction_id: transactionId, amount: '1.00' });
    const expected = { card: { id: card.id }, matchedBy: 'transaction' };
    for (const text of [transactionId, 'ext 4711', cleared.clearing_id])
      expect((await search(text)).results).toMatchObject([{ ...expected, transactionId }]);
    expect((await search(refunded.refund_id)).results).toMatchObject([
      { ...expected, transactionId: refunded.transaction_id },
    ]);
  });

  test('shows the most specific match first, and each card once', async () => {
    const named = await create(person('Hedwig', 'Lamarr', 'HEDY', 'lamarr'));
    const other = await create(person('Anthony', 'Lamarr', 'TONY', 'another'));
    const { results } = await search('lamarr');
    expect(results).toMatchObject([
      { card: { id: named.id }, matchedBy: 'customerId' },
      { card: { id: other.id }, matchedBy: 'cardholder' },
    ]);
  });

  test('refuses a card number, and does not repeat it', async () => {
    const card = await create(consumerCard());
    const { cardNumber } = await credentialsOf(app, card.id);
    for (const text of [cardNumber, cardNumber.replace(/(.{4})(?=.)/g, '$1 ')]) {
      const { status, body } = await desk.get(`search/?q=${encodeURIComponent(text)}`);
      expect([status, body.message]).toEqual([400, 'q: must not be a card number; use its last four digits']);
    }
  });

  test.each([
    ['search/', 'q: is required'],
    ['search/?q=', 'q: must not be empty'],
    ['search/?q=%20', 'q: must not be empty'],
    ['search/?q=a%00b', 'q: must not contain control characters'],
    [`search/?q=${'a'.repeat(256)}`, 'q: must be at most 255 characters'],
  ])('%s is refused', async (path, message) => {
    const { status, body } = await desk.get(path);
    expect([status, body.message]).toEqual([400, message]);
  });
});

describe('many cards', () => {
  let program: Program;
  let key: string;
  let rare: { id: string };

  beforeAll(async () => {
    ({ program, key } = await app.addProgram());
    const day = { fromMs: Date.now() - 86_400_000, toMs: Date.now() - 3_600_000 };
    await fillCards(app, program, { count: 450, ...day });
    rare = await create(person('Rare', 'Quillfeather', 'QUILL'), key);
    await app.sql('delete from card_search_words where program_id = $1', [program.id]);
  });
  const wordsOf = async () =>
    (await app.sql('select from card_search_words where program_id = $1', [program.id])).length;

  test('get their search words again, by two concurrent runs', async () => {
    expect((await search('quillfeather', key)).results).toEqual([]);
    const runs = [renewSearchWords(app, [program.id]), renewSearchWords(app, [program.id])];
    expect(await Promise.all(runs)).toEqual([451, 451]);
    // LOVELACE, LOV, ADA and two forms of the phone number of each; RARE, RAR, QUILLFEATHER, QUI, QUILL, two forms of the phone number and the e-mail of one.
    expect(await wordsOf()).toBe(450 * 5 + 8);
    // Names and not cards: LOVELACE, QUILLFEATHER, RARE and QUILL, each with the forms that lack a letter (LL and VV are one).
    const spellings = await app.sql('select from search_spellings where program_id = $1', [program.id]);
    expect(spellings.length).toBe(9 + 12 + 5 + 5);
    expect((await search('quilfeather', key)).results).toMatchObject([{ card: { id: rare.id } }]);
    expect((await search('quillf', key)).results).toMatchObject([{ card: { id: rare.id } }]);
  });

  test('beyond the limit are cut off, newest first, and the response says so', async () => {
    const { results, more } = await search('lovelace', key);
    expect(results).toHaveLength(25);
    expect(more).toBe(true);
    const ids = results.map(({ card }) => card.id);
    expect(ids).toEqual([...ids].sort().reverse());
  });

  test('are narrowed down by a rare word', async () => {
    const { id } = await create(person('Ada', 'Zyx', 'AZ'), key);
    expect((await search('ada zyx', key)).results.map(({ card }) => card.id)).toEqual([id]);
    const newest = await create(person('Ada', 'Lovelock', 'AL'), key);
    expect((await search('ada lovel', key)).results[0]?.card.id).toBe(newest.id);
  });
});
