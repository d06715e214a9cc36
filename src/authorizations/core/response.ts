import type { DeclineReason } from './decline.ts';
import type { TransactionRecord, TransactionStatus } from './transaction.ts';

/** What the network gets back for a message. The network API converts it to JSON. */
export interface Response {
  transactionId: string | null;
  /** The network's id of the purchase. Null: of a refund without a purchase. */
  externalTransactionId: string | null;
  status: TransactionStatus;
  /** What was approved, reversed, cleared or refunded. In a decline, what was requested. */
  billAmountMinor: bigint;
  billCurrency: string;
}

/** The response to an authorization or an increment. */
export interface DecidedResponse extends Response {
  externalTransactionId: string;
  /** The same in the merchant's currency. */
  amountMinor: bigint;
  currency: string;
  approved: boolean;
  /** Both null if it was approved. */
  declineCode: string | null;
  declineReason: DeclineReason | null;
  networkCode: string;
  approvalCode: string | null;
  /** The balance that an approved inquiry shows. Null for all others, and if the merchant did not say it. */
  availableMinor: bigint | null;
  /** If this was a wrong expiry date or CVV: how many the card has had in 24 hours. Not stored: absent on repeats. */
  wrongEntries?: number;
}

export interface RefundResponse extends Response {
  parentTransactionId: string | null;
}

/** A refund's own id is its message's. */
export const respond = (
  { id, kind, externalTransactionId, status, billCurrency }: TransactionRecord,
  billAmountMinor: bigint,
): Response => ({
  transactionId: id,
  externalTransactionId: kind === 'refund' ? null : externalTransactionId,
  status,
  billAmountMinor,
  billCurrency,
});

/** The response to each kind of message. */
export interface Responses {
  authorization: DecidedResponse;
  advice: DecidedResponse;
  increment: DecidedResponse;
  reversal: Response;
  clearing: Response;
  refund: RefundResponse;
  /** Whether the hold had expired. */
  expiry: boolean;
  /** Always true. */
  recount: boolean;
}
export type AnyResponse = Responses[keyof Responses];
/** Of the messages that have a record. */
export type StoredResponse = DecidedResponse | RefundResponse | Response;
