import { audit } from '../audit/audit.ts';
import type { Database } from '../db/database.ts';
import { notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import type { Actor } from '../programs/actor.ts';
import { recordCardUpdate, withLockedCard } from './change-card.ts';
import { findCard, updateForwarding } from './queries.ts';

/** Whether challenges of 3-D Secure go to the merchant's app instead of a one-time password. */
export async function readForwarding(
  db: Database,
  { program }: Actor,
  cardId: string,
): Promise<{ enabled: boolean }> {
  const card = isId(cardId) ? await findCard(db, program.id, cardId) : undefined;
  if (!card) throw notFound();
  return { enabled: card.threeDsForwarding };
}

export const changeForwarding = (
  db: Database,
  actor: Actor,
  cardId: string,
  enabled: boolean,
): Promise<{ enabled: boolean }> =>
  withLockedCard(db, actor, cardId, async (tx, card, current) => {
    const fields = card.threeDsForwarding === enabled ? [] : ['enabled'];
    await Promise.all([
      recordCardUpdate(tx, current, card, 'forwarding', fields),
      updateForwarding(tx, { ...card, threeDsForwarding: enabled }),
      audit(tx, current, 'card.3ds_forwarding_changed', {
        cardId,
        before: { enabled: card.threeDsForwarding },
        after: { enabled },
      }),
    ]);
    return { enabled };
  });
