import type { Database, Tx } from '../../db/database.ts';
import { dayOf } from '../../kernel/calendar.ts';
import { refuseCardNumber } from '../../kernel/card-numbers.ts';
import type { Actor } from '../../programs/actor.ts';
import type { Vault } from '../../vault/vault.ts';
import { type CardStatus, decideCustomerFreeze, type LockedCard, statusOf } from '../card.ts';
import { recordCardChange } from '../change-card.ts';
import { updateStatus } from '../queries.ts';
import { withLockedCustomer } from './lock-customer.ts';

/** Freezes the active cards of a customer, or unfreezes those that were frozen this way. Returns all cards, newest first. */
export async function freezeCustomer(
  services: { db: Database; vault: Vault },
  actor: Actor,
  customerId: string,
  freeze: boolean,
  reason: string | null = null,
): Promise<{ cards: Array<{ id: string; status: CardStatus }> }> {
  // Stored unencrypted and sent in events.
  refuseCardNumber('reason', reason ?? '');
  const instead = 'freeze each card';
  return withLockedCustomer(services, actor, customerId, instead, async (tx, cards, current) => {
    const today = dayOf(current.now());
    const changed = cards.map(async (card) => {
      const decided = decideCustomerFreeze(card, freeze, today);
      const after = decided ? { ...card, ...decided, statusReason: freeze ? reason : null } : card;
      if (decided) await writeFreeze(tx, current, card, after);
      return { id: card.id, status: statusOf(after, today) };
    });
    return { cards: await Promise.all(changed) };
  });
}

const writeFreeze = (tx: Tx, actor: Actor, before: LockedCard, after: LockedCard) =>
  Promise.all([
    updateStatus(tx, after),
    recordCardChange(tx, actor, after.status === 'FROZEN' ? 'card.frozen' : 'card.unfrozen', before, after),
  ]);
