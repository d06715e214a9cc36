import type { Static } from 'typebox';
import { audit } from '../../audit/audit.ts';
import { changedFields, recordCardUpdate, withLockedCard } from '../../cards/change-card.ts';
import { updateUsed } from '../../cards/counter-queries.ts';
import { updateUsage } from '../../cards/queries.ts';
import type { Usage } from '../../cards/schema.ts';
import { type GivenUsage, merchantKey, presentRule, presentUsage, readUsage } from '../../cards/usage.ts';
import type { Database } from '../../db/database.ts';
import type { Actor } from '../../programs/actor.ts';
import { findUsed } from '../transactions/queries.ts';

/**
 * Replaces the rule of a card's usage; null lifts it. What was used stays: it is kept from the card's first rule on, and
 * that rule finds it in the card's transactions.
 */
export async function changeUsage(
  db: Database,
  actor: Actor,
  cardId: string,
  given: GivenUsage,
): Promise<{ usage: Static<typeof Usage> }> {
  const usage = readUsage(given);
  return withLockedCard(db, actor, cardId, async (tx, card, current) => {
    const used = card.used ?? (usage && (await usedBefore()));
    const [before, after] = [presentRule(card.usage), presentRule(usage)];
    if (used && !card.used) updateUsed(tx, card, used);
    updateUsage(tx, { ...card, usage });
    await Promise.all([
      recordCardUpdate(tx, current, card, 'usage', changedFields(before, after)),
      audit(tx, current, 'card.usage_changed', { cardId, before, after }),
    ]);
    return { usage: presentUsage(usage, used) };

    async function usedBefore() {
      const { purchases, firstMerchantId } = await findUsed(tx, card.programId, cardId);
      return { purchases, lockedTo: firstMerchantId === null ? null : merchantKey(firstMerchantId) };
    }
  });
}
