import { newId } from '../../kernel/ids.ts';
import { formatAmount } from '../../kernel/money.ts';
import { presented } from './apply-clearing.ts';
import type { Effects, ProgramEvent, Setting } from './effects.ts';
import type { ClearingRequest, RefundRequest, ReversalRequest } from './message.ts';
import { suspenseTransfer } from './movements.ts';
import { openOf, type Presentment, takeBack } from './presentment.ts';
import type { RefundResponse } from './response.ts';

/**
 * A clearing or refund of a number that no card has. The network has moved the money, so it is taken: into the account
 * `suspense`, until somebody finds out whose it is.
 */
export function applyUnmatched(
  request: ClearingRequest | RefundRequest,
  setting: Setting,
): Effects<RefundResponse> {
  const { kind, messageId, purchase } = request;
  const presentment: Presentment = {
    ...presented(request),
    kind,
    transactionId: null,
    cardId: null,
    interchangeBps: 0,
    countedOn: setting.today,
  };
  const externalTransactionId =
    purchase && 'externalTransactionId' in purchase ? purchase.externalTransactionId : null;
  const event = newEvent('settlement.unmatched', presentment, presentment, setting, {
    external_transaction_id: externalTransactionId,
    message_id: messageId,
    channel: request.channel ?? null,
    merchant: request.acceptor ?? null,
    network: request.network,
  });
  const { program } = setting;
  return {
    response: {
      transactionId: null,
      externalTransactionId,
      parentTransactionId: null,
      status: 'CLEARED',
      billAmountMinor: request.billAmountMinor,
      billCurrency: program.currency,
    },
    presentment,
    programEvent: event,
    transfers: [suspenseTransfer(event.id, owedFor(presentment, openOf(presentment)))],
  };
}

/** Takes back all or part of one, from where it is. */
export function applyUnmatchedReversal(
  { messageId, part }: ReversalRequest,
  before: Presentment,
  externalTransactionId: string | null,
  setting: Setting,
): Effects<RefundResponse> {
  const openMinor = openOf(before);
  const partMinor = part?.billAmountMinor ?? openMinor;
  const reversedMinor = partMinor < openMinor ? partMinor : openMinor;
  const response = {
    transactionId: null,
    externalTransactionId,
    parentTransactionId: null,
    status: reversedMinor === openMinor ? 'VOID' : 'CLEARED',
    billAmountMinor: reversedMinor,
    billCurrency: setting.program.currency,
  } as const;
  if (reversedMinor === 0n) return { response, transfers: [] };
  const { after, amountMinor, currency } = takeBack(before, reversedMinor, part);
  const moved = { amountMinor, currency, billMinor: reversedMinor };
  const event = newEvent('settlement.unmatched.reversal', after, moved, setting, {
    external_transaction_id: externalTransactionId,
    message_id: messageId,
    reverses: before.messageId,
  });
  return {
    response,
    presentment: after,
    programEvent: event,
    transfers: [suspenseTransfer(event.id, -owedFor(before, reversedMinor))],
  };
}

/** What we owe the network for it: below zero for a refund. */
const owedFor = ({ kind }: Presentment, minor: bigint): bigint => (kind === 'refund' ? -minor : minor);

function newEvent(
  eventName: 'settlement.unmatched' | 'settlement.unmatched.reversal',
  { kind, arn }: Presentment,
  { amountMinor, currency, billMinor }: Pick<Presentment, 'amountMinor' | 'currency' | 'billMinor'>,
  { program, nowMs }: Setting,
  more: Record<string, unknown>,
): ProgramEvent {
  const data = {
    kind,
    amount: formatAmount(amountMinor, currency),
    currency,
    bill_amount: formatAmount(billMinor, program.currency),
    bill_currency: program.currency,
    arn,
    ...more,
  };
  return { id: newId(nowMs), eventType: 'settlement', eventName, data };
}
