import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONGEST = ['chaos/chaos', 'chaos/lives', 'fuzz/fuzz', 'console/access'];

/** Small files come last where no times of an earlier run are known; the longest of them would keep one core waiting. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      LONGEST.some((name) => moduleId.endsWith(`test/${name}.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Files share what they import: nothing of ours keeps state in a module, and loading it anew for each took minutes.
    isolate: false,
    // Much of the time is spent waiting for databases and processes: two files at once, also where there are two cores.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/console/browser-setup.ts', 'test/support/database/global-setup.ts'],
    // Real databases and processes: generous, because a slow machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
