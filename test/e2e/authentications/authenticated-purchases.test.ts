import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Authenticating, startAuthenticating } from '../../support/authentications/authentications.ts';
import {
  abroad,
  accepted,
  authorizationOf,
  expectSoundBooks,
  incrementOf,
  newMessageId,
  type Owner,
  ownProgram,
  type PayingCard,
  payingCard,
  send,
  setTerms,
} from '../../support/cards/network.ts';
import { type Answer, type TestApp, twoAppsForTests } from '../../support/server/test-app.ts';

const [app, other] = twoAppsForTests();
let started: Authenticating;
let owner: Owner;
let card: PayingCard;
beforeAll(async () => {
  // Its merchant approves authentications of every kind, except those in which a challenge is mandated.
  started = await startAuthenticating(app, ['authentication']);
  ({ owner } = started);
  await setTerms(app, owner, { require_authentication_above_minor: 5_000 });
  card = await payingCard(app, { spendLimit: 100_000 }, owner);
});
afterAll(() => started.merchant.receiver.close());

/** The id of a new authentication. */
const authenticate = async (changes: object = {}, by = card, status = 'AUTHENTICATED'): Promise<string> => {
  const answer = await started.create({ amount: '100.00', ...changes }, by);
  expect(answer).toMatchObject({ status });
  return answer.authentication_id;
};
const usedBy = async (authenticationId: string): Promise<unknown> =>
  (
    await app.sql('select used_by from authentications where authentication_id = $1', [authenticationId])
  )[0]?.['used_by'];

const by = (authentication: object | null) => ({ channel: 'ECOMMERCE', authentication });
const detailsOf = async (transactionId: string) =>
  (await app.call('GET', `/api/v1/merchant/transactions/${transactionId}/`, { key: owner.key })).body;
const REQUIRED = {
  approved: false,
  decline_reason: 'authentication_required',
  decline_code: '1A',
  network_code: '1A',
};

test('counts once: a purchase uses it up, a repeat gets the same answer, and another purchase is declined', async () => {
  const authentication_id = await authenticate();
  const request = authorizationOf(card, '100.00', by({ authentication_id }));
  const first = await accepted(app, 'authorizations', request, owner);
  expect(first).toMatchObject({ approved: true });
  expect(await accepted(app, 'authorizations', request, owner)).toEqual(first);
  const again = await card.authorize('100.00', by({ authentication_id }));
  expect(again).toMatchObject({ ...REQUIRED, status: 'DECLINED' });
  const [counts, used] = [
    { authentication_id, eci: null, authenticated: true, reason: null },
    { authentication_id, eci: null, authenticated: false, reason: 'already_used' },
  ];
  expect((await detailsOf(first.transaction_id)).authentication).toEqual(counts);
  expect((await detailsOf(again.transaction_id)).authentication).toEqual(used);
  const shown = (await card.events()).map(({ data }) => data?.['authentication']);
  expect(shown.slice(-2)).toEqual([counts, used]);
  expect(await usedBy(authentication_id)).toBe(request.external_transaction_id);
});

describe('does not count', () => {
  const of = async (...given: Parameters<typeof authenticate>) => ({
    authentication_id: await authenticate(...given),
  });
  test.each<[string, string, () => Promise<object> | object]>([
    ['of another card', 'other_card', async () => of({}, await payingCard(app, {}, owner))],
    ['in another currency', 'other_currency', () => of({ currency: 'USD' })],
    ['for a cent less', 'amount_exceeded', () => of({ amount: '50.00' })],
    ['not for a payment', 'not_authenticated', () => of({ category: 'NON_PAYMENT' })],
    ['not completed', 'not_authenticated', () => of({ challenge: 'MANDATED' }, card, 'CHALLENGE')],
    ['rejected', 'not_authenticated', () => of({ expiry: '2020-01' }, card, 'REJECTED')],
    ['unknown', 'unknown', () => ({ authentication_id: 'acs-unknown' })],
    ['attempted', 'attempted', () => ({ eci: '6' })],
    ['no 3-D Secure', 'not_authenticated', () => ({ eci: '07' })],
  ])('%s', async (_name, reason, make) => {
    const authentication = await make();
    const answer = await card.authorize('50.01', by(authentication));
    expect(answer).toMatchObject(REQUIRED);
    expect((await detailsOf(answer.transaction_id)).authentication).toMatchObject({
      authenticated: false,
      reason,
    });
    // Below the amount, and in a shop, nothing is required.
    expect(await card.authorize('50.00', by(authentication))).toMatchObject({ approved: true });
    const atHand = { channel: 'POS', authentication };
    expect(await card.authorize('50.01', atHand)).toMatchObject({ approved: true });
  });
});

test('nothing said, an account check, an advice and the ECI', async () => {
  expect(await card.authorize('50.01', by(null))).toMatchObject(REQUIRED);
  const partial = { ...by(null), partial_approval: true };
  expect(await card.authorize('50.01', partial)).toMatchObject(REQUIRED);
  // An account check buys nothing: the authentication stays for the purchase.
  const proof = by({ authentication_id: await authenticate() });
  for (const amount of ['0.00', '50.01'])
    expect(await card.authorize(amount, proof)).toMatchObject({ approved: true });
  const advice = { ...by(null), stand_in: { approved: true } };
  expect(await card.authorize('50.01', advice)).toMatchObject({ approved: true });
  for (const eci of ['5', '02'])
    expect(await card.authorize('50.01', by({ eci }))).toMatchObject({ approved: true });
});

test('a declined purchase leaves it to the next one, and its currency is that of the purchase', async () => {
  const authentication_id = await authenticate({ amount: '60.00', currency: 'USD' });
  const usd = { ...by({ authentication_id }), ...abroad('60.00', 'USD', '55.00') };
  expect(await card.authorize('60.00', { ...usd, expiry: '2020-01' })).toMatchObject({
    decline_reason: 'expiry_mismatch',
  });
  expect(await usedBy(authentication_id)).toBeNull();
  expect(await card.authorize('60.00', usd)).toMatchObject({ approved: true });
});

test('of many purchases at once, on two servers, exactly one is approved', async () => {
  const authentication_id = await authenticate();
  const requests = Array.from({ length: 24 }, () =>
    authorizationOf(card, '100.00', by({ authentication_id })),
  );
  // Both servers have a transaction open before either can decide.
  const holder = new pg.Client({ connectionString: app.databaseUrl });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from card_counters where program_id = $1 and card_id = $2 for update', [
    owner.program.id,
    card.id,
  ]);
  // On a slow machine a message may wait too long for the card; the network sends it again.
  const decided = async (on: TestApp, request: object): Promise<Answer['body']> => {
    const { status, body } = await send(on, 'authorizations', request, owner);
    return status === 503 ? decided(on, request) : body;
  };
  const sent = Promise.all(requests.map((request, at) => decided(at % 2 ? other : app, request)));
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  try {
    await expect.poll(() => app.sql(waiting), { interval: 5, timeout: 60_000 }).toHaveLength(2);
  } finally {
    await holder.end();
  }
  const answers = await sent;
  const approved = answers.filter((answer) => answer.approved);
  expect(answers.filter((answer) => answer.decline_reason === 'authentication_required')).toHaveLength(23);
  expect(approved.map((answer) => answer.external_transaction_id)).toEqual([await usedBy(authentication_id)]);
});

test('of another program, it is unknown', async () => {
  const stranger = await payingCard(app, {}, await ownProgram(app));
  const authentication = { authentication_id: await authenticate() };
  const answer = await stranger.authorize('100.00', by(authentication));
  expect(answer).toMatchObject({ approved: true });
  const { owner: its } = stranger;
  const path = `/api/v1/merchant/transactions/${answer.transaction_id}/`;
  const { body } = await app.call('GET', path, { key: its.key });
  expect(body.authentication).toMatchObject({ authenticated: false, reason: 'unknown' });
  expect(await usedBy(authentication.authentication_id)).toBeNull();
});

test('of an authorization that arrives after its clearing, it is recorded', async () => {
  const authentication_id = await authenticate();
  const request = authorizationOf(card, '100.00', by({ authentication_id }));
  const { external_transaction_id: id } = request;
  await card.clear(id, '30.00', { card_number: card.number, final: false });
  const { transaction_id } = await accepted(app, 'authorizations', request, owner);
  expect((await detailsOf(transaction_id)).authentication).toMatchObject({ authenticated: true });
  expect(await usedBy(authentication_id)).toBe(id);
  const raised = await card.increment(id, '0.01');
  expect(raised).toMatchObject(REQUIRED);
});

test('an increment is judged by the raised amount', async () => {
  const authentication_id = await authenticate({ amount: '120.00' });
  const { external_transaction_id: id, transaction_id } = await card.authorize(
    '100.00',
    by({ authentication_id }),
  );
  const raise = (amount: string) => card.increment(id, amount);
  expect(await raise('20.00')).toMatchObject({ approved: true });
  expect(await raise('0.01')).toMatchObject(REQUIRED);
  const details = await detailsOf(transaction_id);
  expect(details).toMatchObject({ held_amount: '120.00', authentication: { authenticated: true } });
  expect(details.events.at(-1)).toMatchObject({
    decline_reason: 'authentication_required',
    authentication: { authenticated: false, reason: 'amount_exceeded' },
  });
  const small = await card.authorize('50.00', by(null));
  const raised = incrementOf(card, small.external_transaction_id, '0.01');
  expect(await accepted(app, 'increments', raised, owner)).toMatchObject(REQUIRED);
});

describe('the field', () => {
  test.each([
    [{}, 'authentication: must have either authentication_id or eci'],
    [{ authentication_id: 'acs-1', eci: '05' }, 'authentication: must have either authentication_id or eci'],
    [{ eci: '08' }, 'authentication.eci: must be 0 to 7, with or without a leading zero'],
    [{ eci: '005' }, 'authentication.eci: must be 0 to 7, with or without a leading zero'],
    [{ authentication_id: ' ' }, 'authentication.authentication_id: must not be empty'],
  ])('%j: %s', async (authentication, message) => {
    const { status, body } = await card.send(
      'authorizations',
      authorizationOf(card, '1.00', by(authentication)),
    );
    expect([status, body.message]).toEqual([400, message]);
  });

  test('is part of the message, and null is the same as absent', async () => {
    const absent = authorizationOf(card, '1.00', { channel: 'ECOMMERCE' });
    const first = await accepted(app, 'authorizations', absent, owner);
    expect(await accepted(app, 'authorizations', { ...absent, authentication: null }, owner)).toEqual(first);
    const changed = await card.send('authorizations', { ...absent, authentication: { eci: '05' } });
    expect(changed.status).toBe(409);
  });

  test('the simulator takes it too', async () => {
    const authentication_id = await authenticate();
    const external_transaction_id = newMessageId('net');
    const body = { card_id: card.id, amount: '60.00', external_transaction_id };
    const swipe = (more: object) =>
      app.call('POST', '/api/v1/sandbox/authorizations/', { body: { ...body, ...more }, key: owner.key });
    expect((await swipe({ authentication: { authentication_id } })).body).toMatchObject({ approved: true });
    expect(await usedBy(authentication_id)).toBe(external_transaction_id);
    const without = await swipe({ external_transaction_id: newMessageId('net') });
    expect(without.body).toMatchObject(REQUIRED);
    expect((await swipe({ authentication: { eci: '08' } })).status).toBe(400);
  });
});

test('afterwards the books are sound', () => expectSoundBooks(app));
