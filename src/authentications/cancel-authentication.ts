import type { Actor } from '../programs/actor.ts';
import {
  type Authentication,
  type CardAuthentication,
  isExpired,
  isOpen,
  rejected,
} from './authentication.ts';
import { type AuthenticationServices, changeAuthentication } from './change-authentication.ts';

/** Ends an open challenge. After the end it changes nothing. */
export async function cancelAuthentication(
  services: AuthenticationServices,
  actor: Actor,
  found: Authentication,
): Promise<Authentication> {
  if (!isOpen(found)) return found;
  return changeAuthentication(
    services,
    actor,
    found as CardAuthentication,
    ({ authentication, actor, end }) => {
      if (!isOpen(authentication)) return authentication;
      return end(rejected('N', isExpired(authentication, actor.realNow()) ? 'expired' : 'cancelled'));
    },
  );
}
