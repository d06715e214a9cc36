export { type BatchWaitOptions, createCardsOfBatch, waitForCardBatch } from './card-batch.ts';
export {
  type Client,
  type ClientOptions,
  createClient,
  type IdempotentOptions,
  type RequestOptions,
} from './client.ts';
export {
  type DecisionOptions,
  type DecisionReason,
  type DecisionRequests,
  decisions,
  type SignedRequest,
} from './decision.ts';
export { createEmboss, type Emboss } from './emboss.ts';
export { EmbossError, isEmbossError } from './error.ts';
export * from './generated/operations.ts';
export type * from './generated/types.ts';
export type { List, Page } from './list.ts';
export { amountNumber, currencyDigits, formatAmount, parseAmount } from './money.ts';
export { type DownloadedReport, downloadReport, openReport, type ReportOptions } from './report.ts';
export { parseTimestamp, utcDay } from './time.ts';
export { type VerifyOptions, verifyWebhook, WebhookError } from './webhook.ts';
