import { type BatchWaitOptions, createCardsOfBatch, waitForCardBatch } from './card-batch.ts';
import { type Client, type ClientOptions, createClient, type IdempotentOptions } from './client.ts';
import { bindOperations, type Operations } from './generated/namespaces.ts';
import type { CardBatch, CardBatchRequest } from './generated/types.ts';
import { type DownloadedReport, downloadReport, openReport, type ReportOptions } from './report.ts';

type FileType = Parameters<typeof downloadReport>[1];

export interface Emboss extends Omit<Operations, 'cardBatches' | 'reports'> {
  /** For calling operations as functions. */
  client: Client;
  cardBatches: Omit<Operations['cardBatches'], 'create'> & {
    /** Up to 1,000 cards. With `onProgress` it resolves when all are done, else as soon as the rows are stored. */
    create(body: CardBatchRequest, options?: BatchWaitOptions & IdempotentOptions): Promise<CardBatch>;
    /** Waits until every row of a batch is a card or has an error. */
    wait(batchId: string, options?: BatchWaitOptions): Promise<CardBatch>;
  };
  reports: Operations['reports'] & {
    /** Requests a report, waits until it is generated, and opens it. */
    download(fileType: FileType, date: string, options?: ReportOptions): Promise<DownloadedReport>;
    /** Opens a report that was requested before. */
    open(referenceId: string, options?: ReportOptions): Promise<DownloadedReport>;
  };
}

/** All operations in one object. `createClient` and the functions give a smaller bundle, without unused functions. */
export function createEmboss(options: ClientOptions): Emboss {
  const client = createClient(options);
  const operations = bindOperations(client);
  return {
    ...operations,
    client,
    cardBatches: {
      ...operations.cardBatches,
      create: (...args) => createCardsOfBatch(client, ...args),
      wait: (...args) => waitForCardBatch(client, ...args),
    },
    reports: {
      ...operations.reports,
      download: (...args) => downloadReport(client, ...args),
      open: (...args) => openReport(client, ...args),
    },
  };
}
