import { TOTP } from 'otpauth';
import { describe, expect, test, vi } from 'vitest';
import { secret } from '../../../src/kernel/secret.ts';
import { changeOperator, changePassword } from '../../../src/operators/manage-operators.ts';
import { lacksSecondFactor } from '../../../src/operators/operator.ts';
import { createPasswords } from '../../../src/operators/password.ts';
import { findOperators, type OperatorRow } from '../../../src/operators/queries.ts';
import { unlock } from '../../../src/operators/sign-in.ts';
import { sweepSessions } from '../../../src/operators/sweep-sessions.ts';
import { ROLES } from '../../../src/programs/access.ts';
import {
  addTestOperator,
  cheapPasswords,
  cookieOf,
  SESSION,
  type SignedIn,
  signInAs,
} from '../../support/console/operators.ts';
import { SOON } from '../../support/scripts/soon.ts';
import { TESTER } from '../../support/server/actor.ts';
import { type Answer, appForTests, startTestApp } from '../../support/server/test-app.ts';

const server = { trustProxy: ['loopback'] };
const app = appForTests({ server });

const signIn = (email: string, password: string, headers = {}, at = app) =>
  at.call('POST', SESSION, { key: null, body: { email, password }, headers });
const GIVEN = { password: secret('given by 1 admin'), isTheirOwn: false };
const cheap = () => cheapPasswords(app);
const session = (cookie: string) => app.call('GET', SESSION, { key: null, headers: { cookie } });
const audit = (action: string, id: string) =>
  app.sql(`select * from audit_entries where action = $1 and after ->> 'id' = $2 order by id`, [action, id]);

describe('signing in', () => {
  test('returns a session with the operator, the role and the programs', async () => {
    const { email, password, id } = await addTestOperator(app, 'support');
    const answer = await signIn(email.toUpperCase(), password);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        operator: {
          ...{ id, email, name: 'Test support', role: 'support' },
          ...{ mustChangePassword: false, hasSecondFactor: false, recoveryCodes: 0 },
        },
        programs: expect.arrayContaining([
          {
            ...{ id: app.program.id, name: 'Test', mode: 'sandbox', currency: 'EUR' },
            needsSecondFactor: false,
          },
        ]),
      },
    });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^emboss_session=[\w-]{36}\.[\w-]{43}; Max-Age=\d+; Path=\/console\/api; HttpOnly; SameSite=Strict$/,
      ),
      expect.stringMatching(
        /^emboss_device=[\w-]{24}\.[\w-]{48}; Max-Age=31536000; Path=\/console; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await session(cookieOf(answer))).body).toEqual(answer.body);
    expect(await audit('operator.signed_in', id)).toMatchObject([
      { actor: `operator:Test support <${email}>`, request_id: answer.headers.get('x-request-id') },
    ]);
    const life =
      'select expires_at - created_at = $2::interval as ok from operator_sessions where operator_id = $1';
    expect(await app.sql(life, [id, '12 hours'])).toEqual([{ ok: true }]);
  });

  test('to one program shows only that program', async () => {
    const { program } = await app.addProgram();
    const { email, password } = await addTestOperator(app, 'viewer', program.id);
    const { body } = await signIn(email, password);
    expect(body.programs.map(({ id }: { id: string }) => id)).toEqual([program.id]);
  });

  test('wrong password, unknown address and disabled account get the same 401', async () => {
    const { email, id } = await addTestOperator(app, 'viewer');
    const disabled = await addTestOperator(app, 'viewer');
    await changeOperator(app.db, app.vault, TESTER, disabled.id, { enabled: false });
    const answers = [
      await signIn(email, 'not the password'),
      await signIn('unknown@example.com', 'not the password'),
      await signIn(disabled.email, disabled.password),
    ];
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401);
      expect(body.message).toBe('E-mail address or password is wrong');
      expect(headers.get('set-cookie')).toBeNull();
    }
    expect(await audit('operator.sign_in_refused', id)).toMatchObject([
      { actor: 'system:sign-in', after: { id, email, reason: 'wrong password' } },
    ]);
    expect(await audit('operator.sign_in_refused', disabled.id)).toMatchObject([
      { actor: 'system:sign-in', after: { reason: 'disabled' } },
    ]);
    // An unknown address may be a password in the wrong field: no entry has it.
    const entries = 'select from audit_entries e where e::text like $1';
    expect(await app.sql(entries, ['%nobody@example.com%'])).toEqual([]);
  });

  test.each([
    [{}, 'email: is required'],
    [{ email: 'a@b', password: 7 }, 'password: must be a string'],
    [{ email: '', password: 'x' }, 'email: must not be empty'],
  ])('%j is refused: %s', async (body, message) => {
    expect(await app.call('POST', SESSION, { key: null, body })).toMatchObject({
      status: 400,
      body: { message },
    });
  });

  test('a page of another site cannot sign in', async () => {
    const { email, password } = await addTestOperator(app, 'viewer');
    const answer = await signIn(email, password, { 'sec-fetch-site': 'cross-site' });
    expect(answer).toMatchObject({ status: 403, body: { message: 'The request comes from another site' } });
  });

  test('neither password nor token is in the database in plain text', async () => {
    const { email, password } = await addTestOperator(app, 'viewer');
    const token = cookieOf(await signIn(email, password)).split('=')[1] as string;
    for (const table of ['operators', 'operator_sessions', 'sign_in_attempts', 'audit_entries']) {
      const [{ text }] = (await app.sql(
        `select coalesce(string_agg(t::text, ' '), '') as text from ${table} t`,
      )) as [{ text: string }];
      expect(text).not.toContain(password);
      expect(text).not.toContain(token);
      expect(text).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
      expect(text).not.toContain(Buffer.from(token).toString('hex'));
    }
  });
});

/** Another client, as a trusted proxy reports it. */
const from = (address: string) => ({ 'x-forwarded-for': address });
const deviceOf = (answer: Answer) => answer.headers.getSetCookie()[1]?.split(';')[0] as string;
const fail = async (email: string, times: number, headers = {}) => {
  for (let attempt = 0; attempt < times; attempt++)
    expect((await signIn(email, 'wrong', headers)).status).toBe(401);
};

describe('lock-out', () => {
  test('after five wrong passwords even the correct one is refused from there, until the time is up', async () => {
    const { id, email, password } = await addTestOperator(app, 'viewer');
    await fail(email, 5);
    expect(await audit('operator.locked_out', id)).toMatchObject([
      { actor: 'system:sign-in', after: { reason: 'wrong password' } },
    ]);
    const locked = await signIn(email, password);
    expect(locked).toMatchObject({
      status: 429,
      body: {
        code: 429,
        message: expect.stringMatching(/^Too many wrong passwords or codes; try again in 30 minutes/),
      },
    });
    expect(Number(locked.headers.get('retry-after'))).toSatisfy((s: number) => s > 1_700 && s <= 1_800);
    for (let attempt = 0; attempt < 5; attempt++) await signIn(email, password);
    const refused = await audit('operator.sign_in_refused', id);
    expect(refused.filter(({ after }) => (after as { reason: string }).reason === 'locked')).toHaveLength(1);
    await app.sql(`update sign_in_attempts set tried_at = tried_at - interval '30 minutes'`);
    expect((await signIn(email, password)).status).toBe(200);
    expect((await signIn(email, 'wrong')).status).toBe(401);
  });

  test('failures of an attacker lock neither an address without failures nor a known device', async () => {
    const { email, password } = await addTestOperator(app, 'viewer');
    const cookie = deviceOf(await signIn(email, password, from('198.51.100.1')));
    // At the operator's own address, as behind one router.
    await fail(email, 5, from('198.51.100.1'));
    expect((await signIn(email, password, from('198.51.100.1'))).status).toBe(429);
    expect((await signIn(email, password, from('198.51.100.2'))).status).toBe(200);
    const known = await signIn(email, password, { ...from('198.51.100.1'), cookie });
    expect([known.status, deviceOf(known)]).toEqual([200, cookie]);
  });

  test('a known device has a separate count, and is valid only for its operator', async () => {
    const [one, other] = [await addTestOperator(app, 'viewer'), await addTestOperator(app, 'viewer')];
    const cookie = deviceOf(await signIn(one.email, one.password));
    await fail(one.email, 5, { cookie });
    expect((await signIn(one.email, one.password, { cookie })).status).toBe(429);
    const there = { ...from('198.51.100.3'), cookie };
    await fail(other.email, 5, there);
    expect((await signIn(other.email, other.password, from('198.51.100.3'))).status).toBe(429);
    const forged = `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`;
    expect(deviceOf(await signIn(one.email, one.password, { cookie: forged }))).not.toBe(forged);
  });

  test('an account tried from many addresses gives each one attempt, and an address without failures its first', async () => {
    const { email, password } = await addTestOperator(app, 'viewer');
    const cookie = deviceOf(await signIn(email, password));
    for (let index = 1; index <= 10; index++) await fail(email, 1, from(`192.0.2.${index}`));
    await fail(email, 1, from('192.0.2.11'));
    expect((await signIn(email, password, from('192.0.2.11'))).status).toBe(429);
    expect((await signIn(email, password, from('192.0.2.1'))).status).toBe(429);
    expect((await signIn(email, password, from('192.0.2.12'))).status).toBe(200);
    await fail(email, 4, { ...from('192.0.2.11'), cookie });
    expect((await signIn(email, password, { ...from('192.0.2.11'), cookie })).status).toBe(200);
  });

  test('IPv6 addresses are counted by their /64', async () => {
    const { email, password } = await addTestOperator(app, 'viewer');
    for (let index = 1; index <= 5; index++) await fail(email, 1, from(`2001:db8:1:2::${index}`));
    expect((await signIn(email, password, from('2001:db8:1:2:ffff::1'))).status).toBe(429);
    expect((await signIn(email, password, from('2001:db8:1:3::1'))).status).toBe(200);
  });

  test('many wrong passwords wait behind the correct one and never exclude it', async () => {
    // Passwords that are checked quickly form no queue.
    const slow = await startTestApp({ server, slowPasswords: true });
    const { email, password } = await addTestOperator(slow, 'viewer');
    const home = from('198.51.100.10');
    const cookie = deviceOf(await signIn(email, password, home, slow));
    // Twelve connections from the operator's own address, for accounts that cost as much as a real one.
    const crowd: number[] = [];
    const coming = Array.from({ length: 12 }, async (_, index) => {
      crowd.push((await signIn(`crowd-${index}@example.com`, 'wrong', home, slow)).status);
    });
    await vi.waitFor(() => expect(crowd).toContain(429), SOON);
    const clean = [20, 21, 22].map((index) => signIn(email, password, from(`198.51.100.${index}`), slow));
    const answers = await Promise.all([...clean, signIn(email, password, { ...home, cookie }, slow)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(crowd.filter((status) => status === 401).length).toBeLessThan(6);
    await Promise.all(coming);
    expect(crowd.filter((status) => status === 401)).toHaveLength(8);
    const entries = await slow.sql(`select after from audit_entries where after ->> 'reason' = 'throttled'`);
    // One for the address: a flood does not fill the audit.
    expect(entries).toHaveLength(1);
    await slow.close();
  });

  test('a hundred concurrent guesses are limited to five', async () => {
    const { email } = await addTestOperator(app, 'viewer');
    const answers = await Promise.all(Array.from({ length: 100 }, () => signIn(email, 'wrong')));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(95);
  });

  test('an unknown e-mail address is locked like any other', async () => {
    await fail('ghost@example.com', 5);
    expect((await signIn('ghost@example.com', 'wrong')).status).toBe(429);
  });

  test('a successful sign-in resets the count, and an administrator can unlock', async () => {
    const { id, email, password } = await addTestOperator(app, 'viewer');
    const [operator] = (await findOperators(app.db, [id])) as [OperatorRow];
    for (let attempt = 0; attempt < 4; attempt++) await signIn(email, 'wrong');
    expect((await signIn(email, password)).status).toBe(200);
    await fail(email, 5);
    expect((await signIn(email, password)).status).toBe(429);
    expect(await unlock({ db: app.db, digest: app.vault.digest }, TESTER, operator)).toBe(true);
    expect(await audit('operator.unlocked', operator.id)).toMatchObject([{ actor: 'test' }]);
    expect((await signIn(email, password)).status).toBe(200);
  });
});

describe('a session ends', () => {
  test('when its operator signs out', async () => {
    const { id, cookie, csrfToken } = await signInAs(app, 'viewer');
    expect((await session(cookie)).status).toBe(200);
    const out = (headers: Record<string, string>) => app.call('DELETE', SESSION, { key: null, headers });
    expect((await out({ cookie })).status).toBe(403);
    const done = await out({ cookie, 'x-csrf-token': csrfToken });
    expect(done.status).toBe(200);
    expect(await audit('operator.signed_out', id)).toHaveLength(1);
    expect(done.headers.get('set-cookie')).toMatch(/^emboss_session=; Max-Age=0;/);
    expect((await session(cookie)).status).toBe(401);
  });

  test.each([
    ['after twelve hours', `update operator_sessions set expires_at = now()`],
    [
      'after a quarter of an hour without a request',
      `update operator_sessions set last_seen_at = now() - interval '16 minutes'`,
    ],
    ['when the account is disabled', 'update operators set disabled_at = now()'],
    ['when its row was altered', `update operators set role = 'admin'`],
  ])('%s', async (_when, change) => {
    const { cookie, id } = await signInAs(app, 'viewer');
    expect((await session(cookie)).status).toBe(200);
    const which = change.includes('operator_sessions') ? 'operator_id' : 'id';
    await app.sql(`${change} where ${which} = $1`, [id]);
    expect((await session(cookie)).status).toBe(401);
  });

  test('if it was moved to another account', async () => {
    const [viewer, admin] = [await signInAs(app, 'viewer'), await addTestOperator(app, 'admin')];
    await app.sql('update operator_sessions set operator_id = $2 where operator_id = $1', [
      viewer.id,
      admin.id,
    ]);
    expect((await session(viewer.cookie)).status).toBe(401);
  });

  test('if the password is reset while it begins', async () => {
    const { id, email, password } = await addTestOperator(app, 'admin');
    const { digest } = app.vault;
    const services = { digest, passwords: createPasswords(digest) };
    const starting = Array.from({ length: 6 }, () => signIn(email, password));
    await changePassword(app.db, services, TESTER, { id, email }, GIVEN);
    const cookies = (await Promise.all(starting)).filter(({ status }) => status === 200).map(cookieOf);
    for (const cookie of cookies) expect((await session(cookie)).status).toBe(401);
    expect((await signIn(email, password)).status).not.toBe(200);
  });

  const LONG_AGO = `update operator_sessions set last_seen_at = now() - interval '14 minutes' where operator_id = $1`;
  const seenLately = async (id: string) => {
    const [row] = await app.sql(
      `select last_seen_at > now() - interval '1 minute' as lately from operator_sessions where operator_id = $1`,
      [id],
    );
    return (row as { lately: boolean }).lately;
  };

  test('after 15 minutes on an idle page, except for a viewer', async () => {
    const [admin, viewer] = [await signInAs(app, 'admin'), await signInAs(app, 'viewer')];
    const poll = ({ cookie }: { cookie: string }, headers: Record<string, string>) =>
      app.call('GET', `/console/api/programs/${app.program.id}/keys/`, {
        key: null,
        headers: { cookie, ...headers },
      });
    for (const { id } of [admin, viewer]) await app.sql(LONG_AGO, [id]);
    for (const person of [admin, viewer])
      expect((await poll(person, { 'x-unattended': '1' })).status).toBe(200);
    await vi.waitFor(async () => expect(await seenLately(viewer.id)).toBe(true), SOON);
    expect(await seenLately(admin.id)).toBe(false);
    await poll(admin, {});
    await vi.waitFor(async () => expect(await seenLately(admin.id)).toBe(true), SOON);
  });

  test('not while it is used', async () => {
    const { cookie, id } = await signInAs(app, 'viewer');
    await app.sql(LONG_AGO, [id]);
    expect((await session(cookie)).status).toBe(200);
    await vi.waitFor(async () => expect(await seenLately(id)).toBe(true), SOON);
  });

  test('and ended sessions are deleted', async () => {
    const { id } = await signInAs(app, 'viewer');
    await signIn('somebody@example.com', 'wrong');
    await app.sql('update operator_sessions set expires_at = now() where operator_id = $1', [id]);
    await app.sql(`update sign_in_attempts set tried_at = now() - interval '3 hours'`);
    await sweepSessions(app.db);
    expect(await app.sql('select from operator_sessions where operator_id = $1', [id])).toEqual([]);
    expect(await app.sql('select from sign_in_attempts')).toEqual([]);
  });
});

describe('changing a password', () => {
  const change = (cookie: string, csrfToken: string, body: unknown) =>
    app.call('PUT', `${SESSION}password/`, {
      key: null,
      body,
      headers: { cookie, 'x-csrf-token': csrfToken },
    });

  test('needs the current one, keeps this session and ends all others', async () => {
    const first = await signInAs(app, 'viewer');
    const second = await signIn(first.email, first.password);
    const body = { currentPassword: first.password, newPassword: 'quite 1 other password' };
    expect(await change(first.cookie, first.csrfToken, { ...body, currentPassword: 'wrong' })).toMatchObject({
      status: 400,
      body: { message: 'currentPassword: is wrong' },
    });
    expect(await audit('operator.sign_in_refused', first.id)).toHaveLength(1);
    expect((await change(first.cookie, first.csrfToken, body)).status).toBe(200);
    expect((await session(first.cookie)).status).toBe(200);
    expect((await session(cookieOf(second))).status).toBe(401);
    expect((await signIn(first.email, first.password)).status).toBe(401);
    expect((await signIn(first.email, body.newPassword)).status).toBe(200);
    expect(await audit('operator.password_changed', first.id)).toMatchObject([
      { actor: `operator:Test viewer <${first.email}>` },
    ]);
  });

  test.each([
    ['too short', 'newPassword: must be 12 to 256 characters'],
    ['a1a1a1a1a1a1a1a', 'newPassword: must have at least 5 different characters'],
    ['letters without any digit', 'newPassword: must have letters and digits'],
    ['2718281828459045', 'newPassword: must have letters and digits'],
    ['Password123456!', 'newPassword: is one of the most common passwords; choose another'],
    ['1Q2w3e4r5t6y', 'newPassword: is one of the most common passwords; choose another'],
  ])('"%s" is refused', async (newPassword, message) => {
    const { cookie, csrfToken, password } = await signInAs(app, 'viewer');
    expect(await change(cookie, csrfToken, { currentPassword: password, newPassword })).toMatchObject({
      status: 400,
      body: { message },
    });
  });

  test('cannot be guessed: after five wrong ones even the correct one is refused', async () => {
    const { cookie, csrfToken, password } = await signInAs(app, 'viewer');
    const attempt = (currentPassword: string) =>
      change(cookie, csrfToken, { currentPassword, newPassword: 'quite 1 other password' });
    for (let count = 0; count < 5; count++) expect((await attempt('wrong')).status).toBe(400);
    expect((await attempt(password)).status).toBe(429);
  });

  test('none of the last four is accepted', async () => {
    const { id, email, password } = await addTestOperator(app, 'viewer');
    const attempt = (text: string) =>
      changePassword(app.db, cheap(), TESTER, { id, email }, { password: secret(text), isTheirOwn: true });
    const others = ['the 2nd of them', 'the 3rd of them', 'the 4th of them'];
    for (const text of others) await attempt(text);
    for (const former of [password, ...others])
      await expect(attempt(former)).rejects.toThrow(
        'newPassword: must not be one of the last four passwords',
      );
    await attempt('the 5th of them');
    await attempt(password);
  });

  test('is required first if another person knows the password', async () => {
    const { email, id } = await addTestOperator(app, 'admin');
    await changePassword(app.db, cheap(), TESTER, { id, email }, GIVEN);
    const answer = await signIn(email, 'given by 1 admin');
    expect(answer.body.operator).toMatchObject({ mustChangePassword: true });
    const headers = { cookie: cookieOf(answer), 'x-csrf-token': answer.body.csrfToken };
    const call = (method: string, path: string, body?: unknown) =>
      app.call(method, `/console/api/${path}`, { key: null, headers, body });
    const program = `programs/${app.program.id}`;
    const attempts: Array<[string, string, unknown?]> = [
      ['GET', `${program}/keys/`],
      ['GET', `${program}/merchant/cards/`],
      ['GET', `${program}/sandbox/clock/`],
      ['POST', 'session/second-factor/', { password: 'given by 1 admin' }],
    ];
    for (const attempt of attempts)
      expect(await call(...attempt)).toMatchObject({
        status: 403,
        body: { message: expect.stringMatching(/^Change your password first/) },
      });
    expect((await call('GET', 'session/')).status).toBe(200);
    const body = { currentPassword: 'given by 1 admin', newPassword: 'my own 1 and only' };
    expect((await call('PUT', 'session/password/', body)).status).toBe(200);
    expect((await call('GET', `${program}/keys/`)).status).toBe(200);
    expect((await call('GET', 'session/')).body.operator.mustChangePassword).toBe(false);
    expect((await call('DELETE', 'session/')).status).toBe(200);
  });

  test('by the command line ends every session', async () => {
    const { id, email, cookie } = await signInAs(app, 'viewer');
    await changePassword(app.db, cheap(), TESTER, { id, email }, GIVEN);
    expect((await session(cookie)).status).toBe(401);
  });
});

describe('a second factor', () => {
  const at = (person: SignedIn, method: string, path: string, body: unknown) =>
    app.call(method, `${SESSION}second-factor/${path}`, {
      key: null,
      body,
      headers: { cookie: person.cookie, 'x-csrf-token': person.csrfToken },
    });
  const codeOf = (base32: string, timestamp = Date.now()) =>
    new TOTP({ secret: base32 }).generate({ timestamp });
  /** As if the last code had been used long ago. */
  const nextCode = async ({ id }: SignedIn, base32: string) => {
    await app.sql('update operators set second_factor_step = 0 where id = $1', [id]);
    return codeOf(base32);
  };
  const signInWith = ({ email, password }: SignedIn, code?: string, headers = {}) =>
    app.call('POST', SESSION, { key: null, body: { email, password, code }, headers });
  const enrol = async (person: SignedIn) => {
    const begun = await at(person, 'POST', '', { password: person.password });
    const { enrolment, secret: base32 } = begun.body;
    const done = await at(person, 'PUT', '', { enrolment, code: codeOf(base32) });
    expect([begun.status, done.status]).toEqual([200, 200]);
    return { base32: base32 as string, recoveryCodes: done.body.recoveryCodes as string[] };
  };

  test('is set up with the password and the first code, and ends sessions without it', async () => {
    const person = await signInAs(app, 'admin');
    const other = cookieOf(await signInWith(person));
    expect(await at(person, 'POST', '', { password: 'wrong' })).toMatchObject({
      status: 400,
      body: { message: 'password: is wrong' },
    });
    const { body } = await at(person, 'POST', '', { password: person.password });
    expect(body.uri).toBe(
      `otpauth://totp/Emboss:${encodeURIComponent(person.email)}?issuer=Emboss&secret=${body.secret}&algorithm=SHA1&digits=6&period=30`,
    );
    const wrong = codeOf(body.secret, 0);
    expect(await at(person, 'PUT', '', { enrolment: body.enrolment, code: wrong })).toMatchObject({
      status: 400,
      body: { message: 'code: is wrong' },
    });
    const otherAdmin = await signInAs(app, 'admin');
    const first = { enrolment: body.enrolment, code: codeOf(body.secret) };
    expect(await at(otherAdmin, 'PUT', '', first)).toMatchObject({
      status: 400,
      body: { message: 'enrolment: is no longer valid; start again' },
    });
    // The secret that was shown is good for a quarter of an hour.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 });
    try {
      const late = { enrolment: body.enrolment, code: codeOf(body.secret) };
      expect((await at(person, 'PUT', '', late)).body.message).toBe(
        'enrolment: is no longer valid; start again',
      );
    } finally {
      vi.useRealTimers();
    }
    const done = await at(person, 'PUT', '', { ...first, code: codeOf(body.secret) });
    expect(done.body.recoveryCodes).toHaveLength(10);
    // The code that set it up is used up.
    expect((await signInWith(person, first.code)).body.message).toBe('code: is wrong');
    expect((await session(person.cookie)).body.operator).toMatchObject({
      hasSecondFactor: true,
      recoveryCodes: 10,
    });
    expect((await session(other)).status).toBe(401);
    expect(await audit('operator.second_factor_added', person.id)).toMatchObject([
      { actor: `operator:Test admin <${person.email}>`, after: { hasSecondFactor: true } },
    ]);
    expect((await at(person, 'POST', '', { password: person.password })).status).toBe(409);
    const [{ text }] = (await app.sql(
      `select string_agg(t::text, ' ') as text
       from (select o::text from operators o union all select c::text from operator_recovery_codes c
             union all select v::text from vault_records v union all select a::text from audit_entries a) t`,
    )) as [{ text: string }];
    for (const kept of [body.secret, ...done.body.recoveryCodes]) expect(text).not.toContain(kept);
  });

  test('requires a code at each sign-in, which is accepted once', async () => {
    const person = await signInAs(app, 'admin');
    const { base32 } = await enrol(person);
    expect(await signInWith(person)).toMatchObject({ status: 401, body: { message: 'code: is required' } });
    expect((await signInWith({ ...person, password: 'wrong' }, '123456')).body.message).toBe(
      'E-mail address or password is wrong',
    );
    const code = await nextCode(person, base32);
    expect((await signInWith(person, ` ${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);
    expect(await signInWith(person, code)).toMatchObject({
      status: 401,
      body: { message: 'code: is wrong' },
    });
    expect(await audit('operator.signed_in', person.id)).toMatchObject([
      { after: { secondFactor: null } },
      { after: { secondFactor: 'totp' } },
    ]);
    const refused = await audit('operator.sign_in_refused', person.id);
    expect(refused.map(({ after }) => (after as { reason: string }).reason)).toEqual([
      'wrong password',
      'wrong code',
    ]);
  });

  test('does not accept an older code after a newer one, although each was never used', async () => {
    const person = await signInAs(app, 'admin');
    const { base32 } = await enrol(person);
    const older = codeOf(base32, Date.now() - 30_000);
    expect((await signInWith(person, await nextCode(person, base32))).status).toBe(200);
    expect((await signInWith(person, older)).body.message).toBe('code: is wrong');
  });

  test('accepts the code of the previous step, and none that is older', async () => {
    const person = await signInAs(app, 'admin');
    const { base32 } = await enrol(person);
    await nextCode(person, base32);
    const old = codeOf(base32, Date.now() - 90_000);
    expect((await signInWith(person, old)).body.message).toBe('code: is wrong');
    // Its step began less than a minute ago, whenever this runs.
    const before = codeOf(base32, Math.floor(Date.now() / 30_000) * 30_000 - 1);
    const taken = await signInWith(person, before);
    const isStillBefore = codeOf(base32, Math.floor(Date.now() / 30_000) * 30_000 - 1) === before;
    if (isStillBefore) expect(taken.status).toBe(200);
  });

  test('wrong codes lock like wrong passwords, and a password without a code does not reset the count', async () => {
    const person = await signInAs(app, 'admin');
    const { base32 } = await enrol(person);
    const wrong = codeOf(base32, 0);
    for (let attempt = 0; attempt < 5; attempt++) {
      expect((await signInWith(person)).body.message).toBe('code: is required');
      expect((await signInWith(person, wrong)).body.message).toBe('code: is wrong');
    }
    expect((await signInWith(person, await nextCode(person, base32))).status).toBe(429);
    expect(await audit('operator.locked_out', person.id)).toMatchObject([
      { after: { reason: 'wrong code' } },
    ]);
  });

  test('wrong codes in a session count, also if the password alone was confirmed between them', async () => {
    const person = await signInAs(app, 'admin');
    const { base32 } = await enrol(person);
    const remove = (code: string) => at(person, 'POST', 'remove/', { password: person.password, code });
    for (let attempt = 0; attempt < 5; attempt++) {
      expect((await remove(codeOf(base32, 0))).body.message).toBe('code: is wrong');
      if (attempt === 3)
        expect((await at(person, 'POST', '', { password: person.password })).status).toBe(409);
    }
    expect((await remove(await nextCode(person, base32))).status).toBe(429);
  });

  test('wrong codes are counted for the account over all addresses; a known device still works', async () => {
    const person = await signInAs(app, 'admin');
    const { base32 } = await enrol(person);
    const device = deviceOf(await signInWith(person, await nextCode(person, base32)));
    const wrong = codeOf(base32, 0);
    for (let index = 0; index < 10; index++)
      expect((await signInWith(person, wrong, from(`203.0.113.${index}`))).status).toBe(401);
    const right = await nextCode(person, base32);
    expect((await signInWith(person, right, from('203.0.113.99'))).status).toBe(429);
    expect((await signInWith(person, right, { cookie: device })).status).toBe(200);
  });

  test('a recovery code is accepted once instead of a code', async () => {
    const person = await signInAs(app, 'admin');
    const { recoveryCodes } = await enrol(person);
    const [first = '', second = ''] = recoveryCodes;
    expect((await signInWith(person, first.toUpperCase().replace('-', ' '))).status).toBe(200);
    expect((await signInWith(person, first)).body.message).toBe('code: is wrong');
    const { body } = await signInWith(person, second);
    expect(body.operator.recoveryCodes).toBe(8);
    expect(await audit('operator.recovery_code_used', person.id)).toHaveLength(2);
  });

  test('recovery codes are renewed, and the factor is removed, with password and code', async () => {
    const person = await signInAs(app, 'admin');
    const { base32, recoveryCodes } = await enrol(person);
    const proof = async () => ({ password: person.password, code: await nextCode(person, base32) });
    const renewed = await at(person, 'POST', 'recovery-codes/', await proof());
    expect(renewed.body.recoveryCodes).toHaveLength(10);
    expect((await signInWith(person, recoveryCodes[0])).status).toBe(401);
    const remove = (body: unknown) => at(person, 'POST', 'remove/', body);
    expect((await remove({ ...(await proof()), code: 'aaaaa-aaaaa' })).body.message).toBe('code: is wrong');
    expect((await remove({ ...(await proof()), password: 'no' })).body.message).toBe('password: is wrong');
    expect((await remove(await proof())).status).toBe(200);
    expect(await audit('operator.second_factor_removed', person.id)).toHaveLength(1);
    expect((await signInWith(person)).status).toBe(200);
    expect((await remove(await proof())).status).toBe(409);
  });

  test('of another operator, or removed directly in the database, is refused', async () => {
    const [one, two] = [await signInAs(app, 'admin'), await signInAs(app, 'admin')];
    await enrol(one);
    const { base32 } = await enrol(two);
    const codes = 'update operator_recovery_codes set operator_id = $1 where operator_id = $2';
    await app.sql('delete from operator_recovery_codes where operator_id = $1', [one.id]);
    await app.sql(codes, [one.id, two.id]);
    expect((await signInWith(one, codeOf(base32))).status).toBe(401);
    for (const value of ['null', `(select second_factor_id from operators where id = '${two.id}')`]) {
      await app.sql(`update operators set second_factor_id = ${value} where id = $1`, [one.id]);
      expect((await signInWith(one)).body.message).toBe('E-mail address or password is wrong');
      expect((await session(one.cookie)).status).toBe(401);
    }
    expect((await audit('operator.sign_in_refused', one.id)).map(({ after }) => after)).toContainEqual(
      expect.objectContaining({ reason: 'altered' }),
    );
  });

  test('is required of managers and administrators in live programs', async () => {
    const { program } = await app.addProgram({ mode: 'live' });
    const [admin, support] = [await signInAs(app, 'admin'), await signInAs(app, 'support')];
    const look = (person: SignedIn, id: string) => person.call('GET', 'merchant/cards/', undefined, id);
    expect(await look(admin, program.id)).toMatchObject({
      status: 403,
      body: { message: 'Set up a second factor first, on your account page' },
    });
    expect((await look(admin, app.program.id)).status).toBe(200);
    expect((await look(support, program.id)).status).toBe(200);
    // People and the installation's audit concern all programs, whichever program is in the path.
    const ofInstallation = async () => {
      const paths = ['people/', `people/${support.id}/sessions/`, 'audit/?chain=installation', 'audit/'];
      return Promise.all(paths.map(async (path) => (await admin.call('GET', path)).status));
    };
    expect(await ofInstallation()).toEqual([403, 403, 403, 200]);
    const reset = { password: admin.password };
    expect((await admin.call('POST', `people/${support.id}/reset-password/`, reset)).status).toBe(403);
    const ofSandbox = await signInAs(app, 'admin', app.program.id);
    expect((await ofSandbox.call('GET', 'people/')).status).toBe(200);
    const { body } = await session(admin.cookie);
    expect(body.programs).toContainEqual(
      expect.objectContaining({ id: program.id, needsSecondFactor: true }),
    );
    await enrol(admin);
    expect((await look(admin, program.id)).status).toBe(200);
    expect(await ofInstallation()).toEqual([200, 200, 200, 200]);
  });

  test.each([
    ['live-managers', ['manager live', 'admin live']],
    ['managers', ['manager sandbox', 'manager live', 'admin sandbox', 'admin live']],
    ['all', ['viewer', 'support', 'manager', 'admin'].flatMap((role) => [`${role} sandbox`, `${role} live`])],
    ['off', []],
  ] as const)('rule %s: %j need one', (rule, wanted) => {
    const found = ROLES.flatMap((role) =>
      (['sandbox', 'live'] as const)
        .filter((mode) => lacksSecondFactor(rule, { role, secondFactorId: null, hasPassword: true }, mode))
        .map((mode) => `${role} ${mode}`),
    );
    expect(found).toEqual(wanted);
    const lacking = { role: 'admin', hasPassword: true, secondFactorId: null } as const;
    expect(lacksSecondFactor(rule, { ...lacking, secondFactorId: 'one' }, 'live')).toBe(false);
    // The provider asks for the second factor of people without a password.
    expect(lacksSecondFactor(rule, { ...lacking, hasPassword: false }, 'live')).toBe(false);
  });
});
