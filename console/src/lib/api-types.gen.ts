// Written by "npm run generate" from the schemas of the server. Change those, and run it again.

import type { Card, Decision, DeclineLimits, DeliveryInformation, MatchedRule, Merchant, MessageData, StandInLimits, TemporaryLimitsRequest, TransactionAuthentication, WebhookEvent } from '@emboss/sdk';

export interface ApiKey {
  id: string;
  /** Key type. */
  kind: 'merchant' | 'network';
  name: string;
  /** Last four characters of the key. */
  hint: string;
  scopes: Array<'read' | 'write' | 'credentials' | 'reveal' | 'decisions' | 'rules' | 'authorizations' | 'clearing' | 'disputes' | 'fulfilment'>;
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
  /** The operator's password. Required if the key can reveal card numbers or set decision endpoints. */
  password?: string | undefined;
  /** Code of the second factor, if the operator has one. */
  code?: string | undefined;
}

export interface Approval {
  id: string;
  kind: 'adjustment' | 'deposit' | 'withdrawal' | 'fees' | 'second_person';
  status: 'PENDING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'FAILED' | 'EXPIRED';
  cardId: string | null;
  lastFour: string | null;
  /** Negative: taken away. Null: the change has no amount. */
  amount: string | null;
  facts: Array<ApprovalFact>;
  requestedBy: ApprovalPerson;
  /** Real time, as all times here. */
  requested: string;
  /** Until then it can be approved. */
  expires: string;
  decidedBy: ApprovalPerson | null;
  decided: string | null;
  /** Of the decision, or why the approved change failed. */
  reason: string | null;
  /** You can approve or reject it now. */
  mayDecide: boolean;
  /** You requested it and can withdraw it now. */
  mayWithdraw: boolean;
}

export interface ApprovalFact {
  field: string;
  /** The value now, of a setting whose change is pending. */
  before: string | null;
  value: string | null;
}

export interface ApprovalPage {
  results: Array<Approval>;
  /** Send it as `before` to get older records; null if there are none. */
  next: string | null;
}

export interface ApprovalPerson {
  id: string;
  name: string;
}

export interface ApprovalsWaiting {
  /** Pending requests of others that you can decide; at most 99. */
  count: number;
}

export interface ApproveRequest {
  reason?: string | undefined;
  /** The operator's password. Required. */
  password?: string | undefined;
  /** Code of the second factor, if the operator has one. */
  code?: string | undefined;
}

export interface AuditAction {
  action: string;
  words: string;
  preset: 'money' | 'access' | 'reveals' | 'settings' | 'cards' | 'views' | 'sandbox' | null;
}

export interface AuditActor {
  actor: string;
  kind: 'operator' | 'key' | 'cli' | 'system';
  name: string;
}

export interface AuditEntry {
  id: string;
  action: string;
  /** The action in words. */
  words: string;
  cardId: string | null;
  actor: {
    kind: 'operator' | 'key' | 'cli' | 'system';
    /** Name of the operator, the API key or the system component. */
    name: string;
  };
  /** IP address of the request; null for the command line and the system. */
  address: string | null;
  reason: string | null;
  changes: Array<HistoryChange>;
  requestId: string | null;
  created: string;
  /** What was touched. */
  target: {
    kind: 'card' | 'transaction' | 'program' | 'person' | 'key' | 'webhooks' | 'decisions' | 'design' | 'report' | 'approvals' | 'rule';
    /** Of a card or a transaction. */
    id: string | null;
    /** Last four digits, an address or a name. */
    name: string | null;
  } | null;
  /** Recorded values of an entry without a state before it. */
  facts: Array<{
    field: string;
    value: string | null;
  }>;
}

export interface AuditFilters {
  actors: Array<AuditActor>;
  actions: Array<AuditAction>;
  /** Those with entries. */
  presets: Array<AuditPreset>;
}

export interface AuditPage {
  results: Array<AuditEntry>;
  /** Send it as `before` to get older records; null if there are none. */
  next: string | null;
  /** How far the search got; null if the whole requested period was searched. */
  searchedTo: string | null;
}

export interface AuditPreset {
  preset: 'money' | 'access' | 'reveals' | 'settings' | 'cards' | 'views' | 'sandbox';
  words: string;
}

export interface AuditVerification {
  /** Entries in the chain. */
  entries: number;
  /** Entries that are not in the chain yet. */
  waiting: number;
  verified: {
    /** All entries up to this position are as they were written. */
    position: number;
    /** When the end of the chain was last reached. */
    at: string;
  } | null;
  tampering: {
    what: 'changed' | 'missing' | 'added' | 'cut';
    entryId: string | null;
    position: number | null;
    /** When it was found first. */
    found: string;
  } | null;
}

export interface AuthenticationDetail {
  id: string;
  cardId: string;
  /** Id at the access control server or the wallet. */
  authenticationId: string;
  purpose: '3ds' | 'wallet';
  category: 'PAYMENT' | 'NON_PAYMENT' | null;
  status: 'AUTHENTICATED' | 'CHALLENGE' | 'REJECTED' | 'UNAVAILABLE';
  method: 'OTP' | 'OUT_OF_BAND' | null;
  reason: 'unknown_card' | 'card_blocked' | 'card_frozen' | 'card_expired' | 'expiry_mismatch' | 'too_many_attempts' | 'declined_by_program' | 'no_channel' | 'send_failed' | 'too_many_sends' | 'otp_wrong' | 'not_approved' | 'cancelled' | 'expired' | null;
  /** Number of wrong codes. */
  wrongCodes: number;
  /** Number of codes sent, failed sends included. */
  codesSent: number;
  /** Whether an authorization used it. */
  isUsed: boolean;
  /** In the merchant's currency; null for a wallet. */
  amount: string | null;
  currency: string | null;
  merchantName: string | null;
  wallet: string | null;
  created: string;
}

export interface AuthorizationMode {
  /** Who decides authorizations: Emboss, the merchant in real time, or both. */
  authorizationMode: 'STANDARD' | 'REAL_TIME' | 'BOTH';
}

export interface AuthorizationModeRequest {
  /** Who decides authorizations: Emboss, the merchant in real time, or both. */
  authorizationMode: 'STANDARD' | 'REAL_TIME' | 'BOTH';
  /** True: the server decides at once. Otherwise it must give a usable response to a signed test request first. */
  untested?: boolean | undefined;
}

export interface CardHistory {
  results: Array<HistoryEntry>;
  /** Send it as `before` to get older records; null if there are none. */
  next: string | null;
}

export interface CardLook {
  from: string;
  to: string;
  pattern: 'arcs' | 'lines' | 'rings' | 'plain';
}

export interface Confirmation {
  /** The operator’s password. */
  password: string;
  /** A code from the authenticator app, or a recovery code. */
  code: string;
}

export interface Confirmed {
  /** The operator's password. Always required. */
  password?: string | undefined;
  /** Code of the second factor, if the operator has one. */
  code?: string | undefined;
}

export interface ConsoleCardCsv {
  columns: Array<string>;
  rows: Array<ConsoleCardCsvRow>;
}

export interface ConsoleCardCsvError {
  field: string | null;
  message: string;
}

export interface ConsoleCardCsvRequest {
  /** The lines of a CSV file. The first one names the fields: `kyc.dob`. */
  lines: Array<string>;
}

export interface ConsoleCardCsvRow {
  /** Where the row begins, from 1. */
  line: number;
  cells: Array<string>;
  /** The create body of the row. */
  card: Record<string, unknown>;
  /** What is wrong with the row in itself. The KYC provider is not called. */
  error: ConsoleCardCsvError | null;
}

export interface ConsoleCustomer {
  id: string;
  /** Cardholder name of the newest card. */
  name: string;
  currency: string;
  /** Contact of the newest card. */
  contact: {
    otpPhoneNumber: {
      dialCode: number;
      phoneNumber: string;
    };
    email: string | null;
  };
  /** Newest first, at most 200. */
  cards: Array<CustomerCard>;
  /** Whether there are more cards; the totals do not include them. */
  more: boolean;
  totals: {
    /** In the currency of the program. */
    availableCredit: number;
    /** Approved and not reversed, in this UTC month. */
    spentThisMonth: number;
    /** Approved and not reversed, in all. */
    spent: number;
    /** Number of cards by status. */
    cards: {
      ACTIVE: number;
      FROZEN: number;
      BLOCKED: number;
      EXPIRED: number;
    };
  };
  /** Newest first, at most 100. */
  notes: Array<CustomerNote>;
}

export interface ConsoleDecisionEndpoint {
  kind: 'authorization' | 'authentication' | 'otp';
  url: string;
  timeoutMs: number;
  /** Null for the kinds `authentication` and `otp`. */
  onFailure: 'DECLINE' | 'STANDARD' | 'APPROVE' | null;
  standIn: StandInLimits | null;
  paused: boolean;
  /** Since when, in program time, the endpoint gets no requests except probes. Null if it gets them. */
  standInSince: string | null;
  /** `paused`: by the merchant. `failing`: after five failures in a row; single requests check whether the endpoint responds again. */
  standInReason: 'paused' | 'failing' | null;
  created: string;
  /** The last response that could not be used. Null: none since the URL was set. */
  lastFailure: DecisionFailure | null;
}

export interface ConsoleDesign {
  id: string;
  name: string;
  /** In stock for physical cards. */
  stock: boolean;
  /** Used for cards that are created without a design. */
  default: boolean;
  /** The cardholder's name is printed. */
  embossNameSupported: boolean;
  /** Not for new cards any more; existing cards keep it. */
  retired: boolean;
  /** Null: derived from the id. */
  look: CardLook | null;
}

export interface ConsoleDesignChange {
  name?: string | undefined;
  /** In stock for physical cards. */
  stock?: boolean | undefined;
  /** Used for cards that are created without a design. */
  default?: boolean | undefined;
  /** The cardholder's name is printed. */
  embossNameSupported?: boolean | undefined;
  /** Not for new cards any more; existing cards keep it. */
  retired?: boolean | undefined;
  /** Null: derived from the id. */
  look?: CardLook | null | undefined;
  /** The operator's password. Always required. */
  password?: string | undefined;
  /** Code of the second factor, if the operator has one. */
  code?: string | undefined;
}

export interface ConsoleDesignList {
  designs: Array<ConsoleDesign>;
}

export interface CustomerCard {
  id: string;
  currency: string;
  lastFour: string;
  externalCustomerId: string;
  cardholderName: string;
  cardName: string;
  cardDesign: string;
  cardType: 'physical' | 'virtual';
  status: 'ACTIVE' | 'FROZEN' | 'BLOCKED' | 'EXPIRED';
  created: string;
  /** In the currency of the program. */
  availableCredit: number;
  /** Approved and not reversed, in this UTC month. */
  spentThisMonth: number;
  /** Approved and not reversed, in all. */
  spent: number;
  /** Whether unfreezing the customer unfreezes it. */
  frozenWithCustomer: boolean;
}

export interface CustomerContactChanged {
  /** Number of changed cards. */
  cards: number;
}

export interface CustomerNote {
  id: string;
  text: string;
  author: string;
  authorId: string;
  created: string;
}

export interface CustomerNoteRequest {
  text: string;
}

export interface CustomerSummary {
  /** The customer's `meta.id`. */
  id: string;
  /** Cardholder name of the newest card. */
  name: string;
  /** Number of cards, at most 200. */
  cards: number;
  /** Whether there are more cards. */
  moreCards: boolean;
  /** Of these cards. */
  activeCards: number;
  newestCardId: string;
  /** Time of the newest transaction with any of these cards, approved or declined. */
  lastUsed: string | null;
  /** When the first card was created. */
  created: string;
}

export interface CustomerTimeline {
  transactions: Array<TransactionDetail>;
  authentications: Array<AuthenticationDetail>;
  changes: Array<HistoryEntry>;
  notes: Array<CustomerNote>;
  /** Send it as `before` to get older records; null if there are none. */
  next: string | null;
}

export interface Customers {
  results: Array<CustomerSummary>;
  /** Send it as `before` to get older records; null if there are none. */
  next: string | null;
  /** With `q`: whether more customers match than shown. */
  more: boolean;
}

export interface DecisionFailure {
  /** Real time. */
  at: string;
  outcome: 'timeout' | 'unreachable' | 'invalid';
  statusCode: number | null;
  error: string | null;
  /** The first 2 kB of the response, without card numbers, for managers and administrators. Null: there is none to show. */
  answerStart: string | null;
}

export interface DecisionSettings {
  /** Who decides authorizations: Emboss, the merchant in real time, or both. */
  authorizationMode: 'STANDARD' | 'REAL_TIME' | 'BOTH';
  /** By kind; null if there is none. */
  endpoints: {
    authorization: ConsoleDecisionEndpoint | null;
    authentication: ConsoleDecisionEndpoint | null;
    otp: ConsoleDecisionEndpoint | null;
  };
}

export interface DecisionTimes {
  /** Program time. */
  now: string;
  /** The last 24 hours, oldest first, without gaps; the last hour is not complete yet. */
  slices: Array<DecisionTimesSlice>;
}

export interface DecisionTimesSlice {
  start: string;
  /** Decisions that the merchant made. */
  answered: number;
  /** No response within the time limit. */
  timeouts: number;
  /** No connection, or a response that cannot be used. */
  failures: number;
  /** Half of the decisions took at most this long, timeouts included. Null: no such decision. */
  p50Ms: number | null;
  /** 99 % of the decisions took at most this long, timeouts included. Null: no such decision. */
  p99Ms: number | null;
  /** true: the hour has more events than are read, and its figures are those of a sample. */
  sampled: boolean;
}

export interface Enrolment {
  /** The URI for an authenticator app, to show as a QR code. */
  uri: string;
  /** The same secret in base32, to enter by hand. */
  secret: string;
  /** Send it back with the first code, within 15 minutes. */
  enrolment: string;
}

export interface EnrolmentRequest {
  /** The operator’s password. */
  password: string;
}

export interface FeeSchedule {
  /** Charged to the cardholder for a purchase in another currency. In basis points. */
  fxFeeBps: number;
  /** Earned on each clearing of a purchase. In basis points. */
  interchangeBps: number;
  /** Earned on each clearing of cash; negative: paid. In basis points. */
  cashInterchangeBps: number;
  /** Paid for each clearing. In basis points. */
  transactionCostBps: number;
  /** Charged to the cardholder for an ATM withdrawal. */
  atmFee: string;
  /** Paid for each clearing. */
  transactionCost: string;
  /** Paid for each virtual card. */
  virtualIssuanceFee: string;
  /** Paid for each physical card. */
  physicalIssuanceFee: string;
  /** Paid per month and card. */
  maintenanceFee: string;
}

export interface FeeScheduleChange {
  /** In basis points. */
  fxFeeBps?: number | undefined;
  /** In basis points. */
  interchangeBps?: number | undefined;
  /** In basis points. */
  cashInterchangeBps?: number | undefined;
  /** In basis points. */
  transactionCostBps?: number | undefined;
  /** In the program's currency. */
  atmFee?: number | undefined;
  /** In the program's currency. */
  transactionCost?: number | undefined;
  /** In the program's currency. */
  virtualIssuanceFee?: number | undefined;
  /** In the program's currency. */
  physicalIssuanceFee?: number | undefined;
  /** In the program's currency. */
  maintenanceFee?: number | undefined;
  /** The operator's password. Always required. */
  password?: string | undefined;
  /** Code of the second factor, if the operator has one. */
  code?: string | undefined;
}

export interface FirstCode {
  /** The value from the enrolment. */
  enrolment: string;
  /** A code from the authenticator app, or a recovery code. */
  code: string;
}

export interface FoundCard {
  id: string;
  currency: string;
  lastFour: string;
  externalCustomerId: string;
  cardholderName: string;
  cardName: string;
  cardDesign: string;
  cardType: 'physical' | 'virtual';
  status: 'ACTIVE' | 'FROZEN' | 'BLOCKED' | 'EXPIRED';
  created: string;
  availableCredit: number;
  expiryDate: string;
  /** Time of its newest transaction, approved or declined. */
  lastUsed: string | null;
}

export interface FoundCards {
  results: Array<FoundCard>;
  /** Send it as `before` to get older records; null if there are none. */
  next: string | null;
  /** How far the search got; null if the whole requested period was searched. */
  searchedTo: string | null;
}

export interface FoundTransactions {
  results: Array<TransactionDetail>;
  /** Send it as `before` to get older records; null if there are none. */
  next: string | null;
  /** How far the search got; null if the whole requested period was searched. */
  searchedTo: string | null;
}

export interface FoundWebhookEvents {
  results: Array<WebhookEvent>;
  /** Send it as `before` to get older records; null if there are none. */
  next: string | null;
  /** How far the search got; null if the whole requested period was searched. */
  searchedTo: string | null;
}

export interface Funding {
  id: string;
  /** Negative for a withdrawal. */
  amount: string;
  /** Available for new purchases after it. */
  available: string;
  reference: string | null;
  actor: {
    kind: 'operator' | 'key' | 'cli' | 'system';
    name: string;
  };
  created: string;
}

export interface FundingMovement {
  movementId: string;
  /** The program's money after it. */
  balance: string;
  /** Held for purchases that have not cleared yet. */
  held: string;
  /** Available for new purchases after it. */
  available: string;
}

export interface FundingPage {
  results: Array<Funding>;
  /** Send it as `before` to get older records; null if there are none. */
  next: string | null;
}

export interface FundingRequest {
  /** In the program's currency. */
  amount: number;
  /** Such as the reference of the bank transfer. Recorded in the audit. */
  reference: string;
  /** The operator's password. Always required. */
  password?: string | undefined;
  /** Code of the second factor, if the operator has one. */
  code?: string | undefined;
}

export interface HistoryChange {
  field: string;
  before: string | null;
  after: string | null;
}

export interface HistoryEntry {
  id: string;
  action: string;
  /** The action in words. */
  words: string;
  cardId: string | null;
  actor: {
    kind: 'operator' | 'key' | 'cli' | 'system';
    /** Name of the operator, the API key or the system component. */
    name: string;
  };
  /** IP address of the request; null for the command line and the system. */
  address: string | null;
  reason: string | null;
  changes: Array<HistoryChange>;
  requestId: string | null;
  created: string;
}

export interface Invitation {
  id: string;
  email: string;
  name: string;
  role: 'viewer' | 'support' | 'manager' | 'admin';
  programId: string | null;
  created: string;
  expires: string;
}

export interface InvitationAcceptance {
  /** The token in the fragment of the link. */
  token: string;
  /** Shown in the history of cards and in the audit. */
  name: string;
  /** 12 to 256 characters, with letters and digits. Not a common one. */
  password: string;
}

export interface InvitationToken {
  /** The token in the fragment of the link. */
  token: string;
}

export interface Invitations {
  invitations: Array<Invitation>;
}

export interface LedgerTransfer {
  id: string;
  code: string;
  /** Name of the debited account. */
  debit: string;
  /** Name of the credited account. */
  credit: string;
  /** In the program's currency. */
  amount: string;
}

export interface ListCount {
  /** Number of matching records. */
  count: number;
  /** False if there may be more: a count with filters ends at 10,000 records, or after reading 200,000. */
  isExact: boolean;
}

export interface LiveEvent {
  id: string;
  type: 'card' | 'transaction' | 'files' | 'settlement' | 'account' | 'security' | 'decision' | 'rule' | 'card_batch' | 'authentication';
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
  /** The bill amount with its fees. */
  total: string | null;
  channel: string | null;
  merchant: string | null;
  declineReason: string | null;
  declineMeaning: string | null;
}

export interface LiveEvents {
  /** Newest first, at most 100. Events of the last seconds before the cursor are returned again, because a slow transaction may commit late: skip the ids that you already have. */
  events: Array<LiveEvent>;
  cursor: string;
}

export interface NewApiKey {
  id: string;
  /** Key type. */
  kind: 'merchant' | 'network';
  name: string;
  /** Last four characters of the key. */
  hint: string;
  scopes: Array<'read' | 'write' | 'credentials' | 'reveal' | 'decisions' | 'rules' | 'authorizations' | 'clearing' | 'disputes' | 'fulfilment'>;
  created: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** Shown only once. */
  key: string;
}

export interface NewApiKeyRequest {
  kind: 'merchant' | 'network';
  name: string;
  /** Merchant key: read, write, credentials, reveal, decisions, rules; default: read and write. Network key: authorizations, clearing, disputes, fulfilment; default: all. */
  scopes?: Array<'read' | 'write' | 'credentials' | 'reveal' | 'decisions' | 'rules' | 'authorizations' | 'clearing' | 'disputes' | 'fulfilment'> | undefined;
  /** The operator's password. Required if the key can reveal card numbers or set decision endpoints. */
  password?: string | undefined;
  /** Code of the second factor, if the operator has one. */
  code?: string | undefined;
}

export interface NewConsoleDesign {
  id: string;
  name: string;
  /** In stock for physical cards. */
  stock: boolean;
  /** Used for cards that are created without a design. */
  default: boolean;
  /** The cardholder's name is printed. */
  embossNameSupported: boolean;
  /** Null: derived from the id. */
  look: CardLook | null;
  /** The operator's password. Always required. */
  password?: string | undefined;
  /** Code of the second factor, if the operator has one. */
  code?: string | undefined;
}

export interface NewInvitation {
  id: string;
  email: string;
  name: string;
  role: 'viewer' | 'support' | 'manager' | 'admin';
  programId: string | null;
  created: string;
  expires: string;
  /** Shown only once. Give it to the person, and to no other. */
  link: string;
}

export interface NewNotificationWebhook {
  url: string;
  /** Verifies the signature of each request. Shown once. */
  secret: string;
}

export interface NewPerson {
  id: string;
  email: string;
  name: string;
  role: 'viewer' | 'support' | 'manager' | 'admin';
  programId: string | null;
  state: 'active' | 'disabled';
  /** False: the person signs in with OpenID only. */
  hasPassword: boolean;
  /** The person can sign in with OpenID. */
  hasOpenId: boolean;
  hasSecondFactor: boolean;
  /** The password was generated and not changed yet. */
  mustChangePassword: boolean;
  lastSignIn: string | null;
  created: string;
  /** Shown only once. The person must change it at the first sign-in. */
  generatedPassword: string;
}

export interface NewPersonRequest {
  email: string;
  name: string;
  role: 'viewer' | 'support' | 'manager' | 'admin';
  /** The only program of the person; null: all programs. */
  programId: string | null;
  /** The operator's password. Always required. */
  password?: string | undefined;
  /** Code of the second factor, if the operator has one. */
  code?: string | undefined;
}

export interface NewProgram {
  id: string;
  name: string;
  /** It never changes. */
  mode: 'sandbox' | 'live';
  currency: string;
}

export interface NewProgramRequest {
  name: string;
  /** It never changes. */
  mode: 'sandbox' | 'live';
  /** ISO 4217 code. It never changes. */
  currency: string;
  /** First 6 to 8 digits of the card numbers. Required for a live program; default for a sandbox program: 999900. */
  bin?: string | undefined;
  /** The operator's password. Always required. */
  password?: string | undefined;
  /** Code of the second factor, if the operator has one. */
  code?: string | undefined;
}

export interface Notification {
  id: string;
  kind: 'webhook_endpoint' | 'decision_endpoint' | 'master_balance' | 'declines' | 'report' | 'master_key';
  title: string;
  text: string;
  /** The page about it, without the host. */
  link: string;
  opened: string;
  /** Null: the condition still holds. */
  closed: string | null;
  isRead: boolean;
}

export interface NotificationPreferences {
  /** The address to which e-mail goes. Null: this server has no mail server. */
  email: string | null;
  /** The URL of your webhook. */
  webhook: string | null;
  kinds: Array<{
    kind: 'webhook_endpoint' | 'decision_endpoint' | 'master_balance' | 'declines' | 'report' | 'master_key';
    label: string;
    description: string;
    /** Where you learn of this kind; empty: nowhere. */
    channels: Array<'bell' | 'email' | 'webhook'>;
  }>;
}

export interface NotificationPreferencesRequest {
  kinds: Array<{
    kind: 'webhook_endpoint' | 'decision_endpoint' | 'master_balance' | 'declines' | 'report' | 'master_key';
    /** Where you learn of this kind; empty: nowhere. */
    channels: Array<'bell' | 'email' | 'webhook'>;
  }>;
}

export interface NotificationTest {
  /** Why it did not arrive. Null: it was accepted. */
  error: string | null;
}

export interface NotificationTestRequest {
  channel: 'email' | 'webhook';
}

export interface NotificationWebhookRequest {
  /** As for webhook endpoints, https and public in a live program. */
  url: string;
}

export interface Notifications {
  /** Of those in the list. */
  unread: number;
  /** Open ones first, then those of the last 30 days; at most 50. */
  notifications: Array<Notification>;
}

export interface NotificationsReadRequest {
  ids: Array<string>;
}

export interface OpenIdConnection {
  /** The operator’s password. */
  password: string;
  /** A code from the authenticator app, or a recovery code. */
  code?: string | undefined;
}

export interface OpenIdRedirect {
  /** The page of the provider; open it in this browser within ten minutes. */
  url: string;
}

export interface OpenIdSignIn {
  /** The page of the console to continue with: a path that begins with a slash. */
  next?: string | undefined;
  /** The token of an invitation to accept. */
  invitation?: string | undefined;
}

export interface OpenInvitation {
  email: string;
  name: string;
  role: 'viewer' | 'support' | 'manager' | 'admin';
  expires: string;
}

export interface Overview {
  /** Program time. */
  now: string;
  /** The end of the period: program time, or that of the last transaction. */
  until: string;
  window: '24h' | '7d' | '30d';
  currency: string;
  /** Length of each interval. */
  sliceSeconds: number;
  /** Oldest first, without gaps; the last interval is not complete yet. */
  slices: Array<OverviewSlice>;
  /** The whole UTC days before the last one, oldest first. */
  days: Array<OverviewSlice>;
  totals: {
    approved: number;
    declined: number;
    /** Approved amount, without subtracting refunds and reversals, and without increments that arrive more than some minutes after the purchase. */
    spend: string;
    cards: number;
  };
  /** Totals of an earlier period, to the nearest hour: of a day, the same hours a week earlier; else the period before. */
  previous: {
    approved: number;
    declined: number;
    /** Approved amount, without subtracting refunds and reversals, and without increments that arrive more than some minutes after the purchase. */
    spend: string;
  };
  /** false if the program had no purchase before the earlier period, so that it may be incomplete. */
  comparable: boolean;
  /** Most frequent first. */
  declineReasons: Array<{
    reason: string;
    meaning: string;
    count: number;
  }>;
  /** Highest spend first. */
  topMerchants: Array<{
    name: string;
    count: number;
    spend: string;
  }>;
  /** The program's money: what is held and what is available together. */
  balance: string;
  /** Held for purchases that have not cleared yet. */
  held: string;
  /** Available for new purchases. */
  available: string;
  /** false while older transactions are still being counted and are missing here. */
  complete: boolean;
}

export interface OverviewSlice {
  start: string;
  approved: number;
  declined: number;
  /** Approved amount, without subtracting refunds and reversals, and without increments that arrive more than some minutes after the purchase. */
  spend: string;
}

export interface PasswordChange {
  /** The current password. */
  currentPassword: string;
  /** 12 to 256 characters, with letters and digits. Not one of the last four passwords, and not a common one. */
  newPassword: string;
}

export interface People {
  people: Array<Person>;
}

export interface Person {
  id: string;
  email: string;
  name: string;
  role: 'viewer' | 'support' | 'manager' | 'admin';
  programId: string | null;
  state: 'active' | 'disabled';
  /** False: the person signs in with OpenID only. */
  hasPassword: boolean;
  /** The person can sign in with OpenID. */
  hasOpenId: boolean;
  hasSecondFactor: boolean;
  /** The password was generated and not changed yet. */
  mustChangePassword: boolean;
  lastSignIn: string | null;
  created: string;
}

export interface PersonChange {
  name?: string | undefined;
  role?: 'viewer' | 'support' | 'manager' | 'admin' | undefined;
  /** The only program of the person; null: all programs. */
  programId?: string | null | undefined;
  /** False ends all sessions of the person. */
  enabled?: boolean | undefined;
  /** The operator's password. Required to change the role or the program, and to enable. */
  password?: string | undefined;
  /** Code of the second factor, if the operator has one. */
  code?: string | undefined;
}

export interface ProgramTerms {
  name: string;
  mode: 'sandbox' | 'live';
  currency: string;
  bin: string;
  kycProvider: string;
  /** Authorizations that the master account cannot cover are declined. */
  enforceMasterBalance: boolean;
  /** Days after which a hold that was not cleared is released. */
  holdDays: number;
  /** The same for lodging and vehicle rental. */
  longHoldDays: number;
  /** 3-D Secure challenges payments above this amount. Null: it challenges every payment. */
  challengeAbove: string | null;
  /** Online purchases above this amount need an authentication. Null: none needs one. */
  requireAuthenticationAbove: string | null;
  /** Money that an operator moves above this amount needs a second operator. Null: none does. */
  secondPersonAbove: string | null;
  /** An authentication counts for purchases within this number of days. */
  authenticationDays: number;
  /** A clearing above what was approved for it by more than this percentage is flagged. */
  overHoldPercent: number;
  /** A rule that would have declined more than this percentage of a week's approvals is promoted only with a confirmation. */
  rulesGuardPercent: number;
  /** Online purchases with one of these exemptions need no authentication. */
  allowedExemptions: Array<'LOW_VALUE' | 'RISK_ANALYSIS' | 'TRUSTED_MERCHANT' | 'CORPORATE'>;
  fees: FeeSchedule;
}

export interface RecoveryCodes {
  /** Each code can be used once in place of a code from the app. They are shown only once. */
  recoveryCodes: Array<string>;
}

export interface RejectRequest {
  reason?: string | undefined;
}

export interface ReplacementRequest {
  /** Opening balance. Default: the remaining balance of the blocked card, at least 0. */
  spendLimit?: number | undefined;
  /** Where a physical card is shipped to. Ignored for a virtual card. */
  shippingInformation?: DeliveryInformation | undefined;
}

export interface ReportRequest {
  referenceId: string;
  fileType: 'monthly' | 'daily' | 'fee' | 'monthlyTransactionFees' | 'monthlyNonTransactionFees' | 'dailyTransactionFee' | 'settlement';
  firstDay: string;
  lastDay: string;
  /** expired: the file was deleted and is generated again on request. */
  status: 'pending' | 'ready' | 'expired';
  rowCount: number | null;
  bytes: number | null;
  created: string;
}

export interface ReportRequests {
  results: Array<ReportRequest>;
  /** Send it as `before` to get older records; null if there are none. */
  next: string | null;
}

export interface RequestedApproval {
  approvalId: string;
  expires: string;
}

export interface RevealRequest {
  /** Why the number is needed; recorded in the audit. */
  reason: string;
}

export interface RevealedIdentity {
  name: string;
  /** Date of birth; null for a business. */
  dob: string | null;
  /** Null for a person. */
  registrationNumber: string | null;
  address: {
    line1: string;
    line2: string;
    postalCode: string | null;
    city: string;
    /** ISO 3166-1 alpha-3 code. */
    country: string;
  };
}

export interface SavedView {
  id: string;
  /** Unique among your views of the list. */
  name: string;
  /** Filters and order, as in the URL of the list. */
  search: string;
  /** Columns to show; empty for the usual ones. */
  columns: Array<string>;
}

export interface SavedViewRequest {
  list: 'cards' | 'transactions' | 'webhook-events';
  /** Unique among your views of the list. */
  name: string;
  /** Filters and order, as in the URL of the list. */
  search: string;
  /** Columns to show; empty for the usual ones. */
  columns: Array<string>;
}

export interface SavedViews {
  /** By name; at most 20. */
  views: Array<SavedView>;
}

export interface SearchResult {
  card: Card;
  matchedBy: 'id' | 'lastFour' | 'cardholder' | 'customerId' | 'phone' | 'email' | 'transaction';
  transactionId: string | null;
}

export interface SearchResults {
  results: Array<SearchResult>;
  /** Whether there are more matching cards than shown. */
  more: boolean;
  /** The newest transactions at the merchant or of the amount, at most 25. */
  transactions: Array<TransactionDetail>;
  /** Older transactions were not searched by merchant or amount; null: all were. */
  searchedBackTo: string | null;
}

export interface SecondPerson {
  /** Null: no second person is needed. */
  secondPersonAbove: string | null;
}

export interface SecondPersonRequest {
  /** Null: no second person is needed. */
  secondPersonAbove: string | null;
  /** The operator's password. Required. */
  password?: string | undefined;
  /** Code of the second factor, if the operator has one. */
  code?: string | undefined;
}

export interface Session {
  operator: {
    id: string;
    email: string;
    name: string;
    /** Role of the operator. */
    role: 'viewer' | 'support' | 'manager' | 'admin';
    /** The only program of the operator; null: all programs. */
    programId: string | null;
    /** If true, the operator must change the password before anything else. */
    mustChangePassword: boolean;
    /** False: the operator signs in with OpenID only. */
    hasPassword: boolean;
    /** The operator can sign in with OpenID. */
    hasOpenId: boolean;
    hasSecondFactor: boolean;
    /** Number of recovery codes left. */
    recoveryCodes: number;
  };
  /** Send it as `x-csrf-token` with every request that changes something. */
  csrfToken: string;
  /** When the session expires at the latest. */
  expiresAt: string;
  /** The programs that the operator can access. */
  programs: Array<{
    id: string;
    name: string;
    mode: 'sandbox' | 'live';
    currency: string;
    /** Whether the operator must set up a second factor before using the program. */
    needsSecondFactor: boolean;
  }>;
}

export interface Sessions {
  sessions: Array<{
    id: string;
    /** Browser and system, such as "Firefox on Linux". */
    device: string;
    /** The client’s address at the sign-in. */
    address: string | null;
    /** When the operator signed in. */
    created: string;
    /** Time of the last request, accurate to a minute. */
    lastUsed: string;
    /** The session of this request. */
    isCurrent: boolean;
  }>;
}

export interface ShipmentDetail {
  cardId: string;
  /** Null if no physical card was ordered. */
  status: 'ORDERED' | 'SHIPPED' | 'DELIVERED' | 'RETURNED' | null;
  created: string | null;
  /** Null if the order had no address. */
  shipTo: {
    recipient: string;
    line1: string;
    line2: string | null;
    zone: string | null;
    city: string;
    postalCode: string;
    country: string;
    phone: string;
    email: string;
  } | null;
}

export interface SignIn {
  /** The operator’s e-mail address. */
  email: string;
  /** The operator’s password. */
  password: string;
  /** A code from the authenticator app, or a recovery code. */
  code?: string | undefined;
}

export interface SignInMethods {
  /** The name of the OpenID provider; null: people sign in with passwords only. */
  openid: string | null;
}

export interface SupportLimits {
  /** The highest multiple of the limit. 1: support may not raise limits. */
  factor: number;
  /** The highest number of days. */
  days: number;
}

export interface TemporaryLimitsChange {
  /** Each applies instead of the limit of the same name until it ends, if it is higher. Without that limit it has no effect. Null ends it at once; absent ones do not change. */
  temporaryLimits: TemporaryLimitsRequest;
}

export interface TransactionDetail {
  id: string;
  externalTransactionId: string;
  cardId: string;
  /** Last four digits of the number used. */
  lastFour: string;
  cardholderName: string;
  kind: 'purchase' | 'refund';
  /** Null: a purchase, or no authorization said it. */
  type: 'PURCHASE' | 'CASH' | 'BALANCE_INQUIRY' | 'CREDIT' | null;
  status: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
  /** In the merchant's currency; a refund is negative. */
  amount: string;
  currency: string;
  /** In the card's currency; a refund is negative. */
  billAmount: string;
  billCurrency: string;
  fees: {
    /** FX fee, in the card's currency. */
    fx: string;
    /** ATM fee, in the card's currency. */
    atm: string;
  };
  /** The bill amount with its fees: what the card was charged or would be charged. */
  total: string;
  channel: 'ECOMMERCE' | 'POS' | 'ATM' | 'MOTO' | null;
  merchant: Merchant | null;
  decline: {
    code: string;
    reason: string;
    networkCode: string;
    /** Why the purchase was declined. */
    meaning: string;
    /** What to do about the decline. */
    remedy: string;
    /** The numbers behind a decline by a limit or by funds, at the time of the decision. */
    limits: DeclineLimits | null;
  } | null;
  approvalCode: string | null;
  /** What a person should look at. `no_authorization`: cleared without one, or after a decline or a whole reversal. `over_hold`: cleared above all that was approved by more than the program allows. `late`: cleared after the hold expired. `after_block`: cleared after the card was blocked. `duplicate`: the same card, `arn`, amount and currency cleared before under another id. */
  flags: Array<'no_authorization' | 'over_hold' | 'late' | 'after_block' | 'duplicate'>;
  /** What the network said beside its amounts. */
  network: MessageData | null;
  created: string;
}

export interface TransactionLife {
  transaction: TransactionDetail;
  /** The authorization mode in which the transaction was made: that of the program, or `STANDARD` if Emboss decided in place of the merchant. */
  authorizationMode: 'STANDARD' | 'REAL_TIME' | 'BOTH';
  card: Card;
  parent: TransactionDetail | null;
  refunds: Array<TransactionDetail>;
  /** Your metadata of the transaction. */
  metadata: Record<string, string>;
  /** Number of all events. */
  eventsTotal: number;
  /** Oldest first: the first event and the newest 500. */
  events: Array<TransactionLifeEvent>;
}

export interface TransactionLifeEvent {
  id: string;
  name: string;
  created: string;
  /** Network id of the message. */
  messageId: string;
  amount: string | null;
  currency: string;
  billAmount: string;
  billCurrency: string;
  fees: {
    /** FX fee, in the card's currency. */
    fx: string;
    /** ATM fee, in the card's currency. */
    atm: string;
  };
  /** The bill amount with its fees: what the event held, took or gave back. */
  total: string;
  /** Status of the transaction after this event. */
  status: string;
  decline: {
    code: string;
    reason: string;
    networkCode: string;
    /** Why the purchase was declined. */
    meaning: string;
    /** What to do about the decline. */
    remedy: string;
    /** The numbers behind a decline by a limit or by funds, at the time of the decision. */
    limits: DeclineLimits | null;
  } | null;
  /** For an authorization or an increment: who decided it. */
  decision: Decision | null;
  /** For an authorization or an increment: how the cardholder was authenticated. */
  authentication: TransactionAuthentication | null;
  /** The rules that matched this authorization, increment or advice; absent if none did. */
  rules?: Array<MatchedRule> | undefined;
  /** What a person should look at. `no_authorization`: cleared without one, or after a decline or a whole reversal. `over_hold`: cleared above all that was approved by more than the program allows. `late`: cleared after the hold expired. `after_block`: cleared after the card was blocked. `duplicate`: the same card, `arn`, amount and currency cleared before under another id. */
  flags?: Array<'no_authorization' | 'over_hold' | 'late' | 'after_block' | 'duplicate'> | undefined;
  /** Of a reversal: the id of the clearing, refund or increment that it takes back. */
  reverses?: string | undefined;
  /** Of `transaction.updated`: what changed. */
  changed?: Array<'parent_transaction_id' | 'metadata'> | undefined;
  transfers: Array<LedgerTransfer>;
}

export interface TransactionTimeline {
  results: Array<TransactionDetail>;
  /** Those of the same period; both lists together are a page. */
  authentications: Array<AuthenticationDetail>;
  /** Send it as `before` to get older records; null if there are none. */
  next: string | null;
}
