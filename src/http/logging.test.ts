import { spawnSync } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { joinLines } from './logging.ts';

function record() {
  const pieces: string[] = [];
  return { pieces, lines: joinLines({ write: (piece) => pieces.push(piece), flushSync: () => {} }) };
}
const LINE = `${'x'.repeat(299)}\n`;

test.each([
  ['x', 8],
  ['漢', 25],
])(
  'the lines of one turn with %s are passed on in order, in pieces that a pipe keeps together',
  async (character, count) => {
    const { pieces, lines } = record();
    const written = Array.from({ length: 100 }, (_, place) => `${place} ${character.repeat(300)}\n`);
    for (const line of written) lines.write(line);
    await nextTurn();
    expect(pieces.join('')).toBe(written.join(''));
    expect(pieces).toHaveLength(count);
    expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThanOrEqual(4_096);
  },
);

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

test('the lines of the turn in which the process ends are written', () => {
  const script = `const { createLogger } = await import('./src/http/logging.ts');
    createLogger('info').logger.info('last words');
    process.exit(1);`;
  const { stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
  expect(stderr.toString()).toContain('last words');
});
