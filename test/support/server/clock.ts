import type { TestApp } from './test-app.ts';

const CLOCK = '/api/v1/sandbox/clock/';

/** Moves the program's clock to a moment. A fixed moment makes every date of a test a plain constant. */
export async function setClock(app: TestApp, now: string, key: string = app.key): Promise<void> {
  await moveClock(app, { now }, key);
}

export async function advanceDays(app: TestApp, days: number, key: string = app.key): Promise<void> {
  await advanceSeconds(app, days * 86_400, key);
}

export async function advanceSeconds(app: TestApp, seconds: number, key: string = app.key): Promise<void> {
  await moveClock(app, { advance_seconds: seconds }, key);
}

/** The program's day. */
export async function today(app: TestApp, key: string = app.key): Promise<string> {
  const { body } = await app.call('GET', CLOCK, { key });
  return body.now.slice(0, 10);
}

async function moveClock(app: TestApp, body: object, key: string): Promise<void> {
  const answer = await app.call('POST', CLOCK, { body, key });
  if (answer.status !== 200) throw new Error(`clock not moved: ${JSON.stringify(answer.body)}`);
}
