import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { secret } from '../../src/kernel/secret.ts';
import { changeOperator, changePassword } from '../../src/operators/manage-operators.ts';
import { createPasswords } from '../../src/operators/password.ts';
import { findOperators, type OperatorRow } from '../../src/operators/queries.ts';
import { unlock } from '../../src/operators/sign-in.ts';
import { sweepSessions } from '../../src/operators/sweep-sessions.ts';
import { sql } from '../support/database.ts';
import { addTestOperator, cookieOf, SESSION, signInAs } from '../support/operators.ts';
import { SOON } from '../support/soon.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const signIn = (email: string, password: string, headers = {}) =>
  app.call('POST', SESSION, { key: null, body: { email, password }, headers });
const session = (cookie: string) => app.call('GET', SESSION, { key: null, headers: { cookie } });
const audit = (action: string, id: string) =>
  sql(app.databaseUrl, `select * from audit_entries where action = $1 and after ->> 'id' = $2`, [action, id]);

describe('signing in', () => {
  test('gives a session that knows the person, their role and their programs', async () => {
    const { email, password, id } = await addTestOperator(app, 'support');
    const answer = await signIn(email.toUpperCase(), password);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        operator: { id, email, name: 'Test support', role: 'support' },
        programs: expect.arrayContaining([
          { id: app.program.id, name: 'Test', mode: 'sandbox', currency: 'EUR' },
        ]),
      },
    });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^emboss_session=[\w-]{36}\.[\w-]{43}; Max-Age=\d+; Path=\/console\/api; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await session(cookieOf(answer))).body).toEqual(answer.body);
    expect(await audit('operator.signed_in', id)).toMatchObject([
      { actor: `operator:Test support <${email}>`, request_id: answer.headers.get('x-request-id') },
    ]);
  });

  test('of one program shows that program alone', async () => {
    const { program } = await app.addProgram();
    const { email, password } = await addTestOperator(app, 'viewer', program.id);
    const { body } = await signIn(email, password);
    expect(body.programs.map(({ id }: { id: string }) => id)).toEqual([program.id]);
  });

  test('wrong password, unknown address and a disabled account are the same 401', async () => {
    const { email, id } = await addTestOperator(app, 'viewer');
    const disabled = await addTestOperator(app, 'viewer');
    await changeOperator(app.db, app.vault, disabled.id, { enabled: false }, 'test');
    const answers = [
      await signIn(email, 'not the password'),
      await signIn('nobody@example.com', 'not the password'),
      await signIn(disabled.email, disabled.password),
    ];
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401);
      expect(body.message).toBe('E-mail address or password is wrong');
      expect(headers.get('set-cookie')).toBeNull();
    }
    expect(await audit('operator.sign_in_refused', id)).toHaveLength(1);
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

  test('another site’s page cannot sign anybody in', async () => {
    const { email, password } = await addTestOperator(app, 'viewer');
    const answer = await signIn(email, password, { 'sec-fetch-site': 'cross-site' });
    expect(answer).toMatchObject({ status: 403, body: { message: 'The request comes from another site' } });
  });

  test('neither password nor token is in the database as it is', async () => {
    const { email, password } = await addTestOperator(app, 'viewer');
    const token = cookieOf(await signIn(email, password)).split('=')[1] as string;
    for (const table of ['operators', 'operator_sessions', 'sign_in_attempts', 'audit_entries']) {
      const [{ text }] = (await sql(
        app.databaseUrl,
        `select coalesce(string_agg(t::text, ' '), '') as text from ${table} t`,
      )) as [{ text: string }];
      expect(text).not.toContain(password);
      expect(text).not.toContain(token);
      expect(text).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
      expect(text).not.toContain(Buffer.from(token).toString('hex'));
    }
  });
});

describe('lock-out', () => {
  test('after five wrong passwords not even the right one opens, until the time is up', async () => {
    const { id, email, password } = await addTestOperator(app, 'viewer');
    for (let attempt = 0; attempt < 5; attempt++) expect((await signIn(email, 'wrong')).status).toBe(401);
    expect(await audit('operator.locked_out', id)).toHaveLength(1);
    const locked = await signIn(email, password);
    expect(locked).toMatchObject({
      status: 429,
      body: {
        code: 429,
        message: expect.stringMatching(/^Too many wrong passwords; try again in 15 minutes/),
      },
    });
    expect(Number(locked.headers.get('retry-after'))).toSatisfy((s: number) => s > 800 && s <= 900);
    await sql(
      app.databaseUrl,
      `update sign_in_attempts set locked_until = now() where locked_until is not null`,
    );
    expect((await signIn(email, password)).status).toBe(200);
    expect((await signIn(email, 'wrong')).status).toBe(401);
  });

  test('a crowd is sent away before anything is counted: it locks nobody out', async () => {
    const { email, password } = await addTestOperator(app, 'viewer');
    const strangers = Array.from({ length: 30 }, (_, place) => signIn(`crowd-${place}@example.com`, 'wrong'));
    const statuses = [];
    for (let attempt = 0; attempt < 6; attempt++) statuses.push(await signIn(email, password));
    const refused = statuses.filter(({ status }) => status === 429);
    for (const { body, headers } of refused) {
      expect(body.message).toMatch(/^Too many people are signing in/);
      expect(headers.get('retry-after')).toBe('5');
    }
    expect((await Promise.all(strangers)).some(({ status }) => status === 429)).toBe(true);
    expect((await signIn(email, password)).status).toBe(200);
  });

  test('a hundred guesses at once are five guesses', async () => {
    const { email } = await addTestOperator(app, 'viewer');
    const answers = await Promise.all(Array.from({ length: 100 }, () => signIn(email, 'wrong')));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(95);
  });

  test('an address that nobody has is locked like any other', async () => {
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await signIn('ghost@example.com', 'wrong')).status).toBe(401);
    expect((await signIn('ghost@example.com', 'wrong')).status).toBe(429);
  });

  test('a good sign-in begins the count anew, and an administrator can undo a lock', async () => {
    const { id, email, password } = await addTestOperator(app, 'viewer');
    const [operator] = (await findOperators(app.db, [id])) as [OperatorRow];
    for (let attempt = 0; attempt < 4; attempt++) await signIn(email, 'wrong');
    expect((await signIn(email, password)).status).toBe(200);
    for (let attempt = 0; attempt < 5; attempt++) expect((await signIn(email, 'wrong')).status).toBe(401);
    expect((await signIn(email, password)).status).toBe(429);
    expect(await unlock({ db: app.db, digest: app.vault.digest }, operator, 'cli:test')).toBe(true);
    expect(await audit('operator.unlocked', operator.id)).toMatchObject([{ actor: 'cli:test' }]);
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
      'after an hour without a request',
      `update operator_sessions set last_seen_at = now() - interval '61 minutes'`,
    ],
    ['when the account is disabled', 'update operators set disabled_at = now()'],
    ['when its row was altered', `update operators set role = 'admin'`],
  ])('%s', async (_when, change) => {
    const { cookie, id } = await signInAs(app, 'viewer');
    expect((await session(cookie)).status).toBe(200);
    const which = change.includes('operator_sessions') ? 'operator_id' : 'id';
    await sql(app.databaseUrl, `${change} where ${which} = $1`, [id]);
    expect((await session(cookie)).status).toBe(401);
  });

  test('when it was moved to another account', async () => {
    const [viewer, admin] = [await signInAs(app, 'viewer'), await addTestOperator(app, 'admin')];
    await sql(app.databaseUrl, 'update operator_sessions set operator_id = $2 where operator_id = $1', [
      viewer.id,
      admin.id,
    ]);
    expect((await session(viewer.cookie)).status).toBe(401);
  });

  test('when the password is reset while it begins', async () => {
    const { id, email, password } = await addTestOperator(app, 'admin');
    const { digest } = app.vault;
    const services = { digest, passwords: createPasswords(digest) };
    const starting = Array.from({ length: 6 }, () => signIn(email, password));
    await changePassword(app.db, services, { id, email }, secret('given by an admin'), 'cli:test');
    const cookies = (await Promise.all(starting)).filter(({ status }) => status === 200).map(cookieOf);
    for (const cookie of cookies) expect((await session(cookie)).status).toBe(401);
    expect((await signIn(email, password)).status).not.toBe(200);
  });

  const LONG_AGO = `update operator_sessions set last_seen_at = now() - interval '50 minutes' where operator_id = $1`;
  const seenLately = async (id: string) => {
    const [row] = await sql(
      app.databaseUrl,
      `select last_seen_at > now() - interval '1 minute' as lately from operator_sessions where operator_id = $1`,
      [id],
    );
    return (row as { lately: boolean }).lately;
  };

  test('a page that nobody touches keeps no session alive but that of somebody who can only look', async () => {
    const [admin, viewer] = [await signInAs(app, 'admin'), await signInAs(app, 'viewer')];
    const poll = ({ cookie }: { cookie: string }, headers: Record<string, string>) =>
      app.call('GET', `/console/api/programs/${app.program.id}/keys/`, {
        key: null,
        headers: { cookie, ...headers },
      });
    for (const { id } of [admin, viewer]) await sql(app.databaseUrl, LONG_AGO, [id]);
    for (const person of [admin, viewer])
      expect((await poll(person, { 'x-unattended': '1' })).status).toBe(200);
    await vi.waitFor(async () => expect(await seenLately(viewer.id)).toBe(true), SOON);
    expect(await seenLately(admin.id)).toBe(false);
    await poll(admin, {});
    await vi.waitFor(async () => expect(await seenLately(admin.id)).toBe(true), SOON);
  });

  test('and is kept alive by use', async () => {
    const { cookie, id } = await signInAs(app, 'viewer');
    await sql(app.databaseUrl, LONG_AGO, [id]);
    expect((await session(cookie)).status).toBe(200);
    await vi.waitFor(async () => expect(await seenLately(id)).toBe(true), SOON);
  });

  test('what has ended is swept away', async () => {
    const { id } = await signInAs(app, 'viewer');
    await signIn('somebody@example.com', 'wrong');
    await sql(app.databaseUrl, 'update operator_sessions set expires_at = now() where operator_id = $1', [
      id,
    ]);
    await sql(app.databaseUrl, `update sign_in_attempts set tried_at = now() - interval '3 hours'`);
    await sweepSessions(app.db);
    expect(await sql(app.databaseUrl, 'select from operator_sessions where operator_id = $1', [id])).toEqual(
      [],
    );
    expect(await sql(app.databaseUrl, 'select from sign_in_attempts')).toEqual([]);
  });
});

describe('changing a password', () => {
  const change = (cookie: string, csrfToken: string, body: unknown) =>
    app.call('PUT', `${SESSION}password/`, {
      key: null,
      body,
      headers: { cookie, 'x-csrf-token': csrfToken },
    });

  test('needs the present one, keeps this session and ends all others', async () => {
    const first = await signInAs(app, 'viewer');
    const second = await signIn(first.email, first.password);
    const body = { currentPassword: first.password, newPassword: 'quite another password' };
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
    ['aaaaaaaaaaaaaaa', 'newPassword: must have at least 5 different characters'],
  ])('"%s" is refused', async (newPassword, message) => {
    const { cookie, csrfToken, password } = await signInAs(app, 'viewer');
    expect(await change(cookie, csrfToken, { currentPassword: password, newPassword })).toMatchObject({
      status: 400,
      body: { message },
    });
  });

  test('cannot be guessed at: after five wrong ones not even the right one will do', async () => {
    const { cookie, csrfToken, password } = await signInAs(app, 'viewer');
    const attempt = (currentPassword: string) =>
      change(cookie, csrfToken, { currentPassword, newPassword: 'quite another password' });
    for (let count = 0; count < 5; count++) expect((await attempt('wrong')).status).toBe(400);
    expect((await attempt(password)).status).toBe(429);
  });

  test('by the command line ends every session', async () => {
    const { id, email, cookie } = await signInAs(app, 'viewer');
    const { digest } = app.vault;
    const services = { digest, passwords: createPasswords(digest) };
    await changePassword(app.db, services, { id, email }, secret('given by an admin'), 'cli:test');
    expect((await session(cookie)).status).toBe(401);
  });
});
