import { audit } from '../audit/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import { recordEvent } from '../events/journal.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { EmbossError, invalid, notFound } from '../kernel/error.ts';
import { amountToNumber, readAmount } from '../kernel/money.ts';
import type { Secret } from '../kernel/secret.ts';
import { readEndpointUrl } from '../outbound/endpoint-url.ts';
import type { Sender } from '../outbound/send-request.ts';
import { newSecret } from '../outbound/sign.ts';
import { eraseSecrets, keepSecret, ROTATION_MS, type SecretKeeper } from '../outbound/signing-secret.ts';
import { type Actor, lockFor } from '../programs/actor.ts';
import { lockProgram } from '../programs/queries.ts';
import {
  DECISION_KINDS,
  DEFAULT_TIMEOUT_MS,
  type DecisionEndpoint,
  type DecisionKind,
  type EndpointChange,
  shownOnFailure,
} from './decision.ts';
import { deleteDecisionEndpoint, findDecisionEndpoint, saveDecisionEndpoint } from './queries.ts';
import { changeStandIn } from './record-stand-in.ts';
import type { EndpointBody } from './schema.ts';

export interface EndpointServices {
  db: Database;
  keeper: SecretKeeper;
  sender: Sender;
}

export const findKind = (text: string): DecisionKind | undefined =>
  DECISION_KINDS.find((each) => each === text);

/** Throws a 404 for an unknown kind. */
export function readKind(text: string): DecisionKind {
  const kind = findKind(text);
  if (!kind) throw notFound();
  return kind;
}

/** The only result that contains the secret, if it is new: it is shown once. */
export interface Saved {
  endpoint: DecisionEndpoint;
  isNew: boolean;
  secret: Secret | undefined;
}

export type Settings = Pick<DecisionEndpoint, 'url' | 'timeoutMs' | 'onFailure' | 'standIn' | 'paused'>;

interface PutOptions {
  /** Called last, inside the transaction. */
  remember?: (tx: Tx, saved: Saved) => Promise<void>;
  /** The secret stays on another host too: the endpoint is only lent to this machine. */
  isLent?: boolean;
}

/** Creates the endpoint, or replaces its settings. On another host it gets a new secret: one secret never signs for two hosts. */
export async function putEndpoint(
  { db, keeper, sender }: EndpointServices,
  actor: Actor,
  kind: DecisionKind,
  body: EndpointBody,
  { remember = async () => {}, isLent = false }: PutOptions = {},
): Promise<Saved> {
  const { id: programId, currency } = actor.program;
  const settings = readSettings(kind, body, actor.program, sender);
  return db.transaction(async (tx) => {
    const [before, current] = await lockEndpoint(tx, actor, kind);
    const keepsSecret = before && (isLent || isSameServer(before.url, settings.url));
    const secret = keepsSecret ? undefined : newSecret();
    if (before && secret)
      await eraseSecrets(keeper, tx, programId, [before.previousSecretId, before.secretId]);
    const secrets = secret && {
      secretId: await keepSecret(keeper, tx, programId, secret),
      previousSecretId: null,
      previousSignsUntil: null,
    };
    const known: DecisionEndpoint = before ?? {
      ...settings,
      ...(secrets as NonNullable<typeof secrets>),
      programId,
      kind,
      standInSince: null,
      standInReason: null,
      lastFailure: null,
      createdAt: new Date(current.realNow()),
    };
    const failing = known.standInReason === 'failing' ? 'failing' : null;
    const reason = settings.paused ? 'paused' : failing;
    const standIn = changeStandIn(tx, known, reason, current.now(), settings.onFailure);
    const lastFailure = known.url === settings.url ? known.lastFailure : null;
    const endpoint = { ...known, ...settings, ...secrets, ...standIn, lastFailure };
    await saveDecisionEndpoint(tx, endpoint);
    announceChange(tx, current, endpoint, before ? 'replaced' : 'created');
    await audit(tx, current, before ? 'decision_endpoint.replaced' : 'decision_endpoint.created', {
      before: before ? presentEndpoint(before, currency) : null,
      after: presentEndpoint(endpoint, currency),
    });
    const saved = { endpoint, isNew: !before, secret };
    await remember(tx, saved);
    return saved;
  });
}

/** Scheme, host and port, with the default port of the scheme. */
export const isSameServer = (url: string, other: string): boolean =>
  new URL(url).origin === new URL(other).origin;

/** Records the event for the merchant. It names only the host: a path or a query may contain a secret. */
function announceChange(
  tx: Tx,
  actor: Actor,
  { programId, kind, url }: DecisionEndpoint,
  change: EndpointChange,
): void {
  recordEvent(tx, {
    programId,
    eventType: 'security',
    eventName: 'security.endpoint_changed',
    cardId: null,
    cardSequence: null,
    data: { kind, change, host: new URL(url).host, changedBy: actor.name, address: actor.address },
    nowMs: actor.now(),
  });
}

/** Throws a 400 for a body that breaks a rule. */
export function readSettings(
  kind: DecisionKind,
  body: EndpointBody,
  { mode, currency }: Actor['program'],
  { addresses }: Sender,
): Settings {
  if (kind !== 'authorization')
    for (const field of ['onFailure', 'standIn'] as const)
      if (body[field] !== undefined) throw invalid(field, 'is only for the kind authorization');
  const {
    timeoutMs = DEFAULT_TIMEOUT_MS[kind],
    onFailure = 'DECLINE',
    standIn = null,
    paused = false,
  } = body;
  const url = readEndpointUrl(body.url, mode, addresses);
  if (onFailure === 'APPROVE' && standIn === null)
    throw invalid('standIn', 'is required if onFailure is APPROVE');
  const limits = standIn && {
    transactionLimitMinor: readAmount('standIn.transactionLimit', standIn.transactionLimit, currency),
    dailyLimitMinor: readAmount('standIn.dailyLimit', standIn.dailyLimit, currency),
  };
  return { url, timeoutMs, onFailure, standIn: limits, paused };
}

/** Removes an endpoint with its secrets. */
export const removeEndpoint = (
  { db, keeper }: EndpointServices,
  actor: Actor,
  kind: DecisionKind,
): Promise<void> =>
  db.transaction(async (tx) => {
    const [endpoint, current] = await lockKnown(tx, actor, kind);
    const { id, authorizationMode, currency } = current.program;
    if (kind === 'authorization' && authorizationMode !== 'STANDARD')
      throw new EmbossError(
        409,
        `The program's authorization mode ${authorizationMode} needs this endpoint; change the mode to STANDARD first`,
      );
    changeStandIn(tx, endpoint, null, current.now());
    await deleteDecisionEndpoint(tx, id, kind);
    await eraseSecrets(keeper, tx, id, [endpoint.previousSecretId, endpoint.secretId]);
    announceChange(tx, current, endpoint, 'removed');
    await audit(tx, current, 'decision_endpoint.removed', { before: presentEndpoint(endpoint, currency) });
  });

/** The previous secret also signs for a day. */
export const rotateSecret = (
  { db, keeper }: EndpointServices,
  actor: Actor,
  kind: DecisionKind,
): Promise<{ endpoint: DecisionEndpoint; secret: Secret; previousSignsUntil: Date }> =>
  db.transaction(async (tx) => {
    const [before, current] = await lockKnown(tx, actor, kind);
    const { id, currency } = current.program;
    const secret = newSecret();
    const previousSignsUntil = new Date(current.realNow() + ROTATION_MS);
    await eraseSecrets(keeper, tx, id, [before.previousSecretId]);
    const endpoint = {
      ...before,
      secretId: await keepSecret(keeper, tx, id, secret),
      previousSecretId: before.secretId,
      previousSignsUntil,
    };
    await saveDecisionEndpoint(tx, endpoint);
    announceChange(tx, current, endpoint, 'secret_rotated');
    const view = presentEndpoint(endpoint, currency);
    await audit(tx, current, 'decision_endpoint.secret_rotated', { before: view, after: view });
    return { endpoint, secret, previousSignsUntil };
  });

/** The lock of the program also covers its endpoints: there may be no row to lock yet. */
async function lockEndpoint(
  tx: Tx,
  actor: Actor,
  kind: DecisionKind,
): Promise<[DecisionEndpoint | undefined, Actor]> {
  const [, current] = await lockFor(tx, actor, lockProgram(tx, actor.program.id));
  return [await findDecisionEndpoint(tx, current.program.id, kind), current];
}

async function lockKnown(tx: Tx, actor: Actor, kind: DecisionKind): Promise<[DecisionEndpoint, Actor]> {
  const [endpoint, current] = await lockEndpoint(tx, actor, kind);
  if (!endpoint) throw notFound();
  return [endpoint, current];
}

export function presentEndpoint(endpoint: DecisionEndpoint, currency: string) {
  const { kind, url, timeoutMs, onFailure, standIn, paused, standInSince, standInReason } = endpoint;
  return {
    kind,
    url,
    timeoutMs,
    onFailure: shownOnFailure(kind, onFailure),
    standIn: standIn && {
      transactionLimit: amountToNumber(standIn.transactionLimitMinor, currency),
      dailyLimit: amountToNumber(standIn.dailyLimitMinor, currency),
    },
    paused,
    standInSince: standInSince && formatTimestamp(standInSince),
    standInReason,
    created: formatTimestamp(endpoint.createdAt),
  };
}
