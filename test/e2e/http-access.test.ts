import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDesign } from '../../src/cards/designs/save-design.ts';
import { reveal } from '../../src/kernel/secret.ts';
import { createKey, revokeKey } from '../../src/programs/manage-keys.ts';
import { CARDS, consumerCard, createCard, rowsWritten, shippingInformation } from '../support/cards.ts';
import { sql } from '../support/database.ts';
import { fillPath, type Operation, operationsOf } from '../support/document.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { type Exchange, exchange } from '../support/wire.ts';

let app: TestApp;
let protectedOperations: Operation[];
beforeAll(async () => {
  app = await startTestApp();
  protectedOperations = (await operationsOf(app)).filter(({ needsKey }) => needsKey);
});
afterAll(() => app.close());

/** What an answer tells: all of it but what differs from request to request. */
const tell = ({ status, text, headers }: Exchange) => {
  const told = Object.fromEntries(headers);
  for (const name of ['date', 'x-request-id']) delete told[name];
  return { status, text, headers: told };
};
const body = (code: number, message: string) => JSON.stringify({ code, message, status: 'failed' });

describe('who writes to the table of keys past us', () => {
  test('gives a key no rights, and makes no key', async () => {
    const { id, key } = await app.addKey(app.program.id, ['read']);
    expect((await app.call('GET', CARDS, { key })).status).toBe(200);
    await sql(app.databaseUrl, `update api_keys set scopes = '{read,credentials}' where id = $1`, [id]);
    expect((await app.call('GET', CARDS, { key })).status).toBe(401);
    await sql(app.databaseUrl, `update api_keys set scopes = '{read}' where id = $1`, [id]);
    expect((await app.call('GET', CARDS, { key })).status).toBe(200);
    const { program: other } = await app.addProgram();
    await sql(app.databaseUrl, 'update api_keys set program_id = $2 where id = $1', [id, other.id]);
    expect((await app.call('GET', CARDS, { key })).status).toBe(401);
    const forged = 'a-key-of-my-own-making';
    await sql(
      app.databaseUrl,
      `insert into api_keys (key_hash, id, program_id, kind, name, hint, scopes, rights_seal, created_at)
       select sha256($1), gen_random_uuid(), program_id, kind, name, hint, scopes, rights_seal, now()
       from api_keys where program_id = $2 limit 1`,
      [Buffer.from(forged), app.program.id],
    );
    expect((await app.call('GET', CARDS, { key: forged })).status).toBe(401);
  });
});

describe('401', () => {
  const unusable: Record<string, string> = {};
  beforeAll(async () => {
    const program = app.program.id;
    const revoked = await app.addKey(program, ['read', 'write', 'credentials']);
    await revokeKey(app.db, revoked.id, 'test');
    const expired = await app.addKey(
      program,
      ['read', 'write', 'credentials'],
      new Date(Date.now() + 60_000),
    );
    await sql(app.databaseUrl, `update api_keys set expires_at = now() where id = $1`, [expired.id]);
    const network = await app.db.transaction((tx) =>
      createKey(
        tx,
        app.vault.digest,
        { programId: program, kind: 'network', name: 'n', scopes: [], expiresAt: null },
        'test',
      ),
    );
    Object.assign(unusable, {
      empty: '',
      unknown: 'no-such-key-0123456789',
      revoked: revoked.key,
      expired: expired.key,
      mistyped: `${app.key.slice(0, -1)}${app.key.endsWith('0') ? '1' : '0'}`,
      'in another case': app.key.toUpperCase(),
      'cut short': app.key.slice(0, -1),
      'given twice': `${app.key}, ${app.key}`,
      'of the network': reveal(network.key),
      'very long': 'k'.repeat(8_000),
      'not ASCII': 'clé-élégante-0123',
      'a wildcard': '%',
    });
  });

  test('is the same for every key that does not open, on every documented route, before all else', async () => {
    const { id: cardId } = await createCard(app);
    const before = await rowsWritten(app);
    for (const { method, template } of protectedOperations) {
      const path = fillPath(template, { cardId, cardDesignID: 'black' });
      const raw = method === 'GET' ? {} : { raw: 'not even JSON', headers: { 'content-type': 'text/plain' } };
      const missing = tell(await exchange(app.url, method, path, raw));
      expect(missing).toMatchObject({ status: 401, text: body(401, 'Authentication failed') });
      for (const [what, key] of Object.entries(unusable)) {
        const answer = tell(await exchange(app.url, method, path, { ...raw, key }));
        expect({ what, method, path, answer }).toEqual({ what, method, path, answer: missing });
      }
    }
    expect(await rowsWritten(app)).toEqual(before);
    expect((await app.call('GET', `${CARDS}${cardId}/`)).body).toMatchObject({ status: 'ACTIVE' });
  });

  test('a key in another place is no key', async () => {
    const places = [
      { authorization: `Bearer ${app.key}` },
      { 'x-network-key': app.key },
      { 'x-api-key': app.key },
    ];
    for (const headers of places)
      expect((await exchange(app.url, 'GET', CARDS, { headers })).status).toBe(401);
    expect((await exchange(app.url, 'GET', `${CARDS}?x-payments-api-key=${app.key}`)).status).toBe(401);
  });

  test('revocation holds from the next request on', async () => {
    const { id, key } = await app.addKey(app.program.id, ['read']);
    expect((await exchange(app.url, 'GET', CARDS, { key })).status).toBe(200);
    await revokeKey(app.db, id, 'test');
    expect((await exchange(app.url, 'GET', CARDS, { key })).status).toBe(401);
  });

  test('health, metrics and documentation need no key', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics', '/openapi.json', '/docs'])
      expect((await exchange(app.url, 'GET', path)).status).toBe(200);
  });
});

describe('403: a key does what its scopes say', () => {
  const lacks = (scope: string) => body(403, `This key lacks the scope "${scope}"`);
  const scopeOf = ({ method, template }: Operation) =>
    template.endsWith('/credentials/') ? 'credentials' : method === 'GET' ? 'read' : 'write';

  test.each([['read'], ['write'], ['credentials']] as const)(
    'scope %s opens its routes alone',
    async (scope) => {
      const { key } = await app.addKey(app.program.id, [scope]);
      for (const operation of protectedOperations) {
        const { id: cardId } = await createCard(app);
        const { method, template } = operation;
        const path = fillPath(template, { cardId, cardDesignID: 'black' });
        const { status, text } = await exchange(app.url, method, path, { key, body: operation.body });
        const needed = scopeOf(operation);
        if (needed === scope) expect([method, path, status < 300]).toEqual([method, path, true]);
        else
          expect({ method, path, status, text }).toEqual({ method, path, status: 403, text: lacks(needed) });
      }
    },
  );

  test('a refused key changes nothing', async () => {
    const { key } = await app.addKey(app.program.id, ['read']);
    const { id } = await createCard(app);
    await exchange(app.url, 'PUT', `${CARDS}${id}/block/`, { key, body: { reason: 'lost' } });
    expect((await app.call('GET', `${CARDS}${id}/`)).body).toMatchObject({ status: 'ACTIVE' });
  });
});

describe('another program’s record', () => {
  let owner: { cardId: string; cardDesignID: string };
  let stranger: { key: string };
  const unknown = { cardId: randomUUID(), cardDesignID: 'no-such-design' };
  beforeAll(async () => {
    stranger = await app.addProgram();
    await app.db.transaction((tx) =>
      addDesign(
        tx,
        app.program.id,
        { id: 'ours', name: 'Ours', stock: true, default: false, embossNameSupported: true },
        'test',
      ),
    );
    owner = {
      cardId: (await createCard(app, { cardType: 'physical', cardDesign: 'ours' })).id,
      cardDesignID: 'ours',
    };
  });
  const ask = async (operation: Operation, parameters: Record<string, string>, key: string) =>
    tell(
      await exchange(app.url, operation.method, fillPath(operation.template, parameters), {
        key,
        body: operation.body,
      }),
    );

  test('is the same as an unknown one on every documented route, byte for byte', async () => {
    const withIds = protectedOperations.filter(({ template }) => template.includes('{'));
    expect(withIds.length).toBeGreaterThan(5);
    for (const operation of withIds) {
      const foreign = await ask(operation, owner, stranger.key);
      const none = await ask(operation, unknown, stranger.key);
      expect({ operation, foreign }).toEqual({ operation, foreign: none });
      expect(JSON.parse(none.text)).toEqual({ code: 404, message: 'Record not found', status: 'failed' });
    }
  });

  test('is the same as an unknown one with a body that breaks a rule', async () => {
    for (const operation of protectedOperations.filter(
      ({ template, body }) => template.includes('{') && body,
    )) {
      const broken = { ...operation, body: { freeze: 1, reason: 1, renewOption: 1 } };
      const none = await ask(broken, unknown, stranger.key);
      expect(await ask(broken, owner, stranger.key)).toEqual(none);
      expect(none.status).toBe(400);
    }
  });

  test('was not touched, and its owner still has it', async () => {
    const { body: card } = await app.call('GET', `${CARDS}${owner.cardId}/`);
    expect(card).toMatchObject({ status: 'ACTIVE', statusReason: null, cardDesign: 'ours' });
  });

  test('shows in no list and no count', async () => {
    const list = await app.call('GET', CARDS, { key: stranger.key });
    expect(list.body).toEqual({ results: [], count: 0, next: null, previous: null });
    const designs = await app.call('GET', '/api/v1/merchant/card-design/', { key: stranger.key });
    expect(designs.body.cardDesigns.map(({ id }: { id: string }) => id)).toEqual(['black', 'sold-out']);
    const after = await app.call('GET', `${CARDS}?after=${owner.cardId}`, { key: stranger.key });
    expect(after.body.results).toEqual([]);
  });

  test('cannot be named in a body either', async () => {
    const { key } = stranger;
    const mine = await createCard(app, { cardType: 'physical' }, key);
    for (const [design, other] of [['ours', 'no-such-design']] as const) {
      const create = (cardDesign: string) =>
        exchange(app.url, 'POST', CARDS, { key, body: consumerCard({ cardDesign }) });
      const replace = (cardDesign: string) =>
        exchange(app.url, 'PUT', `${CARDS}${mine.id}/replace/`, {
          key,
          body: { shippingInformation: shippingInformation({ cardDesign }) },
        });
      expect(tell(await create(design))).toEqual(tell(await create(other)));
      expect(tell(await replace(design))).toEqual(tell(await replace(other)));
      expect((await create(design)).status).toBe(400);
      expect((await replace(design)).status).toBe(400);
    }
  });
});

describe('an id that is none', () => {
  const malformed = (own: string): Record<string, string> => ({
    unknown: randomUUID(),
    'in upper case': own.toUpperCase(),
    'without hyphens': own.replaceAll('-', ''),
    'in braces': `%7B${own}%7D`,
    'with a space': `${own}%20`,
    'with a line end': `${own}%0A`,
    'with a NUL': `${own}%00`,
    'a NUL alone': '%00',
    'cut short': own.slice(0, -1),
    'a word': 'card',
    'a number': '1',
    'not ASCII': '%E6%BC%A2',
    'a quote': "'%20or%201=1--",
    'an upward path': '..%2F..%2Fcards',
    overlong: 'a'.repeat(10_000),
    all: '%25',
  });

  test('is the same 404 on every card route, byte for byte', async () => {
    const { id } = await createCard(app);
    const routes = protectedOperations.filter(({ template }) => template.includes('{cardId}'));
    for (const { method, template, body: sent } of routes) {
      const ask = async (cardId: string) =>
        tell(await exchange(app.url, method, fillPath(template, { cardId }), { key: app.key, body: sent }));
      const none = await ask(randomUUID());
      expect(none).toMatchObject({ status: 404, text: body(404, 'Record not found') });
      for (const [what, cardId] of Object.entries(malformed(id)))
        expect({ what, template, answer: await ask(cardId) }).toEqual({ what, template, answer: none });
    }
  });

  test('of a card design is a 400 with code 404', async () => {
    for (const id of ['no-such-design', 'BLACK', '%00', '%E6%BC%A2', 'a'.repeat(10_000), "'"]) {
      const answer = await exchange(app.url, 'GET', `/api/v1/merchant/card-design/${id}/`, { key: app.key });
      expect(answer).toMatchObject({ status: 400, text: body(404, 'Record not found') });
    }
  });
});

describe('a live program', () => {
  test('has no sandbox', async () => {
    const { key } = await app.addProgram({ mode: 'live' });
    const sandbox = protectedOperations.filter(({ template }) => template.startsWith('/api/v1/sandbox/'));
    expect(sandbox.length).toBeGreaterThan(2);
    for (const { method, template, body: sent } of sandbox) {
      const answer = await exchange(app.url, method, template, { key, body: sent });
      expect(answer).toMatchObject({ status: 404, text: body(404, 'Record not found') });
      const broken = await exchange(app.url, method, template, { key, ...(sent ? { raw: '{' } : {}) });
      expect(broken.status).toBe(404);
    }
    expect((await exchange(app.url, 'POST', CARDS, { key, body: consumerCard() })).status).toBe(201);
  });
});
