import { audit } from '../../audit/audit.ts';
import { withLockedCard } from '../../cards/change-card.ts';
import { updateEventSequence } from '../../cards/counter-queries.ts';
import type { Database } from '../../db/database.ts';
import { recordEvents } from '../../events/journal.ts';
import { notFound } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import { type Metadata, type MetadataChanges, mergeMetadata } from '../../kernel/metadata.ts';
import type { Actor } from '../../programs/actor.ts';
import { newEvent, type TransactionEvent } from '../core/effects.ts';
import { type TransactionRecord, WITHOUT_FEES } from '../core/transaction.ts';
import { findTransactionCards, findTransactions, updateLabels, updateMetadata } from './queries.ts';

/**
 * Merges the changes into the transaction's metadata, under the lock of its card: messages of the network write the same
 * row, and the event has the card's next sequence number. The audit entry has the keys and no values.
 */
export async function changeMetadata(
  db: Database,
  actor: Actor,
  transactionId: string,
  changes: MetadataChanges,
): Promise<{ metadata: Metadata }> {
  const { id: programId } = actor.program;
  const [known] = isId(transactionId) ? await findTransactionCards(db, programId, [transactionId]) : [];
  if (!known) throw notFound();
  const { cardId } = known;
  return withLockedCard(db, actor, cardId, async (tx, card, current) => {
    const [before] = await findTransactions(tx, programId, [transactionId]);
    if (!before) throw notFound();
    const { metadata, changed, labels } = mergeMetadata(before.metadata, changes);
    updateLabels(tx, programId, transactionId, labels);
    await audit(tx, current, 'transaction.metadata_changed', { cardId, after: { transactionId, changed } });
    if (changed.length === 0) return { metadata: metadata ?? {} };
    const nowMs = current.now();
    const after = { ...before, metadata };
    const cardSequence = card.eventSequence + 1;
    const { id, name, data } = updatedEvent(after, nowMs);
    const event = { id, eventType: 'transaction', eventName: name, cardId, cardSequence, data } as const;
    recordEvents(tx, programId, [event], nowMs);
    updateMetadata(tx, programId, after, id);
    await updateEventSequence(tx, card, cardSequence);
    return { metadata: metadata ?? {} };
  });
}

/** It moves nothing. */
function updatedEvent(transaction: TransactionRecord, nowMs: number): TransactionEvent {
  const { externalTransactionId: messageId, currency, metadata } = transaction;
  const nothing = { messageId, amountMinor: 0n, currency, billAmountMinor: 0n };
  const more = { changed: ['metadata'], metadata: metadata ?? {} };
  return newEvent('transaction.updated', { nowMs }, transaction, nothing, WITHOUT_FEES, more);
}
