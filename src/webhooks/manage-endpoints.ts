import type { Actor } from '../audit/entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database, Tx } from '../db/database.ts';
import type { EventType } from '../events/event.ts';
import { invalid, notFound } from '../kernel/error.ts';
import { isId, newId } from '../kernel/ids.ts';
import type { Secret } from '../kernel/secret.ts';
import { type Program, programNow } from '../programs/program.ts';
import { lockProgram } from '../programs/queries.ts';
import { giveUpDeliveries } from './delivery-queries.ts';
import {
  type Endpoint,
  keepSecret,
  MAX_ENDPOINTS,
  presentEndpoint,
  ROTATION_MS,
  type SecretKeeper,
  type SigningEndpoint,
} from './endpoint.ts';
import { readEndpointUrl } from './endpoint-url.ts';
import { insertEndpoint, listEndpoints, lockEndpoint, updateEndpoint } from './queries.ts';
import type { Sender } from './sending/send-request.ts';
import { newSecret } from './sign.ts';

export interface EndpointServices {
  db: Database;
  keeper: SecretKeeper;
  sender: Sender;
}

/** Who asks, for the audit. */
export interface Asker extends Actor {
  program: Program;
}

/** The secret is in the result and nowhere else: it can be shown now and never again. */
export interface WithSecret {
  endpoint: Endpoint;
  secret: Secret;
}

export async function addEndpoint(
  { db, keeper, sender }: EndpointServices,
  asker: Asker,
  { url: given, eventTypes }: { url: string; eventTypes: EventType[] | null },
): Promise<WithSecret> {
  const { id: programId, mode } = asker.program;
  const url = readEndpointUrl(given, mode, sender.addresses);
  return db.transaction(async (tx) => {
    // Two that are added at once must not become the sixth together.
    await lockProgram(tx, programId);
    if ((await listEndpoints(tx, programId)).length >= MAX_ENDPOINTS)
      throw invalid('url', `a program can have at most ${MAX_ENDPOINTS} webhook endpoints`);
    const nowMs = Date.now();
    const secret = newSecret();
    const endpoint: SigningEndpoint = {
      programId,
      // Beside the ids of events, which are of the program's time: what came before it is nothing it missed.
      id: newId(programNow(asker.program, nowMs)),
      url,
      eventTypes: eventTypes && [...new Set(eventTypes)],
      status: 'ENABLED',
      statusReason: null,
      createdAt: new Date(nowMs),
      secretId: await keepSecret(keeper, tx, programId, secret),
      previousSecretId: null,
      previousSignsUntil: null,
    };
    await insertEndpoint(tx, endpoint);
    await audit(tx, asker, 'webhook_endpoint.added', null, endpoint);
    return { endpoint, secret };
  });
}

export const removeEndpoint = ({ db }: EndpointServices, asker: Asker, id: string): Promise<void> =>
  withLockedEndpoint(db, asker, id, async (tx, endpoint) => {
    await change(tx, asker, 'webhook_endpoint.removed', endpoint, { status: 'REMOVED' });
    await giveUpDeliveries(tx, endpoint.programId, id);
  });

/** After it was disabled; what is still pending goes on. */
export const enableEndpoint = ({ db }: EndpointServices, asker: Asker, id: string): Promise<Endpoint> =>
  withLockedEndpoint(db, asker, id, async (tx, endpoint) => {
    if (endpoint.status === 'ENABLED') return endpoint;
    return change(tx, asker, 'webhook_endpoint.enabled', endpoint, { status: 'ENABLED', statusReason: null });
  });

export const rotateSecret = (
  { db, keeper }: EndpointServices,
  asker: Asker,
  id: string,
): Promise<WithSecret & { previousSignsUntil: Date }> =>
  withLockedEndpoint(db, asker, id, async (tx, endpoint) => {
    const secret = newSecret();
    const previousSignsUntil = new Date(Date.now() + ROTATION_MS);
    const after = await change(tx, asker, 'webhook_endpoint.secret_rotated', endpoint, {
      secretId: await keepSecret(keeper, tx, endpoint.programId, secret),
      previousSecretId: endpoint.secretId,
      previousSignsUntil,
    });
    return { endpoint: after, secret, previousSignsUntil };
  });

async function withLockedEndpoint<Result>(
  db: Database,
  { program }: Asker,
  id: string,
  work: (tx: Tx, endpoint: SigningEndpoint) => Promise<Result>,
): Promise<Result> {
  if (!isId(id)) throw notFound();
  return db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, program.id, id);
    if (!endpoint) throw notFound();
    return work(tx, endpoint);
  });
}

async function change(
  tx: Tx,
  asker: Asker,
  action: string,
  before: SigningEndpoint,
  changes: Partial<SigningEndpoint>,
): Promise<SigningEndpoint> {
  const after = { ...before, ...changes };
  await updateEndpoint(tx, after);
  await audit(tx, asker, action, before, after);
  return after;
}

const audit = (
  tx: Tx,
  { program, actor, address, requestId }: Asker,
  action: string,
  before: Endpoint | null,
  after: Endpoint,
): Promise<void> =>
  recordAudit(tx, {
    programId: program.id,
    actor,
    address,
    action,
    cardId: null,
    before: before && presentEndpoint(before),
    after: presentEndpoint(after),
    requestId,
    nowMs: Date.now(),
  });
