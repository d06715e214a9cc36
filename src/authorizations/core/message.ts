import type { NetworkData } from '../../cards/network-data.ts';
import type { Acceptor } from '../../cards/read-network.ts';
import type { DecisionEndpoint, DecisionResponse } from '../../decisions/decision.ts';
import type { Digest } from '../../kernel/digest.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { AuthorizationMode } from '../../programs/program.ts';
import type { AuthenticationReference } from './authentication.ts';
import type { AuthorizationType } from './authorization-type.ts';
import type { Presentment, ReversedMoney } from './presentment.ts';
import type { Channel } from './transaction.ts';

/**
 * A keyed digest of a message's content. It detects an id that was used with a different request. It is keyed, because
 * the content may include a card number.
 */
export interface Content {
  digest: Buffer;
  /** Whether a stored digest is of the same content, under any key of the vault. */
  matches(stored: Buffer): boolean;
}

export const contentOf = ({ history }: { history: Digest }, ...parts: Array<string | Secret>): Content => ({
  digest: history(...parts),
  matches: (stored) => history.matches(stored, ...parts),
});

/** The card of a message: by its number, of which only the vault record's id is left, or by the card's id. */
export interface CardReference {
  cardId: string;
  /** Undefined: the active number (the sandbox names cards by id). */
  numberId: string | undefined;
}

/** The purchase of a message, by the network's id or by ours. */
export type PurchaseReference = { externalTransactionId: string } | { transactionId: string };

export interface Money {
  amountMinor: bigint;
  currency: string;
  billAmountMinor: bigint;
}

/** What an authorization asks for, and an advice says. */
interface Authorized extends Money {
  messageId: string;
  /** The network's id of the purchase. */
  externalTransactionId: string;
  /** Undefined: the number is not a card in this program. */
  card: CardReference | undefined;
  /** `YYYY-MM`; undefined: not checked. */
  expiry: string | undefined;
  cvv: Secret | undefined;
  channel: Channel;
  acceptor: Acceptor;
  type: AuthorizationType;
  /** Whether a smaller amount may be approved. */
  partialApproval: boolean;
  /** Undefined: the cardholder was not authenticated. */
  authentication: AuthenticationReference | undefined;
  /** The first purchase that uses this authentication, by the network's id. Undefined: this is the only one. */
  splitOf: string | undefined;
  network: NetworkData | null;
  content: Content;
}

export interface AuthorizationRequest extends Authorized {
  kind: 'authorization';
  standIn?: undefined;
  /** Set by the engine. Absent: no decision was needed. */
  merchantDecision?: MerchantDecision;
}

/** The network has decided in our place, and says what became of the purchase. */
export interface AdviceRequest extends Authorized {
  kind: 'advice';
  standIn: StandIn;
  merchantDecision?: undefined;
}

/** A decision that the network made instead of us. */
export interface StandIn {
  approved: boolean;
  approvalCode: string | undefined;
  reason: string | undefined;
}

/** The merchant's decision, which the engine requests before the message enters its batch. */
export interface MerchantDecision {
  /** The mode in which it was requested. */
  mode: AuthorizationMode;
  /** The amount for which it was requested. */
  amountMinor: bigint;
  /** The request said that an authentication counts. */
  authenticated: boolean;
  response: DecisionResponse;
  /** Null: of a balance inquiry. The response shows the balance, and declines nothing. */
  rule: Pick<DecisionEndpoint, 'onFailure' | 'standIn'> | null;
}

/** Raises a hold. */
export interface IncrementRequest extends Money {
  kind: 'increment';
  messageId: string;
  purchase: PurchaseReference;
  network: NetworkData | null;
  merchantDecision?: MerchantDecision;
  content: Content;
}

/** A clearing or refund, by the network's id. */
export type PresentmentReference = Pick<Presentment, 'kind' | 'messageId'>;

export interface ReversalRequest {
  kind: 'reversal';
  messageId: string;
  /** The hold, an increment of it, or the clearing or refund, to reverse. */
  reversed:
    | { purchase: PurchaseReference; incrementId: string | undefined }
    | { presentment: PresentmentReference };
  /** Undefined: all of it. */
  part: ReversedMoney | undefined;
  /** The network got no response in time, and undoes only our own. */
  timedOut: boolean;
  content: Content;
}

/** What a clearing or refund says of its acceptor. */
export interface Origin {
  channel: Channel | undefined;
  acceptor: Acceptor | undefined;
}

/** A clearing or a refund: money that the network has moved. */
interface PresentmentRequest extends Money, Origin {
  messageId: string;
  /** Required where the purchase is unknown. `unknown`: no card has the number. */
  card: CardReference | 'unknown' | undefined;
  network: NetworkData | null;
  /** What the network says that we earn; undefined: by the program's fee schedule. */
  interchangeMinor: bigint | undefined;
  content: Content;
}

export interface ClearingRequest extends PresentmentRequest {
  kind: 'clearing';
  purchase: PurchaseReference;
  final: boolean;
}

export interface RefundRequest extends PresentmentRequest {
  kind: 'refund';
  purchase: PurchaseReference | undefined;
}

/** An internal message: release a hold if it has expired. */
export interface ExpiryRequest {
  kind: 'expiry';
  purchase: { transactionId: string };
}

/** An internal message: count a purchase or a decline from before the rules that count it. */
export interface RecountRequest {
  kind: 'recount';
  purchase: { transactionId: string };
  /** The numbers of the velocities. */
  velocities: readonly number[];
}

export type InternalRequest = ExpiryRequest | RecountRequest;

/** What the network API, the sandbox or a job submits to the engine. */
export type Message =
  | AuthorizationRequest
  | AdviceRequest
  | IncrementRequest
  | ReversalRequest
  | ClearingRequest
  | RefundRequest
  | InternalRequest;

/** Such a message has no id, no response and no record. */
export const isInternal = (message: Message): message is InternalRequest =>
  message.kind === 'expiry' || message.kind === 'recount';

/** The purchase that a message names, by either id. */
export function purchaseNamedBy(message: Message): PurchaseReference | undefined {
  if (message.kind !== 'reversal') return 'purchase' in message ? message.purchase : undefined;
  return 'purchase' in message.reversed ? message.reversed.purchase : undefined;
}
