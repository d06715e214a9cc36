import type {
  ClearingRequest,
  IncrementRequest,
  RefundRequest,
  ReversalRequest,
} from '../../authorizations/core/message.ts';
import type { DecidedResponse, RefundResponse, Response } from '../../authorizations/core/response.ts';
import { formatAmount } from '../../kernel/money.ts';

/** Converts the engine's responses into the JSON of the network API, which the sandbox returns too. */

export const presentAuthorization = (response: DecidedResponse) => {
  const { availableMinor, billCurrency } = response;
  return {
    transaction_id: response.transactionId,
    external_transaction_id: response.externalTransactionId,
    approved: response.approved,
    status: response.status,
    decline_code: response.declineCode,
    decline_reason: response.declineReason,
    network_code: response.networkCode,
    approval_code: response.approvalCode,
    amount: formatAmount(response.amountMinor, response.currency),
    currency: response.currency,
    bill_amount: formatAmount(response.billAmountMinor, billCurrency),
    bill_currency: billCurrency,
    ...(availableMinor !== null && { available_amount: formatAmount(availableMinor, billCurrency) }),
  };
};

export const presentIncrement = ({ messageId }: IncrementRequest, response: DecidedResponse) => ({
  increment_id: messageId,
  ...presentAuthorization(response),
});

const presentLater = ({ transactionId, externalTransactionId, status, ...bill }: Response) => ({
  transaction_id: transactionId,
  external_transaction_id: externalTransactionId,
  status,
  bill_amount: formatAmount(bill.billAmountMinor, bill.billCurrency),
  bill_currency: bill.billCurrency,
});

export const presentReversal = ({ messageId, reversed }: ReversalRequest, response: Response) => ({
  reversal_id: messageId,
  ...presentLater(response),
  ...('purchase' in reversed && reversed.incrementId !== undefined && { increment_id: reversed.incrementId }),
  ...('presentment' in reversed && { [`${reversed.presentment.kind}_id`]: reversed.presentment.messageId }),
});

export const presentClearing = ({ messageId }: ClearingRequest, response: Response) => ({
  clearing_id: messageId,
  ...presentLater(response),
});

export const presentRefund = ({ messageId }: RefundRequest, response: RefundResponse) => ({
  refund_id: messageId,
  parent_transaction_id: response.parentTransactionId,
  ...presentLater(response),
});
