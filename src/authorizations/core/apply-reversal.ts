import type { CardFacts } from '../../cards/card-facts.ts';
import { type Effects, newEvent, type Setting } from './effects.ts';
import type { ReversalRequest } from './message.ts';
import { interchangeTransfer } from './movements.ts';
import { interchangeOf, openOf, type Presentment, reversedAmount } from './presentment.ts';
import { type Response, respond } from './response.ts';
import { settle, settleRefund } from './settle.ts';
import { uncount } from './spending.ts';
import {
  amountOf,
  chargedFees,
  heldFees,
  lessFees,
  settledStatus,
  type TransactionRecord,
  WITHOUT_FEES,
} from './transaction.ts';

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Releases all or part of a hold, at most the amount still held. */
export function applyReversal(
  request: ReversalRequest,
  { card, transaction: before }: { card: CardFacts; transaction: TransactionRecord },
  setting: Setting,
): Effects<Response> {
  const releasedMinor = least(request.billAmountMinor ?? before.heldMinor, before.heldMinor);
  const transaction = release(before, releasedMinor);
  const response = respond(transaction, releasedMinor);
  if (releasedMinor === 0n) return { response, transfers: [] };
  const moved = {
    messageId: request.messageId,
    amountMinor: amountOf(before, releasedMinor),
    currency: before.currency,
    billAmountMinor: releasedMinor,
  };
  const fees = lessFees(heldFees(before), heldFees(transaction));
  const event = newEvent('authorization.reversal', setting, transaction, moved, fees);
  return { response, transaction, event, ...settle(event.id, card, before, transaction, setting) };
}

/** The transaction with part of its hold released. */
export function release(transaction: TransactionRecord, billMinor: bigint): TransactionRecord {
  if (billMinor === 0n) return transaction;
  const after = {
    ...transaction,
    heldMinor: transaction.heldMinor - billMinor,
    counted: uncount(transaction.counted, billMinor),
  };
  return { ...after, status: settledStatus(after) };
}

interface Presented {
  card: CardFacts;
  transaction: TransactionRecord;
  presentment: Presentment;
}

/**
 * Takes back all or part of a clearing or a refund: the money, the cardholder's fees and the interchange. It is never
 * refused, even if the card falls below zero.
 */
export function applyPresentmentReversal(
  request: ReversalRequest,
  { card, transaction: before, presentment: presented }: Presented,
  setting: Setting,
): Effects<Response> {
  const reversedMinor = least(request.billAmountMinor ?? openOf(presented), openOf(presented));
  const presentment = { ...presented, reversedMinor: presented.reversedMinor + reversedMinor };
  if (reversedMinor === 0n) return { response: respond(before, 0n), transfers: [] };
  const amountMinor = reversedAmount(presented, presentment);
  const moved = {
    messageId: request.messageId,
    amountMinor,
    currency: presented.currency,
    billAmountMinor: reversedMinor,
  };
  const transaction = unclear(before, presented, reversedMinor, amountMinor);
  const response = respond(transaction, reversedMinor);
  const backMinor = interchangeOf(presented) - interchangeOf(presentment);
  if (presented.kind === 'refund') {
    const event = newEvent('refund.reversal', setting, transaction, moved, WITHOUT_FEES);
    const settled = settleRefund(event.id, card, transaction, -reversedMinor);
    const transfers = [...settled.transfers, interchangeTransfer(event.id, backMinor)];
    return { response, card: settled.card, transaction, presentment, event, transfers };
  }
  const fees = lessFees(chargedFees(before), chargedFees(transaction));
  const event = newEvent('authorization.clearing.reversal', setting, transaction, moved, fees);
  const settled = settle(event.id, card, before, transaction, setting);
  const transfers = [...settled.transfers, interchangeTransfer(event.id, -backMinor)];
  return { response, card: settled.card, transaction, presentment, event, transfers };
}

/** The transaction without a part of a clearing or refund. */
function unclear(
  before: TransactionRecord,
  { kind, currency, countedOn }: Presentment,
  billMinor: bigint,
  amountMinor: bigint,
): TransactionRecord {
  const after = {
    ...before,
    clearedMinor: before.clearedMinor - billMinor,
    clearedAmountMinor:
      before.clearedAmountMinor - (before.clearedCurrency === before.billCurrency ? billMinor : amountMinor),
  };
  if (kind === 'refund') return { ...after, status: settledStatus(after) };
  // As if nothing had cleared: a late authorization holds again, and another currency may clear.
  const isNothing = after.clearedMinor === 0n;
  return {
    ...after,
    ...(isNothing && { final: false, clearedAmountMinor: 0n, clearedCurrency: null }),
    status: settledStatus(after),
    fxClearedMinor: before.fxClearedMinor - (currency === before.billCurrency ? 0n : billMinor),
    counted: uncount(before.counted, billMinor, countedOn),
  };
}

/** The reversal of an authorization that has not arrived yet. The authorization will be declined. */
export const earlyReversal = (externalTransactionId: string, billCurrency: string): Effects<Response> => ({
  // Nothing was held, so nothing is released.
  response: { transactionId: null, externalTransactionId, status: 'VOID', billAmountMinor: 0n, billCurrency },
  transfers: [],
});
