import type { Queryable } from '../../db/database.ts';
import type { Vault } from '../../vault/vault.ts';
import { cardholderIdsOf } from '../create-card.ts';
import { findCardIds } from '../queries.ts';
import { findKnownCardholders } from './queries.ts';

/** Which ids a program knows. */
export const knownIds = (vault: Vault) => ({
  findCardIds,
  findCustomerIds: (db: Queryable, programId: string, ids: readonly string[]) =>
    findCustomerIds(vault, db, programId, ids),
});

/** The given ids that are those of customers of the program. */
async function findCustomerIds(
  vault: Vault,
  db: Queryable,
  programId: string,
  customerIds: readonly string[],
): Promise<Set<string>> {
  const named = new Map(customerIds.map((id) => [id, cardholderIdsOf(vault, programId, id)]));
  const known = new Set(await findKnownCardholders(db, programId, [...named.values()].flat()));
  return new Set(customerIds.filter((id) => named.get(id)?.some((cardholderId) => known.has(cardholderId))));
}
