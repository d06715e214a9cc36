import type { Database } from '../db/database.ts';
import { dayOf } from '../kernel/calendar.ts';
import type { Actor } from '../programs/actor.ts';
import { decideFreeze } from './card.ts';
import { recordCardChange, withLockedCard } from './change-card.ts';
import { updateStatus } from './queries.ts';

export async function freezeCard(db: Database, asked: Actor, cardId: string, freeze: boolean) {
  return withLockedCard(db, asked, cardId, async (tx, card, actor) => {
    const status = decideFreeze(card, freeze, dayOf(actor.now()));
    if (status !== card.status) {
      const after = { ...card, status };
      await Promise.all([
        updateStatus(tx, after),
        recordCardChange(tx, actor, freeze ? 'card.frozen' : 'card.unfrozen', card, after),
      ]);
    }
    return { freeze, message: freeze ? 'Card is frozen' : 'Card is unfrozen' };
  });
}
