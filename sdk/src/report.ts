import type { Client, RequestOptions } from './client.ts';
import { EmbossError } from './error.ts';
import { getFileRequest, requestFile } from './generated/operations.ts';
import { pause, timeLimit } from './retry.ts';
import { BROKEN_OFF, lateWords, type Message, repeat } from './send.ts';

type FileType = Parameters<typeof requestFile>[1];

export interface ReportOptions extends RequestOptions {
  /** How long to wait until the report is made. Default ten minutes. */
  waitMs?: number | undefined;
}

export interface DownloadedReport {
  referenceId: string;
  /** Such as `emboss-daily-2026-11-01.csv`. */
  fileName: string;
  /** CSV in UTF-8, as it comes. What breaks it off is an `EmbossError`; open the report again then. */
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
  const { timeoutMs = client.timeoutMs, signal } = options;
  // A link lives for minutes: each attempt asks for its own.
  const prepare = async () => downloadOf(client, await waitForLink(client, referenceId, options));
  return repeat(client, options, prepare, (response) => {
    const stream = guardedBody(response, timeoutMs, signal);
    return {
      referenceId,
      fileName: fileNameOf(response),
      stream,
      text: () => new Response(stream).text(),
    };
  });
}

/** The address of a link that the server itself serves, as opposed to one to its storage. */
const OWN_ADDRESS = /\/files\/[0-9a-f-]{36}\/[^/?]+\?expires=\d+&signature=[\w-]+$/;

/**
 * The link is the key: ours is not sent along. Of a link to the server only the address is taken, as of the links of
 * lists: from here the server may not be found by the name it gives itself.
 */
function downloadOf({ baseUrl }: Client, link: string): Message {
  const own = OWN_ADDRESS.exec(link)?.[0];
  return { url: own ? baseUrl + own : link, method: 'GET', headers: {}, repeatable: true };
}

const fileNameOf = ({ headers }: Response): string =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'report.csv';

/** What arrives, where each wait for more has the time limit: the whole may take as long as its reader does. */
function guardedBody(
  { body, status, headers }: Response,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const reader = (body ?? new Blob([]).stream()).getReader();
  const failure = (words: string, cause?: unknown) =>
    new EmbossError(words, {
      status,
      code: status,
      requestId: headers.get('x-request-id'),
      outcomeUnknown: true,
      cause,
    });
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const limit = timeLimit(timeoutMs);
      const late = new Promise<never>((_, reject) => {
        limit.signal.addEventListener('abort', () => reject(failure(lateWords(timeoutMs))));
      });
      try {
        const { done, value } = await Promise.race([reader.read(), late]);
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        // The connection is given up; what that brings is no news.
        reader.cancel(error).catch(() => undefined);
        signal?.throwIfAborted();
        throw error instanceof EmbossError ? error : failure(BROKEN_OFF, error);
      } finally {
        limit.end();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
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
