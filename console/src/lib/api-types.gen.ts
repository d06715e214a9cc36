// Written by "npm run generate" from the schemas of the server. Change those, and run it again.

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

export interface ApprovedAuthorization {
  transaction_id: string;
  external_transaction_id: string;
  approved: true;
  status: 'PENDING' | 'CLEARED' | 'VOID';
  decline_code: null;
  decline_reason: null;
  network_code: string;
  approval_code: string;
  bill_amount: string;
  bill_currency: string;
}

export interface AuthorizationClearingEvent {
  eventType: 'transaction';
  eventName: 'authorization.clearing';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: TransactionEventData;
}

export interface AuthorizationDeclinedEvent {
  eventType: 'transaction';
  eventName: 'authorization.declined';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: DeclinedEventData;
}

export interface AuthorizationEvent {
  eventType: 'transaction';
  eventName: 'authorization';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: TransactionEventData;
}

export interface AuthorizationExpiredEvent {
  eventType: 'transaction';
  eventName: 'authorization.expired';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: TransactionEventData;
}

export interface AuthorizationRequest {
  /** The network's id of the purchase. */
  external_transaction_id: string;
  /** The card number, digits only. */
  card_number: string;
  expiry: string;
  cvv?: string | undefined;
  /** In the merchant's currency. Zero is a check of the account. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  /** In the card's currency; needed where `currency` is another. */
  bill_amount?: string | undefined;
  /** The card's currency. */
  bill_currency?: string | undefined;
  channel: 'ECOMMERCE' | 'POS' | 'ATM';
  merchant: Merchant;
}

export type AuthorizationResponse = ApprovedAuthorization | DeclinedAuthorization;

export interface AuthorizationReversalEvent {
  eventType: 'transaction';
  eventName: 'authorization.reversal';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: TransactionEventData;
}

export interface BalanceAdjustment {
  id: string;
  cardId: string;
  amount: number;
  reference: string;
  /** After the adjustment. */
  availableCredit: number;
  created: string;
}

export interface BalanceAdjustmentRequest {
  /** Up if positive, down if negative. */
  amount: number;
  /** Your own reference. */
  reference: string;
}

export interface BlockCardRequest {
  /** Brief text, such as lost, stolen, fraud suspected. */
  reason: string;
  /** Decides the error and network code of the blocked card. Absent: derived from the words fraud, lost and stolen in `reason`, else `OTHER`. */
  reasonCode?: 'FRAUD' | 'LOST' | 'STOLEN' | 'OTHER' | undefined;
}

export interface BusinessKyc {
  /** Full legal name. */
  fullName: string;
  entityType: 'personal' | 'company';
  businessRegistrationNumber: string;
  businessOperationAddress: {
    line1: string;
    /** Required, may be empty. */
    line2: string;
    city: string;
    /** ISO 3166-1 alpha-3. */
    country: string;
    postalCode?: string | undefined;
  };
}

export interface Card {
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
}

export interface CardBlockedEvent {
  eventType: 'card';
  eventName: 'card.blocked';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: CardEventData;
}

export interface CardCreatedEvent {
  eventType: 'card';
  eventName: 'card.created';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: CardEventData;
}

export interface CardDesign {
  id: string;
  name: string;
  /** Plastic is in stock. */
  stock: boolean;
  /** Used for cards that name no design. */
  default: boolean;
  embossNameSupported: boolean;
}

export interface CardDesignList {
  cardDesigns: Array<CardDesign>;
}

export interface CardDetails {
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
  /** Why the card was blocked. */
  statusReason: string | null;
  availableCredit: number;
  spendLimit: number;
  expiryDate: string;
  spendControls: SpendControls;
  shipment: Shipment | null;
  meta: {
    id: string;
    otpPhoneNumber: {
      dialCode: number;
      phoneNumber: string;
    };
    email: string | null;
  };
}

export interface CardEventData {
  cardId: string;
  /** Counts the card's events 1, 2, 3 … without gaps, `card` and `transaction` together. */
  sequence: number;
  cardType: 'physical' | 'virtual';
  /** After the event. */
  status: 'ACTIVE' | 'FROZEN' | 'BLOCKED';
  /** Why the card was blocked. */
  statusReason: string | null;
  lastFour: string;
  expiryDate: string;
  cardDesign: string;
}

export interface CardFrozenEvent {
  eventType: 'card';
  eventName: 'card.frozen';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: CardEventData;
}

export interface CardHistory {
  results: Array<HistoryEntry>;
  /** Give it as `before` to go on; null: there is nothing older. */
  next: string | null;
}

export interface CardPage {
  results: Array<Card>;
  /** Number of records that match, on all pages. */
  count: number;
  /** Link to the next page, or null. */
  next: string | null;
  /** Link to the previous page, or null. */
  previous: string | null;
}

export interface CardReissuedEvent {
  eventType: 'card';
  eventName: 'card.reissued';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: CardReissuedEventData;
}

export interface CardReissuedEventData {
  cardId: string;
  /** Counts the card's events 1, 2, 3 … without gaps, `card` and `transaction` together. */
  sequence: number;
  cardType: 'physical' | 'virtual';
  /** After the event. */
  status: 'ACTIVE' | 'FROZEN' | 'BLOCKED';
  /** Why the card was blocked. */
  statusReason: string | null;
  lastFour: string;
  expiryDate: string;
  cardDesign: string;
  renewOption: 'IDENTICAL_TO_THE_CURRENT_CARD' | 'CALCULATE_NEW_EXPIRY_DATE' | 'NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE' | 'NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE' | 'SAME_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY' | 'NEW_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY';
}

export interface CardUnfrozenEvent {
  eventType: 'card';
  eventName: 'card.unfrozen';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: CardEventData;
}

export interface CardholderMeta {
  /** The cardholder's id in your system; returned as externalCustomerId. */
  id: string;
  otpPhoneNumber: {
    /** Country dial code without plus. */
    dialCode: number;
    phoneNumber: string;
  };
  /** Used for authentication; recommended. */
  email?: string | null | undefined;
}

export interface ClearingRequest {
  /** The network's id of the purchase. */
  external_transaction_id: string;
  /** The clearing's own id. */
  clearing_id: string;
  /** In the merchant's currency. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  /** In the card's currency. */
  bill_amount: string;
  /** The card's currency. */
  bill_currency: string;
  /** Whether the rest of the hold is released. Default true. */
  final?: boolean | undefined;
  /** The card number, digits only. */
  card_number?: string | undefined;
}

export interface ClearingResponse {
  clearing_id: string;
  transaction_id: string | null;
  external_transaction_id: string | null;
  status: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
  bill_amount: string;
  bill_currency: string;
}

export interface Clock {
  /** The program's time. */
  now: string;
}

export interface ClockRequest {
  /** A moment with its offset, at or after the present one. */
  now?: string | undefined;
  advance_seconds?: number | undefined;
}

export interface Confirmation {
  /** The operator’s password. */
  password: string;
  /** A code of the authenticator app, or a recovery code. */
  code: string;
}

export interface ConsumerKyc {
  firstName: string;
  lastName: string;
  /** Date of birth, in the past. */
  dob: string;
  residentialAddress: {
    /** Government ID type. */
    idDocumentType: string;
    idDocumentNumber: string;
    line1: string;
    /** Required, may be empty. */
    line2: string;
    city: string;
    /** ISO 3166-1 alpha-3. */
    country: string;
    postalCode?: string | undefined;
  };
}

export interface CreateBusinessCardRequest {
  customerType: 'Business';
  kyc: BusinessKyc;
  /** Applicant id at the KYC provider. */
  kycApplicantId: string;
  /** physical if a plastic may ever be shipped. */
  cardType: 'physical' | 'virtual';
  /** Name of the card, printed on a physical one. */
  preferredCardName: string;
  /** Opening balance. Default 0. */
  spendLimit?: number | undefined;
  /** At least one month from today. Default: three years. */
  expiryDate?: string | null | undefined;
  meta: CardholderMeta;
  /** A design's id. Default: the program's default design. */
  cardDesign?: string | undefined;
}

export type CreateCardRequest = CreateConsumerCardRequest | CreateBusinessCardRequest;

export interface CreateConsumerCardRequest {
  customerType: 'Consumer';
  kyc: ConsumerKyc;
  /** Applicant id at the KYC provider. */
  kycApplicantId: string;
  /** physical if a plastic may ever be shipped. */
  cardType: 'physical' | 'virtual';
  /** Name of the card, printed on a physical one. */
  preferredCardName: string;
  /** Opening balance. Default 0. */
  spendLimit?: number | undefined;
  /** At least one month from today. Default: three years. */
  expiryDate?: string | null | undefined;
  meta: CardholderMeta;
  /** A design's id. Default: the program's default design. */
  cardDesign?: string | undefined;
}

export interface Credentials {
  cardNumber: string;
  cvv: string;
  expiryMonth: number;
  expiryYear: number;
  expiryDate: string;
}

export interface CredentialsKeyCreatedEvent {
  eventType: 'security';
  eventName: 'security.credentials_key_created';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: CredentialsKeyCreatedEventData;
}

export interface CredentialsKeyCreatedEventData {
  keyId: string;
  /** What people call the key. */
  name: string;
  /** Its last four characters. */
  hint: string;
  scopes: Array<'read' | 'write' | 'credentials'>;
  /** The operator, or the user of the command line. */
  createdBy: string;
  /** The IP address it was created from; null for the command line. */
  address: string | null;
}

export interface DailyFileEvent {
  eventType: 'files';
  eventName: 'daily_file';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: FileEventData;
}

export interface DailyTransactionFeeFileEvent {
  eventType: 'files';
  eventName: 'daily_transaction_fee_file';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: FileEventData;
}

export interface DeclinedAuthorization {
  /** Null where the number is not a card in the program: there is no card to record a transaction on. */
  transaction_id: string | null;
  external_transaction_id: string;
  approved: false;
  status: 'DECLINED';
  decline_code: string;
  decline_reason: 'invalid_card_number' | 'card_blocked' | 'card_frozen' | 'card_expired' | 'expiry_mismatch' | 'cvv_mismatch' | 'merchant_category_not_allowed' | 'transaction_limit' | 'daily_limit' | 'card_limit' | 'insufficient_funds' | 'program_balance' | 'already_reversed';
  network_code: string;
  approval_code: null;
  bill_amount: string;
  bill_currency: string;
}

export interface DeclinedEventData {
  transaction_id: string;
  external_transaction_id: string;
  card_id: string;
  /** Counts the card's events 1, 2, 3 … without gaps, `card` and `transaction` together. */
  sequence: number;
  /** The network message's own id; of an expiry, ours. */
  message_id: string;
  status: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
  /** What this event moved, in the merchant's currency; null where the message did not say. */
  amount: string | null;
  currency: string;
  /** What this event moved, in the card's currency. */
  bill_amount: string;
  bill_currency: string;
  /** Of this event, in the card's currency. */
  fx_fee: string;
  /** Basis points. */
  fx_fee_bps: number;
  /** Of this event, in the card's currency. */
  atm_fee: string;
  channel: 'ECOMMERCE' | 'POS' | 'ATM' | null;
  merchant: Merchant | null;
  decline_code: string;
  decline_reason: 'invalid_card_number' | 'card_blocked' | 'card_frozen' | 'card_expired' | 'expiry_mismatch' | 'cvv_mismatch' | 'merchant_category_not_allowed' | 'transaction_limit' | 'daily_limit' | 'card_limit' | 'insufficient_funds' | 'program_balance' | 'already_reversed';
  network_code: string;
  approval_code: null;
  /** The purchase that a refund belongs to. */
  parent_transaction_id: string | null;
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

export interface Error {
  /** Error code: the HTTP status, or a code of the error table. */
  code: number;
  /** Names the field by its path and the rule it broke. */
  message: string;
  status: 'failed';
}

export type Event = CardCreatedEvent | CardFrozenEvent | CardUnfrozenEvent | CardBlockedEvent | CardReissuedEvent | AuthorizationEvent | AuthorizationDeclinedEvent | AuthorizationReversalEvent | AuthorizationClearingEvent | AuthorizationExpiredEvent | RefundEvent | MonthlyFileEvent | DailyFileEvent | FeeFileEvent | MonthlyTransactionFeesFileEvent | MonthlyNonTransactionFeesFileEvent | DailyTransactionFeeFileEvent | CredentialsKeyCreatedEvent | TestEvent;

export interface FeeFileEvent {
  eventType: 'files';
  eventName: 'fee_file';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: FileEventData;
}

export interface FileEventData {
  /** From the answer to the request. */
  reference_id: string;
  /** Needs no key. Made for this delivery. */
  link: string;
  /** When the link dies, in Unix seconds. */
  expireAt: number;
}

export interface FileRequest {
  message: string;
  /** Names this request in the `files` event and below. */
  reference_id: string;
}

export type FileRequestState = PendingFile | ReadyFile;

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

export interface FreezeAnswer {
  freeze: boolean;
  message: string;
}

export interface FreezeCardRequest {
  /** true freezes, false unfreezes. */
  freeze: boolean;
}

export interface Health {
  status: 'ok';
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

export interface KycApplicant {
  kycApplicantId: string;
  review: 'approved' | 'pending' | 'rejected';
}

export interface KycApplicantRequest {
  kycApplicantId: string;
  /** Default approved. */
  review?: 'approved' | 'pending' | 'rejected' | undefined;
  customerType: 'Consumer' | 'Business';
  kyc: {
    firstName?: string | undefined;
    lastName?: string | undefined;
    dob?: string | undefined;
    country?: string | undefined;
    fullName?: string | undefined;
    businessRegistrationNumber?: string | undefined;
    residentialAddress?: {
      country?: string | undefined;
    } | undefined;
    businessOperationAddress?: {
      country?: string | undefined;
    } | undefined;
  };
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

export interface Merchant {
  /** The merchant's id at its acquirer. */
  id: string;
  /** Name as on the statement. */
  name: string;
  mcc: string;
  /** City, or whatever the network has in its place. */
  city: string;
  /** ISO 3166-1, alpha-2 or alpha-3. */
  country: string;
}

export interface Message {
  message: string;
}

export interface MonthlyFileEvent {
  eventType: 'files';
  eventName: 'monthly_file';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: FileEventData;
}

export interface MonthlyNonTransactionFeesFileEvent {
  eventType: 'files';
  eventName: 'monthly_non_transaction_fees_file';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: FileEventData;
}

export interface MonthlyTransactionFeesFileEvent {
  eventType: 'files';
  eventName: 'monthly_transaction_fees_file';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: FileEventData;
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

export interface NewWebhookEndpoint {
  id: string;
  url: string;
  eventTypes: Array<string> | null;
  /** DISABLED: it answered 410, or nothing was delivered for 5 days. */
  status: 'ENABLED' | 'DISABLED';
  statusReason: string | null;
  created: string;
  /** Verifies deliveries. Shown this once. */
  secret: string;
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

export interface PendingFile {
  reference_id: string;
  status: 'pending';
  /** Made for this answer; it needs no key. Null until the file is ready. */
  link: null;
  /** When the link dies, in Unix seconds: five minutes from now. */
  expireAt: null;
}

export interface ReadyFile {
  reference_id: string;
  status: 'ready';
  /** Made for this answer; it needs no key. Null until the file is ready. */
  link: string;
  /** When the link dies, in Unix seconds: five minutes from now. */
  expireAt: number;
}

export interface RecoveryCodes {
  /** Each opens once, in place of a code. They are shown this once. */
  recoveryCodes: Array<string>;
}

export interface RefundEvent {
  eventType: 'transaction';
  eventName: 'refund';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: TransactionEventData;
}

export interface RefundRequest {
  /** The refund's own id. */
  refund_id: string;
  /** The network's id of the purchase. */
  external_transaction_id?: string | undefined;
  /** The card number, digits only. */
  card_number?: string | undefined;
  /** In the merchant's currency. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  /** In the card's currency. */
  bill_amount: string;
  /** The card's currency. */
  bill_currency: string;
}

export interface RefundResponse {
  refund_id: string;
  parent_transaction_id: string | null;
  transaction_id: string | null;
  external_transaction_id: string | null;
  status: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
  bill_amount: string;
  bill_currency: string;
}

export interface ReissueCardRequest {
  /** Default NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE. */
  renewOption?: 'IDENTICAL_TO_THE_CURRENT_CARD' | 'CALCULATE_NEW_EXPIRY_DATE' | 'NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE' | 'NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE' | 'SAME_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY' | 'NEW_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY' | undefined;
  /** Needed by the options with a custom expiry; at least one month out. */
  expiryDate?: string | undefined;
  shippingInformation?: ShippingInformation | undefined;
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

export interface ResendMissedRequest {
  /** A moment of the program's time, with its offset; or `next` of an earlier answer, to go on from there. */
  since: string;
  /** To this endpoint only; absent: to all. */
  endpointId?: string | undefined;
}

export interface Resent {
  message: string;
  /** How many deliveries were started. */
  deliveries: number;
}

export interface ResentMissed {
  message: string;
  /** How many deliveries were started. */
  deliveries: number;
  /** There is more: send it as `since`. Null: that was all. */
  next: string | null;
}

export interface RevealRequest {
  /** Why the number is needed; it goes into the audit. */
  reason: string;
}

export interface ReversalRequest {
  /** The network's id of the purchase. */
  external_transaction_id: string;
  /** The reversal's own id. */
  reversal_id: string;
  /** Part of the hold; absent: all of it. */
  bill_amount?: string | undefined;
}

export interface ReversalResponse {
  reversal_id: string;
  transaction_id: string | null;
  external_transaction_id: string | null;
  status: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
  bill_amount: string;
  bill_currency: string;
}

export interface RotatedWebhookEndpoint {
  id: string;
  url: string;
  eventTypes: Array<string> | null;
  /** DISABLED: it answered 410, or nothing was delivered for 5 days. */
  status: 'ENABLED' | 'DISABLED';
  statusReason: string | null;
  created: string;
  /** Verifies deliveries. Shown this once. */
  secret: string;
  /** Until then deliveries are signed with both secrets. */
  previousSignsUntil: string;
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

export interface Shipment {
  status: 'ORDERED' | 'SHIPPED' | 'DELIVERED' | 'RETURNED';
  cardDesign: string;
  created: string;
}

export interface ShippingInformation {
  shippingAddress: {
    line1: string;
    /** Second line. */
    line2?: string | null | undefined;
    /** State, province or region. */
    zone?: string | null | undefined;
    city: string;
    postalCode: string;
    /** ISO 3166-1 alpha-2. */
    country: string;
  };
  recipientFirstName: string;
  recipientLastName: string;
  recipientPhoneNumber: string;
  /** Country dial code without plus. */
  recipientDialCode: number;
  /** E-mail of the recipient. */
  recipientEmail: string;
  /** A design's id. */
  cardDesign: string;
}

export interface SignIn {
  /** The operator’s e-mail address. */
  email: string;
  /** The operator’s password. */
  password: string;
  /** A code of the authenticator app, or a recovery code. */
  code?: string | undefined;
}

export interface SimulatedAuthorizationRequest {
  /** Card id. */
  card_id: string;
  /** Zero is a check of the account. */
  amount: string;
  /** ISO 4217. */
  currency?: string | undefined;
  /** In the card's currency; needed where `currency` is another. */
  bill_amount?: string | undefined;
  /** ISO 4217. */
  bill_currency?: string | undefined;
  channel?: 'ECOMMERCE' | 'POS' | 'ATM' | undefined;
  /** What is absent is made up. */
  merchant?: {
    /** The merchant's id at its acquirer. */
    id?: string | undefined;
    /** Name as on the statement. */
    name?: string | undefined;
    mcc?: string | undefined;
    /** City, or whatever the network has in its place. */
    city?: string | undefined;
    /** ISO 3166-1, alpha-2 or alpha-3. */
    country?: string | undefined;
  } | undefined;
  cvv?: string | undefined;
  expiry?: string | undefined;
  /** The network's id of the purchase. */
  external_transaction_id?: string | undefined;
}

export interface SimulatedClearingRequest {
  /** Transaction id, as the authorization answered it. */
  transaction_id: string;
  /** Absent: one is made for you. */
  clearing_id?: string | undefined;
  /** Absent: the whole purchase. */
  amount?: string | undefined;
  /** ISO 4217. */
  currency?: string | undefined;
  /** In the card's currency; needed where `currency` is another. */
  bill_amount?: string | undefined;
  /** ISO 4217. */
  bill_currency?: string | undefined;
  /** Whether the rest of the hold is released. Default true. */
  final?: boolean | undefined;
}

export interface SimulatedRefundRequest {
  /** Transaction id, as the authorization answered it. */
  transaction_id: string;
  /** Absent: one is made for you. */
  refund_id?: string | undefined;
  /** Absent: the whole purchase. */
  amount?: string | undefined;
  /** ISO 4217. */
  currency?: string | undefined;
  /** In the card's currency; needed where `currency` is another. */
  bill_amount?: string | undefined;
  /** ISO 4217. */
  bill_currency?: string | undefined;
}

export interface SimulatedReversalRequest {
  /** Transaction id, as the authorization answered it. */
  transaction_id: string;
  /** Absent: one is made for you. */
  reversal_id?: string | undefined;
  /** Part of the hold; absent: all of it. */
  bill_amount?: string | undefined;
  /** The same, for a purchase in the card's currency. */
  amount?: string | undefined;
}

export interface SpendControls {
  transactionLimit: number | null;
  dailyLimit: number | null;
  monthlyLimit: number | null;
  allTimeLimit: number | null;
  allowedMccs: Array<string>;
  blockedMccs: Array<string>;
}

export interface SpendControlsRequest {
  /** Most for one authorization. Null: no limit. */
  transactionLimit?: number | null | undefined;
  /** Most per UTC day. Null: no limit. */
  dailyLimit?: number | null | undefined;
  /** Most per UTC calendar month. Null: no limit. */
  monthlyLimit?: number | null | undefined;
  /** Most over the life of the card. Null: no limit. */
  allTimeLimit?: number | null | undefined;
  /** If not empty, only these merchant categories. */
  allowedMccs?: Array<string> | undefined;
  /** Never these merchant categories. */
  blockedMccs?: Array<string> | undefined;
}

export interface TestEvent {
  eventType: 'test';
  eventName: 'test';
  /** The same however often it is sent. */
  eventId: string;
  /** The program's time. */
  created: string;
  data: TestEventData;
}

export interface TestEventData {
  message: string;
}

export interface Transaction {
  id: string;
  external_transaction_id: string;
  card_id: string;
  /** In the card's currency; a refund is negative. */
  bill_amount: number;
  bill_currency: string;
  cardholder_name: string;
  /** In the merchant's currency; a refund is negative. */
  amount: string;
  currency: string;
  status: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
  created: string;
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

export interface TransactionEventData {
  transaction_id: string;
  external_transaction_id: string;
  card_id: string;
  /** Counts the card's events 1, 2, 3 … without gaps, `card` and `transaction` together. */
  sequence: number;
  /** The network message's own id; of an expiry, ours. */
  message_id: string;
  status: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
  /** What this event moved, in the merchant's currency; null where the message did not say. */
  amount: string | null;
  currency: string;
  /** What this event moved, in the card's currency. */
  bill_amount: string;
  bill_currency: string;
  /** Of this event, in the card's currency. */
  fx_fee: string;
  /** Basis points. */
  fx_fee_bps: number;
  /** Of this event, in the card's currency. */
  atm_fee: string;
  channel: 'ECOMMERCE' | 'POS' | 'ATM' | null;
  merchant: Merchant | null;
  decline_code: string | null;
  decline_reason: 'invalid_card_number' | 'card_blocked' | 'card_frozen' | 'card_expired' | 'expiry_mismatch' | 'cvv_mismatch' | 'merchant_category_not_allowed' | 'transaction_limit' | 'daily_limit' | 'card_limit' | 'insufficient_funds' | 'program_balance' | 'already_reversed' | null;
  network_code: string | null;
  approval_code: string | null;
  /** The purchase that a refund belongs to. */
  parent_transaction_id: string | null;
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

export interface TransactionPage {
  results: Array<Transaction>;
  /** Number of records that match, on all pages. */
  count: number;
  /** Link to the next page, or null. */
  next: string | null;
  /** Link to the previous page, or null. */
  previous: string | null;
}

export interface TransactionTimeline {
  results: Array<TransactionDetail>;
  /** Give it as `before` to go on; null: there is nothing older. */
  next: string | null;
}

export interface WebhookAttempt {
  created: string;
  statusCode: number | null;
  error: string | null;
  answerStart: string | null;
  durationMs: number;
}

export interface WebhookDelivery {
  endpointId: string;
  url: string;
  status: 'PENDING' | 'DELIVERED' | 'FAILED';
  nextAttempt: string | null;
  attempts: Array<WebhookAttempt>;
}

export interface WebhookEndpoint {
  id: string;
  url: string;
  eventTypes: Array<string> | null;
  /** DISABLED: it answered 410, or nothing was delivered for 5 days. */
  status: 'ENABLED' | 'DISABLED';
  statusReason: string | null;
  created: string;
}

export interface WebhookEndpointList {
  webhookEndpoints: Array<WebhookEndpoint>;
}

export interface WebhookEndpointRequest {
  /** Where events are posted. https in a live program. */
  url: string;
  /** Which types are sent; absent or null: all. */
  eventTypes?: Array<'card' | 'transaction' | 'files' | 'security'> | null | undefined;
}

export interface WebhookEvent {
  eventType: string;
  eventName: string;
  eventId: string;
  created: string;
  data: Record<string, unknown>;
  deliveries: Array<WebhookDelivery>;
}

export interface WebhookEventPage {
  results: Array<WebhookEvent>;
  /** Number of records that match, on all pages. */
  count: number;
  /** Link to the next page, or null. */
  next: string | null;
  /** Link to the previous page, or null. */
  previous: string | null;
}

export interface WebhookTest {
  /** Any 2xx. */
  delivered: boolean;
  eventId: string;
  statusCode: number | null;
  /** Why there was no answer. */
  error: string | null;
  /** The first kilobyte of the answer. */
  answerStart: string | null;
  durationMs: number;
}

export interface ListCardsQuery {
  /** Page number, from 1. Default 1. */
  page?: number | undefined;
  /** Records per page. Default 50. */
  page_size?: number | undefined;
  /** Only records from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only records up to and including this UTC day. */
  max_created?: string | undefined;
  /** Set in `next` links: continue right after this record, whatever was added meanwhile. */
  after?: string | undefined;
  /** Set in `previous` links: end right before this record. */
  before?: string | undefined;
}

export interface ListTransactionsQuery {
  /** Page number, from 1. Default 1. */
  page?: number | undefined;
  /** Records per page. Default 50. */
  page_size?: number | undefined;
  /** Only records from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only records up to and including this UTC day. */
  max_created?: string | undefined;
  /** Set in `next` links: continue right after this record, whatever was added meanwhile. */
  after?: string | undefined;
  /** Set in `previous` links: end right before this record. */
  before?: string | undefined;
}

export interface ListCardTransactionsQuery {
  /** Page number, from 1. Default 1. */
  page?: number | undefined;
  /** Records per page. Default 50. */
  page_size?: number | undefined;
  /** Only records from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only records up to and including this UTC day. */
  max_created?: string | undefined;
  /** Set in `next` links: continue right after this record, whatever was added meanwhile. */
  after?: string | undefined;
  /** Set in `previous` links: end right before this record. */
  before?: string | undefined;
}

export interface ListWebhookEventsQuery {
  /** Page number, from 1. Default 1. */
  page?: number | undefined;
  /** Records per page. Default 50. */
  page_size?: number | undefined;
  /** Only records from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only records up to and including this UTC day. */
  max_created?: string | undefined;
  /** Set in `next` links: continue right after this record, whatever was added meanwhile. */
  after?: string | undefined;
  /** Set in `previous` links: end right before this record. */
  before?: string | undefined;
}

export interface ResendWebhookEventQuery {
  /** To this endpoint, whatever types it takes; absent: to all that take its type. */
  endpointId?: string | undefined;
}

export interface RequestFileQuery {
  /** Daily types and `fee`: the day, at least two days before today. Monthly types: any day of a month, from the 2nd of the following month on. UTC, by the clock of the program. */
  date: string;
}

export interface ConsoleSearchQuery {
  /** A card's id or last four digits, words of a cardholder's name, a customer id (`meta.id`), or the id of a transaction or of a network message. */
  q: string;
}

export interface ConsoleCardHistoryQuery {
  /** From `next` of the answer before: only what is older than this record. */
  before?: string | undefined;
}

export interface ConsoleCardTimelineQuery {
  /** From `next` of the answer before: only what is older than this record. */
  before?: string | undefined;
}

export interface ConsoleFindTransactionsQuery {
  status?: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID' | undefined;
  channel?: 'ECOMMERCE' | 'POS' | 'ATM' | undefined;
  decline_reason?: 'invalid_card_number' | 'card_blocked' | 'card_frozen' | 'card_expired' | 'expiry_mismatch' | 'cvv_mismatch' | 'merchant_category_not_allowed' | 'transaction_limit' | 'daily_limit' | 'card_limit' | 'insufficient_funds' | 'program_balance' | 'already_reversed' | undefined;
  /** Part of the merchant's name, or its id. */
  merchant?: string | undefined;
  mcc?: string | undefined;
  /** The merchant's currency. */
  currency?: string | undefined;
  /** At least so much, in the card's currency. */
  min_amount?: string | undefined;
  /** At most so much, in the card's currency. */
  max_amount?: string | undefined;
  /** Only from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only up to and including this UTC day. */
  max_created?: string | undefined;
  /** From `next` of the answer before: only what is older than this record. */
  before?: string | undefined;
}

export interface ConsoleOverviewQuery {
  /** Default 24h. */
  window?: '24h' | '7d' | '30d' | undefined;
}

export interface ConsoleLiveQuery {
  /** `cursor` of the answer before. Absent: only a cursor is answered. */
  after?: string | undefined;
}

export interface ConsoleReportsQuery {
  /** From `next` of the answer before: only what is older than this record. */
  before?: string | undefined;
}

export interface DownloadReportQuery {
  /** Unix seconds. */
  expires: string;
  signature: string;
}
