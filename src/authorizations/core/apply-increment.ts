import type { CardFacts } from '../../cards/card-facts.ts';
import { limitsAt } from '../../cards/temporary-limits.ts';
import { formatAmount } from '../../kernel/money.ts';
import { lacksAuthentication, raisedTo } from './authentication.ts';
import { decide, explainDecline } from './decide.ts';
import { DECLINES } from './decline.ts';
import { type Effects, newEvent, type Setting } from './effects.ts';
import { decisionView } from './merchant-decision.ts';
import type { IncrementRequest, IncrementResponse } from './message.ts';
import { type Ask, askFor } from './question.ts';
import { settle } from './settle.ts';
import { countOn, spendingOn } from './spending.ts';
import {
  heldFees,
  lessFees,
  movesCredit,
  type TransactionRecord,
  takenOf,
  WITHOUT_FEES,
} from './transaction.ts';

interface IncrementFacts {
  card: CardFacts;
  transaction: TransactionRecord;
  masterMinor: bigint | undefined;
}

/** Raises a hold. The increment is decided like an authorization; a declined one leaves the hold as it was. */
export function applyIncrement(
  request: IncrementRequest,
  { card, transaction: before, masterMinor }: IncrementFacts,
  setting: Setting,
): Effects<IncrementResponse> | Ask {
  const { today, program } = setting;
  const { billAmountMinor } = request;
  const after: TransactionRecord = {
    ...before,
    amountMinor: before.amountMinor + request.amountMinor,
    billAmountMinor: before.billAmountMinor + billAmountMinor,
    heldMinor: before.heldMinor + billAmountMinor,
    counted: countOn(before.counted, spendingOn(card, today).day, billAmountMinor),
  };
  // The transaction keeps how its authorization was judged; the increment is judged by the raised amount.
  const authentication = raisedTo(before.authentication, after.amountMinor);
  const facts = {
    card: limitsAt(card, setting.nowMs),
    cvvMatches: undefined,
    lacksAuthentication: lacksAuthentication(
      program,
      { channel: before.channel, billAmountMinor: after.billAmountMinor, asked: request.asked },
      authentication,
    ),
    totalMinor: after.heldMinor + after.clearedMinor,
    addedMinor: billAmountMinor,
    neededMinor: takenOf(after) - takenOf(before),
    masterMinor,
    reversed: false,
    usesCredit: movesCredit(before),
    closed: before.heldMinor === 0n,
    asked: request.asked,
  };
  const decision = decide({ card: undefined, expiry: undefined, merchant: before.merchant }, facts, today);
  const response = {
    increment_id: request.messageId,
    transaction_id: before.id,
    external_transaction_id: before.externalTransactionId,
    network_code: decision.networkCode,
    bill_amount: formatAmount(billAmountMinor, before.billCurrency),
    bill_currency: before.billCurrency,
  };
  if (decision.approved) {
    const fees = lessFees(heldFees(after), heldFees(before));
    if (before.authorizationMode !== 'STANDARD' && !request.asked) {
      const asking = {
        ...request,
        type: 'PURCHASE',
        partialApproval: false,
        incrementId: request.messageId,
      } as const;
      return askFor(
        asking,
        card,
        { ...before, authentication },
        { fees, heldMinor: facts.neededMinor },
        setting,
      );
    }
    const event = newEvent(
      'authorization.increment',
      setting,
      { ...after, authentication },
      request,
      fees,
      decisionView(true, request),
    );
    const approved = { approved: true, status: after.status, decline_code: null, decline_reason: null };
    return {
      response: { ...response, ...approved, approval_code: before.approvalCode },
      transaction: after,
      event,
      ...settle(event.id, card, before, after, setting),
    };
  }
  const { reason } = decision;
  const { declineCode } = DECLINES[reason];
  const event = newEvent(
    'authorization.declined',
    setting,
    { ...before, authentication },
    request,
    WITHOUT_FEES,
    {
      decline_code: declineCode,
      decline_reason: reason,
      network_code: decision.networkCode,
      approval_code: null,
      ...decisionView(false, request),
      limits: explainDecline(reason, facts, today, before.billCurrency),
    },
  );
  const declined = { approved: false, status: 'DECLINED', decline_code: declineCode, decline_reason: reason };
  return {
    response: { ...response, ...declined, approval_code: null },
    card,
    transaction: before,
    event,
    transfers: [],
  };
}
