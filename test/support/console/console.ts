import { beforeAll } from 'vitest';
import { createLimits, NO_LIMITS } from '../../../src/http/limits.ts';
import { NO_METRICS } from '../../../src/kernel/metric.ts';
import { createAuthenticator } from '../../../src/programs/authenticate.ts';
import type { Answer, TestApp } from '../server/test-app.ts';
import { signInAs } from './operators.ts';

export interface TestConsole {
  /** Sends a GET request to the console API over real HTTP, for the app's program or the program of a key. */
  get(path: string, key?: string): Promise<Answer>;
}

/** The console of a viewer. */
export function consoleForTests(app: TestApp): TestConsole {
  const desk = {} as TestConsole;
  beforeAll(async () => {
    desk.get = await getAsViewer(app);
  });
  return desk;
}

async function getAsViewer(app: TestApp): Promise<TestConsole['get']> {
  const viewer = await signInAs(app, 'viewer');
  const { wrong_keys: wrongKeys } = createLimits(NO_LIMITS, NO_METRICS);
  const authenticate = createAuthenticator(
    {
      db: app.db,
      digest: app.vault.digest,
      sandboxPrograms: true,
      wrongKeys,
      metrics: NO_METRICS,
      onError: () => {},
    },
    'merchant',
  );
  return async (path, key = app.key) =>
    viewer.call('GET', path, undefined, (await authenticate(key, { id: '', ip: '' })).program.id);
}
