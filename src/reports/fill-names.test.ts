import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvCell } from './csv.ts';
import { fillNames } from './fill-names.ts';
import { NAME_MARK } from './report-queries.ts';

const cardId = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;

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
  const requested: string[] = [];
  const line = (index: number) => `${'x'.repeat(500)},${NAME_MARK}${cardId(index % 50)}\n`;
  const rows = Readable.from(Array.from({ length: 5_000 }, (_, index) => Buffer.from(line(index))));
  const filled = fillNames(rows, async (ids) => {
    requested.push(...ids);
    return new Map(ids.map((id) => [id, `Holder ${id.slice(-2)}`]));
  });
  let chunks = 0;
  for await (const chunk of filled) {
    chunks++;
    expect(chunk.includes(NAME_MARK)).toBe(false);
  }
  expect(chunks).toBeGreaterThan(3);
  expect(requested.sort()).toEqual(Array.from({ length: 50 }, (_, index) => cardId(index)));
});
