import { eventView as cardEventView } from '../../cards/card.ts';
import type { CardFacts } from '../../cards/card-facts.ts';
import type { NewEvent } from '../../events/event.ts';
import { EmbossError, invalid, notFound } from '../../kernel/error.ts';
import { newId } from '../../kernel/ids.ts';
import { ACCOUNTS } from '../../ledger/accounts.ts';
import type { Transfer } from '../../ledger/transfer.ts';
import { deltasOf } from '../../ledger/transfer.ts';
import { isAlertSent, lowBalanceEvent } from '../../programs/account/alert.ts';
import { applyAuthorization, declineUnknownNumber } from '../core/apply-authorization.ts';
import { applyClearing, unauthorizedPurchase } from '../core/apply-clearing.ts';
import { applyExpiry } from '../core/apply-expiry.ts';
import { applyIncrement } from '../core/apply-increment.ts';
import { applyRefund } from '../core/apply-refund.ts';
import { applyPresentmentReversal, applyReversal, earlyReversal } from '../core/apply-reversal.ts';
import type { AuthenticationFacts } from '../core/authentication.ts';
import type { Effects, Setting } from '../core/effects.ts';
import type {
  AuthorizationRequest,
  AuthorizationResponse,
  ClearingRequest,
  ClearingResponse,
  ExpiryRequest,
  IncrementRequest,
  IncrementResponse,
  Message,
  PresentmentReference,
  PurchaseReference,
  RefundRequest,
  RefundResponse,
  Responses,
  ReversalRequest,
  ReversalResponse,
} from '../core/message.ts';
import type { Presentment } from '../core/presentment.ts';
import type { Ask } from '../core/question.ts';
import type { TransactionRecord } from '../core/transaction.ts';
import { type MessageRecord, type RecordKind, recordKind } from './queries.ts';

/** The running state of a batch: rows read from the database, with the changes of the messages applied so far. */
export interface BatchState {
  setting: Setting;
  cards: Map<string, CardFacts>;
  transactions: Map<string, TransactionRecord>;
  /** Transactions that a message record names and that were not found: their month was archived. */
  missing: ReadonlySet<string>;
  messages: Map<string, MessageRecord>;
  /** The clearings and refunds that are reversed, by kind and id. */
  presentments: Map<string, Presentment>;
  /** The authentications that authorizations name, by id. */
  authentications: Map<string, AuthenticationFacts>;
  /** Undefined if the program neither enforces it nor has an alert on it. */
  masterMinor: bigint | undefined;
  alertSent: boolean;
  /** The changes to write. */
  changed: {
    cards: Set<string>;
    newTransactions: Set<string>;
    transactions: Set<string>;
    newMessages: Set<string>;
    filledMessages: Set<string>;
    newPresentments: Set<string>;
    presentments: Set<string>;
    /** The authentications that were used up. */
    authentications: Set<string>;
    /** The cards to block, in their state before. */
    blocked: Map<string, CardFacts>;
    events: NewEvent[];
    transfers: Transfer[];
  };
}

/** The message must be looked up again: its purchase was created after the look-up, or it lost a race. */
export const RETRY = Symbol('retry');

export type AnyResponse = Responses[keyof Responses];

/**
 * Applies one message to the state and returns its response. When it throws, or the merchant must be asked first, nothing
 * of the message was applied.
 */
export function applyMessage(
  state: BatchState,
  message: Message,
  cvvMatches: boolean | undefined,
): AnyResponse | typeof RETRY | Ask {
  if (message.kind === 'expiry') return expire(state, message);
  const known = state.messages.get(keyOf(recordKind(message.kind), message.messageId));
  if (known?.requestDigest) {
    if (!message.content.matches(known.requestDigest)) throw usedBefore(message.kind);
    return JSON.parse(known.response as string);
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

export const keyOf = (kind: RecordKind | Presentment['kind'], messageId: string): string =>
  `${kind}/${messageId}`;

function authorize(
  state: BatchState,
  message: AuthorizationRequest,
  cvvMatches: boolean | undefined,
  record: MessageRecord | undefined,
): AuthorizationResponse | Ask {
  if (!message.card) {
    const response = declineUnknownNumber(message, state.setting.program.currency);
    return applyEffects(state, message, { response, transfers: [] });
  }
  const card = cardOf(state, message.card.cardId);
  const cleared = record?.transactionId ? state.transactions.get(record.transactionId) : undefined;
  if (cleared && cleared.cardId !== card.cardId)
    throw new EmbossError(409, 'external_transaction_id: was already used with a different card');
  const effects = applyAuthorization(
    message,
    {
      card,
      cvvMatches,
      masterMinor: enforcedMaster(state),
      authentication: authenticationOf(state, message),
      reversed: cleared ? cleared.declineReason === 'already_reversed' : record !== undefined,
      cleared,
    },
    state.setting,
  );
  return 'ask' in effects ? effects : applyEffects(state, message, effects);
}

const authenticationOf = (
  { authentications }: BatchState,
  { authentication }: AuthorizationRequest,
): AuthenticationFacts | undefined =>
  authentication && 'authenticationId' in authentication
    ? authentications.get(authentication.authenticationId)
    : undefined;

function increment(state: BatchState, message: IncrementRequest): IncrementResponse | typeof RETRY | Ask {
  const transaction = purchaseOf(state, message.purchase);
  if (transaction === RETRY) return RETRY;
  if (!transaction) {
    networkIdOf(message.purchase);
    throw invalid('external_transaction_id', 'is not a purchase in this program');
  }
  if (message.currency !== transaction.currency)
    throw invalid('currency', `must be the currency of the purchase, ${transaction.currency}`);
  const card = cardOf(state, transaction.cardId);
  const facts = { transaction, card, masterMinor: enforcedMaster(state) };
  const effects = applyIncrement(message, facts, state.setting);
  return 'ask' in effects ? effects : applyEffects(state, message, effects);
}

function reversePresentment(
  state: BatchState,
  message: ReversalRequest,
  { kind, messageId }: PresentmentReference,
): ReversalResponse | typeof RETRY {
  const presentment = state.presentments.get(keyOf(kind, messageId));
  if (!presentment) throw invalid(`${kind}_id`, `is not a ${kind} in this program`);
  const transaction = purchaseOf(state, presentment);
  if (transaction === RETRY) return RETRY;
  if (!transaction) {
    // Presented after the look-up: the message must be looked up again.
    if (!state.missing.has(presentment.transactionId)) return RETRY;
    throw invalid(`${kind}_id`, 'the transaction is archived');
  }
  const facts = { transaction, presentment, card: cardOf(state, transaction.cardId) };
  return applyEffects(state, message, applyPresentmentReversal(message, facts, state.setting));
}

function reverse(
  state: BatchState,
  message: ReversalRequest,
  purchase: PurchaseReference,
): ReversalResponse | typeof RETRY {
  const transaction = purchaseOf(state, purchase);
  if (transaction === RETRY) return RETRY;
  if (transaction)
    return applyEffects(
      state,
      message,
      applyReversal(message, { transaction, card: cardOf(state, transaction.cardId) }, state.setting),
    );
  const externalTransactionId = networkIdOf(purchase);
  if (state.messages.get(keyOf('transaction', externalTransactionId))?.transactionId)
    throw invalid('external_transaction_id', 'the purchase is archived');
  reserveRecord(state, externalTransactionId, undefined);
  const { currency } = state.setting.program;
  return applyEffects(state, message, earlyReversal(message, externalTransactionId, currency));
}

function clear(state: BatchState, message: ClearingRequest): ClearingResponse | typeof RETRY {
  const known = purchaseOf(state, message.purchase);
  if (known === RETRY) return RETRY;
  const { setting } = state;
  if (known) {
    requireSameCard(message, known.cardId);
    const facts = { transaction: known, card: cardOf(state, known.cardId) };
    return applyEffects(state, message, applyClearing(message, facts, setting));
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
  return applyEffects(state, message, effects);
}

function refund(state: BatchState, message: RefundRequest): RefundResponse | typeof RETRY {
  const { purchase } = message;
  const parent = purchase && purchaseOf(state, purchase);
  if (parent === RETRY) return RETRY;
  if (!parent && purchase && 'transactionId' in purchase) throw notFound();
  if (parent) requireSameCard(message, parent.cardId);
  const cardId = parent?.cardId ?? message.card?.cardId;
  if (!cardId) throw invalid('card_number', 'is required for a refund without a known purchase');
  return applyEffects(
    state,
    message,
    applyRefund(message, { card: cardOf(state, cardId), parent }, state.setting),
  );
}

function requireSameCard({ card }: ClearingRequest | RefundRequest, purchaseCardId: string): void {
  if (card && card.cardId !== purchaseCardId)
    throw invalid('card_number', 'does not match the card of the purchase');
}

function expire(state: BatchState, message: ExpiryRequest): boolean {
  const transaction = purchaseOf(state, message.purchase);
  if (!transaction || transaction === RETRY) return true;
  const facts = { transaction, card: cardOf(state, transaction.cardId) };
  return applyEffects(state, message, applyExpiry(facts, state.setting));
}

/** The network's id of an unknown purchase. Under our own id it is an error. */
function networkIdOf(purchase: PurchaseReference): string {
  if ('transactionId' in purchase) throw notFound();
  return purchase.externalTransactionId;
}

function cardOf(state: BatchState, cardId: string): CardFacts {
  const card = state.cards.get(cardId);
  if (!card) throw new Error(`the facts of card ${cardId} were not read`);
  return card;
}

/** The purchase that a message names. If it is known and its card is not locked, it was created just now. */
function purchaseOf(
  state: BatchState,
  purchase: PurchaseReference,
): TransactionRecord | typeof RETRY | undefined {
  const id =
    'transactionId' in purchase
      ? purchase.transactionId
      : state.messages.get(keyOf('transaction', purchase.externalTransactionId))?.transactionId;
  if (!id) return undefined;
  const transaction = state.transactions.get(id);
  if (!transaction) return 'transactionId' in purchase || state.missing.has(id) ? undefined : RETRY;
  if (transaction.kind === 'refund' && 'externalTransactionId' in purchase)
    throw new EmbossError(409, 'external_transaction_id: is the id of a refund');
  return state.cards.has(transaction.cardId) ? transaction : RETRY;
}

/** Creates the record of an authorization that has not arrived yet: the authorization will find what came first. */
function reserveRecord(
  state: BatchState,
  externalTransactionId: string,
  transaction: TransactionRecord | undefined,
): void {
  const record = state.messages.get(keyOf('transaction', externalTransactionId));
  // The record of an archived purchase is not changed.
  if (record && (record.transactionId || !transaction)) return;
  setRecord(state, {
    kind: 'transaction',
    messageId: externalTransactionId,
    requestDigest: null,
    response: null,
    ...record,
    transactionId: transaction?.id ?? null,
    cardId: transaction?.cardId ?? null,
  });
}

/** Updates a record that the database has; inserts any other. */
function setRecord({ messages, changed }: BatchState, record: MessageRecord): void {
  const key = keyOf(record.kind, record.messageId);
  if (!messages.has(key)) changed.newMessages.add(key);
  else if (!changed.newMessages.has(key)) changed.filledMessages.add(key);
  messages.set(key, record);
}

/** Applies the effects of one message to the state. */
function applyEffects<Response extends AnyResponse>(
  state: BatchState,
  message: Message,
  effects: Effects<Response>,
): Response {
  const { changed } = state;
  const { transaction, transfers, response } = effects;
  if (transaction) {
    if (!state.transactions.has(transaction.id)) changed.newTransactions.add(transaction.id);
    state.transactions.set(transaction.id, transaction);
    changed.transactions.add(transaction.id);
  }
  if (effects.presentment) setPresentment(state, effects.presentment);
  if (effects.usedAuthentication && transaction)
    markAuthenticationUsed(state, effects.usedAuthentication, transaction);
  if (effects.card) state.cards.set(effects.card.cardId, recordCardEvents(state, effects.card, effects));
  if (transfers.length > 0) {
    changed.transfers.push(...transfers);
    addToMaster(state, deltasOf(transfers).get(ACCOUNTS.master) ?? 0n);
  }
  if (message.kind !== 'expiry')
    setRecord(state, {
      kind: recordKind(message.kind),
      messageId: message.messageId,
      transactionId: transaction?.id ?? null,
      cardId: transaction?.cardId ?? null,
      requestDigest: message.content.digest,
      response: JSON.stringify(response),
    });
  return response;
}

const enforcedMaster = ({ setting, masterMinor }: BatchState): bigint | undefined =>
  setting.program.enforceMasterBalance ? masterMinor : undefined;

function addToMaster(state: BatchState, deltaMinor: bigint): void {
  if (state.masterMinor === undefined) return;
  state.masterMinor += deltaMinor;
  const { program, nowMs } = state.setting;
  const isSent = isAlertSent({ ...program, alertSent: state.alertSent }, state.masterMinor);
  if (isSent && !state.alertSent)
    state.changed.events.push(lowBalanceEvent(program, state.masterMinor, nowMs));
  state.alertSent = isSent;
}

function setPresentment({ presentments, changed }: BatchState, presentment: Presentment): void {
  const key = keyOf(presentment.kind, presentment.messageId);
  if (!presentments.has(key)) changed.newPresentments.add(key);
  else if (!changed.newPresentments.has(key)) changed.presentments.add(key);
  presentments.set(key, presentment);
}

function markAuthenticationUsed(
  { authentications, changed }: BatchState,
  id: string,
  { externalTransactionId }: TransactionRecord,
): void {
  const facts = authentications.get(id) as AuthenticationFacts;
  authentications.set(id, { ...facts, usedBy: externalTransactionId });
  changed.authentications.add(id);
}

/** Numbers the card's new events. */
function recordCardEvents(
  state: BatchState,
  card: CardFacts,
  { event, blocks }: Effects<unknown>,
): CardFacts {
  const { changed, setting } = state;
  changed.cards.add(card.cardId);
  let { eventSequence } = card;
  const { cardId } = card;
  if (event) {
    const { id, name: eventName, data } = event;
    eventSequence++;
    changed.events.push({
      id,
      eventType: 'transaction',
      eventName,
      cardId,
      cardSequence: eventSequence,
      data,
    });
  }
  if (blocks) {
    eventSequence++;
    changed.blocked.set(cardId, cardOf(state, cardId));
    changed.events.push({
      id: newId(setting.nowMs),
      eventType: 'card',
      eventName: 'card.blocked',
      cardId,
      cardSequence: eventSequence,
      data: cardEventView({ ...card, id: cardId }),
    });
  }
  return { ...card, eventSequence };
}
