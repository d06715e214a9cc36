import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { publicIdOf, readPublicId } from '../../../src/cards/reveal/public-id.ts';
import { LIMIT_KINDS } from '../../../src/http/limits.ts';
import { revokeKey } from '../../../src/programs/manage-keys.ts';
import { CARDS, createCard } from '../../support/cards/cards.ts';
import { authorizationOf, payingCard } from '../../support/cards/network.ts';
import { openSession, spendSession } from '../../support/cards/reveal.ts';
import { addTestOperator, SESSION, signInAs } from '../../support/console/operators.ts';
import { testActor } from '../../support/server/actor.ts';
import { counted, readMetrics } from '../../support/server/metrics.ts';
import { type Answer, appForTests, startTestApp } from '../../support/server/test-app.ts';
import { exchange } from '../../support/server/wire.ts';

const refusal = (words: string) => ({
  status: 429,
  body: {
    code: 429,
    message: expect.stringMatching(new RegExp(`^${words}; retry in \\d+ s$`)),
    status: 'failed',
  },
});

/** Says when to come back, and it is soon. */
function expectWait({ headers }: Answer): void {
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
}

describe('requests of a key', () => {
  const app = appForTests({
    limits: { merchant_requests: 5, network_requests: 3, key_reveals: 2, program_reveals: 5 },
  });

  test('get a 429 beyond the limit, on every route of the key, while other keys do not', async () => {
    expect(Object.values(await readMetrics(app, 'emboss_rate_limited_total'))).toEqual(
      LIMIT_KINDS.map(() => 0),
    );
    const one = await app.addProgram();
    const two = await app.addProgram();
    const get = (key: string, path = CARDS) => app.call('GET', path, { key });
    for (const path of [CARDS, `${CARDS}unknown/`, '/api/v1/sandbox/clock/', CARDS, CARDS])
      expect((await get(one.key, path)).status).not.toBe(429);
    for (const path of [CARDS, '/api/v1/sandbox/clock/']) {
      const answer = await get(one.key, path);
      expect(answer).toMatchObject(refusal('Too many requests with this key'));
      expectWait(answer);
    }
    expect((await get(two.key)).status).toBe(200);
    const { key } = await app.addKey(one.program.id, ['read']);
    expect((await get(key)).status).toBe(200);
    expect(await counted(app, 'emboss_rate_limited_total')).toEqual({ '{kind="merchant_requests"}': 2 });
  });

  test('are limited for the network if that is configured', async () => {
    const owner = await app.addProgram();
    const card = await payingCard(app, {}, owner);
    const statuses: number[] = [];
    for (let sent = 0; sent < 4; sent++)
      statuses.push((await card.send('authorizations', authorizationOf(card, '1.00'))).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const [{ count }] = (await app.sql<{ count: string }>(
      'select count(*) from transactions where card_id = $1',
      [card.id],
    )) as [{ count: string }];
    expect(count).toBe('3');
  });

  test('that reveal card numbers have a separate limit; refusals are audited, a few per minute', async () => {
    const { program, key } = await app.addProgram();
    const { id } = await createCard(app, {}, key);
    const reveal = () => app.call('GET', `${CARDS}${id}/credentials/`, { key });
    expect([(await reveal()).status, (await reveal()).status]).toEqual([200, 200]);
    const answer = await reveal();
    expect(answer).toMatchObject(refusal('Too many card numbers revealed with this key'));
    expectWait(answer);
    expect((await app.call('GET', `${CARDS}${id}/`, { key })).status).toBe(200);
    const audited = async () =>
      (
        await app.sql<{ action: string }>(
          `select action from audit_entries where program_id = $1 and action like 'card.%reveal%' order by id`,
          [program.id],
        )
      ).map(({ action }) => action);
    const shown = ['card.credentials_revealed', 'card.credentials_revealed'];
    expect(await audited()).toEqual([...shown, 'card.reveal_refused']);
    const readOnly = await app.addKey(program.id, ['read']);
    for (let index = 0; index < 5; index++)
      await app.call('GET', `${CARDS}${id}/credentials/`, { key: readOnly.key });
    expect(await audited()).toEqual([...shown, ...Array(4).fill('card.reveal_refused')]);
  });

  test('of all keys of a program together have a limit of revealed numbers', async () => {
    const { program, key } = await app.addProgram();
    const { id } = await createCard(app, {}, key);
    const keys = [key];
    for (let index = 0; index < 2; index++) keys.push((await app.addKey(program.id, ['credentials'])).key);
    const statuses: number[] = [];
    for (const one of [...keys, ...keys])
      statuses.push((await app.call('GET', `${CARDS}${id}/credentials/`, { key: one })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const other = await app.addProgram();
    const card = await createCard(app, {}, other.key);
    const { status } = await app.call('GET', `${CARDS}${card.id}/credentials/`, { key: other.key });
    expect(status).toBe(200);
  });
});

describe('wrong keys from one address', () => {
  const app = appForTests({
    limits: { wrong_keys: 10 },
    server: { trustProxy: ['loopback'] },
  });

  /** As a client behind the proxy that we trust. */
  const from = (address: string, key: string | null, networkKey?: string) =>
    app.call(networkKey ? 'POST' : 'GET', networkKey ? '/api/v1/network/authorizations/' : CARDS, {
      key,
      ...(networkKey && { networkKey, body: {} }),
      headers: { 'x-forwarded-for': address },
    });
  const guess = (address: string, index: number) => from(address, `a-guess-at-a-key-${index}`);

  test('are refused without a database query, while a correct key from there works', async () => {
    const address = '203.0.113.7';
    // This process has never seen either of them.
    const { key, networkKey } = await app.addProgram();
    for (let index = 0; index < 10; index++) expect((await guess(address, index)).status).toBe(401);
    const answer = await guess(address, 10);
    expect(answer).toMatchObject(refusal('Too many wrong keys from this address'));
    expectWait(answer);
    expect((await from(address, key)).status).toBe(200);
    expect((await from(address, null, networkKey)).status).toBe(400);
    expect((await from(address, null, 'a-guess-at-a-network-key')).status).toBe(429);
    expect((await guess('203.0.113.8', 11)).status).toBe(401);
    expect((await from(address, null)).status).toBe(401);
    const scans = async () =>
      (
        (await app.sql<{ scans: string }>(
          `select coalesce(seq_scan, 0) + coalesce(idx_scan, 0) as scans from pg_stat_user_tables where relname = 'api_keys'`,
        )) as [{ scans: string }]
      )[0].scans;
    await app.sql('select pg_stat_force_next_flush()');
    const before = Number(await scans());
    const many = await Promise.all(Array.from({ length: 300 }, (_, index) => guess(address, 100 + index)));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([429]));
    expect(Number(await scans()) - before).toBeLessThan(20);
    expect(await counted(app, 'emboss_rate_limited_total')).toEqual({ '{kind="wrong_keys"}': 302 });
    expect(await counted(app, 'emboss_refused_keys_total')).toEqual({
      '{reason="missing"}': 1,
      '{reason="unknown"}': 11,
      '{reason="limited"}': 302,
    });
  });

  test('a key that is revoked meanwhile is refused from there too', async () => {
    const address = '2001:db8::1';
    const { id, key } = await app.addKey(app.program.id, ['read']);
    // Until the list of keys is read again.
    await vi.waitFor(async () => expect((await from('203.0.113.7', key)).status).toBe(200), {
      timeout: 60_000,
    });
    for (let index = 0; index < 10; index++) await guess(`2001:db8::${index + 1}`, index);
    expect((await guess('2001:db8::ffff', 99)).status).toBe(429);
    expect((await from(address, key)).status).toBe(200);
    await revokeKey(app.db, await testActor(app.db, app.program.id), id);
    expect((await from(address, key)).status).toBe(401);
    expect(await counted(app, 'emboss_refused_keys_total')).toMatchObject({ '{reason="revoked"}': 1 });
  });

  test('refused keys are counted by reason', async () => {
    const expired = await app.addKey(app.program.id, ['read'], new Date(Date.now() + 60_000));
    await app.sql('update api_keys set expires_at = now() where id = $1', [expired.id]);
    const altered = await app.addKey(app.program.id, ['read']);
    await app.sql(`update api_keys set scopes = '{read,write}' where id = $1`, [altered.id]);
    for (const { key } of [expired, altered]) expect((await from('198.51.100.1', key)).status).toBe(401);
    expect(await counted(app, 'emboss_refused_keys_total')).toMatchObject({
      '{reason="expired"}': 1,
      '{reason="altered"}': 1,
    });
  });
});

describe('without a trusted proxy', () => {
  test('a client cannot choose the address under which it is counted', async () => {
    const app = await startTestApp({ limits: { wrong_keys: 3 } });
    const guess = (index: number) =>
      app.call('GET', CARDS, {
        key: `a-guess-at-a-key-${index}`,
        headers: { 'x-forwarded-for': `10.0.0.${index}` },
      });
    const statuses: number[] = [];
    for (let index = 0; index < 4; index++) statuses.push((await guess(index)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    await app.close();
  });
});

describe('in the console', () => {
  let log: Array<Record<string, unknown>> = [];
  const app = appForTests({
    limits: { wrong_passwords: 3, operator_reveals: 2, program_reveals: 4 },
    server: { trustProxy: ['loopback'] },
    logger: pino({ level: 'info' }, { write: (line: string) => void log.push(JSON.parse(line)) }),
  });

  test('the client address is in the audit and the log, and the log has the ids of key and operator', async () => {
    const { id } = await createCard(app);
    const key = await app.addKey(app.program.id, ['read', 'write']);
    const readOnly = await app.addKey(app.program.id, ['read']);
    const admin = await signInAs(app, 'admin');
    log = [];
    const freeze = `${CARDS}${id}/freeze/`;
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const body = { freeze: true };
    await app.call('PUT', freeze, { key: key.key, body, headers: from('2001:db8::7') });
    await app.call('PUT', freeze, { key: readOnly.key, body, headers: from('203.0.113.8') });
    await app.call('PUT', freeze, { key: 'no-key-of-ours', body, headers: from('not an address') });
    await app.call('PUT', `/console/api/programs/${app.program.id}/merchant/cards/${id}/freeze/`, {
      key: null,
      body: { freeze: false },
      headers: { ...from('203.0.113.9'), cookie: admin.cookie, 'x-csrf-token': admin.csrfToken },
    });
    await vi.waitFor(() => expect(log.filter(({ status }) => status)).toHaveLength(4));
    expect(log.map(({ status, address, actor }) => ({ status, address, actor }))).toEqual([
      { status: 200, address: '2001:db8::7', actor: `key:${key.id}` },
      { status: 403, address: '203.0.113.8', actor: `key:${readOnly.id}` },
      { status: 401, address: null, actor: undefined },
      { status: 200, address: '203.0.113.9', actor: `operator:${admin.id}` },
    ]);
    const entries = await app.sql(
      `select action, address from audit_entries where card_id = $1 order by id`,
      [id],
    );
    expect(entries.slice(1)).toEqual([
      { action: 'card.frozen', address: '2001:db8::7' },
      { action: 'card.unfrozen', address: '203.0.113.9' },
    ]);
    const [signedIn] = await app.sql(
      `select address from audit_entries where action = 'operator.signed_in' order by id desc limit 1`,
    );
    expect(signedIn).toEqual({ address: '127.0.0.1' });
  });

  test('one password tried with many e-mail addresses is refused after a few, and locks no account', async () => {
    const { email, password } = await addTestOperator(app, 'viewer');
    const signIn = (from: string, mail: string, word: string) =>
      app.call('POST', SESSION, {
        key: null,
        body: { email: mail, password: word },
        headers: { 'x-forwarded-for': from },
      });
    for (let index = 0; index < 3; index++)
      expect((await signIn('203.0.113.7', `unknown-${index}@example.com`, 'summer')).status).toBe(401);
    const answer = await signIn('203.0.113.7', email, password);
    expect(answer).toMatchObject(refusal('Too many wrong passwords from this address'));
    expectWait(answer);
    expect((await signIn('203.0.113.8', email, password)).status).toBe(200);
    expect(await counted(app, 'emboss_rate_limited_total')).toEqual({ '{kind="wrong_passwords"}': 1 });
  });

  test('the number of card numbers that an operator reveals per minute is limited', async () => {
    const { id } = await createCard(app);
    const [one, two] = [await signInAs(app, 'admin'), await signInAs(app, 'admin')];
    const reveal = (person: typeof one) =>
      person.call('POST', `cards/${id}/reveal/`, { reason: 'the holder asks' });
    expect([(await reveal(one)).status, (await reveal(one)).status]).toEqual([200, 200]);
    expect(await reveal(one)).toMatchObject(refusal('Too many reveals by this operator'));
    const identity = (person: typeof one) => person.call('POST', 'customers/customer-42/identity/', {});
    expect(await identity(one)).toMatchObject(refusal('Too many reveals by this operator'));
    expect([(await reveal(two)).status, (await identity(two)).status]).toEqual([200, 200]);
    expect((await reveal(two)).status).toBe(429);
  });

  test('an admin at the limit cannot reveal more by creating keys', async () => {
    const { program, key } = await app.addProgram();
    const { id } = await createCard(app, {}, key);
    const admin = await signInAs(app, 'admin');
    const call = (path: string, body: object) => admin.call('POST', path, body, program.id);
    const reason = { reason: 'the holder asks' };
    for (const status of [200, 200, 429])
      expect((await call(`cards/${id}/reveal/`, reason)).status).toBe(status);
    const wanted = { kind: 'merchant', name: 'more numbers', scopes: ['credentials'] };
    // A key with `reveal` can open sessions of its own, and one with `decisions` gets one-time passwords: they need the
    // password like one with `credentials`.
    for (const scopes of [['credentials'], ['reveal'], ['read', 'write', 'reveal'], ['decisions']])
      expect(await call('keys/', { ...wanted, scopes })).toMatchObject({
        status: 400,
        body: { message: 'password: is required: confirm with your password' },
      });
    expect(await call('keys/', { ...wanted, password: 'not mine at all' })).toMatchObject({
      status: 400,
      body: { message: 'password: is wrong' },
    });
    log = [];
    const statuses: number[] = [];
    for (let index = 0; index < 2; index++) {
      const created = await call('keys/', { ...wanted, password: admin.password });
      expect(created.status).toBe(201);
      for (let shown = 0; shown < 2; shown++)
        statuses.push(
          (await app.call('GET', `${CARDS}${id}/credentials/`, { key: created.body.key })).status,
        );
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
    const warned = log.filter(({ msg }) => msg === 'an API key that can reveal card numbers was created');
    expect(warned).toEqual([1, 2].map(() => expect.objectContaining({ actor: `operator:${admin.id}` })));
    expect(await app.metrics.text()).toMatch(/^emboss_credentials_keys_created_total 2$/m);
  });

  test('keys with credentials are limited per hour and program, rotations included; each sends an event to the merchant', async () => {
    const { program, key } = await app.addProgram();
    const admin = await signInAs(app, 'admin');
    const { password } = admin;
    const call = (path: string, body: object) => admin.call('POST', path, body, program.id);
    const wanted = { kind: 'merchant', name: 'cardholder app', scopes: ['read', 'credentials'] };
    const { body: first } = await call('keys/', { ...wanted, password });
    const rotate = (fields: object) => call(`keys/${first.id}/rotate/`, { overlapSeconds: 60, ...fields });
    expect((await rotate({})).status).toBe(400);
    const { body: second } = await rotate({ password });
    // The program came with one. Several at once are no way around it.
    const more = await Promise.all([1, 2, 3, 4].map(() => call('keys/', { ...wanted, password })));
    expect(more.map(({ status }) => status).sort()).toEqual([201, 201, 429, 429]);
    const refused = await rotate({ password });
    expect(refused).toMatchObject({
      status: 429,
      body: {
        message: expect.stringMatching(
          /^scopes: at most 5 keys with "credentials" or "reveal" an hour in a program; retry in (59|60) min$/,
        ),
      },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500);
    const plain = { kind: 'merchant', name: 'reads only', scopes: ['read'] };
    const { status, body: reader } = await call('keys/', plain);
    expect(status).toBe(201);
    // A scope that was written into the row past us does not become a right by rotation.
    await app.sql('update api_keys set scopes = $2 where id = $1', [reader.id, ['read', 'write']]);
    expect(await call(`keys/${reader.id}/rotate/`, { overlapSeconds: 60 })).toMatchObject({
      status: 409,
      body: { message: 'The row of this key was altered; revoke the key and create a new one' },
    });
    const { body: events } = await app.call('GET', '/api/v1/merchant/webhook-events/', { key });
    const shown = events.results.map(({ eventType, eventName, data }: Record<string, unknown>) => ({
      eventType,
      eventName,
      data,
    }));
    expect(shown).toHaveLength(4);
    expect(shown.slice(2)).toEqual(
      [second, first].map(({ id, hint }) => ({
        eventType: 'security',
        eventName: 'security.credentials_key_created',
        data: {
          keyId: id,
          name: 'cardholder app',
          hint,
          scopes: ['read', 'credentials'],
          createdBy: `operator:Test admin <${admin.email}>`,
          address: '127.0.0.1',
        },
      })),
    );
  });
});

describe('behind an address whose requests without a key are used up', () => {
  const app = appForTests({ limits: { anonymous_requests: 10 }, server: { trustProxy: ['loopback'] } });
  const HERE = { 'x-forwarded-for': '203.0.113.7' };
  const statusOf = async (path: string, headers: Record<string, string> = {}) =>
    (await exchange(app.url, 'GET', path, { headers: { ...HERE, ...headers } })).status;
  beforeAll(async () => {
    for (let sent = 0; sent < 10; sent++) expect(await statusOf(`/nothing-${sent}`)).toBe(404);
    expect(await statusOf('/nothing')).toBe(429);
  });

  test('reveal pages show their values: a session is counted by itself, an invented one is not', async () => {
    const { id } = await createCard(app);
    const session = await openSession(app, id);
    const { pathname } = new URL(session.url);
    expect(await statusOf(pathname)).toBe(200);
    const invented = publicIdOf({ ...readPublicId(session.id), id: randomUUID() });
    expect(await statusOf(`/reveal/${invented}/`)).toBe(429);
    expect((await spendSession(app, session, HERE)).status).toBe(200);
    for (let sent = 2; sent < 10; sent++) expect(await statusOf(pathname)).toBe(200);
    expect(await statusOf(pathname)).toBe(429);
  });

  test('a browser in which an operator signed in before opens the console and signs in; another one does not', async () => {
    const { email, password } = await addTestOperator(app, 'viewer');
    const signIn = (headers: Record<string, string>) =>
      exchange(app.url, 'POST', SESSION, { body: { email, password }, headers: { ...HERE, ...headers } });
    const elsewhere = await signIn({ 'x-forwarded-for': '203.0.113.8' });
    const device = elsewhere.headers.getSetCookie()[1]?.split(';')[0] ?? '';
    expect(device).toMatch(/^emboss_device=/);
    // Without a build of the console it is a 503.
    expect(await statusOf('/console/', { cookie: device })).not.toBe(429);
    expect((await signIn({ cookie: device })).status).toBe(200);
    expect(await statusOf('/console/')).toBe(429);
    expect((await signIn({})).status).toBe(429);
    const [, id = ''] = /=([^.]+)/.exec(device) ?? [];
    const forged = [
      'AAAA'.repeat(6),
      `AAAA${id.slice(4)}`,
      id.slice(0, 2),
      `${id}!`,
      `${id}=`,
      'A'.repeat(110),
    ];
    for (const other of forged) {
      const cookie = device.replace(id, other);
      expect([other, (await signIn({ cookie })).status]).toEqual([other, 429]);
    }
  });

  test('paths that cannot be decoded count too', async () => {
    const fresh = await startTestApp({ limits: { anonymous_requests: 2 } });
    const statuses = await Promise.all(
      ['/%zz', '/%', '/%ff'].map((path) => exchange(fresh.url, 'GET', path)),
    );
    expect(statuses.map(({ status }) => status).sort()).toEqual([404, 404, 429]);
    await fresh.close();
  });
});

describe('requests without a key', () => {
  const proxied = appForTests({ limits: { anonymous_requests: 2 }, server: { trustProxy: ['loopback'] } });

  test.each<[what: string, path: string, key: string | null, headers?: Record<string, string>]>([
    ['no key', '/nowhere', null],
    ['a wrong key', CARDS, 'a key of no program'],
    ['a wrong network key', '/api/v1/network/authentications/a/', null, { 'x-network-key': 'a key of none' }],
    ['a wrong session', SESSION, null, { cookie: 'emboss_session=unknown' }],
  ])('from IPv6 count by network: %s', async (_what, path, key, headers) => {
    const from = async (address: string) =>
      (await proxied.call('GET', path, { key, headers: { ...headers, 'x-forwarded-for': address } })).status;
    const network = `2001:db8:0:${path.length}`;
    for (const host of ['1', '2']) expect(await from(`${network}::${host}`)).not.toBe(429);
    expect(await from(`${network}::3`)).toBe(429);
    expect(await from(`2001:db8:1:${path.length}::1`)).not.toBe(429);
  });

  test('get a 429 beyond the limit, before their body is read, while requests with a key do not', async () => {
    const app = await startTestApp({ limits: { anonymous_requests: 20 } });
    const send = (method: string, path: string) =>
      app.call(method, path, { key: null, ...(method === 'POST' ? { raw: '{' } : {}) });
    const paths = ['/nothing', '/nowhere', '/openapi.json', '/console/api/x', `${SESSION}?x`];
    for (let sent = 0; sent < 20; sent++) {
      const path = paths[sent % paths.length] as string;
      const { status } = await send(path.startsWith(SESSION) ? 'POST' : 'GET', path);
      expect(status).not.toBe(429);
    }
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['DELETE', CARDS],
      ['POST', SESSION],
    ] as const) {
      const answer = await send(method, path);
      expect(answer).toMatchObject(refusal('Too many requests without a key from this address'));
      expectWait(answer);
    }
    expect((await app.call('GET', CARDS)).status).toBe(200);
    // A probe is counted apart, and a missing or wrong key like no key.
    expect((await send('GET', '/health/ready')).status).toBe(200);
    for (const key of [null, 'a key of no program'])
      expect((await app.call('GET', CARDS, { key })).status).toBe(429);
    await app.close();
  });
});
