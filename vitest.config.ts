import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Files share what they import: nothing of ours keeps state in a module, and loading it anew for each took minutes.
    isolate: false,
    // Much of the time is spent waiting for databases and processes: two files at once, also where there are two cores.
    maxWorkers: 2,
    globalSetup: ['test/support/console/browser-setup.ts', 'test/support/database/global-setup.ts'],
    // Real databases and processes: generous, because a slow machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
