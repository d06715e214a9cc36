import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setAuthorizationMode } from '../../../src/decisions/set-authorization-mode.ts';
import type { AuthorizationMode, Scope } from '../../../src/programs/program.ts';
import { PASSWORD, type SignedIn, signInAs } from '../../support/console/operators.ts';
import { DECISIONS, decisionEvents, putDecisionEndpoint } from '../../support/decisions/decisions.ts';
import { testActor } from '../../support/server/actor.ts';
import { appForTests, startTestApp, type TestApp } from '../../support/server/test-app.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/webhook-receiver.ts';
import { addEndpoint, deliver, keptSecrets, verifies } from '../../support/webhooks/webhooks.ts';

const warnings: Array<Record<string, unknown>> = [];
const logger = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line)) });
const app = appForTests({ logger });
let receiver: Receiver;
let owner: Awaited<ReturnType<TestApp['addProgram']>>;
beforeAll(async () => {
  receiver = await startReceiver((_got, response) => response.end('{"decision": "APPROVE"}'));
});
afterAll(() => receiver.close());
beforeEach(async () => {
  owner = await app.addProgram();
});

const URL = 'https://shop.example/decisions';
const call = (method: string, rest = '', options: Parameters<TestApp['call']>[2] = {}) =>
  app.call(method, `${DECISIONS}${rest}`, { key: owner.key, ...options });
const put = (body: unknown, headers: Record<string, string> = {}) => call('PUT', '', { body, headers });
const setMode = async (mode: AuthorizationMode) =>
  setAuthorizationMode(app.db, await testActor(app.db, owner.program.id), mode);
const DEFAULTS = {
  kind: 'authorization',
  url: URL,
  timeoutMs: 2000,
  onFailure: 'DECLINE',
  standIn: null,
  paused: false,
  standInSince: null,
  standInReason: null,
  created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/),
};

describe('a decision endpoint', () => {
  test('is created with a secret that is shown once', async () => {
    const { status, body, headers } = await put({ url: URL });
    expect([status, headers.get('cache-control'), body]).toEqual([
      201,
      'no-store',
      { ...DEFAULTS, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) },
    ]);
    expect((await call('GET')).body).toEqual(DEFAULTS);
    const rows = await app.sql('select * from decision_endpoints');
    const audited = await app.sql("select * from audit_entries where action like 'decision%'");
    for (const text of [JSON.stringify(rows), JSON.stringify(audited)])
      expect(text).not.toContain(body.secret.slice(6, 20));
  });

  test('is replaced as a whole, and its secret stays', async () => {
    const settings = {
      timeoutMs: 200,
      onFailure: 'APPROVE',
      standIn: { transactionLimit: 50.25, dailyLimit: 0 },
    };
    const { secret, ...first } = (await put({ url: receiver.url, ...settings })).body;
    expect(first).toEqual({ ...DEFAULTS, url: receiver.url, ...settings });
    const url = `${receiver.url}moved`;
    const { status, body } = await put({ url, more: 'ignored' });
    expect([status, body]).toEqual([200, { ...DEFAULTS, url }]);
    expect((await call('GET')).body).toEqual(body);
    await call('POST', 'test/');
    expect(verifies(receiver.received.at(-1) as never, secret)).toBe(true);
    const actions = await app.sql<{ action: string; before: unknown }>(
      "select action, before from audit_entries where program_id = $1 and action like 'decision%' order by id",
      [owner.program.id],
    );
    expect(actions).toEqual([
      { action: 'decision_endpoint.created', before: null },
      { action: 'decision_endpoint.replaced', before: first },
    ]);
  });

  test.each([
    [undefined, 'body: is required'],
    [{}, 'url: is required'],
    [{ url: 5 }, 'url: must be a string'],
    [{ url: '' }, 'url: must not be empty'],
    [{ url: 'ftp://shop.example' }, 'url: must be an absolute URL, such as https://example.com/webhooks'],
    [{ url: 'https://10.0.0.1/' }, expect.stringMatching(/^url: must point to a public address/)],
    [{ url: URL, timeoutMs: 199 }, 'timeoutMs: must be at least 200'],
    [{ url: URL, timeoutMs: 3001 }, 'timeoutMs: must be at most 3000'],
    [{ url: URL, timeoutMs: 1000.5 }, 'timeoutMs: must be a whole number'],
    [{ url: URL, timeoutMs: '1000' }, 'timeoutMs: must be a whole number'],
    [{ url: URL, onFailure: 'approve' }, 'onFailure: must be one of DECLINE, STANDARD, APPROVE'],
    [{ url: URL, onFailure: 'APPROVE' }, 'standIn: is required if onFailure is APPROVE'],
    [{ url: URL, onFailure: 'APPROVE', standIn: null }, 'standIn: is required if onFailure is APPROVE'],
    [{ url: URL, standIn: 5 }, 'standIn: must be an object or null'],
    [{ url: URL, standIn: { dailyLimit: 5 } }, 'standIn.transactionLimit: is required'],
    [{ url: URL, standIn: { transactionLimit: 5 } }, 'standIn.dailyLimit: is required'],
    [{ url: URL, standIn: { transactionLimit: 5, dailyLimit: '5' } }, 'standIn.dailyLimit: must be a number'],
    [
      { url: URL, standIn: { transactionLimit: -1, dailyLimit: 5 } },
      'standIn.transactionLimit: must be at least 0',
    ],
    [
      { url: URL, standIn: { transactionLimit: 1.001, dailyLimit: 5 } },
      'standIn.transactionLimit: must have at most 2 decimals in EUR',
    ],
    [
      { url: URL, standIn: { transactionLimit: 1, dailyLimit: 1e15 } },
      'standIn.dailyLimit: must be at most 9999999999999.99',
    ],
    [{ url: URL, paused: null }, 'paused: must be a boolean'],
    [{ url: `${URL}?card=9999001234567891` }, 'url: must not contain a card number'],
  ])('%j is refused with a 400 that names the field', async (body, message) => {
    const answer = await call('PUT', '', body === undefined ? {} : { body });
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([400, 400, message]);
    expect((await call('GET')).status).toBe(404);
  });

  test('of the kinds authentication and otp has no rule for failures, and a time limit of its own', async () => {
    const { key, program } = await app.addProgram();
    for (const [kind, timeoutMs] of [
      ['authentication', 2000],
      ['otp', 3000],
    ] as const) {
      const path = DECISIONS.replace('authorization', kind);
      for (const [field, value] of [
        ['onFailure', 'DECLINE'],
        ['standIn', null],
      ]) {
        const body = { url: URL, [field as string]: value };
        const { status, body: answer } = await app.call('PUT', path, { body, key });
        expect([status, answer.message]).toEqual([400, `${field}: is only for the kind authorization`]);
      }
      const { body: created } = await app.call('PUT', path, { body: { url: URL }, key });
      expect(created).toMatchObject({ kind, timeoutMs, onFailure: null, standIn: null });
      await app.call('PUT', path, { body: { url: URL, paused: true }, key });
      expect((await app.call('DELETE', path, { key })).status).toBe(200);
    }
    const events = await decisionEvents(app, program.id);
    expect(events.map(({ data }) => data['on_failure'])).toEqual([null, null, null, null]);
  });

  test('of a live program must have a public https URL', async () => {
    const live = await app.addProgram({ mode: 'live', bin: '400011' });
    for (const url of ['http://shop.example/', 'https://localhost/', 'https://169.254.169.254/'])
      expect((await call('PUT', '', { body: { url }, key: live.key })).body.message).toMatch(/^url:/);
  });

  test('is not visible to another program, and other kinds do not exist', async () => {
    await put({ url: URL });
    const other = await app.addProgram();
    const operations = [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', 'rotate-secret/'],
      ['POST', 'test/'],
    ] as const;
    for (const [method, rest] of operations) {
      const theirs = await call(method, rest, { key: other.key });
      const unknown = await app.call(method, `${DECISIONS.replace('authorization', 'otp')}${rest}`, {
        key: owner.key,
      });
      for (const answer of [theirs, unknown])
        expect([answer.status, answer.body.message]).toEqual([404, 'Record not found']);
    }
    const path = DECISIONS.replace('authorization', 'toString');
    expect((await app.call('PUT', path, { body: { url: URL }, key: owner.key })).status).toBe(404);
    expect((await call('GET')).status).toBe(200);
  });

  test('is changed with the scope decisions, tested with write and read with read', async () => {
    const keyWith = async (...scopes: Scope[]) => (await app.addKey(owner.program.id, scopes)).key;
    const [reader, writer, decider] = [
      await keyWith('read'),
      await keyWith('read', 'write', 'credentials', 'reveal'),
      await keyWith('decisions'),
    ];
    const changes = [
      ['PUT', '', { url: URL }],
      ['POST', 'rotate-secret/'],
      ['DELETE', ''],
    ] as const;
    for (const [method, rest, body] of changes)
      for (const key of [reader, writer]) {
        const { status, body: answer } = await call(method, rest, { key, body });
        expect([status, answer.message]).toEqual([403, 'This key lacks the scope "decisions"']);
      }
    expect((await call('GET')).status).toBe(404);
    expect((await call('PUT', '', { key: decider, body: { url: URL } })).status).toBe(201);
    expect((await call('GET', '', { key: decider })).status).toBe(403);
    expect((await call('GET', '', { key: reader })).status).toBe(200);
    for (const key of [reader, decider]) expect((await call('POST', 'test/', { key })).status).toBe(403);
    expect((await call('POST', 'rotate-secret/', { key: decider })).status).toBe(200);
    expect((await call('DELETE', '', { key: decider })).status).toBe(200);
  });

  test('is created once, also with concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => put({ url: URL })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
  });

  test('can be created again with the same Idempotency-Key, which returns the same secret', async () => {
    const key = { 'idempotency-key': 'decisions-1' };
    const first = await put({ url: URL }, key);
    const again = await put({ url: URL }, key);
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.body,
      'true',
    ]);
    const replaced = { 'idempotency-key': 'decisions-2' };
    expect((await put({ url: `${URL}/2` }, replaced)).status).toBe(200);
    expect((await put({ url: `${URL}/2` }, replaced)).status).toBe(200);
    expect((await put({ url: `${URL}/3` }, replaced)).status).toBe(409);
  });
});

describe('the authorization mode', () => {
  test.each(['REAL_TIME', 'BOTH'] as const)('%s needs the endpoint and keeps it', async (mode) => {
    await expect(setMode(mode)).rejects.toMatchObject({
      httpStatus: 409,
      message: expect.stringContaining(`The authorization mode ${mode} needs a decision endpoint`),
    });
    await put({ url: URL });
    expect(await setMode(mode)).toMatchObject({ authorizationMode: mode });
    const refused = await call('DELETE');
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      409,
      `The program's authorization mode ${mode} needs this endpoint; change the mode to STANDARD first`,
    ]);
    await setMode('STANDARD');
    const removed = await call('DELETE');
    expect([removed.status, removed.body]).toEqual([200, { message: 'Decision endpoint removed' }]);
    expect((await call('DELETE')).status).toBe(404);
    expect((await call('GET')).status).toBe(404);
  });

  test('and the removal of the endpoint exclude each other', async () => {
    for (let round = 0; round < 5; round++) {
      await put({ url: URL });
      const [removed, set] = await Promise.all([
        call('DELETE'),
        setMode('REAL_TIME').then(
          () => true,
          () => false,
        ),
      ]);
      expect([removed.status, set]).toEqual(set ? [409, true] : [200, false]);
      await setMode('STANDARD');
    }
  });
});

describe('a pause', () => {
  const names = async () => (await decisionEvents(app, owner.program.id)).map(({ name }) => name);

  test('starts and ends a stand-in, each with one event', async () => {
    await put({ url: URL, onFailure: 'STANDARD' });
    await put({ url: URL, onFailure: 'STANDARD', paused: true });
    const { body } = await call('GET');
    expect(body).toMatchObject({ paused: true, standInReason: 'paused', standInSince: expect.any(String) });
    await put({ url: URL, onFailure: 'DECLINE', paused: true });
    expect((await call('GET')).body.standInSince).toBe(body.standInSince);
    await put({ url: URL });
    expect((await call('GET')).body).toMatchObject({ standInReason: null, standInSince: null });
    const started = {
      kind: 'authorization',
      reason: 'paused',
      since: body.standInSince,
      on_failure: 'STANDARD',
    };
    expect(await decisionEvents(app, owner.program.id)).toEqual([
      { name: 'decision.stand_in_started', data: started },
      {
        name: 'decision.stand_in_ended',
        data: { ...started, on_failure: 'DECLINE', until: expect.any(String) },
      },
    ]);
  });

  test('can begin with the endpoint and ends with it', async () => {
    await put({ url: URL, paused: true });
    await call('DELETE');
    expect(await names()).toEqual(['decision.stand_in_started', 'decision.stand_in_ended']);
  });

  test('replaces the stand-in of a failing endpoint', async () => {
    await put({ url: URL });
    await app.sql(
      `update decision_endpoints set stand_in_since = now(), stand_in_reason = 'failing' where program_id = $1`,
      [owner.program.id],
    );
    await put({ url: URL, timeoutMs: 500 });
    expect((await call('GET')).body).toMatchObject({ standInReason: 'failing' });
    await put({ url: URL, paused: true });
    expect(
      (await decisionEvents(app, owner.program.id)).map(({ name, data }) => [name, data['reason']]),
    ).toEqual([
      ['decision.stand_in_ended', 'failing'],
      ['decision.stand_in_started', 'paused'],
    ]);
  });
});

describe('in the console, a change', () => {
  const kinds = ['authorization', 'authentication', 'otp'] as const;
  type Kind = (typeof kinds)[number];
  let people: Record<'support' | 'manager' | 'admin', SignedIn>;
  beforeAll(async () => {
    people = {
      support: await signInAs(app, 'support'),
      manager: await signInAs(app, 'manager'),
      admin: await signInAs(app, 'admin'),
    };
  });
  const at = (kind: Kind, rest = '') => `merchant/decision-endpoints/${kind}/${rest}`;
  const as = (role: keyof typeof people, method: string, path: string, body?: unknown) =>
    people[role].call(method, path, body, owner.program.id);
  const changes = (kind: Kind) =>
    [
      ['PUT', at(kind), { url: `${URL}/moved`, untested: true }],
      ['POST', at(kind, 'rotate-secret/'), {}],
      ['DELETE', at(kind), {}],
    ] as const;
  const putBy = (kind: Kind, body: object) =>
    app.call('PUT', `/api/v1/${at(kind)}`, { body, key: owner.key });

  test.each(kinds)('of %s needs the password of the operator', async (kind) => {
    const before = (await putBy(kind, { url: URL })).body;
    const events = async () => (await changedEvents()).length;
    const known = await events();
    for (const [method, path, body] of changes(kind))
      for (const [proof, message] of [
        [{}, 'password: is required: confirm with your password'],
        [{ password: 'not the password of 9 tests' }, 'password: is wrong'],
        [{ password: 5 }, 'password: must be a string'],
      ] as const) {
        const answer = await as('admin', method, path, { ...body, ...proof });
        expect([method, answer.status, answer.body.message]).toEqual([method, 400, message]);
      }
    expect((await as('admin', 'DELETE', at(kind))).body.message).toMatch(/^password: is required/);
    const { secret: _secret, ...unchanged } = before;
    expect((await as('admin', 'GET', at(kind))).body).toEqual(unchanged);
    expect(await events()).toBe(known);
    for (const [method, path, body] of changes(kind)) {
      const answer = await as('admin', method, path, { ...body, password: PASSWORD });
      expect([method, answer.status]).toEqual([method, 200]);
    }
    expect((await as('admin', 'GET', at(kind))).status).toBe(404);
  });

  test('names an invalid setting before it checks the password', async () => {
    const wrong = { url: 'ftp://shop.example', password: 'not the password of 9 tests' };
    expect((await as('manager', 'PUT', at('authorization'), wrong)).body.message).toMatch(/^url: /);
  });

  test.each([
    ['authorization', 'manager', 'support'],
    ['authentication', 'admin', 'manager'],
    ['otp', 'admin', 'manager'],
  ] as const)('of %s needs the role %s, also with the password', async (kind, needed, lower) => {
    await putBy(kind, { url: URL });
    for (const [method, path, body] of changes(kind)) {
      const proven = { ...body, password: PASSWORD };
      const refused = await as(lower, method, path, proven);
      expect([refused.status, refused.body.message]).toEqual([
        403,
        `Requires the role ${needed}; your role is ${lower}`,
      ]);
      expect((await as(needed, method, path, proven)).status).toBe(200);
    }
  });

  test('is not needed for a test, which a manager sends without the password', async () => {
    for (const kind of kinds) {
      await putBy(kind, { url: receiver.url });
      expect((await as('manager', 'POST', at(kind, 'test/'))).status).toBe(200);
    }
  });

  test('with an Idempotency-Key is repeated only with the password, which is not stored', async () => {
    const { admin } = people;
    const headers = {
      cookie: admin.cookie,
      'x-csrf-token': admin.csrfToken,
      'idempotency-key': 'console-1',
    };
    const path = `/console/api/programs/${owner.program.id}/${at('otp')}`;
    const send = (body: object) => app.call('PUT', path, { key: null, headers, body });
    const settings = { url: URL, untested: true };
    const first = await send({ ...settings, password: PASSWORD });
    expect([first.status, first.body.secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
    const wrong = await send({ ...settings, password: 'not the password of 9 tests' });
    expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([
      400,
      expect.not.stringContaining(first.body.secret),
    ]);
    // The code is ignored: this operator has no second factor. A repeat with another one is the same request.
    const again = await send({ ...settings, password: PASSWORD, code: '123456' });
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.body,
      'true',
    ]);
    expect(await changedEvents()).toHaveLength(1);
  });

  test('lets no server decide that has not passed a test, unless that is what the operator wants', async () => {
    let status = 500;
    const server = await startReceiver((_got, response) => response.writeHead(status).end());
    const save = async (settings: object) => {
      const answer = await as('admin', 'PUT', at('otp'), { ...settings, password: PASSWORD });
      return answer.body.message ?? answer.status;
    };
    const noSecretYet = expect.stringMatching(/^Your server must have the new secret before it can pass/);
    const notPassed = expect.stringMatching(
      /^The endpoint did not pass a test request: .* not 200 \(response 500\)/,
    );
    const { url } = server;
    expect(await save({ url })).toEqual(noSecretYet);
    expect(await save({ url, paused: true })).toBe(201);
    expect(await save({ url })).toEqual(notPassed);
    status = 200;
    expect(await save({ url })).toBe(200);
    expect(server.received).toHaveLength(2);
    // Neither other settings nor a pause put another server in charge.
    status = 500;
    expect(await save({ url, timeoutMs: 500 })).toBe(200);
    expect(await save({ url: `${url}/moved` })).toEqual(notPassed);
    expect(await save({ url: `${url}/moved`, paused: true })).toBe(200);
    expect(await save({ url: URL })).toEqual(noSecretYet);
    expect(await save({ url: URL, untested: true })).toBe(200);
    expect(server.received).toHaveLength(3);
    // A key is of a program, which tests as it deploys.
    expect((await putBy('otp', { url })).status).toBe(200);
    await server.close();
  });

  test('by a key with a password in the body is decided by the scope alone', async () => {
    expect((await put({ url: URL, password: 5, code: null })).status).toBe(201);
  });
});

const changedEvents = () =>
  app.sql<{ data: Record<string, unknown> }>(
    `select data from events where program_id = $1 and event_name = 'security.endpoint_changed' order by id`,
    [owner.program.id],
  );

describe('every change', () => {
  const counted = async () =>
    /^emboss_decision_endpoints_changed_total\{kind="authorization"\} (\d+)$/m.exec(
      await app.metrics.text(),
    )?.[1];

  test('sends an event without any secret to the merchant, is logged and is counted', async () => {
    const inbox = await startReceiver((_got, response) => response.end());
    await addEndpoint(app, inbox.url, ['security'], owner);
    const before = Number(await counted());
    const secrets: string[] = [];
    const keep = ({ body }: { body: { secret?: string } }) => body.secret && secrets.push(body.secret);
    keep(await put({ url: 'https://shop.example:8443/hook?token=hidden' }));
    keep(await put({ url: 'https://other.example/hook?token=hidden' }));
    keep(await call('POST', 'rotate-secret/'));
    const admin = await signInAs(app, 'admin');
    const path = 'merchant/decision-endpoints/authorization/';
    await admin.call('DELETE', path, { password: PASSWORD }, owner.program.id);
    const worker = deliver(app);
    await inbox.until(4);
    await worker.stop();
    const events = inbox.received.map(({ body }) => body);
    const byKey = { changedBy: expect.stringMatching(/^key:[0-9a-f-]{36}$/), address: expect.any(String) };
    expect(events.map(({ eventType, eventName, data }) => [eventType, eventName, data])).toEqual(
      [
        { ...byKey, change: 'created', host: 'shop.example:8443' },
        { ...byKey, change: 'replaced', host: 'other.example' },
        { ...byKey, change: 'secret_rotated', host: 'other.example' },
        {
          change: 'removed',
          host: 'other.example',
          changedBy: expect.stringContaining(admin.email),
          address: expect.any(String),
        },
      ].map((data) => ['security', 'security.endpoint_changed', { kind: 'authorization', ...data }]),
    );
    expect(secrets).toHaveLength(3);
    const logged = warnings.filter(({ programId }) => programId === owner.program.id);
    expect(logged.map(({ msg, kind, change }) => [msg, kind, change])).toEqual(
      ['created', 'replaced', 'secret_rotated', 'removed'].map((change) => [
        'a decision endpoint was changed',
        'authorization',
        change,
      ]),
    );
    expect(logged.at(-1)).toMatchObject({ actor: `operator:${admin.id}`, address: expect.any(String) });
    for (const hidden of [...secrets, 'hidden', PASSWORD])
      expect(JSON.stringify([events, logged])).not.toContain(hidden);
    expect(Number(await counted())).toBe(before + 4);
    await inbox.close();
  });

  test('that is refused sends none', async () => {
    await put({ url: 'ftp://shop.example' });
    await call('DELETE');
    await call('POST', 'rotate-secret/');
    expect(await changedEvents()).toEqual([]);
  });
});

describe('another host or port', () => {
  const moves: Array<[from: string, to: string, isOther: boolean]> = [
    ['https://shop.example/a', 'https://shop.example/b?c=d', false],
    ['https://shop.example/', 'https://SHOP.example:443/', false],
    ['http://shop.example:80/', 'http://shop.example/', false],
    ['https://shop.example/', 'https://shop.example:8443/', true],
    ['https://shop.example/', 'http://shop.example/', true],
    ['http://shop.example:443/', 'https://shop.example/', true],
    ['https://shop.example/', 'https://shop.example.evil.example/', true],
    ['https://shop.example/', 'https://evil.example/shop.example', true],
  ];
  test.each(moves)('from %s to %s: a new secret? %s', async (from, to, isOther) => {
    const first = (await put({ url: from })).body.secret;
    const { status, body } = await put({ url: to });
    expect([status, body.url]).toEqual([200, new globalThis.URL(to).href]);
    if (isOther)
      expect([body.secret, body.secret === first]).toEqual([expect.stringMatching(/^whsec_/), false]);
    else expect(body.secret).toBeUndefined();
  });

  test('gets only requests that the new secret signs, also right after a rotation', async () => {
    const other = await startReceiver((_got, response) => response.end('{"decision": "APPROVE"}'));
    const first = (await put({ url: receiver.url })).body.secret;
    const second = (await call('POST', 'rotate-secret/')).body.secret;
    const third = (await put({ url: other.url }, { 'idempotency-key': 'moved-1' })).body.secret;
    await call('POST', 'test/');
    const got = other.received.at(-1) as never;
    expect([first, second, third].map((secret) => verifies(got, secret))).toEqual([false, false, true]);
    expect(await keptSecrets(app, owner.program.id)).toEqual([third]);
    // The secret of an answer that was lost can be had again.
    const repeated = await put({ url: other.url }, { 'idempotency-key': 'moved-1' });
    expect([repeated.status, repeated.body.secret]).toEqual([200, third]);
    expect((await call('GET')).body.secret).toBeUndefined();
    await put({ url: `${other.url}path` });
    await call('POST', 'test/');
    expect(verifies(other.received.at(-1) as never, third)).toBe(true);
    const [fourth, fifth] = [await call('POST', 'rotate-secret/'), await call('POST', 'rotate-secret/')];
    expect(await keptSecrets(app, owner.program.id)).toEqual([fourth.body.secret, fifth.body.secret]);
    await call('DELETE');
    expect(await keptSecrets(app, owner.program.id)).toEqual([]);
    await other.close();
  });
});

describe('a rotation', () => {
  test('returns the new secret once, and both secrets sign', async () => {
    const { secret: old } = await putDecisionEndpoint(app, { url: receiver.url }, owner);
    const { body, headers } = await call('POST', 'rotate-secret/');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      ...DEFAULTS,
      url: receiver.url,
      secret: expect.stringMatching(/^whsec_/),
      previousSignsUntil: expect.any(String),
    });
    const leftMs = Date.parse(body.previousSignsUntil) - Date.now();
    expect(Math.abs(leftMs - 86_400_000)).toBeLessThan(60_000);
    expect((await call('GET')).body.secret).toBeUndefined();
    await call('POST', 'test/');
    const got = receiver.received.at(-1) as never;
    expect([verifies(got, body.secret), verifies(got, old as string)]).toEqual([true, true]);
    await app.sql("update decision_endpoints set previous_signs_until = now() - interval '1 s'");
    await call('POST', 'test/');
    const later = receiver.received.at(-1) as never;
    expect([verifies(later, body.secret), verifies(later, old as string)]).toEqual([true, false]);
  });
});

describe('a test', () => {
  test('sends one signed question and returns what the response means', async () => {
    const { secret } = await putDecisionEndpoint(app, { url: receiver.url, paused: true }, owner);
    const before = receiver.received.length;
    const { status, body } = await call('POST', 'test/');
    expect([status, body]).toEqual([
      200,
      {
        outcome: 'approved',
        eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        statusCode: 200,
        error: null,
        answerStart: null,
        durationMs: expect.any(Number),
      },
    ]);
    const [got, ...more] = receiver.received.slice(before);
    expect([verifies(got as never, secret as string), more]).toEqual([true, []]);
    expect(got?.headers['webhook-id']).toBe(body.eventId);
    expect(got?.body).toMatchObject({
      eventType: 'decision',
      eventName: 'authorization.request',
      eventId: body.eventId,
      data: { bill_amount: '12.50', bill_currency: 'EUR', timeout_ms: 2000 },
    });
  });

  test('requests the balance of an invented inquiry, if that is wanted', async () => {
    let answer = '{"available_amount": "1.00"}';
    const merchant = await startReceiver((_got, response) => response.end(answer));
    const { secret } = (await put({ url: merchant.url })).body;
    const body = { eventName: 'balance.request' };
    expect((await call('POST', 'test/', { body })).body).toMatchObject({ outcome: 'approved', error: null });
    expect(verifies(merchant.received[0] as never, secret)).toBe(true);
    expect(merchant.received[0]?.body).toMatchObject({
      eventName: 'balance.request',
      data: { type: 'BALANCE_INQUIRY', bill_currency: 'EUR' },
    });
    answer = '{"decision": "APPROVE"}';
    expect((await call('POST', 'test/', { body })).body).toMatchObject({
      outcome: 'invalid',
      error: 'available_amount: must be a decimal string in EUR, such as "125.00"',
    });
    const other = await call('POST', 'test/', { body: { eventName: 'otp.request' } });
    expect([other.status, other.body.message]).toEqual([
      400,
      'eventName: must be authorization.request or balance.request for the kind authorization',
    ]);
    expect((await call('POST', 'test/', { body: { eventName: 'else' } })).status).toBe(400);
    await merchant.close();
  });

  test('names the rule that a response breaks, and shows the start of the response', async () => {
    const nonsense = await startReceiver((_got, response) => response.end('{"decision": "YES"}'));
    await put({ url: nonsense.url });
    expect((await call('POST', 'test/')).body).toEqual({
      outcome: 'invalid',
      eventId: expect.any(String),
      durationMs: expect.any(Number),
      statusCode: 200,
      error: 'decision: must be one of APPROVE, DECLINE',
      answerStart: '{"decision": "YES"}',
    });
    await nonsense.close();
    expect((await call('POST', 'test/')).body).toMatchObject({
      outcome: 'unreachable',
      statusCode: null,
      error: 'connection refused',
    });
  });

  test('waits for the time limit of the endpoint, and not for its own stop', async () => {
    const [stopping, silent] = await Promise.all([startTestApp(), startReceiver(() => {})]);
    await putDecisionEndpoint(stopping, { url: silent.url, timeoutMs: 200 });
    expect((await stopping.call('POST', `${DECISIONS}test/`)).body).toMatchObject({
      outcome: 'timeout',
      error: 'no response within 0.2 s',
    });
    await putDecisionEndpoint(stopping, { url: silent.url, timeoutMs: 3000 });
    const answer = stopping.call('POST', `${DECISIONS}test/`);
    await silent.until(2);
    await stopping.close();
    expect((await answer).body).toMatchObject({ code: 503, message: 'The server is stopping; retry' });
    await silent.close();
  });
});
