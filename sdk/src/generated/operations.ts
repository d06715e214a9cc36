// Written by "npm run generate" from the schemas of the server. Change those, and run it again.

import type { Client, IdempotentOptions, RequestOptions } from '../client.ts';
import { type List, list } from '../list.ts';
import { segment, send } from '../send.ts';
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

/** Create card. Card number, CVV and expiry are available immediately. Send an Idempotency-Key to retry safely. */
export const createCard = (client: Client, body: CreateCardRequest, options?: IdempotentOptions): Promise<Card> =>
  send(client, { method: 'POST', path: '/api/v1/merchant/cards/', key: 'merchant', retry: 'with a key', body }, options);

/** List cards. Newest first. Following `next` returns every card exactly once, even while new cards are created. */
export const listCards = (client: Client, query?: ListCardsQuery, options?: RequestOptions): List<Card> =>
  list(client, { method: 'GET', path: '/api/v1/merchant/cards/', key: 'merchant', retry: 'always', query }, options);

/** Retrieve card. */
export const retrieveCard = (client: Client, cardId: string, options?: RequestOptions): Promise<CardDetails> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/cards/${segment(cardId)}/`, key: 'merchant', retry: 'always' }, options);

/** Freeze or unfreeze card. */
export const freezeCard = (client: Client, cardId: string, body: FreezeCardRequest, options?: RequestOptions): Promise<FreezeCardResponse> =>
  send(client, { method: 'PUT', path: `/api/v1/merchant/cards/${segment(cardId)}/freeze/`, key: 'merchant', retry: 'always', body }, options);

/** Block card permanently. Every later authorization is declined with R8. A block cannot be undone. */
export const blockCard = (client: Client, cardId: string, body: BlockCardRequest, options?: RequestOptions): Promise<Message> =>
  send(client, { method: 'PUT', path: `/api/v1/merchant/cards/${segment(cardId)}/block/`, key: 'merchant', retry: 'always', body }, options);

/** Reissue card. Creates new credentials under the same card id; the old ones are declined immediately. `IDENTICAL_TO_THE_CURRENT_CARD` keeps the credentials and orders another physical card. A virtual card needs no body. */
export const reissueCard = (client: Client, cardId: string, body?: ReissueCardRequest, options?: IdempotentOptions): Promise<Message> =>
  send(client, { method: 'PUT', path: `/api/v1/merchant/cards/${segment(cardId)}/replace/`, key: 'merchant', retry: 'with a key', body }, options);

/** Change spend controls. Changes the given fields and keeps the others. Limits count approved amounts that were not reversed, by UTC day and month. */
export const changeSpendControls = (client: Client, cardId: string, body: SpendControlsRequest, options?: RequestOptions): Promise<SpendControls> =>
  send(client, { method: 'PUT', path: `/api/v1/merchant/cards/${segment(cardId)}/spend-controls/`, key: 'merchant', retry: 'always', body }, options);

/** Get spend controls and what is used of the limits. Limits as they are in force now. `used` plus `remaining` is always `limit`. */
export const getSpendControls = (client: Client, cardId: string, options?: RequestOptions): Promise<SpendControlsUse> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/cards/${segment(cardId)}/spend-controls/`, key: 'merchant', retry: 'always' }, options);

/** Change the cardholder's phone number or e-mail. Changes the given fields of `meta` and keeps the others. Send at least one field. Null removes the e-mail. */
export const changeContact = (client: Client, cardId: string, body: ContactRequest, options?: RequestOptions): Promise<CardDetails> =>
  send(client, { method: 'PUT', path: `/api/v1/merchant/cards/${segment(cardId)}/contact/`, key: 'merchant', retry: 'always', body }, options);

/** Get the forwarding of 3-D Secure challenges. */
export const getForwarding = (client: Client, cardId: string, options?: RequestOptions): Promise<Forwarding> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/cards/${segment(cardId)}/3ds-forwarding/`, key: 'merchant', retry: 'always' }, options);

/** Change the forwarding of 3-D Secure challenges. Enabled: a challenge is the event `authentication.challenge`, and the cardholder approves it in your app. Disabled (default): a one-time password is sent. */
export const changeForwarding = (client: Client, cardId: string, body: ForwardingRequest, options?: RequestOptions): Promise<Forwarding> =>
  send(client, { method: 'PUT', path: `/api/v1/merchant/cards/${segment(cardId)}/3ds-forwarding/`, key: 'merchant', retry: 'always', body }, options);

/** Set metadata of a card. Sets the given pairs and keeps the others. Null removes a pair. */
export const setCardMetadata = (client: Client, cardId: string, body: MetadataRequest, options?: RequestOptions): Promise<MetadataResponse> =>
  send(client, { method: 'PUT', path: `/api/v1/merchant/cards/${segment(cardId)}/metadata/`, key: 'merchant', retry: 'always', body }, options);

/** Adjust available credit. Raises or lowers the available credit, never below 0. Send an Idempotency-Key to retry safely. */
export const adjustBalance = (client: Client, cardId: string, body: BalanceAdjustmentRequest, options?: IdempotentOptions): Promise<BalanceAdjustment> =>
  send(client, { method: 'POST', path: `/api/v1/merchant/cards/${segment(cardId)}/balance-adjustments/`, key: 'merchant', retry: 'with a key', body }, options);

/** List balance adjustments of a card. Newest first. */
export const listBalanceAdjustments = (client: Client, cardId: string, query?: ListBalanceAdjustmentsQuery, options?: RequestOptions): List<ListedBalanceAdjustment> =>
  list(client, { method: 'GET', path: `/api/v1/merchant/cards/${segment(cardId)}/balance-adjustments/`, key: 'merchant', retry: 'always', query }, options);

/** Create up to 1,000 cards in the background. The shape of every row is checked at once: if one is wrong, the error names it (`cards[3].kyc.dob`) and nothing is created. Then each row becomes a card, or gets the error that a single creation would have returned. `card_batch.completed` says when all are done. The body has at most 2 MiB and 50,000 values. A program can have 10 batches in progress; more return 429. */
export const createCardBatch = (client: Client, body: CardBatchRequest, options?: IdempotentOptions): Promise<CardBatch> =>
  send(client, { method: 'POST', path: '/api/v1/merchant/card-batches/', key: 'merchant', retry: 'with a key', body }, options);

/** List card batches. Newest first. */
export const listCardBatches = (client: Client, query?: ListCardBatchesQuery, options?: RequestOptions): List<CardBatch> =>
  list(client, { method: 'GET', path: '/api/v1/merchant/card-batches/', key: 'merchant', retry: 'always', query }, options);

/** Get the progress of a card batch. */
export const retrieveCardBatch = (client: Client, batchId: string, options?: RequestOptions): Promise<CardBatch> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/card-batches/${segment(batchId)}/`, key: 'merchant', retry: 'always' }, options);

/** List the rows of a card batch. In the order of the request, each with its card or its error. */
export const listCardBatchRows = (client: Client, batchId: string, query?: ListCardBatchRowsQuery, options?: RequestOptions): List<CardBatchRow> =>
  list(client, { method: 'GET', path: `/api/v1/merchant/card-batches/${segment(batchId)}/rows/`, key: 'merchant', retry: 'always', query }, options);

/** List customers. Those with the newest first card first. `min_created` and `max_created` are days of the first card. Following `next` returns every customer exactly once, even while new ones are added. */
export const listCustomers = (client: Client, query?: ListCustomersQuery, options?: RequestOptions): List<Customer> =>
  list(client, { method: 'GET', path: '/api/v1/merchant/customers/', key: 'merchant', retry: 'always', query }, options);

/** Retrieve a customer with all cards, contact and totals. */
export const retrieveCustomer = (client: Client, customerId: string, options?: RequestOptions): Promise<CustomerDetails> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/customers/${segment(customerId)}/`, key: 'merchant', retry: 'always' }, options);

/** Freeze or unfreeze all cards of a customer. Freezes the active cards, all or none. Unfreezing reaches only the cards that were frozen this way: one that was frozen by itself stays frozen. Blocked and expired cards stay as they are. */
export const freezeCustomer = (client: Client, customerId: string, body: FreezeCustomerRequest, options?: RequestOptions): Promise<FreezeCustomerResponse> =>
  send(client, { method: 'PUT', path: `/api/v1/merchant/customers/${segment(customerId)}/freeze/`, key: 'merchant', retry: 'always', body }, options);

/** List card designs. The designs that new cards can have. A retired design is only found by its id. */
export const listCardDesigns = (client: Client, options?: RequestOptions): Promise<CardDesignList> =>
  send(client, { method: 'GET', path: '/api/v1/merchant/card-design/', key: 'merchant', retry: 'always' }, options);

/** Get card design by id. An unknown id returns 400 with code 404. */
export const getCardDesign = (client: Client, cardDesignID: string, options?: RequestOptions): Promise<CardDesign> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/card-design/${segment(cardDesignID)}/`, key: 'merchant', retry: 'always' }, options);

/** List transactions. Transactions of all cards, newest first, including declined ones. A refund is a separate transaction. */
export const listTransactions = (client: Client, query?: ListTransactionsQuery, options?: RequestOptions): List<Transaction> =>
  list(client, { method: 'GET', path: '/api/v1/merchant/transactions/', key: 'merchant', retry: 'always', query }, options);

/** Get a transaction. With its fees, the numbers behind a decline, and its history. */
export const getTransaction = (client: Client, transactionId: string, options?: RequestOptions): Promise<TransactionDetails> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/transactions/${segment(transactionId)}/`, key: 'merchant', retry: 'always' }, options);

/** Set metadata of a transaction. Sets the given pairs and keeps the others. Null removes a pair. */
export const setTransactionMetadata = (client: Client, transactionId: string, body: MetadataRequest, options?: RequestOptions): Promise<MetadataResponse> =>
  send(client, { method: 'PUT', path: `/api/v1/merchant/transactions/${segment(transactionId)}/metadata/`, key: 'merchant', retry: 'always', body }, options);

/** List a card's transactions. */
export const listCardTransactions = (client: Client, cardId: string, query?: ListCardTransactionsQuery, options?: RequestOptions): List<Transaction> =>
  list(client, { method: 'GET', path: `/api/v1/merchant/cards/${segment(cardId)}/transactions/`, key: 'merchant', retry: 'always', query }, options);

/** Limit what a card is used for. Replaces the rule: how many purchases, at which merchants, from when and until when. Null lifts it. What was used stays. */
export const setCardUsage = (client: Client, cardId: string, body: SetCardUsageRequest, options?: RequestOptions): Promise<SetCardUsageResponse> =>
  send(client, { method: 'PUT', path: `/api/v1/merchant/cards/${segment(cardId)}/usage/`, key: 'merchant', retry: 'always', body }, options);

/** Get the master account. The program's money and the threshold of its low-balance alert. */
export const getAccount = (client: Client, options?: RequestOptions): Promise<Account> =>
  send(client, { method: 'GET', path: '/api/v1/merchant/account/', key: 'merchant', retry: 'always' }, options);

/** Set the low-balance alert. The event `account.low_balance` is sent once when `available` falls below the threshold, and again only after it has risen above it. If it is below already, the event is sent immediately. */
export const setAccountAlert = (client: Client, body: AccountAlertRequest, options?: RequestOptions): Promise<Account> =>
  send(client, { method: 'PUT', path: '/api/v1/merchant/account/alert/', key: 'merchant', retry: 'always', body }, options);

/** Add a webhook endpoint. A program can have up to 5 endpoints. The secret that verifies deliveries (Standard Webhooks) is shown only once. Send an Idempotency-Key to retry safely: a repeated request within 24 hours gets the same secret. */
export const addWebhookEndpoint = (client: Client, body: WebhookEndpointRequest, options?: IdempotentOptions): Promise<NewWebhookEndpoint> =>
  send(client, { method: 'POST', path: '/api/v1/merchant/webhook-endpoints/', key: 'merchant', retry: 'with a key', body }, options);

/** List webhook endpoints. */
export const listWebhookEndpoints = (client: Client, options?: RequestOptions): Promise<WebhookEndpointList> =>
  send(client, { method: 'GET', path: '/api/v1/merchant/webhook-endpoints/', key: 'merchant', retry: 'always' }, options);

/** Get a webhook endpoint. */
export const getWebhookEndpoint = (client: Client, endpointId: string, options?: RequestOptions): Promise<WebhookEndpoint> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/webhook-endpoints/${segment(endpointId)}/`, key: 'merchant', retry: 'always' }, options);

/** Change, pause or resume a webhook endpoint. Sets the URL and the event types. The secret stays the same. While an endpoint is paused its deliveries wait; they are sent when it resumes. Events of types that were not selected at the time are not sent later. */
export const updateWebhookEndpoint = (client: Client, endpointId: string, body: WebhookEndpointChange, options?: RequestOptions): Promise<WebhookEndpoint> =>
  send(client, { method: 'PUT', path: `/api/v1/merchant/webhook-endpoints/${segment(endpointId)}/`, key: 'merchant', retry: 'always', body }, options);

/** Remove a webhook endpoint. */
export const removeWebhookEndpoint = (client: Client, endpointId: string, options?: RequestOptions): Promise<Message> =>
  send(client, { method: 'DELETE', path: `/api/v1/merchant/webhook-endpoints/${segment(endpointId)}/`, key: 'merchant', retry: 'never' }, options);

/** Rotate the secret. */
export const rotateWebhookSecret = (client: Client, endpointId: string, options?: RequestOptions): Promise<RotatedWebhookEndpoint> =>
  send(client, { method: 'POST', path: `/api/v1/merchant/webhook-endpoints/${segment(endpointId)}/rotate-secret/`, key: 'merchant', retry: 'never' }, options);

/** Send a test event now. */
export const testWebhookEndpoint = (client: Client, endpointId: string, options?: RequestOptions): Promise<WebhookTest> =>
  send(client, { method: 'POST', path: `/api/v1/merchant/webhook-endpoints/${segment(endpointId)}/test/`, key: 'merchant', retry: 'never' }, options);

/** Enable an endpoint that was disabled. */
export const enableWebhookEndpoint = (client: Client, endpointId: string, options?: RequestOptions): Promise<WebhookEndpoint> =>
  send(client, { method: 'POST', path: `/api/v1/merchant/webhook-endpoints/${segment(endpointId)}/enable/`, key: 'merchant', retry: 'never' }, options);

/** List events with their deliveries. Newest first, each with all delivery attempts. */
export const listWebhookEvents = (client: Client, query?: ListWebhookEventsQuery, options?: RequestOptions): List<WebhookEvent> =>
  list(client, { method: 'GET', path: '/api/v1/merchant/webhook-events/', key: 'merchant', retry: 'always', query }, options);

/** Get an event with its deliveries. */
export const getWebhookEvent = (client: Client, eventId: string, options?: RequestOptions): Promise<WebhookEvent> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/webhook-events/${segment(eventId)}/`, key: 'merchant', retry: 'always' }, options);

/** Resend an event. Resends the event with the same id to the enabled endpoints that receive its type, whether or not it was delivered before. */
export const resendWebhookEvent = (client: Client, eventId: string, query?: ResendWebhookEventQuery, options?: RequestOptions): Promise<Resent> =>
  send(client, { method: 'POST', path: `/api/v1/merchant/webhook-events/${segment(eventId)}/resend/`, key: 'merchant', retry: 'never', query }, options);

/** Resend undelivered events. Resends deliveries that failed or wait for a retry, and events that occurred while an endpoint was disabled, but no events older than the endpoint. One request runs for a few seconds: repeat it with `next` as `since` until `next` is null. */
export const resendMissedWebhookEvents = (client: Client, body: ResendMissedRequest, options?: RequestOptions): Promise<ResentMissed> =>
  send(client, { method: 'POST', path: '/api/v1/merchant/webhook-events/resend/', key: 'merchant', retry: 'never', body }, options);

/** Create or replace a decision endpoint. The URL that decides authorizations in the modes `REAL_TIME` and `BOTH` (`authorization`), decides authentications (`authentication`), or sends one-time passwords (`otp`). All settings are replaced: a missing one gets its default. The secret that verifies requests (Standard Webhooks) is shown only once, when the endpoint is created. It stays if the URL stays on its host and port; on another host or port the endpoint gets a new secret. Every change creates the event `security.endpoint_changed`. Send an Idempotency-Key to retry safely: a repeated request within 24 hours gets the same secret. */
export const putDecisionEndpoint = (client: Client, kind: 'authorization' | 'authentication' | 'otp', body: DecisionEndpointRequest, options?: IdempotentOptions): Promise<ReplacedDecisionEndpoint | NewDecisionEndpoint> =>
  send(client, { method: 'PUT', path: `/api/v1/merchant/decision-endpoints/${segment(kind)}/`, key: 'merchant', retry: 'with a key', body }, options);

/** Get a decision endpoint. */
export const getDecisionEndpoint = (client: Client, kind: 'authorization' | 'authentication' | 'otp', options?: RequestOptions): Promise<DecisionEndpoint> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/decision-endpoints/${segment(kind)}/`, key: 'merchant', retry: 'always' }, options);

/** Remove a decision endpoint. */
export const removeDecisionEndpoint = (client: Client, kind: 'authorization' | 'authentication' | 'otp', options?: RequestOptions): Promise<Message> =>
  send(client, { method: 'DELETE', path: `/api/v1/merchant/decision-endpoints/${segment(kind)}/`, key: 'merchant', retry: 'never' }, options);

/** Rotate the secret. */
export const rotateDecisionSecret = (client: Client, kind: 'authorization' | 'authentication' | 'otp', options?: RequestOptions): Promise<RotatedDecisionEndpoint> =>
  send(client, { method: 'POST', path: `/api/v1/merchant/decision-endpoints/${segment(kind)}/rotate-secret/`, key: 'merchant', retry: 'never' }, options);

/** Request a test decision now. */
export const testDecisionEndpoint = (client: Client, kind: 'authorization' | 'authentication' | 'otp', body?: DecisionTestRequest, options?: RequestOptions): Promise<DecisionTest> =>
  send(client, { method: 'POST', path: `/api/v1/merchant/decision-endpoints/${segment(kind)}/test/`, key: 'merchant', retry: 'never', body }, options);

/** Answer an out-of-band challenge. The answer of the cardholder to `authentication.challenge`, once and within 5 minutes of real time. */
export const answerAuthentication = (client: Client, authenticationId: string, body: AuthenticationAnswerRequest, options?: RequestOptions): Promise<AnsweredAuthentication> =>
  send(client, { method: 'POST', path: `/api/v1/merchant/authentications/${segment(authenticationId)}/answer/`, key: 'merchant', retry: 'never', body }, options);

/** List the fields of conditions. The catalogue of what a condition can compare, with operators, values and an example of each. */
export const listRuleFields = (client: Client, options?: RequestOptions): Promise<RuleFields> =>
  send(client, { method: 'GET', path: '/api/v1/merchant/rules/fields/', key: 'merchant', retry: 'always' }, options);

/** Check a condition. A valid condition is a 200; a wrong one gets the 400 that a creation would get. */
export const validateRule = (client: Client, body: ValidateRuleRequest, options?: RequestOptions): Promise<Message> =>
  send(client, { method: 'POST', path: '/api/v1/merchant/rules/validate/', key: 'merchant', retry: 'never', body }, options);

/** Evaluate a condition for a sample. Nothing is stored. The answer has what each leaf of the condition saw. */
export const evaluateRule = (client: Client, body: EvaluateRuleRequest, options?: RequestOptions): Promise<RuleEvaluation> =>
  send(client, { method: 'POST', path: '/api/v1/merchant/rules/evaluate/', key: 'merchant', retry: 'never', body }, options);

/** Create a rule. The rule begins in `SHADOW`: it is evaluated for every authorization and decides nothing. A rule never changes: create another one that `replaces` it. A program can have 100 rules that are not archived. */
export const createRule = (client: Client, body: RuleRequest, options?: IdempotentOptions): Promise<Rule> =>
  send(client, { method: 'POST', path: '/api/v1/merchant/rules/', key: 'merchant', retry: 'with a key', body }, options);

/** List rules. Newest first, archived rules included. */
export const listRules = (client: Client, query?: ListRulesQuery, options?: RequestOptions): List<Rule> =>
  list(client, { method: 'GET', path: '/api/v1/merchant/rules/', key: 'merchant', retry: 'always', query }, options);

/** Get a rule. */
export const retrieveRule = (client: Client, ruleId: string, options?: RequestOptions): Promise<Rule> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/rules/${segment(ruleId)}/`, key: 'merchant', retry: 'always' }, options);

/** Archive a rule. It is evaluated no more, and counts in no limit. It stays readable, with its matches. */
export const archiveRule = (client: Client, ruleId: string, options?: RequestOptions): Promise<Rule> =>
  send(client, { method: 'DELETE', path: `/api/v1/merchant/rules/${segment(ruleId)}/`, key: 'merchant', retry: 'never' }, options);

/** Promote a rule to ACTIVE. It decides every authorization that begins after the answer, and the rule that it replaces is archived in the same instant. A 409 with the number asks for `confirm` if the rule would have declined more than 5 % (a setting of the program) of the approvals of the last 7 days, or was not in `SHADOW` for 7 days and has no completed backtest. */
export const promoteRule = (client: Client, ruleId: string, body?: PromoteRuleRequest, options?: RequestOptions): Promise<Rule> =>
  send(client, { method: 'POST', path: `/api/v1/merchant/rules/${segment(ruleId)}/promote/`, key: 'merchant', retry: 'never', body }, options);

/** Demote a rule to SHADOW. It decides no authorization that begins after the answer. */
export const demoteRule = (client: Client, ruleId: string, options?: RequestOptions): Promise<Rule> =>
  send(client, { method: 'POST', path: `/api/v1/merchant/rules/${segment(ruleId)}/demote/`, key: 'merchant', retry: 'never' }, options);

/** List the matches of a rule. The authorizations, increments and advices that the rule matched, newest first. */
export const listRuleMatches = (client: Client, ruleId: string, query?: ListRuleMatchesQuery, options?: RequestOptions): List<RuleMatch> =>
  list(client, { method: 'GET', path: `/api/v1/merchant/rules/${segment(ruleId)}/matches/`, key: 'merchant', retry: 'always', query }, options);

/** Get the figures of a rule by day. */
export const getRuleReport = (client: Client, ruleId: string, query?: GetRuleReportQuery, options?: RequestOptions): Promise<RuleReport> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/rules/${segment(ruleId)}/report/`, key: 'merchant', retry: 'always', query }, options);

/** List the lists of rules. Your lists by their names, then those that are shipped. */
export const listRuleLists = (client: Client, options?: RequestOptions): Promise<RuleLists> =>
  send(client, { method: 'GET', path: '/api/v1/merchant/rule-lists/', key: 'merchant', retry: 'always' }, options);

/** Get a list with its values. */
export const retrieveRuleList = (client: Client, listName: string, options?: RequestOptions): Promise<RuleListWithValues> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/rule-lists/${segment(listName)}/`, key: 'merchant', retry: 'always' }, options);

/** Create a list, or replace its values. The change holds for every authorization that begins after the answer. The body has at most 1 MiB. */
export const putRuleList = (client: Client, listName: string, body: RuleListRequest, options?: RequestOptions): Promise<RuleList> =>
  send(client, { method: 'PUT', path: `/api/v1/merchant/rule-lists/${segment(listName)}/`, key: 'merchant', retry: 'always', body }, options);

/** Delete a list. */
export const removeRuleList = (client: Client, listName: string, options?: RequestOptions): Promise<Message> =>
  send(client, { method: 'DELETE', path: `/api/v1/merchant/rule-lists/${segment(listName)}/`, key: 'merchant', retry: 'never' }, options);

/** Add values to a list. */
export const addToRuleList = (client: Client, listName: string, body: RuleListValuesRequest, options?: RequestOptions): Promise<RuleList> =>
  send(client, { method: 'POST', path: `/api/v1/merchant/rule-lists/${segment(listName)}/add/`, key: 'merchant', retry: 'never', body }, options);

/** Remove values from a list. */
export const removeFromRuleList = (client: Client, listName: string, body: RuleListValuesRequest, options?: RequestOptions): Promise<RuleList> =>
  send(client, { method: 'POST', path: `/api/v1/merchant/rule-lists/${segment(listName)}/remove/`, key: 'merchant', retry: 'never', body }, options);

/** Backtest a rule. Evaluates a rule of any status for the stored authorizations of some days. Over a time in which the rule was in `SHADOW`, `OBSERVED` finds what was recorded then. One backtest of a program runs at a time; the event `rule.backtest_completed` says when. */
export const backtestRule = (client: Client, ruleId: string, body: RuleBacktestRequest, options?: IdempotentOptions): Promise<RuleBacktest> =>
  send(client, { method: 'POST', path: `/api/v1/merchant/rules/${segment(ruleId)}/backtests/`, key: 'merchant', retry: 'with a key', body }, options);

/** List the backtests of a rule. */
export const listRuleBacktests = (client: Client, ruleId: string, query?: ListRuleBacktestsQuery, options?: RequestOptions): List<RuleBacktest> =>
  list(client, { method: 'GET', path: `/api/v1/merchant/rules/${segment(ruleId)}/backtests/`, key: 'merchant', retry: 'always', query }, options);

/** Get a backtest of a rule. */
export const retrieveRuleBacktest = (client: Client, ruleId: string, backtestId: string, options?: RequestOptions): Promise<RuleBacktest> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/rules/${segment(ruleId)}/backtests/${segment(backtestId)}/`, key: 'merchant', retry: 'always' }, options);

/** List the matches of a backtest of a rule. Every attempt that the rule matches, newest first. */
export const listRuleBacktestMatches = (client: Client, ruleId: string, backtestId: string, query?: ListRuleBacktestMatchesQuery, options?: RequestOptions): List<RuleMatch> =>
  list(client, { method: 'GET', path: `/api/v1/merchant/rules/${segment(ruleId)}/backtests/${segment(backtestId)}/matches/`, key: 'merchant', retry: 'always', query }, options);

/** Backtest a rule that is not saved. The rule is checked as if it were created, and evaluated for no authorization. */
export const backtestUnsavedRule = (client: Client, body: UnsavedRuleBacktestRequest, options?: IdempotentOptions): Promise<RuleBacktest> =>
  send(client, { method: 'POST', path: '/api/v1/merchant/rule-backtests/', key: 'merchant', retry: 'with a key', body }, options);

/** Get a backtest. Of any rule, also of one that is not saved. */
export const retrieveBacktest = (client: Client, backtestId: string, options?: RequestOptions): Promise<RuleBacktest> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/rule-backtests/${segment(backtestId)}/`, key: 'merchant', retry: 'always' }, options);

/** List the matches of a backtest. Of any rule, also of one that is not saved: every attempt that the rule matches, newest first. */
export const listBacktestMatches = (client: Client, backtestId: string, query?: ListBacktestMatchesQuery, options?: RequestOptions): List<RuleMatch> =>
  list(client, { method: 'GET', path: `/api/v1/merchant/rule-backtests/${segment(backtestId)}/matches/`, key: 'merchant', retry: 'always', query }, options);

/** Request settlement file. Starts a CSV report. When it is ready, a `files` event delivers its download link; without a webhook endpoint, get the state of the request instead. A program can have at most 100 pending reports; further requests return 429. */
export const requestFile = (client: Client, fileType: 'monthly' | 'daily' | 'fee' | 'monthlyTransactionFees' | 'monthlyNonTransactionFees' | 'dailyTransactionFee' | 'settlement', query: RequestFileQuery, options?: RequestOptions): Promise<FileRequest> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/files/${segment(fileType)}/`, key: 'merchant', retry: 'always', query }, options);

/** Get the state of a file request. Returns a new download link once the file is ready. A file that was deleted after its retention period is generated again; the state is `pending` until then. */
export const getFileRequest = (client: Client, reference_id: string, options?: RequestOptions): Promise<FileRequestState> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/files/requests/${segment(reference_id)}/`, key: 'merchant', retry: 'always' }, options);

/** Reveal card number, CVV and expiry. Requires the scope `credentials`. Every call is audited. Do not store the response. */
export const revealCredentials = (client: Client, cardId: string, options?: RequestOptions): Promise<Credentials> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/cards/${segment(cardId)}/credentials/`, key: 'merchant', retry: 'always' }, options);

/** Create reveal session. A page that shows the card to its holder, once, within 60 seconds; your server never holds the number. Requires the scope `reveal`. A card has at most 5 open sessions. Blocking the card or reissuing it with a new number, expiry date or CVV ends them, and revoking the key ends those that it created; an identical reissue does not. Send an Idempotency-Key to retry safely. */
export const createRevealSession = (client: Client, cardId: string, body: RevealSessionRequest, options?: IdempotentOptions): Promise<RevealSession> =>
  send(client, { method: 'POST', path: `/api/v1/merchant/cards/${segment(cardId)}/reveal-sessions/`, key: 'merchant', retry: 'with a key', body }, options);

/** Get the program time. */
export const getClock = (client: Client, options?: RequestOptions): Promise<Clock> =>
  send(client, { method: 'GET', path: '/api/v1/sandbox/clock/', key: 'merchant', retry: 'always' }, options);

/** Move the clock forward. Send either `now` or `advance_seconds`. The whole program follows: card expiry, holds, limits, fees and reports. */
export const moveClock = (client: Client, body: ClockRequest, options?: RequestOptions): Promise<Clock> =>
  send(client, { method: 'POST', path: '/api/v1/sandbox/clock/', key: 'merchant', retry: 'never', body }, options);

/** Register a KYC applicant. Card creation for this applicant is then checked against this data, as with a real provider. */
export const registerKycApplicant = (client: Client, body: KycApplicantRequest, options?: IdempotentOptions): Promise<KycApplicant> =>
  send(client, { method: 'POST', path: '/api/v1/sandbox/kyc-applicants/', key: 'merchant', retry: 'with a key', body }, options);

/** Simulate an authorization. Uses the same engine and returns the same response as the network API. Missing values are filled in. */
export const simulateAuthorization = (client: Client, body: SimulatedAuthorizationRequest, options?: IdempotentOptions): Promise<AuthorizationResponse> =>
  send(client, { method: 'POST', path: '/api/v1/sandbox/authorizations/', key: 'merchant', retry: 'with a key', body }, options);

/** Simulate an increment. Raises the hold of a purchase. */
export const simulateIncrement = (client: Client, body: SimulatedIncrementRequest, options?: IdempotentOptions): Promise<IncrementResponse> =>
  send(client, { method: 'POST', path: '/api/v1/sandbox/increments/', key: 'merchant', retry: 'with a key', body }, options);

/** Simulate a reversal. Releases all or part of the hold, or takes back a clearing or a refund. */
export const simulateReversal = (client: Client, body: SimulatedReversalRequest, options?: IdempotentOptions): Promise<ReversalResponse> =>
  send(client, { method: 'POST', path: '/api/v1/sandbox/reversals/', key: 'merchant', retry: 'with a key', body }, options);

/** Simulate a clearing. Without an amount, clears the full authorized amount. */
export const simulateClearing = (client: Client, body: SimulatedClearingRequest, options?: IdempotentOptions): Promise<ClearingResponse> =>
  send(client, { method: 'POST', path: '/api/v1/sandbox/clearings/', key: 'merchant', retry: 'with a key', body }, options);

/** Simulate a refund. Without an amount, refunds the full cleared amount. */
export const simulateRefund = (client: Client, body: SimulatedRefundRequest, options?: IdempotentOptions): Promise<RefundResponse> =>
  send(client, { method: 'POST', path: '/api/v1/sandbox/refunds/', key: 'merchant', retry: 'with a key', body }, options);

/** Simulate an authentication (3-D Secure). Runs the same operation as the network API. Missing values are filled in. The response shows the one-time password. */
export const simulateAuthentication = (client: Client, body: SimulatedAuthenticationRequest, options?: IdempotentOptions): Promise<SandboxAuthentication> =>
  send(client, { method: 'POST', path: '/api/v1/sandbox/authentications/', key: 'merchant', retry: 'with a key', body }, options);

/** Get an authentication with its one-time password. */
export const getSandboxAuthentication = (client: Client, authenticationId: string, options?: RequestOptions): Promise<SandboxAuthentication> =>
  send(client, { method: 'GET', path: `/api/v1/sandbox/authentications/${segment(authenticationId)}/`, key: 'merchant', retry: 'always' }, options);

/** Authorize a purchase. Returns 200 for approvals and declines. Idempotent by `external_transaction_id`, an advice by `advice_id`. An approval is stored durably before the response is sent. A zero amount is an account check. */
export const authorize = (client: Client, body: AuthorizationRequest, options?: RequestOptions): Promise<AuthorizationResponse> =>
  send(client, { method: 'POST', path: '/api/v1/network/authorizations/', key: 'network', retry: 'by external_transaction_id', body }, options);

/** Raise a hold. Idempotent by `increment_id`. Decided like an authorization; a declined increment leaves the hold as it was. */
export const increment = (client: Client, body: IncrementRequest, options?: RequestOptions): Promise<IncrementResponse> =>
  send(client, { method: 'POST', path: '/api/v1/network/increments/', key: 'network', retry: 'by external_transaction_id', body }, options);

/** Reverse a hold, a clearing or a refund. Idempotent by `reversal_id`. Releases all or part of a hold; with `increment_id` beside it, of that increment; with `clearing_id` or `refund_id`, takes back all or part of that clearing or refund, with its fees and interchange. `bill_amount` in the response is the amount that was reversed. A reversal that arrives before its authorization is stored, and the authorization is then declined. */
export const reverse = (client: Client, body: ReversalRequest, options?: RequestOptions): Promise<ReversalResponse> =>
  send(client, { method: 'POST', path: '/api/v1/network/reversals/', key: 'network', retry: 'by reversal_id', body }, options);

/** Clear a purchase. Idempotent by `clearing_id`. A hold can have several clearings, above or below its amount and after it expired. A clearing without an authorization requires `card_number`. A clearing is never rejected for insufficient funds. One of a number that no card has is taken into suspense: `transaction_id` is null. */
export const clear = (client: Client, body: ClearingRequest, options?: RequestOptions): Promise<ClearingResponse> =>
  send(client, { method: 'POST', path: '/api/v1/network/clearings/', key: 'network', retry: 'by clearing_id', body }, options);

/** Refund a purchase. Idempotent by `refund_id`. A refund is a separate transaction, unless it names a `CREDIT`: then the money moves in that one. It names its purchase, or the card if there is no purchase; one that comes before its purchase is linked to it later. One of a number that no card has is taken into suspense: `transaction_id` is null. */
export const refund = (client: Client, body: RefundRequest, options?: RequestOptions): Promise<RefundResponse> =>
  send(client, { method: 'POST', path: '/api/v1/network/refunds/', key: 'network', retry: 'by refund_id', body }, options);

/** Authenticate a cardholder (3-D Secure). Decides whether the cardholder is authenticated, challenged or rejected. A challenge by one-time password sends the code before the response. Idempotent by `authentication_id`. */
export const authenticate = (client: Client, body: AuthenticationRequest, options?: RequestOptions): Promise<Authentication> =>
  send(client, { method: 'POST', path: '/api/v1/network/authentications/', key: 'network', retry: 'by authentication_id', body }, options);

/** Get an authentication. Its status now. */
export const getAuthentication = (client: Client, authentication_id: string, options?: RequestOptions): Promise<Authentication> =>
  send(client, { method: 'GET', path: `/api/v1/network/authentications/${segment(authentication_id)}/`, key: 'network', retry: 'always' }, options);

/** Check a one-time password. The third wrong code rejects the authentication, and so does the tenth on the card within an hour. After the end the stored result is returned. */
export const attemptOtp = (client: Client, authentication_id: string, body: AttemptRequest, options?: RequestOptions): Promise<Authentication> =>
  send(client, { method: 'POST', path: `/api/v1/network/authentications/${segment(authentication_id)}/attempts/`, key: 'network', retry: 'never', body }, options);

/** Send another one-time password. The new code replaces the previous one. At most 3 codes are sent, the first included; a failed send counts. */
export const resendOtp = (client: Client, authentication_id: string, options?: RequestOptions): Promise<Authentication> =>
  send(client, { method: 'POST', path: `/api/v1/network/authentications/${segment(authentication_id)}/resend/`, key: 'network', retry: 'never' }, options);

/** Cancel a challenge. Rejects an open challenge. After the end the stored result is returned. */
export const cancelAuthentication = (client: Client, authentication_id: string, options?: RequestOptions): Promise<Authentication> =>
  send(client, { method: 'POST', path: `/api/v1/network/authentications/${segment(authentication_id)}/cancel/`, key: 'network', retry: 'never' }, options);

/** Send or check a wallet's one-time password. With `card_number`: sends a code; the same request again sends another, 3 in all. With `otp`: checks it. The limits are those of 3-D Secure. */
export const tokenizationOtp = (client: Client, tokenizationId: string, body: TokenizationOtpRequest, options?: RequestOptions): Promise<TokenizationOtp> =>
  send(client, { method: 'POST', path: `/api/v1/network/tokenizations/${segment(tokenizationId)}/otp/`, key: 'network', retry: 'never', body }, options);

/** Get the progress of a clearing file. */
export const retrieveClearingFile = (client: Client, file_id: string, options?: RequestOptions): Promise<ClearingFile> =>
  send(client, { method: 'GET', path: `/api/v1/network/clearing-files/${segment(file_id)}/`, key: 'network', retry: 'always' }, options);

/** Liveness: the process is running. */
export const checkLive = (client: Client, options?: RequestOptions): Promise<Health> =>
  send(client, { method: 'GET', path: '/health/live', key: 'none', retry: 'always' }, options);

/** Readiness: the server can handle requests. */
export const checkReady = (client: Client, options?: RequestOptions): Promise<Health> =>
  send(client, { method: 'GET', path: '/health/ready', key: 'none', retry: 'always' }, options);
