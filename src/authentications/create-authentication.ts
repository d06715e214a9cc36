import { lockCard } from '../cards/queries.ts';
import { recordWrongEntry } from '../cards/wrong-entries.ts';
import type { Tx } from '../db/database.ts';
import { findDecisionEndpoint } from '../decisions/queries.ts';
import { dayOf } from '../kernel/calendar.ts';
import { EmbossError } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import type { Secret } from '../kernel/secret.ts';
import { type Actor, lockFor } from '../programs/actor.ts';
import { type Answered, askFirst, type Place } from './ask-first.ts';
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
  outcomeOf,
  placeOf,
  recordAuthentication,
} from './change-authentication.ts';
import { decideAuthentication, refusalOf } from './decide-authentication.ts';
import { awaitFirst, sendFirst } from './first-otp.ts';
import { withNewOtp } from './otp.ts';
import { findAuthentication, insertAuthentication } from './queries.ts';
import { type StartedSend, startSend } from './send-otp.ts';

/** The card as a request names it. */
export interface NamedCard {
  find: () => Promise<Place>;
  expiry: string | undefined;
}

/**
 * Decides once per id, and sends the code of a challenge. The merchant is asked without a transaction, and what may have
 * changed meanwhile is decided again under the lock of the card.
 */
export async function createAuthentication(
  services: AuthenticationServices,
  asked: Actor,
  request: AuthenticationRequest,
  named: NamedCard,
  isSame: (known: Authentication) => boolean,
): Promise<Authentication> {
  const began = performance.now();
  const { db } = services;
  const { id: programId } = asked.program;
  const find = () => findAuthentication(db, programId, request.purpose, request.authenticationId);
  const known = await find();
  if (known) return repeat(services, asked, known, isSame);
  const place = await named.find();
  const decided = await askFirst(services, asked, request, named.expiry, place);
  return withNewOtp(services.vault, async (otp) => {
    const stored = await store(services, asked, request, { ...named, place, ...decided, otp });
    if (!stored) return repeat(services, asked, (await find()) as Authentication, isSame);
    const { created, wrongEntries, send } = stored;
    const reason = created.reason === 'unknown_card' ? 'invalid_card_number' : created.reason;
    const refusal = { reason, wrongEntries };
    await services.slowGuessing?.(programId, placeOf(created), refusal, performance.now() - began);
    return send ? sendFirst(services, asked, send) : created;
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
  asked: Actor,
  request: AuthenticationRequest,
  { place, expiry, decision, reference, otp }: { place: Place; otp: Secret } & NamedCard & Answered,
): Promise<{ created: Authentication; wrongEntries: number; send?: StartedSend } | undefined> {
  const { db, metrics } = services;
  const otpEndpoint = await findDecisionEndpoint(db, asked.program.id, 'otp');
  const hasOtpEndpoint = otpEndpoint !== undefined;
  const stored = await db.transaction(async (tx) => {
    const { id: programId } = asked.program;
    const [card, actor] = place
      ? await lockFor(tx, asked, lockCard(tx, programId, place.cardId))
      : ([undefined, asked] as const);
    const refusal = refusalOf(
      place && card && { card, numberId: place.numberId },
      expiry,
      dayOf(actor.now()),
    );
    const counts = card ? await countCodes(tx, actor, card.id) : NO_CODES;
    const forwarding = card?.threeDsForwarding ?? false;
    const { program } = actor;
    const facts = { request, program, refusal, decision, forwarding, hasOtpEndpoint, ...counts };
    const verdict = decideAuthentication(facts);
    const authentication = plan(actor, request, verdict, place, reference);
    if (!(await insertAuthentication(tx, authentication))) return undefined;
    if (!isOpen(verdict) && card) recordAuthentication(tx, actor, 'authentication.completed', authentication);
    if (verdict.method === 'OUT_OF_BAND')
      recordAuthentication(tx, actor, 'authentication.challenge', authentication);
    const wrongEntries =
      card && verdict.reason === 'expiry_mismatch'
        ? await recordWrongEntry(tx, actor, card, 'system:authentications')
        : 0;
    if (verdict.method !== 'OTP') return { created: authentication, wrongEntries };
    const locked = { tx, actor, authentication: authentication as CardAuthentication };
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
  place: Place,
  reference: string | null,
): Authentication {
  const realNowMs = actor.realNow();
  const createdReal = new Date(realNowMs);
  return {
    ...request,
    ...verdict,
    programId: actor.program.id,
    id: newId(actor.now()),
    cardId: place?.cardId ?? null,
    numberId: place?.numberId ?? null,
    reference,
    otpDigests: [],
    destination: null,
    wrongAttempts: 0,
    sends: 0,
    sendStartedAt: null,
    sentAt: null,
    expiresAt: isOpen(verdict) ? new Date(realNowMs + CHALLENGE_MS) : null,
    completedAt: isOpen(verdict) ? null : createdReal,
    usedBy: null,
    createdAt: new Date(actor.now()),
    createdReal,
  };
}
