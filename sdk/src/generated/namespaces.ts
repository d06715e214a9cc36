// Written by "npm run generate" from the schemas of the server. Change those, and run it again.

import type { Client, IdempotentOptions, RequestOptions } from '../client.ts';
import type { List } from '../list.ts';
import * as operations from './operations.ts';
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

export interface Operations {
  cards: {
    /** Create card. Card number, CVV and expiry are available at once. Send an Idempotency-Key to retry safely. */
    create(body: CreateCardRequest, options?: IdempotentOptions): Promise<Card>;
    /** List cards. Newest first. Following `next` meets every card once, even while new ones are made. */
    list(query?: ListCardsQuery, options?: RequestOptions): List<Card>;
    /** Retrieve card. */
    get(cardId: string, options?: RequestOptions): Promise<CardDetails>;
    /** Reveal card number, CVV and expiry. Needs the scope `credentials`. Every call is audited; the answer must not be stored. */
    credentials(cardId: string, options?: RequestOptions): Promise<Credentials>;
    /** Freeze or unfreeze card. */
    freeze(cardId: string, body: FreezeCardRequest, options?: RequestOptions): Promise<FreezeAnswer>;
    /** Block card, for good. Every later authorization is declined with R8. No merchant call undoes it. */
    block(cardId: string, body: BlockCardRequest, options?: RequestOptions): Promise<Message>;
    /** Reissue card. New credentials under the same card id; the old ones are declined from that instant. */
    reissue(cardId: string, body: ReissueCardRequest, options?: IdempotentOptions): Promise<Message>;
    /** Change spend controls. Changes what is given and leaves the rest. Limits count what was approved and not reversed, by UTC day and month. */
    changeSpendControls(cardId: string, body: SpendControlsRequest, options?: RequestOptions): Promise<SpendControls>;
    /** Adjust available credit. Up or down, never below 0. Send an Idempotency-Key to retry safely. */
    adjustBalance(cardId: string, body: BalanceAdjustmentRequest, options?: IdempotentOptions): Promise<BalanceAdjustment>;
    /** List a card's transactions. */
    transactions(cardId: string, query?: ListCardTransactionsQuery, options?: RequestOptions): List<Transaction>;
  };
  designs: {
    /** List card designs. */
    list(options?: RequestOptions): Promise<CardDesignList>;
    /** Get card design by id. An unknown id is a 400 with code 404. */
    get(cardDesignID: string, options?: RequestOptions): Promise<CardDesign>;
  };
  transactions: {
    /** List transactions. Of all cards, newest first, including declined ones. A refund is a transaction of its own. */
    list(query?: ListTransactionsQuery, options?: RequestOptions): List<Transaction>;
  };
  reports: {
    /** Request settlement file. Starts a report as a CSV file. When it is ready, a `files` event brings its link; without a webhook endpoint, ask for the state of the request. At most 100 reports of a program can be open (not ready yet) at once; a further one is answered 429. */
    request(fileType: 'monthly' | 'daily' | 'fee' | 'monthlyTransactionFees' | 'monthlyNonTransactionFees' | 'dailyTransactionFee', query: RequestFileQuery, options?: RequestOptions): Promise<FileRequest>;
    /** State of a file request. With a fresh link once the file is ready. A file that has expired meanwhile is made again: the state is `pending` until then. */
    state(reference_id: string, options?: RequestOptions): Promise<FileRequestState>;
  };
  webhookEndpoints: {
    /** Add a webhook endpoint. Up to 5. The secret that verifies deliveries (Standard Webhooks) is shown this once. */
    add(body: WebhookEndpointRequest, options?: RequestOptions): Promise<NewWebhookEndpoint>;
    /** List webhook endpoints. */
    list(options?: RequestOptions): Promise<WebhookEndpointList>;
    /** A webhook endpoint. */
    get(endpointId: string, options?: RequestOptions): Promise<WebhookEndpoint>;
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
    /** List events with their deliveries. Newest first, each with every attempt to deliver it. */
    list(query?: ListWebhookEventsQuery, options?: RequestOptions): List<WebhookEvent>;
    /** An event with its deliveries. */
    get(eventId: string, options?: RequestOptions): Promise<WebhookEvent>;
    /** Send an event again. Under the same id, whether or not it was delivered before, to the enabled endpoints that take its type. */
    resend(eventId: string, query?: ResendWebhookEventQuery, options?: RequestOptions): Promise<Resent>;
    /** Send again all that failed since. What failed for good, and what came up while an endpoint was disabled; never what is older than the endpoint. One request works for a few seconds: repeat it with `next` as `since` until that is null. */
    resendMissed(body: ResendMissedRequest, options?: RequestOptions): Promise<ResentMissed>;
  };
  sandbox: {
    /** Swipe a card. The same engine and the same answer as for the network. Whatever is absent is made up. */
    authorize(body: SimulatedAuthorizationRequest, options?: RequestOptions): Promise<AuthorizationResponse>;
    /** Reverse an authorization. All of the hold, or part of it. */
    reverse(body: SimulatedReversalRequest, options?: RequestOptions): Promise<ReversalResponse>;
    /** Clear an authorization. Without an amount, all that was authorized. */
    clear(body: SimulatedClearingRequest, options?: RequestOptions): Promise<ClearingResponse>;
    /** Refund a purchase. Without an amount, all that was cleared. */
    refund(body: SimulatedRefundRequest, options?: RequestOptions): Promise<RefundResponse>;
    /** The program's clock. */
    clock(options?: RequestOptions): Promise<Clock>;
    /** Move the clock forward. Give `now` or `advance_seconds`. Everything of the program follows: expiry, dates, reports. */
    moveClock(body: ClockRequest, options?: RequestOptions): Promise<Clock>;
    /** Register a KYC applicant. Cards for this applicant are then checked against these data, as against a real provider's record. */
    registerKycApplicant(body: KycApplicantRequest, options?: RequestOptions): Promise<KycApplicant>;
  };
  network: {
    /** Authorize. Approved or declined, always with status 200. Idempotent by `external_transaction_id`. An approval is durable before the response. A zero amount checks the account. */
    authorize(body: AuthorizationRequest, options?: RequestOptions): Promise<AuthorizationResponse>;
    /** Reverse all or part of a hold. Idempotent by `reversal_id`. `bill_amount` in the response is what was released. An authorization that arrives after its reversal is declined. */
    reverse(body: ReversalRequest, options?: RequestOptions): Promise<ReversalResponse>;
    /** Clear. Idempotent by `clearing_id`. One or several per hold, above or below it, late, or with no authorization at all (then with `card_number`). Never refused for lack of funds. */
    clear(body: ClearingRequest, options?: RequestOptions): Promise<ClearingResponse>;
    /** Refund. Idempotent by `refund_id`. Creates a transaction of its own. Names the purchase, or the card where there is none. */
    refund(body: RefundRequest, options?: RequestOptions): Promise<RefundResponse>;
  };
  health: {
    /** The process runs. */
    live(options?: RequestOptions): Promise<Health>;
    /** Requests would succeed. */
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
    freeze: (...args) => operations.freezeCard(client, ...args),
    block: (...args) => operations.blockCard(client, ...args),
    reissue: (...args) => operations.reissueCard(client, ...args),
    changeSpendControls: (...args) => operations.changeSpendControls(client, ...args),
    adjustBalance: (...args) => operations.adjustBalance(client, ...args),
    transactions: (...args) => operations.listCardTransactions(client, ...args),
  },
  designs: {
    list: (...args) => operations.listCardDesigns(client, ...args),
    get: (...args) => operations.getCardDesign(client, ...args),
  },
  transactions: {
    list: (...args) => operations.listTransactions(client, ...args),
  },
  reports: {
    request: (...args) => operations.requestFile(client, ...args),
    state: (...args) => operations.getFileRequest(client, ...args),
  },
  webhookEndpoints: {
    add: (...args) => operations.addWebhookEndpoint(client, ...args),
    list: (...args) => operations.listWebhookEndpoints(client, ...args),
    get: (...args) => operations.getWebhookEndpoint(client, ...args),
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
  sandbox: {
    authorize: (...args) => operations.simulateAuthorization(client, ...args),
    reverse: (...args) => operations.simulateReversal(client, ...args),
    clear: (...args) => operations.simulateClearing(client, ...args),
    refund: (...args) => operations.simulateRefund(client, ...args),
    clock: (...args) => operations.getClock(client, ...args),
    moveClock: (...args) => operations.moveClock(client, ...args),
    registerKycApplicant: (...args) => operations.registerKycApplicant(client, ...args),
  },
  network: {
    authorize: (...args) => operations.authorize(client, ...args),
    reverse: (...args) => operations.reverse(client, ...args),
    clear: (...args) => operations.clear(client, ...args),
    refund: (...args) => operations.refund(client, ...args),
  },
  health: {
    live: (...args) => operations.checkLive(client, ...args),
    ready: (...args) => operations.checkReady(client, ...args),
  },
});
