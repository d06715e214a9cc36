import type { NetworkData } from '../../cards/network-data.ts';
import type { Acceptor } from '../../cards/read-network.ts';
import { type Day, formatTimestamp } from '../../kernel/calendar.ts';
import type { Metadata } from '../../kernel/metadata.ts';
import { amountToNumber, basisPoints, formatAmount } from '../../kernel/money.ts';
import type { AuthorizationMode } from '../../programs/program.ts';
import type { MatchedRule } from '../../rules/judge-rules.ts';
import { authenticationView, type PurchaseAuthentication } from './authentication.ts';
import type { AuthorizationType } from './authorization-type.ts';
import { DECLINES, type DeclineReason } from './decline.ts';
import type { Flag } from './flag.ts';
import type { Counted } from './spending.ts';

export type TransactionStatus = 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
export const CHANNELS = ['ECOMMERCE', 'POS', 'ATM', 'MOTO'] as const;
export type Channel = (typeof CHANNELS)[number];

/** An approved increment of a hold. */
export interface Increment {
  id: string;
  billMinor: bigint;
  /** The same in the merchant's currency. */
  amountMinor: bigint;
  reversedMinor: bigint;
  /** An advice has said since what became of the purchase, with this increment in its amount. */
  advised: boolean;
}

/** A purchase, created by its authorization or first clearing, or a refund. */
export interface TransactionRecord {
  id: string;
  cardId: string;
  credentialId: string;
  kind: 'purchase' | 'refund';
  /** Null: a purchase, or no authorization has said it. */
  type: AuthorizationType | null;
  parentId: string | null;
  externalTransactionId: string;
  status: TransactionStatus;
  amountMinor: bigint;
  currency: string;
  /** All that was authorized, or the requested amount of a decline. Held and cleared amounts are below. */
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
  /** The same in the merchant's currency. */
  heldAmountMinor: bigint;
  increments: Increment[];
  /** When the days of the hold began anew. Null: when it was created. */
  renewedAt: Date | null;
  /** Why nothing is held any more, where that was not a clearing. */
  holdEnd: 'expired' | 'reversed' | null;
  /** The network has said by an advice what became of it. */
  advised: boolean;
  /** Less the clearings that were reversed. */
  clearedMinor: bigint;
  /** The part of it that cleared in a foreign currency. */
  fxClearedMinor: bigint;
  /** A clearing was marked as the last one. */
  final: boolean;
  /** What cleared, in its currency, or in the card's if several currencies cleared. */
  clearedAmountMinor: bigint;
  clearedCurrency: string | null;
  /** What a person should look at. */
  flags: Flag[];
  network: NetworkData | null;
  /** The rules that matched its authorization. Null: none. */
  rules: readonly MatchedRule[] | null;
  /** Its authorization had a CVV. */
  cvvGiven: boolean;
  /** The merchant's own. No message writes it. */
  metadata: Metadata | null;
  createdAt: Date;
  /** The day of the approval. */
  approvedOn: Day | null;
  /** What is held and cleared, by the day on which it counts in the card's limits. */
  counted: Counted[];
}

export type Terms = Pick<
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
 * What a purchase takes of its authentication: what is held and cleared, in the merchant's currency. What cleared in
 * another currency counts in proportion, rounded up, because its exchange rate to the first is not known.
 */
export function authenticatedShareOf(transaction: TransactionRecord): bigint {
  const { currency, billCurrency, amountMinor, billAmountMinor, heldMinor, clearedMinor } = transaction;
  if (currency === billCurrency || billAmountMinor === 0n) return heldMinor + clearedMinor;
  const { clearedCurrency, clearedAmountMinor, fxClearedMinor, heldAmountMinor } = transaction;
  if (clearedMinor === 0n) return heldAmountMinor;
  return clearedCurrency === currency && fxClearedMinor === clearedMinor
    ? heldAmountMinor + clearedAmountMinor
    : (amountMinor * (heldMinor + clearedMinor) + billAmountMinor - 1n) / billAmountMinor;
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

/**
 * The amounts to show, which say what the transaction is now: held and cleared while it is pending, then cleared. One that
 * was declined, or of which nothing is left, shows what was authorized; so does a credit that is pending. A refund is negative.
 */
export function shownMoney(transaction: TransactionRecord) {
  const { kind, status, amountMinor, billAmountMinor, clearedMinor, currency } = transaction;
  const sign = kind === 'refund' ? -1n : 1n;
  if (status === 'CLEARED' && transaction.clearedCurrency !== null)
    return {
      billMinor: sign * clearedMinor,
      amountMinor: sign * transaction.clearedAmountMinor,
      currency: transaction.clearedCurrency,
    };
  if (status === 'PENDING' && kind === 'purchase')
    return {
      billMinor: transaction.heldMinor + clearedMinor,
      amountMinor: transaction.heldAmountMinor + clearedAmountIn(transaction),
      currency,
    };
  return { billMinor: sign * billAmountMinor, amountMinor: sign * amountMinor, currency };
}

/** What cleared, in the currency of the authorization: in proportion where it cleared in another. */
function clearedAmountIn(transaction: TransactionRecord): bigint {
  const { currency, clearedCurrency, clearedAmountMinor, amountMinor, clearedMinor } = transaction;
  if (clearedCurrency === null || clearedCurrency === currency) return clearedAmountMinor;
  if (currency === transaction.billCurrency) return clearedMinor;
  return transaction.billAmountMinor === 0n ? 0n : (amountMinor * clearedMinor) / transaction.billAmountMinor;
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

/** The transaction with less held; `amountMinor` is the same part in the merchant's currency, where it is known. */
export function heldLess(
  transaction: TransactionRecord,
  billMinor: bigint,
  amountMinor?: bigint | null,
): Pick<TransactionRecord, 'heldMinor' | 'heldAmountMinor'> {
  const { heldMinor, heldAmountMinor, currency, billCurrency } = transaction;
  const leftMinor = heldMinor - billMinor;
  if (leftMinor === 0n) return { heldMinor: 0n, heldAmountMinor: 0n };
  if (currency === billCurrency) return { heldMinor: leftMinor, heldAmountMinor: leftMinor };
  const partMinor = amountMinor ?? (heldAmountMinor * billMinor) / heldMinor;
  return {
    heldMinor: leftMinor,
    heldAmountMinor: partMinor < heldAmountMinor ? heldAmountMinor - partMinor : 0n,
  };
}

export const declineView = ({ declineReason }: Pick<TransactionRecord, 'declineReason'>) => ({
  decline_code: declineReason && DECLINES[declineReason].declineCode,
  decline_reason: declineReason,
});

/** Of money that has cleared: the flags say that it did so without an authorization. */
export const NOT_DECLINED = { declineReason: null, networkCode: null };

/** What a message moved. */
export interface Moved {
  messageId: string;
  amountMinor: bigint;
  currency: string;
  billAmountMinor: bigint;
  /** What the message said beside it. */
  network?: NetworkData | null;
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
  return {
    transaction_id: transaction.id,
    external_transaction_id: transaction.externalTransactionId,
    card_id: transaction.cardId,
    message_id: moved.messageId,
    status: transaction.status,
    amount: formatAmount(moved.amountMinor, moved.currency),
    currency: moved.currency,
    bill_amount: formatAmount(moved.billAmountMinor, billCurrency),
    bill_currency: billCurrency,
    fx_fee: formatAmount(fees.fxMinor, billCurrency),
    fx_fee_bps: moved.currency === billCurrency ? 0 : transaction.fxFeeBps,
    atm_fee: formatAmount(fees.atmMinor, billCurrency),
    taken_amount: formatAmount(takenInAll(transaction), billCurrency),
    channel: transaction.channel,
    merchant: transaction.acceptor,
    ...declineView(transaction),
    network_code: transaction.networkCode,
    approval_code: transaction.approvalCode,
    parent_transaction_id: transaction.parentId,
    authorization_mode: transaction.authorizationMode,
    ...(transaction.authentication && { authentication: authenticationView(transaction.authentication) }),
    network: moved.network ?? null,
    ...(transaction.metadata && { metadata: transaction.metadata }),
    ...more,
  };
}
