import type { Database } from '../db/database.ts';
import { dayOf } from '../kernel/calendar.ts';
import { type Act, decideFreeze } from './card.ts';
import { recordCardChange, withLockedCard } from './change-card.ts';
import { updateStatus } from './queries.ts';

export async function freezeCard(db: Database, asked: Act, cardId: string, freeze: boolean) {
  return withLockedCard(db, asked, cardId, async (tx, card, act) => {
    const status = decideFreeze(card, freeze, dayOf(act.nowMs));
    if (status !== card.status) {
      const after = { ...card, status };
      await Promise.all([
        updateStatus(tx, after),
        recordCardChange(tx, act, freeze ? 'card.frozen' : 'card.unfrozen', card, after),
      ]);
    }
    return { freeze, message: freeze ? 'Card is frozen' : 'Card is unfrozen' };
  });
}
