import type { CardFacts } from '../../cards/card-facts.ts';
import { withNewer } from '../../cards/network-data.ts';
import { type AuthenticationFacts, type AuthenticationShare, judgeAuthentication } from './authentication.ts';
import type { Early } from './early.ts';
import type { Setting } from './effects.ts';
import { authorizedFlags } from './flags.ts';
import { isHoldOver } from './hold-days.ts';
import { purchaseMark } from './marks.ts';
import { modeOf } from './merchant-decision.ts';
import type { AdviceRequest, AuthorizationRequest } from './message.ts';
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
  /** What arrived before the authorization. */
  early: Early | null;
  /** The transaction that a clearing or an advice created before its authorization arrived. */
  cleared: TransactionRecord | undefined;
  /** The refund that a credit announces, where it came first. */
  refunded: TransactionRecord | undefined;
}

/** The purchase as it would be if an amount were approved: what has not cleared yet is held. */
export function wantedPurchase(
  request: AuthorizationRequest | AdviceRequest,
  billMinor: bigint,
  facts: AuthorizationFacts,
  setting: Setting,
): TransactionRecord {
  const { program, today } = setting;
  const { card, cleared } = facts;
  const approvedOn = spendingOn(card, today).day;
  const { externalTransactionId, type, channel, network } = request;
  const isCredit = type === 'CREDIT';
  const amountMinor = partOf(request, billMinor);
  const requested = newTransaction(request, card, setting, {
    kind: isCredit ? 'refund' : 'purchase',
    type,
    externalTransactionId,
    status: 'PENDING',
    amountMinor,
    billAmountMinor: billMinor,
    authorizationMode: modeOf(cleared, request.merchantDecision, program),
    channel,
    acceptor: request.acceptor,
    authentication: authenticationOf(request, facts, setting),
    atmFeeMinor: atmFeeOf(program, request),
    approvedOn,
    network,
    cvvGiven: request.cvv !== undefined,
    advised: request.kind === 'advice',
  });
  if (isCredit) return { ...requested, atmFeeMinor: 0n, fxFeeBps: 0 };
  const held = cleared
    ? heldBeside(cleared, requested, request, setting)
    : { ...requested, heldMinor: billMinor, heldAmountMinor: amountMinor };
  const before = cleared?.counted ?? [];
  const mark = purchaseMark(request, held, card, setting, before);
  return { ...held, counted: countOn(before, approvedOn, held.heldMinor, mark) };
}

/** What is not held yet of a purchase that has cleared, or in part. */
function heldBeside(
  cleared: TransactionRecord,
  requested: TransactionRecord,
  request: AuthorizationRequest | AdviceRequest,
  setting: Setting,
): TransactionRecord {
  const heldMinor = restAfter(cleared, requested.billAmountMinor, request, setting);
  const heldAmountMinor = amountLeft(cleared, requested, heldMinor);
  return { ...requested, ...settledBy(cleared, requested), heldMinor, heldAmountMinor };
}

/** What is held after a part has cleared, in the merchant's currency: in proportion, where it cleared in another. */
export function amountLeft(
  { clearedCurrency, clearedAmountMinor }: TransactionRecord,
  { amountMinor, billAmountMinor, currency, billCurrency }: TransactionRecord,
  heldMinor: bigint,
): bigint {
  if (heldMinor === 0n || currency === billCurrency || heldMinor === billAmountMinor)
    return heldMinor === billAmountMinor ? amountMinor : heldMinor;
  if (clearedCurrency !== currency) return (amountMinor * heldMinor) / billAmountMinor;
  return amountMinor > clearedAmountMinor ? amountMinor - clearedAmountMinor : 0n;
}

export function authenticationOf(
  request: AuthorizationRequest | AdviceRequest,
  {
    card,
    cleared,
    authentication,
    authenticationShares,
  }: Pick<AuthorizationFacts, 'card' | 'cleared' | 'authentication' | 'authenticationShares'>,
  { today, program }: Setting,
): TransactionRecord['authentication'] {
  if (!request.authentication || request.type === 'CREDIT') return null;
  const named = { transactionId: cleared?.id, cardId: card.cardId, merchantId: request.acceptor.id };
  const purchase = { ...request, ...named };
  const term = { today, authenticationDays: program.authenticationDays };
  return judgeAuthentication(request.authentication, authentication, authenticationShares, purchase, term);
}

/** What the purchase takes beyond what its clearing has taken already. */
export const neededOf = (wanted: TransactionRecord, cleared: TransactionRecord | undefined): bigint =>
  takenOf(wanted) - (cleared ? takenOf(cleared) : 0n);

/** A part of the requested amount in the merchant's currency. */
const partOf = (
  { amountMinor, billAmountMinor }: AuthorizationRequest | AdviceRequest,
  billMinor: bigint,
): bigint =>
  billMinor === billAmountMinor ? amountMinor : (amountMinor * billMinor) / billAmountMinor || 1n;

/** The cleared amount is not held again. Nothing is held after a final clearing, or if the hold would have expired. */
function restAfter(
  cleared: TransactionRecord,
  billMinor: bigint,
  request: AuthorizationRequest | AdviceRequest,
  { program, nowMs }: Setting,
): bigint {
  const restMinor = billMinor - cleared.clearedMinor;
  const network = withNewer(cleared.network, request.network);
  const held = { acceptor: cleared.acceptor ?? request.acceptor, network };
  const isOver = isHoldOver(program, held, cleared.createdAt.getTime(), nowMs);
  return cleared.final || isOver || restMinor < 0n ? 0n : restMinor;
}

/** What the clearing has settled, whatever the decision is. The authorization fills what it did not say. */
const settledBy = (cleared: TransactionRecord, requested: TransactionRecord) => ({
  ...fillOrigin(cleared, {
    channel: requested.channel ?? undefined,
    acceptor: requested.acceptor ?? undefined,
  }),
  atmFeeMinor: cleared.channel === null ? requested.atmFeeMinor : cleared.atmFeeMinor,
  id: cleared.id,
  network: withNewer(cleared.network, requested.network),
  // The authorization of its clearing is here now.
  flags: authorizedFlags(cleared.flags),
  createdAt: cleared.createdAt,
  fxFeeBps: cleared.fxFeeBps,
  clearedMinor: cleared.clearedMinor,
  fxClearedMinor: cleared.fxClearedMinor,
  final: cleared.final,
  clearedAmountMinor: cleared.clearedAmountMinor,
  clearedCurrency: cleared.clearedCurrency,
});
