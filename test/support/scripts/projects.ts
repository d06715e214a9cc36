import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { listFiles } from './list-files.ts';

/**
 * The projects of vitest, by the set-up that a test file needs. Its imports decide, also those of the test support that it
 * uses, so no file is ever in the wrong one. Two kinds depend on the name: `*.long.test.ts` loads the machine for a
 * minute, and `*.timed.test.ts` measures time and needs a quiet machine.
 */
export type Project = 'unit' | 'database' | 'process' | 'browser' | 'long' | 'timed';

export interface TestFile {
  /** From the root, such as `test/e2e/cards/create-card.test.ts`. */
  path: string;
  project: Project;
}

/** The first that is found decides. */
const NEEDS: Array<[Project, RegExp]> = [
  ['browser', /^playwright-core$/],
  ['process', /^node:child_process$|^test\/support\/scripts\/built\.ts$/],
  ['database', /^test\/support\/database\/database\.ts$/],
];

/** Without imports of types alone. */
const IMPORT = /^(?:import|export)\s(?!type\b)(?:[^'";]*\sfrom\s)?'([^']+)';|\bimport\('([^']+)'\)/gm;

export function testFiles(root: string): TestFile[] {
  const isTest = (path: string) => path.endsWith('.test.ts');
  const all = ['src', 'test'].flatMap((folder) =>
    listFiles(join(root, folder)).map((path) => relative(root, path)),
  );
  const own = new Set(
    all.filter((path) => isTest(path) || (path.startsWith('test/') && path.endsWith('.ts'))),
  );
  const known = new Map<string, string[]>();
  const importsOf = (path: string): string[] => {
    const before = known.get(path);
    if (before) return before;
    const names = [...readFileSync(join(root, path), 'utf8').matchAll(IMPORT)].map(
      ([, name, late]) => name ?? late ?? '',
    );
    const found = names.map((name) => (name.startsWith('.') ? join(dirname(path), name) : name));
    known.set(path, found);
    return found;
  };
  const reach = (path: string, seen: Set<string>): Set<string> => {
    for (const name of importsOf(path)) {
      if (seen.has(name)) continue;
      seen.add(name);
      if (own.has(name)) reach(name, seen);
    }
    return seen;
  };
  return [...own].filter(isTest).map((path) => {
    const named = /\.(long|timed)\.test\.ts$/.exec(path)?.[1] as Project | undefined;
    const names = [...reach(path, new Set())];
    const needed = NEEDS.find(([, marks]) => names.some((name) => marks.test(name)))?.[0];
    return { path, project: named ?? needed ?? 'unit' };
  });
}
