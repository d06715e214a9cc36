import type { AuditAction } from '../audit/actions.ts';
import { audit } from '../audit/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import { giveUpDeliveries, giveUpRemoved, touchDueDelivery } from '../events/delivery-queries.ts';
import { insertEndpoint, listEndpoints, lockEndpoint, updateEndpoint } from '../events/endpoint-queries.ts';
import type { Endpoint, SigningEndpoint } from '../events/event.ts';
import type { EventType } from '../events/names.ts';
import type { Job } from '../jobs/job.ts';
import { programJob } from '../jobs/program-job.ts';
import { makeDue } from '../jobs/queries.ts';
import { MS_PER_DAY } from '../kernel/calendar.ts';
import { invalid, notFound } from '../kernel/error.ts';
import { isId, newId } from '../kernel/ids.ts';
import type { Secret } from '../kernel/secret.ts';
import { readEndpointUrl } from '../outbound/endpoint-url.ts';
import type { Sender } from '../outbound/send-request.ts';
import { newSecret } from '../outbound/sign.ts';
import { eraseSecrets, keepSecret, ROTATION_MS, type SecretKeeper } from '../outbound/signing-secret.ts';
import { type Actor, lockFor } from '../programs/actor.ts';
import { lockProgram } from '../programs/queries.ts';
import { MAX_ENDPOINTS, presentEndpoint } from './endpoint.ts';

/** After this time no transaction can still commit that does not know of the removal of an endpoint. */
const LATEST_EVENT_MS = 2 * 60_000;

/** Gives up what such transactions wrote for removed endpoints. */
export const removedEndpoints = (db: Database): Job =>
  programJob(db, 'removed-endpoints', { everyMs: 10_000 }, async (programId, _turn, nowMs) => {
    await giveUpRemoved(db, programId);
    return nowMs + MS_PER_DAY;
  });

export interface EndpointServices {
  db: Database;
  keeper: SecretKeeper;
  sender: Sender;
}

/** The only result that contains the secret: it is shown once. */
export interface WithSecret {
  endpoint: Endpoint;
  secret: Secret;
}

export async function addEndpoint(
  { db, keeper, sender }: EndpointServices,
  actor: Actor,
  { url: given, eventTypes }: { url: string; eventTypes: EventType[] | null },
  /** Called last, inside the transaction. */
  remember: (tx: Tx, added: WithSecret) => Promise<void> = async () => {},
): Promise<WithSecret> {
  const { id: programId, mode } = actor.program;
  const url = readEndpointUrl(given, mode, sender.addresses);
  return db.transaction(async (tx) => {
    // The lock prevents concurrent requests from exceeding the limit.
    const [, current] = await lockFor(tx, actor, lockProgram(tx, programId));
    if ((await listEndpoints(tx, programId)).length >= MAX_ENDPOINTS)
      throw invalid('url', `a program can have at most ${MAX_ENDPOINTS} webhook endpoints`);
    const secret = newSecret();
    const endpoint: SigningEndpoint = {
      programId,
      // In program time, like event ids: events with a lower id are older than the endpoint, so it did not miss them.
      id: newId(current.now()),
      url,
      eventTypes: eventTypes && [...new Set(eventTypes)],
      status: 'ENABLED',
      statusReason: null,
      createdAt: new Date(current.realNow()),
      secretId: await keepSecret(keeper, tx, programId, secret),
      previousSecretId: null,
      previousSignsUntil: null,
    };
    await insertEndpoint(tx, endpoint);
    await audit(tx, current, 'webhook_endpoint.added', { after: presentEndpoint(endpoint) });
    await remember(tx, { endpoint, secret });
    return { endpoint, secret };
  });
}

/** Removes an endpoint with its secrets. Its row stays, because deliveries name it. */
export const removeEndpoint = ({ db, keeper }: EndpointServices, actor: Actor, id: string): Promise<void> =>
  withLockedEndpoint(db, actor, id, async (tx, endpoint, actor) => {
    const { programId, previousSecretId, secretId } = endpoint;
    await change(tx, actor, 'webhook_endpoint.removed', endpoint, { status: 'REMOVED' });
    await eraseSecrets(keeper, tx, programId, [previousSecretId, secretId]);
    await giveUpDeliveries(tx, programId, id);
    await makeDue(tx, programId, ['removed-endpoints'], LATEST_EVENT_MS);
  });

/** Sets the URL and the event types of an endpoint, and pauses or resumes it. While it is paused, deliveries wait. */
export const editEndpoint = (
  { db, sender }: EndpointServices,
  actor: Actor,
  id: string,
  { url: given, eventTypes, paused }: { url: string; eventTypes: EventType[] | null; paused: boolean },
): Promise<Endpoint> => {
  const url = readEndpointUrl(given, actor.program.mode, sender.addresses);
  return withLockedEndpoint(db, actor, id, async (tx, endpoint, actor) => {
    if (paused && endpoint.status === 'DISABLED')
      throw invalid('paused', 'must be false while the endpoint is disabled; enable it first');
    const status = endpoint.status === 'DISABLED' ? endpoint.status : paused ? 'PAUSED' : 'ENABLED';
    const wanted = { url, eventTypes: eventTypes && [...new Set(eventTypes)], status } as const;
    return change(tx, actor, 'webhook_endpoint.changed', endpoint, wanted);
  });
};

/** Enables a disabled endpoint. Its pending deliveries continue. */
export const enableEndpoint = ({ db }: EndpointServices, actor: Actor, id: string): Promise<Endpoint> =>
  withLockedEndpoint(db, actor, id, async (tx, endpoint, actor) => {
    if (endpoint.status !== 'DISABLED') return endpoint;
    return change(tx, actor, 'webhook_endpoint.enabled', endpoint, { status: 'ENABLED', statusReason: null });
  });

export const rotateSecret = (
  { db, keeper }: EndpointServices,
  actor: Actor,
  id: string,
): Promise<WithSecret & { previousSignsUntil: Date }> =>
  withLockedEndpoint(db, actor, id, async (tx, endpoint, actor) => {
    const secret = newSecret();
    const previousSignsUntil = new Date(actor.realNow() + ROTATION_MS);
    await eraseSecrets(keeper, tx, endpoint.programId, [endpoint.previousSecretId]);
    const after = await change(tx, actor, 'webhook_endpoint.secret_rotated', endpoint, {
      secretId: await keepSecret(keeper, tx, endpoint.programId, secret),
      previousSecretId: endpoint.secretId,
      previousSignsUntil,
    });
    return { endpoint: after, secret, previousSignsUntil };
  });

async function withLockedEndpoint<Result>(
  db: Database,
  actor: Actor,
  id: string,
  work: (tx: Tx, endpoint: SigningEndpoint, actor: Actor) => Promise<Result>,
): Promise<Result> {
  if (!isId(id)) throw notFound();
  return db.transaction(async (tx) => {
    const [endpoint, current] = await lockFor(tx, actor, lockEndpoint(tx, actor.program.id, id));
    return work(tx, endpoint, current);
  });
}

async function change(
  tx: Tx,
  actor: Actor,
  action: AuditAction,
  before: SigningEndpoint,
  changes: Partial<SigningEndpoint>,
): Promise<SigningEndpoint> {
  const after = { ...before, ...changes };
  await updateEndpoint(tx, after);
  if (after.status === 'ENABLED' && before.status !== 'ENABLED')
    touchDueDelivery(tx, after.programId, after.id);
  await audit(tx, actor, action, { before: presentEndpoint(before), after: presentEndpoint(after) });
  return after;
}
