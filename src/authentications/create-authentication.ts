import { lockCard } from '../cards/queries.ts';
import { recordWrongEntry } from '../cards/wrong-entries.ts';
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
import {
  type AuthenticationServices,
  outcomeOf,
  placeOf,
  recordAuthentication,
} from './change-authentication.ts';
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
  const began = performance.now();
  const { db } = services;
  const { id: programId } = asked.program;
  const find = () => findAuthentication(db, programId, request.purpose, request.authenticationId);
  const known = await find();
  if (known) return repeat(services, asked, known, isSame);
  const place = await named.find();
  const decided = await askFirst(services, asked, request, named.expiry, place);
  const stored = await store(services, asked, request, named.expiry, place, decided);
  if (!stored) return repeat(services, asked, (await find()) as Authentication, isSame);
  const { created, wrongEntries } = stored;
  const { reason } = created;
  if (reason === 'unknown_card' || reason === 'expiry_mismatch')
    await services.slowGuess?.(
      programId,
      placeOf(created),
      { reason, wrongEntries },
      performance.now() - began,
    );
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
): Promise<{ created: Authentication; wrongEntries: number } | undefined> {
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
    const wrongEntries =
      card && verdict.reason === 'expiry_mismatch'
        ? await recordWrongEntry(tx, actor, card, 'system:authentications')
        : 0;
    return { created: authentication, wrongEntries };
  });
  const created = stored?.created;
  if (created?.cardId && !isOpen(created)) countAuthentication?.(outcomeOf(created));
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
