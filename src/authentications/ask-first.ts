import type { CardHolder } from '../cards/card.ts';
import { findCard } from '../cards/queries.ts';
import { findDecisionEndpoint } from '../decisions/queries.ts';
import { dayOf } from '../kernel/calendar.ts';
import { derivedId } from '../kernel/ids.ts';
import { formatAmount } from '../kernel/money.ts';
import type { Actor } from '../programs/actor.ts';
import type { AuthenticationRequest } from './authentication.ts';
import type { AuthenticationServices } from './change-authentication.ts';
import { type Decision, refusalOf } from './decide-authentication.ts';

/** The vault record of the given number; undefined if it is not a card of the program. */
export type Place = { cardId: string; numberId: string } | undefined;

export interface Answered {
  decision: Decision;
  reference: string | null;
}

/** Asks the decision endpoint, if there is one and no guard refuses. */
export async function askFirst(
  { db, vault, ask }: AuthenticationServices,
  actor: Actor,
  request: AuthenticationRequest,
  expiry: string | undefined,
  place: Place,
): Promise<Answered> {
  const none: Answered = { decision: undefined, reference: null };
  const { program } = actor;
  if (!place || request.purpose !== '3ds') return none;
  const [card, endpoint, holders] = await Promise.all([
    findCard(db, program.id, place.cardId),
    findDecisionEndpoint(db, program.id, 'authentication'),
    vault.openRecords(db, program.id, 'holder', [place.cardId]),
  ]);
  const known = card && { card, numberId: place.numberId };
  if (!endpoint || refusalOf(known, expiry, dayOf(actor.now()))) return none;
  const { authenticationId, amountMinor, currency, merchant } = request;
  const data = {
    authentication_id: authenticationId,
    card_id: place.cardId,
    external_customer_id: (holders.get(place.cardId) as CardHolder).externalCustomerId,
    amount: formatAmount(amountMinor as bigint, currency as string),
    currency,
    merchant,
    device_channel: request.deviceChannel,
    category: request.category,
    challenge: request.challenge,
    timeout_ms: endpoint.timeoutMs,
  };
  const eventId = derivedId(program.id, 'authentication', authenticationId);
  const question = { kind: 'authentication' as const, eventId, createdAt: new Date(actor.now()), data };
  const { outcome, reference } = await ask<'authentication'>(program, endpoint, question, endpoint.timeoutMs);
  return { decision: outcome, reference };
}
