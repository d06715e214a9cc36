import { beforeAll, describe, expect, test } from 'vitest';
import { reveal } from '../../../src/kernel/secret.ts';
import { invite } from '../../../src/operators/invite.ts';
import { changeOperator } from '../../../src/operators/manage-operators.ts';
import { cookieOf, PASSWORD, SESSION, type SignedIn, signInAs } from '../../support/console/operators.ts';
import { TESTER } from '../../support/server/actor.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
let admin: SignedIn;
beforeAll(async () => {
  admin = await signInAs(app, 'admin');
});

const OWN = 'chosen by 1 person';
const GONE = { status: 404, body: { message: expect.stringContaining('ask for a new one') } };

let made = 0;
async function invited(by: SignedIn, change: object = {}) {
  const email = `invited-${++made}@example.com`;
  const body = { email, name: 'Grace Hopper', role: 'support', programId: null, password: PASSWORD };
  const answer = await by.call('POST', 'invitations/', { ...body, ...change });
  return { ...answer.body, status: answer.status, token: answer.body.link?.split('#')[1] as string };
}
const look = (token: string) => app.call('POST', `${SESSION}invitation/`, { key: null, body: { token } });
const accept = (token: string, change: object = {}, headers: Record<string, string> = {}) =>
  app.call('PUT', `${SESSION}invitation/`, {
    key: null,
    headers,
    body: { token, name: 'Grace M. Hopper', password: OWN, ...change },
  });
const openIds = async (by: SignedIn) =>
  (await by.call('GET', 'invitations/')).body.invitations.map(({ id }: { id: string }) => id);

describe('an invitation', () => {
  test('gives the account, once, to the person who has the link', async () => {
    const { email, link, token, id } = await invited(admin, { email: 'Grace@Example.com' });
    expect([email, link]).toEqual([
      'grace@example.com',
      expect.stringMatching(/\/console\/invitation#[\w.-]+$/),
    ]);
    expect(await look(token)).toMatchObject({
      status: 200,
      body: { email, name: 'Grace Hopper', role: 'support' },
    });
    expect(await openIds(admin)).toContain(id);
    for (const [wrong, message] of [
      [{ password: 'short' }, 'password: must be 12 to 256 characters'],
      [{ name: ' ' }, /^name: must be/],
    ] as const)
      expect(await accept(token, wrong)).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(message) },
      });

    const answers = await Promise.all([accept(token), accept(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const accepted = answers.find(({ status }) => status === 200) as (typeof answers)[0];
    expect(accepted.body.operator).toMatchObject({
      ...{ email, name: 'Grace M. Hopper', role: 'support', programId: null },
      ...{ mustChangePassword: false, hasSecondFactor: false },
    });
    expect(
      (await app.call('GET', SESSION, { key: null, headers: { cookie: cookieOf(accepted) } })).status,
    ).toBe(200);
    const again = await app.call('POST', SESSION, { key: null, body: { email, password: OWN } });
    expect(again.status).toBe(200);
    expect(await look(token)).toMatchObject(GONE);
    expect(await openIds(admin)).not.toContain(id);
    const entries = await app.sql<{ action: string; actor: string; text: string }>(
      `select action, actor, concat(before, after) as text from audit_entries
       where coalesce(after, before) ->> 'email' = $1 order by id limit 3`,
      [email],
    );
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
      ['operator.invited', `operator:Test admin <${admin.email}>`],
      ['operator.invitation_accepted', `operator:Grace M. Hopper <${email}>`],
      ['operator.signed_in', `operator:Grace M. Hopper <${email}>`],
    ]);
    expect(JSON.stringify(entries)).not.toContain(token.split('.')[1]);
  });

  test('needs the password of an administrator, and gives no more than the administrator has', async () => {
    const ofProgram = await signInAs(app, 'admin', app.program.id);
    expect((await invited(admin, { password: undefined })).status).toBe(400);
    expect((await invited(ofProgram)).status).toBe(400);
    expect((await invited(admin, { email: admin.email })).status).toBe(409);
    const { id } = await invited(admin);
    expect(await openIds(ofProgram)).not.toContain(id);
    expect((await ofProgram.call('DELETE', `invitations/${id}/`)).status).toBe(404);
    const own = await invited(ofProgram, { programId: app.program.id });
    expect(await openIds(ofProgram)).toEqual([own.id]);
  });

  test('does not open an account after it was revoked, has expired or was altered', async () => {
    const [revoked, expired, altered, moved, forged] = await Promise.all(
      Array.from({ length: 5 }, () => invited(admin)),
    );
    expect((await admin.call('DELETE', `invitations/${revoked?.id}/`)).status).toBe(200);
    expect((await admin.call('DELETE', `invitations/${revoked?.id}/`)).status).toBe(404);
    await app.sql('update operator_invitations set expires_at = now() where id = $1', [expired?.id]);
    expect(await openIds(admin)).not.toContain(expired?.id);
    await app.sql(`update operator_invitations set role = 'admin' where id = $1`, [altered?.id]);
    await app.sql(
      `update operator_invitations set token_hash = (select token_hash from operator_invitations where id = $2)
       where id = $1`,
      [moved?.id, forged?.id],
    );
    const invented = `${forged?.id}.${'A'.repeat(43)}`;
    for (const token of [revoked?.token, expired?.token, altered?.token, moved?.token, invented, 'none'])
      expect([await look(token as string), await accept(token as string)]).toMatchObject([GONE, GONE]);
    expect((await look(forged?.token as string)).status).toBe(200);
  });

  test('of an administrator who was disabled or is no longer one is revoked', async () => {
    for (const change of [{ enabled: false }, { role: 'manager' as const }]) {
      const other = await signInAs(app, 'admin');
      const { token, id } = await invited(other);
      await changeOperator(app.db, app.vault, TESTER, other.id, { name: 'Renamed' });
      expect((await look(token)).status).toBe(200);
      await changeOperator(app.db, app.vault, TESTER, other.id, change);
      expect(await accept(token)).toMatchObject(GONE);
      const [entry] = await app.sql(
        `select action from audit_entries where before ->> 'id' = $1 and action = 'operator.invitation_revoked'`,
        [id],
      );
      expect(entry).toBeDefined();
    }
  });

  test('that was in progress while its administrator was disabled is worth nothing', async () => {
    const other = await signInAs(app, 'admin');
    await changeOperator(app.db, app.vault, TESTER, other.id, { enabled: false });
    const person = {
      ...{ email: `invited-${++made}@example.com`, name: 'Grace Hopper' },
      ...({ role: 'admin', programId: null } as const),
    };
    const { token } = await app.db.transaction((tx) =>
      invite(tx, app.vault.digest, TESTER, person, other.id),
    );
    expect([await look(reveal(token)), await accept(reveal(token))]).toMatchObject([GONE, GONE]);
  });

  test('is not accepted from another site', async () => {
    const { token } = await invited(admin);
    expect((await accept(token, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });
});
