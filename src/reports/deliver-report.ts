import { pipeline, type Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { Identity } from '../audit/entry.ts';
import { notFound } from '../kernel/error.ts';
import { type DownloadRequest, planDelivery } from './download.ts';
import type { OpenedFile, ReportStorage } from './storage/storage.ts';

export interface StoredReport {
  programId: string;
  storageKey: string;
  fileName: string;
}

export interface DownloadServices {
  storage: ReportStorage;
  findStored(reportId: string): Promise<StoredReport | undefined>;
  /** Audits the download. The entry commits before the first byte is sent. */
  recordDownload(by: Identity, programId: string, reportId: string): Promise<void>;
}

export interface Download {
  status: 200 | 206 | 416;
  headers: Record<string, string>;
  /** Undefined if the response has no body. */
  content: Readable | undefined;
}

/** Opens the file of a valid link. Throws a 404 if the file has been removed. */
export async function deliverReport(
  services: DownloadServices,
  reportId: string,
  request: DownloadRequest,
  by: Identity,
): Promise<Download> {
  const stored = await services.findStored(reportId);
  if (!stored) throw notFound();
  const file = await openOrRefuse(services.storage.open(stored.storageKey));
  const download = await prepare(services.storage, stored, file, request);
  if (!download.content) return download;
  try {
    await services.recordDownload(by, stored.programId, reportId);
    return download;
  } catch (error) {
    download.content.destroy();
    throw error;
  }
}

async function prepare(
  storage: ReportStorage,
  { storageKey, fileName }: StoredReport,
  { content, bytes }: OpenedFile,
  request: DownloadRequest,
): Promise<Download> {
  const delivery = planDelivery(request, bytes);
  if (delivery.kind !== 'whole' || request.method === 'HEAD') content.destroy();
  if (delivery.kind === 'unsatisfiable')
    return { status: 416, headers: { 'content-range': `bytes */${bytes}` }, content: undefined };
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
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
