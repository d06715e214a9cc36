import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isCitusRun, NOT_ON_CITUS } from './test/support/database/citus.ts';

/** These load the machine with processes of their own. */
const HEAVY = [
  ...['chaos/chaos', 'chaos/lives', 'fuzz/fuzz', 'invariants/concurrent-spending', 'chaos/start-stop'],
  ...['invariants/barriers', 'chaos/database-away', 'security/storm'],
].map((name) => `test/${name}.test.ts`);
/** Measures response times. */
const ALONE = ['test/security/strangers.test.ts'];
/** The longest of the others. */
const LONG = [
  ...[
    'e2e/processes',
    'console/access',
    'console/docs-page',
    'console/sign-in',
    'schema',
    'e2e/operators/sessions',
  ],
  ...['console/integrations', 'invariants/report-tie-out', 'e2e/vault/secrecy', 'console/transactions'],
  ...['console/cards', 'console/guides', 'console/interruptions', 'e2e/http/slow-clients', 'e2e/http/limits'],
  ...['e2e/network/guessing', 'e2e/network/bad-input'],
].map((name) => `test/${name}.test.ts`);
const LONGEST = [...HEAVY, 'src/cli/start.test.ts', ...LONG, 'src/db/database.test.ts'];

/** Small files come last where no times of an earlier run are known; the longest of them would keep one core waiting. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) =>
      LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`)) + 1 || Number.POSITIVE_INFINITY;
    const long = sorted.filter((file) => Number.isFinite(place(file)));
    const short = sorted.filter((file) => !Number.isFinite(place(file)));
    return [...long.sort((a, b) => place(a) - place(b)), ...short];
  }
}

const IMPOSSIBLE = isCitusRun() ? Object.keys(NOT_ON_CITUS) : [];

const shared = {
  // Files share what they import: nothing of ours keeps state in a module, and loading it anew for each took minutes.
  isolate: false,
  // Real databases and processes: generous, because a slow machine is no failure.
  // On Citus a statement costs several times as much.
  testTimeout: isCitusRun() ? 180_000 : 60_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/console/browser-setup.ts', 'test/support/database/global-setup.ts'],
    // One after the other. Most tests wait for databases and processes for much of their time, so three files at once
    // keep two cores busy.
    projects: [
      {
        test: {
          ...shared,
          name: 'heavy',
          include: HEAVY,
          exclude: IMPOSSIBLE,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'tests',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...HEAVY, ...ALONE, ...IMPOSSIBLE],
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          name: 'alone',
          include: ALONE,
          exclude: IMPOSSIBLE,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
