import type { Client, RequestOptions } from './client.ts';
import { EmbossError } from './error.ts';
import { getFileRequest, requestFile } from './generated/operations.ts';
import { pause } from './retry.ts';

type FileType = Parameters<typeof requestFile>[1];

export interface ReportOptions extends RequestOptions {
  /** How long to wait until the report is made. Default ten minutes. */
  waitMs?: number | undefined;
}

export interface DownloadedReport {
  referenceId: string;
  /** Such as `emboss-daily-2026-11-01.csv`. */
  fileName: string;
  /** CSV in UTF-8, as it comes. */
  stream: ReadableStream<Uint8Array>;
  /** All of it, for those that are small. */
  text(): Promise<string>;
}

const FIRST_LOOK_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** Asks for a report, waits until it is made, and opens it. `date` is a UTC day, two days ago at the latest. */
export async function downloadReport(
  client: Client,
  fileType: FileType,
  date: string,
  options: ReportOptions = {},
): Promise<DownloadedReport> {
  const { reference_id: referenceId } = await requestFile(client, fileType, { date }, options);
  return openReport(client, referenceId, options);
}

/** Opens a report that was asked for before, such as the one that a `files` event tells of. */
export async function openReport(
  client: Client,
  referenceId: string,
  options: ReportOptions = {},
): Promise<DownloadedReport> {
  const link = await waitForLink(client, referenceId, options);
  // The link is the key: ours is not sent along.
  const response = await client.fetch(link, options.signal ? { signal: options.signal } : {});
  if (!response.ok || !response.body)
    throw new EmbossError(`The download was refused with ${response.status}`, {
      status: response.status,
      code: response.status,
      requestId: response.headers.get('x-request-id'),
    });
  return {
    referenceId,
    fileName: decodeURIComponent(new URL(link).pathname.split('/').at(-1) ?? ''),
    stream: response.body,
    text: () => response.text(),
  };
}

async function waitForLink(client: Client, referenceId: string, options: ReportOptions): Promise<string> {
  const deadline = Date.now() + (options.waitMs ?? 600_000);
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const { link } = await getFileRequest(client, referenceId, options);
    if (link !== null) return link;
    if (Date.now() + pauseMs > deadline)
      throw new EmbossError(`The report ${referenceId} is not ready yet; open it later`, {
        status: null,
        code: null,
      });
    await pause(pauseMs, options.signal);
  }
}
