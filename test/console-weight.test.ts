import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { CONSOLE_DIST } from './support/scripts/built.ts';

const MOST_BYTES = 250_000;

/** A script with everything that it cannot begin without. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const text = readFileSync(join(CONSOLE_DIST, 'assets', name), 'utf8');
  for (const [, imported = ''] of text.matchAll(/(?:import|from)\s*["']\.\/([^"']+\.js)["']/g))
    withImports(imported, seen);
  return seen;
}

describe('the console', () => {
  const page = readFileSync(join(CONSOLE_DIST, 'index.html'), 'utf8');
  const entry = /<script[^>]+src="\/console\/assets\/([^"]+\.js)"/.exec(page)?.[1] ?? '';

  test('loads less than 250 kB of compressed scripts on any first page', () => {
    const shell = withImports(entry);
    const pages = readdirSync(join(CONSOLE_DIST, 'assets')).filter((name) => /-page-[^/]+\.js$/.test(name));
    expect(pages.length).toBeGreaterThan(5);
    const heavy = pages
      .map((name) => ({ name, bytes: weightOf(withImports(name, new Set(shell))) }))
      .filter(({ bytes }) => bytes > MOST_BYTES);
    expect(heavy).toEqual([]);
  });

  test('loads nothing from other hosts', () => {
    expect(page).not.toMatch(/(?:src|href)="(?!\/console\/)/);
    expect(page).not.toMatch(/<script(?![^>]+src=)/);
  });
});

const weightOf = (names: Iterable<string>): number =>
  [...names].reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(CONSOLE_DIST, 'assets', name))).length,
    0,
  );
