import fc from 'fast-check';
import { expect, test } from 'vitest';
import { freshDatabase, sql } from '../../test/support/database/database.ts';
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

test('PostgreSQL reads any texts as they are', async () => {
  const url = await freshDatabase();
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      expect(await sql(url, 'select $1::text[] as read', [textColumn(given)])).toEqual([{ read: given }]);
    }),
    { numRuns: 300 },
  );
});

test('PostgreSQL reads any bytes as they are, and several columns row by row', async () => {
  const url = await freshDatabase();
  const all = fc.array(
    fc.record({ bytes: fc.option(fc.uint8Array().map((part) => Buffer.from(part))), count: fc.nat() }),
  );
  await fc.assert(
    fc.asyncProperty(all, async (rows) => {
      const columns = [bytesColumn(rows.map(({ bytes }) => bytes)), column(rows.map(({ count }) => count))];
      const text = `select * from (select ${unnested(1, 'bytea int')}) as row (bytes, count)`;
      expect(await sql(url, text, columns)).toEqual(rows);
    }),
    { numRuns: 100 },
  );
});

test('usual texts are quoted here, those with other escapes by the driver', () => {
  expect(textColumn(['Corner "Coffee"', null, 'é'])).toBe('{"Corner \\"Coffee\\"",null,"é"}');
  for (const text of ['two\nlines', 'back\\slash', '\ud800']) expect(textColumn([text])).toEqual([text]);
});
