import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { joinLines } from './logging.ts';

function record() {
  const pieces: string[] = [];
  return { pieces, lines: joinLines({ write: (piece) => pieces.push(piece), flushSync: () => {} }) };
}
const LINE = `${'x'.repeat(299)}\n`;

test('the lines of one turn are passed on together and in order, in pieces that a pipe keeps together', async () => {
  const { pieces, lines } = record();
  const written = Array.from({ length: 100 }, (_, place) => `${place} ${LINE}`);
  for (const line of written) lines.write(line);
  await nextTurn();
  expect(pieces.join('')).toBe(written.join(''));
  expect(pieces).toHaveLength(10);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(4_096);
});

test('a line that is too long for a piece is one by itself', async () => {
  const { pieces, lines } = record();
  const long = `${'y'.repeat(9_000)}\n`;
  for (const line of [LINE, long, LINE]) lines.write(line);
  await nextTurn();
  expect(pieces).toEqual([LINE, long, LINE]);
});

test('flushing passes on what waits, once', async () => {
  const { pieces, lines } = record();
  lines.write(LINE);
  lines.flushSync();
  expect(pieces).toEqual([LINE]);
  await nextTurn();
  expect(pieces).toEqual([LINE]);
});
