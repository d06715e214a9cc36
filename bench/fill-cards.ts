import { defaultExpiry } from '../src/cards/card.ts';
import type { Database, Statement, Tx } from '../src/db/database.ts';
import { dayOf } from '../src/kernel/calendar.ts';
import { newId } from '../src/kernel/ids.ts';
import type { Program } from '../src/programs/program.ts';
import type { Vault } from '../src/vault/vault.ts';
import {
  type FillConstants,
  type FilledCards,
  insertCards,
  insertCredentials,
  insertFingerprints,
  insertVaultRecords,
  skipForeignKeyChecks,
} from './queries.ts';

const CHUNK = 5_000;
const IN_FLIGHT = 2;

export interface Fill {
  count: number;
  /** Real cards have ids of their time: the first card is made at `from`, the last just before `to`. */
  from: Date;
  to: Date;
}

/**
 * Writes many cards with statements over whole lists of rows. Each is a card in full, with its number and its
 * sealed records, made by the vault itself; only its journal (events, audit) is left out.
 */
export async function fillCards(db: Database, vault: Vault, program: Program, designId: string, fill: Fill): Promise<void> {
  const taken = new Set<string>();
  const stepMs = (fill.to.getTime() - fill.from.getTime()) / fill.count;
  const chunks = Array.from({ length: Math.ceil(fill.count / CHUNK) }, (_, place) => place * CHUNK).values();
  // While PostgreSQL writes one chunk the next is being sealed.
  const work = async () => {
    for (const first of chunks) {
      const moments = Array.from(
        { length: Math.min(CHUNK, fill.count - first) },
        (_, place) => fill.from.getTime() + (first + place) * stepMs,
      );
      await writeChunk({ db, vault, program, designId, taken }, moments, first);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}

async function writeChunk(
  { db, vault, program, designId, taken }: { db: Database; vault: Vault; program: Program; designId: string; taken: Set<string> },
  moments: number[],
  first: number,
): Promise<void> {
  const programId = program.id;
  const expiryDate = defaultExpiry(dayOf(moments[0] ?? 0));
  const sink = collectingTx(taken);
  const cards: FilledCards = { cardIds: [], cardholderIds: [], credentialIds: [], numberIds: [], lastFours: [], createdAts: [] };
  let cvvKeyId = 0;
  for (const [place, nowMs] of moments.entries()) {
    const cardId = newId(nowMs);
    const customerId = `customer-${first + place}`;
    const number = await vault.issueNumber(sink.tx, { programId, cardId, bin: program.bin, nowMs });
    ({ cvvKeyId } = await vault.planCvv({ programId, cardId, numberId: number.numberId, expiryDate }));
    const holder = { cardholderName: 'Ada Lovelace', cardName: 'ADA LOVELACE', externalCustomerId: customerId };
    await vault.sealRecord(sink.tx, { programId, ownerId: cardId, kind: 'holder', id: cardId }, holder);
    const application = { kycApplicantId: customerId, kyc: {}, meta: { id: customerId, otpPhoneNumber: PHONE } };
    await vault.sealRecord(sink.tx, { programId, ownerId: cardId, kind: 'application', id: cardId }, application);
    cards.cardIds.push(cardId);
    cards.cardholderIds.push(newId(nowMs));
    cards.credentialIds.push(newId(nowMs));
    cards.numberIds.push(number.numberId);
    cards.lastFours.push(number.lastFour);
    cards.createdAts.push(new Date(nowMs));
  }
  const constants: FillConstants = { programId, designId, currency: program.currency, expiryDate, cvvKeyId };
  await db.transaction(async (tx) => {
    await Promise.all([
      skipForeignKeyChecks(tx),
      insertCards(tx, constants, cards),
      insertCredentials(tx, constants, cards),
      insertFingerprints(tx, programId, { ...cards, fingerprints: sink.fingerprints }),
      insertVaultRecords(tx, programId, sink.records),
    ]);
  });
}

const PHONE = { dialCode: 44, phoneNumber: '7700900123' };

/**
 * Stands in for a transaction and keeps what the vault would have written row by row. It answers for the
 * uniqueness of numbers too, so the program's BIN must be its own: in a million some come up twice.
 */
function collectingTx(taken: Set<string>) {
  const fingerprints: Buffer[] = [];
  const records = { ownerIds: [] as string[], kinds: [] as string[], ids: [] as string[], seals: [] as Buffer[] };
  const query = async ({ name }: Statement, values: readonly unknown[] = []) => {
    if (name === 'insert_fingerprint') {
      const fingerprint = values[0] as Buffer;
      const start = fingerprint.toString('latin1', 0, 12);
      if (taken.has(start)) return [];
      taken.add(start);
      fingerprints.push(fingerprint);
      return [{}];
    }
    if (name !== 'insert_vault_record') throw new Error(`the fill does not know the statement ${name}`);
    const [, ownerId, kind, id, sealed] = values as [string, string, string, string, Buffer];
    records.ownerIds.push(ownerId);
    records.kinds.push(kind);
    records.ids.push(id);
    records.seals.push(sealed);
    return [];
  };
  return { tx: { query } as unknown as Tx, fingerprints, records };
}
