import type { Database } from '../db/database.ts';
import { maskCardNumbers } from '../kernel/card-numbers.ts';
import type { Actor } from '../programs/actor.ts';
import { deriveReasonCode, type ReasonCode } from './card.ts';
import { recordCardChange, withLockedCard } from './change-card.ts';
import { updateBlocked } from './queries.ts';

/** Blocks a card permanently. No merchant call undoes a block, and a second block keeps the first reason. */
export async function blockCard(
  db: Database,
  actor: Actor,
  cardId: string,
  reason: string,
  reasonCode: ReasonCode = deriveReasonCode(reason),
): Promise<{ message: string }> {
  return withLockedCard(db, actor, cardId, async (tx, card, current) => {
    if (card.status === 'BLOCKED') return { message: 'Card was already blocked' };
    const after = {
      ...card,
      status: 'BLOCKED' as const,
      // Stored unencrypted and sent in events, so it must not contain a card number.
      statusReason: maskCardNumbers(reason),
      reasonCode,
    };
    updateBlocked(tx, after, current.now());
    await recordCardChange(tx, current, 'card.blocked', card, after);
    return { message: 'Card is blocked' };
  });
}
