import type { Database } from '../db/database.ts';
import type { FileStorage } from '../files/storage.ts';
import { EmbossError, notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { fileOf, findFile, type ReadyReport } from './find-file.ts';
import { openWithinBound } from './open-within-bound.ts';
import { claimReportOfRequest, findReport, findReportOfRequest } from './queries.ts';

/** Creates a link to the file, valid for five minutes of real time. `expireAt` is in Unix seconds. */
export type MintLink = (report: ReadyReport) => Promise<{ link: string; expireAt: number }>;

export interface RequestServices {
  db: Database;
  storage: FileStorage;
  mintLink: MintLink;
  keepFilesMs: number;
}

export interface RequestState {
  reference_id: string;
  status: 'pending' | 'ready';
  link: string | null;
  expireAt: number | null;
}

/** The state of a request, with a new link if the file is ready. An expired or lost file is generated again. */
export async function readRequest(
  { db, storage, mintLink, keepFilesMs }: RequestServices,
  programId: string,
  referenceId: string,
): Promise<RequestState> {
  if (!isId(referenceId)) throw notFound();
  const found = await findReportOfRequest(db, programId, referenceId);
  if (!found) throw notFound();
  const lasting = found.status === 'pending' || (found.status === 'ready' && !found.fading);
  const report = lasting
    ? found
    : await db.transaction((tx) =>
        openWithinBound(tx, programId, () => claimReportOfRequest(tx, programId, referenceId, keepFilesMs)),
      );
  const file = report && (await findFile({ db, storage }, report));
  if (!file) return { reference_id: referenceId, status: 'pending', link: null, expireAt: null };
  return { reference_id: referenceId, status: 'ready', ...(await mintLink(file)) };
}

/**
 * The data of a `files` event, with a link created for this delivery. Throws while the file is being generated again;
 * the delivery is then retried.
 */
export async function completeFileData(
  services: RequestServices,
  programId: string,
  referenceId: string,
): Promise<{ reference_id: string; link: string; expireAt: number }> {
  const { reference_id, link, expireAt } = await readRequest(services, programId, referenceId);
  if (link === null || expireAt === null)
    throw new EmbossError(503, 'The file is being generated again; retry');
  return { reference_id, link, expireAt };
}

/** The file that a link names, if the database has it as ready. */
export async function findStored(db: Database, reportId: string): Promise<ReadyReport | undefined> {
  const report = await findReport(db, reportId);
  return report && fileOf(report);
}
