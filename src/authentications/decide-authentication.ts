import { type CardRecord, statusOf } from '../cards/card.ts';
import type { DecisionResponse } from '../decisions/decision.ts';
import type { Day } from '../kernel/calendar.ts';
import type { Program } from '../programs/program.ts';
import {
  AUTHENTICATED,
  type AuthenticationRequest,
  challengeBy,
  MOST_CARD_SENDS,
  MOST_WRONG,
  type Reason,
  rejected,
  unavailable,
  type Verdict,
} from './authentication.ts';

/** Undefined: the card can be used. */
export function inactiveReason(
  card: Pick<CardRecord, 'status' | 'expiryDate'>,
  today: Day,
): Reason | undefined {
  const status = statusOf(card, today);
  return status === 'ACTIVE' ? undefined : (`card_${status.toLowerCase()}` as Reason);
}

/** What is known of the card whose number was given. */
export interface KnownCard {
  card: Pick<CardRecord, 'status' | 'expiryDate' | 'numberId' | 'threeDsForwarding'>;
  /** Of the given number: an inactive one is unknown. */
  numberId: string;
}

export function refusalOf(
  known: KnownCard | undefined,
  expiry: string | undefined,
  today: Day,
): Reason | undefined {
  if (!known || known.numberId !== known.card.numberId) return 'unknown_card';
  const inactive = inactiveReason(known.card, today);
  if (inactive) return inactive;
  const isOther = expiry !== undefined && expiry !== known.card.expiryDate.slice(0, 7);
  return isOther ? 'expiry_mismatch' : undefined;
}

/** What the decision endpoint says; undefined if the program has none. A failure means a challenge. */
export type Decision = DecisionResponse<'authentication'>['outcome'] | undefined;

export interface Facts {
  request: Pick<AuthenticationRequest, 'purpose' | 'amountMinor' | 'currency' | 'deviceChannel'> &
    Pick<AuthenticationRequest, 'category' | 'challenge'>;
  program: Pick<Program, 'currency' | 'challengeAboveMinor' | 'mode'>;
  refusal: Reason | undefined;
  decision: Decision;
  forwarding: boolean;
  hasOtpEndpoint: boolean;
  /** Of the card, in the last hour. */
  wrongCodes: number;
  sentCodes: number;
}

/** The guards and rules in their order. */
export function decideAuthentication(facts: Facts): Verdict {
  const { request, program, refusal, decision, forwarding, hasOtpEndpoint } = facts;
  if (refusal) return rejected('R', refusal);
  if (decision === 'declined') return rejected('R', 'declined_by_program');
  if (request.purpose === '3ds') {
    const approved = decision === undefined ? isBelowLimit(facts) : decision === 'approved';
    if (approved && request.challenge !== 'MANDATED') return AUTHENTICATED;
    if (forwarding) return challengeBy('OUT_OF_BAND');
    // The cardholder is not there to enter a code.
    if (request.deviceChannel === 'MERCHANT') return unavailable('no_channel');
  }
  // In the sandbox the merchant can read the code.
  if (!hasOtpEndpoint && program.mode !== 'sandbox') return unavailable('no_channel');
  if (facts.wrongCodes >= MOST_WRONG) return rejected('R', 'too_many_attempts');
  return facts.sentCodes >= MOST_CARD_SENDS ? unavailable('too_many_sends') : challengeBy('OTP');
}

function isBelowLimit({ request, program }: Facts): boolean {
  const { challengeAboveMinor: limit, currency } = program;
  if (limit === null || request.category !== 'PAYMENT' || request.currency !== currency) return false;
  return (request.amountMinor as bigint) <= limit;
}
