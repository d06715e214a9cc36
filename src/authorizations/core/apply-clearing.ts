import type { CardFacts } from '../../cards/card-facts.ts';
import { basisPoints } from '../../kernel/money.ts';
import type { FeeSchedule } from '../../programs/program.ts';
import { type Effects, newEvent, type Setting } from './effects.ts';
import type { ClearingRequest } from './message.ts';
import { costTransfer, interchangeTransfer } from './movements.ts';
import { atmFeeOf, fillOrigin, newTransaction } from './new-transaction.ts';
import { interchangeOf, type Presentment } from './presentment.ts';
import { type Response, respond } from './response.ts';
import { settle } from './settle.ts';
import { countOn, uncount } from './spending.ts';
import { chargedFees, lessFees, settledStatus, type TransactionRecord } from './transaction.ts';

/**
 * A clearing is never refused, whatever is held or available. The hold is first adjusted to what the clearing needs, up
 * or down, then spent. A final clearing releases the rest of the hold.
 */
export function applyClearing(
  request: ClearingRequest,
  { card, transaction: before }: { card: CardFacts; transaction: TransactionRecord },
  setting: Setting,
): Effects<Response> {
  const { program, today } = setting;
  const { billAmountMinor, amountMinor, currency, messageId } = request;
  // A clearing without authorization counts on its own day.
  const countedOn = before.approvedOn ?? today;
  const origin = fillOrigin(before, request);
  const atmFeeMinor = before.channel === null ? atmFeeOf(program, origin.channel) : before.atmFeeMinor;
  const transaction = clear({ ...before, ...origin, atmFeeMinor }, request, countedOn);
  const fees = lessFees(chargedFees(transaction), chargedFees(before));
  const event = newEvent('authorization.clearing', setting, transaction, request, fees);
  const presentment: Presentment = {
    kind: 'clearing',
    messageId,
    transactionId: before.id,
    cardId: card.cardId,
    amountMinor,
    currency,
    billMinor: billAmountMinor,
    reversedMinor: 0n,
    interchangeBps: program.interchangeBps,
    countedOn,
  };
  const settled = settle(event.id, card, before, transaction, setting);
  return {
    response: respond(transaction, billAmountMinor),
    card: settled.card,
    transaction,
    presentment,
    event,
    transfers: [
      ...settled.transfers,
      interchangeTransfer(event.id, interchangeOf(presentment)),
      costTransfer(event.id, costOf(program, billAmountMinor)),
    ],
  };
}

const costOf = ({ transactionCostMinor, transactionCostBps }: FeeSchedule, billMinor: bigint): bigint =>
  billMinor > 0n ? transactionCostMinor + basisPoints(billMinor, transactionCostBps) : 0n;

function clear(before: TransactionRecord, request: ClearingRequest, countedOn: string): TransactionRecord {
  const { billAmountMinor, currency, final } = request;
  const restMinor = before.heldMinor - billAmountMinor;
  const heldMinor = final || restMinor < 0n ? 0n : restMinor;
  const fromHoldMinor = restMinor < 0n ? before.heldMinor : billAmountMinor;
  const releasedMinor = before.heldMinor - fromHoldMinor - heldMinor;
  const after = {
    ...before,
    ...clearedAmount(before, request),
    heldMinor,
    clearedMinor: before.clearedMinor + billAmountMinor,
    fxClearedMinor: before.fxClearedMinor + (currency === before.billCurrency ? 0n : billAmountMinor),
    final: before.final || final,
    counted: countOn(uncount(before.counted, releasedMinor), countedOn, billAmountMinor - fromHoldMinor),
  };
  // A clearing of zero on a declined purchase leaves it declined.
  if (after.clearedMinor === 0n && before.heldMinor === 0n) return { ...after, status: before.status };
  return { ...after, status: settledStatus(after) };
}

/** In the currency that cleared. Amounts in several have no sum but in the card's. */
function clearedAmount(before: TransactionRecord, request: ClearingRequest) {
  const { amountMinor, currency, billAmountMinor } = request;
  const { clearedMinor, clearedAmountMinor, clearedCurrency, billCurrency } = before;
  if (clearedCurrency === null || clearedCurrency === currency)
    return { clearedAmountMinor: clearedAmountMinor + amountMinor, clearedCurrency: currency };
  return { clearedAmountMinor: clearedMinor + billAmountMinor, clearedCurrency: billCurrency };
}

/** The purchase of a clearing without authorization: nothing was held. */
export const unauthorizedPurchase = (
  request: ClearingRequest,
  externalTransactionId: string,
  card: CardFacts,
  setting: Setting,
  reversedFirst: boolean,
): TransactionRecord =>
  newTransaction(request, card, setting, {
    kind: 'purchase',
    externalTransactionId,
    status: 'VOID',
    // For the authorization that may still arrive.
    declineReason: reversedFirst ? 'already_reversed' : null,
    channel: request.channel ?? null,
    acceptor: request.acceptor ?? null,
    atmFeeMinor: atmFeeOf(setting.program, request.channel ?? null),
  });
