import { signInAs } from './operators.ts';
import type { Answer, TestApp } from './test-app.ts';

export interface TestConsole {
  /** Asks one of the console's queries of the app's program, or of another, over real HTTP. */
  ask(path: string, programId?: string): Promise<Answer>;
}

/** The console as somebody sees it who may look at everything and change nothing. */
export async function startTestConsole(app: TestApp): Promise<TestConsole> {
  const viewer = await signInAs(app, 'viewer');
  return { ask: (path, programId) => viewer.call('GET', path, undefined, programId) };
}
