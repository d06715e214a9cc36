import { chargeMaintenance } from '../cards/charge-maintenance.ts';
import type { Database } from '../db/database.ts';
import { dayEndMs } from '../kernel/calendar.ts';
import { waitUntilClosed } from '../programs/wait-until-closed.ts';
import type { Subject } from './report.ts';

const PATIENCE_MS = 500;
const CHARGE_LIMIT_MS = 5_000;

/**
 * Ensures that nothing can be added to a report's period any more, so that the report's bytes never change: no open
 * transaction is dated in the period, and the calendar fees are charged. Returns false if this is not the case yet.
 */
export async function closePeriod(
  db: Database,
  programId: string,
  { fileType, lastDay }: Subject,
): Promise<boolean> {
  if (!(await waitUntilClosed(db, programId, dayEndMs(lastDay), PATIENCE_MS))) return false;
  if (fileType !== 'monthlyNonTransactionFees') return true;
  return (await chargeMaintenance(db, programId, performance.now() + CHARGE_LIMIT_MS)) > lastDay;
}
