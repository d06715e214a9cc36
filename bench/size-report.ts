import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../src/db/database.ts';
import { findReport, forgetReports } from './queries.ts';
import type { Sized } from './size-operations.ts';
import type { ReportedDay } from './size-programs.ts';

const LOOK_EVERY_MS = 1;

/**
 * From the request to the file, but for the time until a worker looks for work, which is up to a second and a matter of
 * luck: the request itself, and from the moment that the worker takes it until it is ready.
 */
export async function timeReport(
  db: Database,
  { program, merchant }: Sized,
  { day, rows }: ReportedDay,
): Promise<number> {
  await forgetReports(db, program.id);
  const started = performance.now();
  const asked = merchant
    .send({ method: 'GET', path: `/api/v1/merchant/files/daily/?date=${day}` })
    .then(() => performance.now() - started);
  const takenAt = await momentOf(db, program.id, 'taken');
  const readyAt = await momentOf(db, program.id, 'ready');
  const made = await findReport(db, program.id);
  if (made?.rows !== rows) throw new Error(`a report has ${made?.rows} rows instead of ${rows}`);
  return (await asked) + readyAt - takenAt;
}

async function momentOf(db: Database, programId: string, awaited: 'taken' | 'ready'): Promise<number> {
  for (;;) {
    const report = await findReport(db, programId);
    if (report?.state === 'ready' || report?.state === awaited) return performance.now();
    await pause(LOOK_EVERY_MS);
  }
}
