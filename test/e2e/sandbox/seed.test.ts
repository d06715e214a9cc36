import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/db/database.ts';
import { secret } from '../../../src/kernel/secret.ts';
import { verifyLedger } from '../../../src/ledger/verify-ledger.ts';
import { NO_FEES } from '../../../src/programs/program.ts';
import { listPrograms } from '../../../src/programs/queries.ts';
import { FILE_TYPES } from '../../../src/reports/report.ts';
import { seedSandbox } from '../../../src/sandbox/seed-sandbox.ts';
import { masterKeyFrom } from '../../../src/vault/keyring.ts';
import { openVault } from '../../../src/vault/vault.ts';
import { CARDS, consumerCard, createCard } from '../../support/cards/cards.ts';
import { follow, swipe } from '../../support/cards/swipe.ts';
import { freshDatabase, namedStatements } from '../../support/database/database.ts';
import { readReport } from '../../support/reports/reports.ts';
import { advanceDays, today } from '../../support/server/clock.ts';
import { startTestApp, type TestApp } from '../../support/server/test-app.ts';

const KEY = 'key-of-the-seeded-sandbox';
let app: TestApp;
let programId: string;
let createdAt: string;
beforeAll(async () => {
  const masterKey = randomBytes(32).toString('base64');
  const databaseUrl = await freshDatabase();
  const db = openDatabase({
    url: databaseUrl,
    poolSize: 2,
    namedStatements: namedStatements(),
    onIdleError: () => {},
  });
  const vault = await openVault(db, [masterKeyFrom(secret(masterKey))]);
  await seedSandbox({ db, vault }, { merchantKey: secret(KEY), networkKey: undefined });
  const [program] = await listPrograms(db);
  programId = program?.id as string;
  createdAt = program?.createdAt.toISOString() as string;
  await db.close();
  app = await startTestApp({ databaseUrl, masterKey });
});
afterAll(() => app.close());

describe('the sandbox program of the first start', () => {
  test('has a plausible fee schedule', async () => {
    const program = (await listPrograms(app.db)).find(({ id }) => id === programId);
    expect(program).toMatchObject({
      fxFeeBps: 150,
      atmFeeMinor: 200n,
      interchangeBps: 80,
      cashInterchangeBps: -30,
      transactionCostMinor: 5n,
      transactionCostBps: 10,
      virtualIssuanceFeeMinor: 50n,
      physicalIssuanceFeeMinor: 400n,
      maintenanceFeeMinor: 50n,
    });
    expect(Object.keys(NO_FEES)).toHaveLength(9);
  });

  test('is funded at its creation: the first day’s report shows it, and the ledger agrees', async () => {
    const { rows } = await readReport(app, 'daily', createdAt.slice(0, 10), KEY);
    expect(rows).toMatchObject([{ event: 'funding', in: '100000.00', balance: '100000.00' }]);
    expect(rows[0]?.['event_time']).toContain(createdAt.slice(0, 10));
    expect((await verifyLedger(app.db, programId)).difference).toBeUndefined();
  });

  test('after a few purchases every report type has rows', async () => {
    const { id } = await createCard(app, {}, KEY);
    const physical = { body: { ...consumerCard(), cardType: 'physical' }, key: KEY };
    expect((await app.call('POST', CARDS, physical)).status).toBe(201);
    const abroad = await swipe(app, id, '20.00', { currency: 'USD', bill_amount: '18.40' }, KEY);
    const cash = await swipe(app, id, '30.00', { channel: 'ATM' }, KEY);
    for (const { transaction_id } of [abroad, cash]) await follow(app, 'clearings', { transaction_id }, KEY);
    const day = await today(app, KEY);
    await advanceDays(app, 64, KEY);
    for (const fileType of FILE_TYPES) {
      const { rows } = await readReport(app, fileType, day, KEY);
      expect([fileType, rows.length > 0]).toEqual([fileType, true]);
    }
    const { rows } = await readReport(app, 'fee', day, KEY);
    expect(rows.map(({ type, amount }) => `${type} ${amount}`).sort()).toEqual(['ATM 2.00', 'FX 0.28']);
    expect((await verifyLedger(app.db, programId)).difference).toBeUndefined();
  });
});
