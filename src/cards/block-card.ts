import type { Database } from '../db/database.ts';
import { maskCardNumbers } from '../kernel/card-numbers.ts';
import type { Actor } from '../programs/actor.ts';
import { recordCardChange, withLockedCard } from './change-card.ts';
import { updateStatus } from './queries.ts';

/** For good: no merchant call undoes it, and a second block leaves the first reason in place. */
export async function blockCard(
  db: Database,
  asked: Actor,
  cardId: string,
  reason: string,
): Promise<{ message: string }> {
  return withLockedCard(db, asked, cardId, async (tx, card, actor) => {
    if (card.status === 'BLOCKED') return { message: 'Card was already blocked' };
    const after = {
      ...card,
      status: 'BLOCKED' as const,
      // Kept in clear and sent in events: a number that somebody typed into it must not be.
      statusReason: maskCardNumbers(reason),
    };
    await Promise.all([updateStatus(tx, after), recordCardChange(tx, actor, 'card.blocked', card, after)]);
    return { message: 'Card is blocked' };
  });
}
