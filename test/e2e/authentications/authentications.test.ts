import { afterEach, describe, expect, test } from 'vitest';
import type { CardAuthentication } from '../../../src/authentications/authentication.ts';
import { endExpired } from '../../../src/authentications/end-expired.ts';
import { readSandboxOtp } from '../../../src/authentications/otp.ts';
import { addUses, findAuthenticationById, findUsable } from '../../../src/authentications/queries.ts';
import { startSend } from '../../../src/authentications/send-otp.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { secret } from '../../../src/kernel/secret.ts';
import {
  type Authenticating,
  authenticationOf,
  callNetwork,
  startAuthenticating,
  wrongFor,
} from '../../support/authentications/authentications.ts';
import { act } from '../../support/cards/card-states.ts';
import { CARDS } from '../../support/cards/cards.ts';
import { networkApp, ownProgram, payingCard, setTerms } from '../../support/cards/network.ts';
import { testActor } from '../../support/server/actor.ts';
import { advanceDays } from '../../support/server/clock.ts';

const app = networkApp();
const open: Authenticating[] = [];
afterEach(async () => {
  for (const { merchant } of open.splice(0)) await merchant.receiver.close();
});
const start = async (kinds?: readonly string[]) => {
  const started = await startAuthenticating(app, kinds);
  open.push(started);
  return started;
};

interface Stored {
  id: string;
  name: string;
  data: Record<string, unknown>;
}
const eventsOf = ({ owner }: Authenticating) =>
  app.sql<Stored>(
    `select id, event_name as name, data from events
     where program_id = $1 and event_type = 'authentication' order by id`,
    [owner.program.id],
  );
const completedOf = async (started: Authenticating) =>
  (await eventsOf(started))
    .filter(({ name }) => name === 'authentication.completed')
    .map(({ data }) => [data['authentication_id'], data['status'], data['reason']]);
/** As if five minutes had passed. */
const expire = ({ owner }: Authenticating) =>
  app.sql(`update authentications set expires_at = now() where program_id = $1`, [owner.program.id]);
const answerTo = (started: Authenticating, id: unknown, approve: unknown, key = started.owner.key) =>
  app.call('POST', `/api/v1/merchant/authentications/${id}/answer/`, { body: { approve }, key });
const refused = async (started: Authenticating, path: string, body?: object) => {
  const answer = await callNetwork(app, started.owner, 'POST', path, body);
  return [answer.status, answer.body.message];
};

describe('a challenge by one-time password', () => {
  test('sends a code through the endpoint, and the code authenticates once', async () => {
    const started = await start();
    const { merchant, card, create, attempt, get, codes } = started;
    const challenge = await create();
    expect(challenge).toEqual({
      authentication_id: expect.any(String),
      status: 'CHALLENGE',
      trans_status: 'C',
      method: 'OTP',
      destination: '•••123',
      expires_at: expect.any(String),
      reason: null,
      attempts_left: 3,
      sends_left: 2,
    });
    expect(merchant.requests).toEqual([
      {
        eventType: 'decision',
        eventName: 'otp.request',
        eventId: expect.any(String),
        created: expect.any(String),
        data: {
          otp: expect.stringMatching(/^\d{6}$/),
          external_customer_id: expect.any(String),
          destination: expect.stringMatching(/^\+\d+123$/),
          amount: '12.50',
          currency: 'EUR',
          merchant_name: 'Corner Coffee',
          last_four: card.number.slice(-4),
          purpose: '3ds',
          expires_at: challenge.expires_at,
        },
      },
    ]);
    // Five minutes of real time.
    const lifeMs = Date.parse(challenge.expires_at.replace('+0000', 'Z')) - Date.now();
    expect([lifeMs <= 300_000, lifeMs > 200_000]).toEqual([true, true]);
    const id = challenge.authentication_id;
    const [otp = ''] = codes();
    expect(await attempt(id, wrongFor(otp))).toMatchObject({ status: 'CHALLENGE', attempts_left: 2 });
    for (const body of [{ otp: '12345' }, { otp: '12345a' }, { otp: 123456 }, {}])
      expect((await refused(started, `authentications/${id}/attempts/`, body))[0]).toBe(400);
    expect(await get(id)).toMatchObject({ attempts_left: 2 });
    expect(await eventsOf(started)).toEqual([]);
    expect(await attempt(id, otp)).toMatchObject({
      status: 'AUTHENTICATED',
      trans_status: 'Y',
      reason: null,
    });
    expect(await attempt(id, wrongFor(otp))).toMatchObject({ status: 'AUTHENTICATED', trans_status: 'Y' });
    expect(await get(id)).toMatchObject({ status: 'AUTHENTICATED', attempts_left: 0, sends_left: 0 });
    expect((await eventsOf(started)).map(({ name, data }) => [name, data])).toEqual([
      [
        'authentication.completed',
        {
          id: expect.any(String),
          authentication_id: id,
          purpose: '3ds',
          card_id: card.id,
          status: 'AUTHENTICATED',
          trans_status: 'Y',
          method: 'OTP',
          reason: null,
          amount: '12.50',
          currency: 'EUR',
          merchant: { id: 'm-77', name: 'Corner Coffee', mcc: '5814', country: 'GBR' },
          expires_at: challenge.expires_at,
        },
      ],
    ]);
  });

  test('is rejected by the third wrong code, and the right one comes too late', async () => {
    const started = await start();
    const { create, attempt, codes } = started;
    const { authentication_id: id } = await create();
    const [otp = ''] = codes();
    for (const left of [2, 1])
      expect(await attempt(id, wrongFor(otp))).toMatchObject({ attempts_left: left });
    const end = { status: 'REJECTED', trans_status: 'N', reason: 'otp_wrong', attempts_left: 0 };
    expect(await attempt(id, wrongFor(otp))).toMatchObject(end);
    expect(await attempt(id, otp)).toMatchObject(end);
    expect(await completedOf(started)).toEqual([[id, 'REJECTED', 'otp_wrong']]);
  });

  test('is resent twice with new codes; a failed send counts and leaves the previous code valid', async () => {
    const started = await start();
    const { merchant, create, on, attempt, codes } = started;
    const { authentication_id: id } = await create();
    const [first = ''] = codes();
    expect(await attempt(id, wrongFor(first))).toMatchObject({ attempts_left: 2 });
    // A new code does not forgive wrong attempts.
    expect(await on(id, 'resend/')).toMatchObject({ sends_left: 1, attempts_left: 2 });
    const [, second = ''] = codes();
    expect(new Set(merchant.requests.map(({ eventId }) => eventId)).size).toBe(2);
    if (first !== second) expect(await attempt(id, first)).toMatchObject({ attempts_left: 1 });
    merchant.decide = () => 500;
    expect(await refused(started, `authentications/${id}/resend/`)).toEqual([
      503,
      'The code could not be sent; a code that was sent before stays valid. Retry',
    ]);
    expect(await refused(started, `authentications/${id}/resend/`)).toEqual([
      409,
      'authentication_id: all 3 codes were sent',
    ]);
    expect(await attempt(id, second)).toMatchObject({ status: 'AUTHENTICATED' });
    expect(codes()).toHaveLength(3);
  });

  test('is unavailable if the code cannot be sent, and a repeat says the same', async () => {
    const started = await start();
    const { merchant, card, accepted } = started;
    merchant.decide = () => 404;
    const request = authenticationOf(card);
    const end = { status: 'UNAVAILABLE', trans_status: 'U', reason: 'send_failed' };
    for (let n = 0; n < 2; n++) expect(await accepted('authentications/', request)).toMatchObject(end);
    expect(merchant.requests).toHaveLength(1);
    expect(await completedOf(started)).toEqual([[request.authentication_id, 'UNAVAILABLE', 'send_failed']]);
  });

  test('is created once by concurrent repeats, which wait for the code and say the same; other content is a 409', async () => {
    const started = await start();
    const { card, accepted, merchant, codes } = started;
    const together = async (status: number) => {
      const request = authenticationOf(card);
      let release = () => {};
      const held = new Promise<void>((done) => {
        release = done;
      });
      merchant.decide = async () => {
        await held;
        return status;
      };
      const before = codes().length;
      const repeats = Promise.all(Array.from({ length: 5 }, () => accepted('authentications/', request)));
      await expect.poll(() => codes().length, { timeout: 60_000 }).toBe(before + 1);
      release();
      const [first, ...others] = await repeats;
      for (const other of others) expect(other).toEqual(first);
      expect(codes()).toHaveLength(before + 1);
      return { request, first };
    };
    expect((await together(404)).first).toMatchObject({ status: 'UNAVAILABLE' });
    const { request, first } = await together(200);
    expect(first).toMatchObject({ status: 'CHALLENGE', sends_left: 2 });
    for (const id of ['.', '..'])
      expect(await refused(started, 'authentications/', { ...request, authentication_id: id })).toEqual([
        400,
        'authentication_id: must not be "." or ".."',
      ]);
    for (const change of [{ amount: '12.51' }, { challenge: 'WANTED' }, { expiry: undefined }])
      expect(await refused(started, 'authentications/', { ...request, ...change })).toEqual([
        409,
        'authentication_id: was already used with a different request',
      ]);
  });

  test('ends by cancel, by a card that is frozen meanwhile, and by real time alone', async () => {
    const started = await start();
    const { card, create, on, attempt, get, codes, owner } = started;
    const cancelled = await create();
    const end = { status: 'REJECTED', trans_status: 'N', reason: 'cancelled' };
    expect(await on(cancelled.authentication_id, 'cancel/')).toMatchObject(end);
    expect(await attempt(cancelled.authentication_id, codes()[0] as string)).toMatchObject(end);

    const frozen = await create();
    await act(app, card.id, 'freeze', owner.key);
    expect(await attempt(frozen.authentication_id, codes()[1] as string)).toMatchObject({
      status: 'REJECTED',
      trans_status: 'N',
      reason: 'card_frozen',
    });
    await act(app, card.id, 'unfreeze', owner.key);

    const late = await create();
    await advanceDays(app, 1, owner.key);
    expect(await get(late.authentication_id)).toMatchObject({ status: 'CHALLENGE' });
    const { rows } = await readRow(late.authentication_id);
    const leftMs = new Date(rows.expires_at).getTime() - Date.now();
    expect(leftMs).toBeGreaterThan(240_000);
    expect(leftMs).toBeLessThan(301_000);
    await expire(started);
    const expired = { status: 'REJECTED', trans_status: 'N', reason: 'expired', attempts_left: 0 };
    expect(await get(late.authentication_id)).toMatchObject(expired);
    expect(await completedOf(started)).toHaveLength(2);
    for (let n = 0; n < 2; n++) await endExpired(app, owner.program.id);
    expect(await attempt(late.authentication_id, codes()[2] as string)).toMatchObject(expired);
    expect(await completedOf(started)).toEqual([
      [cancelled.authentication_id, 'REJECTED', 'cancelled'],
      [frozen.authentication_id, 'REJECTED', 'card_frozen'],
      [late.authentication_id, 'REJECTED', 'expired'],
    ]);
  });

  const readRow = async (authenticationId: string) => {
    const [rows] = await app.sql<{ expires_at: string; text: string }>(
      'select expires_at, a::text as text from authentications a where authentication_id = $1',
      [authenticationId],
    );
    return { rows: rows as { expires_at: string; text: string } };
  };

  test('belongs to the number that it was created for: after a reissue it is rejected', async () => {
    const started = await start();
    const { card, create, on, attempt, codes, owner } = started;
    const [attempted, resent] = [await create(), await create()];
    const otp = codes()[0] as string;
    await app.call('PUT', `${CARDS}${card.id}/3ds-forwarding/`, { key: owner.key, body: { enabled: true } });
    await create();
    const [event] = await eventsOf(started);
    await act(app, card.id, 'reissue: NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE', owner.key);
    const end = { status: 'REJECTED', trans_status: 'N', reason: 'unknown_card' };
    expect(await attempt(attempted.authentication_id, otp)).toMatchObject(end);
    expect(await on(resent.authentication_id, 'resend/')).toMatchObject(end);
    expect((await answerTo(started, event?.data['id'], true)).body).toMatchObject(end);
    expect(codes()).toHaveLength(2);
  });

  test('is shown with the destination of its code, which a changed contact makes invalid', async () => {
    const { card, create, on, attempt, get, codes, owner } = await start();
    const { authentication_id: id } = await create();
    const contact = { otpPhoneNumber: { dialCode: 44, phoneNumber: '2079460777' } };
    const path = `${CARDS}${card.id}/contact/`;
    expect((await app.call('PUT', path, { key: owner.key, body: contact })).status).toBe(200);
    expect(await get(id)).toMatchObject({ destination: '•••123' });
    expect(await attempt(id, codes()[0] as string)).toMatchObject({ status: 'CHALLENGE', attempts_left: 2 });
    expect(await on(id, 'resend/')).toMatchObject({ destination: '•••777' });
    expect(await attempt(id, codes()[1] as string)).toMatchObject({
      status: 'AUTHENTICATED',
      destination: '•••777',
    });
  });

  test('takes a code before the endpoint has answered; until then the previous code is right too', async () => {
    const { card, accepted, create, on, attempt, get, codes, merchant } = await start();
    let release = () => {};
    /** Holds the answer of the endpoint until `release`. */
    const hold = () => {
      const held = new Promise<void>((done) => {
        release = done;
      });
      merchant.decide = async () => {
        await held;
        return {};
      };
    };
    hold();
    const request = authenticationOf(card);
    const first = accepted('authentications/', request);
    await expect.poll(() => codes().length, { timeout: 60_000 }).toBe(1);
    expect(await attempt(request.authentication_id, codes()[0] as string)).toMatchObject({
      status: 'AUTHENTICATED',
    });
    release();
    expect(await first).toMatchObject({ status: 'AUTHENTICATED' });

    for (const which of [-2, -1]) {
      merchant.decide = () => ({});
      const { authentication_id: id } = await create();
      hold();
      const before = codes().length;
      const resent = on(id, 'resend/');
      await expect.poll(() => codes().length, { timeout: 60_000 }).toBe(before + 1);
      expect(await attempt(id, codes().at(which) as string)).toMatchObject({ status: 'AUTHENTICATED' });
      release();
      await resent;
      expect(await get(id)).toMatchObject({ status: 'AUTHENTICATED' });
    }
  });

  test('takes both codes after a resend that failed and may have arrived', async () => {
    const started = await start();
    const { create, attempt, codes, merchant } = started;
    const challenges = [await create(), await create()];
    merchant.decide = () => 500;
    for (const { authentication_id: id } of challenges)
      expect((await refused(started, `authentications/${id}/resend/`))[0]).toBe(503);
    const [, second = '', third = ''] = codes();
    expect(await attempt(challenges[0]?.authentication_id, third)).toMatchObject({ status: 'AUTHENTICATED' });
    expect(await attempt(challenges[1]?.authentication_id, second)).toMatchObject({
      status: 'AUTHENTICATED',
    });
  });

  test('in the sandbox needs no endpoint: the merchant can read the code until the end', async () => {
    const started = await start([]);
    const { create, attempt, owner } = started;
    const { authentication_id } = await create();
    const [row] = await app.sql<{ id: string }>('select id from authentications where program_id = $1', [
      owner.program.id,
    ]);
    const read = () => readSandboxOtp(app, owner.program.id, row?.id as string);
    const otp = await read();
    expect(otp).toMatch(/^\d{6}$/);
    expect(await attempt(authentication_id, otp as string)).toMatchObject({ status: 'AUTHENTICATED' });
    expect(await read()).toBeNull();
  });

  test('is stored so that it can be read in the sandbox alone, and until it expires', async () => {
    const started = await start([]);
    const { owner } = started;
    await started.create();
    const [row] = await app.sql<{ id: string }>('select id from authentications where program_id = $1', [
      owner.program.id,
    ]);
    const id = row?.id as string;
    const read = () => readSandboxOtp(app, owner.program.id, id);
    await expire(started);
    expect(await read()).toBeNull();
    await app.sql(`update authentications set expires_at = now() + interval '1 minute'`);
    expect(await read()).toMatch(/^\d{6}$/);
    // The same send in a live program.
    const { program, ...actor } = await testActor(app.db, owner.program.id);
    const live = { ...actor, program: { ...program, mode: 'live' as const } };
    const authentication = (await findAuthenticationById(app.db, program.id, id)) as CardAuthentication;
    const otp = secret(Buffer.from('123456'));
    await app.db.transaction((tx) => startSend(app, { tx, authentication, actor: live }, otp));
    expect(await read()).toBeNull();
  });
});

test('an authorization learns what was authenticated, for a payment alone, and who has used it', async () => {
  const { create, card, owner } = await start();
  await setTerms(app, owner, { challenge_above_minor: 9999 });
  const { authentication_id: paid } = await create();
  const { authentication_id: open } = await create({ challenge: 'MANDATED' });
  const { id: programId } = owner.program;
  const read = () =>
    app.db.transaction((tx) => findUsable(tx, programId, [paid, open, 'unknown', `${paid}'`]));
  const both = { cardId: card.id, merchantId: 'm-77', amountMinor: 1250n, currency: 'EUR', usedBy: [] };
  expect(await read()).toEqual([
    { ...both, authenticationId: paid, isAuthenticated: true, completedAt: expect.any(Date) },
    { ...both, authenticationId: open, isAuthenticated: false, completedAt: null },
  ]);
  const [first, second, third] = [newId(1), newId(2), newId(3)];
  const use = (...ids: string[]) =>
    app.db.transaction(async (tx) => {
      const uses = ids.map((transactionId) => ({ authenticationId: paid, transactionId }));
      addUses(tx, programId, [...uses, { authenticationId: 'unknown', transactionId: first }]);
    });
  await use(first, second);
  await use(third);
  expect((await read()).map(({ usedBy }) => usedBy)).toEqual([[first, second, third], []]);
  const other = (await ownProgram(app)).program.id;
  expect(await app.db.transaction((tx) => findUsable(tx, other, [paid]))).toEqual([]);
});

describe('guessing', () => {
  test('ten wrong codes on a card within an hour end all its challenges and refuse new ones', async () => {
    const started = await start();
    const { card, create, attempt, accepted, codes, owner, get } = started;
    const other = await payingCard(app, {}, owner);
    const untouched = await create({}, other);
    for (let n = 0; n < 3; n++) {
      const { authentication_id: id } = await create();
      for (let m = 0; m < 3; m++) await attempt(id, wrongFor(codes().at(-1)));
    }
    const wallet = await accepted('tokenizations/w-1/otp/', { card_number: card.number });
    expect(wallet).toMatchObject({ status: 'CHALLENGE' });
    const last = await create();
    const refusedEnd = { status: 'REJECTED', reason: 'too_many_attempts' };
    expect(await accepted('tokenizations/w-1/otp/', { otp: wrongFor(codes().at(-2)) })).toMatchObject(
      refusedEnd,
    );
    expect(await get(last.authentication_id)).toMatchObject({ ...refusedEnd, trans_status: 'N' });
    expect(await attempt(last.authentication_id, codes().at(-1) as string)).toMatchObject(refusedEnd);
    await advanceDays(app, 1, owner.key);
    expect(await create()).toMatchObject({ ...refusedEnd, trans_status: 'R' });
    expect(await get(untouched.authentication_id)).toMatchObject({ status: 'CHALLENGE' });
    await app.sql("update authentication_attempts set at = now() - interval '1 hour' where program_id = $1", [
      owner.program.id,
    ]);
    expect(await create()).toMatchObject({ status: 'CHALLENGE' });
  });

  test('ten wrong codes leave challenges in the app and frictionless results as they are', async () => {
    const { card, create, attempt, codes, owner, get } = await start();
    const forward = (enabled: boolean) =>
      app.call('PUT', `${CARDS}${card.id}/3ds-forwarding/`, { key: owner.key, body: { enabled } });
    await forward(true);
    const inApp = await create();
    await forward(false);
    for (let n = 0; n < 4; n++) {
      const { authentication_id: id } = await create();
      for (let m = 0; m < 3; m++) await attempt(id, wrongFor(codes().at(-1)));
    }
    expect(await get(inApp.authentication_id)).toMatchObject({ status: 'CHALLENGE', method: 'OUT_OF_BAND' });
    expect(await create()).toMatchObject({ reason: 'too_many_attempts' });
    await setTerms(app, owner, { challenge_above_minor: 1250 });
    expect(await create()).toMatchObject({ status: 'AUTHENTICATED' });
    await forward(true);
    expect(await create({ amount: '99.00' })).toMatchObject({ status: 'CHALLENGE', method: 'OUT_OF_BAND' });
  });

  test('at most 20 codes are sent for a card within an hour, over all authentications and wallets', async () => {
    const started = await start();
    const { card, create, on, accepted, codes, owner, get } = started;
    for (let n = 0; n < 6; n++) {
      const { authentication_id: id } = await create();
      for (let m = 0; m < 2; m++) await on(id, 'resend/');
    }
    const wallet = { card_number: card.number };
    await accepted('tokenizations/s-1/otp/', wallet);
    const last = await create();
    const { authentication_id: id } = last;
    expect(codes()).toHaveLength(20);
    const sentence = 'The card was sent 20 codes within an hour; retry later';
    expect(await refused(started, `authentications/${id}/resend/`)).toEqual([429, sentence]);
    expect(await refused(started, 'tokenizations/s-1/otp/', wallet)).toEqual([429, sentence]);
    const end = { status: 'UNAVAILABLE', reason: 'too_many_sends' };
    expect(await create()).toMatchObject({ ...end, trans_status: 'U' });
    expect(await accepted('tokenizations/s-2/otp/', wallet)).toMatchObject(end);
    expect(codes()).toHaveLength(20);
    expect(await get(id)).toMatchObject({ status: 'CHALLENGE', sends_left: 2 });
    await app.sql(
      `update authentications set send_started_at = now() - interval '1 hour' where program_id = $1`,
      [owner.program.id],
    );
    expect(await create()).toMatchObject({ status: 'CHALLENGE' });
  });

  test('finds the digest of a code only with the key of the vault', async () => {
    const started = await start();
    const { authentication_id: id } = await started.create();
    const [row] = await app.sql<{ digest: Buffer; text: string }>(
      'select otp_digests[1] as digest, a::text as text from authentications a where authentication_id = $1',
      [id],
    );
    expect(row?.digest).toHaveLength(36);
    // The digest belongs to this amount and merchant: with another one the right code is wrong.
    const otp = started.codes()[0] as string;
    const set = (column: string, value: unknown) =>
      app.sql(`update authentications set ${column} = $2 where authentication_id = $1`, [id, value]);
    await set('amount_minor', 1);
    expect(await started.attempt(id, otp)).toMatchObject({ attempts_left: 2 });
    await set('amount_minor', 1250);
    await set('merchant_id', 'm-78');
    expect(await started.attempt(id, otp)).toMatchObject({ attempts_left: 1 });
    await set('merchant_id', 'm-77');
    // It belongs to this authentication too: it cannot be moved to another one of the same merchant and amount.
    const { authentication_id: other } = await started.create();
    await app.sql('update authentications set otp_digests = $2 where authentication_id = $1', [
      other,
      [row?.digest],
    ]);
    expect(await started.attempt(other, otp)).toMatchObject({ attempts_left: 2 });
    expect(await started.attempt(id, otp)).toMatchObject({ status: 'AUTHENTICATED' });
  });
});

describe('the decision', () => {
  test('refuses cards that cannot be used, without a challenge, with one event for a known card', async () => {
    const started = await start(['authentication', 'otp']);
    const { owner, create, merchant } = started;
    const frozen = await payingCard(app, {}, owner);
    await act(app, frozen.id, 'freeze', owner.key);
    const blocked = await payingCard(app, {}, owner);
    await act(app, blocked.id, 'block', owner.key);
    const foreign = await payingCard(app, {}, await ownProgram(app));
    const rejected = async (reason: string, ...given: Parameters<typeof create>) =>
      expect(await create(...given)).toMatchObject({
        status: 'REJECTED',
        trans_status: 'R',
        reason,
        method: null,
      });
    await rejected('unknown_card', { card_number: '9999000000000008' });
    await rejected('unknown_card', { card_number: foreign.number });
    await rejected('card_frozen', {}, frozen);
    await rejected('card_blocked', {}, blocked);
    await rejected('expiry_mismatch', { expiry: '2031-01' });
    expect(merchant.requests).toEqual([]);
    expect((await completedOf(started)).map(([, , reason]) => reason)).toEqual([
      'card_frozen',
      'card_blocked',
      'expiry_mismatch',
    ]);
  });

  test('is the endpoint’s, and a failure is a challenge', async () => {
    const started = await start(['authentication', 'otp']);
    const { merchant, create, card, codes } = started;
    await setTerms(app, started.owner, { challenge_above_minor: 99_999 });
    const answer = (decided: object | number) => {
      merchant.decide = ({ eventName }) => (eventName === 'otp.request' ? {} : (decided as never));
    };
    answer({ decision: 'APPROVE', reference: 'ref-1' });
    expect(await create()).toMatchObject({ status: 'AUTHENTICATED', trans_status: 'Y', method: null });
    expect(merchant.requests).toMatchObject([
      {
        eventName: 'authentication.request',
        data: {
          authentication_id: expect.any(String),
          card_id: card.id,
          external_customer_id: expect.any(String),
          card_metadata: {},
          amount: '12.50',
          currency: 'EUR',
          merchant: { id: 'm-77', name: 'Corner Coffee', mcc: '5814', country: 'GBR' },
          device_channel: 'BROWSER',
          category: 'PAYMENT',
          challenge: 'NO_PREFERENCE',
          timeout_ms: 2000,
        },
      },
    ]);
    expect(JSON.stringify(merchant.requests)).not.toContain(card.number);
    expect(await create({ challenge: 'MANDATED' })).toMatchObject({ status: 'CHALLENGE' });
    answer({ decision: 'DECLINE' });
    expect(await create()).toMatchObject({ trans_status: 'R', reason: 'declined_by_program' });
    for (const failure of [{ decision: 'MAYBE' }, 500]) {
      answer(failure);
      expect(await create()).toMatchObject({ status: 'CHALLENGE', method: 'OTP' });
    }
    await merchant.set({ paused: true }, 'authentication');
    expect(await create()).toMatchObject({ status: 'CHALLENGE', method: 'OTP' });
    expect(codes()).toHaveLength(4);
    expect(await completedOf(started)).toHaveLength(2);
  });

  test('is the program’s without an endpoint; no one can answer if the merchant is the device', async () => {
    const { create, owner } = await start();
    await setTerms(app, owner, { challenge_above_minor: 1250 });
    expect(await create()).toMatchObject({ status: 'AUTHENTICATED' });
    expect(await create({ amount: '12.51', device_channel: 'MERCHANT' })).toMatchObject({
      status: 'UNAVAILABLE',
      trans_status: 'U',
      reason: 'no_channel',
    });
    expect(await create({ amount: '0', category: 'NON_PAYMENT' })).toMatchObject({ status: 'CHALLENGE' });
    expect(
      await callNetwork(app, owner, 'POST', 'authentications/', {
        ...authenticationOf(await payingCard(app, {}, owner)),
        amount: '0',
      }),
    ).toMatchObject({ status: 400, body: { message: 'amount: must be greater than 0' } });
  });
});

describe('out of band', () => {
  test('the merchant gets the challenge and answers it once, in time', async () => {
    const started = await start();
    const { card, owner, create, get, merchant } = started;
    const path = `${CARDS}${card.id}/3ds-forwarding/`;
    const { key } = owner;
    expect((await app.call('GET', path, { key })).body).toEqual({ enabled: false });
    expect((await app.call('PUT', path, { key, body: { enabled: true } })).body).toEqual({ enabled: true });
    expect((await app.call('GET', path, { key })).body).toEqual({ enabled: true });

    const challenge = await create();
    expect(challenge).toMatchObject({ status: 'CHALLENGE', method: 'OUT_OF_BAND', destination: null });
    const { authentication_id } = challenge;
    const ids = async () =>
      (await eventsOf(started)).flatMap(({ name, data }) =>
        name === 'authentication.challenge' ? [data['id']] : [],
      );
    const [id] = await ids();
    expect(
      await refused(started, `authentications/${authentication_id}/attempts/`, { otp: '123456' }),
    ).toEqual([409, 'otp: the challenge is out of band; it has no code']);
    expect((await refused(started, `authentications/${authentication_id}/resend/`))[0]).toBe(409);
    const foreignKey = (await ownProgram(app)).key;
    for (const [status, unknown, approve, by] of [
      [404, 'no-such-id', true, key],
      [404, card.id, true, key],
      [404, id, true, foreignKey],
      [400, id, 'true', key],
    ] as const)
      expect((await answerTo(started, unknown, approve, by)).status).toBe(status);
    const both = await Promise.all([answerTo(started, id, true), answerTo(started, id, false)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [won] = both.filter(({ status }) => status === 200);
    expect(await get(authentication_id)).toMatchObject({ status: won?.body.status });
    expect(await completedOf(started)).toHaveLength(1);

    await create();
    await act(app, card.id, 'freeze', key);
    expect((await answerTo(started, (await ids())[1], true)).body).toMatchObject({
      status: 'REJECTED',
      reason: 'card_frozen',
    });
    await act(app, card.id, 'unfreeze', key);
    await create();
    await expire(started);
    expect(await answerTo(started, (await ids())[2], true)).toMatchObject({
      status: 409,
      body: { message: 'The authentication does not wait for an answer' },
    });
    expect(merchant.requests).toEqual([]);
    const audited = await app.sql<{ action: string; after: object }>(
      'select action, after from audit_entries where program_id = $1 and card_id = $2 order by id',
      [owner.program.id, card.id],
    );
    expect(audited.filter(({ action }) => /3ds|authentication/.test(action))).toMatchObject([
      { action: 'card.3ds_forwarding_changed', after: { enabled: true } },
      { action: 'authentication.answered', after: { status: won?.body.status } },
      { action: 'authentication.answered', after: { approve: true, status: 'REJECTED' } },
    ]);
  });
});

describe('a wallet', () => {
  test('gets a code by the same machinery: three sends, three attempts, no merchant and no amount', async () => {
    const started = await start(['authentication', 'otp']);
    const { card, accepted, merchant, codes } = started;
    const path = 'tokenizations/token-1/otp/';
    const body = { card_number: card.number, expiry: card.expiry, wallet: 'Example Pay' };
    expect(await accepted(path, body)).toEqual({
      tokenization_id: 'token-1',
      status: 'CHALLENGE',
      destination: '•••123',
      expires_at: expect.any(String),
      reason: null,
      attempts_left: 3,
      sends_left: 2,
    });
    expect(merchant.requests).toMatchObject([
      {
        eventName: 'otp.request',
        data: { purpose: 'wallet', amount: null, currency: null, merchant_name: null },
      },
    ]);
    expect(await accepted(path, body)).toMatchObject({ sends_left: 1 });
    expect(await refused(started, path, { ...body, wallet: 'Other' })).toEqual([
      409,
      'tokenizationId: was already used with a different request',
    ]);
    for (const wrong of [{}, { ...body, otp: '123456' }])
      expect((await refused(started, path, wrong))[0]).toBe(400);
    expect((await refused(started, 'tokenizations/none/otp/', { otp: '123456' }))[0]).toBe(404);
    expect((await refused(started, `tokenizations/${card.number}/otp/`, body))[0]).toBe(400);
    expect(await accepted(path, body)).toMatchObject({ sends_left: 0 });
    expect(await refused(started, path, body)).toEqual([409, 'tokenizationId: all 3 codes were sent']);
    expect(await accepted(path, { otp: codes().at(-1) })).toMatchObject({ status: 'AUTHENTICATED' });
    expect(await accepted(path, { otp: '000000' })).toMatchObject({ status: 'AUTHENTICATED' });
    expect(await completedOf(started)).toEqual([['token-1', 'AUTHENTICATED', null]]);
    expect(await accepted('tokenizations/t-2/otp/', { card_number: '9999000000000008' })).toMatchObject({
      status: 'REJECTED',
      reason: 'unknown_card',
    });
  });
});
