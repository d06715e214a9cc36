import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { changeOperator } from '../../src/operators/manage-operators.ts';
import { isAtLeast, ROLES, type Role } from '../../src/programs/access.ts';
import { revokeKey } from '../../src/programs/manage-keys.ts';
import { type KeyKind, SCOPES, type Scope } from '../../src/programs/program.ts';
import { rowsWritten } from '../support/cards/cards.ts';
import { SESSION, type SignedIn, signInAs } from '../support/console/operators.ts';
import { ROLES_OF_KINDS, ROUTE_ROLES } from '../support/console/route-roles.ts';
import {
  anyPerson,
  consoleOperationsOf,
  exampleRecords,
  fillBody,
  fillPath,
  type Operation,
  operationsOf,
  recordsPerOperation,
} from '../support/openapi/document.ts';
import { TESTER, testActor } from '../support/server/actor.ts';
import { appForTests, createTestKey } from '../support/server/test-app.ts';
import { type Exchange, exchange } from '../support/server/wire.ts';
import { type Api, isOpen, type LiveRoute, liveRoutes } from './live-routes.ts';

type Route = Pick<Operation, 'method' | 'template' | 'body'>;
type Headers = Record<string, string>;
type Records = Awaited<ReturnType<typeof exampleRecords>>;

const MERCHANT = 'x-payments-api-key';
const NETWORK = 'x-network-key';
/** What a person without a session sends: a password, the token of an invitation, the answer of an OpenID provider. */
const SIGN_IN = [
  ...['POST ', 'GET methods/', 'POST invitation/', 'PUT invitation/', 'POST openid/'],
  ...['GET openid/callback/', 'HEAD openid/callback/', 'HEAD methods/'],
].map((name) => name.replace(' ', ' /console/api/session/'));

const app = appForTests();
let routes: LiveRoute[];
let admin: SignedIn;
beforeAll(async () => {
  admin = await signInAs(app, 'admin');
  routes = liveRoutes(app).filter((route) => !isCatchAll(route));
});

/** Answers 404 to whatever is no path of the console's API. */
const isCatchAll = ({ template }: LiveRoute): boolean => /^\/console\/api\/?\*?$/.test(template);
const nameOf = ({ method, template }: Route): string => `${method} ${template}`;
const headersOf = ({ cookie, csrfToken }: SignedIn): Headers => ({ cookie, 'x-csrf-token': csrfToken });
const closed = (): LiveRoute[] =>
  routes.filter((route) => !isOpen(route) && !SIGN_IN.includes(nameOf(route)));

/** An answer without what differs from request to request. */
const report = ({ status, text, headers }: Exchange) => {
  const reported = Object.fromEntries(headers);
  for (const name of ['date', 'x-request-id', 'content-length']) delete reported[name];
  return { status, text, headers: reported };
};

const differ = (one: object, other: object): boolean => JSON.stringify(one) !== JSON.stringify(other);

const send = (route: Route, headers: Headers, records: Record<string, string>, body?: unknown) =>
  exchange(app.url, route.method, fillPath(route.template, records, route.method), {
    headers,
    body: isRead(route) ? undefined : (body ?? fillBody(route.body, records)),
  });
const isRead = ({ method }: Route): boolean => method === 'GET' || method === 'HEAD';

/** A third of what is wrong for each route, in turn: what is checked is the same code for all of them. */
const someOf = <T>(wrong: T[], at: number): T[] => wrong.filter((_, index) => (index + at) % 3 === 0);

const newKey = (kind: KeyKind) => createTestKey(app, app.program.id, kind);

/** Keys of a kind that open nothing. */
async function deadKeys(kind: KeyKind, good: string): Promise<Record<string, string>> {
  const [revoked, expired] = [await newKey(kind), await newKey(kind)];
  await revokeKey(app.db, await testActor(app.db, app.program.id), revoked.id);
  await app.sql('update api_keys set expires_at = now() where id = $1', [expired.id]);
  return {
    empty: '',
    unknown: 'no-such-key-0123456789',
    revoked: revoked.key,
    expired: expired.key,
    mistyped: `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`,
    'in another case': good.toUpperCase(),
    'cut short': good.slice(0, -1),
    'given twice': `${good}, ${good}`,
    'very long': 'k'.repeat(8_000),
    'not ASCII': 'clé-élégante-0123',
    'a wildcard': '%',
  };
}

/** Sessions that are over, each in another way. */
async function deadSessions(): Promise<Record<string, Headers>> {
  const [gone, late, idle, disabled] = (await Promise.all(
    ['out', 'late', 'idle', 'disabled'].map(() => signInAs(app, 'admin')),
  )) as [SignedIn, SignedIn, SignedIn, SignedIn];
  await exchange(app.url, 'DELETE', SESSION, { headers: headersOf(gone) });
  const update = (change: string, { id }: SignedIn) =>
    app.sql(`update operator_sessions set ${change} where operator_id = $1`, [id]);
  await update('expires_at = now()', late);
  await update("last_seen_at = now() - interval '61 minutes'", idle);
  await changeOperator(app.db, app.vault, TESTER, disabled.id, { enabled: false });
  return {
    'signed out': headersOf(gone),
    expired: headersOf(late),
    idle: headersOf(idle),
    'of a disabled account': headersOf(disabled),
  };
}

/** By API: everything that might be taken for a key there. */
async function wrongCredentials(): Promise<Record<Api, Record<string, Headers>>> {
  const inHeader = (header: string, keys: Record<string, string>) =>
    Object.fromEntries(Object.entries(keys).map(([what, key]) => [what, { [header]: key }]));
  const session = { 'a session of an administrator': headersOf(admin) };
  const both = { [MERCHANT]: app.networkKey, [NETWORK]: app.key };
  return {
    merchant: {
      ...inHeader(MERCHANT, await deadKeys('merchant', app.key)),
      'a good key in a header of its own name': { 'x-api-key': app.key },
      'a key of the network': { [MERCHANT]: app.networkKey },
      'the network’s key in its own header': { [NETWORK]: app.networkKey },
      'a good key in the other header': { [NETWORK]: app.key },
      'a good key as bearer': { authorization: `Bearer ${app.key}` },
      'both exchanged': both,
      ...session,
    },
    network: {
      ...inHeader(NETWORK, await deadKeys('network', app.networkKey)),
      'a good key in a header of its own name': { 'x-api-key': app.networkKey },
      'a key of the merchant': { [NETWORK]: app.key },
      'the merchant’s key in its own header': { [MERCHANT]: app.key },
      'a good key in the other header': { [MERCHANT]: app.networkKey },
      'a good key as bearer': { authorization: `Bearer ${app.networkKey}` },
      'both exchanged': both,
      ...session,
    },
    console: {
      ...(await deadSessions()),
      'an empty cookie': { cookie: 'emboss_session=' },
      'an unknown token': { cookie: `emboss_session=${admin.id}.${'A'.repeat(43)}` },
      'under another name': { cookie: `session=${admin.cookie.split('=')[1]}` },
      'as bearer': { authorization: `Bearer ${admin.cookie.split('=')[1]}` },
      'the page’s token alone': { 'x-csrf-token': admin.csrfToken },
      'a key of the merchant': { [MERCHANT]: app.key },
      'a key of the network': { [NETWORK]: app.networkKey },
      'a key as cookie': { cookie: `emboss_session=${app.key}` },
    },
  };
}

describe('every route', () => {
  test('needs a key or a session, except a few that are listed', async () => {
    expect(routes.length).toBeGreaterThan(120);
    const records = await exampleRecords(app);
    const unknown = closed().filter(({ api }) => api === undefined);
    expect(unknown.map(nameOf)).toEqual([]);
    const answers = await Promise.all(closed().map((route) => send(route, {}, records)));
    const without = closed().filter((_, index) => answers[index]?.status !== 401);
    expect(without.map(nameOf)).toEqual([]);
  });

  test('returns the same 401 without permission, before anything else is checked', async () => {
    const records = await exampleRecords(app);
    const wrong = await wrongCredentials();
    const before = await rowsWritten(app);
    const open: string[] = [];
    for (const [at, route] of closed().entries()) {
      const missing = report(await send(route, {}, records));
      const attempts = someOf(Object.entries(wrong[route.api as Api]), at).map(async ([what, headers]) => {
        for (const body of isRead(route) ? [undefined] : [undefined, { nonsense: true }])
          if (differ(report(await send(route, headers, records, body)), missing))
            open.push(`${nameOf(route)}: ${what}`);
      });
      await Promise.all(attempts);
    }
    expect(open).toEqual([]);
    expect(await rowsWritten(app)).toEqual(before);
  });
});

describe('every route with an id in its path', () => {
  /** Of every kind of id there is, where an id of another kind belongs. */
  function wrongIds(own: string, name: string, records: Records, foreign: Records): Record<string, string> {
    const kindOf = (kind: string) => (kind === 'blockedCardId' ? 'cardId' : kind);
    const others = Object.entries(records).filter(([kind]) => kindOf(kind) !== kindOf(name));
    return {
      'of another program': foreign[name as keyof Records],
      ...Object.fromEntries(others.map(([kind, id]) => [`a ${kind}`, encodeURIComponent(id)])),
      'in upper case': own.toUpperCase(),
      'without hyphens': own.replaceAll('-', ''),
      'in braces': `%7B${own}%7D`,
      'with a space': `${own}%20`,
      'with a line end': `${own}%0A`,
      'with a NUL': `${own}%00`,
      'cut short': own.slice(0, -1),
      'a quote': "'%20or%201=1--",
      'an upward path': '..%2F..%2Fcards',
      overlong: 'a'.repeat(8_000),
      'not ASCII': '%E6%BC%A2',
    };
  }
  /** Chosen by the merchant or by the network, or our own words: they have rules of their own. */
  const NAMES = ['cardDesignID', 'fileType', 'kind', 'listName', 'tokenizationId'];

  /** The sandbox takes the id of the network too. */
  const isToo = (template: string, what: string) =>
    template.includes('/sandbox/authentications/') && what === 'a authentication_id';

  test('treats an id of another program, of another kind and of invalid form like an unknown one', async () => {
    const other = await app.addProgram();
    const records = await exampleRecords(app);
    const foreignKey = await app.addKey(other.program.id, ['read']);
    const foreign = {
      ...(await exampleRecords(app, other.key)),
      programId: other.program.id,
      keyId: foreignKey.id,
      ...(await anyPerson(app, other.program.id)),
    };
    // At the console this person may see one program.
    const bound = await signInAs(app, 'admin', app.program.id);
    // HEAD is answered by whatever answers GET.
    const naming = closed().filter(({ method, template }) => method !== 'HEAD' && template.includes('{'));
    const reported: string[] = [];
    let requested = 0;
    for (const [at, route] of naming.entries()) {
      const key = route.api === 'network' ? { [NETWORK]: app.networkKey } : { [MERCHANT]: app.key };
      const headers = route.api === 'console' ? headersOf(bound) : key;
      for (const [, name = ''] of route.template.matchAll(/\{(\w+)\}/g)) {
        if (NAMES.includes(name)) continue;
        const own = records[name as keyof Records];
        const none = report(await send(route, headers, { ...records, [name]: randomUUID() }));
        if (none.status !== 404 || !none.text.includes('"message":"Record not found"'))
          reported.push(`${nameOf(route)}: an unknown ${name} is answered ${none.status}`);
        const wrong = Object.entries(wrongIds(own, name, records, foreign));
        const [ofOthers, ...rest] = wrong.filter(([what]) => !isToo(route.template, what));
        const ids = [ofOthers as (typeof wrong)[number], ...someOf(rest, at)];
        requested += ids.length;
        const attempts = ids.map(async ([what, id]) => {
          const answer = report(await send(route, headers, { ...records, [name]: id }));
          if (differ(answer, none)) reported.push(`${nameOf(route)}: ${name} ${what}: ${answer.status}`);
        });
        await Promise.all(attempts);
      }
    }
    expect(reported).toEqual([]);
    expect(requested).toBeGreaterThan(400);
  });
});

describe('every route of the merchant and the network', () => {
  const lacks = (scope: string) =>
    JSON.stringify({ code: 403, message: `This key lacks the scope "${scope}"`, status: 'failed' });
  const changesDecisions = (method: string, template: string) =>
    template.includes('/decision-endpoints/') && method !== 'GET' && !template.endsWith('/test/');
  const scopeOf = ({ method, template }: Operation): Scope => {
    if (template.endsWith('/credentials/')) return 'credentials';
    if (template.endsWith('/reveal-sessions/')) return 'reveal';
    if (changesDecisions(method, template)) return 'decisions';
    if (/\/rules\/(validate|evaluate)\/$/.test(template)) return 'read';
    if (/\/rule(s|-lists|-backtests)\//.test(template) && method !== 'GET') return 'rules';
    return method === 'GET' ? 'read' : 'write';
  };
  const sendWith = (
    { method, template, body, file }: Operation,
    headers: Headers,
    records: Record<string, string>,
  ) =>
    exchange(app.url, method, fillPath(template, records, file ? 'GET' : method), {
      headers: { ...headers, ...(file && { 'content-type': file.type }) },
      ...(file ? { raw: file.text } : { body: fillBody(body, records) }),
    });

  test('of the merchant needs its scope and no other', async () => {
    const keys = await Promise.all(
      SCOPES.merchant.map(async (scope) => ({ scope, key: (await app.addKey(app.program.id, [scope])).key })),
    );
    const recordsFor = recordsPerOperation(app);
    const refused = await exampleRecords(app);
    const operations = operationsOf(app).filter(({ keyHeader }) => keyHeader === MERCHANT);
    expect(operations.length).toBeGreaterThan(40);
    for (const operation of operations)
      for (const { scope, key } of keys) {
        const needed = scopeOf(operation);
        const records = scope === needed ? await recordsFor(operation) : refused;
        const { status, text } = await sendWith(operation, { [MERCHANT]: key }, records);
        const name = `${operation.method} ${operation.template} with ${scope}`;
        if (scope === needed) expect([name, status < 300]).toEqual([name, true]);
        else expect({ name, status, text }).toEqual({ name, status: 403, text: lacks(needed) });
      }
  });

  test('of the network needs its scope and no other', async () => {
    const newKeyWith = (scopes: readonly Scope[]) =>
      createTestKey(app, app.program.id, 'network', scopes).then(({ key }) => ({ [NETWORK]: key }));
    const keysOf = async (scope: Scope<'network'>) => ({
      right: await newKeyWith([scope]),
      wrong: await newKeyWith(SCOPES.network.filter((other) => other !== scope)),
    });
    const keys = { authorizations: await keysOf('authorizations'), clearing: await keysOf('clearing') };
    const recordsFor = recordsPerOperation(app);
    const operations = operationsOf(app).filter(({ keyHeader }) => keyHeader === NETWORK);
    expect(operations.length).toBeGreaterThan(10);
    for (const operation of operations) {
      const name = `${operation.method} ${operation.template}`;
      const scope = operation.template.includes('/clearing-files/') ? 'clearing' : 'authorizations';
      const { right, wrong } = keys[scope];
      const records = await recordsFor(operation);
      const refused = await sendWith(operation, wrong, records);
      expect({ name, status: refused.status, text: refused.text }).toEqual({
        name,
        status: 403,
        text: lacks(scope),
      });
      const { status } = await sendWith(operation, right, records);
      expect([name, status < 300]).toEqual([name, true]);
    }
  });
});

describe('every route of the console', () => {
  let operations: Operation[];
  let people: Record<Role, SignedIn>;
  beforeAll(async () => {
    operations = consoleOperationsOf(app);
    people = {
      viewer: await signInAs(app, 'viewer'),
      support: await signInAs(app, 'support'),
      manager: await signInAs(app, 'manager'),
      admin,
    };
  });
  /** A report is requested with GET, although this starts its generation. */
  const changes = ({ method, template }: Operation) =>
    method !== 'GET' || template.endsWith('/files/{fileType}/');
  const operationName = ({ method, template }: Operation) =>
    `${method} ${template.replace('/console/api/programs/{programId}/', '')}`;

  /** Ids that no record has: a role is checked before the record is read. */
  const absentRecords = () =>
    new Proxy<Record<string, string>>(
      { programId: app.program.id, fileType: 'daily' },
      { get: (known, name) => known[String(name)] ?? randomUUID() },
    );

  /** A saved view belongs to its operator. */
  async function viewOf({ call }: SignedIn): Promise<string> {
    const view = { list: 'cards', name: 'For a test', search: '', columns: [] };
    return (await call('PUT', 'views/', view)).body.views[0].id;
  }

  test('that changes data must be called by a page of the console', async () => {
    const records = await exampleRecords(app);
    const { cookie, csrfToken } = people.admin;
    const attempts: Array<Record<string, string>> = [
      { cookie },
      { cookie, 'x-csrf-token': '' },
      { cookie, 'x-csrf-token': people.support.csrfToken },
      { cookie, 'x-csrf-token': csrfToken, 'sec-fetch-site': 'cross-site' },
      { cookie, 'x-csrf-token': csrfToken, 'sec-fetch-site': 'same-site' },
    ];
    const changing = operations.filter(changes);
    expect(changing.length).toBeGreaterThan(18);
    for (const operation of changing)
      for (const headers of attempts)
        expect([operation.template, (await send(operation, headers, records)).status]).toEqual([
          operation.template,
          403,
        ]);
  });

  /** Enabling what is enabled does nothing; a rotation audits the old key and the new one, a replacement both cards. */
  const ENTRIES: Record<string, number> = {
    ...{ enable: 0, read: 0, replacement: 2, rotate: 2 },
    // They change nothing: the list does not have the value.
    ...{ validate: 0, evaluate: 0, remove: 0 },
  };

  test('works for an administrator, and is audited with the operator if it does anything', async () => {
    const written = async () => {
      const [row] = await app.sql('select count(*)::int as count from audit_entries where actor = $1', [
        `operator:Test admin <${people.admin.email}>`,
      ]);
      return (row as { count: number }).count;
    };
    const wrong: string[] = [];
    const recordsFor = recordsPerOperation(app);
    for (const operation of operations) {
      const records = { ...(await recordsFor(operation)), viewId: await viewOf(people.admin) };
      const before = await written();
      const { status, text, headers } = await send(operation, headersOf(people.admin), records);
      const complain = (what: string) => wrong.push(`${operationName(operation)}: ${what}`);
      if (status >= 300) complain(`${status} ${text}`);
      if (headers.get('cache-control') !== 'no-store') complain('may be stored');
      if (status >= 300 || !changes(operation)) continue;
      const entries = (await written()) - before;
      if (entries !== (ENTRIES[operation.template.split('/').at(-2) as string] ?? 1))
        complain(`${entries} entries`);
    }
    expect(wrong).toEqual([]);
  });

  test('is in the table of routes and roles', () => {
    const found = operations.map(operationName).toSorted();
    expect(found).toEqual(Object.keys(ROUTE_ROLES).toSorted());
  });

  test.each(ROLES)('refuses a %s what needs a higher role, and nothing else', async (role) => {
    const records = absentRecords();
    const rows = operations.flatMap((operation) => {
      const name = operationName(operation);
      const ofKinds = Object.entries(ROLES_OF_KINDS[name] ?? {});
      const paths = [[fillPath(operation.template, records), ROUTE_ROLES[name] as Role] as const];
      for (const [kind, needed] of ofKinds)
        paths.push([fillPath(operation.template, { ...records, kind }), needed]);
      return paths.map(([path, needed]) => ({ name, method: operation.method, path, needed }));
    });
    for (const { name, method, path, needed } of rows) {
      const { status, text } = await exchange(app.url, method, path, { headers: headersOf(people[role]) });
      const isAllowed = isAtLeast(role, needed);
      expect([name, path, status !== 403]).toEqual([name, path, isAllowed]);
      if (!isAllowed)
        expect(JSON.parse(text).message).toBe(`Requires the role ${needed}; your role is ${role}`);
    }
  });
});
