import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { publicIdOf, readPublicId } from '../../../src/cards/reveal/public-id.ts';
import { deleteExpiredSessions } from '../../../src/cards/reveal/queries.ts';
import { revokeKey } from '../../../src/programs/manage-keys.ts';
import { act, cardIn, credentialsOf, STATES, type State } from '../../support/cards/card-states.ts';
import { APPROVING_KYC, CARDS, createCard } from '../../support/cards/cards.ts';
import {
  challengeOf,
  newVerifier,
  type OpenSession,
  ORIGIN,
  openSession,
  requestSession,
  spendSession,
} from '../../support/cards/reveal.ts';
import { testActor } from '../../support/server/actor.ts';
import { advanceDays, advanceSeconds } from '../../support/server/clock.ts';
import { appForTests, type TestApp, twoAppsForTests } from '../../support/server/test-app.ts';
import { type Exchange, exchange } from '../../support/server/wire.ts';

/** Two processes on one database. */
const [app, second] = twoAppsForTests();

const NOT_FOUND = { code: 404, message: 'Record not found', status: 'failed' };
const read = ({ status, text }: Exchange) => ({ status, body: JSON.parse(text) });
const refused = { status: 404, body: NOT_FOUND };
const rowsOf = (cardId: string) =>
  app.sql<{ id: string }>('select id from reveal_sessions where card_id = $1', [cardId]);
const auditOf = (cardId: string) =>
  app.sql(
    `select action, actor, after from audit_entries where card_id = $1 and action like 'card.%reveal%' order by id`,
    [cardId],
  );
/** Ends a session as time would. */
const expire = ({ id }: OpenSession) =>
  app.sql('update reveal_sessions set expires_at = now() where id = $1', [readPublicId(id).id]);

describe('a session', () => {
  test('shows the values once, audited with the session, and never again', async () => {
    const { id: cardId } = await createCard(app);
    const session = await openSession(app, cardId);
    expect(session.url).toBe(`http://emboss.test/reveal/${session.id}/`);
    const lifeMs = Date.parse(session.expiresAt.replace('+0000', 'Z')) - Date.now();
    expect(lifeMs).toBeGreaterThan(55_000);
    expect(lifeMs).toBeLessThanOrEqual(60_000);
    const shown = await spendSession(app, session);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(read(shown)).toEqual({
      status: 200,
      body: { ...(await credentialsOf(app, cardId)), displaySeconds: 60, theme: null },
    });
    expect(read(await spendSession(app, session))).toEqual(refused);
    const revealSessionId = session.id;
    const fields = ['number', 'expiry', 'cvv'];
    const [created, revealed] = await auditOf(cardId);
    expect(created).toMatchObject({
      action: 'card.reveal_session_created',
      actor: expect.stringMatching(/^key:/),
      after: { revealSessionId, origin: ORIGIN, fields, displaySeconds: 60 },
    });
    expect(revealed).toMatchObject({
      action: 'card.credentials_revealed',
      actor: 'system:reveal-session',
      after: { revealSessionId, fields },
    });
  });

  test('shows the chosen fields only, for the chosen time, in the chosen theme', async () => {
    const { id } = await createCard(app);
    const theme = {
      background: '#FFFFFF',
      text: '#000000',
      accent: '#0044ff',
      size: 'large',
      font: 'serif',
    };
    const chosen = { fields: ['expiry'], displaySeconds: 10, theme };
    const { body } = read(await spendSession(app, await openSession(app, id, chosen)));
    const { expiryMonth, expiryYear, expiryDate } = await credentialsOf(app, id);
    expect(body).toEqual({ expiryMonth, expiryYear, expiryDate, displaySeconds: 10, theme });
    const onlyNumber = await spendSession(app, await openSession(app, id, { fields: ['number'] }));
    expect(Object.keys(read(onlyNumber).body)).toEqual(['cardNumber', 'displaySeconds', 'theme']);
  });

  test('is used once, however many requests on two processes arrive at the same time', async () => {
    const { id } = await createCard(app);
    const session = await openSession(app, id);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => spendSession(index % 2 ? app : second, session)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(404)]);
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      'card.reveal_session_created',
      'card.credentials_revealed',
    ]);
  });

  test('ends with the third wrong verifier, also if all arrive at the same time', async () => {
    const { id } = await createCard(app);
    const wrong = (session: OpenSession) => spendSession(app, { ...session, verifier: newVerifier() });
    const twice = await openSession(app, id);
    for (const _attempt of [1, 2]) expect(read(await wrong(twice))).toEqual(refused);
    expect((await spendSession(app, twice)).status).toBe(200);
    const session = await openSession(app, id);
    await Promise.all([wrong(session), wrong(session), wrong(session)]);
    expect(read(await spendSession(app, session))).toEqual(refused);
    const entries = (await auditOf(id)).filter(({ action }) => action === 'card.reveal_refused');
    expect(entries).toHaveLength(5);
    expect(entries[0]?.['after']).toMatchObject({ cause: 'verifier' });
  });

  test('lives in real time: the program clock neither ends nor revives it', async () => {
    const { key } = await app.addProgram();
    const { id } = await createCard(app, {}, key);
    const [lives, ends] = [await openSession(app, id, {}, key), await openSession(app, id, {}, key)];
    await expire(ends);
    await advanceDays(app, 1, key);
    expect((await spendSession(app, ends)).status).toBe(404);
    expect((await spendSession(app, lives)).status).toBe(200);
    const later = await openSession(app, id, {}, key);
    expect(Date.parse(later.expiresAt.replace('+0000', 'Z'))).toBeLessThan(Date.now() + 61_000);
    await advanceSeconds(app, 61, key);
    expect((await spendSession(app, later)).status).toBe(200);
  });

  test.each<[string, (id: string, key: string) => Promise<unknown>]>([
    ['blocked', (id, key) => act(app, id, 'block: lost', key)],
    ['expired', (_id, key) => advanceDays(app, 4 * 366, key)],
    ['reissued', (id, key) => act(app, id, 'reissue: NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE', key)],
  ])('shows nothing if the card was %s since', async (_name, change) => {
    const { key } = await app.addProgram();
    const { id } = await createCard(app, {}, key);
    const session = await openSession(app, id, {}, key);
    await change(id, key);
    expect(read(await spendSession(app, session))).toEqual(refused);
    expect(await rowsOf(id)).toEqual([]);
  });

  test('still shows the values after an identical reissue', async () => {
    const { id } = await createCard(app);
    const session = await openSession(app, id);
    await act(app, id, 'reissue: IDENTICAL_TO_THE_CURRENT_CARD', app.key);
    expect((await spendSession(app, session)).status).toBe(200);
  });

  const setKey = (change: string) => (id: string) =>
    app.sql(`update api_keys set ${change} where id = $1`, [id]);
  test.each<[string, (keyId: string) => Promise<unknown>]>([
    ['revoked', async (id) => revokeKey(app.db, await testActor(app.db, app.program.id), id)],
    ['expired', setKey('expires_at = now()')],
    ['altered', setKey(`scopes = '{reveal,read}'`)],
  ])('shows nothing if its key was %s since', async (_name, change) => {
    const { id: cardId } = await createCard(app);
    const { id, key } = await app.addKey(app.program.id, ['reveal']);
    const session = await openSession(app, cardId, {}, key);
    await change(id);
    expect(read(await spendSession(app, session))).toEqual(refused);
    expect(await rowsOf(cardId)).toEqual([]);
  });
});

test('the worker deletes expired sessions, and only those', async () => {
  const { id } = await createCard(app);
  const [expired, open] = [await openSession(app, id), await openSession(app, id)];
  await expire(expired);
  while ((await deleteExpiredSessions(app.db, 1)) > 0);
  expect(await rowsOf(id)).toEqual([{ id: readPublicId(open.id).id }]);
});

describe('creating', () => {
  const CODES: Partial<Record<State, number>> = {
    'BLOCKED: fraud': 59,
    'BLOCKED: lost': 41,
    'BLOCKED: stolen': 43,
    'BLOCKED: other': 62,
    EXPIRED: 54,
    'EXPIRED while FROZEN': 54,
  };
  test.each(Object.keys(STATES) as State[])(
    'for a card that is %s follows the rule of freeze',
    async (state) => {
      const { key } = await app.addProgram();
      const { status, body } = await requestSession(app, await cardIn(app, state, key), {}, { key });
      const code = CODES[state];
      if (code === undefined) expect(status).toBe(201);
      else expect([status, body.code]).toEqual([400, code]);
    },
  );

  test('with a wrong field is a 400 that names it, and creates nothing', async () => {
    const { id } = await createCard(app);
    const wrongOrigins = [
      ...[
        'https://app.example.com/',
        'https://app.example.com/path',
        'app.example.com',
        'https://APP.example.com',
      ],
      ...[
        'https://*.example.com',
        'https://a.example;b',
        "https://a'b.example",
        'https://app.example.com:443',
      ],
      ...[
        'https://user@app.example.com',
        'ftp://app.example.com',
        'https://[::1]',
        '*',
        '',
        "'self'",
        'null',
      ],
      ...['https://a.example https://b.example', 'https://a.example,b', 'https://-a.example'],
    ];
    const cases: Array<[changes: object, words: string]> = [
      ...wrongOrigins.map((origin): [object, string] => [
        { origin },
        'origin: must be an origin without a path',
      ]),
      [{ origin: undefined }, 'origin: is required'],
      [{ challenge: undefined }, 'challenge: is required'],
      [{ challenge: 'a'.repeat(42) }, 'challenge: must be the SHA-256 of the verifier'],
      [{ challenge: `${'a'.repeat(42)}+` }, 'challenge: must be the SHA-256 of the verifier'],
      [{ fields: [] }, 'fields: must not be empty'],
      [{ fields: ['cvv', 'cvv'] }, 'fields: must name each field once'],
      [{ fields: ['pin'] }, 'fields'],
      [{ displaySeconds: 9 }, 'displaySeconds: must be at least 10'],
      [{ displaySeconds: 301 }, 'displaySeconds: must be at most 300'],
      [{ theme: { text: '#000000' } }, 'theme: must have background and text together'],
      [{ theme: { accent: 'red' } }, 'theme.accent: must be a colour'],
      [{ theme: { accent: '#00000;' } }, 'theme.accent: must be a colour'],
      [{ theme: { font: 'url(https://a.example)' } }, 'theme.font'],
    ];
    for (const [changes, words] of cases) {
      const { status, body } = await requestSession(app, id, changes);
      expect([changes, status, body.message]).toEqual([changes, 400, expect.stringContaining(words)]);
    }
    expect(await rowsOf(id)).toEqual([]);
  });

  test('without the scope is refused, and audited like every refused reveal', async () => {
    const { id } = await createCard(app);
    const { key } = await app.addKey(app.program.id, ['read', 'write', 'credentials']);
    expect((await requestSession(app, id, {}, { key })).status).toBe(403);
    expect(await auditOf(id)).toMatchObject([
      { action: 'card.reveal_refused', after: { cause: 'scope', reason: expect.stringContaining('reveal') } },
    ]);
  });

  test('for a customer who does not hold the card is a 404', async () => {
    const { id } = await createCard(app);
    expect((await requestSession(app, id, { customerId: 'customer-42' })).status).toBe(201);
    const { status, body } = await requestSession(app, id, { customerId: 'customer-43' });
    expect([status, body]).toEqual([404, NOT_FOUND]);
  });

  test('is limited to 5 open sessions of a card, also if they are created at the same time', async () => {
    const { id } = await createCard(app);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        requestSession(index % 2 ? app : second, id, {}, { key: app.key }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), 429, 429, 429]);
    const { headers, body } = await requestSession(app, id);
    expect(body.message).toMatch(/^The card has 5 open reveal sessions, the most allowed; retry in \d+ s$/);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(50);
    // An ended session makes room for another.
    const [first] = await rowsOf(id);
    await app.sql('update reveal_sessions set expires_at = now() where id = $1', [first?.id]);
    expect((await requestSession(app, id)).status).toBe(201);
    // So do all sessions of a reissued card, which can no longer be used.
    expect((await requestSession(app, id)).status).toBe(429);
    await act(app, id, 'reissue: NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE', app.key);
    expect((await requestSession(app, id)).status).toBe(201);
  });

  test('with an Idempotency-Key twice returns the same session; another request under the key is a 409', async () => {
    const { id } = await createCard(app);
    const options = { key: app.key, headers: { 'idempotency-key': randomUUID() } };
    const [one, other] = await Promise.all([
      requestSession(app, id, {}, options),
      requestSession(second, id, {}, options),
    ]);
    expect([one.status, other.status, one.body]).toEqual([201, 201, other.body]);
    expect(await rowsOf(id)).toHaveLength(1);
    const changed = await requestSession(app, id, { displaySeconds: 30 }, options);
    expect(changed.status).toBe(409);
    // The key is bound to the card too: it never returns the session of another card.
    const { id: another } = await createCard(app);
    expect((await requestSession(app, another, {}, options)).status).toBe(409);
    expect(await rowsOf(another)).toEqual([]);
  });
});

/** With a KYC provider for live programs, and a limit. */
const other = appForTests({ sumsub: APPROVING_KYC, limits: { key_reveals: 2 } });

describe('in a live program', () => {
  test('origins are https; a sandbox program also takes http', async () => {
    const { id: cardId } = await createCard(other);
    expect((await requestSession(other, cardId, { origin: 'http://localhost:3000' })).status).toBe(201);
    const { key } = await other.addProgram({ mode: 'live' });
    const { id } = await createCard(other, {}, key);
    const { status, body } = await requestSession(other, id, { origin: 'http://localhost:3000' }, { key });
    expect([status, body.message]).toEqual([400, 'origin: must begin with https:// in a live program']);
    expect((await requestSession(other, id, {}, { key })).status).toBe(201);
  });
});

describe('without an audit entry', () => {
  test('no value leaves, and the session can still be used', async () => {
    const { id } = await createCard(other);
    const session = await openSession(other, id);
    const table = 'alter table audit_entries';
    const rule = `check (action <> 'card.credentials_revealed') not valid`;
    await other.sql(`${table} add constraint no_reveals ${rule}`);
    const { status, text } = await spendSession(other, session);
    expect([status, Object.keys(JSON.parse(text))]).toEqual([500, ['code', 'message', 'status']]);
    await other.sql(`${table} drop constraint no_reveals`);
    expect((await spendSession(other, session)).status).toBe(200);
  });
});

describe('the limits of revealed numbers', () => {
  test('count sessions with the other reveals of the key; refusals are audited, a few per minute', async () => {
    const { program } = other;
    const { key } = await other.addKey(program.id, ['credentials', 'reveal']);
    const { id } = await createCard(other);
    const sessions = [await openSession(other, id, {}, key), await openSession(other, id, {}, key)] as const;
    expect((await other.call('GET', `${CARDS}${id}/credentials/`, { key })).status).toBe(200);
    expect((await spendSession(other, sessions[0])).status).toBe(200);
    for (let attempt = 0; attempt < 4; attempt++)
      expect((await spendSession(other, sessions[1])).status).toBe(429);
    const refusals = await other.sql(
      `select actor, after from audit_entries where card_id = $1 and action = 'card.reveal_refused'`,
      [id],
    );
    expect(refusals).toHaveLength(3);
    expect(refusals[0]).toEqual({
      actor: 'system:reveal-session',
      after: {
        cause: 'limit',
        reason: expect.stringMatching(/^Too many card numbers revealed with this key; retry in \d+ s$/),
        revealSessionId: sessions[1].id,
      },
    });
    // The session can be used later.
    const left = await other.sql('select from reveal_sessions where card_id = $1', [id]);
    expect(left).toHaveLength(1);
  });
});

describe('from outside', () => {
  /** What the answer says, without what differs from request to request. */
  const comparable = ({ status, text, headers }: Exchange) => {
    const compared = Object.fromEntries(headers);
    for (const name of ['date', 'x-request-id']) delete compared[name];
    return { status, text, headers: compared };
  };

  /** One of each refusal, with the same origin. */
  async function refusals(on: TestApp, cardId: string): Promise<Record<string, OpenSession>> {
    const [used, expired, wrong] = [
      await openSession(on, cardId),
      await openSession(on, cardId),
      await openSession(on, cardId),
    ];
    await spendSession(on, used);
    await expire(expired);
    const ref = { programId: on.program.id, id: randomUUID(), origin: ORIGIN };
    return {
      unknown: { ...used, id: publicIdOf(ref) },
      used,
      expired,
      wrong: { ...wrong, verifier: newVerifier() },
      'with another origin': {
        ...wrong,
        id: publicIdOf({ ...readPublicId(wrong.id), origin: 'https://evil.example' }),
      },
      malformed: { ...wrong, id: `${wrong.id}=` },
    };
  }

  test('every refusal is the same 404 in the same time', async () => {
    const times = new Map<string, number>();
    const answers: Array<{ name: string }> = [];
    for (let round = 0; round < 3; round++) {
      const { id } = await createCard(app);
      const all = Object.entries(await refusals(app, id)).map(async ([name, session]) => {
        const from = performance.now();
        const answer = await spendSession(app, session);
        times.set(name, Math.min(times.get(name) ?? Number.POSITIVE_INFINITY, performance.now() - from));
        answers.push({ name, ...comparable(answer) });
      });
      await Promise.all(all);
    }
    expect(answers[0]).toMatchObject({ status: 404 });
    for (const answer of answers) expect(answer).toEqual({ ...answers[0], name: answer.name });
    expect(times.size).toBe(6);
    // The work of each is a few milliseconds: a cause that did not wait for the common time would answer before it.
    for (const [name, ms] of times) expect([name, ms > 195]).toEqual([name, true]);
  });

  test('the page is the same for every id of an origin, known or not, and holds no data', async () => {
    const { id: cardId, lastFour } = await createCard(app);
    const pages: Exchange[] = [];
    for (const { id } of Object.values(await refusals(app, cardId)).slice(0, 4))
      pages.push(await exchange(app.url, 'GET', `/reveal/${id}/`));
    pages.push(await exchange(app.url, 'GET', `/reveal/${(await openSession(app, cardId)).id}/`));
    const [page] = pages.map(comparable);
    for (const other of pages) expect(comparable(other)).toEqual(page);
    expect(page?.text).not.toContain(lastFour);
    expect(Buffer.byteLength(page?.text ?? '')).toBeLessThan(15_000);
    expect(page?.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'permissions-policy': 'clipboard-write=(self)',
    });
    expect(page?.headers['x-frame-options']).toBeUndefined();
    const policy = page?.headers['content-security-policy'] ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+';/);
    expect(policy).toMatch(new RegExp(`; frame-ancestors ${ORIGIN}$`));
  });

  test.each([
    [
      'a session without origin',
      async () => (await openSession(app, (await createCard(app)).id, { origin: null })).id,
    ],
    ['a malformed id', async () => 'no-such-session'],
    [
      'an origin that no session can have',
      async () => publicIdOf({ ...readPublicId(''), origin: "*; script-src '*" }),
    ],
  ])('no page can frame the page of %s', async (_name, idOf) => {
    const { status, headers } = await exchange(app.url, 'GET', `/reveal/${await idOf()}/`);
    expect([status, headers.get('x-frame-options')]).toEqual([200, 'DENY']);
    expect(headers.get('content-security-policy')).toMatch(/; frame-ancestors 'none'$/);
  });

  test('a session without origin opens in no frame: its id with an origin added is unknown', async () => {
    const { id } = await createCard(app);
    const session = await openSession(app, id, { origin: null });
    const framed = publicIdOf({ ...readPublicId(session.id), origin: ORIGIN });
    expect(read(await spendSession(app, { ...session, id: framed }))).toEqual(refused);
    expect((await spendSession(app, session)).status).toBe(200);
  });

  test('only the page itself can send the verifier', async () => {
    const { id } = await createCard(app);
    const session = await openSession(app, id);
    const foreign = { code: 403, message: 'The request comes from another site', status: 'failed' };
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: ORIGIN },
      { origin: 'null' },
    ])
      expect(read(await spendSession(app, session, headers as never))).toEqual({
        status: 403,
        body: foreign,
      });
    const own = { origin: 'http://emboss.test', 'sec-fetch-site': 'same-origin' };
    expect((await spendSession(app, session, own)).status).toBe(200);
  });

  test('a body without a verifier is a 400 whatever the id, and counts as no attempt', async () => {
    const session = await openSession(app, (await createCard(app)).id);
    for (const id of [session.id, 'no-such-session'])
      for (const body of [{}, { verifier: 1 }, { verifier: '' }, { verifier: 'v'.repeat(129) }])
        expect((await exchange(app.url, 'POST', `/reveal/${id}/`, { body })).status).toBe(400);
    expect((await spendSession(app, session)).status).toBe(200);
  });
});

test('the challenge is that of RFC 7636', () => {
  expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  );
});
