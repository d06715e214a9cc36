import type { Tx } from '../src/db/database.ts';

/** Columns of many rows, each a list of the same length: what `unnest` turns into rows. */
export interface FilledCards {
  cardIds: string[];
  cardholderIds: string[];
  credentialIds: string[];
  numberIds: string[];
  lastFours: string[];
  createdAts: Date[];
}

export interface FilledVault {
  ownerIds: string[];
  kinds: string[];
  ids: string[];
  seals: Buffer[];
}

export interface FillConstants {
  programId: string;
  designId: string;
  currency: string;
  expiryDate: string;
  cvvKeyId: number;
}

export async function insertCards(tx: Tx, of: FillConstants, cards: FilledCards): Promise<void> {
  await tx.query(
    {
      name: 'fill_cards',
      text: `insert into cards (program_id, id, cardholder_id, customer_type, card_type, design_id, currency, status,
                                credential_id, spend_limit_minor, event_sequence, created_at)
             select $1, id, cardholder_id, 'Consumer', 'virtual', $2, $3, 'ACTIVE', credential_id, 25000, 1, created_at
             from unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::timestamptz[])
               as filled (id, cardholder_id, credential_id, created_at)`,
    },
    [of.programId, of.designId, of.currency, cards.cardIds, cards.cardholderIds, cards.credentialIds, cards.createdAts],
  );
}

export async function insertCredentials(tx: Tx, of: FillConstants, cards: FilledCards): Promise<void> {
  await tx.query(
    {
      name: 'fill_credentials',
      text: `insert into credentials (program_id, id, card_id, number_id, last_four, expiry_date, cvv_key_id, cvv_salt, created_at)
             select $1, id, card_id, number_id, last_four, $2, $3, 0, created_at
             from unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::timestamptz[])
               as filled (id, card_id, number_id, last_four, created_at)`,
    },
    [
      of.programId,
      of.expiryDate,
      of.cvvKeyId,
      cards.credentialIds,
      cards.cardIds,
      cards.numberIds,
      cards.lastFours,
      cards.createdAts,
    ],
  );
}

export async function insertFingerprints(
  tx: Tx,
  programId: string,
  rows: { fingerprints: Buffer[]; cardIds: string[]; numberIds: string[] },
): Promise<void> {
  await tx.query(
    {
      name: 'fill_fingerprints',
      text: `insert into card_fingerprints (fingerprint, program_id, card_id, number_id)
             select fingerprint, $1, card_id, number_id
             from unnest($2::bytea[], $3::uuid[], $4::uuid[]) as filled (fingerprint, card_id, number_id)`,
    },
    [programId, rows.fingerprints, rows.cardIds, rows.numberIds],
  );
}

export async function insertVaultRecords(tx: Tx, programId: string, rows: FilledVault): Promise<void> {
  await tx.query(
    {
      name: 'fill_vault_records',
      text: `insert into vault_records (program_id, owner_id, kind, id, sealed)
             select $1, owner_id, kind, id, sealed
             from unnest($2::uuid[], $3::text[], $4::uuid[], $5::bytea[]) as filled (owner_id, kind, id, sealed)`,
    },
    [programId, rows.ownerIds, rows.kinds, rows.ids, rows.seals],
  );
}

/** For this transaction only. What is filled in refers to rows of the same transaction and to the program's own. */
export async function skipForeignKeyChecks(tx: Tx): Promise<void> {
  await tx.query({ text: 'set local session_replication_role = replica' });
}
