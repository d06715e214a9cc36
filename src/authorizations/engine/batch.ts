import { eventView as cardEventView } from '../../cards/card.ts';
import type { NewEvent } from '../../events/event.ts';
import { EmbossError, invalid, notFound } from '../../kernel/error.ts';
import { newId } from '../../kernel/ids.ts';
import { ACCOUNTS } from '../../ledger/accounts.ts';
import type { Transfer } from '../../ledger/transfer.ts';
import { deltasOf } from '../../ledger/transfer.ts';
import { applyAuthorization, declineUnknownNumber } from '../rules/apply-authorization.ts';
import { applyClearing, unauthorizedPurchase } from '../rules/apply-clearing.ts';
import { applyExpiry } from '../rules/apply-expiry.ts';
import { applyRefund } from '../rules/apply-refund.ts';
import { applyReversal, earlyReversal } from '../rules/apply-reversal.ts';
import type { CardFacts } from '../rules/card-facts.ts';
import type { Outcome, Setting } from '../rules/effects.ts';
import type {
  AuthorizationRequest,
  ClearingRequest,
  ExpiryRequest,
  Message,
  PurchaseReference,
  RefundRequest,
  ReversalRequest,
} from '../rules/message.ts';
import type { TransactionRecord } from '../rules/transaction.ts';
import type { MessageKind, MessageRow } from './queries.ts';

/** Everything the messages of a batch read and change: what the database holds, brought forward in memory. */
export interface BatchState {
  setting: Setting;
  cards: Map<string, CardFacts>;
  transactions: Map<string, TransactionRecord>;
  /** Transactions that were looked for and are not here any more: they have moved out. */
  missing: ReadonlySet<string>;
  messages: Map<string, MessageRow>;
  /** Undefined where the program does not enforce it. */
  masterMinor: bigint | undefined;
  /** What is to be written. */
  changed: {
    cards: Set<string>;
    newTransactions: Set<string>;
    transactions: Set<string>;
    newMessages: Set<string>;
    filledMessages: Set<string>;
    /** Cards that were blocked, as they were before. */
    blocked: Map<string, CardFacts>;
    events: NewEvent[];
    transfers: Transfer[];
  };
}

/** The message is about something that came up after its card was looked up: look it up again. */
export const AGAIN = Symbol('again');

/** Applies one message to the state and returns its answer. When it throws, nothing of the message was applied. */
export function applyMessage(state: BatchState, message: Message, cvvMatches: boolean | undefined): unknown {
  if (message.kind === 'expiry') return expire(state, message);
  const known = state.messages.get(keyOf(message.kind, message.messageId));
  if (known?.requestDigest) {
    if (!message.content.matches(known.requestDigest))
      throw new EmbossError(409, `${ID_FIELDS[message.kind]}: was used with another content`);
    return JSON.parse(known.answer as string);
  }
  switch (message.kind) {
    case 'authorization':
      return authorize(state, message, cvvMatches, known);
    case 'reversal':
      return reverse(state, message);
    case 'clearing':
      return clear(state, message);
    case 'refund':
      return refund(state, message);
  }
}

const ID_FIELDS: Record<MessageKind, string> = {
  authorization: 'external_transaction_id',
  reversal: 'reversal_id',
  clearing: 'clearing_id',
  refund: 'refund_id',
};

export const keyOf = (kind: MessageKind, messageId: string): string => `${kind}/${messageId}`;

function authorize(
  state: BatchState,
  message: AuthorizationRequest,
  cvvMatches: boolean | undefined,
  place: MessageRow | undefined,
): unknown {
  // There is no card to record it on; the answer alone is kept.
  if (!message.card) {
    const answer = declineUnknownNumber(message, state.setting.program.currency);
    return keep(state, message, { answer, transfers: [] });
  }
  const card = cardOf(state, message.card.cardId);
  const cleared = place?.transactionId ? state.transactions.get(place.transactionId) : undefined;
  if (cleared && cleared.cardId !== card.cardId)
    throw new EmbossError(409, 'external_transaction_id: was used with another card');
  const outcome = applyAuthorization(
    message,
    {
      card,
      cvvMatches,
      masterMinor: state.masterMinor,
      reversed: cleared ? cleared.declineReason === 'already_reversed' : place !== undefined,
      cleared,
    },
    state.setting,
  );
  return keep(state, message, outcome);
}

function reverse(state: BatchState, message: ReversalRequest): unknown {
  const transaction = purchaseOf(state, message.purchase);
  if (transaction === AGAIN) return AGAIN;
  if (transaction)
    return keep(
      state,
      message,
      applyReversal(message, { transaction, card: cardOf(state, transaction.cardId) }, state.setting),
    );
  const externalTransactionId = networkIdOf(message.purchase);
  if (movedOutFrom(state, message.purchase))
    throw invalid('external_transaction_id', 'the purchase is too old, it has moved out');
  takePlace(state, externalTransactionId, undefined);
  const { currency } = state.setting.program;
  return keep(state, message, earlyReversal(message, externalTransactionId, currency));
}

function clear(state: BatchState, message: ClearingRequest): unknown {
  const known = purchaseOf(state, message.purchase);
  if (known === AGAIN) return AGAIN;
  const { setting } = state;
  if (known) {
    requireSameCard(message, known.cardId);
    const facts = { transaction: known, card: cardOf(state, known.cardId) };
    return keep(state, message, applyClearing(message, facts, setting));
  }
  const externalTransactionId = networkIdOf(message.purchase);
  const lateCardId = movedOutFrom(state, message.purchase);
  if (lateCardId) requireSameCard(message, lateCardId);
  const cardId = lateCardId ?? message.card?.cardId;
  if (!cardId) throw invalid('card_number', 'is needed for a clearing without authorization');
  const card = cardOf(state, cardId);
  const place = state.messages.get(keyOf('authorization', externalTransactionId));
  const reversedFirst = !lateCardId && place !== undefined && place.requestDigest === null;
  const transaction = unauthorizedPurchase(message, externalTransactionId, card, setting, reversedFirst);
  const outcome = applyClearing(message, { transaction, card }, setting);
  // A place that is taken for good stays with the purchase that took it.
  if (!lateCardId) takePlace(state, externalTransactionId, transaction);
  return keep(state, message, outcome);
}

function refund(state: BatchState, message: RefundRequest): unknown {
  const { purchase } = message;
  const parent = purchase && purchaseOf(state, purchase);
  if (parent === AGAIN) return AGAIN;
  if (!parent && purchase && 'transactionId' in purchase) throw notFound();
  const purchaseCardId = parent?.cardId ?? (purchase && movedOutFrom(state, purchase));
  if (purchaseCardId) requireSameCard(message, purchaseCardId);
  const cardId = purchaseCardId ?? message.card?.cardId;
  if (!cardId) throw invalid('card_number', 'is needed for a refund without a known purchase');
  return keep(state, message, applyRefund(message, { card: cardOf(state, cardId), parent }, state.setting));
}

function requireSameCard({ card }: ClearingRequest | RefundRequest, purchaseCardId: string): void {
  if (card && card.cardId !== purchaseCardId)
    throw invalid('card_number', 'is not the card of this purchase');
}

function expire(state: BatchState, message: ExpiryRequest): unknown {
  const transaction = purchaseOf(state, message.purchase);
  if (!transaction || transaction === AGAIN) return true;
  const facts = { transaction, card: cardOf(state, transaction.cardId) };
  return keep(state, message, applyExpiry(facts, state.setting));
}

/** Of a purchase that is not here. By our own id it cannot be asked for. */
function networkIdOf(purchase: PurchaseReference): string {
  if ('transactionId' in purchase) throw notFound();
  return purchase.externalTransactionId;
}

/** The card of a purchase that was here and has moved out. */
function movedOutFrom(state: BatchState, purchase: PurchaseReference): string | undefined {
  if ('transactionId' in purchase) return undefined;
  const place = state.messages.get(keyOf('authorization', purchase.externalTransactionId));
  const gone = place?.transactionId && state.missing.has(place.transactionId);
  return gone ? (place.cardId ?? undefined) : undefined;
}

function cardOf(state: BatchState, cardId: string): CardFacts {
  const card = state.cards.get(cardId);
  if (!card) throw new Error(`the facts of card ${cardId} were not read`);
  return card;
}

/** The purchase a message is about. It may be known while its card is not locked: then it came up just now. */
function purchaseOf(
  state: BatchState,
  purchase: PurchaseReference,
): TransactionRecord | typeof AGAIN | undefined {
  const id =
    'transactionId' in purchase
      ? purchase.transactionId
      : state.messages.get(keyOf('authorization', purchase.externalTransactionId))?.transactionId;
  if (!id) return undefined;
  const transaction = state.transactions.get(id);
  if (!transaction) return 'transactionId' in purchase || state.missing.has(id) ? undefined : AGAIN;
  return state.cards.has(transaction.cardId) ? transaction : AGAIN;
}

/** Takes the authorization's place before it came: what comes later under this id finds what came first. */
function takePlace(
  state: BatchState,
  externalTransactionId: string,
  transaction: TransactionRecord | undefined,
): void {
  const key = keyOf('authorization', externalTransactionId);
  const place = state.messages.get(key);
  if (place && !transaction) return;
  state.messages.set(key, {
    kind: 'authorization',
    messageId: externalTransactionId,
    requestDigest: null,
    answer: null,
    ...place,
    transactionId: transaction?.id ?? null,
    cardId: transaction?.cardId ?? null,
  });
  if (!place) state.changed.newMessages.add(key);
  else if (!state.changed.newMessages.has(key)) state.changed.filledMessages.add(key);
}

/** Brings the state forward by one outcome. */
function keep<Answer extends object | boolean>(
  state: BatchState,
  message: Message,
  outcome: Outcome<Answer>,
): Answer {
  const { changed } = state;
  const { transaction, transfers, answer } = outcome;
  if (transaction) {
    if (!state.transactions.has(transaction.id)) changed.newTransactions.add(transaction.id);
    state.transactions.set(transaction.id, transaction);
    changed.transactions.add(transaction.id);
  }
  if (outcome.card) state.cards.set(outcome.card.cardId, journal(state, outcome.card, outcome));
  if (transfers.length > 0) {
    changed.transfers.push(...transfers);
    if (state.masterMinor !== undefined) state.masterMinor += deltasOf(transfers).get(ACCOUNTS.master) ?? 0n;
  }
  if (message.kind !== 'expiry') rememberAnswer(state, message, outcome);
  return answer;
}

/** The card with the numbers of its new events counted. */
function journal(state: BatchState, card: CardFacts, { event, blocks }: Outcome<unknown>): CardFacts {
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

function rememberAnswer(
  state: BatchState,
  message: Exclude<Message, ExpiryRequest>,
  { transaction, answer }: Outcome<unknown>,
): void {
  const key = keyOf(message.kind, message.messageId);
  const place = state.messages.get(key);
  state.messages.set(key, {
    kind: message.kind,
    messageId: message.messageId,
    transactionId: transaction?.id ?? null,
    cardId: transaction?.cardId ?? null,
    requestDigest: message.content.digest,
    answer: JSON.stringify(answer),
  });
  if (!place) state.changed.newMessages.add(key);
  else if (!state.changed.newMessages.has(key)) state.changed.filledMessages.add(key);
}
