import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type BareVault,
  issueNumbers,
  newMaster,
  readNumbers,
  recordsByKey,
  startBareVault,
} from '../../test/support/database/bare-vault.ts';
import { newId } from '../kernel/ids.ts';
import { secret } from '../kernel/secret.ts';
import { inspectKeys } from './keyring.ts';
import { type RotationOptions, retireKeys, rewrapKeys, rotateKeys } from './rotate-keys.ts';
import { type CredentialRef, openVault, type Vault } from './vault.ts';
import type { RenewProgress } from './walk-records.ts';

let app: BareVault;
beforeEach(async () => {
  app = await startBareVault();
});
afterEach(() => app.db.close());

const readAll = (refs: CredentialRef[], vault: Vault) => readNumbers(app.db, vault, refs);

/** Key 8 was made, and key 1 with it replaced, so long ago. */
const makeOlder = (interval: string) =>
  app.sql('update vault_keys set created_at = now() - $1::interval where id = 8', [interval]);

test('a rotation re-encrypts every record with a new key and changes no content', async () => {
  const refs = await issueNumbers(app, 5);
  const numbers = await readAll(refs, app.vault);
  const seen: RenewProgress[] = [];
  const result = await rotateKeys(app.db, app.masters, 'card-number', {
    pageSize: 3,
    onProgress: (progress) => void seen.push(progress),
  });
  expect(result).toEqual({
    purpose: 'card-number',
    newKeyId: 8,
    renewed: 5,
    retiredKeyIds: [],
    waitingKeyIds: [1],
    needs: [],
  });
  expect(seen).toEqual([
    { read: 3, renewed: 3 },
    { read: 5, renewed: 5 },
  ]);
  expect(await recordsByKey(app.databaseUrl)).toEqual({ 8: 5 });
  expect(await readAll(refs, app.vault)).toEqual(numbers);
  expect(await readAll(refs, await openVault(app.db, app.masters))).toEqual(numbers);
});

test('two concurrent rotations share one new key', async () => {
  const refs = await issueNumbers(app, 40);
  const numbers = await readAll(refs, app.vault);
  const results = await Promise.all(
    [1, 2].map(() => rotateKeys(app.db, app.masters, 'card-number', { pageSize: 2 })),
  );
  expect(results.map(({ newKeyId }) => newKeyId)).toEqual([8, 8]);
  expect(results.reduce((sum, { renewed }) => sum + renewed, 0)).toBe(40);
  expect(await recordsByKey(app.databaseUrl)).toEqual({ 8: 40 });
  expect(await readAll(refs, await openVault(app.db, app.masters))).toEqual(numbers);
});

describe('an interrupted rotation', () => {
  const resealedAt = async (id: number) =>
    (await inspectKeys(app.db, app.masters)).find((key) => key.id === id)?.resealedAt;

  test('leaves everything readable, and the next one continues at its position', async () => {
    const refs = await issueNumbers(app, 5);
    const numbers = await readAll(refs, app.vault);
    const interrupt = () => {
      throw new Error('power cut');
    };
    const first = rotateKeys(app.db, app.masters, 'card-number', { pageSize: 3, onProgress: interrupt });
    await expect(first).rejects.toThrow('power cut');
    expect(await recordsByKey(app.databaseUrl)).toEqual({ 1: 2, 8: 3 });
    expect(await resealedAt(8)).toBeNull();
    expect(await readAll(refs, app.vault)).toEqual(numbers);
    const second = await rotateKeys(app.db, app.masters, 'card-number');
    expect(second).toMatchObject({ newKeyId: 8, renewed: 2 });
    expect(await recordsByKey(app.databaseUrl)).toEqual({ 8: 5 });
    expect(await resealedAt(8)).toBeInstanceOf(Date);
    expect(await readAll(refs, await openVault(app.db, app.masters))).toEqual(numbers);
    const third = await rotateKeys(app.db, app.masters, 'card-number');
    expect(third).toMatchObject({ newKeyId: 9, renewed: 5, waitingKeyIds: [1, 8] });
  });

  test('stops at an altered record, names it, and continues once it is restored', async () => {
    const [ref] = (await issueNumbers(app, 3)) as [CredentialRef];
    const at = 'where owner_id = $1';
    const [row] = await app.sql(`select sealed from vault_records ${at}`, [ref.cardId]);
    await app.sql(`update vault_records set sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1) ${at}`, [
      ref.cardId,
    ]);
    const rotation = rotateKeys(app.db, app.masters, 'card-number');
    await expect(rotation).rejects.toThrow(`${ref.cardId}/number/${ref.numberId} was altered`);
    await app.sql(`update vault_records set sealed = $2 ${at}`, [ref.cardId, row?.['sealed']]);
    expect(await rotateKeys(app.db, app.masters, 'card-number')).toMatchObject({ newKeyId: 8, renewed: 3 });
  });
});

describe('an old key is destroyed', () => {
  test('not by the rotation, and not while its successor is new: a process may not know it yet', async () => {
    await issueNumbers(app, 2);
    await rotateKeys(app.db, app.masters, 'card-number');
    for (const age of ['0 hours', '24 hours 59 minutes']) {
      await makeOlder(age);
      expect(await retireKeys(app.db, app.masters, 'card-number')).toEqual({
        purpose: 'card-number',
        newKeyId: 8,
        renewed: 0,
        retiredKeyIds: [],
        waitingKeyIds: [1],
        needs: [],
      });
    }
    await makeOlder('25 hours 1 minute');
    // A younger key waits for its own successor, and delays no other key.
    expect(await rotateKeys(app.db, app.masters, 'card-number')).toMatchObject({ waitingKeyIds: [1, 8] });
    expect(await retireKeys(app.db, app.masters, 'card-number')).toMatchObject({
      newKeyId: 9,
      retiredKeyIds: [1],
      waitingKeyIds: [8],
    });
  });

  test('after records written late were re-encrypted', async () => {
    const early = await issueNumbers(app, 2);
    let late: CredentialRef[] = [];
    // The app's vault knows the old key alone for another half minute, and its record lies where the walk was already.
    const onProgress = async () => {
      late = await issueNumbers(app, 1, { cardMadeMs: 1_000 });
    };
    expect(await rotateKeys(app.db, app.masters, 'card-number', { onProgress })).toMatchObject({
      renewed: 2,
    });
    expect(await recordsByKey(app.databaseUrl)).toEqual({ 1: 1, 8: 2 });
    const numbers = await readAll([...early, ...late], await openVault(app.db, app.masters));
    await makeOlder('26 hours');
    const retired = await retireKeys(app.db, app.masters, 'card-number');
    expect(retired).toMatchObject({ newKeyId: 8, renewed: 1, retiredKeyIds: [1], waitingKeyIds: [] });
    expect(await readAll([...early, ...late], await openVault(app.db, app.masters))).toEqual(numbers);
  });

  test('not if the pass before cannot decrypt a record', async () => {
    const [ref] = (await issueNumbers(app, 1)) as [CredentialRef];
    await app.sql("update vault_records set sealed = sealed || '\\x00'");
    await expect(rotateKeys(app.db, app.masters, 'card-number')).rejects.toThrow('was altered');
    const retirement = retireKeys(app.db, app.masters, 'card-number', { retireAfterMs: 0 });
    await expect(retirement).rejects.toThrow(`${ref.cardId}/number/${ref.numberId} was altered`);
    expect(await app.sql('select from vault_keys where retired_at is not null')).toEqual([]);
  });

  test('with its material, and its id is never used again', async () => {
    const refs = await issueNumbers(app, 2);
    const numbers = await readAll(refs, app.vault);
    await rotateKeys(app.db, app.masters, 'card-number');
    const both = await Promise.all(
      [1, 2].map(() => retireKeys(app.db, app.masters, 'card-number', { retireAfterMs: 0 })),
    );
    expect(both.flatMap(({ retiredKeyIds }) => retiredKeyIds)).toEqual([1]);
    const [old] = await app.sql('select wrapped, retired_at from vault_keys where id = 1');
    expect(old).toEqual({ wrapped: null, retired_at: expect.any(Date) });
    expect((await inspectKeys(app.db, app.masters))[0]).toMatchObject({ id: 1, openedBy: 'retired' });
    const vault = await openVault(app.db, app.masters);
    expect(await readAll(refs, vault)).toEqual(numbers);
    expect(await rotateKeys(app.db, app.masters, 'card-number')).toMatchObject({ newKeyId: 9 });
  });
});

describe('a rotation of the fingerprint key', () => {
  const rotate = (options: RotationOptions = {}) =>
    rotateKeys(app.db, app.masters, 'fingerprint', { pageSize: 3, ...options });
  const retire = () =>
    retireKeys(app.db, app.masters, 'fingerprint', { retireAfterMs: 0, forgottenAfterMs: 0 });
  const freshVault = () => openVault(app.db, app.masters);
  /** Whether every number is found, and by which keys there is a fingerprint of it. */
  async function look(refs: CredentialRef[], vault: Vault): Promise<{ lost: number; keys: number[] }> {
    const numbers = await readAll(refs, await freshVault());
    const places = await Promise.all(numbers.map((number) => vault.locateNumber(secret(number))));
    const lost = places.filter((place, at) => place?.numberId !== refs[at]?.numberId).length;
    const rows = await app.sql<{ key: number; count: number }>(
      `select ('x' || encode(substring(fingerprint from 1 for 4), 'hex'))::bit(32)::int as key, count(*)::int
       from card_fingerprints group by 1 order by 1`,
    );
    for (const row of rows) expect(row.count).toBeLessThanOrEqual(refs.length);
    return { lost, keys: rows.filter(({ count }) => count === refs.length).map(({ key }) => key) };
  }

  test('finds every number at all times, also numbers of a process that does not know the new key', async () => {
    const early = await issueNumbers(app, 5);
    // Of a card that was made first, so that the walk has been there.
    const late: CredentialRef[] = [];
    const onProgress = async () => {
      late.push(...(await issueNumbers(app, 1, { cardMadeMs: 1_000 })));
    };
    expect(await rotate({ onProgress })).toMatchObject({ newKeyId: 8, renewed: 5, waitingKeyIds: [3] });
    const fresh = await freshVault();
    const refs = [...early, ...late, ...(await issueNumbers({ ...app, vault: fresh }, 2))];
    for (const vault of [app.vault, fresh, await freshVault()])
      expect(await look(refs, vault)).toEqual({ lost: 0, keys: [3] });
    expect(await retire()).toMatchObject({ renewed: late.length, retiredKeyIds: [3] });
    expect(await look(refs, await freshVault())).toEqual({ lost: 0, keys: [8] });
  });

  test('twice: the second key is complete when the first is destroyed', async () => {
    const refs = await issueNumbers(app, 4);
    await rotate();
    // It knows key 3 alone; the walk of key 8 is over.
    refs.push(...(await issueNumbers(app, 1)));
    await makeOlder('26 hours');
    expect(await rotate()).toMatchObject({ newKeyId: 9, waitingKeyIds: [3, 8] });
    const retired = await retireKeys(app.db, app.masters, 'fingerprint', { forgottenAfterMs: 0 });
    expect(retired).toMatchObject({ retiredKeyIds: [3], waitingKeyIds: [8] });
    expect(await look(refs, await freshVault())).toEqual({ lost: 0, keys: [8, 9] });
  });

  test('continues after an interruption, also after the key was destroyed', async () => {
    const refs = await issueNumbers(app, 7);
    const interrupt = () => {
      throw new Error('power cut');
    };
    await expect(rotate({ onProgress: interrupt })).rejects.toThrow('power cut');
    expect(await look(refs, await freshVault())).toEqual({ lost: 0, keys: [3] });
    expect(await rotate()).toMatchObject({ newKeyId: 8, renewed: 4 });
    expect(await look(refs, await freshVault())).toEqual({ lost: 0, keys: [3, 8] });
    // What a retirement leaves behind that ends after the destruction.
    await app.sql('update vault_keys set wrapped = null, retired_at = now() where id = 3');
    expect(await look(refs, await freshVault())).toEqual({ lost: 0, keys: [3, 8] });
    await retire();
    expect(await look(refs, await freshVault())).toEqual({ lost: 0, keys: [8] });
  });

  test('never issues a number twice, whichever keys a process knows', async () => {
    // Ten numbers in all, so that nearly every draw is a repetition.
    const bin = `9999${String(Date.now()).slice(-10)}`;
    const numbers: string[] = [];
    const issue = async (vault: Vault) => {
      const cardId = newId(Date.now());
      const of = { programId: app.program.id, cardId, bin, nowMs: Date.now() };
      const { numberId, stored } = await app.db.transaction(async (tx) => {
        const issued = await vault.issueNumber(tx, of);
        await issued.stored;
        return issued;
      });
      await stored;
      const ref = { ...of, numberId, expiryDate: '2029-11-15', cvvKeyId: 4, cvvSalt: 0 };
      numbers.push(...(await readAll([ref], vault)));
    };
    const knowsOld = app.vault;
    await issue(knowsOld);
    await rotate();
    const knowsBoth = await freshVault();
    for (const vault of [knowsOld, knowsBoth, knowsOld, knowsBoth]) await issue(vault);
    await retire();
    const knowsNew = await freshVault();
    for (const vault of [knowsNew, knowsBoth, knowsNew, knowsBoth, knowsNew]) await issue(vault);
    expect(new Set(numbers).size).toBe(10);
    for (const vault of [knowsBoth, knowsNew]) await expect(issue(vault)).rejects.toThrow('no numbers left');
  });
});

test('keys that other folders use are destroyed only by a caller that knows all uses', async () => {
  await rotateKeys(app.db, app.masters, 'cvv');
  const retirement = retireKeys(app.db, app.masters, 'cvv', { retireAfterMs: 0 });
  await expect(retirement).rejects.toThrow('what uses the cvv keys must be known');
  const use = { needs: async (keyId: number) => (keyId === 4 ? ['a card'] : []) };
  const kept = await retireKeys(app.db, app.masters, 'cvv', { retireAfterMs: 0, use });
  expect(kept).toMatchObject({ retiredKeyIds: [], needs: [{ keyId: 4, reasons: ['a card'] }] });
});

describe('changing the master key', () => {
  test('rewraps every data key; the vault then opens only with the new key', async () => {
    const refs = await issueNumbers(app, 3);
    const numbers = await readAll(refs, app.vault);
    const master = newMaster();
    const both = [master, ...app.masters];
    expect(await readAll(refs, await openVault(app.db, both))).toEqual(numbers);
    expect((await inspectKeys(app.db, both)).map((key) => key.openedBy)).toEqual(Array(7).fill('previous'));
    expect(await rewrapKeys(app.db, both)).toBe(7);
    expect((await inspectKeys(app.db, both)).map((key) => key.openedBy)).toEqual(Array(7).fill('current'));
    expect(await rewrapKeys(app.db, both)).toBe(0);
    expect(await readAll(refs, await openVault(app.db, [master]))).toEqual(numbers);
    await expect(openVault(app.db, app.masters)).rejects.toThrow('EMBOSS_MASTER_KEY is not the master key');
  });

  test('without the previous key is refused, and nothing changes', async () => {
    const before = await app.sql('select * from vault_keys order by id');
    await expect(rewrapKeys(app.db, [newMaster()])).rejects.toThrow('EMBOSS_MASTER_KEY_PREVIOUS');
    expect(await app.sql('select * from vault_keys order by id')).toEqual(before);
  });
});
