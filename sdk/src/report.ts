import type { Client, RequestOptions } from './client.ts';
import { EmbossError } from './error.ts';
import { getFileRequest, requestFile } from './generated/operations.ts';
import { pause, timeLimit } from './retry.ts';
import { BROKEN_OFF, lateWords, type Message, repeat } from './send.ts';

type FileType = Parameters<typeof requestFile>[1];

export interface ReportOptions extends RequestOptions {
  /** How long to wait until the report is generated. Default ten minutes. */
  waitMs?: number | undefined;
}

export interface DownloadedReport {
  referenceId: string;
  /** For example `emboss-daily-2026-11-01.csv`. */
  fileName: string;
  /** CSV in UTF-8. It fails with an `EmbossError` if it is interrupted; then open the report again. */
  stream: ReadableStream<Uint8Array>;
  /** The whole report, for small ones. */
  text(): Promise<string>;
}

const FIRST_LOOK_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** Requests a report, waits until it is generated, and opens it. `date` is a UTC day at least two days ago. */
export async function downloadReport(
  client: Client,
  fileType: FileType,
  date: string,
  options: ReportOptions = {},
): Promise<DownloadedReport> {
  const { reference_id: referenceId } = await requestFile(client, fileType, { date }, options);
  return openReport(client, referenceId, options);
}

/** Opens a report that was requested before, for example the one in a `files` event. */
export async function openReport(
  client: Client,
  referenceId: string,
  options: ReportOptions = {},
): Promise<DownloadedReport> {
  const { timeoutMs = client.timeoutMs, signal } = options;
  // A link is valid for minutes, so each attempt requests a new one.
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

/** The path of a link that the server itself serves, as opposed to a link to its storage. */
const OWN_ADDRESS = /\/files\/[0-9a-f-]{36}\/[^/?]+\?expires=\d+&signature=[\w-]+$/;

/**
 * The link authorizes the download, so the key is not sent. A link to the server is requested under `baseUrl`, like
 * links of lists: the server's own name for itself may not be reachable from here.
 */
function downloadOf({ baseUrl }: Client, link: string): Message {
  const own = OWN_ADDRESS.exec(link)?.[0];
  return { url: own ? baseUrl + own : link, method: 'GET', headers: {}, repeatable: true };
}

const fileNameOf = ({ headers }: Response): string =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'report.csv';

/** The body with the time limit applied to each wait for data: the whole may take as long as its reader needs. */
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
        // The connection is abandoned; errors of the cancellation do not matter.
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
