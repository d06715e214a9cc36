// Written by "npm run generate" from the schemas of the server. Change those, and run it again.

import type { Client, IdempotentOptions, RequestOptions } from '../client.ts';
import type { List } from '../list.ts';
import * as operations from './operations.ts';
import type {
  Account,
  AccountAlertRequest,
  AnsweredAuthentication,
  AttemptRequest,
  Authentication,
  AuthenticationAnswerRequest,
  AuthenticationRequest,
  AuthorizationRequest,
  AuthorizationResponse,
  BalanceAdjustment,
  BalanceAdjustmentRequest,
  BlockCardRequest,
  Card,
  CardBatch,
  CardBatchRequest,
  CardBatchRow,
  CardDesign,
  CardDesignList,
  CardDetails,
  ClearingFile,
  ClearingRequest,
  ClearingResponse,
  Clock,
  ClockRequest,
  ContactRequest,
  CreateCardRequest,
  Credentials,
  Customer,
  CustomerDetails,
  DecisionEndpoint,
  DecisionEndpointRequest,
  DecisionTest,
  DecisionTestRequest,
  EvaluateRuleRequest,
  FileRequest,
  FileRequestState,
  Forwarding,
  ForwardingRequest,
  FreezeCardRequest,
  FreezeCardResponse,
  FreezeCustomerRequest,
  FreezeCustomerResponse,
  GetRuleReportQuery,
  Health,
  IncrementRequest,
  IncrementResponse,
  KycApplicant,
  KycApplicantRequest,
  ListBacktestMatchesQuery,
  ListBalanceAdjustmentsQuery,
  ListCardBatchRowsQuery,
  ListCardBatchesQuery,
  ListCardTransactionsQuery,
  ListCardsQuery,
  ListCustomersQuery,
  ListRuleBacktestMatchesQuery,
  ListRuleBacktestsQuery,
  ListRuleMatchesQuery,
  ListRulesQuery,
  ListTransactionsQuery,
  ListWebhookEventsQuery,
  ListedBalanceAdjustment,
  Message,
  MetadataRequest,
  MetadataResponse,
  NewDecisionEndpoint,
  NewWebhookEndpoint,
  PromoteRuleRequest,
  RefundRequest,
  RefundResponse,
  ReissueCardRequest,
  ReplacedDecisionEndpoint,
  RequestFileQuery,
  ResendMissedRequest,
  ResendWebhookEventQuery,
  Resent,
  ResentMissed,
  RevealSession,
  RevealSessionRequest,
  ReversalRequest,
  ReversalResponse,
  RotatedDecisionEndpoint,
  RotatedWebhookEndpoint,
  Rule,
  RuleBacktest,
  RuleBacktestRequest,
  RuleEvaluation,
  RuleFields,
  RuleList,
  RuleListRequest,
  RuleListValuesRequest,
  RuleListWithValues,
  RuleLists,
  RuleMatch,
  RuleReport,
  RuleRequest,
  SandboxAuthentication,
  SetCardUsageRequest,
  SetCardUsageResponse,
  SimulatedAuthenticationRequest,
  SimulatedAuthorizationRequest,
  SimulatedClearingRequest,
  SimulatedIncrementRequest,
  SimulatedRefundRequest,
  SimulatedReversalRequest,
  SpendControls,
  SpendControlsRequest,
  SpendControlsUse,
  TokenizationOtp,
  TokenizationOtpRequest,
  Transaction,
  TransactionDetails,
  UnsavedRuleBacktestRequest,
  ValidateRuleRequest,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointList,
  WebhookEndpointRequest,
  WebhookEvent,
  WebhookTest,
} from './types.ts';

export interface Operations {
  cards: {
    /** Create card. Card number, CVV and expiry are available immediately. Send an Idempotency-Key to retry safely. */
    create(body: CreateCardRequest, options?: IdempotentOptions): Promise<Card>;
    /** List cards. Newest first. Following `next` returns every card exactly once, even while new cards are created. */
    list(query?: ListCardsQuery, options?: RequestOptions): List<Card>;
    /** Retrieve card. */
    get(cardId: string, options?: RequestOptions): Promise<CardDetails>;
    /** Reveal card number, CVV and expiry. Requires the scope `credentials`. Every call is audited. Do not store the response. */
    credentials(cardId: string, options?: RequestOptions): Promise<Credentials>;
    /** Create reveal session. A page that shows the card to its holder, once, within 60 seconds; your server never holds the number. Requires the scope `reveal`. A card has at most 5 open sessions. Blocking the card or reissuing it with a new number, expiry date or CVV ends them, and revoking the key ends those that it created; an identical reissue does not. Send an Idempotency-Key to retry safely. */
    createRevealSession(cardId: string, body: RevealSessionRequest, options?: IdempotentOptions): Promise<RevealSession>;
    /** Freeze or unfreeze card. */
    freeze(cardId: string, body: FreezeCardRequest, options?: RequestOptions): Promise<FreezeCardResponse>;
    /** Block card permanently. Every later authorization is declined with R8. A block cannot be undone. */
    block(cardId: string, body: BlockCardRequest, options?: RequestOptions): Promise<Message>;
    /** Reissue card. Creates new credentials under the same card id; the old ones are declined immediately. `IDENTICAL_TO_THE_CURRENT_CARD` keeps the credentials and orders another physical card. A virtual card needs no body. */
    reissue(cardId: string, body?: ReissueCardRequest, options?: IdempotentOptions): Promise<Message>;
    /** Get spend controls and what is used of the limits. Limits as they are in force now. `used` plus `remaining` is always `limit`. */
    spendControls(cardId: string, options?: RequestOptions): Promise<SpendControlsUse>;
    /** Change spend controls. Changes the given fields and keeps the others. Limits count approved amounts that were not reversed, by UTC day and month. */
    changeSpendControls(cardId: string, body: SpendControlsRequest, options?: RequestOptions): Promise<SpendControls>;
    /** Change the cardholder's phone number or e-mail. Changes the given fields of `meta` and keeps the others. Send at least one field. Null removes the e-mail. */
    changeContact(cardId: string, body: ContactRequest, options?: RequestOptions): Promise<CardDetails>;
    /** Get the forwarding of 3-D Secure challenges. */
    forwarding(cardId: string, options?: RequestOptions): Promise<Forwarding>;
    /** Change the forwarding of 3-D Secure challenges. Enabled: a challenge is the event `authentication.challenge`, and the cardholder approves it in your app. Disabled (default): a one-time password is sent. */
    changeForwarding(cardId: string, body: ForwardingRequest, options?: RequestOptions): Promise<Forwarding>;
    /** Set metadata of a card. Sets the given pairs and keeps the others. Null removes a pair. */
    setMetadata(cardId: string, body: MetadataRequest, options?: RequestOptions): Promise<MetadataResponse>;
    /** Limit what a card is used for. Replaces the rule: how many purchases, at which merchants, from when and until when. Null lifts it. What was used stays. */
    setUsage(cardId: string, body: SetCardUsageRequest, options?: RequestOptions): Promise<SetCardUsageResponse>;
    /** Adjust available credit. Raises or lowers the available credit, never below 0. Send an Idempotency-Key to retry safely. */
    adjustBalance(cardId: string, body: BalanceAdjustmentRequest, options?: IdempotentOptions): Promise<BalanceAdjustment>;
    /** List balance adjustments of a card. Newest first. */
    balanceAdjustments(cardId: string, query?: ListBalanceAdjustmentsQuery, options?: RequestOptions): List<ListedBalanceAdjustment>;
    /** List a card's transactions. */
    transactions(cardId: string, query?: ListCardTransactionsQuery, options?: RequestOptions): List<Transaction>;
  };
  cardBatches: {
    /** Create up to 1,000 cards in the background. The shape of every row is checked at once: if one is wrong, the error names it (`cards[3].kyc.dob`) and nothing is created. Then each row becomes a card, or gets the error that a single creation would have returned. `card_batch.completed` says when all are done. The body has at most 2 MiB and 50,000 values. A program can have 10 batches in progress; more return 429. */
    create(body: CardBatchRequest, options?: IdempotentOptions): Promise<CardBatch>;
    /** List card batches. Newest first. */
    list(query?: ListCardBatchesQuery, options?: RequestOptions): List<CardBatch>;
    /** Get the progress of a card batch. */
    get(batchId: string, options?: RequestOptions): Promise<CardBatch>;
    /** List the rows of a card batch. In the order of the request, each with its card or its error. */
    rows(batchId: string, query?: ListCardBatchRowsQuery, options?: RequestOptions): List<CardBatchRow>;
  };
  customers: {
    /** List customers. Those with the newest first card first. `min_created` and `max_created` are days of the first card. Following `next` returns every customer exactly once, even while new ones are added. */
    list(query?: ListCustomersQuery, options?: RequestOptions): List<Customer>;
    /** Retrieve a customer with all cards, contact and totals. */
    get(customerId: string, options?: RequestOptions): Promise<CustomerDetails>;
    /** Freeze or unfreeze all cards of a customer. Freezes the active cards, all or none. Unfreezing reaches only the cards that were frozen this way: one that was frozen by itself stays frozen. Blocked and expired cards stay as they are. */
    freeze(customerId: string, body: FreezeCustomerRequest, options?: RequestOptions): Promise<FreezeCustomerResponse>;
  };
  designs: {
    /** List card designs. The designs that new cards can have. A retired design is only found by its id. */
    list(options?: RequestOptions): Promise<CardDesignList>;
    /** Get card design by id. An unknown id returns 400 with code 404. */
    get(cardDesignID: string, options?: RequestOptions): Promise<CardDesign>;
  };
  transactions: {
    /** List transactions. Transactions of all cards, newest first, including declined ones. A refund is a separate transaction. */
    list(query?: ListTransactionsQuery, options?: RequestOptions): List<Transaction>;
    /** Get a transaction. With its fees, the numbers behind a decline, and its history. */
    get(transactionId: string, options?: RequestOptions): Promise<TransactionDetails>;
    /** Set metadata of a transaction. Sets the given pairs and keeps the others. Null removes a pair. */
    setMetadata(transactionId: string, body: MetadataRequest, options?: RequestOptions): Promise<MetadataResponse>;
  };
  account: {
    /** Get the master account. The program's money and the threshold of its low-balance alert. */
    get(options?: RequestOptions): Promise<Account>;
    /** Set the low-balance alert. The event `account.low_balance` is sent once when `available` falls below the threshold, and again only after it has risen above it. If it is below already, the event is sent immediately. */
    setAlert(body: AccountAlertRequest, options?: RequestOptions): Promise<Account>;
  };
  reports: {
    /** Request settlement file. Starts a CSV report. When it is ready, a `files` event delivers its download link; without a webhook endpoint, get the state of the request instead. A program can have at most 100 pending reports; further requests return 429. */
    request(fileType: 'monthly' | 'daily' | 'fee' | 'monthlyTransactionFees' | 'monthlyNonTransactionFees' | 'dailyTransactionFee' | 'settlement', query: RequestFileQuery, options?: RequestOptions): Promise<FileRequest>;
    /** Get the state of a file request. Returns a new download link once the file is ready. A file that was deleted after its retention period is generated again; the state is `pending` until then. */
    state(reference_id: string, options?: RequestOptions): Promise<FileRequestState>;
  };
  webhookEndpoints: {
    /** Add a webhook endpoint. A program can have up to 5 endpoints. The secret that verifies deliveries (Standard Webhooks) is shown only once. Send an Idempotency-Key to retry safely: a repeated request within 24 hours gets the same secret. */
    add(body: WebhookEndpointRequest, options?: IdempotentOptions): Promise<NewWebhookEndpoint>;
    /** List webhook endpoints. */
    list(options?: RequestOptions): Promise<WebhookEndpointList>;
    /** Get a webhook endpoint. */
    get(endpointId: string, options?: RequestOptions): Promise<WebhookEndpoint>;
    /** Change, pause or resume a webhook endpoint. Sets the URL and the event types. The secret stays the same. While an endpoint is paused its deliveries wait; they are sent when it resumes. Events of types that were not selected at the time are not sent later. */
    update(endpointId: string, body: WebhookEndpointChange, options?: RequestOptions): Promise<WebhookEndpoint>;
    /** Remove a webhook endpoint. */
    remove(endpointId: string, options?: RequestOptions): Promise<Message>;
    /** Rotate the secret. */
    rotateSecret(endpointId: string, options?: RequestOptions): Promise<RotatedWebhookEndpoint>;
    /** Send a test event now. */
    test(endpointId: string, options?: RequestOptions): Promise<WebhookTest>;
    /** Enable an endpoint that was disabled. */
    enable(endpointId: string, options?: RequestOptions): Promise<WebhookEndpoint>;
  };
  webhookEvents: {
    /** List events with their deliveries. Newest first, each with all delivery attempts. */
    list(query?: ListWebhookEventsQuery, options?: RequestOptions): List<WebhookEvent>;
    /** Get an event with its deliveries. */
    get(eventId: string, options?: RequestOptions): Promise<WebhookEvent>;
    /** Resend an event. Resends the event with the same id to the enabled endpoints that receive its type, whether or not it was delivered before. */
    resend(eventId: string, query?: ResendWebhookEventQuery, options?: RequestOptions): Promise<Resent>;
    /** Resend undelivered events. Resends deliveries that failed or wait for a retry, and events that occurred while an endpoint was disabled, but no events older than the endpoint. One request runs for a few seconds: repeat it with `next` as `since` until `next` is null. */
    resendMissed(body: ResendMissedRequest, options?: RequestOptions): Promise<ResentMissed>;
  };
  decisionEndpoints: {
    /** Create or replace a decision endpoint. The URL that decides authorizations in the modes `REAL_TIME` and `BOTH` (`authorization`), decides authentications (`authentication`), or sends one-time passwords (`otp`). All settings are replaced: a missing one gets its default. The secret that verifies requests (Standard Webhooks) is shown only once, when the endpoint is created. It stays if the URL stays on its host and port; on another host or port the endpoint gets a new secret. Every change creates the event `security.endpoint_changed`. Send an Idempotency-Key to retry safely: a repeated request within 24 hours gets the same secret. */
    put(kind: 'authorization' | 'authentication' | 'otp', body: DecisionEndpointRequest, options?: IdempotentOptions): Promise<ReplacedDecisionEndpoint | NewDecisionEndpoint>;
    /** Get a decision endpoint. */
    get(kind: 'authorization' | 'authentication' | 'otp', options?: RequestOptions): Promise<DecisionEndpoint>;
    /** Remove a decision endpoint. */
    remove(kind: 'authorization' | 'authentication' | 'otp', options?: RequestOptions): Promise<Message>;
    /** Rotate the secret. */
    rotateSecret(kind: 'authorization' | 'authentication' | 'otp', options?: RequestOptions): Promise<RotatedDecisionEndpoint>;
    /** Request a test decision now. */
    test(kind: 'authorization' | 'authentication' | 'otp', body?: DecisionTestRequest, options?: RequestOptions): Promise<DecisionTest>;
  };
  rules: {
    /** Create a rule. The rule begins in `SHADOW`: it is evaluated for every authorization and decides nothing. A rule never changes: create another one that `replaces` it. A program can have 100 rules that are not archived. */
    create(body: RuleRequest, options?: IdempotentOptions): Promise<Rule>;
    /** List rules. Newest first, archived rules included. */
    list(query?: ListRulesQuery, options?: RequestOptions): List<Rule>;
    /** Get a rule. */
    get(ruleId: string, options?: RequestOptions): Promise<Rule>;
    /** Promote a rule to ACTIVE. It decides every authorization that begins after the answer, and the rule that it replaces is archived in the same instant. A 409 with the number asks for `confirm` if the rule would have declined more than 5 % (a setting of the program) of the approvals of the last 7 days, or was not in `SHADOW` for 7 days and has no completed backtest. */
    promote(ruleId: string, body?: PromoteRuleRequest, options?: RequestOptions): Promise<Rule>;
    /** Demote a rule to SHADOW. It decides no authorization that begins after the answer. */
    demote(ruleId: string, options?: RequestOptions): Promise<Rule>;
    /** Archive a rule. It is evaluated no more, and counts in no limit. It stays readable, with its matches. */
    archive(ruleId: string, options?: RequestOptions): Promise<Rule>;
    /** List the matches of a rule. The authorizations, increments and advices that the rule matched, newest first. */
    matches(ruleId: string, query?: ListRuleMatchesQuery, options?: RequestOptions): List<RuleMatch>;
    /** Get the figures of a rule by day. */
    report(ruleId: string, query?: GetRuleReportQuery, options?: RequestOptions): Promise<RuleReport>;
    /** List the fields of conditions. The catalogue of what a condition can compare, with operators, values and an example of each. */
    fields(options?: RequestOptions): Promise<RuleFields>;
    /** Check a condition. A valid condition is a 200; a wrong one gets the 400 that a creation would get. */
    validate(body: ValidateRuleRequest, options?: RequestOptions): Promise<Message>;
    /** Evaluate a condition for a sample. Nothing is stored. The answer has what each leaf of the condition saw. */
    evaluate(body: EvaluateRuleRequest, options?: RequestOptions): Promise<RuleEvaluation>;
    /** Backtest a rule. Evaluates a rule of any status for the stored authorizations of some days. Over a time in which the rule was in `SHADOW`, `OBSERVED` finds what was recorded then. One backtest of a program runs at a time; the event `rule.backtest_completed` says when. */
    backtest(ruleId: string, body: RuleBacktestRequest, options?: IdempotentOptions): Promise<RuleBacktest>;
    /** List the backtests of a rule. */
    backtests(ruleId: string, query?: ListRuleBacktestsQuery, options?: RequestOptions): List<RuleBacktest>;
    /** Get a backtest of a rule. */
    getBacktest(ruleId: string, backtestId: string, options?: RequestOptions): Promise<RuleBacktest>;
    /** List the matches of a backtest of a rule. Every attempt that the rule matches, newest first. */
    backtestMatches(ruleId: string, backtestId: string, query?: ListRuleBacktestMatchesQuery, options?: RequestOptions): List<RuleMatch>;
  };
  ruleBacktests: {
    /** Backtest a rule that is not saved. The rule is checked as if it were created, and evaluated for no authorization. */
    create(body: UnsavedRuleBacktestRequest, options?: IdempotentOptions): Promise<RuleBacktest>;
    /** Get a backtest. Of any rule, also of one that is not saved. */
    get(backtestId: string, options?: RequestOptions): Promise<RuleBacktest>;
    /** List the matches of a backtest. Of any rule, also of one that is not saved: every attempt that the rule matches, newest first. */
    matches(backtestId: string, query?: ListBacktestMatchesQuery, options?: RequestOptions): List<RuleMatch>;
  };
  ruleLists: {
    /** Create a list, or replace its values. The change holds for every authorization that begins after the answer. The body has at most 1 MiB. */
    put(listName: string, body: RuleListRequest, options?: RequestOptions): Promise<RuleList>;
    /** List the lists of rules. Your lists by their names, then those that are shipped. */
    list(options?: RequestOptions): Promise<RuleLists>;
    /** Get a list with its values. */
    get(listName: string, options?: RequestOptions): Promise<RuleListWithValues>;
    /** Add values to a list. */
    add(listName: string, body: RuleListValuesRequest, options?: RequestOptions): Promise<RuleList>;
    /** Remove values from a list. */
    removeValues(listName: string, body: RuleListValuesRequest, options?: RequestOptions): Promise<RuleList>;
    /** Delete a list. */
    remove(listName: string, options?: RequestOptions): Promise<Message>;
  };
  authentications: {
    /** Answer an out-of-band challenge. The answer of the cardholder to `authentication.challenge`, once and within 5 minutes of real time. */
    answer(authenticationId: string, body: AuthenticationAnswerRequest, options?: RequestOptions): Promise<AnsweredAuthentication>;
  };
  sandbox: {
    /** Simulate an authorization. Uses the same engine and returns the same response as the network API. Missing values are filled in. */
    authorize(body: SimulatedAuthorizationRequest, options?: IdempotentOptions): Promise<AuthorizationResponse>;
    /** Simulate an increment. Raises the hold of a purchase. */
    increment(body: SimulatedIncrementRequest, options?: IdempotentOptions): Promise<IncrementResponse>;
    /** Simulate a reversal. Releases all or part of the hold, or takes back a clearing or a refund. */
    reverse(body: SimulatedReversalRequest, options?: IdempotentOptions): Promise<ReversalResponse>;
    /** Simulate a clearing. Without an amount, clears the full authorized amount. */
    clear(body: SimulatedClearingRequest, options?: IdempotentOptions): Promise<ClearingResponse>;
    /** Simulate a refund. Without an amount, refunds the full cleared amount. */
    refund(body: SimulatedRefundRequest, options?: IdempotentOptions): Promise<RefundResponse>;
    /** Simulate an authentication (3-D Secure). Runs the same operation as the network API. Missing values are filled in. The response shows the one-time password. */
    authenticate(body: SimulatedAuthenticationRequest, options?: IdempotentOptions): Promise<SandboxAuthentication>;
    /** Get an authentication with its one-time password. */
    authentication(authenticationId: string, options?: RequestOptions): Promise<SandboxAuthentication>;
    /** Get the program time. */
    clock(options?: RequestOptions): Promise<Clock>;
    /** Move the clock forward. Send either `now` or `advance_seconds`. The whole program follows: card expiry, holds, limits, fees and reports. */
    moveClock(body: ClockRequest, options?: RequestOptions): Promise<Clock>;
    /** Register a KYC applicant. Card creation for this applicant is then checked against this data, as with a real provider. */
    registerKycApplicant(body: KycApplicantRequest, options?: IdempotentOptions): Promise<KycApplicant>;
  };
  network: {
    /** Authorize a purchase. Returns 200 for approvals and declines. Idempotent by `external_transaction_id`, an advice by `advice_id`. An approval is stored durably before the response is sent. A zero amount is an account check. */
    authorize(body: AuthorizationRequest, options?: RequestOptions): Promise<AuthorizationResponse>;
    /** Raise a hold. Idempotent by `increment_id`. Decided like an authorization; a declined increment leaves the hold as it was. */
    increment(body: IncrementRequest, options?: RequestOptions): Promise<IncrementResponse>;
    /** Reverse a hold, a clearing or a refund. Idempotent by `reversal_id`. Releases all or part of a hold; with `increment_id` beside it, of that increment; with `clearing_id` or `refund_id`, takes back all or part of that clearing or refund, with its fees and interchange. `bill_amount` in the response is the amount that was reversed. A reversal that arrives before its authorization is stored, and the authorization is then declined. */
    reverse(body: ReversalRequest, options?: RequestOptions): Promise<ReversalResponse>;
    /** Clear a purchase. Idempotent by `clearing_id`. A hold can have several clearings, above or below its amount and after it expired. A clearing without an authorization requires `card_number`. A clearing is never rejected for insufficient funds. One of a number that no card has is taken into suspense: `transaction_id` is null. */
    clear(body: ClearingRequest, options?: RequestOptions): Promise<ClearingResponse>;
    /** Refund a purchase. Idempotent by `refund_id`. A refund is a separate transaction, unless it names a `CREDIT`: then the money moves in that one. It names its purchase, or the card if there is no purchase; one that comes before its purchase is linked to it later. One of a number that no card has is taken into suspense: `transaction_id` is null. */
    refund(body: RefundRequest, options?: RequestOptions): Promise<RefundResponse>;
    /** Get the progress of a clearing file. */
    clearingFile(file_id: string, options?: RequestOptions): Promise<ClearingFile>;
    /** Authenticate a cardholder (3-D Secure). Decides whether the cardholder is authenticated, challenged or rejected. A challenge by one-time password sends the code before the response. Idempotent by `authentication_id`. */
    authenticate(body: AuthenticationRequest, options?: RequestOptions): Promise<Authentication>;
    /** Get an authentication. Its status now. */
    authentication(authentication_id: string, options?: RequestOptions): Promise<Authentication>;
    /** Check a one-time password. The third wrong code rejects the authentication, and so does the tenth on the card within an hour. After the end the stored result is returned. */
    attemptOtp(authentication_id: string, body: AttemptRequest, options?: RequestOptions): Promise<Authentication>;
    /** Send another one-time password. The new code replaces the previous one. At most 3 codes are sent, the first included; a failed send counts. */
    resendOtp(authentication_id: string, options?: RequestOptions): Promise<Authentication>;
    /** Cancel a challenge. Rejects an open challenge. After the end the stored result is returned. */
    cancelAuthentication(authentication_id: string, options?: RequestOptions): Promise<Authentication>;
    /** Send or check a wallet's one-time password. With `card_number`: sends a code; the same request again sends another, 3 in all. With `otp`: checks it. The limits are those of 3-D Secure. */
    tokenizationOtp(tokenizationId: string, body: TokenizationOtpRequest, options?: RequestOptions): Promise<TokenizationOtp>;
  };
  health: {
    /** Liveness: the process is running. */
    live(options?: RequestOptions): Promise<Health>;
    /** Readiness: the server can handle requests. */
    ready(options?: RequestOptions): Promise<Health>;
  };
}

/** All operations with the client filled in. */
export const bindOperations = (client: Client): Operations => ({
  cards: {
    create: (...args) => operations.createCard(client, ...args),
    list: (...args) => operations.listCards(client, ...args),
    get: (...args) => operations.retrieveCard(client, ...args),
    credentials: (...args) => operations.revealCredentials(client, ...args),
    createRevealSession: (...args) => operations.createRevealSession(client, ...args),
    freeze: (...args) => operations.freezeCard(client, ...args),
    block: (...args) => operations.blockCard(client, ...args),
    reissue: (...args) => operations.reissueCard(client, ...args),
    spendControls: (...args) => operations.getSpendControls(client, ...args),
    changeSpendControls: (...args) => operations.changeSpendControls(client, ...args),
    changeContact: (...args) => operations.changeContact(client, ...args),
    forwarding: (...args) => operations.getForwarding(client, ...args),
    changeForwarding: (...args) => operations.changeForwarding(client, ...args),
    setMetadata: (...args) => operations.setCardMetadata(client, ...args),
    setUsage: (...args) => operations.setCardUsage(client, ...args),
    adjustBalance: (...args) => operations.adjustBalance(client, ...args),
    balanceAdjustments: (...args) => operations.listBalanceAdjustments(client, ...args),
    transactions: (...args) => operations.listCardTransactions(client, ...args),
  },
  cardBatches: {
    create: (...args) => operations.createCardBatch(client, ...args),
    list: (...args) => operations.listCardBatches(client, ...args),
    get: (...args) => operations.retrieveCardBatch(client, ...args),
    rows: (...args) => operations.listCardBatchRows(client, ...args),
  },
  customers: {
    list: (...args) => operations.listCustomers(client, ...args),
    get: (...args) => operations.retrieveCustomer(client, ...args),
    freeze: (...args) => operations.freezeCustomer(client, ...args),
  },
  designs: {
    list: (...args) => operations.listCardDesigns(client, ...args),
    get: (...args) => operations.getCardDesign(client, ...args),
  },
  transactions: {
    list: (...args) => operations.listTransactions(client, ...args),
    get: (...args) => operations.getTransaction(client, ...args),
    setMetadata: (...args) => operations.setTransactionMetadata(client, ...args),
  },
  account: {
    get: (...args) => operations.getAccount(client, ...args),
    setAlert: (...args) => operations.setAccountAlert(client, ...args),
  },
  reports: {
    request: (...args) => operations.requestFile(client, ...args),
    state: (...args) => operations.getFileRequest(client, ...args),
  },
  webhookEndpoints: {
    add: (...args) => operations.addWebhookEndpoint(client, ...args),
    list: (...args) => operations.listWebhookEndpoints(client, ...args),
    get: (...args) => operations.getWebhookEndpoint(client, ...args),
    update: (...args) => operations.updateWebhookEndpoint(client, ...args),
    remove: (...args) => operations.removeWebhookEndpoint(client, ...args),
    rotateSecret: (...args) => operations.rotateWebhookSecret(client, ...args),
    test: (...args) => operations.testWebhookEndpoint(client, ...args),
    enable: (...args) => operations.enableWebhookEndpoint(client, ...args),
  },
  webhookEvents: {
    list: (...args) => operations.listWebhookEvents(client, ...args),
    get: (...args) => operations.getWebhookEvent(client, ...args),
    resend: (...args) => operations.resendWebhookEvent(client, ...args),
    resendMissed: (...args) => operations.resendMissedWebhookEvents(client, ...args),
  },
  decisionEndpoints: {
    put: (...args) => operations.putDecisionEndpoint(client, ...args),
    get: (...args) => operations.getDecisionEndpoint(client, ...args),
    remove: (...args) => operations.removeDecisionEndpoint(client, ...args),
    rotateSecret: (...args) => operations.rotateDecisionSecret(client, ...args),
    test: (...args) => operations.testDecisionEndpoint(client, ...args),
  },
  rules: {
    create: (...args) => operations.createRule(client, ...args),
    list: (...args) => operations.listRules(client, ...args),
    get: (...args) => operations.retrieveRule(client, ...args),
    promote: (...args) => operations.promoteRule(client, ...args),
    demote: (...args) => operations.demoteRule(client, ...args),
    archive: (...args) => operations.archiveRule(client, ...args),
    matches: (...args) => operations.listRuleMatches(client, ...args),
    report: (...args) => operations.getRuleReport(client, ...args),
    fields: (...args) => operations.listRuleFields(client, ...args),
    validate: (...args) => operations.validateRule(client, ...args),
    evaluate: (...args) => operations.evaluateRule(client, ...args),
    backtest: (...args) => operations.backtestRule(client, ...args),
    backtests: (...args) => operations.listRuleBacktests(client, ...args),
    getBacktest: (...args) => operations.retrieveRuleBacktest(client, ...args),
    backtestMatches: (...args) => operations.listRuleBacktestMatches(client, ...args),
  },
  ruleBacktests: {
    create: (...args) => operations.backtestUnsavedRule(client, ...args),
    get: (...args) => operations.retrieveBacktest(client, ...args),
    matches: (...args) => operations.listBacktestMatches(client, ...args),
  },
  ruleLists: {
    put: (...args) => operations.putRuleList(client, ...args),
    list: (...args) => operations.listRuleLists(client, ...args),
    get: (...args) => operations.retrieveRuleList(client, ...args),
    add: (...args) => operations.addToRuleList(client, ...args),
    removeValues: (...args) => operations.removeFromRuleList(client, ...args),
    remove: (...args) => operations.removeRuleList(client, ...args),
  },
  authentications: {
    answer: (...args) => operations.answerAuthentication(client, ...args),
  },
  sandbox: {
    authorize: (...args) => operations.simulateAuthorization(client, ...args),
    increment: (...args) => operations.simulateIncrement(client, ...args),
    reverse: (...args) => operations.simulateReversal(client, ...args),
    clear: (...args) => operations.simulateClearing(client, ...args),
    refund: (...args) => operations.simulateRefund(client, ...args),
    authenticate: (...args) => operations.simulateAuthentication(client, ...args),
    authentication: (...args) => operations.getSandboxAuthentication(client, ...args),
    clock: (...args) => operations.getClock(client, ...args),
    moveClock: (...args) => operations.moveClock(client, ...args),
    registerKycApplicant: (...args) => operations.registerKycApplicant(client, ...args),
  },
  network: {
    authorize: (...args) => operations.authorize(client, ...args),
    increment: (...args) => operations.increment(client, ...args),
    reverse: (...args) => operations.reverse(client, ...args),
    clear: (...args) => operations.clear(client, ...args),
    refund: (...args) => operations.refund(client, ...args),
    clearingFile: (...args) => operations.retrieveClearingFile(client, ...args),
    authenticate: (...args) => operations.authenticate(client, ...args),
    authentication: (...args) => operations.getAuthentication(client, ...args),
    attemptOtp: (...args) => operations.attemptOtp(client, ...args),
    resendOtp: (...args) => operations.resendOtp(client, ...args),
    cancelAuthentication: (...args) => operations.cancelAuthentication(client, ...args),
    tokenizationOtp: (...args) => operations.tokenizationOtp(client, ...args),
  },
  health: {
    live: (...args) => operations.checkLive(client, ...args),
    ready: (...args) => operations.checkReady(client, ...args),
  },
});
