import { lockCard } from '../cards/queries.ts';
import { recordWrongEntry } from '../cards/wrong-entries.ts';
import type { Tx } from '../db/database.ts';
import { findDecisionEndpoint } from '../decisions/queries.ts';
import { dayOf } from '../kernel/calendar.ts';
import { EmbossError } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import type { Secret } from '../kernel/secret.ts';
import { type Actor, lockFor } from '../programs/actor.ts';
import { countSentCodes, countWrongCodes } from './attempt-queries.ts';
import {
  AUTHENTICATIONS,
  type Authentication,
  type AuthenticationRequest,
  type CardAuthentication,
  CHALLENGE_MS,
  idFieldOf,
  isOpen,
  type Verdict,
  windowStart,
} from './authentication.ts';
import {
  type AuthenticationServices,
  guessedAt,
  outcomeOf,
  recordAuthentication,
} from './change-authentication.ts';
import { decideAuthentication, refusalOf } from './decide-authentication.ts';
import { awaitFirst, sendFirst } from './first-otp.ts';
import { withNewOtp } from './otp.ts';
import { findAuthentication, insertAuthentication } from './queries.ts';
import { type Decided, type FoundNumber, requestAuthenticationDecision } from './request-decision.ts';
import { type StartedSend, startSend } from './send-otp.ts';

/** The card as a request names it. */
export interface NamedCard {
  find: () => Promise<FoundNumber>;
  expiry: string | undefined;
}

/**
 * Decides once per id, and sends the code of a challenge. The merchant's decision is requested without a
 * transaction, and what may have changed meanwhile is decided again under the lock of the card.
 */
export async function createAuthentication(
  services: AuthenticationServices,
  actor: Actor,
  request: AuthenticationRequest,
  named: NamedCard,
  isSame: (known: Authentication) => boolean,
): Promise<Authentication> {
  const began = performance.now();
  const { db } = services;
  const { id: programId } = actor.program;
  const find = () => findAuthentication(db, programId, request.purpose, request.authenticationId);
  const known = await find();
  if (known) return repeat(services, actor, known, isSame);
  const number = await named.find();
  const decided = await requestAuthenticationDecision(services, actor, request, named.expiry, number);
  return withNewOtp(services.vault, async (otp) => {
    const stored = await store(services, actor, request, { ...named, number, ...decided, otp });
    if (!stored) return repeat(services, actor, (await find()) as Authentication, isSame);
    const { created, wrongEntries, send } = stored;
    const reason = created.reason === 'unknown_card' ? 'invalid_card_number' : created.reason;
    const refusal = { reason, wrongEntries };
    await services.slowGuessing?.(programId, guessedAt(created), refusal, performance.now() - began);
    return send ? sendFirst(services, actor, send) : created;
  });
}

function repeat(
  services: AuthenticationServices,
  actor: Actor,
  known: Authentication,
  isSame: (known: Authentication) => boolean,
): Promise<Authentication> {
  if (!isSame(known))
    throw new EmbossError(409, `${idFieldOf(known)}: was already used with a different request`);
  return awaitFirst(services, actor, known);
}

/** Undefined: the id was taken meanwhile. */
async function store(
  services: AuthenticationServices,
  actor: Actor,
  request: AuthenticationRequest,
  { number, expiry, decision, reference, otp }: { number: FoundNumber; otp: Secret } & NamedCard & Decided,
): Promise<{ created: Authentication; wrongEntries: number; send?: StartedSend } | undefined> {
  const { db, metrics } = services;
  const otpEndpoint = await findDecisionEndpoint(db, actor.program.id, 'otp');
  const hasOtpEndpoint = otpEndpoint !== undefined;
  const stored = await db.transaction(async (tx) => {
    const { id: programId } = actor.program;
    const [card, current] = number
      ? await lockFor(tx, actor, lockCard(tx, programId, number.cardId))
      : ([undefined, actor] as const);
    const refusal = refusalOf(
      number && card && { card, numberId: number.numberId },
      expiry,
      dayOf(current.now()),
    );
    const counts = card ? await countCodes(tx, current, card.id) : NO_CODES;
    const forwarding = card?.threeDsForwarding ?? false;
    const { program } = current;
    const facts = { request, program, refusal, decision, forwarding, hasOtpEndpoint, ...counts };
    const verdict = decideAuthentication(facts);
    const authentication = plan(current, request, verdict, number, reference);
    if (!(await insertAuthentication(tx, authentication))) return undefined;
    if (!isOpen(verdict) && card)
      recordAuthentication(tx, current, 'authentication.completed', authentication);
    if (verdict.method === 'OUT_OF_BAND')
      recordAuthentication(tx, current, 'authentication.challenge', authentication);
    const wrongEntries =
      card && verdict.reason === 'expiry_mismatch'
        ? await recordWrongEntry(tx, current, card, 'system:authentications')
        : 0;
    if (verdict.method !== 'OTP') return { created: authentication, wrongEntries };
    const locked = { tx, actor: current, authentication: authentication as CardAuthentication };
    const send = await startSend(services, locked, otp);
    return { created: send.started, wrongEntries, send };
  });
  const created = stored?.created;
  if (created?.cardId && !isOpen(created)) metrics.count(AUTHENTICATIONS, outcomeOf(created));
  return stored;
}

const NO_CODES = { wrongCodes: 0, sentCodes: 0 };

async function countCodes(tx: Tx, actor: Actor, cardId: string): Promise<typeof NO_CODES> {
  const of = [tx, actor.program.id, cardId, windowStart(actor.realNow())] as const;
  const [wrongCodes, sentCodes] = await Promise.all([countWrongCodes(...of), countSentCodes(...of)]);
  return { wrongCodes, sentCodes };
}

function plan(
  actor: Actor,
  request: AuthenticationRequest,
  verdict: Verdict,
  number: FoundNumber,
  reference: string | null,
): Authentication {
  const realNowMs = actor.realNow();
  const createdReal = new Date(realNowMs);
  const createdAt = new Date(actor.now());
  return {
    ...request,
    ...verdict,
    programId: actor.program.id,
    id: newId(actor.now()),
    cardId: number?.cardId ?? null,
    numberId: number?.numberId ?? null,
    reference,
    otpDigests: [],
    destination: null,
    wrongAttempts: 0,
    sends: 0,
    sendStartedAt: null,
    sentAt: null,
    expiresAt: isOpen(verdict) ? new Date(realNowMs + CHALLENGE_MS) : null,
    completedAt: isOpen(verdict) ? null : createdAt,
    usedBy: [],
    createdAt,
    createdReal,
  };
}
