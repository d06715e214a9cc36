import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type BareVault,
  issueNumbers,
  recordsByKey,
  startBareVault,
} from '../../test/support/database/bare-vault.ts';
import { isCitusRun } from '../../test/support/database/on-citus.ts';
import { type Database, detailed, type Queryable, type Statement } from '../db/database.ts';
import { addKey, type Keyring, openKeyring } from './keyring.ts';
import { listRecordsAfter } from './queries.ts';
import { resealRecords } from './reseal-records.ts';
import type { RenewProgress } from './walk-records.ts';

let app: BareVault;
beforeEach(async () => {
  app = await startBareVault();
});
afterEach(() => app.db.close());

/** Number keys 8 and 9, besides key 1 that the vault of the test knows alone. */
async function addTwoKeys(): Promise<Keyring> {
  for (let i = 0; i < 2; i++) await addKey(app.db, app.masters, 'card-number');
  return openKeyring(app.db, app.masters);
}

const resealUnder = async (db: Database, keyring: Keyring, keyId: number, options = {}) =>
  resealRecords(db, keyring, 'card-number', await keyring.byId(keyId, db), options);

test('the cursor reads every record once, of all programs, and re-encrypts those of its purpose', async () => {
  const other = await app.addProgram();
  const refs = [...(await issueNumbers(app, 3)), ...(await issueNumbers(app, 4, { programId: other.id }))];
  await app.db.transaction(async (tx) => {
    for (const { programId, cardId, numberId: id } of refs)
      await app.vault.sealRecord(tx, { programId, ownerId: cardId, kind: 'holder', id }, { name: 'Ada' });
  });
  const keyring = await addTwoKeys();
  const seen: RenewProgress[] = [];
  const options = { pageSize: 4, onProgress: (progress: RenewProgress) => void seen.push(progress) };
  expect(await resealUnder(app.db, keyring, 9, options)).toEqual({ read: 14, renewed: 7 });
  expect(seen).toEqual([
    { read: 4, renewed: 2 },
    { read: 8, renewed: 4 },
    { read: 12, renewed: 6 },
    { read: 14, renewed: 7 },
  ]);
  expect(await recordsByKey(app.databaseUrl)).toEqual({ 2: 7, 9: 7 });
  expect(await resealUnder(app.db, keyring, 9, options)).toEqual({ read: 14, renewed: 0 });
});

test('each transaction concerns one program', async () => {
  const { id: programId } = await app.addProgram();
  await issueNumbers(app, 3);
  await issueNumbers(app, 2, { programId });
  const programs: unknown[][] = [];
  const transaction: Database['transaction'] = (work) => {
    const touched: unknown[] = [];
    programs.push(touched);
    return app.db.transaction((tx) => {
      const query = (statement: { text: string }, values: readonly unknown[] = []) => {
        touched.push(values[0]);
        return tx.query(statement, values);
      };
      return work({ ...tx, query } as typeof tx);
    });
  };
  await resealUnder({ ...app.db, transaction }, await addTwoKeys(), 9);
  expect(programs).toEqual([Array(3).fill(app.program.id), Array(2).fill(programId)]);
});

describe('two concurrent passes', () => {
  test('with an older key: its records are read again and re-encrypted with the newest key', async () => {
    await issueNumbers(app, 5);
    const keyring = await addTwoKeys();
    let older: RenewProgress | undefined;
    // The older walk comes between the reading of a page and its writing.
    const transaction: Database['transaction'] = async (work) => {
      older ??= await resealUnder(app.db, keyring, 8);
      return app.db.transaction(work);
    };
    const newer = await resealUnder({ ...app.db, transaction }, keyring, 9);
    expect({ older, newer }).toEqual({
      older: { read: 5, renewed: 5 },
      newer: { read: 5, renewed: 5 },
    });
    expect(await recordsByKey(app.databaseUrl)).toEqual({ 9: 5 });
  });

  test('with a newer key: its records are not changed', async () => {
    await issueNumbers(app, 5);
    const keyring = await addTwoKeys();
    let newer: RenewProgress | undefined;
    const onProgress = async () => {
      newer ??= await resealUnder(app.db, keyring, 9);
    };
    const older = await resealUnder(app.db, keyring, 8, { pageSize: 2, onProgress });
    expect({ older, newer }).toEqual({
      older: { read: 5, renewed: 2 },
      newer: { read: 5, renewed: 5 },
    });
    expect(await recordsByKey(app.databaseUrl)).toEqual({ 9: 5 });
  });
});

test('a page costs the same at any position and with any number of records', async () => {
  const records = 20_000;
  await app.sql(
    `insert into vault_records (program_id, owner_id, kind, id, sealed)
     select $1, lpad(to_hex(index), 32, '0')::uuid, 'number', $1, decode(repeat('5a', 48), 'hex')
     from generate_series(1, ${records}) as index`,
    [app.program.id],
  );
  const buffersAt = async (index: number): Promise<number> => {
    let buffers = 0;
    const query = async (statement: string | Statement, values: readonly unknown[] = []) => {
      const explain = `explain (analyze, buffers, format json) ${detailed(statement).text}`;
      const rows = await app.sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(explain, [...values]);
      const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
      expect(plan['Actual Rows']).toBe(100);
      buffers = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
      return [];
    };
    const ownerId = `00000000-0000-0000-0000-${index.toString(16).padStart(12, '0')}`;
    const at = { programId: app.program.id, ownerId, kind: 'number', id: app.program.id };
    await listRecordsAfter({ query } as Queryable, at, 100);
    return buffers;
  };
  const most = isCitusRun() ? 100 : 50;
  for (const index of [0, records / 2, records - 100]) expect(await buffersAt(index)).toBeLessThan(most);
});
