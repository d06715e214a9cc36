import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { TestProject } from 'vitest/node';
import { listFiles } from './list-files.ts';
import { ROOT } from './sources.ts';

/**
 * The projects of vitest: `unit` needs no set-up, `server` some. Its files share workers, because each new worker loads
 * and compiles everything again. Two depend on the name: `*.long.test.ts` loads the machine for a minute, and
 * `*.timed.test.ts` measures time and needs a quiet machine.
 */
export type Project = 'unit' | 'server' | 'long' | 'timed';

/** Each with those before it. */
const NEEDS = ['postgres', 'build', 'chromium'] as const;
export type Need = (typeof NEEDS)[number];

export interface TestFile {
  /** From the root, such as `test/e2e/cards/create-card.test.ts`. */
  path: string;
  project: Project;
  needs: readonly Need[];
}

/** The last that is found decides. The imports of the test support that a file uses count too, so nothing is ever missing. */
const MARKS: Record<Need, RegExp> = {
  postgres: /^test\/support\/database\/database\.ts$/,
  build: /^node:child_process$|^test\/support\/scripts\/built\.ts$/,
  chromium: /^playwright-core$/,
};

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
    const most = NEEDS.findLastIndex((need) => names.some((name) => MARKS[need].test(name)));
    return { path, project: named ?? (most < 0 ? 'unit' : 'server'), needs: NEEDS.slice(0, most + 1) };
  });
}

/** Whether a file of the run has this need. */
export function isNeeded({ vitest }: TestProject, need: Need): boolean {
  const paths = new Set(vitest.state.getPaths());
  return testFiles(ROOT).some(({ path, needs }) => needs.includes(need) && paths.has(join(ROOT, path)));
}
