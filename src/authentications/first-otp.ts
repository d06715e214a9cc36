import { setTimeout as pause } from 'node:timers/promises';
import { MAX_TIMEOUT_MS } from '../decisions/decision.ts';
import type { Actor } from '../programs/actor.ts';
import { countSentCodes } from './attempt-queries.ts';
import {
  type Authentication,
  asOf,
  type CardAuthentication,
  isOpen,
  MOST_CARD_SENDS,
  MOST_SENDS,
  unavailable,
  windowStart,
} from './authentication.ts';
import { type AuthenticationServices, changeAuthentication } from './change-authentication.ts';
import { withNewOtp } from './otp.ts';
import { findAuthenticationById } from './queries.ts';
import { type StartedSend, sendOtp, startSend } from './send-otp.ts';

/** A send that takes longer was left by a process that has ended. */
const SEND_MS = MAX_TIMEOUT_MS + 2_000;
const POLL_MS = 100;

/** Sends the first code, or ends the authentication if that fails. */
export async function sendFirst(
  services: AuthenticationServices,
  actor: Actor,
  send: StartedSend,
): Promise<Authentication> {
  const { started } = send;
  if (!(await sendOtp(services, actor, send)))
    await changeAuthentication(services, actor, started, ({ authentication, end }) => {
      const isOurs = authentication.sendStartedAt?.getTime() === started.sendStartedAt?.getTime();
      if (isOpen(authentication) && authentication.sentAt === null && isOurs) end(unavailable('send_failed'));
    });
  return reread(services, actor, started);
}

/**
 * Waits until the first code was sent or could not be sent. If the process that sends it has ended, this one takes over
 * and sends another code.
 */
export async function awaitFirst(
  services: AuthenticationServices,
  actor: Actor,
  known: Authentication,
): Promise<Authentication> {
  let found = known;
  while (isUnsent(asOf(found, actor.realNow()))) {
    const ageMs = actor.realNow() - (found.sendStartedAt as Date).getTime();
    const taken = ageMs > SEND_MS ? await takeOver(services, actor, found as CardAuthentication) : undefined;
    if (taken) return taken;
    await pause(POLL_MS);
    found = await reread(services, actor, found);
  }
  return found;
}

const isUnsent = ({ status, method, sentAt }: Authentication): boolean =>
  status === 'CHALLENGE' && method === 'OTP' && sentAt === null;

/** Undefined: another process was faster, or no send is left. */
const takeOver = (services: AuthenticationServices, actor: Actor, stale: CardAuthentication) =>
  withNewOtp(services.vault, async (otp) => {
    const taken = await changeAuthentication(services, actor, stale, async (locked) => {
      const { tx, authentication, actor, end } = locked;
      const { programId, cardId, sends } = authentication;
      const isStale = authentication.sendStartedAt?.getTime() === stale.sendStartedAt?.getTime();
      if (!isUnsent(authentication) || !isStale) return undefined;
      const ofCard = await countSentCodes(tx, programId, cardId, windowStart(actor.realNow()));
      if (sends < MOST_SENDS && ofCard < MOST_CARD_SENDS) return startSend(services, locked, otp);
      end(unavailable(sends < MOST_SENDS ? 'too_many_sends' : 'send_failed'));
      return undefined;
    });
    return taken && sendFirst(services, actor, taken);
  });

const reread = async (
  { db }: AuthenticationServices,
  { program }: Actor,
  { id }: Authentication,
): Promise<Authentication> => (await findAuthenticationById(db, program.id, id)) as Authentication;
