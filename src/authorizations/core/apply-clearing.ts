import type { CardFacts } from '../../cards/card-facts.ts';
import { withNewer } from '../../cards/network-data.ts';
import type { Day } from '../../kernel/calendar.ts';
import { basisPoints } from '../../kernel/money.ts';
import type { FeeSchedule } from '../../programs/program.ts';
import { type Effects, newEvent, type Setting } from './effects.ts';
import { flagsOf, withFlags } from './flags.ts';
import { clearedMark } from './marks.ts';
import type { ClearingRequest, RefundRequest } from './message.ts';
import { costTransfer, interchangeTransfer } from './movements.ts';
import { atmFeeOf, fillOrigin, interchangeBpsOf, newTransaction } from './new-transaction.ts';
import { interchangeOf, type Presentment } from './presentment.ts';
import { type Response, respond } from './response.ts';
import { settle } from './settle.ts';
import { type Counted, countOn, type Mark, uncount } from './spending.ts';
import {
  chargedFees,
  heldLess,
  lessFees,
  NOT_DECLINED,
  settledStatus,
  type TransactionRecord,
} from './transaction.ts';

/**
 * A clearing is never refused, whatever is held or available. The hold is first adjusted to what the clearing needs, up
 * or down, then spent. A final clearing releases the rest of the hold.
 */
export function applyClearing(
  request: ClearingRequest,
  facts: { card: CardFacts; transaction: TransactionRecord; isDuplicate: boolean },
  setting: Setting,
): Effects<Response> {
  const { program, today } = setting;
  const { billAmountMinor } = request;
  const { card, transaction: before } = facts;
  // A clearing without authorization counts on its own day.
  const countedOn = before.approvedOn ?? today;
  const known = {
    ...before,
    ...fillOrigin(before, request),
    network: withNewer(before.network, request.network),
  };
  const atmFeeMinor = before.channel === null ? atmFeeOf(program, known) : before.atmFeeMinor;
  const counting = { ...known, atmFeeMinor };
  const asked = { ...request, network: counting.network };
  const mark = clearedMark(asked, counting, card, setting);
  const cleared = clear(counting, request, countedOn, mark);
  const flags = flagsOf(before, cleared, facts, program);
  const transaction = { ...cleared, flags: withFlags(before.flags, flags) };
  const fees = lessFees(chargedFees(transaction), chargedFees(before));
  const event = newEvent('authorization.clearing', setting, transaction, request, fees, { flags });
  const presentment: Presentment = {
    ...presented(request),
    kind: 'clearing',
    transactionId: before.id,
    cardId: card.cardId,
    final: request.final,
    interchangeBps: interchangeBpsOf(program, transaction),
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

/** What every clearing and refund has in common. */
export const presented = ({ messageId, network, ...request }: ClearingRequest | RefundRequest) => ({
  messageId,
  amountMinor: request.amountMinor,
  currency: request.currency,
  billMinor: request.billAmountMinor,
  reversedAmountMinor: 0n,
  reversedMinor: 0n,
  final: false,
  interchangeMinor: request.interchangeMinor ?? null,
  arn: network?.arn ?? null,
});

const costOf = ({ transactionCostMinor, transactionCostBps }: FeeSchedule, billMinor: bigint): bigint =>
  billMinor > 0n ? transactionCostMinor + basisPoints(billMinor, transactionCostBps) : 0n;

function clear(
  before: TransactionRecord,
  request: ClearingRequest,
  countedOn: string,
  mark: Mark | undefined,
): TransactionRecord {
  const { amountMinor, billAmountMinor, currency, final } = request;
  const restMinor = before.heldMinor - billAmountMinor;
  const heldMinor = final || restMinor < 0n ? 0n : restMinor;
  const fromHoldMinor = restMinor < 0n ? before.heldMinor : billAmountMinor;
  const releasedMinor = before.heldMinor - fromHoldMinor - heldMinor;
  const after = {
    ...before,
    ...clearedAmount(before, request),
    ...(before.status === 'DECLINED' && billAmountMinor > 0n && NOT_DECLINED),
    ...heldLess(before, before.heldMinor - heldMinor, currency === before.currency ? amountMinor : null),
    clearedMinor: before.clearedMinor + billAmountMinor,
    fxClearedMinor: before.fxClearedMinor + (currency === before.billCurrency ? 0n : billAmountMinor),
    final: before.final || final,
    counted: countAbove(
      uncount(before.counted, releasedMinor),
      countedOn,
      billAmountMinor - fromHoldMinor,
      mark,
    ),
  };
  // A clearing of zero on a declined purchase leaves it declined.
  if (after.clearedMinor === 0n && before.heldMinor === 0n) return { ...after, status: before.status };
  return { ...after, status: settledStatus(after) };
}

const countAbove = (counted: Counted[], day: Day, minor: bigint, mark: Mark | undefined): Counted[] =>
  minor > 0n ? countOn(counted, day, minor, mark) : counted;

/** In the currency that cleared. Amounts in several have no sum but in the card's. */
export function clearedAmount(before: TransactionRecord, request: ClearingRequest | RefundRequest) {
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
): TransactionRecord =>
  newTransaction(request, card, setting, {
    kind: 'purchase',
    externalTransactionId,
    status: 'VOID',
    channel: request.channel ?? null,
    acceptor: request.acceptor ?? null,
    atmFeeMinor: atmFeeOf(setting.program, { channel: request.channel ?? null, type: null }),
  });
