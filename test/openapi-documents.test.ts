import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from './support/scripts/sources.ts';

const DOCUMENTS = ['openapi.json', 'console-openapi.json'];

interface Document {
  paths: Record<string, Record<string, { operationId: string; tags: string[] }>>;
  webhooks?: Record<string, { post: { operationId: string } }>;
}
const read = (name: string): Document => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));

const directory = mkdtempSync(join(tmpdir(), 'emboss-openapi-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What a program prints, whether it finds faults or not. */
const run = (script: string, ...args: string[]): Promise<string> =>
  promisify(execFile)(process.execPath, [join(ROOT, 'node_modules', script), ...args], {
    cwd: ROOT,
    env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' },
  }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );

test('redocly finds no problem in them, and finds the one in a faulty document', async () => {
  const faulty = read('console-openapi.json');
  const [operation] = Object.values(Object.values(faulty.paths)[0] ?? {});
  if (operation) operation.operationId = 'getSession';
  const path = join(directory, 'faulty.json');
  writeFileSync(path, JSON.stringify(faulty));
  const flags = ['--config=redocly.yaml', '--format=github-actions'];
  const found = await run('@redocly/cli/bin/cli.js', 'lint', ...DOCUMENTS, path, ...flags);
  expect(found.match(/^::.*?,file=[^,]+/gm)).toEqual([
    `::error title=operation-operationId-unique,file=${relative(ROOT, path)}`,
  ]);
});

test.each(DOCUMENTS)('%s compiles to types with a strict compiler', async (name) => {
  const types = astToString(await openapiTypescript(read(name) as never));
  const path = join(directory, name.replace('.json', '.ts'));
  writeFileSync(path, types);
  expect(types).toContain('export interface operations');
  const flags = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--ignoreConfig'];
  expect(await run('ts7/bin/tsc', ...flags, path)).toBe('');
});

test.each(DOCUMENTS)('in %s, null stands only in `anyOf`, which every generator of clients reads', (name) => {
  const odd: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, enum: allowed } = value as { type?: unknown; enum?: unknown };
    const isAlone = type === 'null' && !/\/anyOf\/\d+$/.test(path);
    if (isAlone || Array.isArray(type) || (Array.isArray(allowed) && allowed.includes(null))) odd.push(path);
    for (const [key, part] of Object.entries(value))
      if (!/^examples?$/.test(key)) visit(part, `${path}/${key}`);
  };
  visit(read(name), name);
  expect(odd).toEqual([]);
});

test('every operationId is unique in the whole API', () => {
  const names = DOCUMENTS.map(read).flatMap(({ paths, webhooks = {} }) =>
    [...Object.values(paths), ...Object.values(webhooks)].flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    ),
  );
  expect(names.length).toBeGreaterThan(75);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('openapi.json contains nothing of the console API', () => {
  const pathsOf = (name: string): string[] => Object.keys(read(name).paths);
  expect(pathsOf('openapi.json').filter((path) => path.startsWith('/console/'))).toEqual([]);
  expect(pathsOf('console-openapi.json').filter((path) => !path.startsWith('/console/api/'))).toEqual([]);
  expect(readFileSync(join(ROOT, 'openapi.json'), 'utf8')).not.toMatch(/operatorSession|"Console"/);
});
