import { decimal, type Mode, type PermanentLimits, type StandIn } from './card.ts';

/** What a card network sends, in the words of the contract; billed amounts are minor units of the program's euros. */

interface Money {
  amount: string;
  currency: string;
  billMinor: bigint;
}
/** What the network says beside what it decides and moves, named as the API names it. */
export interface MessageData {
  initiator?: 'CARDHOLDER' | 'MERCHANT';
  exemption?: 'LOW_VALUE' | 'RISK_ANALYSIS' | 'TRUSTED_MERCHANT' | 'CORPORATE' | 'NONE';
  pre_authorization?: boolean;
  /** Of clearings and refunds. */
  arn?: string;
  /** In euros, with a sign. */
  interchange_amount?: string;
}
interface Authorized extends Money {
  id: string;
  number: string;
  expiry: string;
  cvv?: string;
  channel: Channel;
  mcc: string;
  merchantId?: string;
  type?: 'PURCHASE' | 'CASH' | 'BALANCE_INQUIRY' | 'CREDIT';
  /** An authentication by its id, or the network's indicator. */
  authentication?: { id: string } | { eci: string };
  /** The first purchase that uses the same authentication. */
  splitOf?: string;
  data?: MessageData;
}
export interface Authorization extends Authorized {
  kind: 'authorization';
  /** Whether a smaller amount may be approved. */
  partial?: boolean;
  /** Not sent: the merchant gave it meanwhile. */
  answer?: Answer;
}
/** The network has decided in our place, and says what became of the purchase. */
export interface Advice extends Authorized {
  kind: 'advice';
  purchaseId: string;
  approved: boolean;
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
  data?: MessageData;
  answer?: Answer;
}
export interface Reversal {
  kind: 'reversal';
  id: string;
  /** The hold of this purchase, unless a clearing or refund is named. */
  purchaseId: string;
  incrementId?: string;
  clearingId?: string;
  refundId?: string;
  /** The network got no response in time. */
  timedOut?: boolean;
  /** Absent: all of it. */
  billMinor?: bigint;
  /** Absent: only the bill amount is named. */
  amount?: string;
  currency?: string;
}
export interface Clearing extends Money {
  kind: 'clearing';
  id: string;
  purchaseId: string;
  number?: string;
  final: boolean;
  channel?: Channel;
  merchantId?: string;
  mcc?: string;
  data?: MessageData;
}
export interface Refund extends Money {
  kind: 'refund';
  id: string;
  purchaseId?: string;
  number?: string;
  channel?: Channel;
  data?: MessageData;
}
export type Message = Authorization | Advice | Increment | Reversal | Clearing | Refund;

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
    case 'authorization':
    case 'advice': {
      const { number: card_number, expiry, cvv, channel, mcc, type, authentication: proof } = message;
      const authentication = proof && ('id' in proof ? { authentication_id: proof.id } : proof);
      const merchant = { ...MERCHANT, mcc };
      const common = { card_number, expiry, cvv, channel, merchant, type, authentication, ...message.data };
      const money = type === 'BALANCE_INQUIRY' ? {} : moneyOf(message);
      const own =
        kind === 'advice'
          ? {
              external_transaction_id: message.purchaseId,
              advice_id: id,
              stand_in: { approved: message.approved },
            }
          : { external_transaction_id: id, partial_approval: message.partial };
      return { path: 'authorizations/', body: { ...own, ...common, ...money } };
    }
    case 'increment': {
      const ids = { external_transaction_id: message.purchaseId, increment_id: id };
      return { path: 'increments/', body: { ...ids, ...moneyOf(message), ...message.data } };
    }
    case 'reversal': {
      const { purchaseId, incrementId: increment_id, clearingId: clearing_id, refundId: refund_id } = message;
      const external_transaction_id = clearing_id || refund_id ? undefined : purchaseId;
      const { billMinor, amount, currency, timedOut } = message;
      const bill = billMinor === undefined ? {} : { bill_amount: decimal(billMinor), bill_currency: 'EUR' };
      const money = { amount, currency, ...bill, reason: timedOut ? 'TIMEOUT' : undefined };
      const ids = { external_transaction_id, increment_id, clearing_id, refund_id, reversal_id: id };
      return { path: 'reversals/', body: { ...ids, ...money } };
    }
    case 'clearing': {
      const { purchaseId: external_transaction_id, number: card_number, final, channel } = message;
      const named = { external_transaction_id, clearing_id: id, card_number, final, channel };
      const body = { ...named, ...moneyOf(message), ...message.data };
      return { path: 'clearings/', body };
    }
    case 'refund': {
      const { purchaseId: external_transaction_id, number: card_number, channel } = message;
      const named = { external_transaction_id, refund_id: id, card_number, channel };
      const body = { ...named, ...moneyOf(message), ...message.data };
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
