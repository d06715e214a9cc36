import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { isCitusRun, NOT_ON_CITUS } from './test/support/database/on-citus.ts';
import { type Project, testFiles } from './test/support/scripts/projects.ts';

const BUILD = 'test/support/scripts/build-setup.ts';
const POSTGRES = 'test/support/database/postgres-setup.ts';
const CHROMIUM = 'test/support/console/browser-setup.ts';

const files = testFiles(fileURLToPath(new URL('.', import.meta.url)));
const impossible = isCitusRun() ? Object.keys(NOT_ON_CITUS) : [];

/**
 * One group of projects after the other. Most files of the first wait for PostgreSQL, a process or a page for much of their
 * time, so four at once keep two cores busy.
 */
const project = (name: Project, groupOrder: number, maxWorkers: number, globalSetup: string[]) => ({
  test: {
    name,
    include: files.filter((file) => file.project === name).map(({ path }) => path),
    exclude: impossible,
    globalSetup,
    maxWorkers,
    sequence: { groupOrder },
    // Files share what they import: nothing of ours keeps state in a module, and loading it anew for each took minutes.
    isolate: false,
    // Generous, because a slow machine is no failure, and on Citus a statement costs several times as much.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});

export default defineConfig({
  test: {
    projects: [
      project('process', 1, 4, [BUILD, POSTGRES]),
      project('browser', 1, 4, [BUILD, POSTGRES, CHROMIUM]),
      project('database', 1, 4, [POSTGRES]),
      project('unit', 1, 4, []),
      project('long', 2, 3, [BUILD, POSTGRES]),
      project('timed', 3, 1, [BUILD, POSTGRES]),
    ],
  },
});
