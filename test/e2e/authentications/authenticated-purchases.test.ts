import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expireHolds } from '../../../src/authorizations/engine/expire-holds.ts';
import {
  type Authenticating,
  authenticationOf,
  callNetwork,
  startAuthenticating,
} from '../../support/authentications/authentications.ts';
import {
  abroad,
  accepted,
  authorizationOf,
  clearingOf,
  expectSoundBooks,
  incrementOf,
  MERCHANT,
  newMessageId,
  type Owner,
  ownProgram,
  type PayingCard,
  payingCard,
  reversalOf,
  send,
  setTerms,
} from '../../support/cards/network.ts';
import { advanceDays, setClock } from '../../support/server/clock.ts';
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
/** The purchases that use it, by the network's ids. */
const usedBy = async (authenticationId: string): Promise<unknown[]> => {
  const rows = await app.sql(
    `select t.external_transaction_id as id
     from authentications a cross join unnest(a.used_by) with ordinality as used (id, place)
       join transactions t on t.program_id = a.program_id and t.id = used.id
     where a.authentication_id = $1 order by used.place`,
    [authenticationId],
  );
  return rows.map(({ id }) => id);
};

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
  expect(await usedBy(authentication_id)).toEqual([request.external_transaction_id]);
});

describe('does not count', () => {
  const of = async (...given: Parameters<typeof authenticate>) => ({
    authentication_id: await authenticate(...given),
  });
  test.each<[string, string, () => Promise<object> | object]>([
    ['of another card', 'other_card', async () => of({}, await payingCard(app, {}, owner))],
    ['of another merchant', 'other_merchant', () => of({ merchant: { ...MERCHANT, id: 'm-78' } })],
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
  expect(await usedBy(authentication_id)).toEqual([]);
  expect(await card.authorize('60.00', usd)).toMatchObject({ approved: true });
});

/** Sends the requests at the same time to two servers, each of which has a transaction open before either can decide. */
async function inBothServers(requests: readonly object[]): Promise<Array<Answer['body']>> {
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
    const count = async () => (await app.sql(waiting)).length;
    await expect.poll(count, { interval: 5, timeout: 60_000 }).toBeGreaterThanOrEqual(2);
  } finally {
    await holder.end();
  }
  return sent;
}

test('of many purchases at once, on two servers, exactly one is approved', async () => {
  const authentication_id = await authenticate();
  const requests = Array.from({ length: 24 }, () =>
    authorizationOf(card, '100.00', by({ authentication_id })),
  );
  const answers = await inBothServers(requests);
  const approved = answers.filter((answer) => answer.approved);
  expect(answers.filter((answer) => answer.decline_reason === 'authentication_required')).toHaveLength(23);
  expect(approved.map((answer) => answer.external_transaction_id)).toEqual(await usedBy(authentication_id));
});

describe('shared by purchases that name the first', () => {
  /** An authentication of 100.00, and what its purchases do. */
  const start = async (firstAmount: string, changes: object = {}) => {
    const authentication_id = await authenticate(changes);
    const proof = by({ authentication_id });
    const first = await card.authorize(firstAmount, proof);
    expect(first).toMatchObject({ approved: true });
    const { external_transaction_id: split_of } = first;
    const part = (amount: string, more: object = {}) =>
      card.authorize(amount, { ...proof, split_of, ...more });
    return { authentication_id, first, split_of, part };
  };
  const reasonOf = async ({ transaction_id }: Answer['body']) =>
    (await detailsOf(transaction_id)).authentication.reason;
  const reverse = (id: string, changes: Record<string, unknown> = {}) =>
    accepted(app, 'reversals', reversalOf(id, changes), owner);

  test('up to its amount, and none beyond', async () => {
    const { authentication_id, split_of, part } = await start('45.00');
    const over = await part('55.01');
    expect(over).toMatchObject(REQUIRED);
    expect(await reasonOf(over)).toBe('amount_exceeded');
    const second = await part('55.00');
    expect(second).toMatchObject({ approved: true });
    expect(await reasonOf(second)).toBeNull();
    expect(await reasonOf(await part('0.01'))).toBe('amount_exceeded');
    expect(await usedBy(authentication_id)).toEqual([split_of, second.external_transaction_id]);
    const without = await part('51.00', { split_of: null });
    expect(without).toMatchObject(REQUIRED);
    expect(await reasonOf(without)).toBe('already_used');
  });

  test('a reversal, whole or in part, frees its share', async () => {
    const { split_of, part } = await start('100.00');
    expect(await part('60.00')).toMatchObject(REQUIRED);
    await reverse(split_of, { bill_amount: '60.00' });
    expect(await part('60.01')).toMatchObject(REQUIRED);
    const second = await part('60.00');
    expect(second).toMatchObject({ approved: true });
    await reverse(split_of);
    await reverse(second.external_transaction_id);
    expect(await part('100.01')).toMatchObject(REQUIRED);
    expect(await part('100.00')).toMatchObject({ approved: true });
    // Only those that name it share it: for others it was used.
    expect(await reasonOf(await part('1.00', { split_of: undefined }))).toBe('already_used');
  });

  test('what cleared counts: more than was held, less, and not what was taken back', async () => {
    const { split_of, part } = await start('60.00');
    const cleared = clearingOf(card, split_of, '20.00', { final: true });
    await accepted(app, 'clearings', cleared, owner);
    expect(await part('80.01')).toMatchObject(REQUIRED);
    const second = await part('80.00');
    expect(second).toMatchObject({ approved: true });
    await accepted(app, 'clearings', clearingOf(card, second.external_transaction_id, '100.00'), owner);
    expect(await part('51.00')).toMatchObject(REQUIRED);
    const back = { clearing_id: cleared.clearing_id, reversal_id: newMessageId('rev'), bill_amount: '20.00' };
    await accepted(app, 'reversals', back, owner);
    expect(await reasonOf(await part('0.01'))).toBe('amount_exceeded');
  });

  test('an expired hold frees its share', async () => {
    const its = await ownProgram(app, {
      challenge_above_minor: 20_000,
      require_authentication_above_minor: 0,
    });
    await setClock(app, '2040-03-01T12:00:00Z', its.key);
    const own = await payingCard(app, { spendLimit: 1_000 }, its);
    const request = authenticationOf(own, { amount: '100.00' });
    await callNetwork(app, its, 'POST', 'authentications/', request);
    const proof = by({ authentication_id: request.authentication_id });
    const first = await own.authorize('100.00', proof);
    const part = () => own.authorize('100.00', { ...proof, split_of: first.external_transaction_id });
    expect(await part()).toMatchObject(REQUIRED);
    await advanceDays(app, 8, its.key);
    await expireHolds(app, its.program.id);
    expect(await part()).toMatchObject({ approved: true });
  });

  test.each<[string, (start_: Awaited<ReturnType<typeof start>>) => Promise<object> | object]>([
    ['unknown', () => ({ split_of: 'net-unknown' })],
    ['empty', () => ({ split_of: '' })],
    [
      "another card's",
      async () => ({
        split_of: (await (await payingCard(app, {}, owner)).authorize('1.00')).external_transaction_id,
      }),
    ],
    [
      'a purchase without it',
      async () => ({ split_of: (await card.authorize('1.00')).external_transaction_id }),
    ],
    [
      'a declined one',
      async ({ part }) => ({
        split_of: (await part('60.00', { expiry: '2020-01' })).external_transaction_id,
      }),
    ],
  ])('does not count for one that names %s', async (_name, make) => {
    const begun = await start('10.00');
    const answer = await begun.part('60.00', await make(begun));
    expect(answer).toMatchObject(REQUIRED);
    expect(await reasonOf(answer)).toBe('other_purchase');
    expect(await begun.part('60.00')).toMatchObject({ approved: true });
  });

  test('counts for one that names itself as the first, or comes before it, as little', async () => {
    const proof = by({ authentication_id: await authenticate() });
    const external_transaction_id = newMessageId('net');
    const early = await card.authorize('60.00', { ...proof, split_of: external_transaction_id });
    expect(await reasonOf(early)).toBe('other_purchase');
    const itself = { ...proof, external_transaction_id, split_of: external_transaction_id };
    expect(await reasonOf(await card.authorize('60.00', itself))).toBe('other_purchase');
  });

  test('an increment of either is judged with the share of the other', async () => {
    const { split_of, part } = await start('50.00');
    const { external_transaction_id: second } = await part('30.00');
    const raise = (id: string, amount: string) =>
      accepted(app, 'increments', incrementOf(card, id, amount), owner);
    expect(await raise(split_of, '20.01')).toMatchObject(REQUIRED);
    expect(await raise(split_of, '10.00')).toMatchObject({ approved: true });
    await setTerms(app, owner, { require_authentication_above_minor: 3_000 });
    expect(await raise(second, '10.01')).toMatchObject(REQUIRED);
    expect(await raise(second, '10.00')).toMatchObject({ approved: true });
    await setTerms(app, owner, { require_authentication_above_minor: 5_000 });
    await reverse(second);
    expect(await raise(split_of, '40.00')).toMatchObject({ approved: true });
  });

  test('in the currency of the authentication, at the rate of each purchase', async () => {
    const inUsd = (amount: string, bill: string) => abroad(amount, 'USD', bill);
    const authentication_id = await authenticate({ currency: 'USD' });
    const proof = by({ authentication_id });
    const first = await card.authorize('45.00', { ...proof, ...inUsd('45.00', '40.00') });
    const { external_transaction_id: split_of } = first;
    const part = (amount: string, bill: string) =>
      card.authorize(amount, { ...proof, split_of, ...inUsd(amount, bill) });
    expect(await part('55.01', '52.00')).toMatchObject(REQUIRED);
    // It clears at another rate: the amount is the same.
    const cleared = clearingOf(card, split_of, '43.00', inUsd('45.00', '43.00'));
    await accepted(app, 'clearings', cleared, owner);
    expect(await part('55.01', '52.00')).toMatchObject(REQUIRED);
    expect(await part('55.00', '52.00')).toMatchObject({ approved: true });
  });

  test('a repeat gets the first answer, and the name of the first is part of the message', async () => {
    const { split_of, part } = await start('40.00');
    const external_transaction_id = newMessageId('net');
    const second = await part('60.00', { external_transaction_id });
    expect(second).toMatchObject({ approved: true });
    expect(await part('60.00', { external_transaction_id })).toEqual(second);
    const proof = by((await detailsOf(second.transaction_id)).authentication);
    expect(proof.authentication).toMatchObject({ authenticated: true });
    const { authentication_id } = proof.authentication as { authentication_id: string };
    const sent = authorizationOf(card, '60.00', { ...by({ authentication_id }), external_transaction_id });
    for (const other of [{}, { split_of: null }, { split_of: 'net-other' }])
      expect((await send(app, 'authorizations', { ...sent, ...other }, owner)).status).toBe(409);
    expect((await send(app, 'authorizations', { ...sent, split_of }, owner)).status).toBe(200);
    const wrong = { ...authorizationOf(card, '1.00'), split_of: 1 };
    expect((await send(app, 'authorizations', wrong, owner)).status).toBe(400);
  });

  test('of 20 at once, on two servers, as many are approved as its amount covers', async () => {
    const { split_of, authentication_id } = await start('10.00', { amount: '50.00' });
    await setTerms(app, owner, { require_authentication_above_minor: 0 });
    const requests = Array.from({ length: 20 }, () =>
      authorizationOf(card, '9.00', { ...by({ authentication_id }), split_of }),
    );
    const answers = await inBothServers(requests);
    await setTerms(app, owner, { require_authentication_above_minor: 5_000 });
    const approved = answers.filter((answer) => answer.approved).map((one) => one.external_transaction_id);
    expect(approved).toHaveLength(4);
    expect(answers.filter((answer) => answer.decline_reason === 'authentication_required')).toHaveLength(16);
    expect((await usedBy(authentication_id)).slice(1).sort()).toEqual(approved.sort());
  });

  test('the simulator shares it too, with a merchant of its own', async () => {
    const sandbox = async (path: string, body: object) =>
      (
        await app.call('POST', `/api/v1/sandbox/${path}/`, {
          body: { card_id: card.id, ...body },
          key: owner.key,
        })
      ).body;
    const { authentication_id } = await sandbox('authentications', { amount: '100.00' });
    const swipe = (amount: string, more: object = {}) =>
      sandbox('authorizations', { amount, authentication: { authentication_id }, ...more });
    const elsewhere = { merchant: { id: 'm-other' } };
    expect(await swipe('60.00', elsewhere)).toMatchObject(REQUIRED);
    const { external_transaction_id: split_of } = await swipe('40.00');
    expect(await swipe('60.01', { split_of })).toMatchObject(REQUIRED);
    expect(await swipe('60.00', { split_of })).toMatchObject({ approved: true });
  });
});

describe('the days of an authentication', () => {
  test.each([
    ['by default', {}, 90],
    ['with one day', { authentication_days: 1 }, 1],
  ])('%s: on the last of them it counts, and not on the next', async (_name, days, last) => {
    const terms = { challenge_above_minor: 20_000, require_authentication_above_minor: 5_000 };
    const its = await ownProgram(app, { ...terms, ...days });
    await setClock(app, '2040-03-01T12:00:00Z', its.key);
    const own = await payingCard(app, { spendLimit: 1_000 }, its);
    const proofs = await Promise.all(
      [1, 2].map(async () => {
        const request = authenticationOf(own, { amount: '100.00' });
        const { body } = await callNetwork(app, its, 'POST', 'authentications/', request);
        expect(body.status).toBe('AUTHENTICATED');
        return by({ authentication_id: request.authentication_id });
      }),
    );
    await advanceDays(app, last, its.key);
    expect(await own.authorize('60.00', proofs[0])).toMatchObject({ approved: true });
    await advanceDays(app, 1, its.key);
    const late = await own.authorize('60.00', proofs[1]);
    expect(late).toMatchObject(REQUIRED);
    const path = `/api/v1/merchant/transactions/${late.transaction_id}/`;
    const { body } = await app.call('GET', path, { key: its.key });
    expect(body.authentication).toMatchObject({ authenticated: false, reason: 'expired' });
  });

  test('begin with the result of a challenge, in program time', async () => {
    const its = await startAuthenticating(app);
    await setTerms(app, its.owner, { require_authentication_above_minor: 0, authentication_days: 1 });
    await setClock(app, '2040-03-01T12:00:00Z', its.owner.key);
    const own = await payingCard(app, {}, its.owner);
    const { authentication_id } = await its.create({}, own);
    await advanceDays(app, 3, its.owner.key);
    const otp = its.codes().at(-1) as string;
    expect(await its.attempt(authentication_id, otp)).toMatchObject({ status: 'AUTHENTICATED' });
    await advanceDays(app, 1, its.owner.key);
    const answer = await own.authorize('12.50', by({ authentication_id }));
    expect(answer).toMatchObject({ approved: true });
    await its.merchant.receiver.close();
  });
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
  expect(await usedBy(authentication.authentication_id)).toEqual([]);
});

test('of an authorization that arrives after its clearing, it is recorded', async () => {
  const authentication_id = await authenticate();
  const request = authorizationOf(card, '100.00', by({ authentication_id }));
  const { external_transaction_id: id } = request;
  await accepted(
    app,
    'clearings',
    clearingOf(card, id, '30.00', { card_number: card.number, final: false }),
    owner,
  );
  const { transaction_id } = await accepted(app, 'authorizations', request, owner);
  expect((await detailsOf(transaction_id)).authentication).toMatchObject({ authenticated: true });
  expect(await usedBy(authentication_id)).toEqual([id]);
  const raised = await accepted(app, 'increments', incrementOf(card, id, '0.01'), owner);
  expect(raised).toMatchObject(REQUIRED);
});

test('an increment is judged by the raised amount', async () => {
  const authentication_id = await authenticate({ amount: '120.00' });
  const { external_transaction_id: id, transaction_id } = await card.authorize(
    '100.00',
    by({ authentication_id }),
  );
  const raise = (amount: string) => accepted(app, 'increments', incrementOf(card, id, amount), owner);
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
    const { status, body } = await send(
      app,
      'authorizations',
      authorizationOf(card, '1.00', by(authentication)),
      owner,
    );
    expect([status, body.message]).toEqual([400, message]);
  });

  test('is part of the message, and null is the same as absent', async () => {
    const absent = authorizationOf(card, '1.00', { channel: 'ECOMMERCE' });
    const first = await accepted(app, 'authorizations', absent, owner);
    expect(await accepted(app, 'authorizations', { ...absent, authentication: null }, owner)).toEqual(first);
    const changed = await send(app, 'authorizations', { ...absent, authentication: { eci: '05' } }, owner);
    expect(changed.status).toBe(409);
  });

  test('the simulator takes it too', async () => {
    const authentication_id = await authenticate();
    const external_transaction_id = newMessageId('net');
    const body = { card_id: card.id, amount: '60.00', external_transaction_id, merchant: MERCHANT };
    const swipe = (more: object) =>
      app.call('POST', '/api/v1/sandbox/authorizations/', { body: { ...body, ...more }, key: owner.key });
    expect((await swipe({ authentication: { authentication_id } })).body).toMatchObject({ approved: true });
    expect(await usedBy(authentication_id)).toEqual([external_transaction_id]);
    const without = await swipe({ external_transaction_id: newMessageId('net') });
    expect(without.body).toMatchObject(REQUIRED);
    expect((await swipe({ authentication: { eci: '08' } })).status).toBe(400);
  });
});

test('afterwards the books are sound', () => expectSoundBooks(app));
