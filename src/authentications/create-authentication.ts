import { lockCard } from '../cards/queries.ts';
import { findDecisionEndpoint } from '../decisions/queries.ts';
import { dayOf } from '../kernel/calendar.ts';
import { EmbossError } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import { type Actor, lockFor } from '../programs/actor.ts';
import { type Answered, askFirst, type Place, windowStart } from './ask-first.ts';
import { countWrongCodes } from './attempt-queries.ts';
import {
  type Authentication,
  type AuthenticationRequest,
  type CardAuthentication,
  CHALLENGE_MS,
  isOpen,
  type Verdict,
} from './authentication.ts';
import { type AuthenticationServices, outcomeOf, recordAuthentication } from './change-authentication.ts';
import { decideAuthentication, type KnownCard, refusalOf } from './decide-authentication.ts';
import { awaitFirst, sendFirst } from './first-otp.ts';
import { findAuthentication, insertAuthentication } from './queries.ts';

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
  const { db } = services;
  const { id: programId } = asked.program;
  const find = () => findAuthentication(db, programId, request.purpose, request.authenticationId);
  const known = await find();
  if (known) return repeat(services, asked, known, isSame);
  const place = await named.find();
  const decided = await askFirst(services, asked, request, named.expiry, place);
  const created = await store(services, asked, request, named.expiry, place, decided);
  if (!created) return repeat(services, asked, (await find()) as Authentication, isSame);
  return isOpen(created) && created.method === 'OTP'
    ? sendFirst(services, asked, created as CardAuthentication)
    : created;
}

function repeat(
  services: AuthenticationServices,
  actor: Actor,
  known: Authentication,
  isSame: (known: Authentication) => boolean,
): Promise<Authentication> {
  if (!isSame(known))
    throw new EmbossError(409, 'authentication_id: was already used with a different request');
  return awaitFirst(services, actor, known);
}

/** Undefined: the id was taken meanwhile. */
async function store(
  { db, countAuthentication }: AuthenticationServices,
  asked: Actor,
  request: AuthenticationRequest,
  expiry: string | undefined,
  place: Place,
  { decision, reference }: Answered,
): Promise<Authentication | undefined> {
  const otpEndpoint = await findDecisionEndpoint(db, asked.program.id, 'otp');
  const hasOtpEndpoint = otpEndpoint !== undefined;
  const stored = await db.transaction(async (tx) => {
    const { id: programId } = asked.program;
    const [card, actor] = place
      ? await lockFor(tx, asked, lockCard(tx, programId, place.cardId))
      : ([undefined, asked] as const);
    const known: KnownCard | undefined = place &&
      card && {
        card,
        numberId: place.numberId,
        wrongCodes: await countWrongCodes(tx, programId, card.id, windowStart(actor)),
      };
    const refusal = refusalOf(known, expiry, dayOf(actor.now()));
    const forwarding = card?.threeDsForwarding ?? false;
    const { program } = actor;
    const verdict = decideAuthentication({ request, program, refusal, decision, forwarding, hasOtpEndpoint });
    const authentication = plan(actor, request, verdict, card?.id ?? null, reference);
    if (!(await insertAuthentication(tx, authentication))) return undefined;
    if (!isOpen(verdict) && card) recordAuthentication(tx, actor, 'authentication.completed', authentication);
    if (verdict.method === 'OUT_OF_BAND')
      recordAuthentication(tx, actor, 'authentication.challenge', authentication);
    return authentication;
  });
  if (stored?.cardId && !isOpen(stored)) countAuthentication?.(outcomeOf(stored));
  return stored;
}

function plan(
  actor: Actor,
  request: AuthenticationRequest,
  verdict: Verdict,
  cardId: string | null,
  reference: string | null,
): Authentication {
  const realNowMs = actor.realNow();
  const createdReal = new Date(realNowMs);
  const sends = verdict.method === 'OTP' ? 1 : 0;
  return {
    ...request,
    ...verdict,
    programId: actor.program.id,
    id: newId(actor.now()),
    cardId,
    reference,
    otpDigest: null,
    wrongAttempts: 0,
    sends,
    sendStartedAt: sends === 1 ? createdReal : null,
    sentAt: null,
    expiresAt: isOpen(verdict) ? new Date(realNowMs + CHALLENGE_MS) : null,
    completedAt: isOpen(verdict) ? null : createdReal,
    usedBy: null,
    createdAt: new Date(actor.now()),
    createdReal,
  };
}
