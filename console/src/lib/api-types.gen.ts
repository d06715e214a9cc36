// Written by "npm run generate" from the schemas of the server. Change those, and run it again.

import type { Card } from '@emboss/sdk';

export interface ApiKey {
  id: string;
  /** Key type. */
  kind: 'merchant' | 'network';
  name: string;
  /** Its last four characters. */
  hint: string;
  scopes: Array<'read' | 'write' | 'credentials'>;
  created: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

export interface ApiKeyList {
  keys: Array<ApiKey>;
}

export interface ApiKeyRotation {
  /** How long the old key stays valid. */
  overlapSeconds: number;
  /** The operator's own. Needed where the key reveals card numbers. */
  password?: string | undefined;
  /** Of the second factor, where the operator has one. */
  code?: string | undefined;
}

export interface CardHistory {
  results: Array<HistoryEntry>;
  /** Give it as `before` to go on; null: there is nothing older. */
  next: string | null;
}

export interface Confirmation {
  /** The operator’s password. */
  password: string;
  /** A code of the authenticator app, or a recovery code. */
  code: string;
}

export interface Enrolment {
  /** For an authenticator app, as a QR code. */
  uri: string;
  /** The same secret in base32, to be typed. */
  secret: string;
  /** To be sent back with the first code, within 15 minutes. */
  enrolment: string;
}

export interface EnrolmentRequest {
  /** The operator’s password. */
  password: string;
}

export interface FirstCode {
  /** As the enrolment gave it. */
  enrolment: string;
  /** A code of the authenticator app, or a recovery code. */
  code: string;
}

export interface FoundTransactions {
  results: Array<TransactionDetail>;
  /** Give it as `before` to go on; null: there is nothing older. */
  next: string | null;
  /** How far back this answer looked; null: to the beginning of the asked time. */
  searchedBackTo: string | null;
}

export interface HistoryChange {
  field: string;
  before: string | null;
  after: string | null;
}

export interface HistoryEntry {
  id: string;
  action: string;
  actor: {
    kind: 'operator' | 'key' | 'cli' | 'system';
    /** The person, the API key, or the part of the system. */
    name: string;
  };
  /** The IP address it came from; null for the command line and the system. */
  address: string | null;
  reason: string | null;
  changes: Array<HistoryChange>;
  requestId: string | null;
  created: string;
}

export interface LedgerTransfer {
  id: string;
  code: string;
  /** The account that gives, in words. */
  debit: string;
  /** The account that receives, in words. */
  credit: string;
  /** In the program's currency. */
  amount: string;
}

export interface LiveEvent {
  id: string;
  type: 'card' | 'transaction' | 'files' | 'security';
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

export interface LiveEvents {
  /** Newest first, the newest 100 at most. The last seconds before the cursor are told again, since what began early may end late: leave out the ids that you know. */
  events: Array<LiveEvent>;
  cursor: string;
}

export interface NewApiKey {
  id: string;
  /** Key type. */
  kind: 'merchant' | 'network';
  name: string;
  /** Its last four characters. */
  hint: string;
  scopes: Array<'read' | 'write' | 'credentials'>;
  created: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** Shown this once. */
  key: string;
}

export interface NewApiKeyRequest {
  kind: 'merchant' | 'network';
  name: string;
  /** For a merchant key. Default: read and write. */
  scopes?: Array<'read' | 'write' | 'credentials'> | undefined;
  /** The operator's own. Needed where the key reveals card numbers. */
  password?: string | undefined;
  /** Of the second factor, where the operator has one. */
  code?: string | undefined;
}

export interface Overview {
  /** By the program's clock. */
  now: string;
  window: '24h' | '7d' | '30d';
  currency: string;
  /** How long each slice is. */
  sliceSeconds: number;
  /** Oldest first, without gaps; the last one is under way. */
  slices: Array<OverviewSlice>;
  totals: {
    approved: number;
    declined: number;
    /** What was approved, refunds and reversals not taken off. */
    spend: string;
    cards: number;
  };
  /** As much time, right before. */
  previous: {
    approved: number;
    declined: number;
    /** What was approved, refunds and reversals not taken off. */
    spend: string;
  };
  /** Most frequent first. */
  declineReasons: Array<{
    reason: string;
    meaning: string;
    count: number;
  }>;
  /** Where most was spent. */
  topMerchants: Array<{
    name: string;
    count: number;
    spend: string;
  }>;
  /** The program's money. */
  masterBalance: string;
  /** Of approved purchases that have not cleared. */
  onHold: string;
  /** false: older transactions are still being counted, and are missing here for a while. */
  complete: boolean;
}

export interface OverviewSlice {
  start: string;
  approved: number;
  declined: number;
  /** What was approved, refunds and reversals not taken off. */
  spend: string;
}

export interface PasswordChange {
  /** The password as it is now. */
  currentPassword: string;
  /** 12 to 256 characters, with letters and digits; none of the last four, and no common one. */
  newPassword: string;
}

export interface RecoveryCodes {
  /** Each opens once, in place of a code. They are shown this once. */
  recoveryCodes: Array<string>;
}

export interface ReportRequest {
  referenceId: string;
  fileType: 'monthly' | 'daily' | 'fee' | 'monthlyTransactionFees' | 'monthlyNonTransactionFees' | 'dailyTransactionFee';
  firstDay: string;
  lastDay: string;
  /** expired: the file is gone, and is made again for whoever asks for it. */
  status: 'pending' | 'ready' | 'expired';
  rowCount: number | null;
  bytes: number | null;
  created: string;
}

export interface ReportRequests {
  results: Array<ReportRequest>;
  /** Give it as `before` to go on; null: there is nothing older. */
  next: string | null;
}

export interface RevealRequest {
  /** Why the number is needed; it goes into the audit. */
  reason: string;
}

export interface SearchResult {
  card: Card;
  matchedBy: 'id' | 'lastFour' | 'cardholder' | 'customerId' | 'transaction';
  transactionId: string | null;
}

export interface SearchResults {
  results: Array<SearchResult>;
  /** There are more cards that may fit than are shown. */
  more: boolean;
}

export interface Session {
  operator: {
    id: string;
    email: string;
    name: string;
    /** What the operator may do. */
    role: 'viewer' | 'support' | 'admin';
    /** Until the password is changed, nothing else can be done. */
    mustChangePassword: boolean;
    hasSecondFactor: boolean;
    /** How many recovery codes are left. */
    recoveryCodes: number;
  };
  /** To be sent as `x-csrf-token` with everything that does more than look. */
  csrfToken: string;
  /** When the session ends at the latest. */
  expiresAt: string;
  /** The programs that the operator may see. */
  programs: Array<{
    id: string;
    name: string;
    mode: 'sandbox' | 'live';
    currency: string;
    /** Whether the operator must set up a second factor before working in it. */
    needsSecondFactor: boolean;
  }>;
}

export interface SignIn {
  /** The operator’s e-mail address. */
  email: string;
  /** The operator’s password. */
  password: string;
  /** A code of the authenticator app, or a recovery code. */
  code?: string | undefined;
}

export interface TransactionDetail {
  id: string;
  externalTransactionId: string;
  cardId: string;
  /** Of the number that the card had then. */
  lastFour: string;
  cardholderName: string;
  kind: 'purchase' | 'refund';
  status: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
  /** In the merchant's currency; a refund is negative. */
  amount: string;
  currency: string;
  /** In the card's currency; a refund is negative. */
  billAmount: string;
  billCurrency: string;
  fees: {
    /** For another currency, in the card's. */
    fx: string;
    /** For cash, in the card's currency. */
    atm: string;
  };
  channel: 'ECOMMERCE' | 'POS' | 'ATM' | null;
  merchant: {
    id: string;
    name: string;
    mcc: string;
    city: string;
    country: string;
  } | null;
  decline: {
    code: string;
    reason: string;
    networkCode: string;
    /** What happened, in plain words. */
    meaning: string;
    /** What to do about it. */
    remedy: string;
  } | null;
  approvalCode: string | null;
  created: string;
}

export interface TransactionLife {
  transaction: TransactionDetail;
  card: Card;
  parent: TransactionDetail | null;
  refunds: Array<TransactionDetail>;
  /** Oldest first. */
  events: Array<TransactionLifeEvent>;
}

export interface TransactionLifeEvent {
  id: string;
  name: string;
  created: string;
  /** The network's id of the message. */
  messageId: string;
  amount: string | null;
  currency: string;
  billAmount: string;
  billCurrency: string;
  fees: {
    /** For another currency, in the card's. */
    fx: string;
    /** For cash, in the card's currency. */
    atm: string;
  };
  /** Of the transaction, once this had happened. */
  status: string;
  transfers: Array<LedgerTransfer>;
}

export interface TransactionTimeline {
  results: Array<TransactionDetail>;
  /** Give it as `before` to go on; null: there is nothing older. */
  next: string | null;
}
