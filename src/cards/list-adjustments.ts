import type { Static } from 'typebox';
import type { Database } from '../db/database.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { amountToNumber } from '../kernel/money.ts';
import type { PageRequest } from '../lists/find-page.ts';
import { readPage } from '../lists/read-page.ts';
import { type Actor, listClock } from '../programs/actor.ts';
import { ADJUSTMENT_LIST, findCard, listAdjustments as listAdjustmentRows } from './queries.ts';
import type { ListedAdjustment } from './schema.ts';

/** Returns a page of a card's adjustments, newest first. It contains one more than requested if another page follows. */
export async function listAdjustments(
  { db, onError }: { db: Database; onError: (error: unknown) => void },
  actor: Actor,
  cardId: string,
  request: PageRequest,
): Promise<{ count: number; adjustments: Array<Static<typeof ListedAdjustment>> }> {
  const { id: programId } = actor.program;
  const card = isId(cardId) ? await findCard(db, programId, cardId) : undefined;
  if (!card) throw notFound();
  const { currency } = card;
  const { count, records } = await readPage(
    db,
    { ...ADJUSTMENT_LIST, cardId },
    programId,
    request,
    listClock(actor),
    (fromId, lowestId, limit) => listAdjustmentRows(db, programId, cardId, fromId, lowestId, limit),
    onError,
  );
  const adjustments = records.map(({ id, amountMinor, reference, createdAt }) => ({
    id,
    amount: amountToNumber(amountMinor, currency),
    currency,
    reference,
    created: formatTimestamp(createdAt),
  }));
  return { count, adjustments };
}
