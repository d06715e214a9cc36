/**
 * What the console's API answers. Everything that the console knows of the server's shapes stands here, so that
 * generated types can take their place in one step.
 */

export type Role = 'viewer' | 'support' | 'admin';

export interface Operator {
  id: string;
  email: string;
  name: string;
  role: Role;
}

export interface Program {
  id: string;
  name: string;
  mode: 'sandbox' | 'live';
  currency: string;
}

export interface Session {
  operator: Operator;
  csrfToken: string;
  expiresAt: string;
  programs: Program[];
}

export interface Message {
  message: string;
}

/** A page that goes on where `next` says; null at the end. */
export interface Slice<Row> {
  results: Row[];
  next: string | null;
}

/** A page of the merchant API. `next` is a link into the public API, of which only the query counts here. */
export interface Page<Row> {
  results: Row[];
  count: number;
  next: string | null;
  previous: string | null;
}

export type CardStatus = 'ACTIVE' | 'FROZEN' | 'BLOCKED' | 'EXPIRED';

export interface Card {
  id: string;
  currency: string;
  lastFour: string;
  externalCustomerId: string;
  cardholderName: string;
  cardName: string;
  cardDesign: string;
  cardType: 'physical' | 'virtual';
  status: CardStatus;
  created: string;
}

export interface SpendControls {
  transactionLimit: number | null;
  dailyLimit: number | null;
  monthlyLimit: number | null;
  allTimeLimit: number | null;
  allowedMccs: string[];
  blockedMccs: string[];
}

export interface Shipment {
  status: 'ORDERED' | 'SHIPPED' | 'DELIVERED' | 'RETURNED';
  cardDesign: string;
  created: string;
}

export interface CardDetails extends Card {
  statusReason: string | null;
  availableCredit: number;
  spendLimit: number;
  expiryDate: string;
  spendControls: SpendControls;
  shipment: Shipment | null;
  meta: {
    id: string;
    otpPhoneNumber: { dialCode: number; phoneNumber: string };
    email: string | null;
  };
}

export interface CardDesign {
  id: string;
  name: string;
  stock: boolean;
  default: boolean;
  embossNameSupported: boolean;
}

export interface Credentials {
  cardNumber: string;
  cvv: string;
  expiryMonth: number;
  expiryYear: number;
  expiryDate: string;
}

export type MatchedBy = 'id' | 'lastFour' | 'cardholder' | 'customerId' | 'transaction';

export interface SearchResult {
  card: Card;
  matchedBy: MatchedBy;
  transactionId: string | null;
}

export interface SearchResults {
  results: SearchResult[];
  more: boolean;
}

export interface HistoryEntry {
  id: string;
  action: string;
  actor: { kind: 'operator' | 'key' | 'cli' | 'system'; name: string };
  reason: string | null;
  changes: Array<{ field: string; before: string | null; after: string | null }>;
  requestId: string | null;
  created: string;
}

export type TransactionStatus = 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
export type Channel = 'ECOMMERCE' | 'POS' | 'ATM';

export interface Merchant {
  id: string;
  name: string;
  mcc: string;
  city: string;
  country: string;
}

export interface Decline {
  code: string;
  reason: string;
  networkCode: string;
  meaning: string;
  remedy: string;
}

export interface Fees {
  fx: string;
  atm: string;
}

export interface TransactionDetail {
  id: string;
  externalTransactionId: string;
  cardId: string;
  lastFour: string;
  cardholderName: string;
  kind: 'purchase' | 'refund';
  status: TransactionStatus;
  amount: string;
  currency: string;
  billAmount: string;
  billCurrency: string;
  fees: Fees;
  channel: Channel | null;
  merchant: Merchant | null;
  decline: Decline | null;
  approvalCode: string | null;
  created: string;
}

export interface TransactionSlice extends Slice<TransactionDetail> {
  /** How far back this look came, where it ended before it found a full page. */
  searchedBackTo: string | null;
}

export interface TransactionLife {
  transaction: TransactionDetail;
  card: Card;
  parent: TransactionDetail | null;
  refunds: TransactionDetail[];
  events: Array<{
    id: string;
    name: string;
    created: string;
    messageId: string;
    amount: string | null;
    currency: string;
    billAmount: string;
    billCurrency: string;
    fees: Fees;
    status: TransactionStatus;
    transfers: Array<{ id: string; code: string; debit: string; credit: string; amount: string }>;
  }>;
}

export type OverviewWindow = '24h' | '7d' | '30d';

export interface Overview {
  now: string;
  window: OverviewWindow;
  currency: string;
  sliceSeconds: number;
  slices: Array<{ start: string; approved: number; declined: number; spend: string }>;
  totals: { approved: number; declined: number; spend: string; cards: number };
  previous: { approved: number; declined: number; spend: string };
  declineReasons: Array<{ reason: string; meaning: string; count: number }>;
  topMerchants: Array<{ name: string; count: number; spend: string }>;
  masterBalance: string;
  onHold: string;
  /** False while older transactions are still being counted. */
  complete: boolean;
}

export interface LiveEvent {
  id: string;
  type: 'card' | 'transaction' | 'files';
  name: string;
  created: string;
  cardId: string | null;
  lastFour: string | null;
  transactionId: string | null;
  status: string | null;
  amount: string | null;
  currency: string | null;
  billAmount: string | null;
  billCurrency: string | null;
  channel: string | null;
  merchant: string | null;
  declineReason: string | null;
  declineMeaning: string | null;
}

/** Newest first. The last seconds before the cursor are told again. */
export interface Live {
  events: LiveEvent[];
  cursor: string;
}

export interface Clock {
  now: string;
}
