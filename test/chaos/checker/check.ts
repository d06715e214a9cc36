import { join } from 'node:path';
import { readHistory, readLines } from '../history.ts';
import type { Received } from '../receiver.ts';
import { checkAudit } from './check-audit.ts';
import { checkBooks } from './check-books.ts';
import { checkEffects, requestsOf } from './check-effects.ts';
import { checkEvents } from './check-events.ts';
import { checkKeys } from './check-keys.ts';
import { checkModel } from './check-model.ts';
import { checkReports } from './check-reports.ts';
import type { Report } from './finding.ts';
import { readRows } from './rows.ts';

/** Compares history, receiver's log, reports and database. It shares no code with the product. */
export async function check(
  dir: string,
  databaseUrl: string,
  webhookSecret: string,
  report: Report,
): Promise<void> {
  const requests = requestsOf(readHistory(join(dir, 'history.jsonl')));
  const rows = await readRows(databaseUrl);
  checkEffects(requests, rows, report);
  checkKeys(requests, report);
  await checkModel(databaseUrl, requests, rows, report);
  checkAudit(rows, report);
  const received = readLines<Received>(join(dir, 'received.jsonl'));
  checkEvents(rows, received, webhookSecret, report);
  checkBooks(rows, received, report);
  checkReports(join(dir, 'reports'), rows, report);
  if (rows.migrations.filter((row) => row['name'].endsWith('_chaos')).length !== 1)
    report('a migration is whole or absent', 'the migration of the next release is not there once');
}
