import type { Digest } from '../../kernel/digest.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { Channel, Merchant } from './transaction.ts';

/** What a message says, as a keyed digest, so that the same id with another content can be told. It may hold a number. */
export interface Content {
  digest: Buffer;
  /** Whether a message that was kept under the same id said the same, whichever key its digest was made with. */
  matches(kept: Buffer): boolean;
}

export const contentOf = ({ history }: { history: Digest }, ...parts: Array<string | Secret>): Content => ({
  digest: history(...parts),
  matches: (kept) => history.matches(kept, ...parts),
});

/** How a message names a card: by its number, of which only the place in the vault is left, or by its id. */
export interface CardReference {
  cardId: string;
  /** Undefined: the active number, whichever it is (the sandbox knows cards by id). */
  numberId: string | undefined;
}

/** How a message names a purchase. */
export type PurchaseReference = { externalTransactionId: string } | { transactionId: string };

interface Money {
  amountMinor: bigint;
  currency: string;
  billAmountMinor: bigint;
}

/** What every door builds, and all the engine knows of the outside. */
export interface AuthorizationRequest extends Money {
  kind: 'authorization';
  messageId: string;
  /** Undefined: the number is no card of this program. */
  card: CardReference | undefined;
  /** `YYYY-MM`; undefined: not checked. */
  expiry: string | undefined;
  cvv: Secret | undefined;
  channel: Channel;
  merchant: Merchant;
  content: Content;
}

export interface ReversalRequest {
  kind: 'reversal';
  messageId: string;
  purchase: PurchaseReference;
  /** Undefined: all that is held. */
  billAmountMinor: bigint | undefined;
  content: Content;
}

export interface ClearingRequest extends Money {
  kind: 'clearing';
  messageId: string;
  purchase: PurchaseReference;
  /** Needed where the purchase is not known. */
  card: CardReference | undefined;
  final: boolean;
  content: Content;
}

export interface RefundRequest extends Money {
  kind: 'refund';
  messageId: string;
  purchase: PurchaseReference | undefined;
  card: CardReference | undefined;
  content: Content;
}

/** Our own: a hold has lived its time. */
export interface ExpiryRequest {
  kind: 'expiry';
  purchase: { transactionId: string };
}

export type Message =
  | AuthorizationRequest
  | ReversalRequest
  | ClearingRequest
  | RefundRequest
  | ExpiryRequest;

/** How many wrong expiry dates and CVVs the card has had in 24 hours, this one among them. JSON leaves a symbol out. */
export const WRONG_ENTRIES = Symbol('wrong entries');

export interface AuthorizationAnswer {
  /** Absent unless this message was a wrong one, and on repeats: for us alone, not for the network. */
  [WRONG_ENTRIES]?: number;
  transaction_id: string | null;
  external_transaction_id: string;
  approved: boolean;
  status: string;
  decline_code: string | null;
  decline_reason: string | null;
  network_code: string;
  approval_code: string | null;
  bill_amount: string;
  bill_currency: string;
}

interface LaterAnswer {
  transaction_id: string | null;
  external_transaction_id: string | null;
  status: string;
  bill_amount: string;
  bill_currency: string;
}
export type ReversalAnswer = LaterAnswer & { reversal_id: string };
export type ClearingAnswer = LaterAnswer & { clearing_id: string };
export type RefundAnswer = LaterAnswer & { refund_id: string; parent_transaction_id: string | null };
