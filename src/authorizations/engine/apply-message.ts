import { EmbossError, invalid, notFound } from '../../kernel/error.ts';
import { applyAuthorization } from '../core/apply-authorization.ts';
import { applyClearing, unauthorizedPurchase } from '../core/apply-clearing.ts';
import { applyExpiry } from '../core/apply-expiry.ts';
import { applyIncrement } from '../core/apply-increment.ts';
import { applyRefund } from '../core/apply-refund.ts';
import { applyPresentmentReversal, applyReversal, earlyReversal } from '../core/apply-reversal.ts';
import type { AuthenticationFacts } from '../core/authentication.ts';
import { type DecisionNeeded, isDecisionNeeded } from '../core/decision-request.ts';
import type { Effects } from '../core/effects.ts';
import type {
  AuthorizationRequest,
  ClearingRequest,
  ExpiryRequest,
  IncrementRequest,
  Message,
  PresentmentReference,
  PurchaseReference,
  RefundRequest,
  ReversalRequest,
} from '../core/message.ts';
import type { AnyResponse } from '../core/response.ts';
import { decodeResponse } from '../core/stored-response.ts';
import type { AuthorizationFacts } from '../core/wanted-purchase.ts';
import { applyEffects } from './apply-effects.ts';
import { sharesOf } from './authentications.ts';
import { type BatchState, cardOf, keyOf } from './batch-state.ts';
import { networkIdOf, purchaseOf, reserveRecord } from './named-purchase.ts';
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
  if (message.kind === 'expiry') return expire(state, message);
  const known = state.messages.get(keyOf(recordKind(message.kind), message.messageId));
  if (known?.requestDigest) {
    if (!message.content.matches(known.requestDigest)) throw usedBefore(message.kind);
    return { kind: 'response', response: decodeResponse(message.kind, known.response as string) };
  }
  switch (message.kind) {
    case 'authorization':
      return authorize(state, message, cvvMatches, known);
    case 'increment':
      return increment(state, message);
    case 'reversal':
      return 'purchase' in message.reversed
        ? reverse(state, message, message.reversed.purchase)
        : reversePresentment(state, message, message.reversed.presentment);
    case 'clearing':
      return clear(state, message);
    case 'refund':
      // The record without a request is of a purchase that is expected.
      if (known) throw usedBefore('refund');
      return refund(state, message);
  }
}

const ID_FIELDS: Record<Exclude<Message['kind'], 'expiry'>, string> = {
  authorization: 'external_transaction_id',
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

const authorize = (
  state: BatchState,
  message: AuthorizationRequest,
  cvvMatches: boolean | undefined,
  record: MessageRecord | undefined,
): BatchResult =>
  apply(
    state,
    message,
    applyAuthorization(message, authorizationFacts(state, message, cvvMatches, record), state.setting),
  );

/** Undefined if the number is not a card in the program. */
function authorizationFacts(
  state: BatchState,
  { card: reference, authentication }: AuthorizationRequest,
  cvvMatches: boolean | undefined,
  record: MessageRecord | undefined,
): AuthorizationFacts | undefined {
  if (!reference) return undefined;
  const card = cardOf(state, reference.cardId);
  const cleared = record?.transactionId ? state.transactions.get(record.transactionId) : undefined;
  if (cleared && cleared.cardId !== card.cardId)
    throw new EmbossError(409, 'external_transaction_id: was already used with a different card');
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
    reversed: cleared ? cleared.declineReason === 'already_reversed' : record !== undefined,
    cleared,
  };
}

function increment(state: BatchState, message: IncrementRequest): BatchResult {
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
  const facts = { transaction, card, authenticationShares, masterMinor: enforcedMaster(state) };
  return apply(state, message, applyIncrement(message, facts, state.setting));
}

function reversePresentment(
  state: BatchState,
  message: ReversalRequest,
  { kind, messageId }: PresentmentReference,
): BatchResult {
  const presentment = state.presentments.get(keyOf(kind, messageId));
  if (!presentment) throw invalid(`${kind}_id`, `is not a ${kind} in this program`);
  const transaction = purchaseOf(state, presentment);
  if (transaction === 'retry') return RETRY;
  if (!transaction) {
    // Presented after the look-up: the message must be looked up again.
    if (!state.missing.has(presentment.transactionId)) return RETRY;
    throw invalid(`${kind}_id`, 'the transaction is archived');
  }
  const facts = { transaction, presentment, card: cardOf(state, transaction.cardId) };
  return apply(state, message, applyPresentmentReversal(message, facts, state.setting));
}

function reverse(state: BatchState, message: ReversalRequest, purchase: PurchaseReference): BatchResult {
  const transaction = purchaseOf(state, purchase);
  if (transaction === 'retry') return RETRY;
  if (transaction) {
    const facts = { transaction, card: cardOf(state, transaction.cardId) };
    return apply(state, message, applyReversal(message, facts, state.setting));
  }
  const externalTransactionId = networkIdOf(purchase);
  if (state.messages.get(keyOf('transaction', externalTransactionId))?.transactionId)
    throw invalid('external_transaction_id', 'the purchase is archived');
  reserveRecord(state, externalTransactionId, undefined);
  return apply(state, message, earlyReversal(externalTransactionId, state.setting.program.currency));
}

function clear(state: BatchState, message: ClearingRequest): BatchResult {
  const known = purchaseOf(state, message.purchase);
  if (known === 'retry') return RETRY;
  const { setting } = state;
  if (known) {
    requireSameCard(message, known.cardId);
    const facts = { transaction: known, card: cardOf(state, known.cardId) };
    return apply(state, message, applyClearing(message, facts, setting));
  }
  const externalTransactionId = networkIdOf(message.purchase);
  const cardId = message.card?.cardId;
  if (!cardId) throw invalid('card_number', 'is required for a clearing without an authorization');
  const card = cardOf(state, cardId);
  const record = state.messages.get(keyOf('transaction', externalTransactionId));
  const reversedFirst = record !== undefined && !record.transactionId && record.requestDigest === null;
  const transaction = unauthorizedPurchase(message, externalTransactionId, card, setting, reversedFirst);
  const effects = applyClearing(message, { transaction, card }, setting);
  reserveRecord(state, externalTransactionId, transaction);
  return apply(state, message, effects);
}

function refund(state: BatchState, message: RefundRequest): BatchResult {
  const { purchase } = message;
  const parent = purchase && purchaseOf(state, purchase);
  if (parent === 'retry') return RETRY;
  if (!parent && purchase && 'transactionId' in purchase) throw notFound();
  if (parent) requireSameCard(message, parent.cardId);
  const cardId = parent?.cardId ?? message.card?.cardId;
  if (!cardId) throw invalid('card_number', 'is required for a refund without a known purchase');
  return apply(state, message, applyRefund(message, { card: cardOf(state, cardId), parent }, state.setting));
}

function requireSameCard({ card }: ClearingRequest | RefundRequest, purchaseCardId: string): void {
  if (card && card.cardId !== purchaseCardId)
    throw invalid('card_number', 'does not match the card of the purchase');
}

function expire(state: BatchState, message: ExpiryRequest): BatchResult {
  const transaction = purchaseOf(state, message.purchase);
  if (!transaction || transaction === 'retry') return { kind: 'response', response: true };
  const facts = { transaction, card: cardOf(state, transaction.cardId) };
  return apply(state, message, applyExpiry(facts, state.setting));
}

const enforcedMaster = ({ setting, masterMinor }: BatchState): bigint | undefined =>
  setting.program.enforceMasterBalance ? masterMinor : undefined;
