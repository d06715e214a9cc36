import { expect } from 'vitest';
import type { AuthorizationDecisionRequest } from '../../../src/decisions/decision.ts';
import { exampleRequest } from '../../../src/decisions/examples.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { TestApp } from '../server/test-app.ts';

export const DECISIONS = '/api/v1/merchant/decision-endpoints/authorization/';

type Owner = Pick<TestApp, 'program' | 'key'>;

/** Creates or replaces the endpoint; the secret is there only if it is new. */
export async function putDecisionEndpoint(
  app: TestApp,
  body: { url: string } & Record<string, unknown>,
  owner: Owner = app,
): Promise<{ secret?: string }> {
  const answer = await app.call('PUT', DECISIONS, { body, key: owner.key });
  expect([answer.status, answer.body.message]).toEqual([expect.toBeOneOf([200, 201]), undefined]);
  return answer.body;
}

/** 12.50 EUR at a coffee shop. */
export const newQuestion = (
  more: Partial<AuthorizationDecisionRequest> = {},
): AuthorizationDecisionRequest => ({
  ...(exampleRequest(
    'authorization',
    newId(Date.now()),
    new Date(),
    'EUR',
    2000,
  ) as AuthorizationDecisionRequest),
  ...more,
});

/** The names and data of the decision events of a program, oldest first. */
export const decisionEvents = (app: TestApp, programId: string) =>
  app.sql<{ name: string; data: Record<string, unknown> }>(
    `select event_name as name, data from events
     where program_id = $1 and event_type = 'decision' order by id`,
    [programId],
  );
