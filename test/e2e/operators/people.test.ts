import { beforeAll, describe, expect, test } from 'vitest';
import { changeOperator } from '../../../src/operators/manage-operators.ts';
import { requireAllowedChange } from '../../../src/operators/people.ts';
import {
  addTestOperator,
  cookieOf,
  PASSWORD,
  SESSION,
  type SignedIn,
  signInAs,
} from '../../support/console/operators.ts';
import { TESTER } from '../../support/server/actor.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
let admin: SignedIn;
beforeAll(async () => {
  admin = await signInAs(app, 'admin');
});

const CONFIRMED = { password: PASSWORD };
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';
const signIn = (email: string, password: string) =>
  app.call('POST', SESSION, { key: null, body: { email, password }, headers: { 'user-agent': FIREFOX } });
const statusOf = async ({ cookie }: { cookie: string }) =>
  (await app.call('GET', SESSION, { key: null, headers: { cookie } })).status;
const ownSessions = ({ cookie, csrfToken }: SignedIn, method = 'GET', id = '') =>
  app.call(method, `${SESSION}sessions/${id}`, {
    key: null,
    headers: { cookie, 'x-csrf-token': csrfToken },
  });
const actionsOf = async (email: string) => {
  const rows = await app.sql<{ action: string }>(
    `select action from audit_entries where actor = $1 and after ->> 'email' = $2 order by id`,
    [`operator:Test admin <${admin.email}>`, email],
  );
  return rows.map(({ action }) => action);
};

describe('an administrator', () => {
  test('adds, changes, disables and enables a person, with the password where it gives access', async () => {
    const grace = { email: 'Grace@Example.com', name: 'Grace Hopper', role: 'support', programId: null };
    for (const [body, message] of [
      [grace, 'password: is required: confirm with your password'],
      [{ ...grace, password: 'wrong' }, 'password: is wrong'],
      [{ ...grace, ...CONFIRMED, role: 'king' }, /^role: must be one of/],
      [{ ...grace, ...CONFIRMED, programId: 'nowhere' }, 'programId: is not a program'],
      [{ ...grace, ...CONFIRMED, name: '' }, /^name: must/],
    ] as const) {
      const refused = await admin.call('POST', 'people/', body);
      expect(refused).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
    }
    const { status, body: added } = await admin.call('POST', 'people/', { ...grace, ...CONFIRMED });
    const email = 'grace@example.com';
    expect([status, added]).toEqual([
      201,
      expect.objectContaining({ email, state: 'active', lastSignIn: null, mustChangePassword: true }),
    ]);
    expect((await admin.call('POST', 'people/', { ...grace, ...CONFIRMED })).status).toBe(409);
    const session = { cookie: cookieOf(await signIn(email, added.generatedPassword)) };

    const path = `people/${added.id}/`;
    expect((await admin.call('PUT', path, { role: 'manager' })).status).toBe(400);
    const changes = { name: 'Grace M. Hopper', role: 'manager', programId: app.program.id };
    expect(await admin.call('PUT', path, { ...changes, ...CONFIRMED })).toMatchObject({
      status: 200,
      body: changes,
    });
    const { body: now } = await app.call('GET', SESSION, { key: null, headers: session });
    expect(now.operator).toMatchObject({ role: 'manager', name: 'Grace M. Hopper' });

    const { body: listed } = await admin.call('GET', 'people/');
    expect(listed.people).toContainEqual(
      expect.objectContaining({ ...changes, id: added.id, lastSignIn: expect.any(String) }),
    );
    expect(JSON.stringify(listed)).not.toMatch(/scrypt|seal|token/i);

    expect(await admin.call('PUT', path, { enabled: false })).toMatchObject({ body: { state: 'disabled' } });
    expect(await statusOf(session)).toBe(401);
    expect((await admin.call('PUT', path, { enabled: true })).status).toBe(400);
    expect((await admin.call('PUT', path, { enabled: true, ...CONFIRMED })).body.state).toBe('active');
    expect(await actionsOf(email)).toEqual([
      'operator.added',
      'operator.changed',
      'operator.changed',
      'operator.changed',
    ]);
  });

  test('who enables a person again does not bring back the sessions that ended', async () => {
    const person = await signInAs(app, 'viewer');
    for (const enabled of [false, true]) {
      const body = { enabled, ...(enabled && CONFIRMED) };
      expect((await admin.call('PUT', `people/${person.id}/`, body)).status).toBe(200);
    }
    expect(await statusOf(person)).toBe(401);
    expect((await signIn(person.email, person.password)).status).toBe(200);
  });

  test('resets a password and removes a second factor, which end the sessions', async () => {
    const person = await signInAs(app, 'support');
    const { body } = await admin.call('POST', `people/${person.id}/reset-password/`, CONFIRMED);
    expect(await statusOf(person)).toBe(401);
    expect((await signIn(person.email, person.password)).status).toBe(401);
    const again = await signIn(person.email, body.generatedPassword);
    expect(again.body.operator).toMatchObject({ mustChangePassword: true });
    const remove = () => admin.call('POST', `people/${person.id}/remove-second-factor/`, CONFIRMED);
    expect((await remove()).status).toBe(409);
    await app.sql('update operators set second_factor_id = id where id = $1', [person.id]);
    expect((await remove()).body).toMatchObject({ hasSecondFactor: false });
    expect(await statusOf({ cookie: cookieOf(again) })).toBe(401);
    expect(await actionsOf(person.email)).toEqual([
      'operator.password_changed',
      'operator.second_factor_removed',
    ]);
  });

  test('cannot lower or disable themselves; their own password belongs on the account page', async () => {
    const own = `people/${admin.id}/`;
    expect((await admin.call('PUT', own, { enabled: false })).body.message).toMatch(/^enabled: you cannot/);
    expect((await admin.call('PUT', own, { role: 'viewer', ...CONFIRMED })).body.message).toMatch(
      /^role: you/,
    );
    for (const what of ['reset-password', 'remove-second-factor'])
      expect((await admin.call('POST', `${own}${what}/`, CONFIRMED)).status).toBe(409);
  });

  test('of one program manages only the people of that program', async () => {
    const { program } = await app.addProgram();
    const bound = await signInAs(app, 'admin', program.id);
    const call = (method: string, path: string, body?: unknown) => bound.call(method, path, body, program.id);
    const own = await addTestOperator(app, 'viewer', program.id);
    const { body } = await call('GET', 'people/');
    expect(body.people.map(({ id }: { id: string }) => id).sort()).toEqual([bound.id, own.id].sort());
    for (const id of [admin.id, (await addTestOperator(app, 'viewer', app.program.id)).id])
      for (const [method, path, sent] of [
        ['PUT', `people/${id}/`, { enabled: false }],
        ['POST', `people/${id}/reset-password/`, CONFIRMED],
        ['GET', `people/${id}/sessions/`, undefined],
        ['DELETE', `people/${id}/sessions/`, undefined],
      ] as const)
        expect((await call(method, path, sent)).status).toBe(404);
    const elsewhere = { ...CONFIRMED, programId: null };
    expect((await call('PUT', `people/${own.id}/`, elsewhere)).body.message).toMatch(
      /^programId: must be your/,
    );
    expect((await call('PUT', `people/${own.id}/`, { role: 'support', ...CONFIRMED })).status).toBe(200);
  });

  test('two who disable each other at the same time leave one administrator', async () => {
    // The others of this file step aside, so that these two are the last ones.
    await app.sql(`update operators set disabled_at = now() where id = $1`, [admin.id]);
    const [one, two] = [await addTestOperator(app, 'admin'), await addTestOperator(app, 'admin')];
    const disable = (by: { id: string }, { id }: { id: string }) =>
      changeOperator(app.db, app.vault, TESTER, id, { enabled: false }, (person, administrators) =>
        requireAllowedChange({ ...by, programId: null }, person, { enabled: false }, administrators),
      );
    const answers = await Promise.allSettled([disable(one, two), disable(two, one)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const left = await app.sql(`select id from operators where id = any ($1) and disabled_at is null`, [
      [one.id, two.id],
    ]);
    expect(left).toHaveLength(1);
    await app.sql(`update operators set disabled_at = null where id = $1`, [admin.id]);
  });
});

describe('sessions', () => {
  test('an operator sees the own ones with device and address, and ends them', async () => {
    const person = await signInAs(app, 'viewer');
    const other = { cookie: cookieOf(await signIn(person.email, person.password)) };
    const third = { cookie: cookieOf(await signIn(person.email, person.password)) };
    const { body } = await ownSessions(person);
    const fox = { device: 'Firefox on Linux', address: '127.0.0.1', isCurrent: false };
    expect(body.sessions).toHaveLength(3);
    expect(body.sessions).toEqual(expect.arrayContaining([expect.objectContaining(fox)]));
    expect(body.sessions.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toHaveLength(1);
    const ended = body.sessions[0].id;
    expect((await ownSessions(person, 'DELETE', `${ended}/`)).status).toBe(200);
    expect((await ownSessions(person, 'DELETE', `${ended}/`)).status).toBe(404);
    expect(await statusOf(third)).toBe(401);
    const strange = (await ownSessions(admin)).body.sessions[0].id;
    expect((await ownSessions(person, 'DELETE', `${strange}/`)).status).toBe(404);
    expect((await ownSessions(person, 'DELETE')).status).toBe(200);
    expect([await statusOf(person), await statusOf(other)]).toEqual([200, 401]);
  });

  test('an administrator sees and ends those of a person', async () => {
    const person = await signInAs(app, 'viewer');
    const path = `people/${person.id}/sessions/`;
    const { body } = await admin.call('GET', path);
    expect(body.sessions).toHaveLength(1);
    expect((await admin.call('DELETE', `${path}${body.sessions[0].id}/`)).status).toBe(200);
    expect(await statusOf(person)).toBe(401);
    expect((await admin.call('DELETE', path)).status).toBe(200);
    expect(await actionsOf(person.email)).toEqual(['operator.sessions_ended', 'operator.sessions_ended']);
  });
});
