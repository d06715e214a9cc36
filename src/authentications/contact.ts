import type { Application } from '../cards/retrieve-card.ts';
import type { Queryable } from '../db/database.ts';
import type { Vault } from '../vault/vault.ts';

/** Where codes go, in full for the merchant and masked for the network. */
export async function contactOf(
  { db, vault }: { db: Queryable; vault: Vault },
  programId: string,
  cardId: string,
): Promise<{ full: string; masked: string }> {
  const applications = await vault.openRecords(db, programId, 'application', [cardId]);
  const { otpPhoneNumber } = (applications.get(cardId) as Application).meta;
  const { dialCode, phoneNumber } = otpPhoneNumber;
  return { full: `+${dialCode}${phoneNumber}`, masked: `•••${phoneNumber.slice(-3)}` };
}
