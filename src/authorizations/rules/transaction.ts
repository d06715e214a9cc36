import { formatTimestamp } from '../../kernel/calendar.ts';
import { amountToNumber, basisPoints, formatAmount } from '../../kernel/money.ts';
import { DECLINES, type DeclineReason } from './decline.ts';

export type TransactionStatus = 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
export const CHANNELS = ['ECOMMERCE', 'POS', 'ATM'] as const;
export type Channel = (typeof CHANNELS)[number];

export interface Merchant {
  id: string;
  name: string;
  mcc: string;
  city: string;
  country: string;
}

/** A purchase, created by its authorization or first clearing, or a refund. */
export interface TransactionRecord {
  id: string;
  cardId: string;
  credentialId: string;
  kind: 'purchase' | 'refund';
  parentId: string | null;
  externalTransactionId: string;
  status: TransactionStatus;
  amountMinor: bigint;
  currency: string;
  /** The requested amount; held, cleared and reversed amounts are below. */
  billAmountMinor: bigint;
  billCurrency: string;
  channel: Channel | null;
  merchant: Merchant | null;
  declineReason: DeclineReason | null;
  networkCode: string | null;
  approvalCode: string | null;
  /** Zero where the fee does not apply. */
  fxFeeBps: number;
  atmFeeMinor: bigint;
  heldMinor: bigint;
  clearedMinor: bigint;
  reversedMinor: bigint;
  /** A clearing was marked as the last one. */
  final: boolean;
  /** What cleared, in the merchant's currency. */
  clearedAmountMinor: bigint;
  clearedCurrency: string | null;
  createdAt: Date;
  /** When it began to count in the card's limits: later than `createdAt` where a clearing arrived first. */
  approvedAt: Date | null;
}

type Terms = Pick<TransactionRecord, 'fxFeeBps' | 'atmFeeMinor' | 'clearedMinor'>;

/** What the cardholder is charged beside the bill amount. */
export interface Fees {
  fxMinor: bigint;
  atmMinor: bigint;
}
export const WITHOUT_FEES: Fees = { fxMinor: 0n, atmMinor: 0n };

/** The cardholder's fees on a part of the purchase. The ATM fee is charged once, with the first part that clears. */
export function feesOn(terms: Terms, billMinor: bigint): Fees {
  if (billMinor === 0n) return WITHOUT_FEES;
  return {
    fxMinor: basisPoints(billMinor, terms.fxFeeBps),
    atmMinor: terms.clearedMinor === 0n ? terms.atmFeeMinor : 0n,
  };
}

/** What a hold takes from the card: the bill amount and the fees on it. */
export function holdOf(transaction: Terms & Pick<TransactionRecord, 'heldMinor'>): bigint {
  const { fxMinor, atmMinor } = feesOn(transaction, transaction.heldMinor);
  return transaction.heldMinor + fxMinor + atmMinor;
}

/** The status of a purchase that was approved or cleared, by its amounts. */
export function settledStatus({
  heldMinor,
  clearedMinor,
}: Pick<TransactionRecord, 'heldMinor' | 'clearedMinor'>): TransactionStatus {
  if (heldMinor > 0n) return 'PENDING';
  return clearedMinor > 0n ? 'CLEARED' : 'VOID';
}

/** The amounts to show: what cleared, or the requested amount where nothing cleared. A refund is negative. */
export function shownMoney(transaction: TransactionRecord) {
  const { kind, status, billAmountMinor, clearedMinor, clearedAmountMinor, clearedCurrency } = transaction;
  const sign = kind === 'refund' ? -1n : 1n;
  if (status !== 'CLEARED' || clearedCurrency === null)
    return {
      billMinor: sign * billAmountMinor,
      amountMinor: sign * transaction.amountMinor,
      currency: transaction.currency,
    };
  return {
    billMinor: sign * clearedMinor,
    amountMinor: sign * clearedAmountMinor,
    currency: clearedCurrency,
  };
}

/** The Transaction of the API. */
export function presentTransaction(transaction: TransactionRecord, cardholderName: string) {
  const { billMinor, amountMinor, currency } = shownMoney(transaction);
  return {
    id: transaction.id,
    external_transaction_id: transaction.externalTransactionId,
    card_id: transaction.cardId,
    bill_amount: amountToNumber(billMinor, transaction.billCurrency),
    bill_currency: transaction.billCurrency,
    cardholder_name: cardholderName,
    amount: formatAmount(amountMinor, currency),
    currency,
    status: transaction.status,
    created: formatTimestamp(transaction.createdAt),
  };
}

/** A part of the bill amount in the merchant's currency; null where it is unknown. */
export function amountOf(transaction: TransactionRecord, billMinor: bigint): bigint | null {
  const { currency, billCurrency, amountMinor, billAmountMinor } = transaction;
  if (currency === billCurrency) return billMinor;
  return billMinor === billAmountMinor ? amountMinor : null;
}

/**
 * The data of a `transaction` event, without cardholder data. `moved` is what the message moved, `fees` the fees that it
 * charged or returned. Reports read events, because events never change and transactions do.
 */
export function eventView(
  transaction: TransactionRecord,
  moved: { messageId: string; amountMinor: bigint | null; currency: string; billAmountMinor: bigint },
  fees: Fees,
): Record<string, unknown> {
  const { billCurrency, declineReason } = transaction;
  return {
    transaction_id: transaction.id,
    external_transaction_id: transaction.externalTransactionId,
    card_id: transaction.cardId,
    message_id: moved.messageId,
    status: transaction.status,
    amount: moved.amountMinor === null ? null : formatAmount(moved.amountMinor, moved.currency),
    currency: moved.currency,
    bill_amount: formatAmount(moved.billAmountMinor, billCurrency),
    bill_currency: billCurrency,
    fx_fee: formatAmount(fees.fxMinor, billCurrency),
    fx_fee_bps: transaction.fxFeeBps,
    atm_fee: formatAmount(fees.atmMinor, billCurrency),
    channel: transaction.channel,
    merchant: transaction.merchant,
    decline_code: declineReason && DECLINES[declineReason].declineCode,
    decline_reason: declineReason,
    network_code: transaction.networkCode,
    approval_code: transaction.approvalCode,
    parent_transaction_id: transaction.parentId,
  };
}
