import type { Queryable } from '../../db/database.ts';
import { dayOf } from '../../kernel/calendar.ts';
import { timeOf } from '../../kernel/ids.ts';
import type { Vault } from '../../vault/vault.ts';
import type { CardHolder } from '../card.ts';
import { cardholderIdsOf } from '../create-card.ts';
import { MOST_CARDS } from './find-customer.ts';
import { type CustomerCard, listCustomerCards } from './queries.ts';

/** A customer as lists show it. */
export interface CustomerSummary {
  /** The `meta.id`. */
  id: string;
  /** Newest first, at most 200. */
  cardIds: string[];
  /** Whether there are older cards. */
  more: boolean;
  activeCards: number;
  firstCardId: string;
  createdAt: Date;
}

/** The customers of these cards in their order, each once. */
export async function summarizeCustomers(
  { db, vault }: { db: Queryable; vault: Vault },
  programId: string,
  cardIds: readonly string[],
  nowMs: number,
): Promise<CustomerSummary[]> {
  if (cardIds.length === 0) return [];
  const holders = await vault.openRecords(db, programId, 'holder', cardIds);
  const idOf = (cardId: string) => (holders.get(cardId) as CardHolder | undefined)?.externalCustomerId ?? [];
  // While a key is rotated, the cards of a customer are under two cardholder ids.
  const cardholders = new Map(cardIds.flatMap(idOf).map((id) => [id, cardholderIdsOf(vault, programId, id)]));
  const all = [...cardholders.values()].flat();
  const cards = await listCustomerCards(db, programId, all, dayOf(nowMs), MOST_CARDS + 1);
  return [...cardholders].map(([id, cardholderIds]) =>
    summarize(
      id,
      cards.filter(({ cardholderId }) => cardholderIds.includes(cardholderId)),
    ),
  );
}

function summarize(id: string, cards: readonly CustomerCard[]): CustomerSummary {
  const shown = cards.slice(0, MOST_CARDS);
  const [firstCardId = ''] = cards.flatMap(({ firstId }) => firstId ?? []).sort();
  return {
    id,
    cardIds: shown.map((card) => card.id),
    more: cards.length > MOST_CARDS,
    activeCards: shown.filter(({ isActive }) => isActive).length,
    firstCardId,
    createdAt: new Date(timeOf(firstCardId)),
  };
}
