import { beforeAll, describe, expect, test } from 'vitest';
import { renewSearchWords } from '../../../src/cards/renew-search-words.ts';
import { replaceBlockedCard } from '../../../src/cards/replace-blocked-card.ts';
import type { KycProvider } from '../../../src/kyc/kyc.ts';
import { rotateKeys } from '../../../src/vault/rotate-keys.ts';
import { credentialsOf } from '../../support/cards/card-states.ts';
import {
  APPROVING_KYC,
  businessCard,
  CARDS,
  consumerCard,
  createCard,
  shippingInformation,
} from '../../support/cards/cards.ts';
import { swipe } from '../../support/cards/swipe.ts';
import { type SignedIn, signInAs } from '../../support/console/operators.ts';
import { testActor } from '../../support/server/actor.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests({ keyMaxAgeMs: 0 });
let support: SignedIn;
let manager: SignedIn;
const CUSTOMER = 'ACME/77 ü';
const path = (rest = '', id = CUSTOMER) => `customers/${encodeURIComponent(id)}/${rest}`;
const newCard = (changes: object = {}) =>
  createCard(app, { meta: { ...consumerCard().meta, id: CUSTOMER }, ...changes });
beforeAll(async () => {
  support = await signInAs(app, 'support');
  manager = await signInAs(app, 'manager');
});

test('a freeze keeps its reason until the card is unfrozen, and refuses a card number', async () => {
  const { id } = await createCard(app);
  const freeze = (body: object) => support.call('PUT', `merchant/cards/${id}/freeze/`, body);
  const reasonOf = async () => (await support.call('GET', `merchant/cards/${id}/`)).body.statusReason;
  const refused = await freeze({ freeze: true, reason: 'called about 4111 1111 1111 1111' });
  expect([refused.status, refused.body.message]).toEqual([400, 'reason: must not contain a card number']);
  for (const [reason, message] of [
    [' ', 'reason: must not be empty'],
    ['x'.repeat(256), 'reason: must be at most 255 characters'],
  ])
    expect((await freeze({ freeze: true, reason })).body.message).toBe(message);
  expect((await freeze({ freeze: true, reason: 'travels' })).status).toBe(200);
  await freeze({ freeze: true, reason: 'another' });
  expect(await reasonOf()).toBe('travels');
  await freeze({ freeze: false, reason: 'is back' });
  expect(await reasonOf()).toBeNull();
  const { body } = await support.call('GET', `cards/${id}/history/`);
  expect(body.results.map(({ action, reason }: Record<string, string>) => [action, reason])).toEqual([
    ['card.unfrozen', null],
    ['card.frozen', 'travels'],
    ['card.created', null],
  ]);
});

test('the address of a shipment is shown to support, and each view is audited', async () => {
  const { id } = await createCard(app, { cardType: 'physical' });
  const read = (cardId = id) => support.call('GET', `cards/${cardId}/shipment/`);
  expect((await read()).body).toMatchObject({ cardId: id, status: 'ORDERED', shipTo: null });
  const body = { shippingInformation: shippingInformation() };
  expect((await app.call('PUT', `${CARDS}${id}/replace/`, { body })).status).toBe(200);
  expect((await read()).body.shipTo).toEqual({
    recipient: 'Ada Lovelace',
    line1: '12 St James Square',
    line2: null,
    zone: null,
    city: 'London',
    postalCode: 'SW1Y 4JH',
    country: 'GB',
    phone: '+44 7700900123',
    email: 'ada@example.com',
  });
  expect((await read('unknown')).status).toBe(404);
  const [entry] = await app.db.query<{ count: number }>({
    text: `select count(*)::int from audit_entries where action = 'console.viewed_shipment' and card_id = '${id}'`,
  });
  expect(entry?.count).toBe(1);
  const { body: history } = await support.call('GET', `cards/${id}/history/`);
  const actions = history.results.map(({ action }: { action: string }) => action);
  expect(actions).toContain('card.created');
  expect(actions.filter((action: string) => action.includes('viewed'))).toEqual([]);
});

test('a customer has all cards of a meta.id, with totals', async () => {
  const [first, second, third] = [await newCard(), await newCard({ spendLimit: 100 }), await newCard()];
  await createCard(app);
  await swipe(app, first.id, '5.00');
  await swipe(app, second.id, '7.50');
  await app.call('PUT', `${CARDS}${third.id}/block/`, { body: { reason: 'lost' } });
  const { status, body } = await support.call('GET', path());
  expect(status).toBe(200);
  const money = (available: number, spent: number) => ({
    availableCredit: available,
    spentThisMonth: spent,
    spent,
  });
  expect(body).toMatchObject({
    id: CUSTOMER,
    name: 'Ada Lovelace',
    contact: { otpPhoneNumber: { dialCode: 44, phoneNumber: '7700900123' }, email: 'ada@example.com' },
    cards: [
      { id: third.id, status: 'BLOCKED', ...money(250, 0) },
      { id: second.id, ...money(92.5, 7.5) },
      { id: first.id, ...money(245, 5) },
    ],
    more: false,
    totals: { ...money(337.5, 12.5), cards: { ACTIVE: 2, FROZEN: 0, BLOCKED: 1, EXPIRED: 0 } },
    notes: [],
  });
  for (const unknown of ['acme/77 ü', 'x'.repeat(3_000)])
    expect((await support.call('GET', path('', unknown))).status).toBe(404);
});

test('the contact changes on all cards of a customer at once, and each card is audited', async () => {
  const email = 'grace@example.org';
  const changed = await support.call('PUT', path('contact/'), { email });
  expect([changed.status, changed.body]).toEqual([200, { cards: 3 }]);
  const { body } = await support.call('GET', path());
  expect(body.contact).toEqual({ ...consumerCard().meta, id: undefined, email });
  for (const { id } of body.cards) {
    expect((await support.call('GET', `merchant/cards/${id}/`)).body.meta.email).toBe(email);
    const history = (await support.call('GET', `cards/${id}/history/`)).body.results;
    expect(history[0]).toMatchObject({ action: 'card.contact_changed', actor: { kind: 'operator' } });
  }
  const found = (await support.call('GET', `search/?q=${email}`)).body.results;
  expect(found.map(({ matchedBy }: { matchedBy: string }) => matchedBy)).toEqual(['email', 'email', 'email']);
  for (const [wrong, message] of [
    [{}, 'body: must have otpPhoneNumber or email'],
    [{ email: 'ada' }, 'email: must be an e-mail address'],
  ])
    expect((await support.call('PUT', path('contact/'), wrong as object)).body.message).toBe(message);
});

test('notes are encrypted, and removed by their author or an administrator', async () => {
  const [admin, colleague] = [await signInAs(app, 'admin'), await signInAs(app, 'support')];
  const add = (text: unknown) => support.call('POST', path('notes/'), { text });
  const remove = (by: SignedIn, id: string) => by.call('DELETE', path(`notes/${id}/`));
  const notes = async () => (await support.call('GET', path())).body.notes;
  const { status, body: first } = await add('Prefers calls after six.');
  expect([status, first.message]).toEqual([201, undefined]);
  const { body: second } = await add('Lost the card in Rome.');
  expect(await notes()).toEqual([second, first]);
  expect(second).toMatchObject({ text: 'Lost the card in Rome.', author: 'Test support' });
  for (const [text, message] of [
    ['', 'text: must not be empty'],
    [' ', 'text: must not be empty'],
    ['x'.repeat(2_001), 'text: must be at most 2000 characters'],
    ['paid with 4111-1111-1111-1111', 'text: must not contain a card number'],
  ])
    expect((await add(text)).body.message).toBe(message);
  expect((await remove(colleague, first.id)).body.message).toBe(
    'Only its author or an administrator can remove a note',
  );
  expect((await remove(support, first.id)).status).toBe(200);
  expect((await remove(support, first.id)).status).toBe(404);
  expect((await admin.call('DELETE', path(`notes/${second.id}/`, 'customer-42'))).status).toBe(404);
  expect((await remove(admin, second.id)).status).toBe(200);
  expect(await notes()).toEqual([]);
  const stored = await app.db.query<{ text: string }>(
    `select a.after::text || encode(v.sealed, 'escape') as text from audit_entries a, vault_records v
     where a.program_id = $1 and v.program_id = $1 and a.action like 'customer.note%' and v.kind = 'note'`,
    [app.program.id],
  );
  expect(stored).toHaveLength(8);
  expect(JSON.stringify(stored)).not.toMatch(/Rome|after six|Test support/);
});

test('notes follow their customer through a key rotation', async () => {
  const note = (await support.call('POST', path('notes/'), { text: 'Stays.' })).body;
  const idsOf = () =>
    app.db.query<{ note: string; card: string }>(
      `select n.cardholder_id as note, c.cardholder_id as card from customer_notes n, cards c
       where n.program_id = $1 and c.program_id = $1 and n.id = $2
         and c.id = (select card_id from audit_entries
           where program_id = $1 and action = 'customer.note_added' and after->>'noteId' = n.id::text)`,
      [app.program.id, note.id],
    );
  const [before] = await idsOf();
  await rotateKeys(app.db, app.masters, 'search');
  expect(await renewSearchWords(app, [app.program.id])).toBeGreaterThan(3);
  const [after] = await idsOf();
  expect(after?.note).toBe(after?.card);
  expect(after?.note).not.toBe(before?.note);
  expect((await support.call('GET', path())).body.notes).toEqual([note]);
});

test('a blocked card is replaced once, with the cardholder, design and controls of the old one', async () => {
  const old = await newCard({ preferredCardName: 'ACE' });
  const replace = (id = old.id, body?: object) => manager.call('POST', `cards/${id}/replacement/`, body);
  expect((await replace()).body.message).toBe(
    'Only a blocked card can be replaced; reissue the card instead',
  );
  const controls = {
    ...{ transactionLimit: 30, dailyLimit: 40, monthlyLimit: 50, allTimeLimit: 60 },
    ...{ allowedMccs: ['5814', '7995'], blockedMccs: ['7995'] },
  };
  await app.call('PUT', `${CARDS}${old.id}/spend-controls/`, { body: controls });
  await app.call('PUT', `${CARDS}${old.id}/3ds-forwarding/`, { body: { enabled: true } });
  await swipe(app, old.id, '10.00');
  await app.call('PUT', `${CARDS}${old.id}/block/`, { body: { reason: 'stolen' } });
  const answers = await Promise.all([replace(), replace(), replace()]);
  const made = answers.find(({ status }) => status === 201)?.body;
  for (const { status, body } of answers)
    expect(status === 201 ? body.id : body.message).toMatch(
      status === 201 ? made.id : /^The card was changed or replaced by another request; retry/,
    );
  expect((await replace(old.id, { spendLimit: 7 })).body.id).toBe(made.id);
  const [before, after] = await Promise.all(
    [old.id, made.id].map(async (id) => (await support.call('GET', `merchant/cards/${id}/`)).body),
  );
  expect([before.replacedBy, before.replaces]).toEqual([made.id, null]);
  expect(after).toMatchObject({
    ...{ cardholderName: 'Ada Lovelace', cardName: 'ACE', externalCustomerId: CUSTOMER, status: 'ACTIVE' },
    ...{ availableCredit: 240, replaces: old.id, replacedBy: null },
    spendControls: { ...before.spendControls, ...controls },
    meta: before.meta,
  });
  expect(after.lastFour === before.lastFour && after.id === before.id).toBe(false);
  const forwarding = await support.call('GET', `merchant/cards/${made.id}/3ds-forwarding/`);
  expect(forwarding.body).toEqual({ enabled: true });
  expect((await replace('unknown')).status).toBe(404);
  const history = await support.call('GET', `cards/${old.id}/history/`);
  expect(history.body.results[0]).toMatchObject({ action: 'card.replaced' });
  const { body: events } = await app.call('GET', '/api/v1/merchant/webhook-events/');
  const created = events.results.find(({ data }: { data: { cardId: string } }) => data.cardId === made.id);
  expect(created).toMatchObject({ eventName: 'card.created', data: { replaces: old.id } });
});

test('a contact that is changed during the KYC check is not undone by the replacement', async () => {
  const { id } = await newCard();
  await app.call('PUT', `${CARDS}${id}/block/`, { body: { reason: 'stolen' } });
  const otpPhoneNumber = { dialCode: 49, phoneNumber: '1511111111' };
  const sandbox: KycProvider = {
    name: 'slow',
    findApplicant: async (...given) => {
      await support.call('PUT', path('contact/'), { otpPhoneNumber });
      return APPROVING_KYC.findApplicant(...given);
    },
  };
  const services = { db: app.db, vault: app.vault, kycProviders: { sandbox, sumsub: undefined } };
  const replace = async () =>
    replaceBlockedCard(services, await testActor(app.db, app.program.id), id, {}, async () => {});
  await expect(replace()).rejects.toMatchObject({ httpStatus: 409 });
  const { meta } = (await support.call('GET', `merchant/cards/${(await replace()).id}/`)).body;
  expect(meta.otpPhoneNumber).toMatchObject(otpPhoneNumber);
});

test('a physical card is created and replaced with an address; KYC is checked again', async () => {
  const { cardDesign: _, ...delivery } = shippingInformation();
  const create = (changes: object) =>
    manager.call('POST', 'merchant/cards/', consumerCard({ cardType: 'physical', ...changes }));
  const refused = await create({
    shippingInformation: {
      ...delivery,
      shippingAddress: { ...delivery.shippingAddress, city: 'x'.repeat(21) },
    },
  });
  expect(refused.body.message).toBe(
    'shippingInformation.shippingAddress.city: must be at most 20 characters',
  );
  const { body: card } = await create({ shippingInformation: delivery });
  const shipTo = async (id: string) => (await support.call('GET', `cards/${id}/shipment/`)).body.shipTo;
  expect(await shipTo(card.id)).toMatchObject({ recipient: 'Ada Lovelace', city: 'London' });
  await app.call('PUT', `${CARDS}${card.id}/block/`, { body: { reason: 'lost' } });
  const path = `cards/${card.id}/replacement/`;
  expect((await manager.call('POST', path, {})).body.message).toBe(
    'shippingInformation: is required for a physical card',
  );
  const made = await manager.call('POST', path, { spendLimit: 5, shippingInformation: delivery });
  expect([made.status, made.body.cardType]).toEqual([201, 'physical']);
  expect(await shipTo(made.body.id)).toMatchObject({ line1: '12 St James Square' });
});

describe('the identity of a customer', () => {
  const id = 'identity-1';
  const reveal = (by: SignedIn, of = id) => by.call('POST', path('identity/', of), {});

  test('is revealed to support and audited, without the values', async () => {
    const card = await createCard(app, { meta: { ...consumerCard().meta, id } });
    const { status, body, headers } = await reveal(support);
    expect([status, body]).toEqual([
      200,
      {
        name: 'Ada Lovelace',
        dob: '1990-12-10',
        registrationNumber: null,
        address: {
          ...{ line1: '12 St James Square', line2: '', postalCode: 'SW1Y 4JH' },
          ...{ city: 'London', country: 'GBR' },
        },
      },
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
    const entries = await app.sql(
      `select actor like 'operator:Test support%' as by_operator, card_id, before, after from audit_entries
       where action = 'console.revealed_identity'`,
    );
    expect(entries).toEqual([{ by_operator: true, card_id: card.id, before: null, after: null }]);
    const [change] = (await support.call('GET', path('timeline/', id))).body.changes;
    expect(change).toMatchObject({ words: 'Identity revealed', cardId: card.id });
  });

  test('of a business is its registration and place of operation', async () => {
    const { meta } = consumerCard();
    await createCard(app, { ...businessCard(), meta: { ...meta, id: 'identity-2' } });
    const { body } = await reveal(support, 'identity-2');
    expect(body).toMatchObject({ name: 'Analytical Engines Ltd', dob: null });
    expect(body.registrationNumber).toBeTruthy();
  });

  test('is refused to others, and a refusal is audited', async () => {
    const viewer = await signInAs(app, 'viewer');
    expect((await reveal(viewer)).status).toBe(403);
    const [refused] = await app.sql(
      `select after ->> 'cause' as cause from audit_entries where action = 'card.reveal_refused'`,
    );
    expect(refused).toEqual({ cause: 'role' });
    expect((await reveal(support, 'unknown')).status).toBe(404);
  });
});

describe('the list of customers', () => {
  const list = async (query = '') => {
    const { status, body } = await support.call('GET', `customers/${query}`);
    expect([status, body.message]).toEqual([200, undefined]);
    return body;
  };
  const meta = (id: string, email = `${id}@example.net`) => ({ ...consumerCard().meta, id, email });
  let cards: Record<'old' | 'second' | 'newer', { id: string }>;

  beforeAll(async () => {
    const add = (id: string) => createCard(app, { meta: meta(id) });
    cards = { old: await add('list-old'), newer: await add('list-newer'), second: await add('list-old') };
    await swipe(app, cards.old.id, '3.00');
  });

  test('has each customer once, by the first card, with the number of cards and the last use', async () => {
    const { results } = await list();
    const ids = results.map(({ id }: { id: string }) => id);
    expect(ids.slice(0, 2)).toEqual(['list-newer', 'list-old']);
    expect(new Set(ids).size).toBe(ids.length);
    expect(results[1]).toMatchObject({ cards: 2, activeCards: 2, moreCards: false, name: 'Ada Lovelace' });
    expect(results[1].newestCardId).toBe(cards.second.id);
    const [purchase] = (await support.call('GET', `cards/${cards.old.id}/timeline/`)).body.results;
    expect([results[0].lastUsed, results[1].lastUsed]).toEqual([null, purchase.created]);
    await app.call('PUT', `${CARDS}${cards.second.id}/block/`, { body: { reason: 'lost' } });
    expect((await list()).results[1]).toMatchObject({ cards: 2, activeCards: 1 });
  });

  test('a customer with a new card stays where it was, and pages have no gap', async () => {
    const before = (await list()).results;
    await createCard(app, { meta: meta(before.at(-1).id, 'ada@example.com') });
    const after = (await list()).results;
    const idsOf = (rows: Array<{ id: string }>) => rows.map(({ id }) => id);
    expect(idsOf(after)).toEqual(idsOf(before));
    const firstCards = await app.sql<{ id: string }>(
      'select min(id::text) as id from cards group by cardholder_id order by 1 desc',
    );
    const rest = await list(`?before=${firstCards[0]?.id}`);
    expect(idsOf(rest.results)).toEqual(idsOf(after).slice(1));
    expect(rest.next).toBeNull();
    expect((await support.call('GET', 'customers/?before=x')).status).toBe(400);
  });

  test('is searched by id, name and e-mail; the text is not in the audit', async () => {
    const found = async (q: string) => (await list(`?q=${encodeURIComponent(q)}`)).results;
    const idsOf = async (q: string) => (await found(q)).map(({ id }: { id: string }) => id);
    expect(await idsOf(' list-old ')).toEqual(['list-old']);
    expect(await idsOf('LIST-newer@example.net')).toEqual(['list-newer']);
    expect(await idsOf('lovel')).toContain('list-newer');
    expect(await idsOf('list')).toEqual([]);
    const { cardNumber } = await credentialsOf(app, cards.newer.id);
    const refused = await support.call('GET', `customers/?q=${cardNumber}`);
    expect(refused.body.message).toBe('q: must not be a card number; use its last four digits');
    const [entry] = await app.sql<{ after: object }>(
      `select after from audit_entries where action = 'console.searched' and after::text like '%${cards.newer.id}%' limit 1`,
    );
    expect(entry?.after).toEqual({ by: 'text', cardIds: [cards.newer.id] });
  });

  test('finds a customer once while a key is rotated', async () => {
    await rotateKeys(app.db, app.masters, 'search');
    await createCard(app, { meta: meta('list-old') });
    const { results } = await list();
    const found = results.filter(({ id }: { id: string }) => id === 'list-old');
    expect(found).toMatchObject([{ cards: 3, activeCards: 2 }]);
  });
});

describe('the timeline of a customer', () => {
  test('has transactions, authentications, changes and notes of all cards in one order', async () => {
    const id = 'timeline-1';
    const [first, second] = [
      await newCard({ meta: { ...consumerCard().meta, id } }),
      await newCard({ meta: { ...consumerCard().meta, id } }),
    ];
    const one = await swipe(app, first.id, '5.00');
    await app.call('PUT', `${CARDS}${second.id}/freeze/`, { body: { freeze: true } });
    const { body: note } = await support.call('POST', path('notes/', id), {
      text: 'Called about a purchase.',
    });
    const two = await swipe(app, second.id, '6.00');
    const read = async (query = '') => (await support.call('GET', path(`timeline/${query}`, id))).body;
    const all = await read();
    const ids = (rows: Array<{ id: string }>) => rows.map((row) => row.id);
    expect(ids(all.transactions)).toEqual([two.transaction_id, one.transaction_id]);
    expect(all.notes).toEqual([note]);
    const changes = all.changes.map(({ words, cardId }: Record<string, string>) => [words, cardId]);
    expect(changes).toEqual([
      ['Card frozen', second.id],
      ['Card created', second.id],
      ['Card created', first.id],
    ]);
    expect(all.next).toBeNull();
    const only = await read('?part=transactions');
    expect(only).toEqual({ ...all, authentications: [], changes: [], notes: [] });
    const older = await read(`?before=${note.id}`);
    expect([ids(older.transactions), older.notes]).toEqual([[one.transaction_id], []]);
    expect((await support.call('GET', path('timeline/', 'nobody'))).status).toBe(404);
    expect((await support.call('GET', path('timeline/?part=all', id))).status).toBe(400);
  });
});
