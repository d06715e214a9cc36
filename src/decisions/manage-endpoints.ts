import { audit } from '../audit/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { EmbossError, invalid, notFound } from '../kernel/error.ts';
import { amountToNumber, readAmount } from '../kernel/money.ts';
import type { Secret } from '../kernel/secret.ts';
import { readEndpointUrl } from '../outbound/endpoint-url.ts';
import type { Sender } from '../outbound/send-request.ts';
import { newSecret } from '../outbound/sign.ts';
import { keepSecret, ROTATION_MS, type SecretKeeper } from '../outbound/signing-secret.ts';
import { type Actor, lockFor } from '../programs/actor.ts';
import { lockProgram } from '../programs/queries.ts';
import {
  DECISION_KINDS,
  DEFAULT_TIMEOUT_MS,
  type DecisionEndpoint,
  type DecisionKind,
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

/** Throws a 404 for an unknown kind. */
export function readKind(text: string): DecisionKind {
  const kind = DECISION_KINDS.find((each) => each === text);
  if (!kind) throw notFound();
  return kind;
}

/** The only result that contains the secret, if the endpoint is new: it is shown once. */
export interface Saved {
  endpoint: DecisionEndpoint;
  secret: Secret | undefined;
}

type Settings = Pick<DecisionEndpoint, 'url' | 'timeoutMs' | 'onFailure' | 'standIn' | 'paused'>;

/** Creates the endpoint, or replaces its settings; then its secret stays. */
export async function putEndpoint(
  { db, keeper, sender }: EndpointServices,
  actor: Actor,
  kind: DecisionKind,
  body: EndpointBody,
  /** Called last, inside the transaction. */
  remember: (tx: Tx, saved: Saved) => Promise<void> = async () => {},
): Promise<Saved> {
  const { id: programId, currency } = actor.program;
  const settings = readSettings(kind, body, actor.program, sender);
  return db.transaction(async (tx) => {
    const [before, current] = await lockEndpoint(tx, actor, kind);
    const secret = before ? undefined : newSecret();
    const secretId = before?.secretId ?? (await keepSecret(keeper, tx, programId, secret as Secret));
    const known: DecisionEndpoint = before ?? {
      ...settings,
      programId,
      kind,
      secretId,
      previousSecretId: null,
      previousSignsUntil: null,
      standInSince: null,
      standInReason: null,
      createdAt: new Date(current.realNow()),
    };
    const failing = known.standInReason === 'failing' ? 'failing' : null;
    const reason = settings.paused ? 'paused' : failing;
    const standIn = changeStandIn(tx, known, reason, current.now(), settings.onFailure);
    const endpoint = { ...known, ...settings, ...standIn };
    await saveDecisionEndpoint(tx, endpoint);
    await audit(tx, current, before ? 'decision_endpoint.replaced' : 'decision_endpoint.created', {
      before: before ? presentEndpoint(before, currency) : null,
      after: presentEndpoint(endpoint, currency),
    });
    await remember(tx, { endpoint, secret });
    return { endpoint, secret };
  });
}

function readSettings(
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

export const removeEndpoint = ({ db }: EndpointServices, actor: Actor, kind: DecisionKind): Promise<void> =>
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
    const endpoint = {
      ...before,
      secretId: await keepSecret(keeper, tx, id, secret),
      previousSecretId: before.secretId,
      previousSignsUntil,
    };
    await saveDecisionEndpoint(tx, endpoint);
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
