import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { endAll, newDataDir } from '../support/server-process.ts';
import { type FuzzReport, runFuzz } from './run-fuzz.ts';
import { WAYS } from './ways.ts';

/** Another seed sends other requests; `npm run fuzz` takes one, and sends a hundred thousand. */
const SEED = 6;
const REQUESTS = 2_400;

let report: FuzzReport;
beforeAll(async () => {
  const databaseUrl = await freshDatabase();
  report = await runFuzz({ databaseUrl, dataDir: newDataDir(), seed: SEED, requests: REQUESTS });
}, 120_000);
afterAll(endAll);

describe('whatever is sent', () => {
  test('no 5xx, no hang, the error body always, answers as documented, effects as asked, and none of what is refused', () => {
    expect(report.findings).toEqual([]);
  });

  test('the server goes on, within its memory, and the ledger adds up', () => {
    expect(report.faults).toEqual([]);
  });

  test('the run met every operation, and most of them with success', () => {
    expect(report.sent).toBeGreaterThanOrEqual(REQUESTS);
    const never = report.coverage.filter(({ met }) => Object.keys(met).length === 0);
    expect(never.map(({ operation }) => operation)).toEqual([]);
    const succeeded = report.coverage.filter(({ met }) => Object.keys(met).some((status) => status < '300'));
    expect(succeeded.length).toBeGreaterThan(0.8 * report.coverage.length);
    for (const way of WAYS)
      expect([way, report.coverage.filter(({ ways }) => (ways[way] ?? 0) > 0).length > 10]).toEqual([
        way,
        true,
      ]);
  });
});
