import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installedPostgres } from './installed-postgres.ts';
import { chosenPooler, keepsStatementsApart } from './pooler.ts';

test('TEST_POSTGRES without a PostgreSQL is refused, and no other PostgreSQL is used', () => {
  const root = mkdtempSync(join(tmpdir(), 'emboss-chosen-'));
  try {
    for (const told of ['newest', '/nowhere', root])
      expect(() => installedPostgres(told)).toThrow(
        `TEST_POSTGRES is "installed" or a directory that holds PostgreSQL's programs, not "${told}"`,
      );
    const bin = join(root, 'bin');
    mkdirSync(bin);
    for (const program of ['postgres', 'initdb', 'pg_ctl']) writeFileSync(join(bin, program), '');
    expect(installedPostgres(bin)).toBe(bin);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('TEST_POOLER with an unknown pooler is refused', () => {
  expect(chosenPooler(undefined)).toBeUndefined();
  expect(() => chosenPooler('odyssey')).toThrow('TEST_POOLER is "pgbouncer" or nothing, not "odyssey"');
});

test.each([
  ['1.9.0', false],
  ['1.20.1', false],
  ['1.21.0', true],
  ['1.100', true],
  ['2.0', true],
])('PgBouncer %s supports prepared statements: %s', (version, apart) => {
  expect(keepsStatementsApart(version)).toBe(apart);
});
