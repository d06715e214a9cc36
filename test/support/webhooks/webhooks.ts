import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import type { JobObserver } from '../../../src/jobs/job-metrics.ts';
import { completeFileData } from '../../../src/reports/read-request.ts';
import { startDeliveries } from '../../../src/webhooks/deliver-events.ts';
import type { TestApp } from '../server/test-app.ts';
import type { Received } from './webhook-receiver.ts';

export const ENDPOINTS = '/api/v1/merchant/webhook-endpoints/';
export const EVENTS = '/api/v1/merchant/webhook-events/';

type Owner = Pick<TestApp, 'program' | 'key'>;

/** The worker's part that delivers, in this process. */
export const deliver = (
  app: Pick<TestApp, 'db' | 'vault' | 'sender' | 'reports' | 'metrics'>,
  observer: JobObserver = { onLook: () => {}, onTurn: () => {} },
) =>
  startDeliveries({
    db: app.db,
    keeper: app.vault,
    sender: app.sender,
    completeFileData: (programId, referenceId) =>
      completeFileData({ db: app.db, ...app.reports }, programId, referenceId),
    metrics: app.metrics,
    observer,
    logger: pino({ level: 'silent' }),
  });

/** The app for a new program, and nothing to deliver for those before. */
export async function withoutDeliveries(app: TestApp): Promise<TestApp> {
  await app.sql('truncate webhook_endpoints, webhook_deliveries, webhook_attempts');
  return app.forNewProgram();
}

export async function addEndpoint(
  app: TestApp,
  url: string,
  eventTypes?: string[],
  owner: Owner = app,
): Promise<{ id: string; secret: string }> {
  const body = eventTypes ? { url, eventTypes } : { url };
  const answer = await app.call('POST', ENDPOINTS, { body, key: owner.key });
  expect([answer.status, answer.body.message]).toEqual([201, undefined]);
  return answer.body;
}

/** Makes what is planned for later due now, since no test waits for hours. */
export const makeDue = (app: TestApp): Promise<unknown> =>
  app.sql('update webhook_deliveries set due_at = now() where due_at is not null');

/** The event as the merchant sees it, with its deliveries. */
// biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
export async function eventById(app: TestApp, eventId: string, owner: Owner = app): Promise<any> {
  const answer = await app.call('GET', `${EVENTS}${eventId}/`, { key: owner.key });
  expect(answer.status).toBe(200);
  return answer.body;
}

/** By the published verifier. */
export const verifies = ({ text, headers }: Received, secret: string): boolean => {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

/** The signing secrets of a program that the vault still holds, oldest first. */
export async function keptSecrets({ sql, db, vault }: TestApp, programId: string): Promise<unknown[]> {
  const rows = await sql<{ ownerId: string }>(
    'select owner_id as "ownerId" from vault_records where program_id = $1 and kind = \'signing-secret\' order by id',
    [programId],
  );
  const kept = await vault.openRecords(
    db,
    programId,
    'signing-secret',
    rows.map(({ ownerId }) => ownerId),
  );
  return rows.map(({ ownerId }) => kept.get(ownerId)).filter((secret) => secret !== null);
}
