import {
  type Accepted,
  askConsole,
  differences,
  type Effect,
  type Json,
  type Look,
  minor,
  readCard,
} from './effect.ts';
import { remember } from './pool.ts';

/**
 * What a clearing, a reversal or a refund does, told from the purchase's history as the console shows it. The
 * programs here charge no fees, so what a card can spend moves by the amounts alone.
 */

/** More than any currency has. */
const DECIMALS = 4;
/** From here on a number of JSON is no longer exact to the cent. */
const INEXACT_MINOR = 1e12;
const MOST_REFUNDS_SHOWN = 100;

/** A decimal, whole and in full. */
function exact(text: string): bigint {
  const [whole = '', part = ''] = text.replace('-', '').split('.');
  const value = BigInt(whole + part.padEnd(DECIMALS, '0').slice(0, DECIMALS));
  return text.startsWith('-') ? -value : value;
}
const inWords = (value: bigint): string => (Number(value) / 10 ** DECIMALS).toFixed(2);
const inMinor = (value: bigint): number => Number(value / 100n);
const isSame = (found: Json, wanted: bigint): boolean => typeof found === 'string' && exact(found) === wanted;

interface Purchase {
  status: string;
  /** What it was for: its authorization tells, or the clearing that came without one. */
  asked: bigint;
  held: bigint;
  cleared: bigint;
}

/** What the history of a purchase comes to. */
function purchaseOf(events: Json[]): Purchase {
  const first = events.find(({ name }) => name === 'authorization') ?? events[0];
  const purchase = { status: 'VOID', asked: first ? exact(first.billAmount) : 0n, held: 0n, cleared: 0n };
  for (const { name, billAmount, status } of events) {
    const bill = exact(billAmount);
    if (name === 'authorization') purchase.held = bill - purchase.cleared;
    if (name === 'authorization.reversal') purchase.held -= bill;
    if (name === 'authorization.clearing') {
      purchase.cleared += bill;
      purchase.held -= bill;
    }
    // Also where a final clearing, or time, has let the rest of it go.
    if (status !== 'PENDING') purchase.held = 0n;
    purchase.status = status;
  }
  return purchase;
}

const statusOf = ({ held, cleared }: Pick<Purchase, 'held' | 'cleared'>): string =>
  held > 0n ? 'PENDING' : cleared > 0n ? 'CLEARED' : 'VOID';

async function readLife({ ask, pool }: Pick<Accepted, 'ask' | 'pool'>, id: string): Promise<Json> {
  const { status, body } = await askConsole(ask, pool, `transactions/${id}/`);
  return status === 200 ? body : undefined;
}

const readCredit = async (accepted: Pick<Accepted, 'ask' | 'pool'>, cardId: string): Promise<number> =>
  minor((await readCard(accepted, cardId)).availableCredit);

/** The purchase that a message names, as far as this lane knows it, and what its card can spend. */
export const lookAtPurchase: Look = async ({ value }, pool, ask) => {
  const sent = value as Json;
  const id = sent?.transaction_id ?? pool.purchases.get(sent?.external_transaction_id);
  const isKnown = pool.transactions.includes(id) || pool.held.some((held) => held.id === id);
  const life = isKnown ? await readLife({ ask, pool }, id) : undefined;
  const cardId =
    life?.transaction.cardId ?? pool.cards.find(({ number }) => number === sent?.card_number)?.id;
  const credit = cardId === undefined ? undefined : await readCredit({ ask, pool }, cardId);
  return { life, cardId, credit };
};

/** The first time, what `check` says. A copy is told the first answer; that it moves nothing the tables tell. */
const onceOnly =
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
    if (answer.status !== 'PENDING')
      pool.held = pool.held.filter((held) => held.id !== answer.transaction_id);
    return check(accepted);
  };

async function wrongCredit(accepted: Accepted, cardId: string, change: bigint): Promise<string[]> {
  if (cardId === undefined) return [];
  const { credit } = accepted.before;
  const after = await readCredit(accepted, cardId);
  if (cardId !== accepted.before.cardId) return [];
  const isExact = [credit, after, inMinor(change)].every((amount) => Math.abs(amount) < INEXACT_MINOR);
  return !isExact || after === credit + inMinor(change)
    ? []
    : [`the card had ${credit}, ${inMinor(change)} were due, and it has ${after}`];
}

interface Expected {
  /** Of the answer and of the history's last entry. */
  bill: bigint;
  purchase: Purchase;
  /** What the card can spend more. */
  change: bigint;
  event: string;
  messageId: string;
  /** A message that changed nothing need not stand in the history. */
  mayBeLeftOut: boolean;
}

/** The purchase after the message, as answered, as shown, in its history and on its card. */
async function wrongPurchase(accepted: Accepted, life: Json, earlier: Json[], expected: Expected) {
  const { answer, before } = accepted;
  const { bill, purchase, change, event, messageId, mayBeLeftOut } = expected;
  const { status, cleared, asked } = purchase;
  const { transaction, events } = life;
  const wrong = [
    ...differences(answer, {
      status,
      transaction_id: before.life?.transaction.id,
      external_transaction_id: transaction.externalTransactionId,
      bill_currency: transaction.billCurrency,
    }),
    ...differences(transaction, { status }),
    ...(await wrongCredit(accepted, transaction.cardId, change)),
  ];
  if (!isSame(answer.bill_amount, bill))
    wrong.push(`bill_amount: wanted ${inWords(bill)}, found ${answer.bill_amount}`);
  const shown = status === 'CLEARED' ? cleared : asked;
  if (!isSame(transaction.billAmount, shown))
    wrong.push(`the purchase comes to ${inWords(shown)}, and is shown with ${transaction.billAmount}`);
  const added = events.slice(earlier.length);
  if (JSON.stringify(events.slice(0, earlier.length)) !== JSON.stringify(earlier))
    wrong.push('the history is another one now');
  if (added.length === 0 && mayBeLeftOut) return wrong;
  if (added.length !== 1) wrong.push(`the history has ${added.length} new entries`);
  const last = events.at(-1);
  wrong.push(...differences(last, { name: event, messageId, status }));
  if (!isSame(last?.billAmount, bill))
    wrong.push(`the history tells of ${last?.billAmount}, not of ${inWords(bill)}`);
  return wrong;
}

/** Without an amount, all of it. */
const billOf = (sent: Json, whole: bigint): bigint => {
  const text = sent.bill_amount ?? sent.amount;
  return text === undefined ? whole : exact(text);
};

export const clearing: Effect = onceOnly('clearing', async (accepted) => {
  const { sent, answer, before, pool } = accepted;
  pool.purchases.set(answer.external_transaction_id, answer.transaction_id);
  const life = await readLife(accepted, answer.transaction_id);
  if (!life) return ['the purchase is not found'];
  // A purchase that this lane knows nothing of is new, or was made by a request that nobody looked after.
  const earlier = before.life?.events ?? life.events.slice(0, -1);
  const was = purchaseOf(earlier);
  const bill = billOf(sent, was.held > 0n ? was.held : was.asked);
  const rest = was.held - bill;
  const held = (sent.final ?? true) || rest < 0n ? 0n : rest;
  const cleared = was.cleared + bill;
  const isNothing = cleared === 0n && was.held === 0n;
  const wrong = await wrongPurchase(accepted, life, earlier, {
    bill,
    purchase: {
      status: isNothing ? was.status : statusOf({ held, cleared }),
      asked: earlier.length === 0 ? bill : was.asked,
      held,
      cleared,
    },
    change: was.held - held - bill,
    event: 'authorization.clearing',
    messageId: sent.clearing_id ?? answer.clearing_id,
    mayBeLeftOut: false,
  });
  const last = life.events.at(-1);
  if (sent.amount !== undefined && !isSame(last.amount, exact(sent.amount)))
    wrong.push(`${sent.amount} cleared, and the history tells of ${last.amount}`);
  return wrong;
});

export const reversal: Effect = onceOnly('reversal', async (accepted) => {
  const { sent, answer, before, pool } = accepted;
  if (answer.transaction_id === null) {
    pool.reversedFirst.add(answer.external_transaction_id);
    remember(pool.externals, answer.external_transaction_id);
    const wrong = differences(answer, {
      status: 'VOID',
      external_transaction_id: sent.external_transaction_id,
    });
    if (!isSame(answer.bill_amount, 0n)) wrong.push(`${answer.bill_amount} were given back of nothing`);
    if (before.life) wrong.push('a purchase that is known was not reversed');
    return wrong;
  }
  const life = await readLife(accepted, answer.transaction_id);
  if (!life) return ['the purchase is not found'];
  const earlier =
    before.life?.events ?? life.events.filter(({ messageId }: Json) => messageId !== answer.reversal_id);
  const was = purchaseOf(earlier);
  const wanted = billOf(sent, was.held);
  const bill = wanted < was.held ? wanted : was.held;
  const held = was.held - bill;
  return wrongPurchase(accepted, life, earlier, {
    bill,
    purchase: { ...was, held, status: bill === 0n ? was.status : statusOf({ held, cleared: was.cleared }) },
    change: bill,
    event: 'authorization.reversal',
    messageId: sent.reversal_id ?? answer.reversal_id,
    mayBeLeftOut: bill === 0n,
  });
});

/** A transaction of its own, which leaves its purchase as it is. */
export const refund: Effect = onceOnly('refund', async (accepted) => {
  const { sent, answer, before } = accepted;
  const life = await readLife(accepted, answer.transaction_id);
  if (!life) return ['the refund is not found'];
  const { transaction, parent, events } = life;
  const was = purchaseOf(before.life?.events ?? []);
  const bill = billOf(sent, was.cleared > 0n ? was.cleared : was.asked);
  const messageId = sent.refund_id ?? answer.refund_id;
  const purchaseId = before.life?.transaction.id;
  const wrong = [
    ...differences(answer, { status: 'CLEARED', refund_id: messageId, parent_transaction_id: purchaseId }),
    ...differences(transaction, { kind: 'refund', status: 'CLEARED', externalTransactionId: messageId }),
    ...differences(parent, { id: purchaseId }),
    ...differences({ entries: events.map(({ name }: Json) => name) }, { entries: ['refund'] }),
    ...(await wrongCredit(accepted, transaction.cardId, bill)),
    ...(await wrongParent(accepted, transaction.id)),
  ];
  if (!isSame(answer.bill_amount, bill))
    wrong.push(`bill_amount: wanted ${inWords(bill)}, found ${answer.bill_amount}`);
  if (!isSame(transaction.billAmount, -bill))
    wrong.push(`the refund is of ${inWords(bill)}, and is shown with ${transaction.billAmount}`);
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
