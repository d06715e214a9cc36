import type { InternalRequest } from './message.ts';
import type { Responses, StoredResponse } from './response.ts';

/**
 * A response as its message record stores it, so that a repeat gets the same one: a JSON array without names, because
 * every message writes one.
 */
export function encodeResponse(response: StoredResponse): string {
  const { transactionId, externalTransactionId, status, billAmountMinor, billCurrency } = response;
  const fields: Array<string | null> = [
    transactionId,
    externalTransactionId,
    status,
    String(billAmountMinor),
    billCurrency,
  ];
  if ('networkCode' in response) {
    const { amountMinor, currency, declineCode, declineReason, networkCode, approvalCode } = response;
    const available = response.availableMinor === null ? null : String(response.availableMinor);
    fields.push(
      String(amountMinor),
      currency,
      declineCode,
      declineReason,
      networkCode,
      approvalCode,
      available,
    );
  } else if ('parentTransactionId' in response) fields.push(response.parentTransactionId);
  return JSON.stringify(fields);
}

export function decodeResponse(
  kind: Exclude<keyof Responses, InternalRequest['kind']>,
  text: string,
): StoredResponse {
  const [transactionId, externalTransactionId, status, billMinor, billCurrency, ...own] = JSON.parse(text);
  const billAmountMinor = BigInt(billMinor);
  const common = { transactionId, externalTransactionId, status, billAmountMinor, billCurrency };
  if (kind === 'reversal' || kind === 'clearing') return common;
  if (kind === 'refund') return { ...common, parentTransactionId: own[0] };
  const [amount, currency, declineCode, declineReason, networkCode, approvalCode, available] = own;
  const approved = declineReason === null;
  const amountMinor = BigInt(amount);
  const availableMinor = available === null ? null : BigInt(available);
  const decided = { amountMinor, currency, approved, declineCode, declineReason, networkCode, approvalCode };
  return { ...common, ...decided, availableMinor };
}
