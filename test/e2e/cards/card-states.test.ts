import { beforeAll, describe, expect, test } from 'vitest';
import { type CardRows, cardRows, leavesOf } from '../../support/cards/card-rows.ts';
import { act, cardIn, credentialsOf, retrieve, type State } from '../../support/cards/card-states.ts';
import { CARDS, consumerCard, createCard } from '../../support/cards/cards.ts';
import { operationsOf } from '../../support/openapi/document.ts';
import { setClock, today } from '../../support/server/clock.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
beforeAll(async () => {
  // Noon, so that no test crosses midnight.
  await setClock(app, '2095-01-31T12:00:00Z');
});

const NEW_EXPIRY = 'reissue: NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE';
const SAME_EXPIRY = 'reissue: NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE';
const IDENTICAL = 'reissue: IDENTICAL_TO_THE_CURRENT_CARD';

/** `200 STATUS event`: what the card becomes and its one event; `-` when nothing changed. */
const TABLE: Array<[from: State, action: string, outcome: string]> = [
  ['ACTIVE', 'freeze', '200 FROZEN card.frozen'],
  ['ACTIVE', 'unfreeze', '200 ACTIVE -'],
  ['ACTIVE', 'block', '200 BLOCKED card.blocked'],
  ['ACTIVE', NEW_EXPIRY, '200 ACTIVE card.reissued'],
  ['ACTIVE', SAME_EXPIRY, '200 ACTIVE card.reissued'],
  ['ACTIVE', IDENTICAL, '200 ACTIVE card.reissued'],
  ['FROZEN', 'freeze', '200 FROZEN -'],
  ['FROZEN', 'unfreeze', '200 ACTIVE card.unfrozen'],
  ['FROZEN', 'block', '200 BLOCKED card.blocked'],
  ['FROZEN', NEW_EXPIRY, '200 FROZEN card.reissued'],
  ['FROZEN', SAME_EXPIRY, '200 FROZEN card.reissued'],
  ['FROZEN', IDENTICAL, '200 FROZEN card.reissued'],
  ['BLOCKED: fraud', 'freeze', '400 59'],
  ['BLOCKED: fraud', 'unfreeze', '400 59'],
  ['BLOCKED: fraud', 'block', '200 BLOCKED -'],
  ['BLOCKED: fraud', NEW_EXPIRY, '400 59'],
  ['BLOCKED: fraud', SAME_EXPIRY, '400 59'],
  ['BLOCKED: fraud', IDENTICAL, '400 59'],
  ['BLOCKED: lost', 'freeze', '400 41'],
  ['BLOCKED: lost', 'unfreeze', '400 41'],
  ['BLOCKED: lost', 'block', '200 BLOCKED -'],
  ['BLOCKED: lost', NEW_EXPIRY, '400 41'],
  ['BLOCKED: stolen', 'freeze', '400 43'],
  ['BLOCKED: stolen', 'unfreeze', '400 43'],
  ['BLOCKED: stolen', 'block', '200 BLOCKED -'],
  ['BLOCKED: stolen', NEW_EXPIRY, '400 43'],
  ['BLOCKED: other', 'freeze', '400 62'],
  ['BLOCKED: other', 'unfreeze', '400 62'],
  ['BLOCKED: other', 'block', '200 BLOCKED -'],
  ['BLOCKED: other', NEW_EXPIRY, '400 62'],
  ['EXPIRED', 'freeze', '400 54'],
  ['EXPIRED', 'unfreeze', '400 54'],
  ['EXPIRED', 'block', '200 BLOCKED card.blocked'],
  ['EXPIRED', NEW_EXPIRY, '200 ACTIVE card.reissued'],
  ['EXPIRED', SAME_EXPIRY, '400 54'],
  ['EXPIRED', IDENTICAL, '400 54'],
  ['EXPIRED while FROZEN', 'freeze', '400 54'],
  ['EXPIRED while FROZEN', 'unfreeze', '400 54'],
  ['EXPIRED while FROZEN', 'block', '200 BLOCKED card.blocked'],
  ['EXPIRED while FROZEN', NEW_EXPIRY, '200 FROZEN card.reissued'],
  ['EXPIRED while FROZEN', SAME_EXPIRY, '400 54'],
];

/** Operations that change no status, each with a test of its own that includes every status. */
const OTHER_OPERATIONS = [
  'POST balance-adjustments',
  'PUT 3ds-forwarding',
  'PUT contact',
  'PUT metadata',
  'PUT spend-controls',
  'PUT usage',
  'POST reveal-sessions',
];

test('every operation on a card is in the state table, or has a test of its own', () => {
  const operations = operationsOf(app)
    .filter(({ method, template }) => method !== 'GET' && template.startsWith(`${CARDS}{cardId}/`))
    .map(({ method, template }) => `${method} ${template.split('/').at(-2)}`);
  const inTable = ['PUT block', 'PUT freeze', 'PUT replace'];
  expect(operations.sort()).toEqual([...inTable, ...OTHER_OPERATIONS].sort());
});

describe('the state table', () => {
  test.each(TABLE)('%s, %s: %s', async (from, action, outcome) => {
    const id = await cardIn(app, from);
    const shown = await retrieve(app, id);
    const before = await cardRows(app, id);
    const answer = await act(app, id, action);
    const after = await cardRows(app, id);
    const [status, next, event] = outcome.split(' ');
    expect(answer.status).toBe(Number(status));
    if (status === '400') {
      expect(answer.body).toEqual({
        code: Number(next),
        message: expect.stringMatching(/./),
        status: 'failed',
      });
      expect(await retrieve(app, id)).toEqual(shown);
      expect(after).toEqual(before);
    } else {
      expect((await retrieve(app, id)).status).toBe(next);
      if (event === '-') expect(after).toEqual(before);
      else expectOneChange(before, after, event as string);
    }
  });
});

/** One event and one audit entry more, written by the transaction that counted them and that wrote the card. */
function expectOneChange(before: CardRows, after: CardRows, name: string): void {
  expect(after.events.map((event) => event.sequence)).toEqual(after.events.map((_, index) => index + 1));
  expect(after.counters['eventSequence']).toBe(after.events.length);
  expect(after.events.slice(0, -1)).toEqual(before.events);
  expect(after.audits.slice(0, -1)).toEqual(before.audits);
  const [event, audit] = [after.events.at(-1), after.audits.at(-1)];
  expect([event?.name, audit?.name]).toEqual([name, name]);
  const { transaction } = after.counters;
  expect(transaction).not.toBe(before.counters['transaction']);
  expect([event?.transaction, audit?.transaction]).toEqual([transaction, transaction]);
  // An identical card is news for the journal alone; its own row stays as it was.
  if (after.card['transaction'] !== before.card['transaction'])
    expect(after.card['transaction']).toBe(transaction);
}

describe('the audit and the events', () => {
  test('have actor, action, time, before and after, and no cardholder data', async () => {
    const { id } = await createCard(app);
    const steps = ['freeze', 'unfreeze', NEW_EXPIRY, 'block: fraud suspected'];
    const requestIds: Array<string | null> = [];
    for (const step of steps) requestIds.push((await act(app, id, step)).headers.get('x-request-id'));
    const { events, audits, credentials } = await cardRows(app, id);
    const [first, second] = credentials;
    const [keyRow] = await app.db.query<{ id: string }>({
      text: `select id from api_keys where kind = 'merchant'`,
    });
    const changes = audits.filter((entry) => entry.name !== 'card.created');

    expect(audits.map((entry) => entry.actor)).toEqual(audits.map(() => `key:${keyRow?.id}`));
    expect(changes.map((entry) => entry.requestId)).toEqual(requestIds);
    const blockedFor = { statusReason: 'fraud suspected', reasonCode: 'FRAUD' };
    const view = (status: string, credential = first) => ({
      status,
      ...(status === 'BLOCKED' ? blockedFor : { statusReason: null, reasonCode: null }),
      credentialId: credential?.['id'],
      lastFour: credential?.['lastFour'],
      expiryDate: credential?.['expiryDate'],
      cardDesign: 'black',
    });
    expect(audits.map(({ name, before, after }) => [name, before, after])).toEqual([
      ['card.created', null, view('ACTIVE')],
      ['card.frozen', view('ACTIVE'), view('FROZEN')],
      ['card.unfrozen', view('FROZEN'), view('ACTIVE')],
      [
        'card.reissued',
        view('ACTIVE'),
        { ...view('ACTIVE', second), renewOption: 'NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE' },
      ],
      ['card.blocked', view('ACTIVE', second), view('BLOCKED', second)],
    ]);
    expect(events.map(({ name, sequence, data }) => [name, sequence, data?.['status']])).toEqual([
      ['card.created', 1, 'ACTIVE'],
      ['card.frozen', 2, 'FROZEN'],
      ['card.unfrozen', 3, 'ACTIVE'],
      ['card.reissued', 4, 'ACTIVE'],
      ['card.blocked', 5, 'BLOCKED'],
    ]);
    for (const { data } of events) expect(data).toMatchObject({ cardId: id, cardType: 'virtual' });
  });

  test('contain no number, no CVV and no personal data for created, changed and revealed cards', async () => {
    const { id } = await createCard(app);
    const old = await credentialsOf(app, id);
    for (const step of ['freeze', NEW_EXPIRY, 'block: lost']) await act(app, id, step);
    const current = await credentialsOf(app, id);
    const { events, audits } = await cardRows(app, id);
    expect(audits.filter((entry) => entry.name === 'card.credentials_revealed')).toHaveLength(2);
    const { kyc, meta, preferredCardName, kycApplicantId } = consumerCard();
    const personal = leavesOf([kyc, meta, preferredCardName, kycApplicantId]).filter(
      (text) => text.length > 3,
    );
    const written = [events, audits].map((rows) =>
      rows.map(({ data, before, after }) => [data, before, after]),
    );
    const text = JSON.stringify(written);
    for (const secret of [...personal, old.cardNumber, current.cardNumber])
      expect(text).not.toContain(secret);
    for (const leaf of leavesOf(written)) expect([old.cvv, current.cvv]).not.toContain(leaf);
  });

  test('concurrent changes have sequence numbers without gaps, and each applies to the previous state', async () => {
    const { id } = await createCard(app);
    const actions = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'freeze' : 'unfreeze'));
    const answers = await Promise.all(actions.map((action) => act(app, id, action)));
    expect(answers.map((answer) => answer.status)).toEqual(actions.map(() => 200));
    const { events, audits, card } = await cardRows(app, id);
    expect(events.map((event) => event.sequence)).toEqual(events.map((_, index) => index + 1));
    expect(audits).toHaveLength(events.length);
    // A frozen card cannot be frozen again, so the changes must alternate in whatever order they ran.
    const names = events.slice(1).map((event) => event.name);
    expect(names).toEqual(names.map((_, index) => (index % 2 === 0 ? 'card.frozen' : 'card.unfrozen')));
    expect(card['status']).toBe(names.at(-1) === 'card.frozen' ? 'FROZEN' : 'ACTIVE');
  });
});

describe('freeze', () => {
  test.each([true, false])('%s: request and response', async (freeze) => {
    const { id } = await createCard(app);
    const answer = await app.call('PUT', `${CARDS}${id}/freeze/`, { body: { freeze } });
    expect(answer.body).toEqual({ freeze, message: expect.stringMatching(/./) });
  });

  test.each([
    ['nothing', {}],
    ['null', { freeze: null }],
    ['text', { freeze: 'true' }],
    ['one', { freeze: 1 }],
    ['zero', { freeze: 0 }],
    ['a list', { freeze: [true] }],
    ['another case', { Freeze: true }],
  ])('%s is not a boolean: 400, and a frozen card stays frozen', async (_name, body) => {
    const id = await cardIn(app, 'FROZEN');
    const answer = await app.call('PUT', `${CARDS}${id}/freeze/`, { body });
    expect(answer).toMatchObject({ status: 400, body: { code: 400, status: 'failed' } });
    expect(answer.body.message).toMatch(/^freeze: /);
    expect((await retrieve(app, id)).status).toBe('FROZEN');
  });
});

describe('block', () => {
  const block = (id: string, body: object) => app.call('PUT', `${CARDS}${id}/block/`, { body });

  test.each([
    ['one character', 'x'],
    ['255 characters', 'r'.repeat(255)],
    ['255 characters beyond the basic plane', '🂡'.repeat(255)],
  ])('a reason of %s is stored as statusReason', async (_name, reason) => {
    const { id } = await createCard(app);
    expect(await retrieve(app, id)).toMatchObject({ status: 'ACTIVE', statusReason: null });
    const answer = await block(id, { reason });
    expect(answer).toMatchObject({ status: 200, body: { message: expect.stringMatching(/./) } });
    expect(Object.keys(answer.body)).toEqual(['message']);
    expect(await retrieve(app, id)).toMatchObject({ status: 'BLOCKED', statusReason: reason });
  });

  test.each([
    ['missing', {}],
    ['null', { reason: null }],
    ['empty', { reason: '' }],
    ['blank', { reason: '   ' }],
    ['256 characters', { reason: 'r'.repeat(256) }],
    ['a number', { reason: 41 }],
    ['with a control character', { reason: 'lost\u0000' }],
  ])('a reason that is %s: 400, and the card does not change', async (_name, body) => {
    const { id } = await createCard(app);
    const before = await cardRows(app, id);
    const answer = await block(id, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 400, status: 'failed' } });
    expect(answer.body.message).toMatch(/^reason: /);
    expect(await cardRows(app, id)).toEqual(before);
  });

  test.each([
    ['fraud', 59],
    ['FRAUD', 59],
    ['suspected-Fraud!', 59],
    ['defrauded the holder', 59],
    ['lost, then fraud', 59],
    ['stolen; fRaUd', 59],
    ['LOST', 41],
    ['card Lost at sea', 41],
    ['lost or stolen', 41],
    ['Stolen', 43],
    ['was STOLEN!', 43],
    ['frau d', 62],
    ['los t', 62],
    ['damaged', 62],
  ])('the reason "%s" gives code %i', async (reason, code) => {
    const { id } = await createCard(app);
    await block(id, { reason });
    expect((await act(app, id, 'freeze')).body.code).toBe(code);
  });

  test.each([
    ['FRAUD', 59],
    ['LOST', 41],
    ['STOLEN', 43],
    ['OTHER', 62],
  ])(
    'the reason code %s determines the code, not the text: %i, also for the network',
    async (reasonCode, code) => {
      const { id } = await createCard(app);
      await block(id, { reason: 'fraud, lost or stolen', reasonCode });
      expect((await act(app, id, 'freeze')).body.code).toBe(code);
      const swiped = await app.call('POST', '/api/v1/sandbox/authorizations/', {
        body: { card_id: id, amount: '1.00' },
      });
      expect(swiped.body).toMatchObject({ decline_reason: 'card_blocked', network_code: String(code) });
    },
  );

  test.each([
    ['unknown', 'DAMAGED'],
    ['in lower case', 'fraud'],
    ['null', null],
    ['a number', 59],
  ])('a reason code that is %s: 400, and the card does not change', async (_name, reasonCode) => {
    const { id } = await createCard(app);
    const answer = await block(id, { reason: 'x', reasonCode });
    expect(answer).toMatchObject({ status: 400, body: { code: 400, status: 'failed' } });
    expect(answer.body.message).toMatch(/^reasonCode: /);
    expect((await retrieve(app, id)).status).toBe('ACTIVE');
  });

  test('the first reason and its code stay', async () => {
    const id = await cardIn(app, 'BLOCKED: stolen');
    expect((await act(app, id, 'block: fraud')).status).toBe(200);
    expect((await retrieve(app, id)).statusReason).toBe('STOLEN');
    expect((await act(app, id, 'unfreeze')).body.code).toBe(43);
  });

  test('a blocked card stays BLOCKED past its expiry', async () => {
    const { id } = await createCard(app);
    await block(id, { reason: 'lost' });
    const { expiryDate } = await retrieve(app, id);
    await setClock(app, `${Number(expiryDate.slice(0, 4)) + 1}-01-01T12:00:00Z`);
    expect((await retrieve(app, id)).status).toBe('BLOCKED');
    expect((await act(app, id, 'freeze')).body.code).toBe(41);
    expect((await act(app, id, NEW_EXPIRY)).body.code).toBe(41);
  });
});

describe('expiry', () => {
  test('a card is valid through its last day and expired from midnight UTC, without a job', async () => {
    const year = Number((await today(app)).slice(0, 4)) + 1;
    await setClock(app, `${year}-03-10T12:00:00Z`);
    const { id } = await createCard(app, { expiryDate: `${year}-04-10` });
    await setClock(app, `${year}-04-10T23:59:00Z`);
    expect((await retrieve(app, id)).status).toBe('ACTIVE');
    await setClock(app, `${year}-04-11T00:00:00Z`);
    expect((await retrieve(app, id)).status).toBe('EXPIRED');
    const { body } = await app.call('GET', CARDS);
    expect(body.results.find((card: { id: string }) => card.id === id).status).toBe('EXPIRED');
  });
});
