import { clearedMinor, decimal, least } from '../model/card.ts';
import { differences, type Effect, type Json, type Look } from './effect.ts';
import {
  billMinorOf,
  lookAtPurchase,
  lookAtTransaction,
  modelledPurchase,
  onceOnly,
  readLife,
  reversal as reversalOfHold,
  wrongCredit,
} from './money-effects.ts';
import type { Presented } from './pool.ts';

/** The effects of an increment, and of the reversal of a clearing or a refund. */

/** `name message amount` of the entries that a history has got. */
const added = (before: Json, life: Json): string[] =>
  life.events
    .slice(before.events.length)
    .map(({ name, messageId, billAmount }: Json) => `${name} ${messageId} ${billAmount}`);

/** Declined, it leaves the purchase as it was. */
export const increment: Effect = onceOnly('increment', async (accepted) => {
  const { sent, answer, before } = accepted;
  const life = await readLife(accepted, answer.transaction_id);
  if (!life) return ['the purchase is not found'];
  const billMinor = billMinorOf(sent.bill_amount ?? sent.amount);
  const raisedMinor = answer.approved ? billMinor : 0n;
  const bill = decimal(billMinor);
  const wrong = [
    ...differences(answer, { bill_amount: bill, increment_id: sent.increment_id }),
    ...(await wrongCredit(accepted, life.transaction.cardId, -raisedMinor)),
  ];
  const was = before.life && modelledPurchase(before.life.events);
  if (!was) return wrong;
  if (answer.approved && was.heldMinor === 0n) wrong.push('a closed hold was raised');
  const { status } = was;
  const shown = status === 'CLEARED' ? clearedMinor(was) : was.askedMinor + raisedMinor;
  const name = answer.approved ? 'authorization.increment' : 'authorization.declined';
  return [
    ...wrong,
    ...differences(life.transaction, { status, billAmount: decimal(shown) }),
    ...differences(
      { entries: added(before.life, life) },
      { entries: [`${name} ${answer.increment_id} ${bill}`] },
    ),
  ];
});

const PRESENTED = ['clearing', 'refund'] as const;
const EVENTS = { clearing: 'authorization.clearing.reversal', refund: 'refund.reversal' };

/** What a reversal takes back, as far as this lane knows it. */
export const lookAtReversed: Look = (request, pool, ask) => {
  const sent = request.value as Json;
  const isNamed = ({ kind, id }: Presented) => sent?.[`${kind}_id`] === id;
  const presented = pool.presented.find(isNamed);
  return presented
    ? lookAtTransaction(presented.transactionId, sent, pool, ask)
    : lookAtPurchase(request, pool, ask);
};

export const reversal: Effect = (accepted) => {
  const kind = PRESENTED.find((one) => accepted.answer[`${one}_id`] !== undefined);
  return kind ? presentmentReversals[kind](accepted) : reversalOfHold(accepted);
};

/** Takes back what is left of the clearing or refund, at most what was asked for. */
const presentmentReversal = (kind: Presented['kind']): Effect =>
  onceOnly('reversal', async (accepted) => {
    const { sent, answer, before } = accepted;
    const life = await readLife(accepted, answer.transaction_id);
    if (!life) return ['the transaction is not found'];
    const billMinor = billMinorOf(answer.bill_amount);
    const wrong = [
      ...differences(life.transaction, { status: answer.status }),
      ...(await wrongCredit(accepted, life.transaction.cardId, kind === 'clearing' ? billMinor : -billMinor)),
    ];
    if (before.life?.transaction.id !== answer.transaction_id) return wrong;
    const openMinor = openOf(kind, before.life);
    const asked = sent.bill_amount ?? sent.amount;
    const dueMinor = asked === undefined ? openMinor : least(billMinorOf(asked), openMinor);
    // Of several clearings, the history does not show how much of each is left.
    const clearings = before.life.events.filter(({ name }: Json) => name === 'authorization.clearing');
    if (clearings.length > 1 ? billMinor > dueMinor : billMinor !== dueMinor)
      wrong.push(`${decimal(dueMinor)} were due, and ${answer.bill_amount} were taken back`);
    const entry = `${EVENTS[kind]} ${answer.reversal_id} ${answer.bill_amount}`;
    const entries = billMinor === 0n ? [] : [entry];
    return [...wrong, ...differences({ entries: added(before.life, life) }, { entries })];
  });

const presentmentReversals = {
  clearing: presentmentReversal('clearing'),
  refund: presentmentReversal('refund'),
};

function openOf(kind: Presented['kind'], { transaction, events }: Json): bigint {
  if (kind === 'refund') return transaction.status === 'CLEARED' ? -billMinorOf(transaction.billAmount) : 0n;
  const purchase = modelledPurchase(events);
  return purchase ? clearedMinor(purchase) : 0n;
}
