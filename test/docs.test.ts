import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Check } from 'typebox/value';
import { afterAll, describe, expect, test } from 'vitest';
import { FILE_TYPES } from '../src/reports/report.ts';
import { parseCondition } from '../src/rules/language/parse.ts';
import { RuleBody } from '../src/rules/schema.ts';
import { ROUTE_ROLES } from './support/console/route-roles.ts';
import { codeBlocks } from './support/openapi/code-blocks.ts';
import { listFiles } from './support/scripts/list-files.ts';
import { ROOT } from './support/scripts/sources.ts';

const run = promisify(execFile);
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('the SDK page', () => {
  const directory = mkdtempSync(join(tmpdir(), 'emboss-docs-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test('the code on it and in the SDK’s README compiles', async () => {
    const pages = ['docs/sdk.md', 'sdk/README.md'];
    const blocks = pages.flatMap((page) => codeBlocks(read(page), 'ts'));
    expect(blocks.length).toBeGreaterThan(9);
    for (const [index, code] of blocks.entries()) writeFileSync(join(directory, `block-${index}.ts`), code);
    const compilerOptions = {
      lib: ['es2024'],
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      paths: { '@emboss/sdk': [join(ROOT, 'sdk/src/index.ts')] },
    };
    const settings = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: [directory] };
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(settings));
    const compiler = join(ROOT, 'node_modules/ts7/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', directory]).catch((error) => error);
    expect(stdout).toBe('');
  });

  test('its table contains every call', () => {
    const named = new Set(read('docs/sdk.md').match(/`[\w.]+`/g));
    const code = read('sdk/src/generated/namespaces.ts');
    const methods = [...code.matchAll(/^ {4}(\w+)\(/gm)].map(([, name]) => `\`${name}\``);
    expect(methods.length).toBeGreaterThan(35);
    expect(methods.filter((name) => !named.has(name))).toEqual([]);
  });
});

describe('every name in the API', () => {
  const { paths } = JSON.parse(read('openapi.json')) as { paths: object };
  const absentFrom = (path: string, texts: string[]): string[] => {
    expect(texts.length).toBeGreaterThan(4);
    const page = read(path);
    return texts.filter((text) => !page.includes(text));
  };

  test('each card operation is on the page about cards', () => {
    const own = Object.keys(paths).filter((path) => path.startsWith('/api/v1/merchant/cards/'));
    expect(
      absentFrom(
        'docs/cards.md',
        own.map((path) => `${path.replace('/api/v1/merchant', '')}\``),
      ),
    ).toEqual([]);
  });

  test('each report type is in both tables of the page about reports', () => {
    const [types = '', columns = ''] = read('docs/reports.md').split('## Columns');
    const absent = FILE_TYPES.filter(
      (type) => ![types, columns].every((half) => half.includes(`\`${type}\``)),
    );
    expect(absent).toEqual([]);
  });
});

test('the rules on the page about rules are valid', () => {
  const rules = codeBlocks(read('docs/rules.md'), 'json')
    .filter((code) => code.includes('"when"'))
    .map((code) => JSON.parse(code));
  expect(rules.length).toBeGreaterThan(9);
  const context = { currency: 'EUR', velocity: true, listTypeOf: () => undefined };
  for (const { name, when, ...rule } of rules) {
    expect(() => parseCondition(when, context), name).not.toThrow();
    expect([name, Check(RuleBody, { name, when, ...rule })]).toEqual([name, true]);
  }
});

test('the console calls every operation that changes data', () => {
  const code = listFiles(join(ROOT, 'console/src'))
    .filter((path) => /(?<!\.gen)\.tsx?$/.test(path))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const isCalled = (route: string): boolean => {
    const [last] = route.match(/[\w-]+(?=\/(?:\{\w+\}\/)*$)/) ?? [];
    return new RegExp(`[/}'\`]${last}/`).test(code);
  };
  // The receipt of a simulated purchase computes the path; a sandbox applicant is registered by a test of the merchant.
  const exceptions = /^POST sandbox\/(increments|reversals|clearings|refunds|kyc-applicants)\//;
  const changing = Object.keys(ROUTE_ROLES).filter((route) => !route.startsWith('GET '));
  expect(changing.length).toBeGreaterThan(40);
  expect(changing.filter((route) => !isCalled(route) && !exceptions.test(route))).toEqual([]);
  expect(isCalled('PUT merchant/cards/{cardId}/rename/')).toBe(false);
});

test('the settings table documents exactly the existing settings', () => {
  const known = [...read('src/config.ts').matchAll(/\(env, '([A-Z0-9_]+)'/g)].map(([, name]) => name);
  const table = read('docs/operate.md').split('## Settings')[1]?.split('\n\n')[1] ?? '';
  const names = [...table.matchAll(/^\| ([^|]+)\|/gm)].flatMap(
    ([, cell = '']) => cell.match(/`[A-Z0-9_]+`/g) ?? [],
  );
  expect(names.length).toBeGreaterThan(20);
  expect(names.map((name) => name.slice(1, -1)).sort()).toEqual([...new Set(known)].sort());
});

describe('links', () => {
  const pages = listFiles(ROOT).filter((path) => path.endsWith('.md'));
  /** As GitHub makes them. */
  const anchorsOf = (markdown: string): string[] =>
    [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );

  test('on every page lead to an existing page and anchor', () => {
    expect(pages.length).toBeGreaterThan(20);
    const dead = pages.flatMap((page) => {
      const links = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
      return links
        .filter((link) => !/^[a-z]+:/.test(link))
        .filter((link) => {
          const [path = '', anchor] = link.split('#');
          const target = path === '' ? page : resolve(dirname(page), path);
          if (!existsSync(target)) return true;
          return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
        })
        .map((link) => `${relative(ROOT, page)}: ${link}`);
    });
    expect(dead).toEqual([]);
  });

  test('every page of docs/ is linked, directly or indirectly, from the README', () => {
    const all = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    );
    const reached = new Set<string>();
    const walk = (page: string): void => {
      if (reached.has(page) || !existsSync(page)) return;
      reached.add(page);
      for (const [, link = ''] of readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+\.md|[^)#\s]+\/)/g))
        walk(resolve(dirname(page), link.endsWith('/') ? `${link}README.md` : link));
    };
    walk(join(ROOT, 'README.md'));
    expect(all.filter((name) => !reached.has(join(ROOT, 'docs', name)))).toEqual([]);
  });
});
