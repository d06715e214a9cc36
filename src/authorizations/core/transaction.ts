import type { Acceptor } from '../../cards/read-network.ts';
import { type Day, formatTimestamp } from '../../kernel/calendar.ts';
import { amountToNumber, basisPoints, formatAmount } from '../../kernel/money.ts';
import type { AuthorizationMode } from '../../programs/program.ts';
import { authenticationView, type PurchaseAuthentication } from './authentication.ts';
import { DECLINES, type DeclineReason } from './decline.ts';
import type { Counted } from './spending.ts';

export type TransactionStatus = 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
export const CHANNELS = ['ECOMMERCE', 'POS', 'ATM', 'MOTO'] as const;
export type Channel = (typeof CHANNELS)[number];

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
  /** The authorized amount, or the requested amount of a decline. Held and cleared amounts are below. */
  billAmountMinor: bigint;
  billCurrency: string;
  /** The mode in which it was made: later messages undo what was done in it. */
  authorizationMode: AuthorizationMode;
  channel: Channel | null;
  acceptor: Acceptor | null;
  /** Null: the authorization has none. */
  authentication: PurchaseAuthentication | null;
  declineReason: DeclineReason | null;
  networkCode: string | null;
  approvalCode: string | null;
  /** The program's terms when the purchase began. The FX fee applies to what clears in a foreign currency. */
  fxFeeBps: number;
  /** Zero where the fee does not apply. */
  atmFeeMinor: bigint;
  heldMinor: bigint;
  /** Less the clearings that were reversed. */
  clearedMinor: bigint;
  /** The part of it that cleared in a foreign currency. */
  fxClearedMinor: bigint;
  /** A clearing was marked as the last one. */
  final: boolean;
  /** What cleared, in its currency, or in the card's if several currencies cleared. */
  clearedAmountMinor: bigint;
  clearedCurrency: string | null;
  createdAt: Date;
  /** The day of the approval. */
  approvedOn: Day | null;
  /** What is held and cleared, by the day on which it counts in the card's limits. */
  counted: Counted[];
}

type Terms = Pick<
  TransactionRecord,
  'currency' | 'billCurrency' | 'fxFeeBps' | 'atmFeeMinor' | 'heldMinor' | 'clearedMinor' | 'fxClearedMinor'
>;

/** What the cardholder is charged beside the bill amount. */
export interface Fees {
  fxMinor: bigint;
  atmMinor: bigint;
}
export const WITHOUT_FEES: Fees = { fxMinor: 0n, atmMinor: 0n };

/** The cardholder's fees on what has cleared: the same for one clearing as for several. */
export const chargedFees = ({ fxFeeBps, atmFeeMinor, clearedMinor, fxClearedMinor }: Terms): Fees => ({
  fxMinor: basisPoints(fxClearedMinor, fxFeeBps),
  atmMinor: clearedMinor > 0n ? atmFeeMinor : 0n,
});

/** The fees that are held with the bill amount: what would be charged if all of it cleared in the same currency. */
export function heldFees(terms: Terms): Fees {
  const { currency, billCurrency, fxFeeBps, atmFeeMinor, heldMinor, clearedMinor, fxClearedMinor } = terms;
  if (heldMinor === 0n) return WITHOUT_FEES;
  const isForeign = currency !== billCurrency;
  return {
    fxMinor: isForeign
      ? basisPoints(fxClearedMinor + heldMinor, fxFeeBps) - basisPoints(fxClearedMinor, fxFeeBps)
      : 0n,
    atmMinor: clearedMinor > 0n ? 0n : atmFeeMinor,
  };
}

/** The fees on the held and cleared amounts. */
export function feesOf(terms: Terms): Fees {
  const [held, charged] = [heldFees(terms), chargedFees(terms)];
  return { fxMinor: held.fxMinor + charged.fxMinor, atmMinor: held.atmMinor + charged.atmMinor };
}

export const lessFees = (fees: Fees, other: Fees): Fees => ({
  fxMinor: fees.fxMinor - other.fxMinor,
  atmMinor: fees.atmMinor - other.atmMinor,
});

/** All that a purchase takes from the card: held and cleared amounts, with their fees. */
export function takenOf(transaction: Terms): bigint {
  const { fxMinor, atmMinor } = feesOf(transaction);
  return transaction.heldMinor + transaction.clearedMinor + fxMinor + atmMinor;
}

/** The same of any transaction: a refund gives. */
const takenInAll = (transaction: TransactionRecord): bigint =>
  transaction.kind === 'refund' ? -transaction.clearedMinor : takenOf(transaction);

/**
 * What a purchase takes of its authentication: what is held and cleared, in the merchant's currency and rounded up. What
 * cleared in that currency counts as it cleared, because exchange rates differ; a clearing in a third currency is not known.
 */
export function authenticatedShareOf(transaction: TransactionRecord): bigint {
  const { currency, billCurrency, amountMinor, billAmountMinor, heldMinor, clearedMinor } = transaction;
  if (currency === billCurrency || billAmountMinor === 0n) return heldMinor + clearedMinor;
  const shareOf = (billMinor: bigint) => (amountMinor * billMinor + billAmountMinor - 1n) / billAmountMinor;
  const { clearedCurrency, clearedAmountMinor, fxClearedMinor } = transaction;
  return clearedCurrency === currency && fxClearedMinor === clearedMinor
    ? shareOf(heldMinor) + clearedAmountMinor
    : shareOf(heldMinor + clearedMinor);
}

/** Whether the card's available credit moves with the transaction. In `REAL_TIME` the merchant keeps the balances. */
export const movesCredit = ({ authorizationMode }: Pick<TransactionRecord, 'authorizationMode'>): boolean =>
  authorizationMode !== 'REAL_TIME';

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

/** What a message moved. The amount is null where only the bill amount is known. */
export interface Moved {
  messageId: string;
  amountMinor: bigint | null;
  currency: string;
  billAmountMinor: bigint;
}

/**
 * The data of a `transaction` event, without cardholder data. `moved` is what the message moved, `fees` the fees that it
 * charged or returned. Reports read events, because events never change and transactions do.
 */
export function eventView(
  transaction: TransactionRecord,
  moved: Moved,
  fees: Fees,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const { billCurrency } = transaction;
  // Without a network code, the reason is for an authorization that has not arrived: nothing was declined.
  const declineReason = transaction.networkCode === null ? null : transaction.declineReason;
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
    fx_fee_bps: moved.currency === billCurrency ? 0 : transaction.fxFeeBps,
    atm_fee: formatAmount(fees.atmMinor, billCurrency),
    taken_amount: formatAmount(takenInAll(transaction), billCurrency),
    channel: transaction.channel,
    merchant: transaction.acceptor,
    decline_code: declineReason && DECLINES[declineReason].declineCode,
    decline_reason: declineReason,
    network_code: transaction.networkCode,
    approval_code: transaction.approvalCode,
    parent_transaction_id: transaction.parentId,
    authorization_mode: transaction.authorizationMode,
    ...(transaction.authentication && { authentication: authenticationView(transaction.authentication) }),
    ...more,
  };
}
