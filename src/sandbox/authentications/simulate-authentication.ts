import type { Static } from 'typebox';
import type { Authentication } from '../../authentications/authentication.ts';
import type { AuthenticationServices } from '../../authentications/change-authentication.ts';
import { requestAuthentication } from '../../authentications/network-api.ts';
import { EXAMPLE_MERCHANT } from '../../cards/network-schema.ts';
import { findCard } from '../../cards/queries.ts';
import { notFound } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import type { Actor } from '../../programs/actor.ts';
import type { SimulatedAuthenticationBody } from './schema.ts';

/** The merchant plays the access control server. The operation is that of the network, but the card is named by its id. */
export async function simulateAuthentication(
  services: AuthenticationServices,
  actor: Actor,
  { card_id: cardId, ...body }: Static<typeof SimulatedAuthenticationBody>,
  newAuthenticationId: string,
): Promise<Authentication> {
  const { program } = actor;
  const card = isId(cardId) ? await findCard(services.db, program.id, cardId) : undefined;
  if (!card) throw notFound();
  const request = {
    authentication_id: newAuthenticationId,
    currency: program.currency,
    device_channel: 'BROWSER' as const,
    category: 'PAYMENT' as const,
    challenge: 'NO_PREFERENCE' as const,
    ...body,
    merchant: { ...EXAMPLE_MERCHANT, ...body.merchant },
  };
  const find = async () => ({ cardId, numberId: card.numberId });
  return requestAuthentication(services, actor, request, { named: cardId, find });
}
