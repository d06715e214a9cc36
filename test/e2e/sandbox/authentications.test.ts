import { describe, expect, test } from 'vitest';
import { wrongFor } from '../../support/authentications/authentications.ts';
import { createCard } from '../../support/cards/cards.ts';
import { networkApp, payingCard } from '../../support/cards/network.ts';
import { swipe } from '../../support/cards/swipe.ts';
import { exchange } from '../../support/server/wire.ts';

const PATH = '/api/v1/sandbox/authentications/';
const NOT_FOUND = { code: 404, message: 'Record not found', status: 'failed' };
const app = networkApp();

const begin = async (cardId: string, more: object = {}, headers: Record<string, string> = {}) => {
  const { status, body } = await app.call('POST', PATH, {
    body: { card_id: cardId, amount: '40.00', ...more },
    headers,
  });
  expect([status, body.message]).toEqual([200, undefined]);
  return body;
};
const read = async (id: string) => (await app.call('GET', `${PATH}${id}/`)).body;
/** What the page does, without a key. */
const onPage = async (id: string, what: string, body?: object) => {
  const method = what === 'state/' ? 'GET' : 'POST';
  const answer = await exchange(app.url, method, `/challenge/${id}/${what}`, body ? { body } : {});
  return { status: answer.status, ...JSON.parse(answer.text) };
};

describe('the sandbox', () => {
  test('shows a code by either id, the page takes it once, and an authorization uses it up', async () => {
    const card = await payingCard(app);
    const begun = await begin(card.id);
    expect(begun).toEqual({
      id: expect.any(String),
      authentication_id: expect.stringMatching(/^acs-/),
      purpose: '3ds',
      card_id: card.id,
      status: 'CHALLENGE',
      trans_status: 'C',
      method: 'OTP',
      reason: null,
      amount: '40.00',
      currency: 'EUR',
      merchant: { id: 'm-1001', name: 'Corner Coffee', mcc: '5814', country: 'GBR' },
      expires_at: expect.any(String),
      destination: '•••123',
      attempts_left: 3,
      sends_left: 2,
      otp: expect.stringMatching(/^\d{6}$/),
      challenge_url: `http://emboss.test/challenge/${begun.id}/`,
    });
    const { id, authentication_id, otp } = begun;
    for (const known of [id, authentication_id]) expect(await read(known)).toEqual(begun);

    expect(await onPage(id, 'attempts/', { otp: wrongFor(otp) })).toMatchObject({ attempts_left: 2 });
    expect(await onPage(id, 'attempts/', { otp })).toEqual({
      status: 'AUTHENTICATED',
      method: 'OTP',
      reason: null,
      destination: '•••123',
      attempts_left: 0,
      sends_left: 0,
      merchant_name: 'Corner Coffee',
      amount: '€40.00',
      last_four: card.number.slice(-4),
    });
    expect(await read(id)).toMatchObject({ status: 'AUTHENTICATED', otp: null, challenge_url: null });
    expect(await swipe(app, card.id, '40.00', { authentication: { authentication_id } })).toMatchObject({
      approved: true,
    });
    const [row] = await app.sql('select used_by from authentications where id = $1', [id]);
    expect(row?.['used_by']).toHaveLength(1);
  });

  test('a repeat by Idempotency-Key or by authentication_id begins nothing and shows the state now', async () => {
    const { id: cardId } = await createCard(app);
    const key = { 'idempotency-key': `begin-${cardId}` };
    const first = await begin(cardId, {}, key);
    await onPage(first.id, 'resend/');
    const again = await begin(cardId, {}, key);
    expect(again).toMatchObject({ id: first.id, sends_left: 1 });
    expect(again.otp).not.toBe(first.otp);
    const [kept] = await app.sql('select count(*)::int as n from authentications where card_id = $1', [
      cardId,
    ]);
    expect(kept?.['n']).toBe(1);
    const id = first.authentication_id;
    expect(await begin(cardId, { authentication_id: id })).toMatchObject({ id: first.id });
    const other = await app.call('POST', PATH, {
      body: { card_id: cardId, amount: '41.00', authentication_id: id },
    });
    expect([other.status, other.body.message]).toEqual([
      409,
      'authentication_id: was already used with a different request',
    ]);
  });

  test('the code of a wallet can be read by the id of its tokenization', async () => {
    const card = await payingCard(app);
    await app.call('POST', `/api/v1/network/tokenizations/tok-${card.id}/otp/`, {
      body: { card_number: card.number },
      key: null,
      networkKey: app.networkKey,
    });
    const found = await read(`tok-${card.id}`);
    expect(found).toMatchObject({
      purpose: 'wallet',
      otp: expect.stringMatching(/^\d{6}$/),
      challenge_url: null,
    });
    expect(await onPage(found.id, 'state/')).toMatchObject({ ...NOT_FOUND, status: 'failed' });
  });
});

describe('the challenge page', () => {
  test('answers for unknown ids, ids of the access control server and live programs with the same 404', async () => {
    const { id: cardId } = await createCard(app);
    const { authentication_id, id } = await begin(cardId);
    const live = await app.addProgram({ mode: 'live', kycProvider: 'sumsub' });
    // A live program has no card without a KYC provider, and its challenge is the same record.
    const [row] = await app.sql(
      'select to_jsonb(a) as was from authentications a where program_id = $1 and id = $2',
      [app.program.id, id],
    );
    await app.sql('delete from authentications where program_id = $1 and id = $2', [app.program.id, id]);
    await app.sql(
      'insert into authentications select * from jsonb_populate_record(null::authentications, $1)',
      [{ ...row?.['was'], program_id: live.program.id }],
    );
    for (const wanted of [id, authentication_id, cardId, 'x', '%00', id.toUpperCase()])
      for (const [method, what] of [
        ['GET', ''],
        ['GET', 'state/'],
        ['POST', 'resend/'],
        ['POST', 'cancel/'],
      ] as const) {
        const answer = await exchange(app.url, method, `/challenge/${wanted}/${what}`);
        expect([wanted, what, answer.status, JSON.parse(answer.text)]).toEqual([
          wanted,
          what,
          404,
          NOT_FOUND,
        ]);
      }
    expect((await app.call('GET', `${PATH}%00/`)).body).toEqual(NOT_FOUND);
    const network = { key: null, networkKey: app.networkKey };
    expect((await app.call('GET', '/api/v1/network/authentications/%00/', network)).body).toEqual(NOT_FOUND);
    expect((await app.call('GET', `${PATH}${id}/`, { key: live.key })).body).toEqual(NOT_FOUND);
  });

  test('is a page without data that loads nothing and can be framed by none', async () => {
    const { id: cardId } = await createCard(app);
    const { id } = await begin(cardId, { merchant: { name: 'Secret Shop' } });
    const { status, text, headers } = await exchange(app.url, 'GET', `/challenge/${id}/`);
    expect(status).toBe(200);
    expect(text).not.toContain('Secret Shop');
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'$/,
      ),
    });
  });
});
