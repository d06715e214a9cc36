import type { CardFacts } from '../../cards/card-facts.ts';
import { type Effects, newEvent, type Setting } from './effects.ts';
import type { ReversalRequest } from './message.ts';
import { interchangeTransfer } from './movements.ts';
import { interchangeOf, openOf, type Presentment, takeBack } from './presentment.ts';
import { type Response, respond } from './response.ts';
import { settle, settleRefund } from './settle.ts';
import { uncount } from './spending.ts';
import {
  chargedFees,
  heldFees,
  heldLess,
  type Increment,
  lessFees,
  settledStatus,
  type TransactionRecord,
  WITHOUT_FEES,
} from './transaction.ts';

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

interface ReversedFacts {
  card: CardFacts;
  transaction: TransactionRecord;
  /** Of an increment; undefined: of the purchase. */
  incrementId: string | undefined;
}

/**
 * Releases all or part of a hold, or of an increment of it, at most the amount still held. After a time-out only what we
 * have approved ourselves, and nothing once an advice has said what became of the purchase.
 */
export function applyReversal(
  request: ReversalRequest,
  { card, transaction: before, incrementId }: ReversedFacts,
  setting: Setting,
): Effects<Response> {
  if (before.type === 'CREDIT' && before.kind === 'refund')
    return reverseCredit(request, before, card, incrementId, setting);
  const { part, messageId } = request;
  const mostMinor = reversible(before, request, incrementId);
  const releasedMinor = least(part?.billAmountMinor ?? mostMinor, mostMinor);
  const isWhole = releasedMinor !== part?.billAmountMinor;
  const amountMinor = isWhole || part?.currency !== before.currency ? null : part.amountMinor;
  const released = release(before, releasedMinor, amountMinor);
  const transaction: TransactionRecord = {
    ...released,
    ...(released.status === 'VOID' && releasedMinor > 0n && { holdEnd: 'reversed' }),
    increments: before.increments.map((increment) =>
      increment.id === incrementId
        ? { ...increment, reversedMinor: increment.reversedMinor + releasedMinor }
        : increment,
    ),
  };
  const response = respond(transaction, releasedMinor);
  if (releasedMinor === 0n) return { response, transfers: [] };
  const moved = {
    messageId,
    amountMinor: before.heldAmountMinor - transaction.heldAmountMinor,
    currency: before.currency,
    billAmountMinor: releasedMinor,
  };
  const fees = lessFees(heldFees(before), heldFees(transaction));
  const more = incrementId === undefined ? {} : { reverses: incrementId };
  const event = newEvent('authorization.reversal', setting, transaction, moved, fees, more);
  return { response, transaction, event, ...settle(event.id, card, before, transaction, setting) };
}

/** The most that a reversal may release. */
function reversible(
  { heldMinor, increments, advised }: TransactionRecord,
  { timedOut }: ReversalRequest,
  incrementId: string | undefined,
): bigint {
  if (incrementId !== undefined) {
    const increment = increments.find(({ id }) => id === incrementId);
    return increment && !(timedOut && increment.advised) ? least(openIncrement(increment), heldMinor) : 0n;
  }
  if (!timedOut) return heldMinor;
  const othersMinor = increments.reduce((total, increment) => total + openIncrement(increment), 0n);
  return advised || othersMinor > heldMinor ? 0n : heldMinor - othersMinor;
}

const openIncrement = ({ billMinor, reversedMinor }: Increment): bigint => billMinor - reversedMinor;

/** A credit holds nothing: less of it is expected, or nothing any more. */
function reverseCredit(
  { messageId, part, timedOut }: ReversalRequest,
  before: TransactionRecord,
  card: CardFacts,
  incrementId: string | undefined,
  setting: Setting,
): Effects<Response> {
  const { status, billAmountMinor, amountMinor, currency } = before;
  const isOpen = status === 'PENDING' && incrementId === undefined && !(timedOut && before.advised);
  const reversedMinor = isOpen ? least(part?.billAmountMinor ?? billAmountMinor, billAmountMinor) : 0n;
  const { externalTransactionId } = before;
  if (reversedMinor === 0n)
    return { response: { ...respond(before, 0n), externalTransactionId }, transfers: [] };
  const isWhole = reversedMinor === billAmountMinor;
  const partMinor = isWhole ? amountMinor : (amountMinor * reversedMinor) / billAmountMinor;
  const left = { amountMinor: amountMinor - partMinor, billAmountMinor: billAmountMinor - reversedMinor };
  const transaction: TransactionRecord = isWhole ? { ...before, status: 'VOID' } : { ...before, ...left };
  const moved = { messageId, amountMinor: partMinor, currency, billAmountMinor: reversedMinor };
  const event = newEvent('authorization.reversal', setting, transaction, moved, WITHOUT_FEES);
  const response = { ...respond(transaction, reversedMinor), externalTransactionId };
  return { response, card, transaction, event, transfers: [] };
}

/** The transaction with part of its hold released. */
export function release(
  transaction: TransactionRecord,
  billMinor: bigint,
  amountMinor?: bigint | null,
): TransactionRecord {
  if (billMinor === 0n && transaction.kind === 'purchase') return transaction;
  const after = {
    ...transaction,
    ...heldLess(transaction, billMinor, amountMinor),
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
  const reversedMinor = least(request.part?.billAmountMinor ?? openOf(presented), openOf(presented));
  if (reversedMinor === 0n) return { response: respond(before, 0n), transfers: [] };
  const { after: presentment, amountMinor, currency } = takeBack(presented, reversedMinor, request.part);
  const { messageId } = request;
  const moved = { messageId, amountMinor, currency, billAmountMinor: reversedMinor };
  const transaction = unclear(before, presented, reversedMinor, amountMinor);
  const response = respond(transaction, reversedMinor);
  const isRefund = presented.kind === 'refund';
  const fees = isRefund ? WITHOUT_FEES : lessFees(chargedFees(before), chargedFees(transaction));
  const name = isRefund ? 'refund.reversal' : 'authorization.clearing.reversal';
  const event = newEvent(name, setting, transaction, moved, fees, { reverses: presented.messageId });
  const settled = isRefund
    ? settleRefund(event.id, card, transaction, -reversedMinor)
    : settle(event.id, card, before, transaction, setting);
  const backMinor = interchangeOf(presentment) - interchangeOf(presented);
  const transfers = [...settled.transfers, interchangeTransfer(event.id, backMinor)];
  return { response, card: settled.card, transaction, presentment, event, transfers };
}

/** The transaction without a part of a clearing or refund. */
function unclear(
  before: TransactionRecord,
  presented: Presentment,
  billMinor: bigint,
  amountMinor: bigint,
): TransactionRecord {
  const { kind, currency, countedOn } = presented;
  const after = {
    ...before,
    clearedMinor: before.clearedMinor - billMinor,
    clearedAmountMinor:
      before.clearedAmountMinor - (before.clearedCurrency === before.billCurrency ? billMinor : amountMinor),
  };
  // As if nothing had cleared: another currency may clear, and a late authorization holds again. The latter also without
  // the final clearing.
  const isNothing = after.clearedMinor === 0n;
  const nothing = isNothing && { clearedAmountMinor: 0n, clearedCurrency: null };
  if (kind === 'refund') return { ...after, ...nothing, status: settledStatus(after) };
  return {
    ...after,
    ...nothing,
    final: before.final && !isNothing && !(presented.final && billMinor === openOf(presented)),
    status: settledStatus(after),
    fxClearedMinor: before.fxClearedMinor - (currency === before.billCurrency ? 0n : billMinor),
    counted: uncount(before.counted, billMinor, countedOn),
  };
}

/** The reversal of an authorization that has not arrived yet. */
export const earlyReversal = (externalTransactionId: string, billCurrency: string): Effects<Response> => ({
  // Nothing was held, so nothing is released.
  response: { transactionId: null, externalTransactionId, status: 'VOID', billAmountMinor: 0n, billCurrency },
  transfers: [],
});
