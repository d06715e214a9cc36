import type { CardFacts } from '../../cards/card-facts.ts';
import { type AuthenticationFacts, type AuthenticationShare, judgeAuthentication } from './authentication.ts';
import type { Setting } from './effects.ts';
import { holdsExpireBefore } from './hold-days.ts';
import { modeOf } from './merchant-decision.ts';
import type { AuthorizationRequest } from './message.ts';
import { atmFeeOf, fillOrigin, newTransaction } from './new-transaction.ts';
import { countOn, spendingOn } from './spending.ts';
import { type TransactionRecord, takenOf } from './transaction.ts';

export interface AuthorizationFacts {
  card: CardFacts;
  cvvMatches: boolean | undefined;
  masterMinor: bigint | undefined;
  /** The authentication that the request names; undefined: unknown. */
  authentication: AuthenticationFacts | undefined;
  /** The shares of the other purchases that use it. */
  authenticationShares: readonly AuthenticationShare[];
  /** A reversal arrived before the authorization. */
  reversed: boolean;
  /** The transaction that a clearing created before its authorization arrived. */
  cleared: TransactionRecord | undefined;
}

/** The purchase as it would be if an amount were approved: what has not cleared yet is held. */
export function wantedPurchase(
  request: AuthorizationRequest,
  billMinor: bigint,
  facts: AuthorizationFacts,
  setting: Setting,
): TransactionRecord {
  const { program, today } = setting;
  const { card, cleared } = facts;
  const approvedOn = spendingOn(card, today).day;
  const requested = newTransaction(request, card, setting, {
    kind: 'purchase',
    externalTransactionId: request.messageId,
    status: 'PENDING',
    amountMinor: partOf(request, billMinor),
    billAmountMinor: billMinor,
    authorizationMode: modeOf(cleared, request.merchantDecision, program),
    channel: request.channel,
    acceptor: request.acceptor,
    authentication: authenticationOf(request, facts, setting),
    atmFeeMinor: atmFeeOf(program, request.channel, request.type),
    approvedOn,
  });
  const heldMinor = cleared ? restAfter(cleared, billMinor, request, setting) : billMinor;
  const counted = countOn(cleared?.counted ?? [], approvedOn, heldMinor);
  return { ...requested, ...(cleared && settledBy(cleared, requested)), heldMinor, counted };
}

function authenticationOf(
  request: AuthorizationRequest,
  { card, cleared, authentication, authenticationShares }: AuthorizationFacts,
  { today, program }: Setting,
): TransactionRecord['authentication'] {
  if (!request.authentication) return null;
  const named = { transactionId: cleared?.id, cardId: card.cardId, merchantId: request.acceptor.id };
  const purchase = { ...request, ...named };
  const term = { today, authenticationDays: program.authenticationDays };
  return judgeAuthentication(request.authentication, authentication, authenticationShares, purchase, term);
}

/** What the purchase takes beyond what its clearing has taken already. */
export const neededOf = (wanted: TransactionRecord, cleared: TransactionRecord | undefined): bigint =>
  takenOf(wanted) - (cleared ? takenOf(cleared) : 0n);

/** A part of the requested amount in the merchant's currency. */
const partOf = ({ amountMinor, billAmountMinor }: AuthorizationRequest, billMinor: bigint): bigint =>
  billMinor === billAmountMinor ? amountMinor : (amountMinor * billMinor) / billAmountMinor || 1n;

/** The cleared amount is not held again. Nothing is held after a final clearing, or if the hold would have expired. */
function restAfter(
  cleared: TransactionRecord,
  billMinor: bigint,
  { acceptor }: AuthorizationRequest,
  { program, nowMs }: Setting,
): bigint {
  const restMinor = billMinor - cleared.clearedMinor;
  const expired =
    cleared.createdAt.getTime() < holdsExpireBefore(program, cleared.acceptor ?? acceptor, nowMs);
  return cleared.final || expired || restMinor < 0n ? 0n : restMinor;
}

/** What the clearing has settled, whatever the decision is. The authorization fills what it did not say. */
const settledBy = (cleared: TransactionRecord, requested: TransactionRecord) => ({
  ...fillOrigin(cleared, {
    channel: requested.channel ?? undefined,
    acceptor: requested.acceptor ?? undefined,
  }),
  atmFeeMinor: cleared.channel === null ? requested.atmFeeMinor : cleared.atmFeeMinor,
  id: cleared.id,
  createdAt: cleared.createdAt,
  fxFeeBps: cleared.fxFeeBps,
  clearedMinor: cleared.clearedMinor,
  fxClearedMinor: cleared.fxClearedMinor,
  final: cleared.final,
  clearedAmountMinor: cleared.clearedAmountMinor,
  clearedCurrency: cleared.clearedCurrency,
});
