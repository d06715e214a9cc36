import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { isCitusRun, NOT_ON_CITUS } from './test/support/database/on-citus.ts';
import { type Project, testFiles } from './test/support/scripts/projects.ts';

/** Each does nothing if no file of the run needs it. */
const SET_UPS = [
  'test/support/scripts/build-setup.ts',
  'test/support/database/postgres-setup.ts',
  'test/support/console/browser-setup.ts',
];
/**
 * A worker ends too early for most of what V8 would optimize: a fifth of its CPU time was optimization, and with a later
 * one it needs 7 % less. Of the V8 in Node 20.
 */
const V8 = process.versions.node.startsWith('20.') ? ['--interrupt-budget=1000000'] : [];

const files = testFiles(fileURLToPath(new URL('.', import.meta.url)));
const impossible = isCitusRun() ? Object.keys(NOT_ON_CITUS) : [];

/**
 * One group of projects after the other. Most files of the first wait for PostgreSQL, a process or a page for much of their
 * time, so four at once keep two cores busy.
 */
const project = (name: Project, groupOrder: number, maxWorkers: number) => ({
  test: {
    name,
    include: files.filter((file) => file.project === name).map(({ path }) => path),
    exclude: impossible,
    globalSetup: name === 'unit' ? [] : SET_UPS,
    maxWorkers,
    sequence: { groupOrder },
    // Files share what they import: nothing of ours keeps state in a module, and loading it anew for each took minutes.
    isolate: false,
    execArgv: V8,
    // Generous, because a slow machine is no failure, and on Citus a statement costs several times as much.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});

export default defineConfig({
  test: {
    projects: [project('server', 1, 4), project('unit', 1, 4), project('long', 2, 3), project('timed', 3, 1)],
  },
});
