import { decimal, type Mode, type PermanentLimits, type StandIn } from './card.ts';

/** What a card network sends, in the words of the contract; billed amounts are minor units of the program's euros. */

interface Money {
  amount: string;
  currency: string;
  billMinor: bigint;
}
export interface Authorization extends Money {
  kind: 'authorization';
  id: string;
  number: string;
  expiry: string;
  cvv?: string;
  channel: Channel;
  mcc: string;
  merchantId?: string;
  type?: 'PURCHASE' | 'CASH' | 'BALANCE_INQUIRY';
  /** Whether a smaller amount may be approved. */
  partial?: boolean;
  /** The network has decided already. */
  standIn?: { approved: boolean };
  /** An authentication by its id, or the network's indicator. */
  authentication?: { id: string } | { eci: string };
  /** The first purchase that uses the same authentication. */
  splitOf?: string;
  /** Not sent: the merchant gave it meanwhile. */
  answer?: Answer;
}
/** The merchant's response to a decision request, and the endpoint's rule for a missing response. */
export interface Answer {
  /** The mode and the amount of the request. */
  mode: Mode;
  requestedMinor: bigint;
  /** The request said that an authentication counts. */
  authenticated?: boolean;
  outcome: 'approved' | 'declined' | 'timeout' | 'unreachable' | 'invalid' | 'paused';
  /** Less than requested. */
  approvedMinor?: bigint;
  /** To a balance inquiry. */
  availableMinor?: bigint;
  reason?: string;
  /** Null: no rule applies to a balance inquiry. */
  onFailure: 'DECLINE' | 'STANDARD' | 'APPROVE' | null;
  standIn: StandIn | null;
}
type Channel = 'ECOMMERCE' | 'POS' | 'ATM' | 'MOTO';
export interface Increment extends Money {
  kind: 'increment';
  id: string;
  purchaseId: string;
  answer?: Answer;
}
export interface Reversal {
  kind: 'reversal';
  id: string;
  /** The hold of this purchase, unless a clearing or refund is named. */
  purchaseId: string;
  clearingId?: string;
  refundId?: string;
  /** Absent: all of it. */
  billMinor?: bigint;
}
export interface Clearing extends Money {
  kind: 'clearing';
  id: string;
  purchaseId: string;
  number?: string;
  final: boolean;
  channel?: Channel;
}
export interface Refund extends Money {
  kind: 'refund';
  id: string;
  purchaseId?: string;
  number?: string;
}
export type Message = Authorization | Increment | Reversal | Clearing | Refund;

/** What a merchant does with a card. */
export type Call =
  | { kind: 'freeze'; freeze: boolean }
  | { kind: 'block'; reason: string }
  | { kind: 'reissue' }
  | { kind: 'adjust'; amountMinor: bigint }
  | { kind: 'controls'; limits: Partial<PermanentLimits> };

const MERCHANT = { id: 'shop-1', name: 'Corner Shop', city: 'Lisbon', country: 'PRT' };
const moneyOf = ({ amount, currency, billMinor }: Money) => ({
  amount,
  currency,
  bill_amount: decimal(billMinor),
  bill_currency: 'EUR',
});

/** A message as the network API takes it; fields that are undefined are not sent. */
export function requestOf(message: Message): { path: string; body: object } {
  const { kind, id } = message;
  switch (kind) {
    case 'authorization': {
      const { number: card_number, expiry, cvv, channel, mcc, type } = message;
      const { partial: partial_approval, standIn: stand_in, authentication: proof } = message;
      const authentication = proof && ('id' in proof ? { authentication_id: proof.id } : proof);
      const merchant = { ...MERCHANT, mcc };
      const options = { type, partial_approval, stand_in, authentication };
      const body = { external_transaction_id: id, card_number, expiry, cvv, channel, merchant, ...options };
      const money = type === 'BALANCE_INQUIRY' ? {} : moneyOf(message);
      return { path: 'authorizations/', body: { ...body, ...money } };
    }
    case 'increment': {
      const body = { external_transaction_id: message.purchaseId, increment_id: id, ...moneyOf(message) };
      return { path: 'increments/', body };
    }
    case 'reversal': {
      const bill_amount = message.billMinor === undefined ? undefined : decimal(message.billMinor);
      const { purchaseId, clearingId: clearing_id, refundId: refund_id } = message;
      const external_transaction_id = clearing_id || refund_id ? undefined : purchaseId;
      const body = { external_transaction_id, clearing_id, refund_id, reversal_id: id, bill_amount };
      return { path: 'reversals/', body };
    }
    case 'clearing': {
      const { purchaseId: external_transaction_id, number: card_number, final, channel } = message;
      const named = { external_transaction_id, clearing_id: id, card_number, final, channel };
      const body = { ...named, ...moneyOf(message) };
      return { path: 'clearings/', body };
    }
    case 'refund': {
      const { purchaseId: external_transaction_id, number: card_number } = message;
      const body = { external_transaction_id, refund_id: id, card_number, ...moneyOf(message) };
      return { path: 'refunds/', body };
    }
  }
}

interface CallRequest {
  method: string;
  path: string;
  body: object;
  /** Where the API takes an idempotency key. */
  key?: string;
}

/** A call as the merchant API takes it, below the path of its card. */
export function callOf(call: Call, key: string): CallRequest {
  switch (call.kind) {
    case 'freeze':
      return { method: 'PUT', path: 'freeze/', body: { freeze: call.freeze } };
    case 'block':
      return { method: 'PUT', path: 'block/', body: { reason: call.reason } };
    case 'reissue': {
      const body = { renewOption: 'NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE' };
      return { method: 'PUT', path: 'replace/', body, key };
    }
    case 'adjust': {
      const body = { amount: Number(decimal(call.amountMinor)), reference: key };
      return { method: 'POST', path: 'balance-adjustments/', body, key };
    }
    case 'controls': {
      const limits = Object.entries(call.limits).map(([name, value]) => [
        name,
        typeof value === 'bigint' ? Number(decimal(value)) : value,
      ]);
      return { method: 'PUT', path: 'spend-controls/', body: Object.fromEntries(limits) };
    }
  }
}
