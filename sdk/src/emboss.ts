import { type Client, type ClientOptions, createClient } from './client.ts';
import { bindOperations, type Operations } from './generated/namespaces.ts';
import { type DownloadedReport, downloadReport, openReport, type ReportOptions } from './report.ts';

type FileType = Parameters<typeof downloadReport>[1];

export interface Emboss extends Omit<Operations, 'reports'> {
  /** For calling operations as functions. */
  client: Client;
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
    reports: {
      ...operations.reports,
      download: (...args) => downloadReport(client, ...args),
      open: (...args) => openReport(client, ...args),
    },
  };
}
