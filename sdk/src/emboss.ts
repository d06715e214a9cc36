import { type Client, type ClientOptions, createClient } from './client.ts';
import { bindOperations, type Operations } from './generated/namespaces.ts';
import { type DownloadedReport, downloadReport, openReport, type ReportOptions } from './report.ts';

type FileType = Parameters<typeof downloadReport>[1];

export interface Emboss extends Omit<Operations, 'reports'> {
  /** For the operations as functions, and for those who want to call them with another client. */
  client: Client;
  reports: Operations['reports'] & {
    /** Asks for a report, waits until it is made, and opens it. */
    download(fileType: FileType, date: string, options?: ReportOptions): Promise<DownloadedReport>;
    /** Opens a report that was asked for before. */
    open(referenceId: string, options?: ReportOptions): Promise<DownloadedReport>;
  };
}

/** Everything under one roof. Where size counts, use `createClient` and the functions: what is not used falls away. */
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
