import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCard } from '../../test/support/cards/cards.ts';
import { freshDatabase } from '../../test/support/database/database.ts';
import { appForTests, startTestApp } from '../../test/support/server/test-app.ts';
import { dayOf } from '../kernel/calendar.ts';
import { newId } from '../kernel/ids.ts';
import { isLuhn } from '../kernel/luhn.ts';
import { reveal, secret } from '../kernel/secret.ts';
import { masterKeyFrom } from './keyring.ts';
import { type CredentialRef, openVault } from './vault.ts';

const app = appForTests();

const otherMaster = () => masterKeyFrom(secret(randomBytes(32).toString('base64')));

async function issue(bin = '999900', programId = app.program.id): Promise<CredentialRef> {
  const cardId = newId(Date.now());
  const { numberId } = await app.db.transaction((tx) =>
    app.vault.issueNumber(tx, { programId, cardId, bin, nowMs: Date.now() }),
  );
  const ref = { programId, cardId, numberId, expiryDate: '2029-11-15' };
  return { ...ref, ...(await app.vault.planCvv(app.db, ref)) };
}

const numberOf = async (ref: CredentialRef) => reveal((await app.vault.revealCredential(app.db, ref)).number);

describe('card numbers', () => {
  test('are Luhn-valid and unique, also if created concurrently', async () => {
    const refs: CredentialRef[] = [];
    // No more than have their turn at the database in time, also on a busy machine.
    for (let wave = 0; wave < 5; wave++)
      refs.push(...(await Promise.all(Array.from({ length: 40 }, () => issue()))));
    const numbers = await Promise.all(refs.map(numberOf));
    expect(new Set(numbers).size).toBe(200);
    expect(numbers.filter((number) => !isLuhn(number) || !number.startsWith('999900'))).toEqual([]);
  });

  test('are issued once across programs, down to the last number of a BIN; then the vault reports it', async () => {
    // With fourteen digits given only ten numbers exist, so that nearly every draw is a repetition.
    const bin = `9999${String(Date.now()).slice(-10)}`;
    const { program } = await app.addProgram();
    const owners = Array.from({ length: 10 }, (_, n) => (n % 2 ? program.id : app.program.id));
    const numbers = await Promise.all((await Promise.all(owners.map((id) => issue(bin, id)))).map(numberOf));
    expect(new Set(numbers).size).toBe(10);
    await expect(issue(bin)).rejects.toThrow(`BIN ${bin} has no numbers left`);
  });

  test('are not in the database in plain text, nor as an unkeyed hash', async () => {
    const ref = await issue();
    const number = await numberOf(ref);
    for (const name of ['vault_records', 'card_fingerprints', 'vault_keys']) {
      const text = JSON.stringify(await app.sql(`select t::text from ${name} t`));
      expect(text).not.toContain(number);
      expect(text).not.toContain(Buffer.from(number).toString('hex'));
      for (const hash of ['sha256', 'sha1', 'md5'])
        expect(text).not.toContain(createHash(hash).update(number).digest('hex'));
    }
  });
});

describe('a new CVV', () => {
  test('differs from the one it replaces, in a long series of reissues', async () => {
    let old = await issue();
    for (let turn = 0; turn < 150; turn++) {
      // Number and expiry stay, so that only the salt can make the difference.
      const next = { ...old, ...(await app.vault.planCvv(app.db, old, old)) };
      const [before, after] = await Promise.all(
        [old, next].map((ref) => app.vault.revealCredential(app.db, ref)),
      );
      expect(reveal(after?.cvv as never)).not.toBe(reveal(before?.cvv as never));
      old = next;
    }
  });

  test('differs even if the derivation would repeat it', async () => {
    const old = await issue();
    const cvvOf = async (ref: CredentialRef) => reveal((await app.vault.revealCredential(app.db, ref)).cvv);
    const oldCvv = await cvvOf(old);
    const first = old.cvvSalt + 1;
    let repetitions = 0;
    for (let day = 0; day < 8_000; day++) {
      const next = { ...old, expiryDate: dayOf(day * 86_400_000) };
      const planned = await app.vault.planCvv(app.db, next, old);
      if (planned.cvvSalt === first && day % 100 > 0) continue;
      expect(await cvvOf({ ...next, ...planned })).not.toBe(oldCvv);
      if (planned.cvvSalt === first) continue;
      expect(await cvvOf({ ...next, ...planned, cvvSalt: first })).toBe(oldCvv);
      repetitions++;
    }
    // One in a thousand.
    expect(repetitions).toBeGreaterThan(0);
  });
});

interface Row {
  program_id: string;
  owner_id: string;
  kind: string;
  id: string;
  sealed: Buffer;
}

describe('rows of the vault', () => {
  const update = (row: Row, sealed: Buffer) =>
    app.db.query(
      {
        text: `update vault_records set sealed = $5
               where program_id = $1 and owner_id = $2 and kind = $3 and id = $4`,
      },
      [row.program_id, row.owner_id, row.kind, row.id, sealed],
    );
  const refOf = (row: Row): CredentialRef => ({
    programId: row.program_id,
    cardId: row.owner_id,
    numberId: row.id,
    expiryDate: '2029-11-15',
    cvvKeyId: 4,
    cvvSalt: 0,
  });
  const read = (row: Row) =>
    row.kind === 'number'
      ? app.vault.revealCredential(app.db, refOf(row))
      : app.vault.openRecords(app.db, row.program_id, row.kind as 'holder', [row.owner_id]);

  async function someRows(): Promise<Row[]> {
    const { program, key } = await app.addProgram();
    await createCard(app, {}, key);
    await createCard(app, {}, key);
    await createCard(app, {}, (await app.addProgram()).key);
    const rows = await app.sql<Row>('select * from vault_records where program_id >= $1', [program.id]);
    expect(new Set(rows.map((row) => row.kind)).size).toBeGreaterThan(1);
    for (const row of rows) await read(row);
    return rows;
  }

  test('are detected if they are swapped, for any two records', async () => {
    const rows = await someRows();
    for (const target of rows)
      for (const source of rows) {
        if (source === target) continue;
        await update(target, source.sealed);
        await expect(read(target)).rejects.toThrow(/was altered or moved and cannot be opened/);
        await update(target, target.sealed);
      }
    for (const row of rows) await read(row);
  });

  test('are detected if any bit is altered', async () => {
    const rows = await someRows();
    const change = fc.record({ row: fc.constantFrom(...rows), at: fc.nat(), bit: fc.nat({ max: 7 }) });
    await fc.assert(
      fc.asyncProperty(change, async ({ row, at, bit }) => {
        const altered = Buffer.from(row.sealed);
        const byte = at % altered.length;
        altered[byte] = (altered[byte] as number) ^ (1 << bit);
        await update(row, altered);
        await expect(read(row)).rejects.toThrow(/was altered|does not exist/);
        await update(row, row.sealed);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the master key', () => {
  const keys = () => app.sql('select * from vault_keys order by id');

  test('must be the one with which the database was created', async () => {
    const before = await keys();
    await expect(openVault(app.db, [otherMaster()])).rejects.toThrow(
      /^EMBOSS_MASTER_KEY is not the master key of this database/,
    );
    expect(await keys()).toEqual(before);
    await openVault(app.db, app.masters);
  });

  test('must be 32 bytes', () => {
    for (const bytes of [0, 16, 31, 33, 64])
      expect(() => masterKeyFrom(secret(randomBytes(bytes).toString('base64')))).toThrow(
        '32 bytes in base64',
      );
  });

  test('detects a data key that was altered or swapped', async () => {
    const swap =
      'update vault_keys set wrapped = (select wrapped from vault_keys where id = $2) where id = $1';
    const [first] = await keys();
    await app.sql(swap, [1, 2]);
    await expect(openVault(app.db, app.masters)).rejects.toThrow('vault key 1 was altered');
    await app.sql('update vault_keys set wrapped = $1 where id = 1', [first?.['wrapped']]);
    await openVault(app.db, app.masters);
  });

  test('concurrent first starts agree on the keys', async () => {
    const twin = await startTestApp({ databaseUrl: await freshDatabase() });
    await twin.sql('delete from vault_keys');
    await Promise.all(Array.from({ length: 6 }, () => openVault(twin.db, twin.masters)));
    const rows = await twin.sql('select purpose from vault_keys order by id');
    expect(rows.map((row) => row['purpose'])).toEqual([
      'card-number',
      'personal-data',
      'fingerprint',
      'cvv',
      'digest',
      'search',
      'history',
    ]);
    await twin.close();
  });
});
