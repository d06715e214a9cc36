import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { findS3, presignS3, type S3Settings, sendS3 } from './s3-request.ts';
import { saveToS3 } from './s3-upload.ts';
import type { ByteRange, FileStorage, OpenedFile } from './storage.ts';

/** A caller waits for the response, which has no body. */
const HEAD_TIMEOUT_MS = 2_000;

/** Stores files in a bucket of any S3-compatible service. */
export function createS3Storage(settings: S3Settings, contentType: string): FileStorage {
  return {
    contentType,
    save: (key, content) => saveToS3(settings, key, content, contentType),
    open: (key, range) => openObject(settings, key, range),
    size: async (key) => {
      // A server that compresses the response would return a different size.
      const headers = { 'accept-encoding': 'identity' };
      const answer = await findS3(settings, { method: 'HEAD', key, headers, timeoutMs: HEAD_TIMEOUT_MS });
      return answer && wholeSize(answer.headers);
    },
    remove: async (key) => {
      await (await sendS3(settings, { method: 'DELETE', key })).body?.cancel();
    },
    presign: async (key, fileName, seconds) => {
      const query = {
        'response-content-disposition': `attachment; filename="${fileName}"`,
        'response-content-type': contentType,
        'response-cache-control': 'private, no-store',
      };
      return presignS3(settings, { key, query }, seconds, Date.now());
    },
  };
}

async function openObject(
  settings: S3Settings,
  key: string,
  range?: ByteRange,
): Promise<OpenedFile | undefined> {
  const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
  const answer = await findS3(settings, { method: 'GET', key, headers });
  if (!answer) return undefined;
  const { body } = answer;
  const content = body ? Readable.fromWeb(body as ReadableStream) : Readable.from([]);
  return { content, bytes: wholeSize(answer.headers) };
}

/** The response to a range request includes the size of the whole file. */
function wholeSize(headers: Headers): number {
  const range = /^bytes \d+-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '');
  return Number(range?.[1] ?? headers.get('content-length'));
}
