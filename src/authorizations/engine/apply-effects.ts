import { eventView as cardEventView } from '../../cards/card.ts';
import type { CardFacts } from '../../cards/card-facts.ts';
import { newId } from '../../kernel/ids.ts';
import { ACCOUNTS } from '../../ledger/accounts.ts';
import { deltasOf } from '../../ledger/transfer.ts';
import { isAlertSent, lowBalanceEvent } from '../../programs/account/alert.ts';
import type { AuthenticationFacts } from '../core/authentication.ts';
import { countTransaction } from '../core/count-transaction.ts';
import type { Effects } from '../core/effects.ts';
import { isInternal, type Message } from '../core/message.ts';
import type { Presentment } from '../core/presentment.ts';
import type { AnyResponse } from '../core/response.ts';
import { encodeResponse } from '../core/stored-response.ts';
import type { TransactionRecord } from '../core/transaction.ts';
import { type BatchState, cardOf, keyOf, setRecord } from './batch-state.ts';
import { recordKind } from './queries.ts';

/** Applies the effects of one message to the state. */
export function applyEffects(state: BatchState, message: Message, effects: Effects<AnyResponse>): void {
  const { changed } = state;
  const { transaction, transfers, response, programEvent } = effects;
  if (transaction) setTransaction(state, transaction);
  for (const linked of effects.linked ?? []) setTransaction(state, linked.transaction);
  if (programEvent) changed.events.push(programEvent);
  if (effects.evaluated) changed.evaluated.push(effects.evaluated);
  if (effects.presentment) setPresentment(state, effects.presentment);
  if (effects.usedAuthentication && transaction)
    addAuthenticationUse(state, effects.usedAuthentication, transaction);
  if (effects.card) state.cards.set(effects.card.cardId, recordCardEvents(state, effects.card, effects));
  if (transfers.length > 0) {
    changed.transfers.push(...transfers);
    addToMaster(state, deltasOf(transfers).get(ACCOUNTS.master) ?? 0n);
  }
  if (typeof response === 'boolean' || isInternal(message)) return;
  const kind = recordKind(message.kind);
  const named = state.transactions.get(response.transactionId ?? '');
  setRecord(state, {
    kind,
    messageId: message.messageId,
    transactionId: named?.id ?? null,
    cardId: named?.cardId ?? null,
    requestDigest: message.content.digest,
    response: encodeResponse(response),
    early:
      message.kind === 'refund' && !named
        ? { unmatched: true }
        : (state.messages.get(keyOf(kind, message.messageId))?.early ?? null),
  });
}

function setTransaction(
  { transactions, changed, setting }: BatchState,
  transaction: TransactionRecord,
): void {
  const before = transactions.get(transaction.id);
  if (!before) changed.newTransactions.add(transaction.id);
  countTransaction(setting.velocities, before, transaction);
  transactions.set(transaction.id, transaction);
  changed.transactions.add(transaction.id);
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

function setPresentment(state: BatchState, presentment: Presentment): void {
  const { presentments, changed } = state;
  const key = keyOf(presentment.kind, presentment.messageId);
  const before = presentments.get(key);
  if (!before) changed.newPresentments.add(key);
  else if (!changed.newPresentments.has(key) && !changed.presentments.has(key))
    changed.presentments.set(key, before);
  presentments.set(key, presentment);
  if (presentment.kind !== 'clearing' || presentment.arn === null) return;
  const others = state.presentedArns.filter(({ messageId }) => messageId !== presentment.messageId);
  state.presentedArns = [...others, presentment];
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

/** Numbers the card's new events, and notes that the card was used. */
function recordCardEvents(
  state: BatchState,
  card: CardFacts,
  { event, linked = [], blocks, transaction }: Effects<unknown>,
): CardFacts {
  const { changed, setting } = state;
  changed.cards.add(card.cardId);
  let { eventSequence } = card;
  const { cardId } = card;
  for (const { id, name: eventName, data } of [
    ...(event ? [event] : []),
    ...linked.map((each) => each.event),
  ]) {
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
  const isNew = transaction && changed.newTransactions.has(transaction.id);
  return { ...card, eventSequence, lastUsedAt: isNew ? transaction.createdAt : card.lastUsedAt };
}
