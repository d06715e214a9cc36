// Written by "npm run generate" from the schemas of the server. Change those, and run it again.

import type { Client, IdempotentOptions, RequestOptions } from '../client.ts';
import { type List, list } from '../list.ts';
import { segment, send } from '../send.ts';
import type {
  AuthorizationRequest,
  AuthorizationResponse,
  BalanceAdjustment,
  BalanceAdjustmentRequest,
  BlockCardRequest,
  Card,
  CardDesign,
  CardDesignList,
  CardDetails,
  ClearingRequest,
  ClearingResponse,
  Clock,
  ClockRequest,
  CreateCardRequest,
  Credentials,
  FileRequest,
  FileRequestState,
  FreezeAnswer,
  FreezeCardRequest,
  Health,
  KycApplicant,
  KycApplicantRequest,
  ListCardTransactionsQuery,
  ListCardsQuery,
  ListTransactionsQuery,
  ListWebhookEventsQuery,
  Message,
  NewWebhookEndpoint,
  RefundRequest,
  RefundResponse,
  ReissueCardRequest,
  RequestFileQuery,
  ResendMissedRequest,
  ResendWebhookEventQuery,
  Resent,
  ResentMissed,
  ReversalRequest,
  ReversalResponse,
  RotatedWebhookEndpoint,
  SimulatedAuthorizationRequest,
  SimulatedClearingRequest,
  SimulatedRefundRequest,
  SimulatedReversalRequest,
  SpendControls,
  SpendControlsRequest,
  Transaction,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointRequest,
  WebhookEvent,
  WebhookTest,
} from './types.ts';

/** Create card. Card number, CVV and expiry are available at once. Send an Idempotency-Key to retry safely. */
export const createCard = (client: Client, body: CreateCardRequest, options?: IdempotentOptions): Promise<Card> =>
  send(client, { method: 'POST', path: '/api/v1/merchant/cards/', key: 'merchant', retry: 'with a key', body }, options);

/** List cards. Newest first. Following `next` meets every card once, even while new ones are made. */
export const listCards = (client: Client, query?: ListCardsQuery, options?: RequestOptions): List<Card> =>
  list(client, { method: 'GET', path: '/api/v1/merchant/cards/', key: 'merchant', retry: 'always', query }, options);

/** Retrieve card. */
export const retrieveCard = (client: Client, cardId: string, options?: RequestOptions): Promise<CardDetails> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/cards/${segment(cardId)}/`, key: 'merchant', retry: 'always' }, options);

/** Reveal card number, CVV and expiry. Needs the scope `credentials`. Every call is audited; the answer must not be stored. */
export const revealCredentials = (client: Client, cardId: string, options?: RequestOptions): Promise<Credentials> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/cards/${segment(cardId)}/credentials/`, key: 'merchant', retry: 'always' }, options);

/** Freeze or unfreeze card. */
export const freezeCard = (client: Client, cardId: string, body: FreezeCardRequest, options?: RequestOptions): Promise<FreezeAnswer> =>
  send(client, { method: 'PUT', path: `/api/v1/merchant/cards/${segment(cardId)}/freeze/`, key: 'merchant', retry: 'always', body }, options);

/** Block card, for good. Every later authorization is declined with R8. No merchant call undoes it. */
export const blockCard = (client: Client, cardId: string, body: BlockCardRequest, options?: RequestOptions): Promise<Message> =>
  send(client, { method: 'PUT', path: `/api/v1/merchant/cards/${segment(cardId)}/block/`, key: 'merchant', retry: 'always', body }, options);

/** Reissue card. New credentials under the same card id; the old ones are declined from that instant. */
export const reissueCard = (client: Client, cardId: string, body: ReissueCardRequest, options?: IdempotentOptions): Promise<Message> =>
  send(client, { method: 'PUT', path: `/api/v1/merchant/cards/${segment(cardId)}/replace/`, key: 'merchant', retry: 'with a key', body }, options);

/** Change spend controls. Changes what is given and leaves the rest. Limits count what was approved and not reversed, by UTC day and month. */
export const changeSpendControls = (client: Client, cardId: string, body: SpendControlsRequest, options?: RequestOptions): Promise<SpendControls> =>
  send(client, { method: 'PUT', path: `/api/v1/merchant/cards/${segment(cardId)}/spend-controls/`, key: 'merchant', retry: 'always', body }, options);

/** Adjust available credit. Up or down, never below 0. Send an Idempotency-Key to retry safely. */
export const adjustBalance = (client: Client, cardId: string, body: BalanceAdjustmentRequest, options?: IdempotentOptions): Promise<BalanceAdjustment> =>
  send(client, { method: 'POST', path: `/api/v1/merchant/cards/${segment(cardId)}/balance-adjustments/`, key: 'merchant', retry: 'with a key', body }, options);

/** List card designs. */
export const listCardDesigns = (client: Client, options?: RequestOptions): Promise<CardDesignList> =>
  send(client, { method: 'GET', path: '/api/v1/merchant/card-design/', key: 'merchant', retry: 'always' }, options);

/** Get card design by id. An unknown id is a 400 with code 404. */
export const getCardDesign = (client: Client, cardDesignID: string, options?: RequestOptions): Promise<CardDesign> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/card-design/${segment(cardDesignID)}/`, key: 'merchant', retry: 'always' }, options);

/** List transactions. Of all cards, newest first, including declined ones. A refund is a transaction of its own. */
export const listTransactions = (client: Client, query?: ListTransactionsQuery, options?: RequestOptions): List<Transaction> =>
  list(client, { method: 'GET', path: '/api/v1/merchant/transactions/', key: 'merchant', retry: 'always', query }, options);

/** List a card's transactions. */
export const listCardTransactions = (client: Client, cardId: string, query?: ListCardTransactionsQuery, options?: RequestOptions): List<Transaction> =>
  list(client, { method: 'GET', path: `/api/v1/merchant/cards/${segment(cardId)}/transactions/`, key: 'merchant', retry: 'always', query }, options);

/** Add a webhook endpoint. Up to 5. The secret that verifies deliveries (Standard Webhooks) is shown this once. */
export const addWebhookEndpoint = (client: Client, body: WebhookEndpointRequest, options?: RequestOptions): Promise<NewWebhookEndpoint> =>
  send(client, { method: 'POST', path: '/api/v1/merchant/webhook-endpoints/', key: 'merchant', retry: 'never', body }, options);

/** List webhook endpoints. */
export const listWebhookEndpoints = (client: Client, options?: RequestOptions): Promise<WebhookEndpointList> =>
  send(client, { method: 'GET', path: '/api/v1/merchant/webhook-endpoints/', key: 'merchant', retry: 'always' }, options);

/** A webhook endpoint. */
export const getWebhookEndpoint = (client: Client, endpointId: string, options?: RequestOptions): Promise<WebhookEndpoint> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/webhook-endpoints/${segment(endpointId)}/`, key: 'merchant', retry: 'always' }, options);

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

/** List events with their deliveries. Newest first, each with every attempt to deliver it. */
export const listWebhookEvents = (client: Client, query?: ListWebhookEventsQuery, options?: RequestOptions): List<WebhookEvent> =>
  list(client, { method: 'GET', path: '/api/v1/merchant/webhook-events/', key: 'merchant', retry: 'always', query }, options);

/** An event with its deliveries. */
export const getWebhookEvent = (client: Client, eventId: string, options?: RequestOptions): Promise<WebhookEvent> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/webhook-events/${segment(eventId)}/`, key: 'merchant', retry: 'always' }, options);

/** Send an event again. Under the same id, whether or not it was delivered before, to the enabled endpoints that take its type. */
export const resendWebhookEvent = (client: Client, eventId: string, query?: ResendWebhookEventQuery, options?: RequestOptions): Promise<Resent> =>
  send(client, { method: 'POST', path: `/api/v1/merchant/webhook-events/${segment(eventId)}/resend/`, key: 'merchant', retry: 'never', query }, options);

/** Send again all that failed since. What failed for good, and what came up while an endpoint was disabled; never what is older than the endpoint. One request works for a few seconds: repeat it with `next` as `since` until that is null. */
export const resendMissedWebhookEvents = (client: Client, body: ResendMissedRequest, options?: RequestOptions): Promise<ResentMissed> =>
  send(client, { method: 'POST', path: '/api/v1/merchant/webhook-events/resend/', key: 'merchant', retry: 'never', body }, options);

/** Request settlement file. Starts a report as a CSV file. When it is ready, a `files` event brings its link; without a webhook endpoint, ask for the state of the request. At most 100 reports of a program can be open (not ready yet) at once; a further one is answered 429. */
export const requestFile = (client: Client, fileType: 'monthly' | 'daily' | 'fee' | 'monthlyTransactionFees' | 'monthlyNonTransactionFees' | 'dailyTransactionFee', query: RequestFileQuery, options?: RequestOptions): Promise<FileRequest> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/files/${segment(fileType)}/`, key: 'merchant', retry: 'always', query }, options);

/** State of a file request. With a fresh link once the file is ready. A file that has expired meanwhile is made again: the state is `pending` until then. */
export const getFileRequest = (client: Client, reference_id: string, options?: RequestOptions): Promise<FileRequestState> =>
  send(client, { method: 'GET', path: `/api/v1/merchant/files/requests/${segment(reference_id)}/`, key: 'merchant', retry: 'always' }, options);

/** The program's clock. */
export const getClock = (client: Client, options?: RequestOptions): Promise<Clock> =>
  send(client, { method: 'GET', path: '/api/v1/sandbox/clock/', key: 'merchant', retry: 'always' }, options);

/** Move the clock forward. Give `now` or `advance_seconds`. Everything of the program follows: expiry, dates, reports. */
export const moveClock = (client: Client, body: ClockRequest, options?: RequestOptions): Promise<Clock> =>
  send(client, { method: 'POST', path: '/api/v1/sandbox/clock/', key: 'merchant', retry: 'never', body }, options);

/** Register a KYC applicant. Cards for this applicant are then checked against these data, as against a real provider's record. */
export const registerKycApplicant = (client: Client, body: KycApplicantRequest, options?: RequestOptions): Promise<KycApplicant> =>
  send(client, { method: 'POST', path: '/api/v1/sandbox/kyc-applicants/', key: 'merchant', retry: 'never', body }, options);

/** Swipe a card. The same engine and the same answer as for the network. Whatever is absent is made up. */
export const simulateAuthorization = (client: Client, body: SimulatedAuthorizationRequest, options?: RequestOptions): Promise<AuthorizationResponse> =>
  send(client, { method: 'POST', path: '/api/v1/sandbox/authorizations/', key: 'merchant', retry: 'by external_transaction_id', body }, options);

/** Reverse an authorization. All of the hold, or part of it. */
export const simulateReversal = (client: Client, body: SimulatedReversalRequest, options?: RequestOptions): Promise<ReversalResponse> =>
  send(client, { method: 'POST', path: '/api/v1/sandbox/reversals/', key: 'merchant', retry: 'by reversal_id', body }, options);

/** Clear an authorization. Without an amount, all that was authorized. */
export const simulateClearing = (client: Client, body: SimulatedClearingRequest, options?: RequestOptions): Promise<ClearingResponse> =>
  send(client, { method: 'POST', path: '/api/v1/sandbox/clearings/', key: 'merchant', retry: 'by clearing_id', body }, options);

/** Refund a purchase. Without an amount, all that was cleared. */
export const simulateRefund = (client: Client, body: SimulatedRefundRequest, options?: RequestOptions): Promise<RefundResponse> =>
  send(client, { method: 'POST', path: '/api/v1/sandbox/refunds/', key: 'merchant', retry: 'by refund_id', body }, options);

/** Authorize. Approved or declined, always with status 200. Idempotent by `external_transaction_id`. An approval is durable before the response. A zero amount checks the account. */
export const authorize = (client: Client, body: AuthorizationRequest, options?: RequestOptions): Promise<AuthorizationResponse> =>
  send(client, { method: 'POST', path: '/api/v1/network/authorizations/', key: 'network', retry: 'by external_transaction_id', body }, options);

/** Reverse all or part of a hold. Idempotent by `reversal_id`. `bill_amount` in the response is what was released. An authorization that arrives after its reversal is declined. */
export const reverse = (client: Client, body: ReversalRequest, options?: RequestOptions): Promise<ReversalResponse> =>
  send(client, { method: 'POST', path: '/api/v1/network/reversals/', key: 'network', retry: 'by reversal_id', body }, options);

/** Clear. Idempotent by `clearing_id`. One or several per hold, above or below it, late, or with no authorization at all (then with `card_number`). Never refused for lack of funds. */
export const clear = (client: Client, body: ClearingRequest, options?: RequestOptions): Promise<ClearingResponse> =>
  send(client, { method: 'POST', path: '/api/v1/network/clearings/', key: 'network', retry: 'by clearing_id', body }, options);

/** Refund. Idempotent by `refund_id`. Creates a transaction of its own. Names the purchase, or the card where there is none. */
export const refund = (client: Client, body: RefundRequest, options?: RequestOptions): Promise<RefundResponse> =>
  send(client, { method: 'POST', path: '/api/v1/network/refunds/', key: 'network', retry: 'by refund_id', body }, options);

/** The process runs. */
export const checkLive = (client: Client, options?: RequestOptions): Promise<Health> =>
  send(client, { method: 'GET', path: '/health/live', key: 'none', retry: 'always' }, options);

/** Requests would succeed. */
export const checkReady = (client: Client, options?: RequestOptions): Promise<Health> =>
  send(client, { method: 'GET', path: '/health/ready', key: 'none', retry: 'always' }, options);
