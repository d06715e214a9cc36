// Written by "npm run generate" from the schemas of the server. Change those, and run it again.

export interface Account {
  currency: string;
  /** The program's money: `available` and `held` together. */
  balance: number;
  /** Held for purchases that have not cleared yet. */
  held: number;
  /** The balance of the master account in reports. */
  available: number;
  /** An event is sent once when `available` falls below this amount. Null: never. */
  alertBelow: number | null;
}

export interface AccountAlertRequest {
  /** An event is sent once when `available` falls below this amount. Null: never. */
  alertBelow: number | null;
}

export interface AccountFundedEvent {
  eventType: 'account';
  eventName: 'account.funded';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: AccountMovementEventData;
}

export interface AccountLowBalanceEvent {
  eventType: 'account';
  eventName: 'account.low_balance';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: LowBalanceEventData;
}

export interface AccountMovementEventData {
  amount: string;
  currency: string;
  /** The program's money after it: `available` and what is held. */
  balance: string;
  /** What the master account has available after it. */
  available: string;
}

export interface AccountWithdrawnEvent {
  eventType: 'account';
  eventName: 'account.withdrawn';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: AccountMovementEventData;
}

export interface AnsweredAuthentication {
  /** Our id of the authentication. */
  id: string;
  /** Its id at the access control server or the wallet. */
  authentication_id: string;
  /** `wallet`: a code that adds the card to a wallet. */
  purpose: '3ds' | 'wallet';
  card_id: string;
  status: 'AUTHENTICATED' | 'CHALLENGE' | 'REJECTED' | 'UNAVAILABLE';
  /** Transaction status of EMV 3-D Secure: `Y` authenticated, `C` challenge, `N` not authenticated, `R` rejected, `U` unavailable. */
  trans_status: 'Y' | 'C' | 'N' | 'R' | 'U';
  /** How the cardholder proves it; null without a challenge. */
  method: 'OTP' | 'OUT_OF_BAND' | null;
  /** Why it did not succeed; null if it did, or is open. */
  reason: 'unknown_card' | 'card_blocked' | 'card_frozen' | 'card_expired' | 'expiry_mismatch' | 'too_many_attempts' | 'declined_by_program' | 'no_channel' | 'send_failed' | 'too_many_sends' | 'otp_wrong' | 'not_approved' | 'cancelled' | 'expired' | null;
  /** In the merchant's currency; null for a wallet. */
  amount: string | null;
  /** Null for a wallet. */
  currency: string | null;
  /** Null for a wallet. */
  merchant: AuthenticationMerchant | null;
  /** End of the challenge, in real time; null without a challenge. */
  expires_at: string | null;
}

export interface ApprovedAuthorization {
  transaction_id: string;
  external_transaction_id: string;
  approved: true;
  status: 'PENDING' | 'CLEARED' | 'VOID';
  decline_code: string | null;
  decline_reason: DeclineReason | null;
  network_code: string;
  approval_code: string;
  /** What was approved, in the merchant's currency; in a decline, what was requested. */
  amount: string;
  currency: string;
  bill_amount: string;
  bill_currency: string;
  /** For a balance inquiry only: the card's available credit. In the mode `REAL_TIME`, what the decision endpoint answered; absent without a usable answer. */
  available_amount?: string | undefined;
}

export interface AttemptRequest {
  otp: string;
}

export interface Authentication {
  authentication_id: string;
  status: 'AUTHENTICATED' | 'CHALLENGE' | 'REJECTED' | 'UNAVAILABLE';
  /** Transaction status of EMV 3-D Secure: `Y` authenticated, `C` challenge, `N` not authenticated, `R` rejected, `U` unavailable. */
  trans_status: 'Y' | 'C' | 'N' | 'R' | 'U';
  /** How the cardholder proves it; null without a challenge. */
  method: 'OTP' | 'OUT_OF_BAND' | null;
  /** Where the code was sent, masked; null without a code. */
  destination: string | null;
  /** End of the challenge, in real time; null without a challenge. */
  expires_at: string | null;
  /** Why it did not succeed; null if it did, or is open. */
  reason: 'unknown_card' | 'card_blocked' | 'card_frozen' | 'card_expired' | 'expiry_mismatch' | 'too_many_attempts' | 'declined_by_program' | 'no_channel' | 'send_failed' | 'too_many_sends' | 'otp_wrong' | 'not_approved' | 'cancelled' | 'expired' | null;
  attempts_left: number;
  sends_left: number;
}

export interface AuthenticationAnswer {
  /** `APPROVE`: authenticated without a challenge. `CHALLENGE`: the cardholder must prove it. */
  decision: 'APPROVE' | 'CHALLENGE' | 'DECLINE';
  /** Your id of the decision. */
  reference?: string | null | undefined;
}

export interface AuthenticationAnswerRequest {
  /** Whether the cardholder approves. */
  approve: boolean;
}

export interface AuthenticationChallengeEvent {
  eventType: 'authentication';
  eventName: 'authentication.challenge';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: AuthenticationEventData;
}

export interface AuthenticationCompletedEvent {
  eventType: 'authentication';
  eventName: 'authentication.completed';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: AuthenticationEventData;
}

export interface AuthenticationDecisionData {
  /** Id of the access control server. */
  authentication_id: string;
  card_id: string;
  /** `meta.id` of the card. */
  external_customer_id: string;
  /** Your metadata of the card. */
  card_metadata: Record<string, string>;
  /** In the merchant's currency. */
  amount: string;
  currency: string;
  merchant: AuthenticationDecisionMerchant;
  device_channel: 'BROWSER' | 'APP' | 'MERCHANT';
  category: 'PAYMENT' | 'NON_PAYMENT';
  /** What the merchant wants. `MANDATED` turns `APPROVE` into a challenge. */
  challenge: 'NO_PREFERENCE' | 'WANTED' | 'MANDATED' | 'NOT_WANTED';
  /** The time limit of the decision endpoint. */
  timeout_ms: number;
}

export interface AuthenticationDecisionMerchant {
  id: string;
  name: string | null;
  /** Merchant category code of 4 digits. */
  mcc: string;
  /** ISO 3166-1 alpha-3; null if unknown. */
  country: string | null;
}

export interface AuthenticationDecisionRequest {
  eventType: 'decision';
  eventName: 'authentication.request';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: AuthenticationDecisionData;
}

export interface AuthenticationEventData {
  /** Our id of the authentication. */
  id: string;
  /** Its id at the access control server or the wallet. */
  authentication_id: string;
  /** `wallet`: a code that adds the card to a wallet. */
  purpose: '3ds' | 'wallet';
  card_id: string;
  status: 'AUTHENTICATED' | 'CHALLENGE' | 'REJECTED' | 'UNAVAILABLE';
  /** Transaction status of EMV 3-D Secure: `Y` authenticated, `C` challenge, `N` not authenticated, `R` rejected, `U` unavailable. */
  trans_status: 'Y' | 'C' | 'N' | 'R' | 'U';
  /** How the cardholder proves it; null without a challenge. */
  method: 'OTP' | 'OUT_OF_BAND' | null;
  /** Why it did not succeed; null if it did, or is open. */
  reason: 'unknown_card' | 'card_blocked' | 'card_frozen' | 'card_expired' | 'expiry_mismatch' | 'too_many_attempts' | 'declined_by_program' | 'no_channel' | 'send_failed' | 'too_many_sends' | 'otp_wrong' | 'not_approved' | 'cancelled' | 'expired' | null;
  /** In the merchant's currency; null for a wallet. */
  amount: string | null;
  /** Null for a wallet. */
  currency: string | null;
  /** Null for a wallet. */
  merchant: AuthenticationMerchant | null;
  /** End of the challenge, in real time; null without a challenge. */
  expires_at: string | null;
}

export interface AuthenticationMerchant {
  id: string;
  /** Null if the network did not give it. */
  name: string | null;
  /** Merchant category code of 4 digits. */
  mcc: string;
  /** ISO 3166-1 alpha-3; null if unknown. */
  country: string | null;
}

export interface AuthenticationReference {
  /** Id of an authentication that Emboss performed. */
  authentication_id?: string | undefined;
  /** Electronic commerce indicator. `05` and `02` count. */
  eci?: string | undefined;
}

export interface AuthenticationRequest {
  /** Id of the authentication at the access control server. */
  authentication_id: string;
  /** The card number, digits only. */
  card_number: string;
  /** Null or absent: not checked. */
  expiry?: string | null | undefined;
  /** In the merchant's currency; may be 0 for a `NON_PAYMENT`. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  merchant: MerchantDescriptor;
  /** `MERCHANT`: the cardholder is not present (3RI). */
  device_channel: 'BROWSER' | 'APP' | 'MERCHANT';
  category: 'PAYMENT' | 'NON_PAYMENT';
  /** What the merchant wants. */
  challenge: 'NO_PREFERENCE' | 'WANTED' | 'MANDATED' | 'NOT_WANTED';
}

export interface AuthorizationClearingEvent {
  eventType: 'transaction';
  eventName: 'authorization.clearing';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: TransactionEventData;
}

export interface AuthorizationClearingReversalEvent {
  eventType: 'transaction';
  eventName: 'authorization.clearing.reversal';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: TransactionEventData;
}

export interface AuthorizationDecisionAuthentication {
  /** Null if the network gave an ECI. */
  authentication_id: string | null;
  /** Electronic commerce indicator of two digits. */
  eci: string | null;
  /** Whether the authentication counts for the purchase. */
  authenticated: boolean;
}

export interface AuthorizationDecisionData {
  external_transaction_id: string;
  /** Only of a request to raise a hold. */
  increment_id?: string | undefined;
  card_id: string;
  /** `meta.id` of the card. */
  external_customer_id: string;
  /** Your metadata of the card. */
  card_metadata: Record<string, string>;
  type: 'PURCHASE' | 'CASH';
  /** In the merchant's currency. */
  amount: string;
  currency: string;
  /** In the card's currency, without fees. The most that can be approved. */
  bill_amount: string;
  bill_currency: string;
  /** In the card's currency. */
  fx_fee: string;
  /** In the card's currency. */
  atm_fee: string;
  /** What an approval holds: `bill_amount` and the fees. */
  hold_amount: string;
  channel: 'ECOMMERCE' | 'POS' | 'ATM' | 'MOTO' | null;
  merchant: AuthorizationDecisionMerchant | null;
  /** Whether `approved_amount` can be less than `bill_amount`. */
  partial_approval_allowed: boolean;
  /** How the cardholder was authenticated; null if the authorization says nothing of it. */
  authentication: AuthorizationDecisionAuthentication | null;
  /** What the network said beside it, such as `entry_mode` and `initiator`: the fields of `MessageData`. Null: nothing. */
  network: Record<string, unknown> | null;
  /** The rules that matched it: the fields of `MatchedRule`. */
  rules: Array<Record<string, unknown>>;
  /** Of the card, in its currency, before this authorization. */
  available_credit: string;
  /** The time limit of the decision endpoint. */
  timeout_ms: number;
}

export interface AuthorizationDecisionMerchant {
  id: string;
  name: string | null;
  /** Merchant category code of 4 digits. */
  mcc: string;
  city: string | null;
  /** ISO 3166-1 alpha-3; null if unknown. */
  country: string | null;
}

export interface AuthorizationDecisionRequest {
  eventType: 'decision';
  eventName: 'authorization.request';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: AuthorizationDecisionData;
}

export interface AuthorizationDeclinedEvent {
  eventType: 'transaction';
  eventName: 'authorization.declined';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: DeclinedEventData;
}

export interface AuthorizationEvent {
  eventType: 'transaction';
  eventName: 'authorization';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: TransactionEventData;
}

export interface AuthorizationExpiredEvent {
  eventType: 'transaction';
  eventName: 'authorization.expired';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: TransactionEventData;
}

export interface AuthorizationIncrementEvent {
  eventType: 'transaction';
  eventName: 'authorization.increment';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: TransactionEventData;
}

export interface AuthorizationRequest {
  /** Network id of the purchase. */
  external_transaction_id: string;
  /** The card number, digits only. */
  card_number: string;
  /** Null or absent: not checked. */
  expiry?: string | null | undefined;
  cvv?: string | undefined;
  /** Default `PURCHASE`. `CASH` charges the ATM fee on every channel. A `BALANCE_INQUIRY` has no amount and holds nothing; in the mode `REAL_TIME` the decision endpoint gives the balance. A `CREDIT` is an online refund or a push to the card: it waits without a hold for the refund that names it. */
  type?: 'PURCHASE' | 'CASH' | 'BALANCE_INQUIRY' | 'CREDIT' | undefined;
  /** In the merchant's currency; required unless a balance inquiry. Zero is an account check. */
  amount?: string | undefined;
  /** ISO 4217. */
  currency?: string | undefined;
  /** In the card's currency; required if `currency` differs from it. */
  bill_amount?: string | undefined;
  /** The card's currency. */
  bill_currency?: string | undefined;
  channel: 'ECOMMERCE' | 'POS' | 'ATM' | 'MOTO';
  merchant: MerchantDescriptor;
  /** Whether a smaller amount may be approved if only funds or an amount limit decline. */
  partial_approval?: boolean | undefined;
  /** An advice: the network has decided already, and says what became of the purchase. What it approved is held, whatever the card allows and whatever was answered before; what is still held of a declined one is released. On an unknown card number, every advice is answered with `network_code` 14 and not recorded. */
  stand_in?: StandIn | undefined;
  /** Id of the advice, by which it is idempotent. Default: `external_transaction_id`. */
  advice_id?: string | undefined;
  /** How the cardholder was authenticated: exactly one of `authentication_id` and `eci`. An `authentication_id` counts once, or for the purchases of one `split_of`, for its card and merchant, in its currency, up to its amount and for the days that the program has set. One that does not count is not an error: the purchase is judged as not authenticated. */
  authentication?: AuthenticationReference | null | undefined;
  /** A further authorization of the same purchase: `external_transaction_id` of the first, whose authentication it shares. Both name the same `authentication_id`. */
  split_of?: string | null | undefined;
  /** Who began the payment: CARDHOLDER, MERCHANT. Another word is kept as null. */
  initiator?: string | null | undefined;
  /** Whether it is one of a series, such as a subscription. */
  recurring?: boolean | null | undefined;
  /** How the card was read: CHIP, CONTACTLESS, MAGSTRIPE, MANUAL, STORED. Another word is kept as null. */
  entry_mode?: string | null | undefined;
  /** Why the cardholder was not authenticated: LOW_VALUE, RISK_ANALYSIS, TRUSTED_MERCHANT, CORPORATE, NONE. Another word is kept as null. */
  exemption?: string | null | undefined;
  /** The wallet whose token was used. */
  token_requestor?: string | null | undefined;
  /** The terminal. */
  terminal_id?: string | null | undefined;
  /** The reference by which acquirer and network find the message again. */
  retrieval_reference?: string | null | undefined;
  /** ISO 3166-1: alpha-2, alpha-3 or numeric. Kept as alpha-3; null if unknown. */
  acquirer_country?: string | number | null | undefined;
  /** Cash that was paid out with the purchase, as a part of `amount`. */
  cash_back_amount?: string | null | undefined;
  /** Whether the amount is an estimate: the hold lasts as long as one for lodging. */
  pre_authorization?: boolean | null | undefined;
}

export type AuthorizationResponse = ApprovedAuthorization | DeclinedAuthorization;

export interface AuthorizationReversalEvent {
  eventType: 'transaction';
  eventName: 'authorization.reversal';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: TransactionEventData;
}

export interface BalanceAdjustment {
  id: string;
  cardId: string;
  amount: number;
  reference: string;
  /** Available credit after the adjustment. */
  availableCredit: number;
  created: string;
}

export interface BalanceAdjustmentRequest {
  /** Positive raises the available credit, negative lowers it. */
  amount: number;
  /** Your own reference. */
  reference: string;
}

export interface BalanceAnswer {
  /** What the cardholder can spend: a decimal amount in `bill_currency`, with at most the decimals of that currency. Can be below zero. */
  available_amount: string;
}

export interface BalanceDecisionData {
  external_transaction_id: string;
  card_id: string;
  /** `meta.id` of the card. */
  external_customer_id: string;
  /** Your metadata of the card. */
  card_metadata: Record<string, string>;
  type: 'BALANCE_INQUIRY';
  /** The card's currency, in which the answer is. */
  bill_currency: string;
  channel: 'ECOMMERCE' | 'POS' | 'ATM' | 'MOTO' | null;
  merchant: AuthorizationDecisionMerchant | null;
  /** How the cardholder was authenticated; null if the authorization says nothing of it. */
  authentication: AuthorizationDecisionAuthentication | null;
  /** What the network said beside it, such as `entry_mode` and `initiator`: the fields of `MessageData`. Null: nothing. */
  network: Record<string, unknown> | null;
  /** The rules that matched it: the fields of `MatchedRule`. */
  rules: Array<Record<string, unknown>>;
  /** Of the card, in its currency, as Emboss has it. */
  available_credit: string;
  /** The time limit of the decision endpoint. */
  timeout_ms: number;
}

export interface BalanceDecisionRequest {
  eventType: 'decision';
  eventName: 'balance.request';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: BalanceDecisionData;
}

export interface BlockCardRequest {
  /** Short text, such as lost, stolen, fraud suspected. */
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
    /** ISO 3166-1 alpha-3 code. */
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

export interface CardBatch {
  id: string;
  /** `COMPLETED` when every row is a card or has an error. */
  status: 'PROCESSING' | 'COMPLETED';
  /** The number of rows. */
  total: number;
  /** Rows whose card was created. */
  created: number;
  /** Rows that were refused. */
  failed: number;
  createdAt: string;
  completedAt: string | null;
}

export interface CardBatchCompletedEvent {
  eventType: 'card_batch';
  eventName: 'card_batch.completed';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: CardBatch;
}

export interface CardBatchPage {
  results: Array<CardBatch>;
  /** Total number of matching records. */
  count: number;
  /** There may be more than `count`: with filters a count ends at 10,000, and after checking as many records. */
  count_capped?: true | undefined;
  /** Link to the next page; null on the last page. */
  next: string | null;
  /** Link to the previous page; null on the first page. */
  previous: string | null;
}

export interface CardBatchRequest {
  /** The bodies of single creations. */
  cards: Array<CreateCardRequest>;
}

export interface CardBatchRow {
  id: string;
  /** The position in `cards` of the request, from 0. */
  index: number;
  status: 'PENDING' | 'CREATED' | 'FAILED';
  /** Of a created row, as it is now. */
  card: Card | null;
  /** Of a failed row: the error that a single creation would have returned. */
  error: CardBatchRowError | null;
}

export interface CardBatchRowError {
  code: number;
  message: string;
  /** The path of the field that the message names. */
  field: string | null;
}

export interface CardBatchRowPage {
  results: Array<CardBatchRow>;
  /** Total number of matching records. */
  count: number;
  /** There may be more than `count`: with filters a count ends at 10,000, and after checking as many records. */
  count_capped?: true | undefined;
  /** Link to the next page; null on the last page. */
  next: string | null;
  /** Link to the previous page; null on the first page. */
  previous: string | null;
}

export interface CardBlockedEvent {
  eventType: 'card';
  eventName: 'card.blocked';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: CardEventData;
}

export interface CardCreatedEvent {
  eventType: 'card';
  eventName: 'card.created';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: CardCreatedEventData;
}

export interface CardCreatedEventData {
  cardId: string;
  /** Sequence number of the card's events: 1, 2, 3 … without gaps, over `card` and `transaction` events together. */
  sequence: number;
  cardType: 'physical' | 'virtual';
  /** Status after the event. */
  status: 'ACTIVE' | 'FROZEN' | 'BLOCKED' | 'EXPIRED';
  /** Why the card was frozen or blocked. */
  statusReason: string | null;
  lastFour: string;
  expiryDate: string;
  cardDesign: string;
  /** Your metadata of the card. */
  metadata: Record<string, string>;
  /** Id of the blocked card. Only if the card was issued as a replacement. */
  replaces?: string | undefined;
}

export interface CardDesign {
  id: string;
  name: string;
  /** In stock for physical cards. */
  stock: boolean;
  /** Used for cards that are created without a design. */
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
  /** Why the card was frozen or blocked. */
  statusReason: string | null;
  availableCredit: number;
  spendLimit: number;
  expiryDate: string;
  spendControls: SpendControls;
  /** Null: the card may be used for anything. */
  usage: CardUsage | null;
  /** Id of the blocked card in whose place this card was issued. */
  replaces: string | null;
  /** Id of the card that was issued in place of this one. */
  replacedBy: string | null;
  shipment: Shipment | null;
  meta: {
    id: string;
    otpPhoneNumber: {
      dialCode: number;
      phoneNumber: string;
    };
    email: string | null;
  };
  /** Your metadata of the card. */
  metadata: Record<string, string>;
}

export interface CardEventData {
  cardId: string;
  /** Sequence number of the card's events: 1, 2, 3 … without gaps, over `card` and `transaction` events together. */
  sequence: number;
  cardType: 'physical' | 'virtual';
  /** Status after the event. */
  status: 'ACTIVE' | 'FROZEN' | 'BLOCKED' | 'EXPIRED';
  /** Why the card was frozen or blocked. */
  statusReason: string | null;
  lastFour: string;
  expiryDate: string;
  cardDesign: string;
  /** Your metadata of the card. */
  metadata: Record<string, string>;
}

export interface CardExpiredEvent {
  eventType: 'card';
  eventName: 'card.expired';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: CardEventData;
}

export interface CardFrozenEvent {
  eventType: 'card';
  eventName: 'card.frozen';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: CardEventData;
}

export interface CardPage {
  results: Array<Card>;
  /** Total number of matching records. */
  count: number;
  /** There may be more than `count`: with filters a count ends at 10,000, and after checking as many records. */
  count_capped?: true | undefined;
  /** Link to the next page; null on the last page. */
  next: string | null;
  /** Link to the previous page; null on the first page. */
  previous: string | null;
}

export interface CardReissuedEvent {
  eventType: 'card';
  eventName: 'card.reissued';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: CardReissuedEventData;
}

export interface CardReissuedEventData {
  cardId: string;
  /** Sequence number of the card's events: 1, 2, 3 … without gaps, over `card` and `transaction` events together. */
  sequence: number;
  cardType: 'physical' | 'virtual';
  /** Status after the event. */
  status: 'ACTIVE' | 'FROZEN' | 'BLOCKED' | 'EXPIRED';
  /** Why the card was frozen or blocked. */
  statusReason: string | null;
  lastFour: string;
  expiryDate: string;
  cardDesign: string;
  /** Your metadata of the card. */
  metadata: Record<string, string>;
  renewOption: 'IDENTICAL_TO_THE_CURRENT_CARD' | 'CALCULATE_NEW_EXPIRY_DATE' | 'NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE' | 'NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE' | 'SAME_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY' | 'NEW_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY';
}

export interface CardUnfrozenEvent {
  eventType: 'card';
  eventName: 'card.unfrozen';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: CardEventData;
}

export interface CardUpdatedEvent {
  eventType: 'card';
  eventName: 'card.updated';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: CardUpdatedEventData;
}

export interface CardUpdatedEventData {
  cardId: string;
  /** Sequence number of the card's events: 1, 2, 3 … without gaps, over `card` and `transaction` events together. */
  sequence: number;
  cardType: 'physical' | 'virtual';
  /** Status after the event. */
  status: 'ACTIVE' | 'FROZEN' | 'BLOCKED' | 'EXPIRED';
  /** Why the card was frozen or blocked. */
  statusReason: string | null;
  lastFour: string;
  expiryDate: string;
  cardDesign: string;
  /** Your metadata of the card. */
  metadata: Record<string, string>;
  /** What changed. */
  changed: Array<'spend_controls' | 'contact' | 'balance' | 'forwarding' | 'metadata' | 'usage'>;
  /** The names of the changed fields, as the API names them; of `metadata`, the changed keys. Not their values: request the card to read them. */
  fields: Array<string>;
}

export interface CardUsage {
  purchases: number | null;
  merchants: 'FIRST' | Array<string> | null;
  from: string | null;
  until: string | null;
  /** The purchases that count. Changing the rule does not change them. */
  used: number;
  /** With `FIRST`: the merchant id. Null: no purchase counts yet. */
  lockedTo: string | null;
}

export interface CardUsageRequest {
  /** How many purchases are approved. One counts while something of it is held or has cleared. */
  purchases?: number | null | undefined;
  /** The ids of the only merchants that are approved. `FIRST`: the merchant of the first purchase that counts, until none counts any more. */
  merchants?: 'FIRST' | Array<string> | null | undefined;
  /** Nothing is approved before. A timestamp with an offset. */
  from?: string | null | undefined;
  /** Nothing is approved from then on. A timestamp with an offset. */
  until?: string | null | undefined;
}

export interface CardholderMeta {
  /** The cardholder's id in your system; returned as externalCustomerId. */
  id: string;
  otpPhoneNumber: {
    /** Country dial code without the plus sign. */
    dialCode: number;
    phoneNumber: string;
  };
  /** Used for authentication. Recommended. */
  email?: string | null | undefined;
}

export interface ClearingFile {
  file_id: string;
  settlement_date: string;
  last: boolean;
  /** `RECEIVED`, then `PROCESSING` while it is checked and booked, then `COMPLETED` or `REJECTED`. */
  status: 'RECEIVED' | 'PROCESSING' | 'COMPLETED' | 'REJECTED';
  /** Number of records. Null until the whole file is checked. */
  records: number | null;
  /** Null until the whole file is checked. */
  totals: ClearingFileTotals | null;
  /** Records so far. `MATCHED`: its message had come before. `BOOKED`: it had not. `DIFFERENT`: its id had come with other values, and nothing was booked. `NOT_BOOKED`: the message was refused, for example because it names a purchase of another card. */
  outcomes: ClearingFileOutcomes;
  /** Why nothing of the file was booked. Null unless it is `REJECTED`. */
  rejected: ClearingFileRejection | null;
  created: string;
  ended: string | null;
}

export interface ClearingFileCompletedEvent {
  eventType: 'settlement';
  eventName: 'clearing_file.completed';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: ClearingFile;
}

export interface ClearingFileOutcomes {
  MATCHED: number;
  BOOKED: number;
  DIFFERENT: number;
  NOT_BOOKED: number;
}

export interface ClearingFileRejectedEvent {
  eventType: 'settlement';
  eventName: 'clearing_file.rejected';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: ClearingFile;
}

export interface ClearingFileRejection {
  /** From 1. */
  line: number;
  /** Null: the rule is about the whole line. */
  field: string | null;
  rule: string;
}

export interface ClearingFileTotals {
  /** Clearings, reversals of refunds, fees and dispute debits. */
  debit_total: string;
  /** The others. */
  credit_total: string;
  currency: string;
}

export interface ClearingRequest {
  /** Network id of the purchase. */
  external_transaction_id: string;
  /** Id of the clearing. */
  clearing_id: string;
  /** In the merchant's currency. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  /** In the card's currency. */
  bill_amount: string;
  /** The card's currency. */
  bill_currency: string;
  /** Whether to release the rest of the hold. Default true. */
  final?: boolean | undefined;
  /** The card number, digits only. */
  card_number?: string | undefined;
  channel?: 'ECOMMERCE' | 'POS' | 'ATM' | 'MOTO' | undefined;
  merchant?: MerchantDescriptor | undefined;
  /** Who began the payment: CARDHOLDER, MERCHANT. Another word is kept as null. */
  initiator?: string | null | undefined;
  /** Whether it is one of a series, such as a subscription. */
  recurring?: boolean | null | undefined;
  /** How the card was read: CHIP, CONTACTLESS, MAGSTRIPE, MANUAL, STORED. Another word is kept as null. */
  entry_mode?: string | null | undefined;
  /** Why the cardholder was not authenticated: LOW_VALUE, RISK_ANALYSIS, TRUSTED_MERCHANT, CORPORATE, NONE. Another word is kept as null. */
  exemption?: string | null | undefined;
  /** The wallet whose token was used. */
  token_requestor?: string | null | undefined;
  /** The terminal. */
  terminal_id?: string | null | undefined;
  /** The reference by which acquirer and network find the message again. */
  retrieval_reference?: string | null | undefined;
  /** ISO 3166-1: alpha-2, alpha-3 or numeric. Kept as alpha-3; null if unknown. */
  acquirer_country?: string | number | null | undefined;
  /** Cash that was paid out with the purchase, as a part of `amount`. */
  cash_back_amount?: string | null | undefined;
  /** Whether the amount is an estimate: the hold lasts as long as one for lodging. */
  pre_authorization?: boolean | null | undefined;
  /** The reference of the acquirer. */
  arn?: string | null | undefined;
  /** The day on which the network settles it, as YYYY-MM-DD. */
  settlement_date?: string | null | undefined;
  /** What the program earns, in the card's currency; below zero, what it pays. It replaces the interchange of the fee schedule. */
  interchange_amount?: string | null | undefined;
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
  /** Program time. */
  now: string;
}

export interface ClockRequest {
  /** A timestamp with an offset, not before the current program time. */
  now?: string | undefined;
  advance_seconds?: number | undefined;
}

export interface ConsumerKyc {
  firstName: string;
  lastName: string;
  /** Date of birth, in the past. */
  dob: string;
  residentialAddress: {
    /** Type of government ID, such as passport. */
    idDocumentType: string;
    idDocumentNumber: string;
    line1: string;
    /** Required, may be empty. */
    line2: string;
    city: string;
    /** ISO 3166-1 alpha-3 code. */
    country: string;
    postalCode?: string | undefined;
  };
}

export interface ContactRequest {
  otpPhoneNumber?: {
    /** Country dial code without the plus sign. */
    dialCode: number;
    phoneNumber: string;
  } | undefined;
  /** Used for authentication. Recommended. */
  email?: string | null | undefined;
}

export interface CreateBusinessCardRequest {
  customerType: 'Business';
  kyc: BusinessKyc;
  /** Applicant id at the KYC provider. */
  kycApplicantId: string;
  /** Use `physical` if a physical card may ever be shipped. */
  cardType: 'physical' | 'virtual';
  /** Name of the card, printed on a physical card. */
  preferredCardName: string;
  /** Opening balance. Default 0. */
  spendLimit?: number | undefined;
  /** At least one month from today. Default: three years from today. */
  expiryDate?: string | null | undefined;
  meta: CardholderMeta;
  /** Card design id. Default: the program's default design. */
  cardDesign?: string | undefined;
  /** Up to 20 pairs, with keys of 1 to 40 of `A-Z a-z 0-9 _ - .` and values of at most 200 characters. Null removes a pair. Not for personal data or card numbers. */
  metadata?: Record<string, string | null> | undefined;
  /** Null: the card may be used for anything. */
  usage?: CardUsageRequest | null | undefined;
  /** Where a physical card is shipped to. Ignored for a virtual card. */
  shippingInformation?: DeliveryInformation | undefined;
}

export type CreateCardRequest = CreateConsumerCardRequest | CreateBusinessCardRequest;

export interface CreateConsumerCardRequest {
  customerType: 'Consumer';
  kyc: ConsumerKyc;
  /** Applicant id at the KYC provider. */
  kycApplicantId: string;
  /** Use `physical` if a physical card may ever be shipped. */
  cardType: 'physical' | 'virtual';
  /** Name of the card, printed on a physical card. */
  preferredCardName: string;
  /** Opening balance. Default 0. */
  spendLimit?: number | undefined;
  /** At least one month from today. Default: three years from today. */
  expiryDate?: string | null | undefined;
  meta: CardholderMeta;
  /** Card design id. Default: the program's default design. */
  cardDesign?: string | undefined;
  /** Up to 20 pairs, with keys of 1 to 40 of `A-Z a-z 0-9 _ - .` and values of at most 200 characters. Null removes a pair. Not for personal data or card numbers. */
  metadata?: Record<string, string | null> | undefined;
  /** Null: the card may be used for anything. */
  usage?: CardUsageRequest | null | undefined;
  /** Where a physical card is shipped to. Ignored for a virtual card. */
  shippingInformation?: DeliveryInformation | undefined;
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
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: CredentialsKeyCreatedEventData;
}

export interface CredentialsKeyCreatedEventData {
  keyId: string;
  /** Name of the key. */
  name: string;
  /** Last four characters of the key. */
  hint: string;
  scopes: Array<'read' | 'write' | 'credentials' | 'reveal' | 'decisions' | 'rules'>;
  /** The operator or the command-line user who created it. */
  createdBy: string;
  /** The IP address it was created from; null for the command line. */
  address: string | null;
}

export interface Customer {
  /** The `meta.id` of the cards. */
  id: string;
  /** The number of cards. At most the newest 1000 are counted. */
  cards: number;
  /** How many of them are ACTIVE. */
  activeCards: number;
  /** When the first card was created. */
  created: string;
}

export interface CustomerContact {
  otpPhoneNumber: {
    dialCode: number;
    phoneNumber: string;
  };
  email: string | null;
}

export interface CustomerDetails {
  /** The `meta.id` of the cards. */
  id: string;
  /** When the first card was created. */
  created: string;
  /** Of the totals: the currency of the program. */
  currency: string;
  /** Newest first, at most 200. */
  cards: Array<Card>;
  /** Whether there are older cards. The totals include them. */
  moreCards: boolean;
  /** The contact of the newest card. */
  contact: CustomerContact;
  /** Over all cards, whatever their status. */
  totals: CustomerTotals;
}

export interface CustomerPage {
  results: Array<Customer>;
  /** Total number of matching records. */
  count: number;
  /** There may be more than `count`: with filters a count ends at 10,000, and after checking as many records. */
  count_capped?: true | undefined;
  /** Link to the next page; null on the last page. */
  next: string | null;
  /** Link to the previous page; null on the first page. */
  previous: string | null;
}

export interface CustomerTotals {
  /** Approved and not yet cleared, without fees. */
  held: number;
  /** Cleared, less what the network took back. */
  cleared: number;
  /** Refunded, less what the network took back. */
  refunded: number;
  /** The sum of the available credit of the cards. */
  availableCredit: number;
}

export interface DailyFileEvent {
  eventType: 'files';
  eventName: 'daily_file';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: FileEventData;
}

export interface DailyTransactionFeeFileEvent {
  eventType: 'files';
  eventName: 'daily_transaction_fee_file';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: FileEventData;
}

export interface Decision {
  /** Who decided: the decision endpoint, the rule that stands in for it, our own rules, or the network instead of us. */
  source: 'merchant' | 'stand_in' | 'emboss' | 'network';
  /** What the merchant or another source answered, or why the merchant gave no answer. */
  outcome: 'approved' | 'declined' | 'timeout' | 'unreachable' | 'invalid' | 'paused';
  /** How long Emboss waited for the merchant; null if no request was sent. */
  duration_ms: number | null;
  reason: string | null;
  reference: string | null;
  metadata: Record<string, string> | null;
}

export interface DecisionAnswer {
  decision: 'APPROVE' | 'DECLINE';
  /** With `APPROVE`: a decimal amount in `bill_currency`, more than 0 and at most `bill_amount`; less only if `partial_approval_allowed`. Default: the whole amount. */
  approved_amount?: string | undefined;
  /** `insufficient_funds`, `limit_exceeded`, `merchant_not_allowed` and `suspected_fraud` set the code that the network receives. Any other text is recorded. */
  reason?: string | null | undefined;
  /** Your id of the decision. */
  reference?: string | null | undefined;
  /** Up to 10 pairs of texts, each at most 100 characters. Recorded with the transaction. */
  metadata?: Record<string, string> | null | undefined;
}

export interface DecisionEndpoint {
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
}

export interface DecisionEndpointRequest {
  /** URL that decides. Must be https in a live program. */
  url: string;
  /** Time limit of a decision, retry included. Default: 2000; for `otp`, 3000. */
  timeoutMs?: number | undefined;
  /** For `authorization` only. What happens without a usable response. `DECLINE` (default); `STANDARD`: decide as in the authorization mode `STANDARD`; `APPROVE`: approve within `standIn`. */
  onFailure?: 'DECLINE' | 'STANDARD' | 'APPROVE' | undefined;
  /** For `authorization` only. The limits of `APPROVE`, in the program's currency; required for it. Default: null. */
  standIn?: StandInLimits | null | undefined;
  /** True: nothing is sent, and the rule for failures applies at once. Default: false. */
  paused?: boolean | undefined;
}

export interface DecisionTest {
  outcome: 'approved' | 'declined' | 'timeout' | 'unreachable' | 'invalid' | 'challenged' | 'sent';
  eventId: string;
  statusCode: number | null;
  /** Why there is no usable decision: the field and the rule that it breaks. */
  error: string | null;
  /** The first 2 kB of a response that cannot be used, without card numbers. Null: there is none, or its address is not shown. */
  answerStart: string | null;
  durationMs: number;
}

export interface DecisionTestRequest {
  /** The request to send. Default: that of the kind, such as `authorization.request`. For `authorization`, `balance.request` is possible too. */
  eventName?: 'authorization.request' | 'authentication.request' | 'otp.request' | 'balance.request' | undefined;
}

export interface DeclineLimits {
  /** For a decline by a limit: which one. */
  limit?: 'transactionLimit' | 'dailyLimit' | 'monthlyLimit' | 'allTimeLimit' | undefined;
  /** Value of the limit. */
  value?: string | undefined;
  /** What counted in it already. */
  spent?: string | undefined;
  /** When it starts again; null: never. */
  resets_at?: string | null | undefined;
  /** For a decline by funds: what was available. */
  available?: string | undefined;
  /** What the purchase and its fees needed. */
  needed?: string | undefined;
}

export type DeclineReason = 'card_blocked' | 'invalid_card_number' | 'card_frozen' | 'card_expired' | 'expiry_mismatch' | 'cvv_mismatch' | 'card_not_valid_now' | 'card_used' | 'merchant_locked' | 'merchant_category_not_allowed' | 'rule_declined' | 'authentication_required' | 'transaction_limit' | 'daily_limit' | 'card_limit' | 'insufficient_funds' | 'program_balance' | 'already_reversed' | 'hold_closed' | 'stand_in_declined' | 'program_insufficient_funds' | 'program_limit' | 'program_merchant' | 'program_fraud' | 'program_declined' | 'decision_timeout' | 'decision_unavailable' | 'decision_invalid';

export interface DeclinedAuthorization {
  /** Null if the number is not a card in the program: no transaction is recorded. */
  transaction_id: string | null;
  external_transaction_id: string;
  approved: false;
  status: 'DECLINED';
  decline_code: string;
  decline_reason: DeclineReason;
  network_code: string;
  approval_code: string | null;
  /** What was approved, in the merchant's currency; in a decline, what was requested. */
  amount: string;
  currency: string;
  bill_amount: string;
  bill_currency: string;
}

export interface DeclinedEventData {
  transaction_id: string;
  external_transaction_id: string;
  card_id: string;
  /** Sequence number of the card's events: 1, 2, 3 … without gaps, over `card` and `transaction` events together. */
  sequence: number;
  /** Id of the network message; for an expired hold, that of its authorization. */
  message_id: string;
  status: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
  /** Amount of this event in the merchant's currency. */
  amount: string;
  currency: string;
  /** Amount of this event in the card's currency. */
  bill_amount: string;
  bill_currency: string;
  /** What was requested, in the card's currency; absent if all of it was approved. */
  requested_amount?: string | undefined;
  /** Fee of this event, in the card's currency. */
  fx_fee: string;
  /** In basis points. */
  fx_fee_bps: number;
  /** Fee of this event, in the card's currency. */
  atm_fee: string;
  /** What the transaction takes from the cardholder after this event: the held and cleared amounts with their fees. Below zero for a refund. The event with the highest `sequence` of a transaction has its current value. */
  taken_amount: string;
  channel: 'ECOMMERCE' | 'POS' | 'ATM' | 'MOTO' | null;
  merchant: Merchant | null;
  decline_code: string;
  decline_reason: DeclineReason;
  network_code: string;
  approval_code: string | null;
  /** For a refund: the purchase that it refunds. */
  parent_transaction_id: string | null;
  /** The authorization mode in which the transaction was made: that of the program, or `STANDARD` if Emboss decided in place of the merchant. */
  authorization_mode: 'STANDARD' | 'REAL_TIME' | 'BOTH';
  /** How the cardholder was authenticated. The event of an increment shows whether the authentication covers the raised amount. Absent from events if the authorization had none. */
  authentication?: TransactionAuthentication | undefined;
  /** The rules that matched this attempt, at most 20; absent if none did. */
  rules?: Array<MatchedRule> | undefined;
  decision?: Decision | undefined;
  /** What this message of the network said beside its amounts. */
  network: MessageData | null;
  /** Your metadata of the transaction; absent if it has none, except after its last pair was removed. */
  metadata?: Record<string, string> | undefined;
  /** What a person should look at. `no_authorization`: cleared without one, or after a decline or a whole reversal. `over_hold`: cleared above all that was approved by more than the program allows. `late`: cleared after the hold expired. `after_block`: cleared after the card was blocked. `duplicate`: the same card, `arn`, amount and currency cleared before under another id. */
  flags?: Array<'no_authorization' | 'over_hold' | 'late' | 'after_block' | 'duplicate'> | undefined;
  /** Of a reversal: the id of the clearing, refund or increment that it takes back. */
  reverses?: string | undefined;
  /** Of `transaction.updated`: what changed. */
  changed?: Array<'parent_transaction_id' | 'metadata'> | undefined;
  /** The numbers behind a decline by a limit or by funds. */
  limits: DeclineLimits | null;
}

export interface DeliveryInformation {
  shippingAddress: {
    line1: string;
    /** Address line 2. */
    line2?: string | null | undefined;
    /** State, province or region. */
    zone?: string | null | undefined;
    city: string;
    postalCode: string;
    /** ISO 3166-1 alpha-2 code. */
    country: string;
  };
  recipientFirstName: string;
  recipientLastName: string;
  recipientPhoneNumber: string;
  /** Country dial code without the plus sign. */
  recipientDialCode: number;
  /** E-mail of the recipient. */
  recipientEmail: string;
}

export interface EndpointChangedEvent {
  eventType: 'security';
  eventName: 'security.endpoint_changed';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: EndpointChangedEventData;
}

export interface EndpointChangedEventData {
  kind: 'authorization' | 'authentication' | 'otp';
  change: 'created' | 'replaced' | 'removed' | 'secret_rotated';
  /** Host of the endpoint's URL, with the port unless it is the default. */
  host: string;
  /** The API key, the operator or the command-line user who changed it. */
  changedBy: string;
  /** The IP address it was changed from; null for the command line. */
  address: string | null;
}

export interface Error {
  /** The HTTP status, or a code from the error table. */
  code: number;
  /** The path of the field and the rule that it breaks. */
  message: string;
  status: 'failed';
}

export interface EvaluateRuleRequest {
  /** `{all: […]}`, `{any: […]}`, `{not: c}` or `{field, op, value}`, at most 4 levels deep, with at most 50 leaves. */
  when: Record<string, unknown>;
  /** Values by the names of fields. A field that it leaves out is null. */
  sample: Record<string, unknown>;
}

export type Event = CardCreatedEvent | CardUpdatedEvent | CardFrozenEvent | CardUnfrozenEvent | CardBlockedEvent | CardReissuedEvent | CardExpiredEvent | AuthorizationEvent | AuthorizationDeclinedEvent | AuthorizationIncrementEvent | AuthorizationReversalEvent | AuthorizationClearingEvent | AuthorizationClearingReversalEvent | AuthorizationExpiredEvent | RefundEvent | RefundReversalEvent | TransactionUpdatedEvent | SettlementUnmatchedEvent | SettlementUnmatchedReversalEvent | ClearingFileCompletedEvent | ClearingFileRejectedEvent | MonthlyFileEvent | DailyFileEvent | FeeFileEvent | MonthlyTransactionFeesFileEvent | MonthlyNonTransactionFeesFileEvent | DailyTransactionFeeFileEvent | SettlementFileEvent | AccountFundedEvent | AccountWithdrawnEvent | AccountLowBalanceEvent | CredentialsKeyCreatedEvent | EndpointChangedEvent | StandInStartedEvent | StandInEndedEvent | CardBatchCompletedEvent | RuleCreatedEvent | RulePreparedEvent | RulePromotedEvent | RuleDemotedEvent | RuleArchivedEvent | RuleListChangedEvent | RuleListRemovedEvent | RuleBacktestCompletedEvent | AuthenticationChallengeEvent | AuthenticationCompletedEvent | TestEvent;

export interface FeeFileEvent {
  eventType: 'files';
  eventName: 'fee_file';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: FileEventData;
}

export interface FileEventData {
  /** `reference_id` from the response to the request. */
  reference_id: string;
  /** Download link, created for this delivery attempt. It requires no key. */
  link: string;
  /** When the link expires, in Unix seconds. */
  expireAt: number;
}

export interface FileRequest {
  message: string;
  /** Identifies this request in the `files` event and in the request state. */
  reference_id: string;
}

export type FileRequestState = PendingFile | ReadyFile;

export interface Forwarding {
  /** Whether challenges of 3-D Secure go to your app. */
  enabled: boolean;
}

export interface ForwardingRequest {
  /** Whether challenges of 3-D Secure go to your app. */
  enabled: boolean;
}

export interface FreezeCardRequest {
  /** true freezes, false unfreezes. */
  freeze: boolean;
  /** Why the card is frozen; shown as `statusReason` until it is unfrozen. */
  reason?: string | null | undefined;
}

export interface FreezeCardResponse {
  freeze: boolean;
  message: string;
}

export interface FreezeCustomerRequest {
  /** true freezes, false unfreezes. */
  freeze: boolean;
  /** Why the card is frozen; shown as `statusReason` until it is unfrozen. */
  reason?: string | null | undefined;
}

export interface FreezeCustomerResponse {
  /** All cards of the customer, newest first, as they are now. */
  cards: Array<{
    id: string;
    status: 'ACTIVE' | 'FROZEN' | 'BLOCKED' | 'EXPIRED';
  }>;
}

export interface Health {
  status: 'ok';
}

export interface IncrementRequest {
  /** Network id of the purchase. */
  external_transaction_id: string;
  /** Id of the increment. */
  increment_id: string;
  /** What is added to the hold, in the merchant's currency. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  /** In the card's currency; required if `currency` differs from it. */
  bill_amount?: string | undefined;
  /** The card's currency. */
  bill_currency?: string | undefined;
  /** Who began the payment: CARDHOLDER, MERCHANT. Another word is kept as null. */
  initiator?: string | null | undefined;
  /** Whether it is one of a series, such as a subscription. */
  recurring?: boolean | null | undefined;
  /** How the card was read: CHIP, CONTACTLESS, MAGSTRIPE, MANUAL, STORED. Another word is kept as null. */
  entry_mode?: string | null | undefined;
  /** Why the cardholder was not authenticated: LOW_VALUE, RISK_ANALYSIS, TRUSTED_MERCHANT, CORPORATE, NONE. Another word is kept as null. */
  exemption?: string | null | undefined;
  /** The wallet whose token was used. */
  token_requestor?: string | null | undefined;
  /** The terminal. */
  terminal_id?: string | null | undefined;
  /** The reference by which acquirer and network find the message again. */
  retrieval_reference?: string | null | undefined;
  /** ISO 3166-1: alpha-2, alpha-3 or numeric. Kept as alpha-3; null if unknown. */
  acquirer_country?: string | number | null | undefined;
  /** Cash that was paid out with the purchase, as a part of `amount`. */
  cash_back_amount?: string | null | undefined;
  /** Whether the amount is an estimate: the hold lasts as long as one for lodging. */
  pre_authorization?: boolean | null | undefined;
}

export interface IncrementResponse {
  increment_id: string;
  transaction_id: string | null;
  external_transaction_id: string;
  approved: boolean;
  status: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
  decline_code: string | null;
  decline_reason: string | null;
  network_code: string;
  approval_code: string | null;
  /** What was approved, in the merchant's currency; in a decline, what was requested. */
  amount: string;
  currency: string;
  bill_amount: string;
  bill_currency: string;
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

export interface ListedBalanceAdjustment {
  id: string;
  /** Positive raised the available credit, negative lowered it. */
  amount: number;
  currency: string;
  reference: string;
  created: string;
}

export interface ListedBalanceAdjustmentPage {
  results: Array<ListedBalanceAdjustment>;
  /** Total number of matching records. */
  count: number;
  /** There may be more than `count`: with filters a count ends at 10,000, and after checking as many records. */
  count_capped?: true | undefined;
  /** Link to the next page; null on the last page. */
  next: string | null;
  /** Link to the previous page; null on the first page. */
  previous: string | null;
}

export interface LowBalanceEventData {
  /** What the master account has available. */
  available: string;
  /** The threshold of the alert. */
  alert_below: string;
  currency: string;
}

export interface MatchedRule {
  rule_id: string;
  name: string;
  /** At that time. */
  status: 'SHADOW' | 'ACTIVE';
  /** `REQUIRE_AUTHENTICATION` declines an online purchase without 3-D Secure, unless it is exempt; for other purchases it is a flag. */
  action: 'DECLINE' | 'FLAG' | 'REQUIRE_AUTHENTICATION';
  /** `WOULD_…`: in `SHADOW`, for advices, and where another rule decided. */
  effect: 'DECLINED' | 'FLAGGED' | 'AUTHENTICATION_REQUIRED' | 'WOULD_DECLINE' | 'WOULD_FLAG' | 'WOULD_REQUIRE_AUTHENTICATION';
  /** What each leaf of the condition saw. */
  values: Array<RuleLeaf>;
}

export interface Merchant {
  id: string;
  /** Null if the network did not give it. */
  name: string | null;
  /** Merchant category code of 4 digits. */
  mcc: string;
  /** Null if the network did not give it. */
  city: string | null;
  /** ISO 3166-1 alpha-3; null if unknown. */
  country: string | null;
}

export interface MerchantDescriptor {
  /** Merchant id at its acquirer. */
  id: string;
  /** Name as shown on the statement. */
  name?: string | null | undefined;
  mcc: string;
  /** City, or the text that the network sends in its place. */
  city?: string | null | undefined;
  /** ISO 3166-1: alpha-2, alpha-3 or numeric. Stored as alpha-3; null if unknown. */
  country?: string | number | null | undefined;
}

export interface Message {
  message: string;
}

export interface MessageData {
  /** Who began the payment: CARDHOLDER, MERCHANT. Another word is kept as null. */
  initiator?: string | null | undefined;
  /** Whether it is one of a series, such as a subscription. */
  recurring?: boolean | null | undefined;
  /** How the card was read: CHIP, CONTACTLESS, MAGSTRIPE, MANUAL, STORED. Another word is kept as null. */
  entry_mode?: string | null | undefined;
  /** Why the cardholder was not authenticated: LOW_VALUE, RISK_ANALYSIS, TRUSTED_MERCHANT, CORPORATE, NONE. Another word is kept as null. */
  exemption?: string | null | undefined;
  /** The wallet whose token was used. */
  token_requestor?: string | null | undefined;
  /** The terminal. */
  terminal_id?: string | null | undefined;
  /** The reference by which acquirer and network find the message again. */
  retrieval_reference?: string | null | undefined;
  /** ISO 3166-1 alpha-3. */
  acquirer_country?: string | null | undefined;
  /** Cash that was paid out with the purchase, as a part of `amount`. */
  cash_back_amount?: string | null | undefined;
  /** Whether the amount is an estimate: the hold lasts as long as one for lodging. */
  pre_authorization?: boolean | null | undefined;
  /** The reference of the acquirer. */
  arn?: string | null | undefined;
  /** The day on which the network settles it, as YYYY-MM-DD. */
  settlement_date?: string | null | undefined;
  /** What the program earns, in the card's currency; below zero, what it pays. It replaces the interchange of the fee schedule. */
  interchange_amount?: string | null | undefined;
}

export interface MetadataRequest {
  /** Up to 20 pairs, with keys of 1 to 40 of `A-Z a-z 0-9 _ - .` and values of at most 200 characters. Null removes a pair. Not for personal data or card numbers. */
  metadata: Record<string, string | null>;
}

export interface MetadataResponse {
  /** Your metadata of the card or transaction, the whole. */
  metadata: Record<string, string>;
}

export interface MonthlyFileEvent {
  eventType: 'files';
  eventName: 'monthly_file';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: FileEventData;
}

export interface MonthlyNonTransactionFeesFileEvent {
  eventType: 'files';
  eventName: 'monthly_non_transaction_fees_file';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: FileEventData;
}

export interface MonthlyTransactionFeesFileEvent {
  eventType: 'files';
  eventName: 'monthly_transaction_fees_file';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: FileEventData;
}

export interface NewDecisionEndpoint {
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
  /** Verifies decision requests. Shown only once. */
  secret: string;
}

export interface NewWebhookEndpoint {
  id: string;
  url: string;
  eventTypes: Array<'card' | 'transaction' | 'files' | 'settlement' | 'account' | 'security' | 'decision' | 'rule' | 'card_batch' | 'authentication'> | null;
  /** PAUSED: deliveries wait until the endpoint resumes. DISABLED: the endpoint responded with 410, or nothing was delivered for 5 days. */
  status: 'ENABLED' | 'PAUSED' | 'DISABLED';
  statusReason: string | null;
  created: string;
  /** Verifies deliveries. Shown only once. */
  secret: string;
}

export interface OtpRequest {
  eventType: 'decision';
  eventName: 'otp.request';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: OtpRequestData;
}

export interface OtpRequestData {
  /** The code of 6 digits. Do not store it. */
  otp: string;
  /** `meta.id` of the card. */
  external_customer_id: string;
  /** The cardholder's phone number. */
  destination: string;
  /** In the merchant's currency; null for a wallet. */
  amount: string | null;
  /** Null for a wallet. */
  currency: string | null;
  /** Null if unknown, and for a wallet. */
  merchant_name: string | null;
  last_four: string;
  purpose: '3ds' | 'wallet';
  /** Real time, whatever the clock of the program says. */
  expires_at: string;
}

export interface PendingFile {
  reference_id: string;
  status: 'pending';
  /** Download link, created for this response. It requires no key. Null until the file is ready. */
  link: string | null;
  /** When the link expires, in Unix seconds: five minutes from now. */
  expireAt: number | null;
}

export interface PromoteRuleRequest {
  /** Promotes the rule in spite of the guard, which names its number in a 409. */
  confirm?: boolean | undefined;
}

export interface ReadyFile {
  reference_id: string;
  status: 'ready';
  /** Download link, created for this response. It requires no key. Null until the file is ready. */
  link: string;
  /** When the link expires, in Unix seconds: five minutes from now. */
  expireAt: number;
}

export interface RefundEvent {
  eventType: 'transaction';
  eventName: 'refund';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: TransactionEventData;
}

export interface RefundRequest {
  /** Id of the refund. */
  refund_id: string;
  /** Network id of the purchase. */
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
  channel?: 'ECOMMERCE' | 'POS' | 'ATM' | 'MOTO' | undefined;
  merchant?: MerchantDescriptor | undefined;
  /** Who began the payment: CARDHOLDER, MERCHANT. Another word is kept as null. */
  initiator?: string | null | undefined;
  /** Whether it is one of a series, such as a subscription. */
  recurring?: boolean | null | undefined;
  /** How the card was read: CHIP, CONTACTLESS, MAGSTRIPE, MANUAL, STORED. Another word is kept as null. */
  entry_mode?: string | null | undefined;
  /** Why the cardholder was not authenticated: LOW_VALUE, RISK_ANALYSIS, TRUSTED_MERCHANT, CORPORATE, NONE. Another word is kept as null. */
  exemption?: string | null | undefined;
  /** The wallet whose token was used. */
  token_requestor?: string | null | undefined;
  /** The terminal. */
  terminal_id?: string | null | undefined;
  /** The reference by which acquirer and network find the message again. */
  retrieval_reference?: string | null | undefined;
  /** ISO 3166-1: alpha-2, alpha-3 or numeric. Kept as alpha-3; null if unknown. */
  acquirer_country?: string | number | null | undefined;
  /** Cash that was paid out with the purchase, as a part of `amount`. */
  cash_back_amount?: string | null | undefined;
  /** Whether the amount is an estimate: the hold lasts as long as one for lodging. */
  pre_authorization?: boolean | null | undefined;
  /** The reference of the acquirer. */
  arn?: string | null | undefined;
  /** The day on which the network settles it, as YYYY-MM-DD. */
  settlement_date?: string | null | undefined;
  /** What the program earns, in the card's currency; below zero, what it pays. It replaces the interchange of the fee schedule. */
  interchange_amount?: string | null | undefined;
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

export interface RefundReversalEvent {
  eventType: 'transaction';
  eventName: 'refund.reversal';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: TransactionEventData;
}

export interface ReissueCardRequest {
  /** Default NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE. */
  renewOption?: 'IDENTICAL_TO_THE_CURRENT_CARD' | 'CALCULATE_NEW_EXPIRY_DATE' | 'NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE' | 'NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE' | 'SAME_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY' | 'NEW_CARD_NUMBER_WITH_NEW_CUSTOM_EXPIRY' | undefined;
  /** Required for the options with a custom expiry. At least one month from today. */
  expiryDate?: string | undefined;
  shippingInformation?: ShippingInformation | undefined;
}

export interface ReplacedDecisionEndpoint {
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
  /** Only if the URL is now on another host or port: the new secret, shown only once. The previous secret signs no more requests. */
  secret?: string | undefined;
}

export interface ResendMissedRequest {
  /** A timestamp in program time with an offset; or `next` from a previous response, to continue from there. Default: everything. */
  since?: string | undefined;
  /** Send only to this endpoint. Default: all endpoints. */
  endpointId?: string | undefined;
}

export interface Resent {
  message: string;
  /** Number of deliveries that were started. */
  deliveries: number;
}

export interface ResentMissed {
  message: string;
  /** Number of deliveries that were started. */
  deliveries: number;
  /** Where to continue: send it as `since`. Null when nothing is left. */
  next: string | null;
}

export interface RevealSession {
  /** The audit names the session by this id. */
  id: string;
  /** The page. Append `#` and the verifier. */
  url: string;
  /** In real time, 60 seconds after the creation. */
  expiresAt: string;
}

export interface RevealSessionRequest {
  /** The origin of the page that embeds the reveal page. Null: no page can embed it; open it in a window or a webview. http is allowed in a sandbox program. */
  origin: string | null;
  /** base64url of the SHA-256 of the verifier, a random text that only the cardholder's browser knows. */
  challenge: string;
  /** Your customer id. If it is not that of the card, the answer is 404. Recommended. */
  customerId?: string | undefined;
  /** What the page shows. Default: all. */
  fields?: Array<'number' | 'expiry' | 'cvv'> | undefined;
  /** How long it shows it. Default: 60. */
  displaySeconds?: number | undefined;
  theme?: RevealTheme | undefined;
}

export interface RevealTheme {
  /** Together with `text`. */
  background?: string | undefined;
  /** Together with `background`. Choose a contrast of at least 4.5 to 1. */
  text?: string | undefined;
  /** Borders of buttons. */
  accent?: string | undefined;
  /** Default: medium. */
  size?: 'small' | 'medium' | 'large' | undefined;
  /** Default: the font of the console. */
  font?: 'system' | 'serif' | 'mono' | undefined;
}

export interface ReversalRequest {
  /** Id of the reversal. */
  reversal_id: string;
  /** Network id of the purchase. */
  external_transaction_id?: string | undefined;
  /** Id of the clearing to take back, instead of `external_transaction_id`. */
  clearing_id?: string | undefined;
  /** Id of the refund to take back, instead of `external_transaction_id`. */
  refund_id?: string | undefined;
  /** Id of an increment of the purchase, to reverse that increment alone. */
  increment_id?: string | undefined;
  /** The part to reverse, in the merchant's currency. Default: all of it. */
  amount?: string | undefined;
  /** ISO 4217. */
  currency?: string | undefined;
  /** The same in the card's currency; required if `currency` differs from it. More than is held takes what is held. */
  bill_amount?: string | undefined;
  /** The card's currency. */
  bill_currency?: string | undefined;
  /** The network got no response in time: undoes only what Emboss itself has approved, and not what an advice says. Without amounts. */
  reason?: 'TIMEOUT' | undefined;
}

export interface ReversalResponse {
  reversal_id: string;
  /** Only if a clearing was taken back. */
  clearing_id?: string | undefined;
  /** Only if a refund was taken back. */
  refund_id?: string | undefined;
  /** Only if an increment was reversed. */
  increment_id?: string | undefined;
  transaction_id: string | null;
  external_transaction_id: string | null;
  status: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
  bill_amount: string;
  bill_currency: string;
}

export interface RotatedDecisionEndpoint {
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
  /** Verifies decision requests. Shown only once. */
  secret: string;
  /** Decision requests are signed with both secrets until this time. */
  previousSignsUntil: string;
}

export interface RotatedWebhookEndpoint {
  id: string;
  url: string;
  eventTypes: Array<'card' | 'transaction' | 'files' | 'settlement' | 'account' | 'security' | 'decision' | 'rule' | 'card_batch' | 'authentication'> | null;
  /** PAUSED: deliveries wait until the endpoint resumes. DISABLED: the endpoint responded with 410, or nothing was delivered for 5 days. */
  status: 'ENABLED' | 'PAUSED' | 'DISABLED';
  statusReason: string | null;
  created: string;
  /** Verifies deliveries. Shown only once. */
  secret: string;
  /** Deliveries are signed with both secrets until this time. */
  previousSignsUntil: string;
}

export interface Rule {
  id: string;
  name: string;
  /** `SHADOW`: it is evaluated and decides nothing. `ACTIVE`: it decides. */
  status: 'PREPARING' | 'SHADOW' | 'ACTIVE' | 'ARCHIVED';
  /** `REQUIRE_AUTHENTICATION` declines an online purchase without 3-D Secure, unless it is exempt; for other purchases it is a flag. */
  action: 'DECLINE' | 'FLAG' | 'REQUIRE_AUTHENTICATION';
  /** Null if none was given. */
  reason: 'NOT_PERMITTED' | 'SUSPECTED_FRAUD' | 'LIMIT' | 'COUNT' | null;
  priority: number;
  replaces: string | null;
  createdAt: string;
  /** When it last became `SHADOW`. */
  shadowSince: string | null;
  /** When it last became `ACTIVE`. */
  activeSince: string | null;
  archivedAt: string | null;
  /** All cards of the program, those of some customers, or some cards. */
  appliesTo: 'PROGRAM' | RuleCustomers | RuleCards;
  /** `{all: […]}`, `{any: […]}`, `{not: c}` or `{field, op, value}`, at most 4 levels deep, with at most 50 leaves. */
  when: Record<string, unknown>;
}

export interface RuleArchivedEvent {
  eventType: 'rule';
  eventName: 'rule.archived';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: RuleEventData;
}

export interface RuleBacktest {
  id: string;
  /** Null: the rule is not saved. */
  ruleId: string | null;
  /** `OBSERVED` counts history as it was. `AS_IF_ACTIVE` takes what the rule would have declined out of what its velocities count later. */
  mode: 'OBSERVED' | 'AS_IF_ACTIVE';
  from: string;
  to: string;
  /** `FAILED`: a list that the rule uses was removed before its turn. */
  status: 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED';
  /** How much of its time has been read, in percent. */
  progress: number;
  /** Attempts for which the rule was evaluated. */
  evaluated: number;
  /** Of those that were evaluated, the ones that were approved then. */
  approved: number;
  notEvaluated: RuleBacktestNotEvaluated;
  matched: number;
  approvedThatWouldBeDeclined: RuleBacktestDeclines;
  /** Matches that were declined then. */
  alreadyDeclined: number;
  byDay: Array<RuleBacktestDay>;
  currency: string;
  /** Lists of the rule, or the metadata or designs of cards, have changed since `from`: they were taken as they are now. */
  approximate: boolean;
  createdAt: string;
  completedAt: string | null;
}

export interface RuleBacktestCompletedEvent {
  eventType: 'rule';
  eventName: 'rule.backtest_completed';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: RuleBacktest;
}

export interface RuleBacktestDay {
  day: string;
  evaluated: number;
  matched: number;
  /** Of the matches. */
  amount: string;
}

export interface RuleBacktestDeclines {
  count: number;
  /** As approved then. */
  amount: string;
}

export interface RuleBacktestNotEvaluated {
  count: number;
  why: RuleBacktestReasons;
}

export interface RuleBacktestPage {
  results: Array<RuleBacktest>;
  /** Total number of matching records. */
  count: number;
  /** There may be more than `count`: with filters a count ends at 10,000, and after checking as many records. */
  count_capped?: true | undefined;
  /** Link to the next page; null on the last page. */
  next: string | null;
  /** Link to the previous page; null on the first page. */
  previous: string | null;
}

export interface RuleBacktestReasons {
  /** A guard that comes before rules declined them. */
  declinedBefore: number;
  /** The rule does not apply to their cards. */
  appliesToOthers: number;
  /** In `AS_IF_ACTIVE`: increments of purchases that the rule would have declined. */
  purchaseDeclined: number;
}

export interface RuleBacktestRequest {
  /** First UTC day. */
  from: string;
  /** Last UTC day, at most 366 days in all. Of today, what came before the request. */
  to: string;
  /** `OBSERVED` counts history as it was. `AS_IF_ACTIVE` takes what the rule would have declined out of what its velocities count later. */
  mode: 'OBSERVED' | 'AS_IF_ACTIVE';
}

export interface RuleCards {
  /** Card ids, at most 1,000. */
  cardIds: Array<string>;
}

export interface RuleCreatedEvent {
  eventType: 'rule';
  eventName: 'rule.created';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: RuleEventData;
}

export interface RuleCustomers {
  /** Customer ids, at most 1,000. */
  customerIds: Array<string>;
}

export interface RuleDemotedEvent {
  eventType: 'rule';
  eventName: 'rule.demoted';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: RuleEventData;
}

export interface RuleEvaluation {
  result: boolean;
  /** What each leaf of the condition saw. */
  leaves: Array<RuleLeaf>;
}

export interface RuleEventData {
  id: string;
  name: string;
  /** `SHADOW`: it is evaluated and decides nothing. `ACTIVE`: it decides. */
  status: 'PREPARING' | 'SHADOW' | 'ACTIVE' | 'ARCHIVED';
  /** `REQUIRE_AUTHENTICATION` declines an online purchase without 3-D Secure, unless it is exempt; for other purchases it is a flag. */
  action: 'DECLINE' | 'FLAG' | 'REQUIRE_AUTHENTICATION';
  /** Null if none was given. */
  reason: 'NOT_PERMITTED' | 'SUSPECTED_FRAUD' | 'LIMIT' | 'COUNT' | null;
  priority: number;
  replaces: string | null;
  createdAt: string;
  /** When it last became `SHADOW`. */
  shadowSince: string | null;
  /** When it last became `ACTIVE`. */
  activeSince: string | null;
  archivedAt: string | null;
}

export interface RuleField {
  name: string;
  type: 'money' | 'number' | 'code' | 'enum' | 'text' | 'boolean';
  operators: Array<string>;
  /** Whether an attempt may lack it; then `isNull` asks for it. */
  mayBeNull: boolean;
  /** The words of an enum. */
  values: Array<string> | null;
  /** Type of the lists for `inList`; null: it takes none. */
  listType: string | null;
  /** A value. */
  example: string | number | boolean;
}

export interface RuleFields {
  fields: Array<RuleField>;
}

export interface RuleLastWeek {
  /** Of the program, whatever the rule applies to. */
  approvals: number;
  /** Those that the rule, in `SHADOW`, would have declined. */
  wouldDecline: number;
}

export interface RuleLeaf {
  /** Of the leaf in the condition. */
  path: string;
  /** Null: the attempt has no such value. */
  value: string | null;
  result: boolean;
}

export interface RuleList {
  name: string;
  type: 'merchant' | 'country' | 'mcc' | 'customer' | 'text';
  size: number;
  /** Shipped with Emboss. */
  readOnly: boolean;
  /** Null for a list that is shipped. */
  createdAt: string | null;
  /** Null for a list that is shipped. */
  updatedAt: string | null;
}

export interface RuleListChangedEvent {
  eventType: 'rule';
  eventName: 'rule.list_changed';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: RuleListEventData;
}

export interface RuleListEventData {
  name: string;
  type: 'merchant' | 'country' | 'mcc' | 'customer' | 'text';
  size: number;
  /** Shipped with Emboss. */
  readOnly: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface RuleListRemovedEvent {
  eventType: 'rule';
  eventName: 'rule.list_removed';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: RuleListEventData;
}

export interface RuleListRequest {
  type: 'merchant' | 'country' | 'mcc' | 'customer' | 'text';
  /** At most 10,000. Countries in any form of ISO 3166-1. */
  values: Array<string>;
}

export interface RuleListValuesRequest {
  /** At most 10,000. Countries in any form of ISO 3166-1. */
  values: Array<string>;
}

export interface RuleListWithValues {
  name: string;
  type: 'merchant' | 'country' | 'mcc' | 'customer' | 'text';
  size: number;
  /** Shipped with Emboss. */
  readOnly: boolean;
  /** Null for a list that is shipped. */
  createdAt: string | null;
  /** Null for a list that is shipped. */
  updatedAt: string | null;
  values: Array<string>;
}

export interface RuleLists {
  ruleLists: Array<RuleList>;
}

export interface RuleMatch {
  /** Id of the attempt's event. */
  id: string;
  transactionId: string;
  cardId: string;
  /** Of the rule at that time. */
  status: 'SHADOW' | 'ACTIVE';
  /** `WOULD_…`: in `SHADOW`, for advices, and where another rule decided. */
  effect: 'DECLINED' | 'FLAGGED' | 'AUTHENTICATION_REQUIRED' | 'WOULD_DECLINE' | 'WOULD_FLAG' | 'WOULD_REQUIRE_AUTHENTICATION';
  /** Whether the attempt was approved. */
  approved: boolean;
  /** What was approved, or else requested. */
  amount: string;
  currency: string;
  /** What each leaf of the condition saw. */
  values: Array<RuleLeaf>;
  createdAt: string;
}

export interface RuleMatchPage {
  results: Array<RuleMatch>;
  /** Total number of matching records. */
  count: number;
  /** There may be more than `count`: with filters a count ends at 10,000, and after checking as many records. */
  count_capped?: true | undefined;
  /** Link to the next page; null on the last page. */
  next: string | null;
  /** Link to the previous page; null on the first page. */
  previous: string | null;
}

export interface RulePage {
  results: Array<Rule>;
  /** Total number of matching records. */
  count: number;
  /** There may be more than `count`: with filters a count ends at 10,000, and after checking as many records. */
  count_capped?: true | undefined;
  /** Link to the next page; null on the last page. */
  next: string | null;
  /** Link to the previous page; null on the first page. */
  previous: string | null;
}

export interface RulePreparedEvent {
  eventType: 'rule';
  eventName: 'rule.prepared';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: RuleEventData;
}

export interface RulePromotedEvent {
  eventType: 'rule';
  eventName: 'rule.promoted';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: RuleEventData;
}

export interface RuleReport {
  from: string;
  to: string;
  currency: string;
  byDay: Array<RuleReportDay>;
  /** What a promotion looks at, whatever `from` and `to` are. */
  lastWeek: RuleLastWeek;
}

export interface RuleReportDay {
  day: string;
  /** Attempts for which the rule was evaluated. */
  evaluated: number;
  matched: number;
  /** Matches that turned an approval into a decline, or in `SHADOW` would have. */
  wouldHaveChanged: number;
  /** Of the matches. */
  amount: string;
}

export interface RuleRequest {
  name: string;
  /** All cards of the program, those of some customers, or some cards. */
  appliesTo: 'PROGRAM' | RuleCustomers | RuleCards;
  /** `{all: […]}`, `{any: […]}`, `{not: c}` or `{field, op, value}`, at most 4 levels deep, with at most 50 leaves. */
  when: Record<string, unknown>;
  /** `REQUIRE_AUTHENTICATION` declines an online purchase without 3-D Secure, unless it is exempt; for other purchases it is a flag. */
  action: 'DECLINE' | 'FLAG' | 'REQUIRE_AUTHENTICATION';
  /** What the network is told of a decline: code 57 (`NOT_PERMITTED`, the default), 59, 61 or 65 (`COUNT`). */
  reason?: 'NOT_PERMITTED' | 'SUSPECTED_FRAUD' | 'LIMIT' | 'COUNT' | null | undefined;
  /** Of the matching rules the highest priority decides, then the older rule. Default 0. */
  priority?: number | undefined;
  /** The rule that is archived in the instant in which this one is promoted. */
  replaces?: string | null | undefined;
}

export interface SandboxAuthentication {
  /** Our id of the authentication. */
  id: string;
  /** Its id at the access control server or the wallet. */
  authentication_id: string;
  /** `wallet`: a code that adds the card to a wallet. */
  purpose: '3ds' | 'wallet';
  /** Null for an unknown card. */
  card_id: string | null;
  status: 'AUTHENTICATED' | 'CHALLENGE' | 'REJECTED' | 'UNAVAILABLE';
  /** Transaction status of EMV 3-D Secure: `Y` authenticated, `C` challenge, `N` not authenticated, `R` rejected, `U` unavailable. */
  trans_status: 'Y' | 'C' | 'N' | 'R' | 'U';
  /** How the cardholder proves it; null without a challenge. */
  method: 'OTP' | 'OUT_OF_BAND' | null;
  /** Why it did not succeed; null if it did, or is open. */
  reason: 'unknown_card' | 'card_blocked' | 'card_frozen' | 'card_expired' | 'expiry_mismatch' | 'too_many_attempts' | 'declined_by_program' | 'no_channel' | 'send_failed' | 'too_many_sends' | 'otp_wrong' | 'not_approved' | 'cancelled' | 'expired' | null;
  /** In the merchant's currency; null for a wallet. */
  amount: string | null;
  /** Null for a wallet. */
  currency: string | null;
  /** Null for a wallet. */
  merchant: AuthenticationMerchant | null;
  /** End of the challenge, in real time; null without a challenge. */
  expires_at: string | null;
  /** Where the code was sent, masked; null without a code. */
  destination: string | null;
  attempts_left: number;
  sends_left: number;
  /** The valid one-time password; null if there is none. */
  otp: string | null;
  /** A page that plays the access control server; null without an open challenge of 3-D Secure. */
  challenge_url: string | null;
}

export interface SetCardUsageRequest {
  /** Null: the card may be used for anything. */
  usage: CardUsageRequest | null;
}

export interface SetCardUsageResponse {
  /** Null: the card may be used for anything. */
  usage: CardUsage | null;
}

export interface SettlementFileEvent {
  eventType: 'files';
  eventName: 'settlement_file';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: FileEventData;
}

export interface SettlementUnmatchedEvent {
  eventType: 'settlement';
  eventName: 'settlement.unmatched';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: UnmatchedEventData;
}

export interface SettlementUnmatchedReversalEvent {
  eventType: 'settlement';
  eventName: 'settlement.unmatched.reversal';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: UnmatchedEventData;
}

export interface Shipment {
  status: 'ORDERED' | 'SHIPPED' | 'DELIVERED' | 'RETURNED';
  cardDesign: string;
  created: string;
}

export interface ShippingInformation {
  shippingAddress: {
    line1: string;
    /** Address line 2. */
    line2?: string | null | undefined;
    /** State, province or region. */
    zone?: string | null | undefined;
    city: string;
    postalCode: string;
    /** ISO 3166-1 alpha-2 code. */
    country: string;
  };
  recipientFirstName: string;
  recipientLastName: string;
  recipientPhoneNumber: string;
  /** Country dial code without the plus sign. */
  recipientDialCode: number;
  /** E-mail of the recipient. */
  recipientEmail: string;
  /** Card design id. */
  cardDesign: string;
}

export interface SimulatedAuthenticationRequest {
  /** Card id. */
  card_id: string;
  /** In the merchant's currency; may be 0 for a `NON_PAYMENT`. */
  amount: string;
  /** ISO 4217. */
  currency?: string | undefined;
  /** Missing fields are filled in. */
  merchant?: {
    /** Merchant id at its acquirer. */
    id?: string | undefined;
    /** Name as shown on the statement. */
    name?: string | null | undefined;
    mcc?: string | undefined;
    /** City, or the text that the network sends in its place. */
    city?: string | null | undefined;
    /** ISO 3166-1: alpha-2, alpha-3 or numeric. Stored as alpha-3; null if unknown. */
    country?: string | number | null | undefined;
  } | undefined;
  /** Null or absent: not checked. */
  expiry?: string | null | undefined;
  /** Default BROWSER. */
  device_channel?: 'BROWSER' | 'APP' | 'MERCHANT' | undefined;
  /** Default PAYMENT. */
  category?: 'PAYMENT' | 'NON_PAYMENT' | undefined;
  /** Default NO_PREFERENCE. */
  challenge?: 'NO_PREFERENCE' | 'WANTED' | 'MANDATED' | 'NOT_WANTED' | undefined;
  /** Default: a generated id. */
  authentication_id?: string | undefined;
}

export interface SimulatedAuthorizationRequest {
  /** Card id. */
  card_id: string;
  /** Required unless a balance inquiry. Zero is an account check. */
  amount?: string | undefined;
  /** ISO 4217. */
  currency?: string | undefined;
  /** In the card's currency; required if `currency` differs from it. */
  bill_amount?: string | undefined;
  /** ISO 4217. */
  bill_currency?: string | undefined;
  channel?: 'ECOMMERCE' | 'POS' | 'ATM' | 'MOTO' | undefined;
  /** Missing fields are filled in. */
  merchant?: {
    /** Merchant id at its acquirer. */
    id?: string | undefined;
    /** Name as shown on the statement. */
    name?: string | null | undefined;
    mcc?: string | undefined;
    /** City, or the text that the network sends in its place. */
    city?: string | null | undefined;
    /** ISO 3166-1: alpha-2, alpha-3 or numeric. Stored as alpha-3; null if unknown. */
    country?: string | number | null | undefined;
  } | undefined;
  cvv?: string | undefined;
  /** Null or absent: not checked. */
  expiry?: string | null | undefined;
  /** Network id of the purchase. */
  external_transaction_id?: string | undefined;
  /** Default `PURCHASE`. `CASH` charges the ATM fee on every channel. A `BALANCE_INQUIRY` has no amount and holds nothing; in the mode `REAL_TIME` the decision endpoint gives the balance. A `CREDIT` is an online refund or a push to the card: it waits without a hold for the refund that names it. */
  type?: 'PURCHASE' | 'CASH' | 'BALANCE_INQUIRY' | 'CREDIT' | undefined;
  /** Whether a smaller amount may be approved if only funds or an amount limit decline. */
  partial_approval?: boolean | undefined;
  /** An advice: the network has decided already, and says what became of the purchase. What it approved is held, whatever the card allows and whatever was answered before; what is still held of a declined one is released. On an unknown card number, every advice is answered with `network_code` 14 and not recorded. */
  stand_in?: StandIn | undefined;
  /** How the cardholder was authenticated: exactly one of `authentication_id` and `eci`. An `authentication_id` counts once, or for the purchases of one `split_of`, for its card and merchant, in its currency, up to its amount and for the days that the program has set. One that does not count is not an error: the purchase is judged as not authenticated. */
  authentication?: AuthenticationReference | null | undefined;
  /** A further authorization of the same purchase: `external_transaction_id` of the first, whose authentication it shares. Both name the same `authentication_id`. */
  split_of?: string | null | undefined;
  /** Id of the advice, by which it is idempotent. Default: `external_transaction_id`. */
  advice_id?: string | undefined;
  /** Who began the payment: CARDHOLDER, MERCHANT. Another word is kept as null. */
  initiator?: string | null | undefined;
  /** Whether it is one of a series, such as a subscription. */
  recurring?: boolean | null | undefined;
  /** How the card was read: CHIP, CONTACTLESS, MAGSTRIPE, MANUAL, STORED. Another word is kept as null. */
  entry_mode?: string | null | undefined;
  /** Why the cardholder was not authenticated: LOW_VALUE, RISK_ANALYSIS, TRUSTED_MERCHANT, CORPORATE, NONE. Another word is kept as null. */
  exemption?: string | null | undefined;
  /** The wallet whose token was used. */
  token_requestor?: string | null | undefined;
  /** The terminal. */
  terminal_id?: string | null | undefined;
  /** The reference by which acquirer and network find the message again. */
  retrieval_reference?: string | null | undefined;
  /** ISO 3166-1: alpha-2, alpha-3 or numeric. Kept as alpha-3; null if unknown. */
  acquirer_country?: string | number | null | undefined;
  /** Cash that was paid out with the purchase, as a part of `amount`. */
  cash_back_amount?: string | null | undefined;
  /** Whether the amount is an estimate: the hold lasts as long as one for lodging. */
  pre_authorization?: boolean | null | undefined;
}

export interface SimulatedClearingRequest {
  /** Transaction id from the authorization response. */
  transaction_id: string;
  /** Default: a generated id. */
  clearing_id?: string | undefined;
  /** Default: the whole purchase. */
  amount?: string | undefined;
  /** ISO 4217. */
  currency?: string | undefined;
  /** In the card's currency; required if `currency` differs from it. */
  bill_amount?: string | undefined;
  /** ISO 4217. */
  bill_currency?: string | undefined;
  /** Whether to release the rest of the hold. Default true. */
  final?: boolean | undefined;
  /** Who began the payment: CARDHOLDER, MERCHANT. Another word is kept as null. */
  initiator?: string | null | undefined;
  /** Whether it is one of a series, such as a subscription. */
  recurring?: boolean | null | undefined;
  /** How the card was read: CHIP, CONTACTLESS, MAGSTRIPE, MANUAL, STORED. Another word is kept as null. */
  entry_mode?: string | null | undefined;
  /** Why the cardholder was not authenticated: LOW_VALUE, RISK_ANALYSIS, TRUSTED_MERCHANT, CORPORATE, NONE. Another word is kept as null. */
  exemption?: string | null | undefined;
  /** The wallet whose token was used. */
  token_requestor?: string | null | undefined;
  /** The terminal. */
  terminal_id?: string | null | undefined;
  /** The reference by which acquirer and network find the message again. */
  retrieval_reference?: string | null | undefined;
  /** ISO 3166-1: alpha-2, alpha-3 or numeric. Kept as alpha-3; null if unknown. */
  acquirer_country?: string | number | null | undefined;
  /** Cash that was paid out with the purchase, as a part of `amount`. */
  cash_back_amount?: string | null | undefined;
  /** Whether the amount is an estimate: the hold lasts as long as one for lodging. */
  pre_authorization?: boolean | null | undefined;
  /** The reference of the acquirer. */
  arn?: string | null | undefined;
  /** The day on which the network settles it, as YYYY-MM-DD. */
  settlement_date?: string | null | undefined;
  /** What the program earns, in the card's currency; below zero, what it pays. It replaces the interchange of the fee schedule. */
  interchange_amount?: string | null | undefined;
}

export interface SimulatedIncrementRequest {
  /** Transaction id from the authorization response. */
  transaction_id: string;
  /** Default: a generated id. */
  increment_id?: string | undefined;
  /** What is added to the hold. */
  amount: string;
  /** In the card's currency; required if the purchase is in another. */
  bill_amount?: string | undefined;
  /** Who began the payment: CARDHOLDER, MERCHANT. Another word is kept as null. */
  initiator?: string | null | undefined;
  /** Whether it is one of a series, such as a subscription. */
  recurring?: boolean | null | undefined;
  /** How the card was read: CHIP, CONTACTLESS, MAGSTRIPE, MANUAL, STORED. Another word is kept as null. */
  entry_mode?: string | null | undefined;
  /** Why the cardholder was not authenticated: LOW_VALUE, RISK_ANALYSIS, TRUSTED_MERCHANT, CORPORATE, NONE. Another word is kept as null. */
  exemption?: string | null | undefined;
  /** The wallet whose token was used. */
  token_requestor?: string | null | undefined;
  /** The terminal. */
  terminal_id?: string | null | undefined;
  /** The reference by which acquirer and network find the message again. */
  retrieval_reference?: string | null | undefined;
  /** ISO 3166-1: alpha-2, alpha-3 or numeric. Kept as alpha-3; null if unknown. */
  acquirer_country?: string | number | null | undefined;
  /** Cash that was paid out with the purchase, as a part of `amount`. */
  cash_back_amount?: string | null | undefined;
  /** Whether the amount is an estimate: the hold lasts as long as one for lodging. */
  pre_authorization?: boolean | null | undefined;
}

export interface SimulatedRefundRequest {
  /** Transaction id from the authorization response. */
  transaction_id: string;
  /** Default: a generated id. */
  refund_id?: string | undefined;
  /** Default: the whole purchase. */
  amount?: string | undefined;
  /** ISO 4217. */
  currency?: string | undefined;
  /** In the card's currency; required if `currency` differs from it. */
  bill_amount?: string | undefined;
  /** ISO 4217. */
  bill_currency?: string | undefined;
  /** Who began the payment: CARDHOLDER, MERCHANT. Another word is kept as null. */
  initiator?: string | null | undefined;
  /** Whether it is one of a series, such as a subscription. */
  recurring?: boolean | null | undefined;
  /** How the card was read: CHIP, CONTACTLESS, MAGSTRIPE, MANUAL, STORED. Another word is kept as null. */
  entry_mode?: string | null | undefined;
  /** Why the cardholder was not authenticated: LOW_VALUE, RISK_ANALYSIS, TRUSTED_MERCHANT, CORPORATE, NONE. Another word is kept as null. */
  exemption?: string | null | undefined;
  /** The wallet whose token was used. */
  token_requestor?: string | null | undefined;
  /** The terminal. */
  terminal_id?: string | null | undefined;
  /** The reference by which acquirer and network find the message again. */
  retrieval_reference?: string | null | undefined;
  /** ISO 3166-1: alpha-2, alpha-3 or numeric. Kept as alpha-3; null if unknown. */
  acquirer_country?: string | number | null | undefined;
  /** Cash that was paid out with the purchase, as a part of `amount`. */
  cash_back_amount?: string | null | undefined;
  /** Whether the amount is an estimate: the hold lasts as long as one for lodging. */
  pre_authorization?: boolean | null | undefined;
  /** The reference of the acquirer. */
  arn?: string | null | undefined;
  /** The day on which the network settles it, as YYYY-MM-DD. */
  settlement_date?: string | null | undefined;
  /** What the program earns, in the card's currency; below zero, what it pays. It replaces the interchange of the fee schedule. */
  interchange_amount?: string | null | undefined;
}

export interface SimulatedReversalRequest {
  /** Id of the purchase, or of the refund to take back. */
  transaction_id: string;
  /** Id of a clearing of the purchase to take back, instead of releasing the hold. */
  clearing_id?: string | undefined;
  /** Id of the refund to take back, of the transaction of a credit. The transaction of another refund says it. */
  refund_id?: string | undefined;
  /** Default: a generated id. */
  reversal_id?: string | undefined;
  /** Id of an increment of the purchase, to reverse that increment alone. */
  increment_id?: string | undefined;
  /** The part to reverse, in the merchant's currency. Default: all of it. */
  amount?: string | undefined;
  /** ISO 4217. */
  currency?: string | undefined;
  /** The same in the card's currency; required if `currency` differs from it. More than is held takes what is held. */
  bill_amount?: string | undefined;
  /** The card's currency. */
  bill_currency?: string | undefined;
  /** The network got no response in time: undoes only what Emboss itself has approved, and not what an advice says. Without amounts. */
  reason?: 'TIMEOUT' | undefined;
}

export interface SpendControls {
  transactionLimit: number | null;
  dailyLimit: number | null;
  monthlyLimit: number | null;
  allTimeLimit: number | null;
  allowedMccs: Array<string>;
  blockedMccs: Array<string>;
  /** Those that have not ended. */
  temporaryLimits: TemporaryLimits;
}

export interface SpendControlsRequest {
  /** Maximum for one authorization. Null means no limit. */
  transactionLimit?: number | null | undefined;
  /** Maximum per UTC day. Null means no limit. */
  dailyLimit?: number | null | undefined;
  /** Maximum per UTC calendar month. Null means no limit. */
  monthlyLimit?: number | null | undefined;
  /** Maximum over the lifetime of the card. Null means no limit. */
  allTimeLimit?: number | null | undefined;
  /** If not empty, only these merchant categories are allowed. */
  allowedMccs?: Array<string> | undefined;
  /** These merchant categories are declined. */
  blockedMccs?: Array<string> | undefined;
  /** Each applies instead of the limit of the same name until it ends, if it is higher. Without that limit it has no effect. Null ends it at once; absent ones do not change. */
  temporaryLimits?: TemporaryLimitsRequest | undefined;
}

export interface SpendControlsUse {
  /** The limit of one authorization in force; a temporary limit is included. Null: there is no such limit. */
  transactionLimit: number | null;
  /** Null: there is no such limit. */
  dailyLimit: SpendLimitUse | null;
  /** Null: there is no such limit. */
  monthlyLimit: SpendLimitUse | null;
  /** Null: there is no such limit. */
  allTimeLimit: SpendLimitUse | null;
  allowedMccs: Array<string>;
  blockedMccs: Array<string>;
  /** Those that have not ended. */
  temporaryLimits: TemporaryLimits;
  /** Null: the card may be used for anything. */
  usage: CardUsage | null;
}

export interface SpendLimitUse {
  /** The limit in force; a temporary limit is included. */
  limit: number;
  /** What counts in it: amounts that are held and that have cleared. */
  used: number;
  /** `limit` less `used`: below zero after a clearing above its hold. */
  remaining: number;
  /** When it starts again, in program time; null: never. */
  resetsAt: string | null;
}

export interface StandIn {
  approved: boolean;
  approval_code?: string | undefined;
  reason?: string | undefined;
}

export interface StandInEndedEvent {
  eventType: 'decision';
  eventName: 'decision.stand_in_ended';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: StandInEndedEventData;
}

export interface StandInEndedEventData {
  kind: 'authorization' | 'authentication' | 'otp';
  /** `paused`: by the merchant. `failing`: after five failures in a row. */
  reason: 'paused' | 'failing';
  /** Program time. */
  since: string;
  /** How authorizations are decided meanwhile; null for the other kinds. */
  on_failure: 'DECLINE' | 'STANDARD' | 'APPROVE' | null;
  /** Program time. */
  until: string;
}

export interface StandInLimits {
  /** Maximum for one authorization, without its fees. */
  transactionLimit: number;
  /** Maximum that a card can have spent on a UTC day, by whichever decision. */
  dailyLimit: number;
}

export interface StandInStartedEvent {
  eventType: 'decision';
  eventName: 'decision.stand_in_started';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: StandInStartedEventData;
}

export interface StandInStartedEventData {
  kind: 'authorization' | 'authentication' | 'otp';
  /** `paused`: by the merchant. `failing`: after five failures in a row. */
  reason: 'paused' | 'failing';
  /** Program time. */
  since: string;
  /** How authorizations are decided meanwhile; null for the other kinds. */
  on_failure: 'DECLINE' | 'STANDARD' | 'APPROVE' | null;
}

export interface TemporaryLimits {
  transactionLimit: {
    amount: number;
    endsAt: string;
  } | null;
  dailyLimit: {
    amount: number;
    endsAt: string;
  } | null;
  monthlyLimit: {
    amount: number;
    endsAt: string;
  } | null;
}

export interface TemporaryLimitsRequest {
  transactionLimit?: {
    amount: number;
    /** A timestamp with an offset, at most 90 days after program time. */
    endsAt: string;
  } | null | undefined;
  dailyLimit?: {
    amount: number;
    /** A timestamp with an offset, at most 90 days after program time. */
    endsAt: string;
  } | null | undefined;
  monthlyLimit?: {
    amount: number;
    /** A timestamp with an offset, at most 90 days after program time. */
    endsAt: string;
  } | null | undefined;
}

export interface TestEvent {
  eventType: 'test';
  eventName: 'test';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: TestEventData;
}

export interface TestEventData {
  message: string;
}

export interface TestedRule {
  name: string;
  /** All cards of the program, those of some customers, or some cards. */
  appliesTo: 'PROGRAM' | RuleCustomers | RuleCards;
  /** `{all: […]}`, `{any: […]}`, `{not: c}` or `{field, op, value}`, at most 4 levels deep, with at most 50 leaves. */
  when: Record<string, unknown>;
  /** `REQUIRE_AUTHENTICATION` declines an online purchase without 3-D Secure, unless it is exempt; for other purchases it is a flag. */
  action: 'DECLINE' | 'FLAG' | 'REQUIRE_AUTHENTICATION';
  /** What the network is told of a decline: code 57 (`NOT_PERMITTED`, the default), 59, 61 or 65 (`COUNT`). */
  reason?: 'NOT_PERMITTED' | 'SUSPECTED_FRAUD' | 'LIMIT' | 'COUNT' | null | undefined;
  /** Of the matching rules the highest priority decides, then the older rule. Default 0. */
  priority?: number | undefined;
  /** The rule that is archived in the instant in which this one is promoted. */
  replaces?: string | null | undefined;
}

export interface TokenizationOtp {
  tokenization_id: string;
  status: 'AUTHENTICATED' | 'CHALLENGE' | 'REJECTED' | 'UNAVAILABLE';
  /** Where the code was sent, masked; null without a code. */
  destination: string | null;
  /** End of the challenge, in real time; null without a challenge. */
  expires_at: string | null;
  /** Why it did not succeed; null if it did, or is open. */
  reason: 'unknown_card' | 'card_blocked' | 'card_frozen' | 'card_expired' | 'expiry_mismatch' | 'too_many_attempts' | 'declined_by_program' | 'no_channel' | 'send_failed' | 'too_many_sends' | 'otp_wrong' | 'not_approved' | 'cancelled' | 'expired' | null;
  attempts_left: number;
  sends_left: number;
}

export interface TokenizationOtpRequest {
  /** The card number, digits only. */
  card_number?: string | undefined;
  /** Null or absent: not checked. */
  expiry?: string | null | undefined;
  /** Name of the wallet. */
  wallet?: string | undefined;
  otp?: string | undefined;
}

export interface Transaction {
  id: string;
  external_transaction_id: string;
  card_id: string;
  /** What the transaction is now, in the card's currency: held and cleared while it is pending, then cleared; what was requested if it is declined or void. A refund is negative. */
  bill_amount: number;
  bill_currency: string;
  cardholder_name: string;
  /** The same in the merchant's currency. */
  amount: string;
  currency: string;
  status: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
  created: string;
}

export interface TransactionAuthentication {
  /** Null if the network gave an ECI. */
  authentication_id: string | null;
  /** Electronic commerce indicator of two digits. */
  eci: string | null;
  /** Whether the authentication counts for the purchase. */
  authenticated: boolean;
  /** Why the authentication does not count; null if it counts. */
  reason: 'unknown' | 'not_authenticated' | 'attempted' | 'other_card' | 'other_merchant' | 'expired' | 'already_used' | 'other_purchase' | 'other_currency' | 'amount_exceeded' | null;
}

export interface TransactionDetails {
  id: string;
  external_transaction_id: string;
  card_id: string;
  /** What the transaction is now, in the card's currency: held and cleared while it is pending, then cleared; what was requested if it is declined or void. A refund is negative. */
  bill_amount: number;
  bill_currency: string;
  cardholder_name: string;
  /** The same in the merchant's currency. */
  amount: string;
  currency: string;
  status: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
  created: string;
  kind: 'purchase' | 'refund';
  channel: 'ECOMMERCE' | 'POS' | 'ATM' | 'MOTO' | null;
  merchant: Merchant | null;
  /** Null if the authorization had none. */
  authentication: TransactionAuthentication | null;
  decline_code: string | null;
  decline_reason: DeclineReason | null;
  network_code: string | null;
  approval_code: string | null;
  /** The authorization mode in which the transaction was made: that of the program, or `STANDARD` if Emboss decided in place of the merchant. */
  authorization_mode: 'STANDARD' | 'REAL_TIME' | 'BOTH';
  /** FX fee on what is held and cleared, in the card's currency. */
  fx_fee: string;
  /** ATM fee, in the card's currency. */
  atm_fee: string;
  /** Still held, without fees, in the card's currency. */
  held_amount: string;
  /** Cleared, in the card's currency. */
  cleared_amount: string;
  /** What a person should look at. `no_authorization`: cleared without one, or after a decline or a whole reversal. `over_hold`: cleared above all that was approved by more than the program allows. `late`: cleared after the hold expired. `after_block`: cleared after the card was blocked. `duplicate`: the same card, `arn`, amount and currency cleared before under another id. */
  flags: Array<'no_authorization' | 'over_hold' | 'late' | 'after_block' | 'duplicate'>;
  /** The rules that matched its authorization, at most 20. */
  rules: Array<MatchedRule>;
  /** Null if the network said nothing of it. */
  network: MessageData | null;
  /** Your metadata of the transaction. */
  metadata: Record<string, string>;
  /** Of a refund: the purchase, if it is known. */
  parent_transaction_id: string | null;
  /** Of a purchase: the ids of its refunds, the first 100. */
  refunds: Array<string>;
  /** Refunded, in the card's currency. */
  refunded_amount: string;
  /** Null without an authorization, or if its event is not among `events`. */
  decision: Decision | null;
  /** The numbers behind a decline by a limit or by funds. */
  limits: DeclineLimits | null;
  /** Number of all events of its history. */
  events_total: number;
  /** Its history, oldest first: the first event and the newest 500. */
  events: Array<TransactionHistoryEvent>;
}

export interface TransactionEventData {
  transaction_id: string;
  external_transaction_id: string;
  card_id: string;
  /** Sequence number of the card's events: 1, 2, 3 … without gaps, over `card` and `transaction` events together. */
  sequence: number;
  /** Id of the network message; for an expired hold, that of its authorization. */
  message_id: string;
  status: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
  /** Amount of this event in the merchant's currency. */
  amount: string;
  currency: string;
  /** Amount of this event in the card's currency. */
  bill_amount: string;
  bill_currency: string;
  /** What was requested, in the card's currency; absent if all of it was approved. */
  requested_amount?: string | undefined;
  /** Fee of this event, in the card's currency. */
  fx_fee: string;
  /** In basis points. */
  fx_fee_bps: number;
  /** Fee of this event, in the card's currency. */
  atm_fee: string;
  /** What the transaction takes from the cardholder after this event: the held and cleared amounts with their fees. Below zero for a refund. The event with the highest `sequence` of a transaction has its current value. */
  taken_amount: string;
  channel: 'ECOMMERCE' | 'POS' | 'ATM' | 'MOTO' | null;
  merchant: Merchant | null;
  decline_code: string | null;
  decline_reason: DeclineReason | null;
  network_code: string | null;
  approval_code: string | null;
  /** For a refund: the purchase that it refunds. */
  parent_transaction_id: string | null;
  /** The authorization mode in which the transaction was made: that of the program, or `STANDARD` if Emboss decided in place of the merchant. */
  authorization_mode: 'STANDARD' | 'REAL_TIME' | 'BOTH';
  /** How the cardholder was authenticated. The event of an increment shows whether the authentication covers the raised amount. Absent from events if the authorization had none. */
  authentication?: TransactionAuthentication | undefined;
  /** The rules that matched this attempt, at most 20; absent if none did. */
  rules?: Array<MatchedRule> | undefined;
  decision?: Decision | undefined;
  /** What this message of the network said beside its amounts. */
  network: MessageData | null;
  /** Your metadata of the transaction; absent if it has none, except after its last pair was removed. */
  metadata?: Record<string, string> | undefined;
  /** What a person should look at. `no_authorization`: cleared without one, or after a decline or a whole reversal. `over_hold`: cleared above all that was approved by more than the program allows. `late`: cleared after the hold expired. `after_block`: cleared after the card was blocked. `duplicate`: the same card, `arn`, amount and currency cleared before under another id. */
  flags?: Array<'no_authorization' | 'over_hold' | 'late' | 'after_block' | 'duplicate'> | undefined;
  /** Of a reversal: the id of the clearing, refund or increment that it takes back. */
  reverses?: string | undefined;
  /** Of `transaction.updated`: what changed. */
  changed?: Array<'parent_transaction_id' | 'metadata'> | undefined;
}

export interface TransactionHistoryEvent {
  id: string;
  name: string;
  created: string;
  /** Id of the network message; for an expired hold, that of its authorization. */
  message_id: string;
  status: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
  amount: string;
  currency: string;
  bill_amount: string;
  fx_fee: string;
  atm_fee: string;
  decline_reason: string | null;
  /** Of a reversal: the id of the clearing, refund or increment that it takes back. */
  reverses?: string | undefined;
  /** What a person should look at. `no_authorization`: cleared without one, or after a decline or a whole reversal. `over_hold`: cleared above all that was approved by more than the program allows. `late`: cleared after the hold expired. `after_block`: cleared after the card was blocked. `duplicate`: the same card, `arn`, amount and currency cleared before under another id. */
  flags?: Array<'no_authorization' | 'over_hold' | 'late' | 'after_block' | 'duplicate'> | undefined;
  /** What the network said beside what it decided and moved. Only the fields that it gave. */
  network?: MessageData | null | undefined;
  /** How the cardholder was authenticated. The event of an increment shows whether the authentication covers the raised amount. Absent from events if the authorization had none. */
  authentication?: TransactionAuthentication | undefined;
  /** The rules that matched this authorization, increment or advice. */
  rules?: Array<MatchedRule> | undefined;
  decision?: Decision | undefined;
  /** For a declined authorization or increment: the numbers behind it. */
  limits?: DeclineLimits | null | undefined;
}

export interface TransactionPage {
  results: Array<Transaction>;
  /** Total number of matching records. */
  count: number;
  /** There may be more than `count`: with filters a count ends at 10,000, and after checking as many records. */
  count_capped?: true | undefined;
  /** Link to the next page; null on the last page. */
  next: string | null;
  /** Link to the previous page; null on the first page. */
  previous: string | null;
}

export interface TransactionUpdatedEvent {
  eventType: 'transaction';
  eventName: 'transaction.updated';
  /** The same for every delivery attempt. */
  eventId: string;
  /** Program time. */
  created: string;
  data: TransactionEventData;
}

export interface UnmatchedEventData {
  kind: 'clearing' | 'refund';
  /** Id of the network message. */
  message_id: string;
  /** What the network named; null if it named no purchase. */
  external_transaction_id: string | null;
  /** In the merchant's currency. */
  amount: string;
  currency: string;
  /** In the program's currency. */
  bill_amount: string;
  bill_currency: string;
  /** The reference of the acquirer. */
  arn: string | null;
  channel?: 'ECOMMERCE' | 'POS' | 'ATM' | 'MOTO' | null | undefined;
  merchant?: Merchant | null | undefined;
  /** What the network said beside what it decided and moved. Only the fields that it gave. */
  network?: MessageData | null | undefined;
  /** Of a reversal: the id of the clearing, refund or increment that it takes back. */
  reverses?: string | undefined;
}

export interface UnsavedRuleBacktestRequest {
  rule: TestedRule;
  /** First UTC day. */
  from: string;
  /** Last UTC day, at most 366 days in all. Of today, what came before the request. */
  to: string;
  /** `OBSERVED` counts history as it was. `AS_IF_ACTIVE` takes what the rule would have declined out of what its velocities count later. */
  mode: 'OBSERVED' | 'AS_IF_ACTIVE';
}

export interface ValidateRuleRequest {
  /** `{all: […]}`, `{any: […]}`, `{not: c}` or `{field, op, value}`, at most 4 levels deep, with at most 50 leaves. */
  when: Record<string, unknown>;
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
  eventTypes: Array<'card' | 'transaction' | 'files' | 'settlement' | 'account' | 'security' | 'decision' | 'rule' | 'card_batch' | 'authentication'> | null;
  /** PAUSED: deliveries wait until the endpoint resumes. DISABLED: the endpoint responded with 410, or nothing was delivered for 5 days. */
  status: 'ENABLED' | 'PAUSED' | 'DISABLED';
  statusReason: string | null;
  created: string;
}

export interface WebhookEndpointChange {
  /** URL that receives the events. Must be https in a live program. */
  url: string;
  /** Event types to send. Null: all. */
  eventTypes: Array<'card' | 'transaction' | 'files' | 'settlement' | 'account' | 'security' | 'decision' | 'rule' | 'card_batch' | 'authentication'> | null;
  /** While an endpoint is paused its deliveries wait. They are sent when it resumes. */
  paused: boolean;
}

export interface WebhookEndpointList {
  webhookEndpoints: Array<WebhookEndpoint>;
}

export interface WebhookEndpointRequest {
  /** URL that receives the events. Must be https in a live program. */
  url: string;
  /** Event types to send. Default or null: all. */
  eventTypes?: Array<'card' | 'transaction' | 'files' | 'settlement' | 'account' | 'security' | 'decision' | 'rule' | 'card_batch' | 'authentication'> | null | undefined;
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
  /** Total number of matching records. */
  count: number;
  /** There may be more than `count`: with filters a count ends at 10,000, and after checking as many records. */
  count_capped?: true | undefined;
  /** Link to the next page; null on the last page. */
  next: string | null;
  /** Link to the previous page; null on the first page. */
  previous: string | null;
}

export interface WebhookTest {
  /** Whether the response was a 2xx. */
  delivered: boolean;
  eventId: string;
  statusCode: number | null;
  /** Why there was no response. */
  error: string | null;
  durationMs: number;
}

export interface ListCardsQuery {
  /** Your customer's id, `meta.id`. */
  externalCustomerId?: string | undefined;
  /** One pair, as `metadata[order_id]=4711`. */
  metadata?: Record<string, string> | undefined;
  /** Of the active number. */
  lastFour?: string | undefined;
  status?: 'ACTIVE' | 'FROZEN' | 'BLOCKED' | 'EXPIRED' | undefined;
  /** Id of the card design. */
  cardDesign?: string | undefined;
  cardType?: 'physical' | 'virtual' | undefined;
  /** Page number, from 1. Default 1. */
  page?: number | undefined;
  /** Records per page. Default 50. */
  page_size?: number | undefined;
  /** Only records from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only records up to and including this UTC day. */
  max_created?: string | undefined;
  /** Set in `next` links: continue after this record, even if records were added in the meantime. */
  after?: string | undefined;
  /** Set in `previous` links: end before this record. */
  before?: string | undefined;
}

export interface ListBalanceAdjustmentsQuery {
  /** Page number, from 1. Default 1. */
  page?: number | undefined;
  /** Records per page. Default 50. */
  page_size?: number | undefined;
  /** Only records from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only records up to and including this UTC day. */
  max_created?: string | undefined;
  /** Set in `next` links: continue after this record, even if records were added in the meantime. */
  after?: string | undefined;
  /** Set in `previous` links: end before this record. */
  before?: string | undefined;
}

export interface ListCardBatchesQuery {
  /** Page number, from 1. Default 1. */
  page?: number | undefined;
  /** Records per page. Default 50. */
  page_size?: number | undefined;
  /** Only records from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only records up to and including this UTC day. */
  max_created?: string | undefined;
  /** Set in `next` links: continue after this record, even if records were added in the meantime. */
  after?: string | undefined;
  /** Set in `previous` links: end before this record. */
  before?: string | undefined;
}

export interface ListCardBatchRowsQuery {
  status?: 'PENDING' | 'CREATED' | 'FAILED' | undefined;
  /** Page number, from 1. Default 1. */
  page?: number | undefined;
  /** Records per page. Default 50. */
  page_size?: number | undefined;
  /** Only records from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only records up to and including this UTC day. */
  max_created?: string | undefined;
  /** Set in `next` links: continue after this record, even if records were added in the meantime. */
  after?: string | undefined;
  /** Set in `previous` links: end before this record. */
  before?: string | undefined;
}

export interface ListCustomersQuery {
  /** Page number, from 1. Default 1. */
  page?: number | undefined;
  /** Records per page. Default 50. */
  page_size?: number | undefined;
  /** Only records from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only records up to and including this UTC day. */
  max_created?: string | undefined;
  /** Set in `next` links: continue after this record, even if records were added in the meantime. */
  after?: string | undefined;
  /** Set in `previous` links: end before this record. */
  before?: string | undefined;
  /** Only the customer with this `meta.id`. */
  id?: string | undefined;
}

export interface ListTransactionsQuery {
  /** The network's id of the purchase or refund. */
  external_transaction_id?: string | undefined;
  /** Card id. */
  card_id?: string | undefined;
  /** One pair, as `metadata[order_id]=4711`. */
  metadata?: Record<string, string> | undefined;
  /** Your customer's id, `meta.id`. */
  external_customer_id?: string | undefined;
  decline_reason?: 'card_blocked' | 'invalid_card_number' | 'card_frozen' | 'card_expired' | 'expiry_mismatch' | 'cvv_mismatch' | 'card_not_valid_now' | 'card_used' | 'merchant_locked' | 'merchant_category_not_allowed' | 'rule_declined' | 'authentication_required' | 'transaction_limit' | 'daily_limit' | 'card_limit' | 'insufficient_funds' | 'program_balance' | 'already_reversed' | 'hold_closed' | 'stand_in_declined' | 'program_insufficient_funds' | 'program_limit' | 'program_merchant' | 'program_fraud' | 'program_declined' | 'decision_timeout' | 'decision_unavailable' | 'decision_invalid' | undefined;
  flag?: 'no_authorization' | 'over_hold' | 'late' | 'after_block' | 'duplicate' | undefined;
  status?: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID' | undefined;
  kind?: 'purchase' | 'refund' | undefined;
  mcc?: string | undefined;
  channel?: 'ECOMMERCE' | 'POS' | 'ATM' | 'MOTO' | undefined;
  /** The merchant's currency. */
  currency?: string | undefined;
  /** Minimum `bill_amount`. */
  min_amount?: string | undefined;
  /** Maximum `bill_amount`. */
  max_amount?: string | undefined;
  /** Page number, from 1. Default 1. */
  page?: number | undefined;
  /** Records per page. Default 50. */
  page_size?: number | undefined;
  /** Only records from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only records up to and including this UTC day. */
  max_created?: string | undefined;
  /** Set in `next` links: continue after this record, even if records were added in the meantime. */
  after?: string | undefined;
  /** Set in `previous` links: end before this record. */
  before?: string | undefined;
}

export interface ListCardTransactionsQuery {
  /** The network's id of the purchase or refund. */
  external_transaction_id?: string | undefined;
  /** One pair, as `metadata[order_id]=4711`. */
  metadata?: Record<string, string> | undefined;
  decline_reason?: 'card_blocked' | 'invalid_card_number' | 'card_frozen' | 'card_expired' | 'expiry_mismatch' | 'cvv_mismatch' | 'card_not_valid_now' | 'card_used' | 'merchant_locked' | 'merchant_category_not_allowed' | 'rule_declined' | 'authentication_required' | 'transaction_limit' | 'daily_limit' | 'card_limit' | 'insufficient_funds' | 'program_balance' | 'already_reversed' | 'hold_closed' | 'stand_in_declined' | 'program_insufficient_funds' | 'program_limit' | 'program_merchant' | 'program_fraud' | 'program_declined' | 'decision_timeout' | 'decision_unavailable' | 'decision_invalid' | undefined;
  flag?: 'no_authorization' | 'over_hold' | 'late' | 'after_block' | 'duplicate' | undefined;
  status?: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID' | undefined;
  kind?: 'purchase' | 'refund' | undefined;
  mcc?: string | undefined;
  channel?: 'ECOMMERCE' | 'POS' | 'ATM' | 'MOTO' | undefined;
  /** The merchant's currency. */
  currency?: string | undefined;
  /** Minimum `bill_amount`. */
  min_amount?: string | undefined;
  /** Maximum `bill_amount`. */
  max_amount?: string | undefined;
  /** Page number, from 1. Default 1. */
  page?: number | undefined;
  /** Records per page. Default 50. */
  page_size?: number | undefined;
  /** Only records from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only records up to and including this UTC day. */
  max_created?: string | undefined;
  /** Set in `next` links: continue after this record, even if records were added in the meantime. */
  after?: string | undefined;
  /** Set in `previous` links: end before this record. */
  before?: string | undefined;
}

export interface ListWebhookEventsQuery {
  /** Id of the transaction. */
  transactionId?: string | undefined;
  /** Id of the card. */
  cardId?: string | undefined;
  /** Status of any of its deliveries. */
  status?: 'PENDING' | 'DELIVERED' | 'FAILED' | undefined;
  /** Type of the event. */
  eventType?: string | undefined;
  /** Name of the event. */
  eventName?: string | undefined;
  /** Page number, from 1. Default 1. */
  page?: number | undefined;
  /** Records per page. Default 50. */
  page_size?: number | undefined;
  /** Only records from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only records up to and including this UTC day. */
  max_created?: string | undefined;
  /** Set in `next` links: continue after this record, even if records were added in the meantime. */
  after?: string | undefined;
  /** Set in `previous` links: end before this record. */
  before?: string | undefined;
}

export interface ResendWebhookEventQuery {
  /** Send only to this endpoint, regardless of its event types. Default: all enabled endpoints that receive the event type. */
  endpointId?: string | undefined;
}

export interface ListRulesQuery {
  status?: 'PREPARING' | 'SHADOW' | 'ACTIVE' | 'ARCHIVED' | undefined;
  action?: 'DECLINE' | 'FLAG' | 'REQUIRE_AUTHENTICATION' | undefined;
  /** Page number, from 1. Default 1. */
  page?: number | undefined;
  /** Records per page. Default 50. */
  page_size?: number | undefined;
  /** Only records from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only records up to and including this UTC day. */
  max_created?: string | undefined;
  /** Set in `next` links: continue after this record, even if records were added in the meantime. */
  after?: string | undefined;
  /** Set in `previous` links: end before this record. */
  before?: string | undefined;
}

export interface ListRuleMatchesQuery {
  /** Page number, from 1. Default 1. */
  page?: number | undefined;
  /** Records per page. Default 50. */
  page_size?: number | undefined;
  /** Only records from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only records up to and including this UTC day. */
  max_created?: string | undefined;
  /** Set in `next` links: continue after this record, even if records were added in the meantime. */
  after?: string | undefined;
  /** Set in `previous` links: end before this record. */
  before?: string | undefined;
}

export interface GetRuleReportQuery {
  /** First UTC day. Default: 29 days before `to`. */
  from?: string | undefined;
  /** Last UTC day, at most 366 days in all. Default: today. */
  to?: string | undefined;
}

export interface ListRuleBacktestsQuery {
  /** Page number, from 1. Default 1. */
  page?: number | undefined;
  /** Records per page. Default 50. */
  page_size?: number | undefined;
  /** Only records from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only records up to and including this UTC day. */
  max_created?: string | undefined;
  /** Set in `next` links: continue after this record, even if records were added in the meantime. */
  after?: string | undefined;
  /** Set in `previous` links: end before this record. */
  before?: string | undefined;
}

export interface ListRuleBacktestMatchesQuery {
  /** Page number, from 1. Default 1. */
  page?: number | undefined;
  /** Records per page. Default 50. */
  page_size?: number | undefined;
  /** Only records from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only records up to and including this UTC day. */
  max_created?: string | undefined;
  /** Set in `next` links: continue after this record, even if records were added in the meantime. */
  after?: string | undefined;
  /** Set in `previous` links: end before this record. */
  before?: string | undefined;
}

export interface ListBacktestMatchesQuery {
  /** Page number, from 1. Default 1. */
  page?: number | undefined;
  /** Records per page. Default 50. */
  page_size?: number | undefined;
  /** Only records from this UTC day onwards. */
  min_created?: string | undefined;
  /** Only records up to and including this UTC day. */
  max_created?: string | undefined;
  /** Set in `next` links: continue after this record, even if records were added in the meantime. */
  after?: string | undefined;
  /** Set in `previous` links: end before this record. */
  before?: string | undefined;
}

export interface RequestFileQuery {
  /** Daily types and `fee`: the day, at least two days before today. Monthly types: any day of the month, available from the 2nd of the following month. UTC, in program time. */
  date: string;
}
