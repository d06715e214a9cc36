import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../../src/programs/access.ts';
import { type KeyKind, SCOPES } from '../../../src/programs/program.ts';
import { CARDS, createCard } from '../../support/cards/cards.ts';
import { openSession, spendSession } from '../../support/cards/reveal.ts';
import { type SignedIn, signInAs } from '../../support/console/operators.ts';

import { appForTests, startTestApp } from '../../support/server/test-app.ts';
import { exchange } from '../../support/server/wire.ts';

const app = appForTests();
let people: Record<Role, SignedIn>;
beforeAll(async () => {
  people = {
    viewer: await signInAs(app, 'viewer'),
    support: await signInAs(app, 'support'),
    manager: await signInAs(app, 'manager'),
    admin: await signInAs(app, 'admin'),
  };
});

const actorOf = ({ email }: SignedIn, role: Role) => `operator:Test ${role} <${email}>`;

describe('the console', () => {
  test('cannot reveal a number without a reason', async () => {
    const { id } = await createCard(app);
    expect((await people.admin.call('GET', `merchant/cards/${id}/credentials/`)).status).toBe(404);
    expect(await people.admin.call('POST', `cards/${id}/reveal/`, {})).toMatchObject({
      status: 400,
      body: { message: 'reason: is required' },
    });
    const { body: known } = await app.call('GET', `${CARDS}${id}/credentials/`);
    const revealed = await people.admin.call('POST', `cards/${id}/reveal/`, {
      reason: `read to the cardholder, card ${known.cardNumber}`,
    });
    expect(revealed).toMatchObject({ status: 200, body: known });
    const entries = await app.sql(
      `select actor, after from audit_entries where card_id = $1 and action = 'card.credentials_revealed' order by id`,
      [id],
    );
    expect(entries.at(-1)).toMatchObject({
      actor: actorOf(people.admin, 'admin'),
      after: { reason: 'read to the cardholder, card [card number]' },
    });
  });

  test('creates keys with the scopes of their type only', async () => {
    const create = (kind: string, scopes?: string[]) =>
      people.admin.call('POST', 'keys/', { kind, name: 'processor', ...(scopes && { scopes }) });
    expect(await create('network')).toMatchObject({ status: 201, body: { scopes: SCOPES.network } });
    expect(await create('merchant')).toMatchObject({ status: 201, body: { scopes: ['read', 'write'] } });
    const { body: made } = await create('network', ['fulfilment', 'fulfilment']);
    expect(made.scopes).toEqual(['fulfilment']);
    const { body: listed } = await people.viewer.call('GET', 'keys/');
    const { key: _, ...shown } = made;
    expect(listed.keys).toContainEqual(shown);
    const refused = { authorizations: 'merchant', write: 'network' };
    for (const [scope, kind] of Object.entries(refused))
      for (const scopes of [[scope], []]) {
        const { status, body } = await create(kind, scopes);
        const known = SCOPES[kind as KeyKind].join(', ');
        expect([status, body.message]).toEqual([
          400,
          `scopes: must be one or more of ${known} for a ${kind} key`,
        ]);
      }
  });

  test('audits a refused reveal with its cause', async () => {
    const { id } = await createCard(app);
    const [support, admin] = [await signInAs(app, 'support'), await signInAs(app, 'admin')];
    const readOnly = await app.addKey(app.program.id, ['read']);
    await support.call('POST', `cards/${id}/reveal/`, { reason: 'curious' });
    await admin.call('POST', `cards/${id}/reveal/`, {});
    await admin.call('POST', `cards/${id}/reveal/`, { reason: '...' });
    await app.call('GET', `${CARDS}${id}/credentials/`, { key: readOnly.key });
    // No refusals: unknown cards, and callers that are not known.
    await admin.call('POST', 'cards/unknown/reveal/', { reason: 'curious' });
    await app.call('GET', `${CARDS}${id}/credentials/`, { key: null });
    const entries = await app.sql(
      `select actor, address, after->>'cause' as cause, after->>'reason' as reason from audit_entries
       where action = 'card.reveal_refused' and card_id = $1 order by id`,
      [id],
    );
    const address = '127.0.0.1';
    const [theirs, ours] = [actorOf(support, 'support'), actorOf(admin, 'admin')];
    expect(entries).toEqual([
      { actor: theirs, address, cause: 'role', reason: 'Requires the role admin; your role is support' },
      { actor: ours, address, cause: 'reason', reason: 'reason: is required' },
      { actor: ours, address, cause: 'reason', reason: expect.stringMatching(/^reason: must/) },
      {
        actor: `key:${readOnly.id}`,
        address,
        cause: 'scope',
        reason: 'This key lacks the scope "credentials"',
      },
    ]);
  });

  test('audits each search and view once, without the search text', async () => {
    const person = await signInAs(app, 'viewer');
    const card = await createCard(app);
    const swipe = { card_id: card.id, amount: '2.00' };
    const { body } = await people.admin.call('POST', 'sandbox/authorizations/', swipe);
    const paths = [
      `merchant/cards/${card.id}/`,
      `search/?q=${card.id}`,
      `search/?q=${card.lastFour}`,
      'search/?q=Nowhereman',
      `transactions/${body.transaction_id}/`,
      'merchant/cards/unknown/',
      'transactions/unknown/',
      'search/?q=%20',
    ];
    // A page that refreshes itself.
    for (const path of [...paths, ...paths]) await person.call('GET', path);
    const entries = await app.sql<{ after: { cardIds?: string[] } | null }>(
      'select action, card_id, address, after from audit_entries where actor = $1 order by id',
      [actorOf(person, 'viewer')],
    );
    const [, ...seen] = entries;
    const address = '127.0.0.1';
    expect(seen).toEqual([
      { action: 'console.viewed_card', card_id: card.id, address, after: null },
      { action: 'console.searched', card_id: null, address, after: { by: 'id', cardIds: [card.id] } },
      {
        action: 'console.searched',
        card_id: null,
        address,
        after: { by: 'lastFour', cardIds: expect.arrayContaining([card.id]) },
      },
      { action: 'console.searched', card_id: null, address, after: { by: 'text', cardIds: [] } },
      {
        action: 'console.viewed_transaction',
        card_id: card.id,
        address,
        after: { transactionId: body.transaction_id },
      },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/nowhereman/i);
    // Who only looked is not among those who did something.
    const { body: history } = await person.call('GET', `cards/${card.id}/history/`);
    const actions = history.results.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['console.simulateAuthorization', 'card.created']);
  });

  test.each(['  a', '\u200b\u200b\u200b', '...'])('"%s" is not accepted as a reason', async (reason) => {
    const { id } = await createCard(app);
    const { status } = await people.admin.call('POST', `cards/${id}/reveal/`, { reason });
    expect(status).toBe(400);
  });

  test('audits a request with the values that the route reads, before it is executed', async () => {
    const [card, other] = [await createCard(app), await createCard(app)];
    const swipe = { card_id: card.id, amount: '2.00', cvv: '999' };
    const { body } = await people.admin.call('POST', 'sandbox/authorizations/', swipe);
    const clearing = { transaction_id: body.transaction_id, card_id: other.id, nonsense: 'x' };
    await people.admin.call('POST', 'sandbox/clearings/', clearing);
    const entries = await app.sql(
      `select action, card_id, after from audit_entries where action like 'console.simulate%' and card_id = any ($1) order by id`,
      [[card.id, other.id]],
    );
    expect(entries).toEqual([
      { action: 'console.simulateAuthorization', card_id: card.id, after: { amount: '2.00' } },
      {
        action: 'console.simulateClearing',
        card_id: card.id,
        after: { transaction_id: body.transaction_id },
      },
    ]);
    const odd = { ...clearing, card_id: 'no uuid' };
    expect((await people.admin.call('POST', 'sandbox/refunds/', odd)).status).toBe(200);
  });

  test('has no sandbox in a live program', async () => {
    const { program } = await app.addProgram({ mode: 'live' });
    expect((await people.support.call('GET', 'sandbox/clock/', undefined, program.id)).status).toBe(404);
    expect((await people.support.call('GET', 'merchant/cards/', undefined, program.id)).status).toBe(200);
  });

  test('audits the operator’s name', async () => {
    const { id } = await createCard(app);
    await people.support.call('PUT', `merchant/cards/${id}/freeze/`, { freeze: true });
    await people.manager.call('PUT', `merchant/cards/${id}/block/`, { reason: 'stolen' });
    const actors = await app.sql('select actor, action from audit_entries where card_id = $1 order by id', [
      id,
    ]);
    expect(actors.slice(1)).toEqual([
      { actor: actorOf(people.support, 'support'), action: 'card.frozen' },
      { actor: actorOf(people.manager, 'manager'), action: 'card.blocked' },
    ]);
  });
});

describe('while sandbox programs are switched off', () => {
  test('their keys and reveal sessions are refused, and the console shows only live programs', async () => {
    const masterKey = randomBytes(32).toString('base64');
    const on = await startTestApp({ masterKey });
    const live = await on.addProgram({ mode: 'live', bin: '400000' });
    const off = await startTestApp({ masterKey, databaseUrl: on.databaseUrl, sandboxPrograms: false });
    try {
      const statusOf = async (key: string) => (await off.call('GET', CARDS, { key })).status;
      expect([await statusOf(on.key), await statusOf(live.key)]).toEqual([401, 200]);
      const reveal = await openSession(on, (await createCard(on)).id);
      expect((await spendSession(off, reveal)).status).toBe(404);
      const sent = { body: {}, networkKey: on.networkKey, key: null };
      expect((await off.call('POST', '/api/v1/network/authorizations/', sent)).status).toBe(401);
      const { call } = await signInAs(off, 'support');
      expect((await call('GET', 'search/?q=ada', undefined, on.program.id)).status).toBe(404);
      expect((await call('GET', 'search/?q=ada', undefined, live.program.id)).status).toBe(200);
      const { cookie } = await signInAs(off, 'viewer');
      const session = await exchange(off.url, 'GET', '/console/api/session/', { headers: { cookie } });
      expect(JSON.parse(session.text).programs).toMatchObject([{ id: live.program.id, mode: 'live' }]);
    } finally {
      await off.close();
      await on.close();
    }
  });
});
