import type { Tx } from '../db/database.ts';
import { EmbossError } from '../kernel/error.ts';
import { countOpenReports, lockQueue, type ReportRecord } from './queries.ts';

/** Open reports of one program: requested, and their files not ready yet. Requests for the same report share one. */
const MOST_OPEN = 100;
const RETRY_AFTER_SECONDS = 10;

/** Claims a report, and refuses the claim where it opens one too many. Concurrent claims are counted one by one. */
export async function openWithinBound<Claimed extends ReportRecord | undefined>(
  tx: Tx,
  programId: string,
  claim: () => Promise<Claimed>,
): Promise<Claimed> {
  lockQueue(tx, programId);
  const report = await claim();
  if (report?.status === 'pending' && (await countOpenReports(tx, programId)) > MOST_OPEN)
    throw new EmbossError(
      429,
      `A program can have at most ${MOST_OPEN} pending reports; retry when some are ready`,
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  return report;
}
