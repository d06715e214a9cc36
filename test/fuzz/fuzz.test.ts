import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '../support/database/database.ts';
import { endAll, newDataDir } from '../support/server/server-process.ts';
import { type FuzzReport, runFuzz } from './run-fuzz.ts';

/** Another seed sends other requests; `npm run fuzz` takes one, and sends a hundred thousand. */
const SEED = 6;
const REQUESTS = 2_400;

let report: FuzzReport;
beforeAll(async () => {
  const databaseUrl = await freshDatabase();
  report = await runFuzz({ databaseUrl, dataDir: newDataDir(), seed: SEED, requests: REQUESTS });
}, 240_000);
afterAll(endAll);

describe('whatever is sent', () => {
  test('no 5xx, no hang, the error body always, answers as documented, effects as asked, and none of what is refused', () => {
    expect(report.findings).toEqual([]);
  });

  test('the server goes on, within its memory, and the ledger adds up', () => {
    expect(report.faults).toEqual([]);
  });

  test('the run met every operation with success, and every way with many of them', () => {
    expect(report.notMet).toEqual([]);
  });
});
