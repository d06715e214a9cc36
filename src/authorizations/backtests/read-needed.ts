import { readCards } from '../../cards/counter-queries.ts';
import { findCustomerIds } from '../../cards/customers/queries.ts';
import type { Queryable } from '../../db/database.ts';
import { timeOf } from '../../kernel/ids.ts';
import { listEarlierEvents, type PastEvent } from './queries.ts';
import type { Replay } from './replay.ts';
import { replayEarlier } from './replay-event.ts';

/** About 100 MB of transactions, and 20 MB of cards. */
const MOST_PASTS = 150_000;
const MOST_CARDS = 50_000;

/** Reads what the replay of some events needs and does not know: their cards, and what was of their transactions before. */
export async function readNeeded(
  db: Queryable,
  programId: string,
  replay: Replay,
  events: readonly PastEvent[],
): Promise<void> {
  if (replay.cards.size > MOST_CARDS) replay.cards.clear();
  await readNewCards(db, programId, replay, events);
  forgetOldest(replay);
  const belowIds = new Map<string, string>();
  for (const { id, transactionId } of events)
    if (!replay.pasts.has(transactionId) && !belowIds.has(transactionId)) belowIds.set(transactionId, id);
  // Its first event has its time.
  for (const [transactionId, id] of belowIds)
    if (timeOf(transactionId) === timeOf(id)) belowIds.delete(transactionId);
  if (belowIds.size === 0) return;
  for (const event of await listEarlierEvents(db, programId, belowIds)) replayEarlier(replay, event);
}

async function readNewCards(
  db: Queryable,
  programId: string,
  { cards }: Replay,
  events: readonly PastEvent[],
): Promise<void> {
  const ids = [...new Set(events.map(({ cardId }) => cardId))].filter((id) => !cards.has(id));
  if (ids.length === 0) return;
  const [facts, customerIds] = await Promise.all([
    readCards(db, programId, ids),
    findCustomerIds(db, programId, ids),
  ]);
  for (const { cardId, cardType, designId, metadata, cardholderId } of facts)
    cards.set(cardId, {
      ...{ cardId, cardType, designId, metadata, cardholderId },
      customerId: customerIds.get(cardId) ?? cardId,
    });
}

/** A transaction that changes again is read again. */
function forgetOldest({ pasts }: Replay): void {
  let surplus = pasts.size - MOST_PASTS;
  for (const id of pasts.keys()) {
    if (surplus-- <= 0) return;
    pasts.delete(id);
  }
}
