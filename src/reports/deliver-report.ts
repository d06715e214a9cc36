import type { Identity } from '../audit/entry.ts';
import type { DownloadRequest } from '../files/download.ts';
import { type Download, serveFile } from '../files/serve-file.ts';
import type { FileStorage, NamedFile } from '../files/storage.ts';
import { notFound } from '../kernel/error.ts';

export interface DownloadServices {
  storage: FileStorage;
  findStored(reportId: string): Promise<(NamedFile & { programId: string }) | undefined>;
  /** Audits the download. The entry commits before the first byte is sent. */
  recordDownload(by: Identity, programId: string, reportId: string): Promise<void>;
}

/** Opens the file of a valid link. Throws a 404 if the file has been removed. */
export async function deliverReport(
  { storage, findStored, recordDownload }: DownloadServices,
  reportId: string,
  request: DownloadRequest,
  by: Identity,
): Promise<Download> {
  const stored = await findStored(reportId);
  if (!stored) throw notFound();
  const download = await serveFile(storage, stored, request);
  if (!download.content) return download;
  try {
    await recordDownload(by, stored.programId, reportId);
    return download;
  } catch (error) {
    download.content.destroy();
    throw error;
  }
}
