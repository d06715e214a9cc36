import type { Queryable } from '../../db/database.ts';
import type { Vault } from '../../vault/vault.ts';
import type { CardHolder } from '../card.ts';
import { cardholderIdsOf } from '../create-card.ts';
import { findCustomerIds, findCustomerRow } from './queries.ts';

/**
 * The ids of the customers' rows of cards, by the cards' ids. While the vault's keys are rotated, a card and its customer's
 * row can have different cardholder ids: then the card's holder says who the customer is.
 */
export async function customersOfCards(
  vault: Vault,
  db: Queryable,
  programId: string,
  cardIds: readonly string[],
): Promise<Map<string, string>> {
  const found = await findCustomerIds(db, programId, cardIds);
  const missing = cardIds.filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  const holders = (await vault.openRecords(db, programId, 'holder', missing)) as Map<string, CardHolder>;
  for (const [cardId, { externalCustomerId }] of holders) {
    const row = await findCustomerRow(db, programId, cardholderIdsOf(vault, programId, externalCustomerId));
    if (row) found.set(cardId, row.id);
  }
  return found;
}
