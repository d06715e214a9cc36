import { beforeAll } from 'vitest';
import { createLimits, NO_LIMITS } from '../../../src/http/limits.ts';
import { NO_METRICS } from '../../../src/kernel/metric.ts';
import { createAuthenticator } from '../../../src/programs/authenticate.ts';
import type { Answer, TestApp } from '../server/test-app.ts';
import { signInAs } from './operators.ts';

export interface TestConsole {
  /** Asks one of the console's queries of the app's program, or of the one that a key belongs to, over real HTTP. */
  ask(path: string, key?: string): Promise<Answer>;
}

/** The console as somebody sees it who may look at everything and change nothing. */
export function consoleForTests(app: TestApp): TestConsole {
  const desk = {} as TestConsole;
  beforeAll(async () => {
    desk.ask = await askAsViewer(app);
  });
  return desk;
}

async function askAsViewer(app: TestApp): Promise<TestConsole['ask']> {
  const viewer = await signInAs(app, 'viewer');
  const { wrong_keys: wrongKeys } = createLimits(NO_LIMITS, NO_METRICS);
  const whose = createAuthenticator(
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
    viewer.call('GET', path, undefined, (await whose(key, { id: '', ip: '' })).program.id);
}
