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

/** The card and the vault record of a number; undefined if it is not a card of the program. */
export type FoundNumber = { cardId: string; numberId: string } | undefined;

export interface Decided {
  decision: Decision;
  reference: string | null;
}

/** Requests the merchant's decision, if there is an endpoint and no guard refuses. */
export async function requestAuthenticationDecision(
  { db, vault, requestDecision }: AuthenticationServices,
  actor: Actor,
  request: AuthenticationRequest,
  expiry: string | undefined,
  number: FoundNumber,
): Promise<Decided> {
  const none: Decided = { decision: undefined, reference: null };
  const { program } = actor;
  if (!number || request.purpose !== '3ds') return none;
  const [card, endpoint, holders] = await Promise.all([
    findCard(db, program.id, number.cardId),
    findDecisionEndpoint(db, program.id, 'authentication'),
    vault.openRecords(db, program.id, 'holder', [number.cardId]),
  ]);
  const known = card && { card, numberId: number.numberId };
  if (!card || !endpoint || refusalOf(known, expiry, dayOf(actor.now()))) return none;
  const { authenticationId, amountMinor, currency, merchant } = request;
  const data = {
    authentication_id: authenticationId,
    card_id: number.cardId,
    external_customer_id: (holders.get(number.cardId) as CardHolder).externalCustomerId,
    card_metadata: card.metadata ?? {},
    amount: formatAmount(amountMinor as bigint, currency as string),
    currency,
    merchant,
    device_channel: request.deviceChannel,
    category: request.category,
    challenge: request.challenge,
    timeout_ms: endpoint.timeoutMs,
  };
  const eventId = derivedId(program.id, 'authentication', authenticationId);
  const decisionRequest = {
    kind: 'authentication' as const,
    eventId,
    createdAt: new Date(actor.now()),
    data,
  };
  const { outcome, reference } = await requestDecision<'authentication'>(
    program,
    endpoint,
    decisionRequest,
    endpoint.timeoutMs,
  );
  return { decision: outcome, reference };
}
