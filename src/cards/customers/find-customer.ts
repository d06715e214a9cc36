import type { Queryable } from '../../db/database.ts';
import { notFound } from '../../kernel/error.ts';
import type { Vault } from '../../vault/vault.ts';
import type { CardRecord } from '../card.ts';
import { cardholderIdsOf } from '../create-card.ts';
import { findCards } from '../queries.ts';
import { findCardsOfCardholder } from '../search-queries.ts';

/** The cards of a customer that are read and changed together. */
export const MOST_CARDS = 200;

export interface Customer {
  /** Under every live key of the search index. */
  cardholderIds: string[];
  /** Newest first, at least one. */
  cards: [CardRecord, ...CardRecord[]];
  /** Whether there are older cards. */
  more: boolean;
}

/** The customer with this `meta.id`. A customer exists while there is a card: a 404 otherwise. */
export async function findCustomer(
  { db, vault }: { db: Queryable; vault: Vault },
  programId: string,
  customerId: string,
): Promise<Customer> {
  const cardholderIds = cardholderIdsOf(vault, programId, customerId);
  const rows = await findCardsOfCardholder(db, programId, cardholderIds, MOST_CARDS + 1);
  const ids = rows.slice(0, MOST_CARDS).map(({ id }) => id);
  const [newest, ...others] = ids.length > 0 ? await findCards(db, programId, ids) : [];
  if (!newest) throw notFound();
  return { cardholderIds, cards: [newest, ...others], more: rows.length > MOST_CARDS };
}
