import { eventView as cardEventView } from '../../cards/card.ts';
import type { CardFacts } from '../../cards/card-facts.ts';
import { newId } from '../../kernel/ids.ts';
import { ACCOUNTS } from '../../ledger/accounts.ts';
import { deltasOf } from '../../ledger/transfer.ts';
import { isAlertSent, lowBalanceEvent } from '../../programs/account/alert.ts';
import type { AuthenticationFacts } from '../core/authentication.ts';
import type { Effects } from '../core/effects.ts';
import type { Message } from '../core/message.ts';
import type { Presentment } from '../core/presentment.ts';
import type { AnyResponse } from '../core/response.ts';
import { encodeResponse } from '../core/stored-response.ts';
import type { TransactionRecord } from '../core/transaction.ts';
import { type BatchState, cardOf, keyOf, setRecord } from './batch-state.ts';
import { recordKind } from './queries.ts';

/** Applies the effects of one message to the state. */
export function applyEffects(state: BatchState, message: Message, effects: Effects<AnyResponse>): void {
  const { changed } = state;
  const { transaction, transfers, response } = effects;
  if (transaction) {
    if (!state.transactions.has(transaction.id)) changed.newTransactions.add(transaction.id);
    state.transactions.set(transaction.id, transaction);
    changed.transactions.add(transaction.id);
  }
  if (effects.presentment) setPresentment(state, effects.presentment);
  if (effects.usedAuthentication && transaction)
    addAuthenticationUse(state, effects.usedAuthentication, transaction);
  if (effects.card) state.cards.set(effects.card.cardId, recordCardEvents(state, effects.card, effects));
  if (transfers.length > 0) {
    changed.transfers.push(...transfers);
    addToMaster(state, deltasOf(transfers).get(ACCOUNTS.master) ?? 0n);
  }
  if (typeof response !== 'boolean' && message.kind !== 'expiry')
    setRecord(state, {
      kind: recordKind(message.kind),
      messageId: message.messageId,
      transactionId: transaction?.id ?? null,
      cardId: transaction?.cardId ?? null,
      requestDigest: message.content.digest,
      response: encodeResponse(response),
    });
}

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

function addAuthenticationUse(
  { authentications, changed }: BatchState,
  authenticationId: string,
  { id: transactionId }: TransactionRecord,
): void {
  const facts = authentications.get(authenticationId) as AuthenticationFacts;
  if (facts.usedBy.includes(transactionId)) return;
  authentications.set(authenticationId, { ...facts, usedBy: [...facts.usedBy, transactionId] });
  changed.authenticationUses.push({ authenticationId, transactionId });
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
