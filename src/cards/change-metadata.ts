import { audit } from '../audit/audit.ts';
import type { Database } from '../db/database.ts';
import { type Metadata, type MetadataChanges, mergeMetadata } from '../kernel/metadata.ts';
import type { Actor } from '../programs/actor.ts';
import { recordCardUpdate, withLockedCard } from './change-card.ts';
import { updateLabels, updateMetadata } from './queries.ts';

/** Merges the changes into the card's metadata. The audit entry has the keys and no values. */
export const changeMetadata = (
  db: Database,
  actor: Actor,
  cardId: string,
  changes: MetadataChanges,
): Promise<{ metadata: Metadata }> =>
  withLockedCard(db, actor, cardId, async (tx, card, current) => {
    const { metadata, changed, labels } = mergeMetadata(card.metadata, changes);
    if (changed.length > 0) updateMetadata(tx, { ...card, metadata });
    updateLabels(tx, card.programId, cardId, labels);
    await Promise.all([
      recordCardUpdate(tx, current, card, 'metadata', changed, { ...card, metadata }),
      audit(tx, current, 'card.metadata_changed', { cardId, after: { changed } }),
    ]);
    return { metadata: metadata ?? {} };
  });
