import { dayOf } from '../kernel/calendar.ts';
import { EmbossError } from '../kernel/error.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Actor } from '../programs/actor.ts';
import { countSentCodes } from './attempt-queries.ts';
import {
  type Authentication,
  type CardAuthentication,
  failureOf,
  idFieldOf,
  isOpen,
  MOST_CARD_SENDS,
  MOST_SENDS,
  rejected,
  windowStart,
} from './authentication.ts';
import { type AuthenticationServices, changeAuthentication, type Locked } from './change-authentication.ts';
import { inactiveReason } from './decide-authentication.ts';
import { withNewOtp } from './otp.ts';
import { findAuthenticationById } from './queries.ts';
import { type StartedSend, sendOtp, startSend } from './send-otp.ts';

/** Sends another code, which replaces the previous one. Wrong attempts stay counted. */
export async function resendOtp(
  services: AuthenticationServices,
  actor: Actor,
  found: Authentication,
): Promise<Authentication> {
  if (!isOpen(found)) return found;
  return withNewOtp(services.vault, async (otp) => {
    const start = (locked: Locked) => startAgain(services, locked, otp);
    const begun = await changeAuthentication(services, actor, found as CardAuthentication, start);
    if ('status' in begun) return begun;
    if (!(await sendOtp(services, actor, begun)))
      throw new EmbossError(
        503,
        'The code could not be sent; a code that was sent before stays valid. Retry',
      );
    return (await findAuthenticationById(services.db, found.programId, found.id)) as Authentication;
  });
}

/** The authentication if it has ended. */
async function startAgain(
  services: AuthenticationServices,
  locked: Locked,
  otp: Secret,
): Promise<StartedSend | Authentication> {
  const { tx, authentication, card, actor, end } = locked;
  if (!isOpen(authentication)) return authentication;
  const failure = failureOf(authentication, card, actor.realNow());
  if (failure) return end(failure);
  const idField = idFieldOf(authentication);
  if (authentication.method !== 'OTP')
    throw new EmbossError(409, `${idField}: the challenge is out of band; it has no code`);
  const inactive = inactiveReason(card, dayOf(actor.now()));
  if (inactive) return end(rejected('N', inactive));
  if (authentication.sends >= MOST_SENDS)
    throw new EmbossError(409, `${idField}: all ${MOST_SENDS} codes were sent`);
  const { programId, cardId } = authentication;
  if ((await countSentCodes(tx, programId, cardId, windowStart(actor.realNow()))) >= MOST_CARD_SENDS)
    throw new EmbossError(429, TOO_MANY_SENDS);
  return startSend(services, locked, otp);
}

export const TOO_MANY_SENDS = `The card was sent ${MOST_CARD_SENDS} codes within an hour; retry later`;
