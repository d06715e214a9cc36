import type { Tx } from '../db/database.ts';
import { EmbossError } from '../kernel/error.ts';
import { lockProgram } from '../programs/queries.ts';
import { countOpenReports, type ReportRecord } from './queries.ts';

/** Reports of one program that are requested and not ready yet. Requests for the same report count once. */
const MOST_OPEN = 100;
const RETRY_AFTER_SECONDS = 10;

/**
 * Claims a report. Refuses the claim if the program would have too many pending reports. The lock on the program
 * serialises concurrent claims.
 */
export async function openWithinBound<Claimed extends ReportRecord | undefined>(
  tx: Tx,
  programId: string,
  claim: () => Promise<Claimed>,
): Promise<Claimed> {
  // Sent together with the claim.
  void lockProgram(tx, programId);
  const report = await claim();
  if (report?.status === 'pending' && (await countOpenReports(tx, programId)) > MOST_OPEN)
    throw new EmbossError(
      429,
      `A program can have at most ${MOST_OPEN} pending reports; retry when some are ready`,
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  return report;
}
