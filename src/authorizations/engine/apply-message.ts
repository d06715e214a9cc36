import { MS_PER_DAY } from '../../kernel/calendar.ts';
import { EmbossError, invalid, notFound } from '../../kernel/error.ts';
import { applyAdvice } from '../core/apply-advice.ts';
import { applyAuthorization } from '../core/apply-authorization.ts';
import { applyClearing, unauthorizedPurchase } from '../core/apply-clearing.ts';
import { applyExpiry } from '../core/apply-expiry.ts';
import { applyIncrement } from '../core/apply-increment.ts';
import { applyRecount } from '../core/apply-recount.ts';
import { applyRefund, linkRefund, REFUND_BEFORE_DAYS } from '../core/apply-refund.ts';
import { applyPresentmentReversal, applyReversal, earlyReversal } from '../core/apply-reversal.ts';
import { applyUnmatched, applyUnmatchedReversal } from '../core/apply-unmatched.ts';
import type { AuthenticationFacts } from '../core/authentication.ts';
import { type DecisionNeeded, isDecisionNeeded } from '../core/decision-request.ts';
import type { Early } from '../core/early.ts';
import type { Effects } from '../core/effects.ts';
import { isSamePresentment } from '../core/flags.ts';
import {
  type AdviceRequest,
  type AuthorizationRequest,
  type ClearingRequest,
  type IncrementRequest,
  type InternalRequest,
  isInternal,
  type Message,
  type PresentmentReference,
  type PurchaseReference,
  type RefundRequest,
  type ReversalRequest,
} from '../core/message.ts';
import type { AnyResponse } from '../core/response.ts';
import { decodeResponse } from '../core/stored-response.ts';
import type { TransactionRecord } from '../core/transaction.ts';
import type { AuthorizationFacts } from '../core/wanted-purchase.ts';
import { applyEffects } from './apply-effects.ts';
import { sharesOf } from './authentications.ts';
import { type BatchState, cardOf, keyOf } from './batch-state.ts';
import {
  forgetRefunds,
  networkIdOf,
  purchaseOf,
  rememberRefund,
  rememberReversal,
  requireNoRefund,
  reserveIncrement,
  reserveRecord,
} from './named-purchase.ts';
import { type MessageRecord, recordKind } from './queries.ts';

/** The result of one message in a batch. */
export type BatchResult =
  | { kind: 'response'; response: AnyResponse }
  /** Concerns this message alone. */
  | { kind: 'failed'; error: unknown }
  /** Its purchase was created after it was resolved, or it lost a race: resolve it again. */
  | { kind: 'retry' }
  /** Another transaction has locked its card. */
  | { kind: 'locked' }
  /** Request the merchant's decision, and submit the message again with it. */
  | DecisionNeeded;

export const RETRY = { kind: 'retry' } as const satisfies BatchResult;

/** Applies one message to the state. Only a message with a response has changed the state; it throws for a refusal. */
export function applyMessage(
  state: BatchState,
  message: Message,
  cvvMatches: boolean | undefined,
): BatchResult {
  if (isInternal(message)) return applyInternal(state, message);
  const known = state.messages.get(keyOf(recordKind(message.kind), message.messageId));
  if (known?.requestDigest) {
    if (!message.content.matches(known.requestDigest) || namesOtherCard(message, known))
      throw usedBefore(message.kind);
    return { kind: 'response', response: decodeResponse(message.kind, known.response as string) };
  }
  switch (message.kind) {
    case 'authorization':
      return authorize(state, message, cvvMatches);
    case 'advice':
      return advise(state, message);
    case 'increment':
      return increment(state, message, known !== undefined);
    case 'reversal':
      return 'purchase' in message.reversed
        ? reverse(state, message, message.reversed)
        : reversePresentment(state, message, message.reversed.presentment);
    case 'clearing':
      return clear(state, message);
    case 'refund':
      // The record without a request is of a purchase that is expected.
      if (known) throw usedBefore('refund');
      return refund(state, message);
  }
}

/** A clearing's or refund's card number is no part of its content where it only repeats the card of the purchase. */
const namesOtherCard = (message: Exclude<Message, InternalRequest>, { cardId }: MessageRecord): boolean =>
  (message.kind === 'clearing' || message.kind === 'refund') &&
  message.card !== undefined &&
  cardId !== null &&
  (message.card === 'unknown' || message.card.cardId !== cardId);

const ID_FIELDS: Record<Exclude<Message['kind'], InternalRequest['kind']>, string> = {
  authorization: 'external_transaction_id',
  advice: 'advice_id',
  increment: 'increment_id',
  reversal: 'reversal_id',
  clearing: 'clearing_id',
  refund: 'refund_id',
};

const usedBefore = (kind: keyof typeof ID_FIELDS): EmbossError =>
  new EmbossError(409, `${ID_FIELDS[kind]}: was already used with a different request`);

function apply<Response extends AnyResponse>(
  state: BatchState,
  message: Message,
  effects: Effects<Response> | DecisionNeeded,
): BatchResult {
  if (isDecisionNeeded(effects)) return effects;
  applyEffects(state, message, effects);
  return { kind: 'response', response: effects.response };
}

function authorize(
  state: BatchState,
  message: AuthorizationRequest,
  cvvMatches: boolean | undefined,
): BatchResult {
  const facts = authorizationFacts(state, message, cvvMatches);
  return apply(state, message, withLinks(state, message, applyAuthorization(message, facts, state.setting)));
}

/** What the network says of a purchase that we know replaces what we know; one that we do not know is made by it. */
function advise(state: BatchState, message: AdviceRequest): BatchResult {
  const facts = authorizationFacts(state, message, undefined);
  if (!facts) return apply(state, message, applyAuthorization(message, undefined, state.setting));
  const { externalTransactionId } = message;
  const { cleared: transaction } = facts;
  // Once an advice is here, a reversal that came before it has had its effect.
  const early = transaction?.advised ? null : facts.early;
  const effects = transaction
    ? applyAdvice(message, { ...facts, transaction, early }, state.setting)
    : applyAuthorization(message, facts, state.setting);
  const linked = withLinks(state, message, effects);
  if (!isDecisionNeeded(effects)) reserveRecord(state, externalTransactionId, effects.transaction);
  return apply(state, message, linked);
}

/** Undefined if the number is not a card in the program. */
function authorizationFacts(
  state: BatchState,
  message: AuthorizationRequest | AdviceRequest,
  cvvMatches: boolean | undefined,
): AuthorizationFacts | undefined {
  const { card: reference, authentication, externalTransactionId } = message;
  const record = state.messages.get(keyOf('transaction', externalTransactionId));
  requireNoRefund(record);
  const cleared = record?.transactionId ? state.transactions.get(record.transactionId) : undefined;
  if (record?.transactionId && !cleared) throw invalid('external_transaction_id', 'the purchase is archived');
  if (cleared && cleared.cardId !== reference?.cardId)
    throw new EmbossError(409, 'external_transaction_id: was already used with a different card');
  const isOther = cleared?.kind === 'refund' ? cleared.type !== message.type : message.type === 'CREDIT';
  if (cleared && isOther)
    throw new EmbossError(409, `external_transaction_id: is the id of a ${cleared.kind}`);
  if (!reference) return undefined;
  const card = cardOf(state, reference.cardId);
  const early = record?.early ?? null;
  const named: AuthenticationFacts | undefined =
    authentication && 'authenticationId' in authentication
      ? state.authentications.get(authentication.authenticationId)
      : undefined;
  return {
    card,
    cvvMatches,
    masterMinor: enforcedMaster(state),
    authentication: named,
    authenticationShares: sharesOf(state, named, cleared?.id),
    early,
    cleared,
    refunded: message.type === 'CREDIT' ? waitingRefunds(state, early, card.cardId)[0] : undefined,
  };
}

/** Refunds that came before the purchase that they name, on its card. */
function waitingRefunds(
  { transactions, setting }: BatchState,
  early: Early | null,
  cardId: string,
): TransactionRecord[] {
  const sinceMs = setting.nowMs - REFUND_BEFORE_DAYS * MS_PER_DAY;
  return (early?.refunds ?? [])
    .flatMap((id) => transactions.get(id) ?? [])
    .filter(
      (refund) =>
        refund.cardId === cardId && refund.parentId === null && refund.createdAt.getTime() >= sinceMs,
    );
}

/** Links the refunds that wait for a purchase to it. */
function withLinks<Response>(
  state: BatchState,
  { externalTransactionId }: { externalTransactionId: string },
  effects: Effects<Response> | DecisionNeeded,
): Effects<Response> | DecisionNeeded {
  if (isDecisionNeeded(effects)) return effects;
  const { transaction } = effects;
  const early = state.messages.get(keyOf('transaction', externalTransactionId))?.early;
  if (!early?.refunds || transaction?.kind !== 'purchase') return effects;
  const refunds = waitingRefunds(state, early, transaction.cardId);
  if (refunds.length === 0) return effects;
  const card = effects.card ?? cardOf(state, transaction.cardId);
  forgetRefunds(state, externalTransactionId);
  return {
    ...effects,
    card,
    linked: refunds.map((refund) => linkRefund(refund, transaction, state.setting)),
  };
}

function increment(state: BatchState, message: IncrementRequest, reversed: boolean): BatchResult {
  const transaction = purchaseOf(state, message.purchase);
  if (transaction === 'retry') return RETRY;
  if (!transaction) {
    networkIdOf(message.purchase);
    throw invalid('external_transaction_id', 'is not a purchase in this program');
  }
  if (message.currency !== transaction.currency)
    throw invalid('currency', `must be the currency of the purchase, ${transaction.currency}`);
  const card = cardOf(state, transaction.cardId);
  const used = state.authentications.get(transaction.authentication?.authenticationId ?? '');
  const authenticationShares = sharesOf(state, used, transaction.id);
  const facts = { transaction, card, reversed, authenticationShares, masterMinor: enforcedMaster(state) };
  return apply(state, message, applyIncrement(message, facts, state.setting));
}

function reversePresentment(
  state: BatchState,
  message: ReversalRequest,
  { kind, messageId }: PresentmentReference,
): BatchResult {
  const presentment = state.presentments.get(keyOf(kind, messageId));
  if (!presentment) throw invalid(`${kind}_id`, `is not a ${kind} in this program`);
  const { transactionId } = presentment;
  if (transactionId === null) {
    const taken = state.messages.get(keyOf(recordKind(kind), messageId))?.response;
    const named = taken ? decodeResponse(kind, taken).externalTransactionId : null;
    return apply(state, message, applyUnmatchedReversal(message, presentment, named, state.setting));
  }
  const transaction = purchaseOf(state, { transactionId });
  if (transaction === 'retry') return RETRY;
  if (!transaction) {
    // Presented after the look-up: the message must be looked up again.
    if (!state.missing.has(transactionId)) return RETRY;
    throw invalid(`${kind}_id`, 'the transaction is archived');
  }
  const facts = { transaction, presentment, card: cardOf(state, transaction.cardId) };
  return apply(state, message, applyPresentmentReversal(message, facts, state.setting));
}

function reverse(
  state: BatchState,
  message: ReversalRequest,
  { purchase, incrementId }: { purchase: PurchaseReference; incrementId: string | undefined },
): BatchResult {
  const transaction = purchaseOf(state, purchase, { mayBeCredit: true });
  if (transaction === 'retry') return RETRY;
  const { program } = state.setting;
  if (!transaction) {
    const externalTransactionId = networkIdOf(purchase);
    if (state.messages.get(keyOf('transaction', externalTransactionId))?.transactionId)
      throw invalid('external_transaction_id', 'the purchase is archived');
    if (incrementId === undefined) rememberReversal(state, externalTransactionId, message);
    else reserveIncrement(state, incrementId);
    return apply(state, message, earlyReversal(externalTransactionId, program.currency));
  }
  const facts = { transaction, card: cardOf(state, transaction.cardId), incrementId };
  if (incrementId === undefined) {
    const record = state.messages.get(keyOf('transaction', transaction.externalTransactionId));
    // A clearing came first: the authorization that may still arrive must not hold what was reversed.
    if (record && !record.requestDigest && !transaction.advised)
      rememberReversal(state, transaction.externalTransactionId, message);
  } else {
    const record = state.messages.get(keyOf('increment', incrementId));
    if (record?.transactionId && record.transactionId !== transaction.id)
      throw invalid('increment_id', 'is not an increment of this purchase');
    reserveIncrement(state, incrementId);
  }
  return apply(state, message, applyReversal(message, facts, state.setting));
}

function clear(state: BatchState, message: ClearingRequest): BatchResult {
  const { setting } = state;
  if (message.card === 'unknown') return apply(state, message, applyUnmatched(message, setting));
  const known = purchaseOf(state, message.purchase);
  if (known === 'retry') return RETRY;
  if (known) requireSameCard(message, known.cardId);
  const cardId = known?.cardId ?? message.card?.cardId;
  const externalTransactionId = known?.externalTransactionId ?? networkIdOf(message.purchase);
  if (!cardId) throw invalid('card_number', 'is required for a clearing without an authorization');
  const card = cardOf(state, cardId);
  const isDuplicate =
    !!message.network?.arn && state.presentedArns.some((each) => isSamePresentment(each, message, cardId));
  const transaction = known ?? unauthorizedPurchase(message, externalTransactionId, card, setting);
  const effects = applyClearing(message, { transaction, card, isDuplicate }, setting);
  if (known) return apply(state, message, effects);
  const linked = withLinks(state, { ...message, externalTransactionId }, effects);
  reserveRecord(state, externalTransactionId, transaction);
  return apply(state, message, linked);
}

function refund(state: BatchState, message: RefundRequest): BatchResult {
  const { purchase } = message;
  if (message.card === 'unknown') return apply(state, message, applyUnmatched(message, state.setting));
  const named = purchase && purchaseOf(state, purchase, { mayBeCredit: true });
  if (named === 'retry') return RETRY;
  if (!named && purchase && 'transactionId' in purchase) throw notFound();
  if (named) requireSameCard(message, named.cardId);
  const cardId = named?.cardId ?? message.card?.cardId;
  if (!cardId) throw invalid('card_number', 'is required for a refund without a known purchase');
  const effects = applyRefund(message, { card: cardOf(state, cardId), named }, state.setting);
  if (!named && purchase && effects.transaction)
    rememberRefund(state, networkIdOf(purchase), effects.transaction.id);
  return apply(state, message, effects);
}

function requireSameCard({ card }: ClearingRequest | RefundRequest, purchaseCardId: string): void {
  if (card && card !== 'unknown' && card.cardId !== purchaseCardId)
    throw invalid('card_number', 'does not match the card of the purchase');
}

function applyInternal(state: BatchState, message: InternalRequest): BatchResult {
  const transaction = purchaseOf(state, message.purchase);
  if (!transaction || transaction === 'retry') return { kind: 'response', response: true };
  const effects =
    message.kind === 'expiry'
      ? applyExpiry({ transaction, card: cardOf(state, transaction.cardId) }, state.setting)
      : applyRecount(message, { transaction, replayed: state.replayed.get(transaction.id) ?? [] });
  return apply(state, message, effects);
}

const enforcedMaster = ({ setting, masterMinor }: BatchState): bigint | undefined =>
  setting.program.enforceMasterBalance ? masterMinor : undefined;
