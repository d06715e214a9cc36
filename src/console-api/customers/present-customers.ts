import type { CardHolder } from '../../cards/card.ts';
import { findLastUses } from '../../cards/counter-queries.ts';
import type { CustomerSummary } from '../../cards/customers/summarize-customers.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import type { Actor } from '../../programs/actor.ts';
import type { QueryServices } from '../services.ts';

/** With the cardholder name of the newest card, and the time when a card was last used. */
export async function presentCustomers(
  { db, vault }: QueryServices,
  { program }: Actor,
  customers: readonly CustomerSummary[],
) {
  const newest = customers.map(({ cardIds }) => cardIds[0] as string);
  const [holders, used] = await Promise.all([
    vault.openRecords(db, program.id, 'holder', newest),
    findLastUses(
      db,
      program.id,
      customers.flatMap(({ cardIds }) => cardIds),
    ),
  ]);
  return customers.map(({ id, cardIds, more, activeCards, createdAt }) => {
    const lastMs = Math.max(0, ...cardIds.map((cardId) => used.get(cardId)?.getTime() ?? 0));
    return {
      id,
      name: (holders.get(cardIds[0] as string) as CardHolder).cardholderName,
      cards: cardIds.length,
      moreCards: more,
      activeCards,
      lastUsed: lastMs === 0 ? null : formatTimestamp(new Date(lastMs)),
      created: formatTimestamp(createdAt),
      newestCardId: cardIds[0] as string,
    };
  });
}
