import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { generatedFiles } from '../tools/generated-files.ts';
import { createDocuments } from '../tools/openapi-document.ts';
import { roleTexts, withPermissions } from '../tools/role-texts.ts';
import { ROOT } from './support/scripts/sources.ts';

test('the files generated from the schemas are up to date', async () => {
  const files = await generatedFiles();
  expect(files.length).toBeGreaterThan(4);
  const stale = files.filter(
    ({ path, content }) => !existsSync(path) || readFileSync(path, 'utf8') !== content,
  );
  expect(
    stale.map(({ path }) => relative(ROOT, path)),
    'run "npm run generate"',
  ).toEqual([]);
});

test('the texts of the roles follow the permissions of the routes', async () => {
  const [, permissions] = await withPermissions(createDocuments);
  const texts = roleTexts(permissions);
  expect(texts.support).toMatch(/freeze and unfreeze cards; reissue cards/);
  expect(texts.support).not.toContain('create cards');
  const moved = permissions.map((known) =>
    /^(createCard|consoleReadCardCsv)/.test(known.operation) ? { ...known, role: 'support' as const } : known,
  );
  expect(roleTexts(moved).support).toContain('create cards');
  const added = [...permissions, { operation: 'burnCard', role: 'viewer' as const, isRead: false }];
  expect(() => roleTexts(added)).toThrow('add burnCard to a group');
  const mixed = permissions.map((known) =>
    known.operation === 'rotateKey' ? { ...known, role: 'manager' as const } : known,
  );
  expect(() => roleTexts(mixed)).toThrow('"manage API keys" has operations of several roles');
});
