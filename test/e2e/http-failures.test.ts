import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { CARDS, consumerCard, createCard } from '../support/cards.ts';
import { sql } from '../support/database.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
let log = '';
const memory = new Writable({
  write: (chunk, _encoding, done) => {
    log += chunk;
    done();
  },
});
beforeAll(async () => {
  app = await startTestApp({ logger: pino({ level: 'info' }, memory) });
});
afterAll(() => app.close());

describe('500: something real is broken', () => {
  /** One sealed row of the card is altered behind our back; whoever needs it must not get a guess. */
  test.each([
    { kind: 'holder', path: (id: string) => `${CARDS}${id}/` },
    { kind: 'holder', path: () => CARDS },
    { kind: 'application', path: (id: string) => `${CARDS}${id}/` },
    { kind: 'number', path: (id: string) => `${CARDS}${id}/credentials/` },
  ])('an altered $kind record', async ({ kind, path }) => {
    const { key } = await app.addProgram();
    const { id, lastFour } = await createCard(app, {}, key);
    const ask = () => app.call('GET', path(id), { key });
    expect((await ask()).status).toBe(200);
    await sql(
      app.databaseUrl,
      `update vault_records set sealed = set_byte(sealed, 30, get_byte(sealed, 30) # 1)
       where owner_id = $1 and kind = $2`,
      [id, kind],
    );
    log = '';
    const answer = await ask();
    const requestId = answer.headers.get('x-request-id');
    expect(answer.body).toEqual({
      code: 500,
      message: `Internal error (request ${requestId})`,
      status: 'failed',
    });
    expect(answer.status).toBe(500);
    expect(log).toContain(requestId);
    expect(log).toContain('was altered or moved');
    expect(log).not.toMatch(new RegExp(`Lovelace|customer-42|${key}|\\d{11}${lastFour}`));
  });

  test('a record moved to another card', async () => {
    const { key } = await app.addProgram();
    const [one, two] = [await createCard(app, {}, key), await createCard(app, {}, key)];
    const sealedOf = `(select sealed from vault_records where owner_id = $2 and kind = 'number')`;
    const move = `update vault_records set sealed = ${sealedOf} where owner_id = $1 and kind = 'number'`;
    await sql(app.databaseUrl, move, [one.id, two.id]);
    expect((await app.call('GET', `${CARDS}${one.id}/credentials/`, { key })).status).toBe(500);
    expect((await app.call('GET', `${CARDS}${two.id}/credentials/`, { key })).status).toBe(200);
  });

  test('the server goes on', async () => {
    expect((await app.call('GET', CARDS)).status).toBe(200);
  });
});

describe('503: the database is away', () => {
  const name = () => new URL(app.databaseUrl).pathname.slice(1);
  const admin = (text: string) => sql(inject('serverUrl'), text);
  const leave = async () => {
    await admin(`alter database ${name()} allow_connections false`);
    await admin(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name()}'`);
  };
  const comeBack = () => admin(`alter database ${name()} allow_connections true`);
  const away = { code: 503, message: 'The database is away; try again shortly', status: 'failed' };

  test('readiness and the API say so, and recover by themselves', async () => {
    const { id } = await createCard(app);
    const requests = [
      ['GET', '/health/ready'],
      ['GET', CARDS],
      ['GET', `${CARDS}${id}/`],
      ['GET', `${CARDS}${id}/credentials/`],
      ['POST', CARDS, consumerCard()],
      ['PUT', `${CARDS}${id}/freeze/`, { freeze: false }],
    ] as const;
    const ask = () => Promise.all(requests.map(([method, path, body]) => app.call(method, path, { body })));
    await leave();
    try {
      for (const answer of await ask()) {
        expect(answer.body).toEqual(away);
        expect(answer.status).toBe(503);
      }
      expect((await app.call('GET', '/health/live')).status).toBe(200);
    } finally {
      await comeBack();
    }
    expect((await ask()).map(({ status }) => status)).toEqual([200, 200, 200, 200, 201, 200]);
  });

  test('a connection cut in between is a 503 or a good answer, never anything else', async () => {
    const burst = Array.from({ length: 20 }, () => app.call('POST', CARDS, { body: consumerCard() }));
    await admin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name()}'`);
    for (const { status } of await Promise.all(burst)) expect([201, 503]).toContain(status);
    expect((await app.call('POST', CARDS, { body: consumerCard() })).status).toBe(201);
  });
});
