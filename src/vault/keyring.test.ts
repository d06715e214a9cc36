import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { namedStatements } from '../../test/support/database/database.ts';
import { appForTests } from '../../test/support/server/test-app.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { digestKeyId } from '../kernel/digest.ts';
import { newId } from '../kernel/ids.ts';
import { addKey } from './keyring.ts';
import { sealedKeyId } from './seal.ts';
import { openVault } from './vault.ts';

const POOL_SIZE = 2;

const app = appForTests();
let db: Database;

beforeAll(async () => {
  db = openDatabase({
    url: app.databaseUrl,
    poolSize: POOL_SIZE,
    namedStatements: namedStatements(),
    onIdleError: () => {},
  });
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => db.close());

describe('keyring', () => {
  test('reads its keys over the transaction’s own connection, even if the pool is empty', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const vault = await openVault(db, app.masters);
    vi.advanceTimersByTime(60_000);
    const programId = app.program.id;
    const owners = Array.from({ length: POOL_SIZE }, () => newId(Date.now()));
    // Every connection of the pool is in a transaction that is about to find the keys too old.
    let begun = 0;
    let allBegan = (): void => {};
    const all = new Promise<void>((resolve) => {
      allBegan = resolve;
    });
    const seals = owners.map((ownerId) =>
      db.transaction(async (tx) => {
        await tx.query({ text: 'select 1' });
        if (++begun === POOL_SIZE) allBegan();
        await all;
        await vault.sealRecord(tx, { programId, ownerId, kind: 'holder', id: ownerId }, { ownerId });
      }),
    );
    await Promise.all(seals);
    const opened = await vault.openRecords(db, programId, 'holder', owners);
    expect([...opened.values()]).toEqual(expect.arrayContaining(owners.map((ownerId) => ({ ownerId }))));
  });

  test.each([
    ['not at once', 29_000, 'old'],
    ['after half a minute', 31_000, 'new'],
    ['after the clock was set back', -3_600_000, 'new'],
  ])('encrypts with a key that another process created: %s', async (_name, passedMs, expected) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const vault = await openVault(db, app.masters);
    const old = sealedKeyId(await vault.sealText(db, ['here'], 'text'));
    const added = await addKey(db, app.masters, 'personal-data');
    vi.setSystemTime(Date.now() + passedMs);
    const used = sealedKeyId(await vault.sealText(db, ['here'], 'text'));
    expect(used).toBe(expected === 'new' ? added : old);
  });
});

describe('a key for digests that other processes must find', () => {
  const age = (id: number, interval: string) =>
    db.query({ text: 'update vault_keys set created_at = clock_timestamp() - $2::interval where id = $1' }, [
      id,
      interval,
    ]);

  test('is recognised immediately, and used once every process knows it', async () => {
    const before = await openVault(db, app.masters);
    const old = before.digest('a');
    const id = await addKey(db, app.masters, 'digest');
    for (const [interval, isUsed] of [
      ['1 minute', false],
      ['3 minutes', true],
    ] as const) {
      await age(id, interval);
      const { digest } = await openVault(db, app.masters);
      expect(digest.all('a').map(digestKeyId)).toEqual([id, digestKeyId(old)]);
      expect(digestKeyId(digest('a'))).toBe(isUsed ? id : digestKeyId(old));
      expect([digest.isCurrent(old), digest.matches(old, 'a')]).toEqual([!isUsed, true]);
      expect(digest.like(old, 'b')).toEqual(before.digest('b'));
      for (const made of digest.all('a')) expect(digest.matches(made, 'a')).toBe(true);
      expect(digest.matches(old, 'b')).toBe(false);
    }
    await db.query({ text: 'update vault_keys set wrapped = null, retired_at = now() where id = $1' }, [
      digestKeyId(old),
    ]);
    const { digest } = await openVault(db, app.masters);
    expect([digest.matches(old, 'a'), digest.like(old, 'a'), digest.all('a').length]).toEqual([
      false,
      undefined,
      1,
    ]);
  });
});
