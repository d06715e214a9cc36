import { readCards } from '../../cards/counter-queries.ts';
import { customersOfCards } from '../../cards/customers/customers-of-cards.ts';
import type { Queryable } from '../../db/database.ts';
import type { Vault } from '../../vault/vault.ts';
import { listEarlierEvents, listPastAttempts, listPastEvents, type PastEvent } from '../replay/queries.ts';
import type { Replay } from '../replay/replay.ts';
import { replayEarlier } from '../replay/replay-event.ts';

/** About 100 MB of transactions, and 20 MB of cards. */
const MOST_PASTS = 150_000;
const MOST_CARDS = 50_000;

/** The next events that the rule sees or counts. Where nothing counts, they are its attempts. */
export const listNext = (
  db: Queryable,
  programId: string,
  { memory }: Replay,
  ...page: [afterId: string, belowId: string, limit: number]
): Promise<PastEvent[]> => (memory ? listPastEvents : listPastAttempts)(db, programId, ...page);

/**
 * Reads what the replay of listed events needs and does not know: their cards, and what was of their transactions before.
 * Returns all events to replay.
 */
export async function readNeeded(
  { db, keeper }: { db: Queryable; keeper: Vault },
  programId: string,
  replay: Replay,
  afterId: string,
  listed: readonly PastEvent[],
): Promise<readonly PastEvent[]> {
  if (replay.cards.size > MOST_CARDS) replay.cards.clear();
  await readNewCards(db, keeper, programId, replay, listed);
  return replay.memory
    ? readEarlier(db, programId, replay, listed)
    : readBetween(db, programId, replay, afterId, listed);
}

/** All events are listed: what is missing is from before the first one, or was forgotten. */
async function readEarlier(
  db: Queryable,
  programId: string,
  replay: Replay,
  listed: readonly PastEvent[],
): Promise<readonly PastEvent[]> {
  forgetMost(replay);
  const belowIds = new Map<string, string>();
  const seen = new Set<string>();
  for (const { id, transactionId, isFirst } of listed) {
    if (!isFirst && !seen.has(transactionId) && !replay.pasts.has(transactionId))
      belowIds.set(transactionId, id);
    seen.add(transactionId);
  }
  if (belowIds.size > 0)
    for (const event of await listEarlierEvents(db, programId, belowIds)) replayEarlier(replay, event);
  return listed;
}

/** Attempts alone are listed: of transactions that had something before their attempt, all of it is read. */
async function readBetween(
  db: Queryable,
  programId: string,
  replay: Replay,
  afterId: string,
  listed: readonly PastEvent[],
): Promise<readonly PastEvent[]> {
  replay.pasts.clear();
  replay.declined.clear();
  const belowIds = new Map<string, string>();
  for (const { id, transactionId, isFirst } of listed) if (!isFirst) belowIds.set(transactionId, id);
  if (belowIds.size === 0) return listed;
  const known = new Set(listed.map(({ id }) => id));
  const others = await listEarlierEvents(db, programId, belowIds);
  for (const event of others) if (event.id <= afterId) replayEarlier(replay, event);
  const between = others.filter(({ id }) => id > afterId && !known.has(id));
  return [...listed, ...between].sort((one, other) => (one.id < other.id ? -1 : 1));
}

async function readNewCards(
  db: Queryable,
  vault: Vault,
  programId: string,
  { cards }: Replay,
  events: readonly PastEvent[],
): Promise<void> {
  const ids = [...new Set(events.map(({ cardId }) => cardId))].filter((id) => !cards.has(id));
  if (ids.length === 0) return;
  const [facts, customerIds] = await Promise.all([
    readCards(db, programId, ids),
    customersOfCards(vault, db, programId, ids),
  ]);
  for (const { cardId, cardType, designId, metadata, cardholderId } of facts)
    cards.set(cardId, {
      ...{ cardId, cardType, designId, metadata, cardholderId },
      customerId: customerIds.get(cardId) ?? cardId,
    });
}

/** Forgets those that hold nothing, and the oldest. A transaction that changes again is read again. */
function forgetMost({ pasts }: Replay): void {
  let surplus = pasts.size - MOST_PASTS;
  for (const [id, { heldMinor }] of pasts) if (heldMinor === 0n || surplus-- > 0) pasts.delete(id);
}
