import type { Database } from '../db/database.ts';
import type { Vault } from '../vault/vault.ts';
import type { CardHolder } from './card.ts';

/** Finds cardholder names by card id, for modules without access to the vault. */
export const cardholderNames =
  ({ db, vault }: { db: Database; vault: Vault }) =>
  async (programId: string, cardIds: readonly string[]): Promise<Map<string, string>> => {
    const holders = await vault.openRecords(db, programId, 'holder', cardIds);
    return new Map([...holders].map(([cardId, holder]) => [cardId, (holder as CardHolder).cardholderName]));
  };
