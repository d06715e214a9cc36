import { createAuthenticator } from '../../src/programs/authenticate.ts';
import { signInAs } from './operators.ts';
import type { Answer, TestApp } from './test-app.ts';

export interface TestConsole {
  /** Asks one of the console's queries of the app's program, or of the one that a key belongs to, over real HTTP. */
  ask(path: string, key?: string): Promise<Answer>;
}

/** The console as somebody sees it who may look at everything and change nothing. */
export async function startTestConsole(app: TestApp): Promise<TestConsole> {
  const viewer = await signInAs(app, 'viewer');
  const whose = createAuthenticator(app.db, app.vault.digest, 'merchant', () => {});
  return {
    ask: async (path, key = app.key) => viewer.call('GET', path, undefined, (await whose(key)).program.id),
  };
}
