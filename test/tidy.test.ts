import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFiles } from './support/scripts/list-files.ts';
import { testFiles } from './support/scripts/projects.ts';
import { literalsOf, ROOT, readSources, type SourceFile } from './support/scripts/sources.ts';

/** A folder imports from lower floors only: never up, never sideways. */
const FLOORS = [
  ['kernel'],
  ['db'],
  ['http', 'outbound', 'jobs', 'files', 'events', 'audit', 'lists'],
  ['ledger', 'vault'],
  ['programs', 'kyc'],
  ['cards', 'webhooks', 'decisions', 'operators', 'rules'],
  ['approvals', 'authorizations', 'authentications'],
  ['network', 'notifications', 'reports', 'settlement'],
  ['sandbox', 'console-api'],
  [
    'config.ts',
    'runtime.ts',
    'app.ts',
    'app-limits.ts',
    'worker.ts',
    'processes.ts',
    'main.ts',
    'version.ts',
    'cli',
  ],
];
const TOP = FLOORS.length - 1;
const floorOf = (folder: string): number => FLOORS.findIndex((folders) => folders.includes(folder));

const sources = readSources();
const edges = sources.flatMap((from) => from.imports.map((to) => ({ from, to })));

/** `path: what it does wrong` for every file that breaks a rule; a test wants none. */
const breaches = (rule: (file: SourceFile) => string[]): string[] =>
  sources.flatMap((file) => rule(file).map((wrong) => `src/${file.path}: ${wrong}`));

/** Users of a package outside the files that may know it. */
const usersOf = (name: RegExp, mayKnow: (path: string) => boolean): string[] =>
  breaches((file) => (mayKnow(file.path) ? [] : file.packages.filter((used) => name.test(used))));

describe('floors', () => {
  test('the check reads all files of src/, and every import leads to one of them', () => {
    expect(sources.length).toBeGreaterThan(130);
    expect(edges.length).toBeGreaterThan(2 * sources.length);
    const known = new Set(sources.map((file) => file.path));
    expect(edges.filter(({ to }) => !known.has(to)).map(({ from, to }) => `${from.path} -> ${to}`)).toEqual(
      [],
    );
  });

  test('every folder and file of src/ has a floor', () => {
    expect(readdirSync(join(ROOT, 'src')).filter((name) => floorOf(name) === -1)).toEqual([]);
  });

  test('ARCHITECTURE.md shows every folder on its floor', () => {
    const rows = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').matchAll(/^\| (\d) \| ([^|]+) \|/gm);
    const drawn = [...rows].flatMap(([, floor, names = '']) =>
      [...names.matchAll(/`([\w-]+)\/`/g)].map(([, folder]) => `${floor} ${folder}`),
    );
    const folders = readdirSync(join(ROOT, 'src')).filter((name) => !name.includes('.'));
    expect(drawn.sort()).toEqual(folders.map((folder) => `${floorOf(folder)} ${folder}`).sort());
  });

  test('imports go to lower floors only', () => {
    const wrong = breaches(({ folder, imports }) =>
      imports.filter((to) => {
        const target = to.split('/')[0] as string;
        const isWiring = floorOf(folder) === TOP && floorOf(target) === TOP;
        return target !== folder && !isWiring && floorOf(target) >= floorOf(folder);
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('inside authorizations/ imports go to lower floors only', () => {
    const floors = ['core', 'transactions', 'limits', 'totals', 'replay', 'engine', 'backtests', 'verify'];
    const floorIn = (path: string) => floors.indexOf(path.split('/')[1] as string);
    const own = sources.filter(({ folder }) => folder === 'authorizations');
    expect(floors.filter((_, floor) => !own.some(({ path }) => floorIn(path) === floor))).toEqual([]);
    const wrong = own.flatMap(({ path, imports }) =>
      imports
        .filter((to) => to.startsWith('authorizations/') && floorIn(to) > floorIn(path))
        .map((to) => `src/${path}: ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  test('the core is pure: no database, no HTTP, no clock', () => {
    const wrong = breaches(({ path, imports, text }) => {
      if (!path.startsWith('authorizations/core/')) return [];
      const clock = text.match(/Date\.now\(|new Date\(\)|performance\.now\(/g) ?? [];
      return [
        ...imports.filter((to) =>
          /^(db|http|vault|events(?!\/names\.ts$)|audit|lists)\/|queries\.ts$/.test(to),
        ),
        ...clock,
      ];
    });
    expect(wrong).toEqual([]);
  });

  test.each(['src', 'console/src'])('there are no circular imports in %s', (folder) => {
    const files = readSources(folder);
    expect(files.length).toBeGreaterThan(130);
    expect(circles(new Map(files.map(({ path, imports }) => [path, imports])))).toEqual([]);
  });

  test('the search for circular imports finds them', () => {
    const graph = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', []],
    ]);
    expect(circles(graph)).toEqual(['a -> b -> c -> a']);
  });
});

describe('restricted imports', () => {
  test('only config.ts reads the environment', () => {
    const reads = /process\s*\??\.\s*env\b|process\[|\benv\b[^;]*from 'node:process'/;
    const readers = sources.filter((file) => reads.test(file.text)).map((file) => file.path);
    expect(readers).toEqual(['config.ts']);
  });

  test('only cards, authorizations, authentications, network, the API folders and floor 9 use the vault, and only through vault.ts', () => {
    const users = [
      'vault',
      'cards',
      'authorizations',
      'authentications',
      'network',
      ...(FLOORS[TOP - 1] ?? []),
      ...(FLOORS[TOP] ?? []),
    ];
    const wiringOnly = ['vault/keyring.ts', 'vault/rotate-keys.ts'];
    const wrong = breaches(({ folder, imports }) =>
      imports.filter((to) => {
        if (!to.startsWith('vault/') || folder === 'vault') return false;
        if (!users.includes(folder)) return true;
        return to !== 'vault/vault.ts' && !(floorOf(folder) === TOP && wiringOnly.includes(to));
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('only db/ and the command line know a cluster; runtime.ts opens it', () => {
    const mayKnow = (path: string) => /^(db|cli)\/|^runtime\.ts$/.test(path);
    const wrong = breaches(({ path, imports }) =>
      mayKnow(path) ? [] : imports.filter((to) => to.startsWith('db/citus/')),
    );
    expect(wrong).toEqual([]);
  });

  test.each<[string, RegExp, (path: string) => boolean]>([
    ['fastify', /fastify/, (path) => /^http\/|(^|\/)routes\.ts$|^app\.ts$/.test(path)],
    ['prom-client', /^prom-client$/, (path) => path === 'http/metrics.ts'],
    ['pg', /^(pg|node-pg-migrate)$/, (path) => path.startsWith('db/')],
    ['commander', /^commander$/, (path) => path.startsWith('cli/')],
  ])('%s is imported only by the modules that wrap it', (_name, packages, mayKnow) => {
    expect(usersOf(packages, mayKnow)).toEqual([]);
    expect(sources.some((file) => file.packages.some((used) => packages.test(used)))).toBe(true);
  });

  test('the chaos checker imports nothing of the product', () => {
    const folder = 'test/chaos/checker';
    const checker = readSources(folder);
    expect(checker.length).toBeGreaterThan(5);
    const wrong = checker.flatMap(({ path, imports }) =>
      imports
        .map((to) => join(folder, to))
        .filter((to) => /^(src|dist)\//.test(to))
        .map((to) => `${folder}/${path}: ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  test('no file writes to the console; logs go through the logger', () => {
    expect(breaches(({ text }) => text.match(/\bconsole\s*\.\s*\w+\s*\(/g) ?? [])).toEqual([]);
  });
});

describe('SQL is in queries.ts', () => {
  const SQL = [
    /^\s*select\s+(?:[^!?]*\bfrom\s+\S|\w+\(|\d|distinct\b|…)/i,
    /^\s*(?:insert\s+into|delete\s+from|lock\s+table|truncate|do\s+\$\$|with\s+(?:recursive\s+)?\w+\s+as\s+(?:materialized\s+)?\()/i,
    /^\s*update\s+\S+\s+(?:(?:as\s+)?\w+\s+)?set\b/i,
    /^\s*(?:create|alter|drop)\s+(?:unique\s+)?(?:table|index|database|role|schema|view|function|type)\b/i,
    /^\s*(?:copy\s+\S+\s+(?:to|from)\b|set\s+(?:local|session)\b|show\s+\w+$)/i,
    /^\s*(?:begin|commit|rollback|savepoint\s+\w+)\s*;?\s*$/i,
  ];
  const isSql = (literal: string): boolean => SQL.some((form) => form.test(literal));

  /** The only other files, each with its reason. */
  const EXCEPTIONS: Record<string, string[]> = {
    // There is no database yet: initdb's single-user mode reads text.
    'db/embedded/cluster.ts': ['create database …'],
    // The name of a command, which PostgreSQL returns.
    'db/database.ts': ['COMMIT'],
    // Written to a file for people to read, never sent.
    'db/schema-dump.ts': ['create table … (\n…\n…\n…'],
  };

  test('and nowhere else', () => {
    const wrong = breaches(({ path, text }) => {
      if (path.endsWith('queries.ts')) return [];
      return literalsOf(text).filter(
        (literal) => isSql(literal) && !EXCEPTIONS[path]?.includes(literal.trim()),
      );
    });
    expect(wrong).toEqual([]);
    const unused = Object.entries(EXCEPTIONS).flatMap(([path, literals]) => {
      const used = literalsOf(sources.find((file) => file.path === path)?.text ?? '').map((literal) =>
        literal.trim(),
      );
      return literals.filter((literal) => !used.includes(literal)).map((literal) => `${path}: ${literal}`);
    });
    expect(unused).toEqual([]);
  });

  test('each table is used only by the SQL of the folder that owns it', () => {
    const schema = readFileSync(join(ROOT, 'migrations/schema.sql'), 'utf8');
    const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, table]) => table as string);
    expect(tables.length).toBeGreaterThan(30);
    const queries = sources
      .filter(({ path }) => path.endsWith('queries.ts'))
      .map(({ folder, text }) => ({ folder, literals: literalsOf(text) }));
    const foldersOf = (table: string) => {
      const names = new RegExp(`\\b(from|join|into|update|only|table)\\s+${table}\\b`, 'i');
      const users = queries.filter(({ literals }) => literals.some((literal) => names.test(literal)));
      return new Set(users.map(({ folder }) => folder));
    };
    const owners = tables.map((table) => `${table}: ${[...foldersOf(table)].sort().join(', ')}`);
    expect(owners.filter((owner) => !/^\w+: [\w-]+$/.test(owner))).toEqual([]);
    const lists = breaches(({ folder, text }) =>
      [...text.matchAll(/\btable: '(\w+)'/g)]
        .map(([, table]) => table as string)
        .filter((table) => !foldersOf(table).has(folder)),
    );
    expect(lists).toEqual([]);
  });

  test('the check recognises SQL', () => {
    const statements = sources
      .filter((file) => file.path.endsWith('/queries.ts'))
      .flatMap((file) => literalsOf(file.text))
      .filter((literal) => /^\s*(select|insert|update|delete|with|lock|do)\s/.test(literal));
    expect(statements.length).toBeGreaterThan(30);
    expect(statements.filter((statement) => !isSql(statement))).toEqual([]);
    const prose = [
      'Select a program',
      'set another DATA_DIR',
      'update the program',
      'update the program to set its fees',
      'Create a key',
      'copy it',
      'show',
    ];
    expect(prose.filter(isSql)).toEqual([]);
  });
});

describe('the repository', () => {
  test('every folder of src/ has a README', () => {
    const folders = new Set(sources.filter(({ path }) => path.includes('/')).map(({ folder }) => folder));
    expect([...folders].filter((folder) => !existsSync(join(ROOT, 'src', folder, 'README.md')))).toEqual([]);
  });

  test('dependencies are exactly the imported packages', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const imported = [...new Set(sources.flatMap((file) => file.packages))].sort();
    expect(imported).toEqual(Object.keys(manifest.dependencies).sort());
  });

  test('no file contains a path of a developer’s machine', () => {
    const paths = new RegExp(['work', 'root', 'farm'].map((name) => `/${name}/`).join('|'));
    const files = listFiles(ROOT);
    expect(files.length).toBeGreaterThan(100);
    const wrong = files.filter((path) => paths.test(readFileSync(path, 'utf8')));
    expect(wrong.map((path) => relative(ROOT, path))).toEqual([]);
  });

  test('the lock file contains no download address', () => {
    const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
    // A workspace member is a link to its folder.
    const addresses = lock.replaceAll(/"resolved": "[\w-]+",\s+"link": true/g, '');
    expect(addresses.match(/"resolved"|https?:\/\/(?:registry|localhost|127\.)/g) ?? []).toEqual([]);
  });

  test('the folders of test/e2e/ are folders of src/', () => {
    const folders = readdirSync(join(ROOT, 'test/e2e')).filter((name) => !name.includes('.'));
    expect(folders.filter((name) => !existsSync(join(ROOT, 'src', name)))).toEqual([]);
  });

  test('a test has the set-up that it needs, also what its support imports', () => {
    const known = new Map(
      testFiles(ROOT).map(({ path, project, needs }) => [path, `${project}: ${needs.at(-1) ?? 'nothing'}`]),
    );
    const expected = {
      'src/kernel/money.test.ts': 'unit: nothing',
      'src/vault/vault.test.ts': 'server: postgres',
      'test/e2e/cards/create-card.test.ts': 'server: postgres',
      'src/cli/start.test.ts': 'server: build',
      'test/console-weight.test.ts': 'server: build',
      'test/console/cards.test.ts': 'server: chromium',
      'test/chaos/chaos.long.test.ts': 'long: build',
      'test/security/strangers.timed.test.ts': 'timed: build',
    };
    expect(Object.fromEntries(Object.keys(expected).map((path) => [path, known.get(path)]))).toEqual(
      expected,
    );
  });

  test('files are short: the median is under 70 lines', () => {
    const lengths = sources.map((file) => file.text.split('\n').length - 1).sort((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(70);
  });
});

/** Depth first; every circle is reported once, from the file where it was found. */
function circles(graph: Map<string, string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (node: string, trail: string[]): void => {
    if (trail.includes(node)) found.push([...trail.slice(trail.indexOf(node)), node].join(' -> '));
    if (done.has(node) || trail.includes(node)) return;
    for (const next of graph.get(node) ?? []) walk(next, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) walk(node, []);
  return found;
}
