import { randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { reveal, secret } from '../../../src/kernel/secret.ts';
import { createProgram } from '../../../src/programs/create-program.ts';
import type { Program } from '../../../src/programs/program.ts';
import { type MasterKey, masterKeyFrom } from '../../../src/vault/keyring.ts';
import { type CredentialRef, openVault, type Vault } from '../../../src/vault/vault.ts';
import { TESTER } from '../server/actor.ts';
import type { TestApp } from '../server/test-app.ts';
import { freshDatabase, namedStatements, sql } from './database.ts';

/** A vault without the rest of the product. */
export interface BareVault {
  databaseUrl: string;
  sql: TestApp['sql'];
  db: Database;
  masters: MasterKey[];
  vault: Vault;
  program: Program;
  addProgram(): Promise<Program>;
}

export const newMaster = (): MasterKey => masterKeyFrom(secret(randomBytes(32).toString('base64')));

export async function startBareVault(): Promise<BareVault> {
  const databaseUrl = await freshDatabase();
  const db = openDatabase({
    url: databaseUrl,
    poolSize: 4,
    namedStatements: namedStatements(),
    onIdleError: () => {},
  });
  const masters = [newMaster()];
  const input = {
    mode: 'sandbox',
    currency: 'EUR',
    bin: '999900',
    kycProvider: 'sandbox',
  } as const;
  let programs = 0;
  const addProgram = () =>
    db.transaction((tx) => createProgram(tx, TESTER, { ...input, name: `Test ${++programs}` }));
  const program = await addProgram();
  return {
    databaseUrl,
    sql: (text, values) => sql(databaseUrl, text, values),
    db,
    masters,
    program,
    addProgram,
    vault: await openVault(db, masters),
  };
}

/** Numbers made through the vault alone: many, quickly. */
export async function issueNumbers(
  { db, vault, program }: BareVault,
  count: number,
  { programId = program.id, cardMadeMs = Date.now() } = {},
): Promise<CredentialRef[]> {
  return db.transaction((tx) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const cardId = newId(cardMadeMs);
        const of = { programId, cardId, bin: '999900', nowMs: Date.now() };
        const { numberId, stored } = await vault.issueNumber(tx, of);
        await stored;
        return { programId, cardId, numberId, expiryDate: '2029-11-15', cvvKeyId: 4, cvvSalt: 0 };
      }),
    ),
  );
}

export const readNumbers = (db: Database, vault: Vault, refs: readonly CredentialRef[]): Promise<string[]> =>
  Promise.all(refs.map(async (ref) => reveal((await vault.revealCredential(db, ref)).number)));

/** How many records are under which key; a key without records is not named. */
export async function recordsByKey(databaseUrl: string): Promise<Record<number, number>> {
  const text = `select k.id, count(*)::int as records from vault_keys k, vault_records r
                where substring(r.sealed from 1 for 4) = int4send(k.id) group by k.id`;
  const rows = await sql<{ id: number; records: number }>(databaseUrl, text);
  return Object.fromEntries(rows.map(({ id, records }) => [id, records]));
}
