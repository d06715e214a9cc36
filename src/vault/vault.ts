import { timingSafeEqual } from 'node:crypto';
import type { Database, Queryable, Tx } from '../db/database.ts';
import type { RecordRef, SealedRecords } from '../db/sealed-records.ts';
import { createDigest, type Digest } from '../kernel/digest.ts';
import { EmbossError } from '../kernel/error.ts';
import { newId, timeOf } from '../kernel/ids.ts';
import { bytesOf, type Secret, secret, wipe } from '../kernel/secret.ts';
import { deriveCvv, fingerprintOf, fingerprintRow, type NumberRef, randomCardNumber } from './card-number.ts';
import { type Keyring, type KeyringOptions, type MasterKey, openKeyring } from './keyring.ts';
import { createLocator } from './locate-number.ts';
import {
  deleteFingerprints,
  findNewestRecords,
  findRecord,
  insertFingerprints,
  insertRecord,
  type RecordPrimaryKey,
  updateSeal,
} from './queries.ts';
import { type DataKey, type Purpose, seal, sealedKeyId, unseal } from './seal.ts';

/** The vault's input for a credential. Not secret. */
export interface CredentialRef extends NumberRef {
  expiryDate: string;
  cvvKeyId: number;
  cvvSalt: number;
}

export type RecordKind =
  | 'holder'
  | 'application'
  | 'shipment'
  | 'note'
  | 'kyc-applicant'
  | 'rule'
  | 'rule-list'
  | 'rule-backtest'
  | 'clearing-file'
  | 'signing-secret'
  | 'operator-second-factor';

/** The vault's interface. It takes and returns plain values, so that it could become a process of its own. */
export interface Vault extends SealedRecords<RecordKind> {
  /**
   * Issues and seals a new card number and returns only its id and last four digits. The number is reserved when this
   * resolves; `stored` resolves when the sealed record is written, and may be awaited with later statements.
   */
  issueNumber(
    tx: Tx,
    of: { programId: string; cardId: string; bin: string; nowMs: number },
  ): Promise<{
    numberId: string;
    lastFour: string;
    stored: Promise<void>;
  }>;
  /** Key and salt of a new CVV that differs from the CVV of the replaced credential. */
  planCvv(
    db: Queryable,
    of: Omit<CredentialRef, 'cvvKeyId' | 'cvvSalt'>,
    replaced?: CredentialRef,
  ): Promise<{
    cvvKeyId: number;
    cvvSalt: number;
  }>;
  /** Finds the card of a number in any program. */
  locateNumber(number: Secret): Promise<NumberRef | undefined>;
  isCvv(db: Queryable, credential: CredentialRef, cvv: Secret): Promise<boolean>;
  /** The caller wipes both. */
  revealCredential(db: Queryable, credential: CredentialRef): Promise<{ number: Secret; cvv: Secret }>;
  /**
   * Stores a changed version of the owner's newest record of a kind, with a higher id: a record never changes under its
   * id. Old versions stay, because a server may not delete vault records. The caller has locked the owner.
   */
  reviseRecord<Value>(
    tx: Tx,
    of: Omit<RecordRef<RecordKind>, 'id'>,
    nowMs: number,
    change: (value: Value) => Value,
  ): Promise<void>;
  /** For values that grant access or exist for a day at most. Old keys are destroyed a day after a rotation. */
  digest: Digest;
  /** For values that must be verified for ever. Old keys are kept for verification only. */
  history: Digest;
  /** For the blind index. Store every digest that `all` returns; look up with the last one, whose key is complete. */
  search: Digest;
}

/** For cards that were blocked before their CVV key was destroyed. */
export const CVV_DESTROYED = 'The card is blocked and its CVV key was destroyed';

/** Attempts to find an unused number before the BIN counts as exhausted. */
const NUMBER_ATTEMPTS = 100;

export async function openVault(
  db: Database,
  masters: readonly MasterKey[],
  options?: KeyringOptions,
): Promise<Vault> {
  const keyring = await openKeyring(db, masters, options);
  const locate = createLocator(db);
  const digestUnder = (purpose: Purpose): Digest =>
    createDigest({
      current: () => keyring.settled(purpose),
      live: () => keyring.live(purpose),
      refresh: () => keyring.refresh(db),
    });
  return {
    locateNumber: async (number) => {
      await keyring.refresh(db);
      const key = oldest(keyring);
      return locate(key, fingerprintOf(key, number));
    },
    isCvv: (from, credential, cvv) => isCvv(keyring, from, credential, cvv),
    issueNumber: (tx, of) => issueNumber(keyring, tx, of),
    planCvv: (from, of, replaced) => planCvv(keyring, from, of, replaced),
    revealCredential: (from, credential) => revealCredential(keyring, from, credential),
    sealRecord: (tx, ref, value) =>
      storeRecord(keyring, tx, 'personal-data', toRow(ref), Buffer.from(JSON.stringify(value))),
    reviseRecord: (tx, of, nowMs, change) => reviseRecord(keyring, tx, of, nowMs, change),
    eraseRecord: (tx, of) => eraseRecord(keyring, tx, of),
    openRecords: (from, programId, kind, ownerIds) => openRecords(keyring, from, programId, kind, ownerIds),
    sealText: async (from, binding, text) => {
      await keyring.refresh(from);
      return seal(
        keyring.current('personal-data'),
        binding,
        typeof text === 'string' ? Buffer.from(text) : bytesOf(text),
      );
    },
    openText: async (from, binding, sealed) => (await open(keyring, from, binding, sealed)).toString(),
    digest: digestUnder('digest'),
    history: digestUnder('history'),
    search: digestUnder('search'),
  };
}

/** Every number has a fingerprint under the oldest key; newer ones may still be incomplete. */
const oldest = (keyring: Keyring): DataKey => keyring.live('fingerprint').at(-1) as DataKey;

async function issueNumber(
  keyring: Keyring,
  tx: Tx,
  { programId, cardId, bin, nowMs }: { programId: string; cardId: string; bin: string; nowMs: number },
) {
  await keyring.refresh(tx);
  const numberId = newId(nowMs);
  for (let attempt = 0; attempt < NUMBER_ATTEMPTS; attempt++) {
    const number = randomCardNumber(bin);
    // Under every live key: at least one of them is complete in every process, and so refuses a used number.
    const live = keyring.live('fingerprint');
    const rows = live.map((key) => fingerprintRow(key, number, { programId, cardId, numberId }));
    const added = await insertFingerprints(tx, programId, rows);
    if (added.length < rows.length) {
      if (added.length > 0)
        await deleteFingerprints(
          tx,
          added.map(({ fingerprint }) => fingerprint),
        );
      continue;
    }
    const row = toRow({ programId, ownerId: cardId, kind: 'number', id: numberId });
    const lastFour = bytesOf(number).toString('latin1', 12);
    const stored = storeRecord(keyring, tx, 'card-number', row, bytesOf(number)).finally(() => wipe(number));
    // If the caller fails before it awaits this, the rejection must not be unhandled.
    stored.catch(() => {});
    return { numberId, lastFour, stored };
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
  const old = replaced && (await cvvOf(keyring, db, replaced));
  const { id, key } = keyring.current('cvv');
  // Incremented, so that a number renewed twice for the same expiry does not get its first CVV again.
  let salt = replaced ? replaced.cvvSalt + 1 : 0;
  while (old && isSame(deriveCvv(key, { ...of, salt }), old)) salt++;
  wipe(old);
  return { cvvKeyId: id, cvvSalt: salt };
}

async function cvvOf(keyring: Keyring, db: Queryable, credential: CredentialRef): Promise<Secret> {
  const key = await keyring.find(credential.cvvKeyId, db);
  // Its key is destroyed once only blocked cards use it: see retireKeys.
  if (!key) throw new EmbossError(409, CVV_DESTROYED);
  return deriveCvv(key.key, { ...credential, salt: credential.cvvSalt });
}

async function isCvv(
  keyring: Keyring,
  db: Queryable,
  credential: CredentialRef,
  cvv: Secret,
): Promise<boolean> {
  if (!(await keyring.find(credential.cvvKeyId, db))) return false;
  return isSame(await cvvOf(keyring, db, credential), cvv);
}

/** Wipes the derived CVV. */
function isSame(derived: Secret, given: Secret): boolean {
  const [a, b] = [bytesOf(derived), bytesOf(given)];
  const same = a.length === b.length && timingSafeEqual(a, b);
  wipe(derived);
  return same;
}

async function revealCredential(keyring: Keyring, db: Queryable, credential: CredentialRef) {
  const number = await openNumber(keyring, db, credential);
  return { number, cvv: await cvvOf(keyring, db, credential) };
}

async function openNumber(keyring: Keyring, db: Queryable, of: NumberRef): Promise<Secret> {
  const row = toRow({ programId: of.programId, ownerId: of.cardId, kind: 'number', id: of.numberId });
  const sealed = await findRecord(db, row);
  if (!sealed) throw new Error(`card number ${of.numberId} is missing in the vault`);
  return secret(await open(keyring, db, bindingOf(row), sealed));
}

async function openRecords(
  keyring: Keyring,
  db: Queryable,
  programId: string,
  kind: RecordKind,
  ownerIds: readonly string[],
): Promise<Map<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const row of await findNewestRecords(db, programId, kind, ownerIds))
    values.set(row.ownerId, JSON.parse((await open(keyring, db, bindingOf(row), row.sealed)).toString()));
  return values;
}

async function reviseRecord<Value>(
  keyring: Keyring,
  tx: Tx,
  of: Omit<RecordRef<RecordKind>, 'id'>,
  nowMs: number,
  change: (value: Value) => Value,
): Promise<void> {
  const [row] = await findNewestRecords(tx, of.programId, of.kind, [of.ownerId]);
  if (!row) throw new Error(`vault: ${of.ownerId} has no record ${of.kind}`);
  const value = JSON.parse((await open(keyring, tx, bindingOf(row), row.sealed)).toString()) as Value;
  // Two changes may come from two processes within a millisecond; the later one must have the higher id.
  const id = newId(Math.max(nowMs, timeOf(row.id) + 1));
  const plain = Buffer.from(JSON.stringify(change(value)));
  await storeRecord(keyring, tx, 'personal-data', toRow({ ...of, id }), plain);
}

async function eraseRecord(keyring: Keyring, tx: Tx, of: Omit<RecordRef<RecordKind>, 'id'>): Promise<void> {
  const [row] = await findNewestRecords(tx, of.programId, of.kind, [of.ownerId]);
  if (!row) return;
  await keyring.refresh(tx);
  const nothing = seal(keyring.current('personal-data'), bindingOf(row), Buffer.from('null'));
  // A key rotation may reseal it at the same time.
  if (!(await updateSeal(tx, row, nothing))) await eraseRecord(keyring, tx, of);
}

async function storeRecord(
  keyring: Keyring,
  tx: Tx,
  purpose: Purpose,
  row: RecordPrimaryKey,
  plain: Buffer,
): Promise<void> {
  await keyring.refresh(tx);
  await insertRecord(tx, { ...row, sealed: seal(keyring.current(purpose), bindingOf(row), plain) });
}

/** Opens sealed bytes. An error names the record and nothing of its content. */
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

export const bindingOf = (row: RecordPrimaryKey): string[] => [row.programId, row.ownerId, row.kind, row.id];

const toRow = (ref: RecordRef<RecordKind | 'number'>): RecordPrimaryKey => ({
  programId: ref.programId,
  ownerId: ref.ownerId,
  kind: ref.kind,
  id: ref.id,
});
