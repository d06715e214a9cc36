import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { generatedFiles } from '../tools/generated-files.ts';
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
