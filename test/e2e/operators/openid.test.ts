import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { secret } from '../../../src/kernel/secret.ts';
import { changeOperator } from '../../../src/operators/manage-operators.ts';
import { isConfirmed, sealConfirmation } from '../../../src/operators/openid/confirmation.ts';
import { sealFlow } from '../../../src/operators/openid/flow-cookie.ts';
import type { Grant } from '../../../src/operators/openid/roles.ts';
import { hashToken } from '../../../src/operators/seals.ts';
import { startOpenIdProvider, type TestProvider, Wanderer } from '../../support/console/openid-provider.ts';
import { cookieOf, PASSWORD, SESSION, signInAs } from '../../support/console/operators.ts';
import { TESTER } from '../../support/server/actor.ts';
import { appForTests, type TestApp } from '../../support/server/test-app.ts';

const PUBLIC = 'http://emboss.test';
const CALLBACK = `${PUBLIC}/console/api/session/openid/callback/`;
const ROLES = new Map<string, Grant>([
  ['card-admins', { role: 'admin', programId: null }],
  ['card-support', { role: 'support', programId: null }],
  ['elsewhere', { role: 'admin', programId: '01a1f371-a78f-7000-8001-6c507bdc3e98' }],
]);

let provider: TestProvider;
beforeAll(async () => {
  provider = await startOpenIdProvider([CALLBACK]);
});
afterAll(() => provider.close());
beforeEach(() => {
  Object.assign(provider, { spoil: (claims: object) => claims, signsWithOther: false });
});

let made = 0;
/** A new person at the provider, who signs in there next. */
function person(claims: Record<string, unknown> = {}): { sub: string; email: string } {
  const sub = `person-${++made}`;
  const email = `${sub}@example.com`;
  provider.people.set(sub, {
    email,
    email_verified: true,
    name: `Person ${made}`,
    roles: ['card-support'],
    ...claims,
  });
  provider.person = sub;
  return { sub, email };
}

/** The browser of a person: the provider's cookies and ours. */
class Browser extends Wanderer {
  readonly app: TestApp;
  csrfToken = '';

  constructor(app: TestApp) {
    super();
    this.app = app;
  }

  async call(method: string, path: string, body?: unknown) {
    const headers = { cookie: this.cookieHeader(PUBLIC), 'x-csrf-token': this.csrfToken };
    const answer = await this.app.call(method, path, {
      key: null,
      headers,
      ...(body !== undefined && { body }),
    });
    this.set(PUBLIC, answer.headers.getSetCookie());
    return answer;
  }

  /** Begins a flow and goes through the provider. The address of our callback, which is not requested yet. */
  async toCallback(path = 'openid/', body: object | undefined = {}): Promise<string> {
    const { status, body: begun } = await this.call('POST', `${SESSION}${path}`, body);
    expect([status, begun.message]).toEqual([200, undefined]);
    return this.follow(begun.url, CALLBACK);
  }

  /** Where our callback leads. */
  async land(callback: string): Promise<string> {
    const answer = await fetch(callback.replace(PUBLIC, this.app.url), {
      redirect: 'manual',
      headers: { cookie: this.cookieHeader(PUBLIC) },
    });
    this.set(PUBLIC, answer.headers.getSetCookie());
    expect(answer.status).toBe(302);
    return (answer.headers.get('location') ?? '').replace(PUBLIC, '');
  }

  async signIn(body: object = {}): Promise<string> {
    const page = await this.land(await this.toCallback('openid/', body));
    const { status, body: session } = await this.session();
    if (status === 200) this.csrfToken = session.csrfToken;
    return page;
  }

  session = () => this.call('GET', SESSION);
}

describe('sign-in with OpenID, roles by claim', () => {
  const app = appForTests(() => ({ openId: provider.client({ grants: ROLES }) }));
  const refusalOf = (page: string) => new URL(page, PUBLIC).searchParams.get('refused');
  const browse = () => new Browser(app);

  test('opens an account with the role of the claim, without a password, and returns to the page', async () => {
    const { email } = person();
    const browser = browse();
    expect((await app.call('GET', `${SESSION}methods/`, { key: null })).body).toEqual({ openid: 'Example' });
    expect(await browser.signIn({ next: '/programs/x/cards?status=FROZEN' })).toBe(
      '/console/programs/x/cards?status=FROZEN',
    );
    expect((await browser.session()).body.operator).toMatchObject({
      ...{ email, name: `Person ${made}`, role: 'support', programId: null },
      ...{ hasPassword: false, hasOpenId: true, mustChangePassword: false },
    });
    for (const password of ['', PASSWORD])
      expect((await app.call('POST', SESSION, { key: null, body: { email, password } })).status).not.toBe(
        200,
      );
    const actions = await app.sql<{ action: string; actor: string }>(
      `select action, actor from audit_entries where after ->> 'email' = $1 order by id`,
      [email],
    );
    expect(actions.slice(0, 2)).toEqual([
      { action: 'operator.added', actor: 'system:openid' },
      { action: 'operator.signed_in', actor: `operator:Person ${made} <${email}>` },
    ]);
    expect((await browser.call('DELETE', SESSION)).status).toBe(200);
    expect((await browser.session()).status).toBe(401);
  });

  test('takes the role from the claim at each sign-in, and an administrator does not change it', async () => {
    const { sub, email } = person({ roles: ['others', 'card-admins'] });
    expect(await browse().signIn()).toBe('/console/');
    provider.people.set(sub, { email, roles: 'card-support' });
    const browser = browse();
    await browser.signIn();
    const { id, role } = (await browser.session()).body.operator;
    expect(role).toBe('support');
    const admin = await signInAs(app, 'admin');
    expect(await admin.call('PUT', `people/${id}/`, { role: 'admin', password: PASSWORD })).toMatchObject({
      status: 409,
      body: { message: `Role and programs of ${email} come from Example` },
    });
    // Without a role the person stays out, though there is an account.
    for (const roles of [undefined, [], ['others'], [['card-admins']], { 0: 'card-admins' }, 'elsewhere']) {
      provider.people.set(sub, { email, roles });
      expect([roles, refusalOf(await browse().signIn())]).toEqual([roles, 'no role']);
    }
    provider.people.set(sub, { email, roles: ['card-admins'] });
    await changeOperator(app.db, app.vault, TESTER, id, { enabled: false });
    expect(refusalOf(await browse().signIn())).toBe('disabled');
  });

  test('never gives an account to an address, verified or not', async () => {
    const owner = await signInAs(app, 'admin');
    person({ email: owner.email, roles: ['card-admins'] });
    expect(refusalOf(await browse().signIn())).toBe('taken');
    for (const email_verified of [false, undefined, 'true']) {
      person({ email_verified });
      expect(refusalOf(await browse().signIn())).toBe('unverified');
    }
    // Only userinfo says that it is verified: its address counts, and not that of the ID token.
    const verified = person();
    provider.spoil = (claims) => ({ ...claims, email: owner.email });
    const known = browse();
    await known.signIn();
    expect((await known.session()).body.operator).toMatchObject({ email: verified.email });
    provider.spoil = (claims) => claims;
    // The address at the provider changes, and belongs to another account here: the person stays who they are.
    const { sub, email } = person();
    await browse().signIn();
    provider.people.set(sub, { email: owner.email, email_verified: true, roles: ['card-support'] });
    const browser = browse();
    await browser.signIn();
    expect((await browser.session()).body.operator).toMatchObject({ email, role: 'support' });
  });

  test('an altered link is refused', async () => {
    const { email, sub } = person();
    await browse().signIn();
    await app.sql(`update operators set openid_subject = 'another' where email = $1`, [email]);
    provider.people.set('another', provider.people.get(sub) as object as Record<string, unknown>);
    provider.person = 'another';
    expect(refusalOf(await browse().signIn())).toBe('disabled');
  });

  describe('an attacker', () => {
    test('replays an answer, with and without its cookie', async () => {
      person();
      const browser = browse();
      const callback = await browser.toCallback();
      const cookie = browser.cookieHeader(PUBLIC);
      expect(await browser.land(callback)).toBe('/console/');
      expect(browser.cookieHeader(PUBLIC)).not.toContain('emboss_openid');
      expect(refusalOf(await browser.land(callback))).toBe('expired');
      const before = provider.requests.length;
      const copied = browse();
      copied.set(PUBLIC, cookie.split('; '));
      expect(refusalOf(await copied.land(callback))).toBe('expired');
      expect(provider.requests.length).toBe(before);
      expect((await copied.session()).status).toBe(401);
    });

    test('mixes browsers: neither the answer nor the cookie of one is worth anything in the other', async () => {
      person({ roles: ['card-admins'] });
      const [victim, attacker] = [browse(), browse()];
      const stolen = await attacker.toCallback();
      // The victim opens the attacker's link: without a flow of its own, and within one.
      expect(refusalOf(await victim.land(stolen))).toBe('expired');
      await victim.toCallback();
      expect(refusalOf(await victim.land(stolen))).toBe('provider');
      expect((await victim.session()).status).toBe(401);
    });

    test('changes the state, the code or the issuer of the answer', async () => {
      person();
      for (const [name, value] of [
        ['state', 'another'],
        ['state', null],
        ['code', 'another'],
        ['iss', 'https://evil.example.com'],
        ['error', 'access_denied'],
      ] as const) {
        const browser = browse();
        const url = new URL(await browser.toCallback());
        if (value === null) url.searchParams.delete(name);
        else url.searchParams.set(name, value);
        const refused = name === 'error' ? 'cancelled' : 'provider';
        expect([name, value, refusalOf(await browser.land(url.href))]).toEqual([name, value, refused]);
        expect((await browser.session()).status).toBe(401);
      }
    });

    test('or a broken provider sends an ID token that is not for this sign-in', async () => {
      person();
      const nowSeconds = Math.floor(Date.now() / 1000);
      const spoiled: Array<[string, Partial<TestProvider>]> = [
        ['nonce', { spoil: (claims) => ({ ...claims, nonce: 'another' }) }],
        ['no nonce', { spoil: ({ nonce: _, ...claims }) => claims }],
        ['issuer', { spoil: (claims) => ({ ...claims, iss: 'https://evil.example.com' }) }],
        ['audience', { spoil: (claims) => ({ ...claims, aud: 'another client' }) }],
        ['audiences', { spoil: (claims) => ({ ...claims, aud: ['another', 'emboss'], azp: 'another' }) }],
        ['expired', { spoil: (claims) => ({ ...claims, exp: nowSeconds - 600 }) }],
        ['subject', { spoil: ({ sub: _, ...claims }) => claims }],
        ['signature', { signsWithOther: true }],
      ];
      for (const [what, change] of spoiled) {
        Object.assign(provider, { spoil: (claims: object) => claims, signsWithOther: false }, change);
        const browser = browse();
        expect([what, refusalOf(await browser.signIn())]).toEqual([what, 'provider']);
        expect((await browser.session()).status).toBe(401);
      }
    });

    test('alters the cookie of the flow, or brings one of another kind or an old one', async () => {
      person();
      const browser = browse();
      const callback = await browser.toCallback();
      const [, value = ''] = /emboss_openid=([^;]+)/.exec(browser.cookieHeader(PUBLIC)) ?? [];
      const flipped = `${value.slice(0, -3)}${value.at(-3) === 'A' ? 'B' : 'A'}${value.slice(-2)}`;
      for (const cookie of ['', 'x', flipped, value.slice(0, -8), Buffer.from('{}').toString('base64url')]) {
        browser.set(PUBLIC, [`emboss_openid=${cookie}`]);
        expect(refusalOf(await browser.land(callback))).toBe('expired');
      }
      const old = { purpose: { kind: 'sign in' as const }, startedAtMs: Date.now() - 601_000 };
      const checks = { state: 'old', nonce: 'old', verifier: 'old' };
      browser.set(PUBLIC, [`emboss_openid=${await sealFlow(app.db, app.vault, { ...old, checks })}`]);
      expect(refusalOf(await browser.land(callback))).toBe('expired');
      browser.set(PUBLIC, [`emboss_openid=${value}`]);
      expect(await browser.land(callback)).toBe('/console/');
    });

    test('cannot make the sign-in lead to another site', async () => {
      for (const next of [
        '//evil.example.com',
        '/\\evil.example.com',
        'https://evil.example.com',
        '/\t/evil',
        '/a b',
        '@x',
      ]) {
        person();
        const { status, body } = await browse().call('POST', `${SESSION}openid/`, { next });
        if (status === 400) continue;
        const browser = browse();
        expect([next, body.url && (await browser.signIn({ next }))]).toEqual([next, '/console/']);
      }
    });

    test('begins a sign-in from another site', async () => {
      const headers = { 'sec-fetch-site': 'cross-site' };
      expect((await app.call('POST', `${SESSION}openid/`, { key: null, body: {}, headers })).status).toBe(
        403,
      );
    });
  });

  test('a person without a password confirms by signing in again at the provider', async () => {
    person({ roles: ['card-admins'] });
    const browser = browse();
    await browser.signIn();
    const add = () =>
      browser.call('POST', `/console/api/programs/${app.program.id}/people/`, {
        ...{ email: `added-${++made}@example.com`, name: 'Added', role: 'viewer', programId: null },
        password: 'whatever 12345',
      });
    expect(await add()).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Confirm first') },
    });
    expect(await browser.land(await browser.toCallback('openid/confirm/', undefined))).toBe(
      '/console/confirmed',
    );
    expect((await add()).status).toBe(201);

    // The confirmation ends after five minutes, and belongs to the session.
    const [, token = ''] = /emboss_session=([^;]+)/.exec(browser.cookieHeader(PUBLIC)) ?? [];
    const { digest } = app.vault;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 301_000 });
    const old = sealConfirmation(digest, hashToken(digest, secret(token)).toString('hex'));
    expect(isConfirmed(digest, token, old)).toBe(true);
    vi.useRealTimers();
    expect(isConfirmed(digest, token, old)).toBe(false);
    expect(isConfirmed(digest, token, old.replace(/^\d+/, String(Date.now())))).toBe(false);
    const [, confirmation] = /(emboss_confirmation=[^;]+)/.exec(browser.cookieHeader(PUBLIC)) ?? [];
    const other = browse();
    await other.signIn();
    other.set(PUBLIC, [confirmation as string]);
    const { body } = await other.call('POST', `/console/api/programs/${app.program.id}/people/`, {
      ...{ email: `added-${++made}@example.com`, name: 'Added', role: 'viewer', programId: null },
    });
    expect(body.message).toContain('Confirm first');

    // The provider answers for another person, or from a sign-in of long ago.
    const refusedConfirmation = async () =>
      refusalOf(await other.land(await other.toCallback('openid/confirm/', undefined)));
    provider.spoil = (claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1000) - 3_600 });
    expect(await refusedConfirmation()).toBe('not again');
    provider.spoil = ({ auth_time: _, ...claims }) => claims;
    expect(await refusedConfirmation()).toBe('not again');
    provider.spoil = (claims) => claims;
    // In a browser that is not signed in at the provider.
    const elsewhere = browse();
    elsewhere.set(PUBLIC, other.cookieHeader(PUBLIC).split('; '));
    elsewhere.csrfToken = other.csrfToken;
    provider.people.set('someone-else', { email: 'x@example.com', roles: ['card-admins'] });
    provider.person = 'someone-else';
    const callback = await elsewhere.toCallback('openid/confirm/', undefined);
    expect(refusalOf(await elsewhere.land(callback))).toBe('other person');
  });
});

describe('sign-in with OpenID, roles on the page People', () => {
  const app = appForTests(() => ({ openId: provider.client() }));
  const browse = () => new Browser(app);

  test('is for people who were invited or who connected their account', async () => {
    person();
    expect(await browse().signIn()).toBe('/console/sign-in?refused=unknown');
    const admin = await signInAs(app, 'admin');
    const invited = await admin.call('POST', 'invitations/', {
      ...{ email: 'ida@example.com', name: 'Ida', role: 'manager', programId: null, password: PASSWORD },
    });
    const invitation = invited.body.link.split('#')[1];
    const browser = browse();
    expect(await browser.signIn({ invitation })).toBe('/console/');
    expect((await browser.session()).body.operator).toMatchObject({
      email: 'ida@example.com',
      role: 'manager',
    });
    expect(await browse().signIn()).toBe('/console/');
    person();
    expect(await browse().signIn({ invitation })).toBe('/console/sign-in?refused=invitation');
  });

  test('an account is connected with its password, and to one person', async () => {
    const owner = await signInAs(app, 'viewer');
    const browser = browse();
    browser.set(PUBLIC, [owner.cookie]);
    browser.csrfToken = owner.csrfToken;
    const { sub } = person();
    expect((await browser.call('POST', `${SESSION}openid/connect/`, { password: 'wrong' })).status).toBe(400);
    const callback = await browser.toCallback('openid/connect/', { password: PASSWORD });
    expect(await browser.land(callback)).toBe('/console/account');
    const signedIn = browse();
    await signedIn.signIn();
    expect((await signedIn.session()).body.operator).toMatchObject({
      ...{ id: owner.id, hasPassword: true, hasOpenId: true },
    });
    const other = await signInAs(app, 'viewer');
    const second = browse();
    second.set(PUBLIC, [other.cookie]);
    second.csrfToken = other.csrfToken;
    provider.person = sub;
    const taken = await second.toCallback('openid/connect/', { password: PASSWORD });
    expect(await second.land(taken)).toBe('/console/account?refused=other%20person');
    // A password still works beside it.
    const body = { email: owner.email, password: PASSWORD };
    expect(cookieOf(await app.call('POST', SESSION, { key: null, body }))).toContain('emboss_session');
  });

  test('a new password from an administrator removes the link, also one that is being made', async () => {
    const admin = await signInAs(app, 'admin');
    const owner = await signInAs(app, 'viewer');
    const browser = browse();
    const reset = () => admin.call('POST', `people/${owner.id}/reset-password/`, { password: PASSWORD });
    const begin = (who: { cookie: string; csrfToken: string }) => {
      browser.set(PUBLIC, [who.cookie]);
      browser.csrfToken = who.csrfToken;
      return browser.toCallback('openid/connect/', { password: PASSWORD });
    };
    person();
    const callback = await begin(owner);
    expect((await reset()).status).toBe(200);
    expect(await browser.land(callback)).toBe('/console/account?refused=expired');
    expect(await browse().signIn()).toBe('/console/sign-in?refused=unknown');

    const linked = await signInAs(app, 'viewer');
    expect(await browser.land(await begin(linked))).toBe('/console/account');
    expect(await browse().signIn()).toBe('/console/');
    const answer = await admin.call('POST', `people/${linked.id}/reset-password/`, { password: PASSWORD });
    expect(answer.body).toMatchObject({ hasPassword: true, hasOpenId: false });
    expect(await browse().signIn()).toBe('/console/sign-in?refused=unknown');
  });
});

describe('while the provider does not respond', () => {
  const app = appForTests(() => ({ openId: provider.client({ issuer: 'http://127.0.0.1:9' }) }));

  test('passwords work, and OpenID says so', async () => {
    const { email } = await signInAs(app, 'viewer');
    expect((await app.call('POST', SESSION, { key: null, body: { email, password: PASSWORD } })).status).toBe(
      200,
    );
    expect(await app.call('POST', `${SESSION}openid/`, { key: null, body: {} })).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('sign-in provider is unavailable') },
    });
  });
});

describe('without a provider', () => {
  const app = appForTests();

  test('OpenID does not exist', async () => {
    expect((await app.call('GET', `${SESSION}methods/`, { key: null })).body).toEqual({ openid: null });
    expect((await app.call('POST', `${SESSION}openid/`, { key: null, body: {} })).status).toBe(404);
    expect((await fetch(CALLBACK.replace(PUBLIC, app.url), { redirect: 'manual' })).status).toBe(404);
  });
});
