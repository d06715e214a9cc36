import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Database, Queryable, Tx } from '../db/database.ts';
import { newId } from '../kernel/ids.ts';
import { reveal, type Secret, secret } from '../kernel/secret.ts';
import { deriveCvv, fingerprintOf, randomCardNumber } from './card-number.ts';
import { type Keyring, type MasterKey, openKeyring } from './keyring.ts';
import { createLocator, type NumberPlace } from './locate-number.ts';
import { findRecords, insertFingerprint, insertRecord, type RecordRow } from './queries.ts';
import { type Purpose, seal, sealedKeyId, unseal } from './seal.ts';

/** What the vault needs to know of a credential; it holds nothing secret. */
export interface CredentialRef {
  programId: string;
  cardId: string;
  numberId: string;
  expiryDate: string;
  cvvKeyId: number;
  cvvSalt: number;
}

export type RecordKind =
  | 'holder'
  | 'application'
  | 'shipment'
  | 'kyc-applicant'
  | 'webhook-secret'
  | 'operator-second-factor';

export interface RecordRef {
  programId: string;
  ownerId: string;
  kind: RecordKind;
  id: string;
}

/** The vault's whole face. It takes and gives plain values, so that it can become a process of its own. */
export interface Vault {
  /**
   * A card number that was never used before, sealed. Only its id and last four digits come out. It is the
   * caller's once its fingerprint is in; `stored` is the rest of the writing, which may travel with what follows.
   */
  issueNumber(
    tx: Tx,
    of: { programId: string; cardId: string; bin: string; nowMs: number },
  ): Promise<{
    numberId: string;
    lastFour: string;
    stored: Promise<void>;
  }>;
  /** Key and salt of a new CVV, one that differs from the CVV of the credential it replaces. */
  planCvv(
    db: Queryable,
    of: Omit<CredentialRef, 'cvvKeyId' | 'cvvSalt'>,
    replaced?: CredentialRef,
  ): Promise<{
    cvvKeyId: number;
    cvvSalt: number;
  }>;
  /** Which card a number belongs to, of whatever program; the number goes no further. */
  locateNumber(number: Secret): Promise<NumberPlace | undefined>;
  isCvv(db: Queryable, credential: CredentialRef, cvv: Secret): Promise<boolean>;
  revealCredential(db: Queryable, credential: CredentialRef): Promise<{ number: Secret; cvv: Secret }>;
  sealRecord(tx: Tx, ref: RecordRef, value: unknown): Promise<void>;
  /** The newest record of this kind for each owner that has one. */
  openRecords(
    db: Queryable,
    programId: string,
    kind: RecordKind,
    ownerIds: readonly string[],
  ): Promise<Map<string, unknown>>;
  /** For values that live a day at most, in a table of another floor: a rotation of keys does not reach them. */
  sealText(db: Queryable, binding: readonly string[], text: string): Promise<Buffer>;
  openText(db: Queryable, binding: readonly string[], sealed: Buffer): Promise<string>;
  /** A keyed digest: equal texts have equal digests, and nothing can be read or guessed from one. */
  digest(...parts: string[]): Buffer;
}

/** Tries for a number nobody has; past it the BIN is as good as used up. */
const NUMBER_ATTEMPTS = 100;

export async function openVault(db: Database, masters: readonly MasterKey[]): Promise<Vault> {
  const keyring = await openKeyring(db, masters);
  const fingerprint = (number: Secret) => fingerprintOf(keyring.current('fingerprint').key, number);
  const locate = createLocator(db, {
    fingerprintOf: fingerprint,
    open: (programId, places) => openNumbers(keyring, db, programId, places),
  });
  return {
    locateNumber: (number) => locate(fingerprint(number)),
    isCvv: (from, credential, cvv) => isCvv(keyring, from, credential, cvv),
    issueNumber: (tx, of) => issueNumber(keyring, tx, of),
    planCvv: (from, of, replaced) => planCvv(keyring, from, of, replaced),
    revealCredential: (from, credential) => revealCredential(keyring, from, credential),
    sealRecord: (tx, ref, value) =>
      storeRecord(keyring, tx, 'personal-data', toRow(ref), Buffer.from(JSON.stringify(value))),
    openRecords: (from, programId, kind, ownerIds) => openRecords(keyring, from, programId, kind, ownerIds),
    sealText: async (from, binding, text) => {
      await keyring.refresh(from);
      return seal(keyring.current('personal-data'), binding, Buffer.from(text));
    },
    openText: async (from, binding, sealed) => (await open(keyring, from, binding, sealed)).toString(),
    digest: (...parts) =>
      createHmac('sha256', keyring.current('digest').key).update(JSON.stringify(parts)).digest(),
  };
}

async function issueNumber(
  keyring: Keyring,
  tx: Tx,
  { programId, cardId, bin, nowMs }: { programId: string; cardId: string; bin: string; nowMs: number },
) {
  await keyring.refresh(tx);
  const numberId = newId(nowMs);
  for (let attempt = 0; attempt < NUMBER_ATTEMPTS; attempt++) {
    const number = randomCardNumber(bin);
    const fingerprint = fingerprintOf(keyring.current('fingerprint').key, number);
    if (!(await insertFingerprint(tx, { fingerprint, programId, cardId, numberId }))) continue;
    const row = { program_id: programId, owner_id: cardId, kind: 'number', id: numberId };
    const stored = storeRecord(keyring, tx, 'card-number', row, Buffer.from(reveal(number)));
    // Should the caller stumble before it awaits this, the failure is no surprise to anybody.
    stored.catch(() => {});
    return { numberId, lastFour: reveal(number).slice(-4), stored };
  }
  throw new Error(`BIN ${bin} has no numbers left`);
}

async function planCvv(
  keyring: Keyring,
  db: Queryable,
  of: Omit<CredentialRef, 'cvvKeyId' | 'cvvSalt'>,
  replaced?: CredentialRef,
): Promise<{ cvvKeyId: number; cvvSalt: number }> {
  await keyring.refresh(db);
  const old = replaced && reveal(await cvvOf(keyring, db, replaced));
  const { id, key } = keyring.current('cvv');
  // Counting on, so that a number renewed twice for the same expiry does not get its first CVV back.
  let salt = replaced ? replaced.cvvSalt + 1 : 0;
  while (reveal(deriveCvv(key, { ...of, salt })) === old) salt++;
  return { cvvKeyId: id, cvvSalt: salt };
}

async function cvvOf(keyring: Keyring, db: Queryable, credential: CredentialRef): Promise<Secret> {
  const { key } = await keyring.byId(credential.cvvKeyId, db);
  return deriveCvv(key, { ...credential, salt: credential.cvvSalt });
}

async function isCvv(
  keyring: Keyring,
  db: Queryable,
  credential: CredentialRef,
  cvv: Secret,
): Promise<boolean> {
  const right = Buffer.from(reveal(await cvvOf(keyring, db, credential)));
  const given = Buffer.from(reveal(cvv));
  return given.length === right.length && timingSafeEqual(given, right);
}

async function revealCredential(keyring: Keyring, db: Queryable, credential: CredentialRef) {
  const [number] = await openNumbers(keyring, db, credential.programId, [credential]);
  return { number: (await number) as Secret, cvv: await cvvOf(keyring, db, credential) };
}

async function openNumbers(
  keyring: Keyring,
  db: Queryable,
  programId: string,
  places: readonly NumberPlace[],
): Promise<Array<Promise<Secret>>> {
  const rows = await findRecords(
    db,
    programId,
    'number',
    places.map(({ cardId }) => cardId),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return places.map(async ({ cardId, numberId }) => {
    const row = byId.get(numberId);
    if (row?.owner_id !== cardId) throw new Error(`card number ${numberId} is missing in the vault`);
    return secret((await open(keyring, db, bindingOf(row), row.sealed)).toString());
  });
}

async function openRecords(
  keyring: Keyring,
  db: Queryable,
  programId: string,
  kind: RecordKind,
  ownerIds: readonly string[],
): Promise<Map<string, unknown>> {
  const newest = new Map<string, RecordRow>();
  for (const row of await findRecords(db, programId, kind, ownerIds)) {
    const known = newest.get(row.owner_id);
    if (!known || known.id < row.id) newest.set(row.owner_id, row);
  }
  const values = new Map<string, unknown>();
  for (const row of newest.values())
    values.set(row.owner_id, JSON.parse((await open(keyring, db, bindingOf(row), row.sealed)).toString()));
  return values;
}

async function storeRecord(
  keyring: Keyring,
  tx: Tx,
  purpose: Purpose,
  row: Omit<RecordRow, 'sealed'>,
  plain: Buffer,
): Promise<void> {
  await keyring.refresh(tx);
  await insertRecord(tx, { ...row, sealed: seal(keyring.current(purpose), bindingOf(row), plain) });
}

/** Opens sealed bytes, or fails with an error that names the place and nothing of the content. */
export async function open(
  keyring: Keyring,
  db: Queryable,
  binding: readonly string[],
  sealed: Buffer,
): Promise<Buffer> {
  const key = await keyring.byId(sealedKeyId(sealed), db);
  try {
    return unseal(key, binding, sealed);
  } catch {
    throw new Error(`vault: ${binding.join('/')} was altered or moved and cannot be opened`);
  }
}

export const bindingOf = (row: Omit<RecordRow, 'sealed'>): string[] => [
  row.program_id,
  row.owner_id,
  row.kind,
  row.id,
];

const toRow = (ref: RecordRef): Omit<RecordRow, 'sealed'> => ({
  program_id: ref.programId,
  owner_id: ref.ownerId,
  kind: ref.kind,
  id: ref.id,
});
