import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '../support/database/database.ts';
import { endAll, newDataDir } from '../support/server/server-process.ts';
import { type FuzzReport, runFuzz } from './run-fuzz.ts';

/** Another seed sends other requests; `npm run fuzz` takes one, and sends a hundred thousand. */
const SEED = 13;
const REQUESTS = 5_000;

let report: FuzzReport;
beforeAll(async () => {
  const databaseUrl = await freshDatabase();
  report = await runFuzz({ databaseUrl, dataDir: newDataDir(), seed: SEED, requests: REQUESTS });
}, 240_000);
afterAll(endAll);

describe('for any request', () => {
  test('no 5xx, no hang, always the error body, responses as documented, accepted requests have their effect, refused ones none', () => {
    expect(report.findings).toEqual([]);
  });

  test('the server keeps running, within its memory, and the ledger verifies', () => {
    expect(report.faults).toEqual([]);
  });

  test('the run had a success of every operation, and used every way with many of them', () => {
    expect(report.notMet).toEqual([]);
  });
});
