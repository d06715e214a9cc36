import { describe, expect, test } from 'vitest';
import { findNewestRecords } from '../../../src/vault/queries.ts';
import { cardRows } from '../../support/cards/card-rows.ts';
import { cardIn, retrieve, STATES, type State } from '../../support/cards/card-states.ts';
import { CARDS, consumerCard, createCard, rowsWritten } from '../../support/cards/cards.ts';
import { type Answer, type TestApp, twoAppsForTests } from '../../support/server/test-app.ts';

/** Two processes on one database. */
const [app, second] = twoAppsForTests();

const change = (id: string, body: unknown, key: string = app.key, on: TestApp = app): Promise<Answer> =>
  on.call('PUT', `${CARDS}${id}/contact/`, { body, key });
const PHONE = { dialCode: 49, phoneNumber: '15123456789' };
const EMAIL = 'grace@example.org';
const given = consumerCard().meta;

describe('the contact of a card', () => {
  test.each([
    ['the phone number', { otpPhoneNumber: PHONE }],
    ['the e-mail', { email: EMAIL }],
    ['both', { otpPhoneNumber: PHONE, email: EMAIL }],
  ])('%s changes, the rest stays; the response is the card', async (_name, contact) => {
    const { id } = await createCard(app);
    const before = await retrieve(app, id);
    const answer = await change(id, contact);
    const after = { ...before, meta: { ...before.meta, ...contact } };
    expect([answer.status, answer.body]).toEqual([200, after]);
    expect(await retrieve(app, id)).toEqual(after);
  });

  test('null removes the e-mail', async () => {
    const { id } = await createCard(app);
    await change(id, { email: EMAIL });
    expect((await change(id, { email: null })).body.meta).toEqual({ ...given, email: null });
  });

  test('unknown fields are ignored, also the customer id', async () => {
    const { id } = await createCard(app);
    const { body } = await change(id, { email: EMAIL, id: 'another', meta: {} });
    expect(body.externalCustomerId).toBe(given.id);
    expect(body.meta).toEqual({ ...given, email: EMAIL });
    const stored = await app.vault.openRecords(app.db, app.program.id, 'application', [id]);
    expect(stored.get(id)).toEqual({
      kycApplicantId: consumerCard().kycApplicantId,
      kyc: consumerCard().kyc,
      meta: { ...given, email: EMAIL },
    });
  });

  test('of another card of the same customer does not change', async () => {
    const [one, other] = [await createCard(app), await createCard(app)];
    await change(one.id, { email: EMAIL });
    expect((await retrieve(app, other.id)).meta).toEqual({ ...given, email: given.email ?? null });
  });

  test.each(Object.keys(STATES) as State[])('can change when the card is %s', async (state) => {
    const { key } = await app.addProgram();
    const id = await cardIn(app, state, key);
    const { status } = await retrieve(app, id, key);
    const answer = await change(id, { email: EMAIL }, key);
    expect(answer).toMatchObject({ status: 200, body: { status, meta: { email: EMAIL } } });
  });

  test('the last of many concurrent changes on two processes wins, and none is lost', async () => {
    const { id } = await createCard(app);
    const changes = Array.from({ length: 40 }, (_, index) => {
      const number = { otpPhoneNumber: { dialCode: 1, phoneNumber: String(10_000 + index) } };
      const contact = index % 2 === 0 ? number : { email: `e${index}@example.org` };
      return change(id, contact, app.key, index % 4 < 2 ? app : second);
    });
    const answers = await Promise.all(changes);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { meta } = await retrieve(app, id);
    // The change that committed last shows both fields as they are now.
    expect(answers.map(({ body }) => body.meta)).toContainEqual(meta);
    expect(meta.email).toMatch(/^e\d+@/);
    expect(meta.otpPhoneNumber.dialCode).toBe(1);
    // Each stored version differs from the one before it in one field.
    const { sealed } = await cardRows(app, id);
    expect(sealed.filter(({ kind }) => kind === 'application')).toHaveLength(41);
    expect(await findNewestRecords(app.db, app.program.id, 'application', [id])).toHaveLength(1);
  });
});

describe('a refused change changes nothing', () => {
  test.each([
    ['nothing', {}, 'body: must have otpPhoneNumber or email'],
    ['only unknown fields', { phone: '1' }, 'body: must have otpPhoneNumber or email'],
    ['an incomplete number', { otpPhoneNumber: { dialCode: 44 } }, 'otpPhoneNumber.phoneNumber: is required'],
    [
      'a dial code of 10000',
      { otpPhoneNumber: { ...PHONE, dialCode: 10_000 } },
      'otpPhoneNumber.dialCode: must be at most 9999',
    ],
    ['null as a number', { otpPhoneNumber: null }, 'otpPhoneNumber: must be an object'],
    ['no e-mail address', { email: 'ada' }, 'email: must be an e-mail address'],
    [
      'a valid field beside an invalid one',
      { otpPhoneNumber: PHONE, email: 5 },
      'email: must be a string or null',
    ],
  ])('%s', async (_name, body, message) => {
    const { id } = await createCard(app);
    const before = [await cardRows(app, id), await rowsWritten(app)];
    const answer = await change(id, body);
    expect([answer.status, answer.body]).toEqual([400, { code: 400, message, status: 'failed' }]);
    expect([await cardRows(app, id), await rowsWritten(app)]).toEqual(before);
  });
});

test('the audit and the event name the fields and contain no value', async () => {
  const { id } = await createCard(app);
  const before = await cardRows(app, id);
  const answer = await change(id, { otpPhoneNumber: PHONE, email: EMAIL });
  await change(id, { email: null });
  const { audits, events } = await cardRows(app, id);
  expect(audits.slice(before.audits.length)).toMatchObject([
    {
      name: 'card.contact_changed',
      requestId: answer.headers.get('x-request-id'),
      before: null,
      after: { changed: ['email', 'otpPhoneNumber'] },
    },
    { name: 'card.contact_changed', before: null, after: { changed: ['email'] } },
  ]);
  expect(events.slice(before.events.length)).toMatchObject([
    { name: 'card.updated', data: { changed: ['contact'], fields: ['email', 'otpPhoneNumber'] } },
    { name: 'card.updated', data: { changed: ['contact'], fields: ['email'] } },
  ]);
  expect(JSON.stringify([audits, events])).not.toMatch(/15123456789|grace@/);
});
