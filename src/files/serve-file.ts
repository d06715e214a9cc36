import { pipeline, type Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { notFound } from '../kernel/error.ts';
import { type DownloadRequest, planDelivery } from './download.ts';
import type { FileStorage, NamedFile, OpenedFile } from './storage.ts';

export interface Download {
  status: 200 | 206 | 416;
  headers: Record<string, string>;
  /** Undefined if the response has no body. */
  content: Readable | undefined;
}

/** Opens a file as a request wants it: whole, compressed or a part. Throws a 404 if the file has been removed. */
export async function serveFile(
  storage: FileStorage,
  { storageKey, fileName }: NamedFile,
  request: DownloadRequest,
): Promise<Download> {
  const { content, bytes } = await openOrRefuse(storage.open(storageKey));
  const delivery = planDelivery(request, bytes);
  if (delivery.kind !== 'whole' || request.method === 'HEAD') content.destroy();
  if (delivery.kind === 'unsatisfiable')
    return { status: 416, headers: { 'content-range': `bytes */${bytes}` }, content: undefined };
  const headers = {
    'content-type': storage.contentType,
    'content-disposition': `attachment; filename="${fileName}"`,
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    vary: 'accept-encoding',
  };
  if (delivery.kind === 'part') {
    const { start, end } = delivery.range;
    const range = {
      'content-range': `bytes ${start}-${end}/${bytes}`,
      'content-length': String(end - start + 1),
    };
    const part = await openOrRefuse(storage.open(storageKey, delivery.range));
    return { status: 206, headers: { ...headers, ...range }, content: part.content };
  }
  const size = delivery.gzip ? { 'content-encoding': 'gzip' } : { 'content-length': String(bytes) };
  const whole = request.method === 'HEAD' ? undefined : delivery.gzip ? compress(content) : content;
  return { status: 200, headers: { ...headers, ...size }, content: whole };
}

async function openOrRefuse(opening: Promise<OpenedFile | undefined>): Promise<OpenedFile> {
  const file = await opening;
  if (!file) throw notFound();
  return file;
}

/**
 * Optimised for speed, because every download compresses the file again. A failure on either side ends both streams.
 */
const compress = (content: Readable): Readable =>
  pipeline(content, createGzip({ level: constants.Z_BEST_SPEED }), () => {});
