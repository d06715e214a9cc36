import { NO_FEES } from '../../src/programs/program.ts';
import {
  availableOf,
  clearedMinor,
  decimal,
  least,
  type ModelCard,
  type ModelClearing,
  type ModelPurchase,
  newModelCard,
  newPurchase,
  type Terms,
} from '../model/card.ts';
import type { Clearing, Reversal } from '../model/messages.ts';
import { predict } from '../model/predict.ts';
import {
  type Accepted,
  type Ask,
  askConsole,
  differences,
  type Effect,
  type Json,
  type Look,
  minor,
  readCard,
} from './effect.ts';
import { type Pool, remember } from './pool.ts';

/**
 * The effect of a clearing, a reversal or a refund, which the model predicts from the purchase's history in the console. The
 * programs here charge no fees, so the available credit changes by the amounts alone.
 */

/** From here on a JSON number is no longer exact to the cent. */
const INEXACT_MINOR = 1e12;
const MOST_REFUNDS_SHOWN = 100;
const PURCHASE_ID = 'purchase';
const TERMS: Terms = { ...NO_FEES, currency: 'EUR', holdDays: 7, longHoldDays: 30 };

/** A decimal in units of 0.0001: no currency has more decimals. */
function exact(text: string): bigint {
  const [whole = '', part = ''] = text.replace('-', '').split('.');
  const value = BigInt(whole + part.padEnd(4, '0').slice(0, 4));
  return text.startsWith('-') ? -value : value;
}
export const billMinorOf = (text: string): bigint => exact(text) / 100n;
const isSame = (found: Json, wanted: bigint): boolean => typeof found === 'string' && exact(found) === wanted;

/** A card of the model with the purchase that a history comes to. */
function modelOf(events: Json[]): ModelCard {
  const card = newModelCard(TERMS, 0n, { number: '', cvv: '', expiryDate: '' });
  const first = events.find(({ name }) => name === 'authorization') ?? events[0];
  if (!first) return card;
  const money = { billMinor: billMinorOf(first.billAmount), currency: TERMS.currency };
  const purchase = newPurchase(TERMS, money, null, 0);
  for (const { name, billAmount, status, messageId } of events) {
    const billMinor = billMinorOf(billAmount);
    if (name === 'authorization') {
      purchase.approvedDay = '';
      purchase.askedMinor = billMinor;
      purchase.heldMinor = billMinor - clearedMinor(purchase);
    }
    if (name === 'authorization.increment') {
      purchase.heldMinor += billMinor;
      purchase.askedMinor += billMinor;
    }
    if (name === 'authorization.reversal') purchase.heldMinor -= billMinor;
    if (name === 'authorization.clearing') {
      purchase.cleared.push({ id: messageId, billMinor, isForeign: false, reversedMinor: 0n, day: '' });
      purchase.heldMinor -= billMinor;
    }
    if (name === 'authorization.clearing.reversal') takeBack(purchase.cleared, billMinor);
    // Also where a final clearing, or time, has released the rest.
    if (status !== 'PENDING') purchase.heldMinor = 0n;
    purchase.status = status;
  }
  card.purchases.set(PURCHASE_ID, purchase);
  return card;
}

/** From whichever clearing: only their sum is compared. */
function takeBack(cleared: ModelClearing[], minorTotal: bigint): void {
  let left = minorTotal;
  for (const part of cleared) {
    const taken = least(left, part.billMinor - part.reversedMinor);
    part.reversedMinor += taken;
    left -= taken;
  }
}

export const modelledPurchase = (events: Json[]): ModelPurchase | undefined =>
  modelOf(events).purchases.get(PURCHASE_ID);

export async function readLife({ ask, pool }: Pick<Accepted, 'ask' | 'pool'>, id: string): Promise<Json> {
  const { status, body } = await askConsole(ask, pool, `transactions/${id}/`);
  return status === 200 ? body : undefined;
}

const readCredit = async (accepted: Pick<Accepted, 'ask' | 'pool'>, cardId: string): Promise<number> =>
  minor((await readCard(accepted, cardId)).availableCredit);

/** The purchase that a message names, as far as this lane knows it, and what its card can spend. */
export const lookAtPurchase: Look = ({ value }, pool, ask) => {
  const sent = value as Json;
  const id = sent?.transaction_id ?? pool.purchases.get(sent?.external_transaction_id);
  return lookAtTransaction(id, sent, pool, ask);
};

export async function lookAtTransaction(id: string, sent: Json, pool: Pool, ask: Ask) {
  const isKnown = pool.transactions.includes(id) || pool.held.some((held) => held.id === id);
  const life = isKnown ? await readLife({ ask, pool }, id) : undefined;
  const cardId =
    life?.transaction.cardId ?? pool.cards.find(({ number }) => number === sent?.card_number)?.id;
  const credit = cardId === undefined ? undefined : await readCredit({ ask, pool }, cardId);
  return { life, cardId, credit };
}

/** The first time, what `check` says. A copy is told the first answer; that it moves nothing the tables tell. */
export const onceOnly =
  (kind: string, check: Effect): Effect =>
  async (accepted) => {
    const { answer, pool, reply } = accepted;
    const id: string = answer[`${kind}_id`];
    const first = pool.answers.get(`${kind} ${id}`);
    if (first !== undefined)
      return first === reply.text ? [] : [`a copy is answered ${reply.text.slice(0, 300)}, not ${first}`];
    pool.answers.set(`${kind} ${id}`, reply.text);
    remember(pool.messages, id);
    if (answer.transaction_id) remember(pool.transactions, answer.transaction_id);
    if (kind !== 'increment' && answer.status !== 'PENDING')
      pool.held = pool.held.filter((held) => held.id !== answer.transaction_id);
    return check(accepted);
  };

export async function wrongCredit(accepted: Accepted, cardId: string, change: bigint): Promise<string[]> {
  if (cardId === undefined) return [];
  const { credit } = accepted.before;
  const after = await readCredit(accepted, cardId);
  if (cardId !== accepted.before.cardId) return [];
  const isExact = [credit, after, Number(change)].every((amount) => Math.abs(amount) < INEXACT_MINOR);
  return !isExact || after === credit + Number(change)
    ? []
    : [`the card had ${credit}, ${change} were due, and it has ${after}`];
}

const EVENTS = { clearing: 'authorization.clearing', reversal: 'authorization.reversal' };

/** The purchase after the message: in the response, in the console, in its history and on its card. */
async function wrongPurchase(
  accepted: Accepted,
  life: Json,
  earlier: Json[],
  card: ModelCard,
  message: Clearing | Reversal,
) {
  const { answer, before } = accepted;
  const { transaction, events } = life;
  const creditMinor = availableOf(card);
  const { expected, apply } = predict(card, message, 0);
  apply();
  const purchase = card.purchases.get(PURCHASE_ID) as ModelPurchase;
  const { status } = purchase;
  const { bill_amount: bill } = 'response' in expected ? expected.response : {};
  const wrong = [
    ...differences(answer, {
      status,
      bill_amount: bill,
      transaction_id: before.life?.transaction.id,
      external_transaction_id: transaction.externalTransactionId,
      bill_currency: transaction.billCurrency,
    }),
    ...(await wrongCredit(accepted, transaction.cardId, availableOf(card) - creditMinor)),
  ];
  const shown = status === 'CLEARED' ? clearedMinor(purchase) : purchase.askedMinor;
  wrong.push(...differences(transaction, { status, billAmount: decimal(shown) }));
  const added = events.slice(earlier.length);
  if (JSON.stringify(events.slice(0, earlier.length)) !== JSON.stringify(earlier))
    wrong.push('the history has changed');
  // A reversal that released nothing need not be in the history.
  if (added.length === 0 && message.kind === 'reversal' && bill === decimal(0n)) return wrong;
  if (added.length !== 1) wrong.push(`the history has ${added.length} new entries`);
  const entry = { name: EVENTS[message.kind], messageId: message.id, status, billAmount: bill };
  return [...wrong, ...differences(events.at(-1), entry)];
}

/** Without an amount, all of it. */
const billOf = (sent: Json, wholeMinor: bigint): bigint => {
  const text = sent.bill_amount ?? sent.amount;
  return text === undefined ? wholeMinor : billMinorOf(text);
};

export const clearing: Effect = onceOnly('clearing', async (accepted) => {
  const { sent, answer, before, pool } = accepted;
  pool.purchases.set(answer.external_transaction_id, answer.transaction_id);
  const { clearing_id: id, transaction_id: transactionId } = answer;
  remember(pool.presented, { kind: 'clearing', id, transactionId });
  const life = await readLife(accepted, answer.transaction_id);
  if (!life) return ['the purchase is not found'];
  // A purchase that this lane does not know is new, or comes from a request whose effect was not checked.
  const earlier = before.life?.events ?? life.events.slice(0, -1);
  const card = modelOf(earlier);
  const { heldMinor = 0n, askedMinor = 0n } = card.purchases.get(PURCHASE_ID) ?? {};
  const wrong = await wrongPurchase(accepted, life, earlier, card, {
    kind: 'clearing',
    id: sent.clearing_id ?? answer.clearing_id,
    purchaseId: PURCHASE_ID,
    number: '',
    amount: '',
    currency: TERMS.currency,
    billMinor: billOf(sent, heldMinor > 0n ? heldMinor : askedMinor),
    final: sent.final ?? true,
  });
  const last = life.events.at(-1);
  if (sent.amount !== undefined && !isSame(last.amount, exact(sent.amount)))
    wrong.push(`${sent.amount} cleared, and the history has ${last.amount}`);
  return wrong;
});

export const reversal: Effect = onceOnly('reversal', async (accepted) => {
  const { sent, answer, before, pool } = accepted;
  if (answer.transaction_id === null) {
    pool.reversedFirst.add(answer.external_transaction_id);
    remember(pool.externals, answer.external_transaction_id);
    const { external_transaction_id } = sent;
    const wrong = differences(answer, { status: 'VOID', bill_amount: decimal(0n), external_transaction_id });
    if (before.life) wrong.push('a known purchase was not reversed');
    return wrong;
  }
  const life = await readLife(accepted, answer.transaction_id);
  if (!life) return ['the purchase is not found'];
  const earlier =
    before.life?.events ?? life.events.filter(({ messageId }: Json) => messageId !== answer.reversal_id);
  const text = sent.bill_amount ?? sent.amount;
  return wrongPurchase(accepted, life, earlier, modelOf(earlier), {
    kind: 'reversal',
    id: sent.reversal_id ?? answer.reversal_id,
    purchaseId: PURCHASE_ID,
    ...(text !== undefined && { billMinor: billMinorOf(text) }),
  });
});

/** A transaction of its own, which leaves its purchase as it is. */
export const refund: Effect = onceOnly('refund', async (accepted) => {
  const { sent, answer, before, pool } = accepted;
  const { refund_id: id, transaction_id: transactionId } = answer;
  remember(pool.presented, { kind: 'refund', id, transactionId });
  const life = await readLife(accepted, transactionId);
  if (!life) return ['the refund is not found'];
  const { transaction, parent, events } = life;
  const was = modelOf(before.life?.events ?? []).purchases.get(PURCHASE_ID);
  const bill = billOf(sent, was ? clearedMinor(was) || was.askedMinor : 0n);
  const messageId = sent.refund_id ?? answer.refund_id;
  const purchaseId = before.life?.transaction.id;
  const wrong = [
    ...differences(answer, {
      status: 'CLEARED',
      bill_amount: decimal(bill),
      refund_id: messageId,
      parent_transaction_id: purchaseId,
    }),
    ...differences(transaction, {
      kind: 'refund',
      status: 'CLEARED',
      billAmount: decimal(-bill),
      externalTransactionId: messageId,
    }),
    ...differences(parent, { id: purchaseId }),
    ...differences({ entries: events.map(({ name }: Json) => name) }, { entries: ['refund'] }),
    ...(await wrongCredit(accepted, transaction.cardId, bill)),
    ...(await wrongParent(accepted, transaction.id)),
  ];
  if (sent.amount !== undefined && !isSame(transaction.amount, -exact(sent.amount)))
    wrong.push(`the refund is of ${sent.amount}, and is shown with ${transaction.amount}`);
  return wrong;
});

async function wrongParent(accepted: Accepted, refundId: string): Promise<string[]> {
  const { life } = accepted.before;
  if (!life) return [];
  const after = await readLife(accepted, life.transaction.id);
  const isShown = after.refunds.some(({ id }: Json) => id === refundId);
  return [
    ...differences(after, { transaction: life.transaction, events: life.events }),
    ...(isShown || after.refunds.length >= MOST_REFUNDS_SHOWN
      ? []
      : ['the purchase does not show its refund']),
  ];
}
