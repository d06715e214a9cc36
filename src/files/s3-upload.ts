import type { Readable } from 'node:stream';
import { readXml } from './read-xml.ts';
import { type S3Settings, sendS3 } from './s3-request.ts';

/** At most one part is in memory, however large the file is. */
const PART_BYTES = 8 * 1024 * 1024;

/** Uploads content of unknown length. The object appears when it is complete, or not at all. */
export async function saveToS3(
  settings: S3Settings,
  key: string,
  content: Readable,
  contentType: string,
): Promise<{ bytes: number }> {
  const headers = { 'content-type': contentType };
  const part = Buffer.allocUnsafeSlow(PART_BYTES);
  let filled = 0;
  let bytes = 0;
  let upload: Upload | undefined;
  try {
    for await (const chunk of content) {
      for (let rest = bytesOf(chunk); rest.length > 0; ) {
        // A full part is sent only if more content follows: content of one part needs no multipart upload.
        if (filled === PART_BYTES) {
          upload ??= await beginUpload(settings, key, headers);
          await upload.put(part);
          filled = 0;
        }
        const copied = rest.copy(part, filled);
        filled += copied;
        bytes += copied;
        rest = rest.subarray(copied);
      }
    }
    const last = part.subarray(0, filled);
    if (upload) await upload.finish(last);
    else await (await sendS3(settings, { method: 'PUT', key, headers, body: last })).body?.cancel();
    return { bytes };
  } catch (error) {
    // The first error is reported. If the abort fails too, the bucket's lifecycle rules remove the parts.
    await upload?.abort().catch(() => {});
    throw error;
  }
}

interface Upload {
  put(part: Buffer): Promise<void>;
  finish(last: Buffer): Promise<void>;
  abort(): Promise<void>;
}

async function beginUpload(
  settings: S3Settings,
  key: string,
  headers: Record<string, string>,
): Promise<Upload> {
  const begun = await sendS3(settings, { method: 'POST', key, query: { uploads: '' }, headers });
  const uploadId = readXml(await begun.text()).get('UploadId') ?? '';
  if (uploadId === '') throw new Error('S3 storage: no upload id was returned');
  const tags: string[] = [];

  async function put(part: Buffer): Promise<void> {
    const query = { partNumber: String(tags.length + 1), uploadId };
    const answer = await sendS3(settings, { method: 'PUT', key, query, body: part });
    await answer.body?.cancel();
    const tag = answer.headers.get('etag');
    if (!tag) throw new Error('S3 storage: no ETag was returned for a part');
    tags.push(tag);
  }
  return {
    put,
    finish: async (last) => {
      await put(last);
      const parts = tags.map(
        (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
      );
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
      const answer = await sendS3(settings, { method: 'POST', key, query: { uploadId }, body });
      // S3 sends status 200 before it has joined the parts, and reports a failure in the body.
      if (!readXml(await answer.text()).has('CompleteMultipartUploadResult'))
        throw new Error('S3 storage: the multipart upload could not be completed');
    },
    abort: async () => {
      await (await sendS3(settings, { method: 'DELETE', key, query: { uploadId } })).body?.cancel();
    },
  };
}

const bytesOf = (chunk: string | Uint8Array): Buffer =>
  typeof chunk === 'string'
    ? Buffer.from(chunk)
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
