import { TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { addTestOperator, cookieOf, SESSION, signInAs } from '../../test/support/console/operators.ts';
import { runCli } from '../../test/support/server/cli.ts';
import { appForTests } from '../../test/support/server/test-app.ts';

const app = appForTests();

const emboss = (...args: string[]) => typed('', ...args);
/** Runs the command with text on standard input. */
const typed = (input: string, ...args: string[]) =>
  runCli(app.env, args, {
    stdin: (async function* () {
      yield input;
    })(),
  });
const signIn = (email: string, password: string, headers = {}) =>
  app.call('POST', SESSION, { key: null, body: { email, password }, headers });

describe('emboss operator', () => {
  test('adds an operator who can sign in with the password that is shown once', async () => {
    const added = await emboss(
      'operator',
      'add',
      'Ada@Example.com',
      '--name',
      'Ada Lovelace',
      '--role',
      'admin',
    );
    expect([added.code, added.err]).toEqual([0, '']);
    const password = /^ *password +(\S+)/m.exec(added.out)?.[1] as string;
    expect(added.out).toContain('it is shown only once.\nIt must be changed at the first sign-in.');
    expect((await signIn('ada@example.com', password)).body.operator).toMatchObject({
      name: 'Ada Lovelace',
      role: 'admin',
      mustChangePassword: true,
    });
    const list = await emboss('operator', 'list');
    expect(list.out).toMatch(/ada@example\.com +Ada Lovelace +admin +all +active +no/);
    expect(list.out).not.toContain(password);
    const [entry] = await app.sql(`select actor from audit_entries where action = 'operator.added'`);
    expect(entry).toEqual({ actor: expect.stringMatching(/^cli:/) });
  });

  test('reads a chosen password from standard input, never from an argument', async () => {
    const chosen = 'chosen by 1 person';
    const add = (email: string, ...more: string[]) =>
      typed(`${chosen}\n`, 'operator', 'add', email, '--password-stdin', ...more);
    const added = await add('eve@example.com');
    expect([added.code, added.out.includes(chosen)]).toEqual([0, false]);
    expect((await signIn('eve@example.com', chosen)).body.operator.mustChangePassword).toBe(true);
    expect((await add('eva@example.com', '--own-password')).code).toBe(0);
    expect((await signIn('eva@example.com', chosen)).body.operator.mustChangePassword).toBe(false);
    const short = await typed('short', 'operator', 'add', 'x@example.com', '--password-stdin');
    expect([short.code, short.err]).toEqual([1, 'emboss: password: must be 12 to 256 characters\n']);
  });

  test('prints an invitation link instead of a password', async () => {
    const { json } = await emboss('--json', 'operator', 'add', 'ivy@example.com', '--link');
    const [, token] = json.link.split('/console/invitation#');
    const read = await app.call('POST', `${SESSION}invitation/`, { key: null, body: { token } });
    expect(read.body).toMatchObject({ email: 'ivy@example.com', role: 'support' });
    expect((await signIn('ivy@example.com', token)).status).toBe(401);
  });

  test('changes an operator’s permissions, and disabling an operator ends the sessions', async () => {
    const { json } = await emboss('--json', 'operator', 'add', 'bob@example.com');
    expect(json).toMatchObject({ role: 'support', programId: null, status: 'active' });
    const cookie = cookieOf(await signIn('bob@example.com', json.password));
    const session = () => app.call('GET', SESSION, { key: null, headers: { cookie } });
    const changed = await emboss(
      'operator',
      'set',
      'bob@example.com',
      '--role',
      'viewer',
      '--program',
      app.program.id,
    );
    expect(changed.code).toBe(0);
    expect((await session()).body).toMatchObject({
      operator: { role: 'viewer' },
      programs: [{ id: app.program.id }],
    });
    expect((await emboss('operator', 'disable', 'bob@example.com')).code).toBe(0);
    expect((await session()).status).toBe(401);
    expect((await signIn('bob@example.com', json.password)).status).toBe(401);
    expect((await emboss('operator', 'enable', 'bob@example.com')).code).toBe(0);
    expect((await signIn('bob@example.com', json.password)).status).toBe(200);
  });

  test('resets a password and unlocks the account', async () => {
    const { email, password } = await addTestOperator(app, 'support');
    const known = await signIn(email, password);
    for (let attempt = 0; attempt < 5; attempt++) await signIn(email, 'wrong');
    expect((await signIn(email, password)).status).toBe(429);
    const [, device = ''] = known.headers.getSetCookie();
    const headers = { cookie: device.split(';')[0] as string };
    expect((await signIn(email, password, headers)).status).toBe(200);
    expect((await emboss('operator', 'unlock', email)).out).toBe(`${email} can sign in again.\n`);
    expect((await emboss('operator', 'unlock', email)).out).toContain('was not locked out');
    expect((await signIn(email, password)).status).toBe(200);
    const reset = await emboss('--json', 'operator', 'reset-password', email);
    expect((await signIn(email, password)).status).toBe(401);
    expect((await signIn(email, reset.json.password)).status).toBe(200);
  });

  test('removes a lost second factor', async () => {
    const { email, password, cookie, csrfToken } = await signInAs(app, 'admin');
    const at = (method: string, body: unknown) =>
      app.call(method, `${SESSION}second-factor/`, {
        key: null,
        body,
        headers: { cookie, 'x-csrf-token': csrfToken },
      });
    const reset = () => emboss('operator', 'reset-second-factor', email);
    expect(await reset()).toMatchObject({ code: 1, err: `emboss: ${email} has no second factor\n` });
    const { enrolment, secret } = (await at('POST', { password })).body;
    expect((await at('PUT', { enrolment, code: new TOTP({ secret }).generate() })).status).toBe(200);
    expect((await signIn(email, password)).body.message).toBe('code: is required');
    expect((await emboss('operator', 'list')).out).toMatch(new RegExp(`${email} .* active +yes`));
    expect((await reset()).out).toMatch(/^Removed the second factor\.[\s\S]* second factor +no/);
    expect((await app.call('GET', SESSION, { key: null, headers: { cookie } })).status).toBe(401);
    expect((await signIn(email, password)).status).toBe(200);
    const [entry] = await app.sql(
      `select actor from audit_entries where action = 'operator.second_factor_removed'`,
    );
    expect(entry).toEqual({ actor: expect.stringMatching(/^cli:/) });
  });

  test.each([
    [['add', 'nonsense'], 1, 'email: must be an e-mail address'],
    [['add', 'ada@example.com'], 1, 'An operator with the address ada@example.com already exists'],
    [['add', 'y@example.com', '--program', 'nowhere'], 3, 'no program "nowhere"'],
    [['set', 'ada@example.com'], 2, 'Specify what to change'],
    [['add', 'o@example.com', '--own-password'], 2, '--own-password requires --password-stdin'],
    [['disable', 'unknown@example.com'], 3, 'no operator "unknown@example.com"'],
    [['add', 'z@example.com', '--role', 'king'], 2, 'viewer, support, manager, admin'],
  ])('%j ends with %i', async (args, code, message) => {
    const answer = await emboss('operator', ...args);
    expect([answer.code, answer.err.toLowerCase()]).toEqual([
      code,
      expect.stringContaining(message.toLowerCase()),
    ]);
  });
});
