import { randomKey } from '../../lib/random-key.ts';
import type { TransactionDetail, TransactionLife } from '../../lib/types.ts';

/** A message as it is sent to the sandbox API, and what to say when it was taken. */
export interface SentMessage {
  path: 'authorizations' | 'increments' | 'reversals' | 'clearings' | 'refunds';
  body: object;
  done: string;
}

/** The amount as text; `billAmount` only where the purchase is in another currency than the card. */
export interface MessageMoney {
  amount: string;
  billAmount: string;
}

export interface MessageChoice {
  label: string;
  words: string;
  /** `optional`: without it, the message is for all of it. */
  amount: 'required' | 'optional' | 'none';
  messageOf: (money: MessageMoney) => SentMessage;
}

type Transaction = TransactionDetail;

/** The fields of an amount in the API; none where nothing was entered. */
function moneyOf({ currency, billCurrency }: Transaction, { amount, billAmount }: MessageMoney): object {
  if (amount.trim() === '') return {};
  const isForeign = currency !== billCurrency;
  return { amount: amount.trim(), currency, ...(isForeign && { bill_amount: billAmount.trim() }) };
}

const increment = (transaction: Transaction): MessageChoice => ({
  label: 'Increment',
  words: 'Adds to the hold. Decided like a purchase.',
  amount: 'required',
  messageOf: (money) => {
    const { currency: _, ...added } = moneyOf(transaction, money) as { currency?: string };
    return {
      path: 'increments',
      body: { transaction_id: transaction.id, ...added },
      done: 'Increment sent.',
    };
  },
});

const reversal = (
  transaction: Transaction,
  label: string,
  words: string,
  more: object,
  amount: MessageChoice['amount'],
): MessageChoice => ({
  label,
  words,
  amount,
  messageOf: (money) => ({
    path: 'reversals',
    body: { transaction_id: transaction.id, ...more, ...moneyOf(transaction, money) },
    done: 'Reversal sent.',
  }),
});

const advice = (transaction: Transaction, approved: boolean): MessageChoice => ({
  label: approved ? 'Advice: the network approved' : 'Advice: the network declined',
  words: approved
    ? 'Holds this amount, whatever was answered before, less what has cleared.'
    : 'Releases what is still held.',
  amount: 'required',
  messageOf: (money) => ({
    path: 'authorizations',
    body: {
      card_id: transaction.cardId,
      external_transaction_id: transaction.externalTransactionId,
      advice_id: `adv-${randomKey()}`,
      stand_in: { approved },
      ...(transaction.type && { type: transaction.type }),
      ...(transaction.channel && { channel: transaction.channel }),
      ...(transaction.merchant && { merchant: transaction.merchant }),
      ...moneyOf(transaction, money),
    },
    done: 'Advice sent.',
  }),
});

/** The messages that can follow a purchase, beside those with a button of their own. */
export function messagesFor({ transaction, events }: TransactionLife): MessageChoice[] {
  const { kind, status } = transaction;
  if (kind === 'refund' || transaction.type === 'BALANCE_INQUIRY') return [];
  const advices = [advice(transaction, true), advice(transaction, false)];
  if (status !== 'PENDING') return advices;
  const increments = events.filter(({ name }) => name === 'authorization.increment');
  return [
    increment(transaction),
    reversal(transaction, 'Reversal of a part', 'Releases this part of the hold.', {}, 'required'),
    ...increments.map(({ messageId, billAmount, billCurrency }) =>
      reversal(
        transaction,
        `Reversal of the increment of ${billAmount} ${billCurrency}`,
        'Releases this increment. Without an amount: all of it.',
        { increment_id: messageId },
        'optional',
      ),
    ),
    reversal(
      transaction,
      'Reversal after a time-out',
      'The network got no answer: undoes only what Emboss itself approved.',
      { reason: 'TIMEOUT' },
      'none',
    ),
    ...advices,
  ];
}
