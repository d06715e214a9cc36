import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvCell } from './csv.ts';
import { fillNames } from './fill-names.ts';
import { NAME_MARK } from './report-queries.ts';

const cardId = (place: number) => `00000000-0000-7000-8000-${String(place).padStart(12, '0')}`;

test('names replace their placeholders, however the bytes are split', async () => {
  const names = new Map([
    [cardId(1), 'Zoë “🦄” Müller'],
    [cardId(2), '=HYPERLINK("x"), Ltd'],
  ]);
  const row = fc.tuple(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 3 }));
  const clean = (text: string) => text.replace(/[\p{Cc}",]/gu, '');
  await fc.assert(
    fc.asyncProperty(
      fc.array(row),
      fc.infiniteStream(fc.integer({ min: 1, max: 60 })),
      async (rows, cuts) => {
        const written = rows.map(
          ([text, card]) => `${clean(text)},${card === 0 ? '' : NAME_MARK + cardId(card)},end\n`,
        );
        const bytes = Buffer.from(['a,name,b\n', ...written].join(''));
        const chunks: Buffer[] = [];
        for (let at = 0; at < bytes.length; ) {
          const size = cuts.next().value as number;
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        const filled = await buffer(
          Readable.from(
            fillNames(Readable.from(chunks), async () => names),
            { objectMode: false },
          ),
        );
        const expected = rows.map(
          ([text, card]) => `${clean(text)},${csvCell(names.get(cardId(card)) ?? '')},end\r\n`,
        );
        expect(filled.toString()).toBe(['a,name,b\r\n', ...expected].join(''));
      },
    ),
  );
});

test('a name is decrypted once, for any number of rows', async () => {
  const asked: string[] = [];
  const line = (place: number) => `${'x'.repeat(500)},${NAME_MARK}${cardId(place % 50)}\n`;
  const rows = Readable.from(Array.from({ length: 5_000 }, (_, place) => Buffer.from(line(place))));
  const filled = fillNames(rows, async (ids) => {
    asked.push(...ids);
    return new Map(ids.map((id) => [id, `Holder ${id.slice(-2)}`]));
  });
  let stretches = 0;
  for await (const stretch of filled) {
    stretches++;
    expect(stretch.includes(NAME_MARK)).toBe(false);
  }
  expect(stretches).toBeGreaterThan(3);
  expect(asked.sort()).toEqual(Array.from({ length: 50 }, (_, place) => cardId(place)));
});
