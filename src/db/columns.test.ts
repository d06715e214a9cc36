import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '../../test/support/database/database.ts';
import { bytesColumn, column, textColumn, unnested } from './columns.ts';

const texts = fc.array(
  fc.option(
    fc.oneof(
      // PostgreSQL stores no NUL.
      fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
      fc.string({ unit: fc.constantFrom('\\', '"', '{', '}', ',', '\n', '\u001f', 'n', 'é', ' ') }),
      fc.constantFrom('', 'null', 'NULL', '{}', '\\n', '\\u0041', '\u2028', '{"a":"b\\"c"}'),
    ),
  ),
);

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: await freshDatabase() });
  await client.connect();
});
afterAll(() => client.end());

test('PostgreSQL reads any texts as they are', async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      const { rows } = await client.query('select $1::text[] as read', [textColumn(given)]);
      expect(rows).toEqual([{ read: given }]);
    }),
    { numRuns: 300 },
  );
});

test('PostgreSQL reads any bytes as they are, and several columns row by row', async () => {
  const all = fc.array(
    fc.record({ bytes: fc.option(fc.uint8Array().map((part) => Buffer.from(part))), count: fc.nat() }),
  );
  await fc.assert(
    fc.asyncProperty(all, async (rows) => {
      const columns = [bytesColumn(rows.map(({ bytes }) => bytes)), column(rows.map(({ count }) => count))];
      const text = `select * from (select ${unnested(1, 'bytea int')}) as row (bytes, count)`;
      expect((await client.query(text, columns)).rows).toEqual(rows);
    }),
    { numRuns: 100 },
  );
});

test('usual texts are quoted here, those with other escapes by the driver', () => {
  expect(textColumn(['Corner "Coffee"', null, 'é'])).toBe('{"Corner \\"Coffee\\"",null,"é"}');
  for (const text of ['two\nlines', 'back\\slash', '\ud800']) expect(textColumn([text])).toEqual([text]);
});
