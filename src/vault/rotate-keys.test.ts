import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CARDS, createCard } from '../../test/support/cards.ts';
import { freshDatabase, sql } from '../../test/support/database.ts';
import { startTestApp, type TestApp } from '../../test/support/test-app.ts';
import { openDatabase } from '../db/database.ts';
import { newId } from '../kernel/ids.ts';
import { reveal, secret } from '../kernel/secret.ts';
import { createProgram } from '../programs/create-program.ts';
import { inspectKeys, masterKeyFrom } from './keyring.ts';
import { finishRotation, rewrapKeys, rotateKeys, SEALING_PURPOSES } from './rotate-keys.ts';
import { type CredentialRef, openVault, type Vault } from './vault.ts';

/** A vault of its own for each test, without the rest of the product. */
let app: Pick<TestApp, 'db' | 'vault' | 'masters' | 'program' | 'databaseUrl'>;
beforeEach(async () => {
  const databaseUrl = await freshDatabase();
  const db = openDatabase({ url: databaseUrl, poolSize: 4, namedStatements: true, onIdleError: () => {} });
  const masters = [newMaster()];
  const input = {
    name: 'Test',
    mode: 'sandbox',
    currency: 'EUR',
    bin: '999900',
    kycProvider: 'sandbox',
  } as const;
  const program = await db.transaction((tx) => createProgram(tx, input, 'test', Date.now()));
  app = { db, masters, program, databaseUrl, vault: await openVault(db, masters) };
});
afterEach(() => app.db.close());

const newMaster = () => masterKeyFrom(secret(randomBytes(32).toString('base64')));

/** Numbers made through the vault alone: many, quickly. */
async function issueNumbers(count: number, cardMadeMs = Date.now()): Promise<CredentialRef[]> {
  const { id: programId } = app.program;
  return app.db.transaction((tx) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const cardId = newId(cardMadeMs);
        const { numberId } = await app.vault.issueNumber(tx, {
          programId,
          cardId,
          bin: '999900',
          nowMs: Date.now(),
        });
        return { programId, cardId, numberId, expiryDate: '2029-11-15', cvvKeyId: 4, cvvSalt: 0 };
      }),
    ),
  );
}

const readAll = async (refs: CredentialRef[], vault: Vault) =>
  Promise.all(refs.map(async (ref) => reveal((await vault.revealCredential(app.db, ref)).number)));

/** How many number records are under which key. */
async function recordsByKey(): Promise<Record<number, number>> {
  const keys = (await inspectKeys(app.db, app.masters)).filter((key) => key.purpose === 'card-number');
  return Object.fromEntries(keys.map((key) => [key.id, key.records]));
}

test('a rotation reseals every record under a new key and changes none', async () => {
  const refs = await issueNumbers(520);
  const numbers = await readAll(refs, app.vault);
  const seen: number[] = [];
  const result = await rotateKeys(app.db, app.masters, 'card-number', {
    onProgress: (done) => void seen.push(done),
  });
  expect(result).toEqual({
    purpose: 'card-number',
    newKeyId: 6,
    resealed: 520,
    retiredKeyIds: [],
    waitingKeyIds: [1],
  });
  expect(seen).toEqual([500, 520]);
  expect(await recordsByKey()).toEqual({ 1: 0, 6: 520 });
  expect(await readAll(refs, app.vault)).toEqual(numbers);
  expect(await readAll(refs, await openVault(app.db, app.masters))).toEqual(numbers);
});

test('cards are made and shown all the while, for both kinds of key', async () => {
  const server = await startTestApp();
  const { db, masters } = server;
  const before = await Promise.all(Array.from({ length: 40 }, () => createCard(server)));
  const shown = new Map<string, unknown>();
  let rotating = true;
  const rotation = Promise.all(SEALING_PURPOSES.map((purpose) => rotateKeys(db, masters, purpose))).finally(
    () => {
      rotating = false;
    },
  );
  do {
    const made = await Promise.all(Array.from({ length: 4 }, () => createCard(server)));
    for (const { id } of [...made, ...before.splice(0, 4)]) {
      const { status, body } = await server.call('GET', `${CARDS}${id}/credentials/`);
      expect(status).toBe(200);
      shown.set(id, body);
    }
  } while (rotating);
  await rotation;
  for (const purpose of SEALING_PURPOSES) await finishRotation(db, masters, purpose);
  for (const [id, credentials] of shown) {
    expect((await server.call('GET', `${CARDS}${id}/credentials/`)).body).toEqual(credentials);
    expect((await server.call('GET', `${CARDS}${id}/`)).body).toMatchObject({
      cardholderName: 'Ada Lovelace',
    });
  }
  const keys = await inspectKeys(db, masters);
  expect(keys.filter(({ id }) => id <= 2).map(({ records }) => records)).toEqual([0, 0]);
  await server.close();
});

describe('an interrupted rotation', () => {
  test('leaves everything readable and is taken up where it stopped', async () => {
    const refs = await issueNumbers(520);
    const numbers = await readAll(refs, app.vault);
    const interrupt = () => {
      throw new Error('power cut');
    };
    const first = rotateKeys(app.db, app.masters, 'card-number', { onProgress: interrupt });
    await expect(first).rejects.toThrow('power cut');
    expect(await recordsByKey()).toEqual({ 1: 20, 6: 500 });
    expect(await readAll(refs, app.vault)).toEqual(numbers);
    const second = await rotateKeys(app.db, app.masters, 'card-number');
    expect(second).toMatchObject({ newKeyId: 6, resealed: 20 });
    expect(await recordsByKey()).toEqual({ 1: 0, 6: 520 });
    expect(await readAll(refs, await openVault(app.db, app.masters))).toEqual(numbers);
    expect(await rotateKeys(app.db, app.masters, 'card-number')).toMatchObject({
      newKeyId: 7,
      resealed: 520,
    });
  });

  test('stops at a record that was altered, names it, and resumes once it is restored', async () => {
    const [ref] = (await issueNumbers(3)) as [CredentialRef];
    const at = 'where owner_id = $1';
    const [row] = await sql(app.databaseUrl, `select sealed from vault_records ${at}`, [ref.cardId]);
    await sql(
      app.databaseUrl,
      `update vault_records set sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1) ${at}`,
      [ref.cardId],
    );
    const rotation = rotateKeys(app.db, app.masters, 'card-number');
    await expect(rotation).rejects.toThrow(`${ref.cardId}/number/${ref.numberId} was altered`);
    await sql(app.databaseUrl, `update vault_records set sealed = $2 ${at}`, [ref.cardId, row?.['sealed']]);
    expect(await rotateKeys(app.db, app.masters, 'card-number')).toMatchObject({ newKeyId: 6, resealed: 3 });
  });
});

describe('an old key is destroyed', () => {
  test('not while it is young: a process may not have seen its successor yet', async () => {
    await issueNumbers(2);
    await rotateKeys(app.db, app.masters, 'card-number');
    const again = await finishRotation(app.db, app.masters, 'card-number');
    expect(again).toMatchObject({ resealed: 0, retiredKeyIds: [], waitingKeyIds: [1] });
    await sql(
      app.databaseUrl,
      "update vault_keys set created_at = now() - interval '24 hours 59 minutes' where id = 6",
    );
    expect(await finishRotation(app.db, app.masters, 'card-number')).toMatchObject({ waitingKeyIds: [1] });
    await sql(
      app.databaseUrl,
      "update vault_keys set created_at = now() - interval '25 hours 1 minute' where id = 6",
    );
    expect(await finishRotation(app.db, app.masters, 'card-number')).toMatchObject({
      retiredKeyIds: [1],
      waitingKeyIds: [],
    });
  });

  test('not while a record is under it, also one that came late', async () => {
    const early = await issueNumbers(2);
    let late: CredentialRef[] = [];
    // The app's vault knows the old key alone for another half minute, and its record lies where the walk was already.
    const onProgress = async () => {
      late = await issueNumbers(1, 1_000);
    };
    const rotated = await rotateKeys(app.db, app.masters, 'card-number', { retireAfterMs: 0, onProgress });
    expect(rotated).toMatchObject({ resealed: 2, retiredKeyIds: [], waitingKeyIds: [1] });
    expect(await recordsByKey()).toEqual({ 1: 1, 6: 2 });
    const numbers = await readAll([...early, ...late], await openVault(app.db, app.masters));
    const finished = await finishRotation(app.db, app.masters, 'card-number', { retireAfterMs: 0 });
    expect(finished).toMatchObject({ newKeyId: 6, resealed: 1, retiredKeyIds: [1], waitingKeyIds: [] });
    expect(await readAll([...early, ...late], await openVault(app.db, app.masters))).toEqual(numbers);
  });

  test('when nothing uses it: its material is gone and its id is never given again', async () => {
    const refs = await issueNumbers(2);
    const numbers = await readAll(refs, app.vault);
    const result = await rotateKeys(app.db, app.masters, 'card-number', { retireAfterMs: 0 });
    expect(result).toMatchObject({ newKeyId: 6, retiredKeyIds: [1], waitingKeyIds: [] });
    const [old] = await sql(app.databaseUrl, 'select wrapped, retired_at from vault_keys where id = 1');
    expect(old).toEqual({ wrapped: null, retired_at: expect.any(Date) });
    expect((await inspectKeys(app.db, app.masters))[0]).toMatchObject({ id: 1, openedBy: 'retired' });
    const vault = await openVault(app.db, app.masters);
    expect(await readAll(refs, vault)).toEqual(numbers);
    expect((await rotateKeys(app.db, app.masters, 'card-number', { retireAfterMs: 0 })).newKeyId).toBe(7);
  });
});

describe('changing the master key', () => {
  test('rewraps every data key; the new one opens the vault alone, the old one no longer', async () => {
    const refs = await issueNumbers(3);
    const numbers = await readAll(refs, app.vault);
    const master = newMaster();
    const both = [master, ...app.masters];
    expect(await readAll(refs, await openVault(app.db, both))).toEqual(numbers);
    expect((await inspectKeys(app.db, both)).map((key) => key.openedBy)).toEqual(Array(5).fill('previous'));
    expect(await rewrapKeys(app.db, both)).toBe(5);
    expect((await inspectKeys(app.db, both)).map((key) => key.openedBy)).toEqual(Array(5).fill('current'));
    expect(await rewrapKeys(app.db, both)).toBe(0);
    expect(await readAll(refs, await openVault(app.db, [master]))).toEqual(numbers);
    await expect(openVault(app.db, app.masters)).rejects.toThrow('EMBOSS_MASTER_KEY is not the key');
  });

  test('without the previous one is refused, and nothing is changed', async () => {
    const before = await sql(app.databaseUrl, 'select * from vault_keys order by id');
    await expect(rewrapKeys(app.db, [newMaster()])).rejects.toThrow('EMBOSS_MASTER_KEY_PREVIOUS');
    expect(await sql(app.databaseUrl, 'select * from vault_keys order by id')).toEqual(before);
  });
});
