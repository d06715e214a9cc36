import { audit } from '../audit/audit.ts';
import { dayOf } from '../kernel/calendar.ts';
import { EmbossError, notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import type { Actor } from '../programs/actor.ts';
import { AUTHENTICATED, type CardAuthentication, failureOf, isExpired, rejected } from './authentication.ts';
import { type AuthenticationServices, changeAuthentication } from './change-authentication.ts';
import { inactiveReason } from './decide-authentication.ts';
import { presentToMerchant } from './present.ts';
import { findAuthenticationById } from './queries.ts';

export const NOT_OPEN = 'The authentication does not wait for an answer';

/** The cardholder's answer in the merchant's app, once and in time. */
export async function answerAuthentication(
  services: Pick<AuthenticationServices, 'db' | 'metrics'>,
  actor: Actor,
  id: string,
  approve: boolean,
): Promise<ReturnType<typeof presentToMerchant>> {
  const found = isId(id) ? await findAuthenticationById(services.db, actor.program.id, id) : undefined;
  if (!found?.cardId) throw notFound();
  return changeAuthentication(services, actor, found as CardAuthentication, async (locked) => {
    const { tx, authentication, card, actor, end } = locked;
    const { status, method, cardId } = authentication;
    if (status !== 'CHALLENGE' || method !== 'OUT_OF_BAND' || isExpired(authentication, actor.realNow()))
      throw new EmbossError(409, NOT_OPEN);
    const reason = approve ? inactiveReason(card, dayOf(actor.now())) : 'not_approved';
    const verdict = reason ? rejected('N', reason) : AUTHENTICATED;
    const view = presentToMerchant(end(failureOf(authentication, card, actor.realNow()) ?? verdict));
    await audit(tx, actor, 'authentication.answered', {
      cardId,
      after: { authentication: id, approve, status: view.status, reason: view.reason },
    });
    return view;
  });
}
