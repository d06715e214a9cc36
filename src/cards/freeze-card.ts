import { audit } from '../audit/audit.ts';
import type { Database } from '../db/database.ts';
import { dayOf } from '../kernel/calendar.ts';
import { refuseCardNumber } from '../kernel/card-numbers.ts';
import type { Actor } from '../programs/actor.ts';
import { auditView, decideFreeze } from './card.ts';
import { recordCardChange, withLockedCard } from './change-card.ts';
import { updateStatus } from './queries.ts';

/**
 * The reason stays on the card until it is unfrozen. A repeated freeze keeps the first reason. A card that was frozen with
 * the customer's other cards is frozen by itself from then on, and stays frozen when they are unfrozen.
 */
export async function freezeCard(
  db: Database,
  actor: Actor,
  cardId: string,
  freeze: boolean,
  reason: string | null = null,
) {
  // Stored unencrypted and sent in events.
  refuseCardNumber('reason', reason ?? '');
  return withLockedCard(db, actor, cardId, async (tx, card, current) => {
    const status = decideFreeze(card, freeze, dayOf(current.now()));
    if (status !== card.status) {
      const after = { ...card, status, statusReason: freeze ? reason : null, frozenWithCustomer: false };
      await Promise.all([
        updateStatus(tx, after),
        recordCardChange(tx, current, freeze ? 'card.frozen' : 'card.unfrozen', card, after),
      ]);
    } else if (card.frozenWithCustomer) {
      // The merchant sees no change, so there is no event.
      const view = auditView(card);
      await Promise.all([
        updateStatus(tx, { ...card, frozenWithCustomer: false }),
        audit(tx, current, 'card.frozen', { cardId, before: view, after: view }),
      ]);
    }
    return { freeze, message: freeze ? 'Card is frozen' : 'Card is unfrozen' };
  });
}
