import { describe, expect, inject, test } from 'vitest';
import { CARDS, consumerCard, createCard } from '../../support/cards/cards.ts';
import { isPooled, sql } from '../../support/database/database.ts';
import { eventually } from '../../support/scripts/eventually.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();

describe('503: the database is unavailable', () => {
  const name = () => new URL(app.databaseUrl).pathname.slice(1);
  const admin = (text: string) => sql(inject('serverUrl'), text);
  const leave = async () => {
    await admin(`alter database ${name()} allow_connections false`);
    await admin(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name()}'`);
  };
  const comeBack = () => admin(`alter database ${name()} allow_connections true`);
  const away = { code: 503, message: 'The database is unavailable; retry', status: 'failed' };

  test('readiness and the API return it, and recover by themselves', async () => {
    const { id } = await createCard(app);
    const requests = [
      ['GET', '/health/ready'],
      ['GET', CARDS],
      ['GET', `${CARDS}${id}/`],
      ['GET', `${CARDS}${id}/credentials/`],
      ['POST', CARDS, consumerCard()],
      ['PUT', `${CARDS}${id}/freeze/`, { freeze: false }],
    ] as const;
    const sendAll = () =>
      Promise.all(requests.map(([method, path, body]) => app.call(method, path, { body })));
    await leave();
    try {
      for (const answer of await sendAll()) {
        expect(answer.body).toEqual(away);
        expect(answer.status).toBe(503);
      }
      expect((await app.call('GET', '/health/live')).status).toBe(200);
    } finally {
      await comeBack();
    }
    // A pooler looks for a database that had gone once in a while, and refuses until then.
    if (isPooled()) await eventually(async () => expect((await app.call('GET', CARDS)).status).toBe(200));
    expect((await sendAll()).map(({ status }) => status)).toEqual([200, 200, 200, 200, 201, 200]);
  });

  test('a connection cut during a request gives a 503 or a correct response, never anything else', async () => {
    const burst = Array.from({ length: 20 }, () => app.call('POST', CARDS, { body: consumerCard() }));
    await admin(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name()}'`);
    for (const { status } of await Promise.all(burst)) expect([201, 503]).toContain(status);
    // A connection of the pool may learn of its end a little later, and that request is told to retry too.
    await eventually(async () =>
      expect((await app.call('POST', CARDS, { body: consumerCard() })).status).toBe(201),
    );
  });
});
