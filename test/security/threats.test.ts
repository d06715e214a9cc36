import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/scripts/sources.ts';

test('every threat in SECURITY.md has a protection and an existing test', () => {
  const page = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
  const rows = page.match(/^\| (?!Threat|-).*\|$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(15);
  const proofs = rows.map(
    (row) =>
      row
        .split(' | ')
        .at(-1)
        ?.match(/`(?:src|test)\/[^`]+\.test\.ts`/g) ?? [],
  );
  expect(rows.filter((_, index) => proofs[index]?.length === 0)).toEqual([]);
  const named = proofs.flat().map((name) => name.replaceAll('`', ''));
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
