import { setImmediate } from 'node:timers/promises';
import { type CardHolder, defaultExpiry } from '../src/cards/card.ts';
import { cardholderIdOf } from '../src/cards/create-card.ts';
import { insertSearchEntries } from '../src/cards/search-queries.ts';
import { type SearchEntries, searchEntries } from '../src/cards/search-words.ts';
import type { Database, Statement, Tx } from '../src/db/database.ts';
import { dayOf } from '../src/kernel/calendar.ts';
import { newId } from '../src/kernel/ids.ts';
import type { Program } from '../src/programs/program.ts';
import type { Vault } from '../src/vault/vault.ts';
import {
  addToCreditAccount,
  type CardColumns,
  insertCardAccounts,
  insertCards,
  insertCredentials,
  insertVaultRecords,
  skipForeignKeyChecks,
} from './queries.ts';

const CHUNK = 10_000;
const IN_FLIGHT = 2;
const YIELD_EVERY = 200;

export interface People {
  /** The cardholder. Default: all have the same name. */
  holderOf?: (index: number) => CardHolder;
  /** Default: each in turn. The numbers themselves are made up elsewhere, or not at all. */
  lastFourOf?: (index: number) => string;
}

export interface Fill extends People {
  designId: string;
  count: number;
  /** Ids carry their time: the first card is made at `from`, the last just before `to`. */
  from: Date;
  to: Date;
}

/** Writes cards that can be listed, with statements over whole lists of rows. Numbers and journal are left out. */
export async function fillCards(db: Database, vault: Vault, program: Program, fill: Fill): Promise<void> {
  const stepMs = (fill.to.getTime() - fill.from.getTime()) / fill.count;
  const starts = Array.from({ length: Math.ceil(fill.count / CHUNK) }, (_, index) => index * CHUNK).values();
  // While PostgreSQL writes one chunk, the next one is being sealed.
  const work = async () => {
    for (const start of starts) {
      const length = Math.min(CHUNK, fill.count - start);
      const createdMs = Array.from({ length }, (_, index) =>
        Math.floor(fill.from.getTime() + (start + index) * stepMs),
      );
      await writeChunk(db, vault, program, fill, createdMs, start);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  // Last, because other chunks wait for the lock on this row.
  await db.transaction((tx) => addToCreditAccount(tx, program.id, fill.count));
}

async function writeChunk(
  db: Database,
  vault: Vault,
  { id: programId, currency }: Program,
  { designId, holderOf = numberedCustomer, lastFourOf = inTurn }: Fill,
  createdMs: number[],
  start: number,
): Promise<void> {
  const cards: CardColumns = {
    createdMs,
    ids: createdMs.map(newId),
    credentialIds: createdMs.map(newId),
    cardholderIds: createdMs.map((_, index) =>
      cardholderIdOf(vault, programId, holderOf(start + index).externalCustomerId),
    ),
    lastFours: createdMs.map((_, index) => lastFourOf(start + index)),
  };
  const { tx: sink, seals } = collectSeals(db);
  // Spellings are stored once for each name.
  const names = new Set<string>();
  const entries: Array<{ cardId: string } & SearchEntries> = [];
  for (const [index, id] of cards.ids.entries()) {
    // Lets the event loop handle new connections.
    if (index % YIELD_EVERY === 0) await setImmediate();
    const holder = holderOf(start + index);
    const application = applicationOf(start + index, holder);
    const { words, spellings } = searchEntries(vault, programId, holder, application.meta);
    entries.push({ cardId: id, words, spellings: names.has(holder.cardholderName) ? [] : spellings });
    names.add(holder.cardholderName);
    await vault.sealRecord(sink, { programId, ownerId: id, kind: 'holder', id }, holder);
    await vault.sealRecord(sink, { programId, ownerId: id, kind: 'application', id }, application);
  }
  const expiryDate = defaultExpiry(dayOf(createdMs[0] as number));
  const constants = { programId, designId, currency, expiryDate };
  await db.transaction(async (tx) => {
    insertSearchEntries(tx, programId, entries);
    await Promise.all([
      skipForeignKeyChecks(tx),
      insertCards(tx, constants, cards),
      insertCardAccounts(tx, constants, cards),
      insertCredentials(tx, constants, cards),
      insertVaultRecords(tx, programId, cards.ids, seals),
    ]);
  });
}

const numberedCustomer = (index: number): CardHolder => ({
  cardholderName: 'Ada Lovelace',
  cardName: 'ADA LOVELACE',
  externalCustomerId: `customer-${index}`,
});

const inTurn = (index: number): string => String(index % 10_000).padStart(4, '0');

/** A phone number of its own, and about as much other text as a real application has. */
const applicationOf = (index: number, holder: CardHolder) => ({
  kycApplicantId: `applicant-${index}`,
  kyc: { filler: 'x'.repeat(250) },
  meta: {
    id: holder.externalCustomerId,
    otpPhoneNumber: { dialCode: 44, phoneNumber: String(7_000_000_000 + index) },
  },
});

/** Stands in for a transaction and keeps the sealed bytes that the vault would have written row by row. */
function collectSeals(db: Database): { tx: Tx; seals: Record<'holder' | 'application', Buffer[]> } {
  const seals = { holder: [] as Buffer[], application: [] as Buffer[] };
  const query = async (statement: Statement, values: readonly unknown[] = []) => {
    if (statement.name !== 'insert_vault_record') return db.query(statement, values);
    const kind = values.find((value) => value === 'holder' || value === 'application') as keyof typeof seals;
    seals[kind].push(values.at(-1) as Buffer);
    return [];
  };
  return { tx: { query } as unknown as Tx, seals };
}
