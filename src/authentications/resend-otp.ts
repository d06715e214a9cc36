import { dayOf } from '../kernel/calendar.ts';
import { EmbossError } from '../kernel/error.ts';
import type { Actor } from '../programs/actor.ts';
import {
  type Authentication,
  type CardAuthentication,
  isExpired,
  isOpen,
  MOST_SENDS,
  rejected,
} from './authentication.ts';
import { type AuthenticationServices, changeAuthentication } from './change-authentication.ts';
import { inactiveReason } from './decide-authentication.ts';
import { findAuthenticationById } from './queries.ts';
import { sendOtp, startSend } from './send-otp.ts';

/** Sends another code, which replaces the previous one. Wrong attempts stay counted. */
export async function resendOtp(
  services: AuthenticationServices,
  asked: Actor,
  found: Authentication,
): Promise<Authentication> {
  if (!isOpen(found)) return found;
  const { started, ended } = await changeAuthentication(
    services,
    asked,
    found as CardAuthentication,
    (locked) => {
      const { authentication, card, actor, end } = locked;
      if (!isOpen(authentication)) return { ended: authentication };
      if (isExpired(authentication, actor.realNow())) return { ended: end(rejected('N', 'expired')) };
      if (authentication.method !== 'OTP')
        throw new EmbossError(409, 'authentication_id: the challenge is out of band; it has no code');
      const inactive = inactiveReason(card, dayOf(actor.now()));
      if (inactive) return { ended: end(rejected('N', inactive)) };
      if (authentication.sends >= MOST_SENDS)
        throw new EmbossError(409, `authentication_id: all ${MOST_SENDS} codes were sent`);
      return { started: startSend(locked) };
    },
  );
  if (!started) return ended as Authentication;
  if (!(await sendOtp(services, asked, started)))
    throw new EmbossError(503, 'The code could not be sent; a code that was sent before stays valid. Retry');
  return (await findAuthenticationById(services.db, started.programId, started.id)) as Authentication;
}
