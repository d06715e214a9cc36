import type { Database } from '../db/database.ts';
import { type FoundPage, findFilteredPage, inOrder } from '../lists/filtered-page.ts';
import { isFiltered, matchingOf } from '../lists/filters.ts';
import type { PageRequest } from '../lists/find-page.ts';
import { readPage } from '../lists/read-page.ts';
import { type Actor, listClock } from '../programs/actor.ts';
import type { Vault } from '../vault/vault.ts';
import { type CardHolder, type CardRecord, type PresentedCard, presentCard } from './card.ts';
import { CARD_FILTERS } from './filters.ts';
import { CARD_LIST, findCards, listCards as listCardRecords } from './queries.ts';

/** Returns a page, newest first. Without filters it contains one card more than requested if another page follows. */
export async function listCards(
  { db, vault, onError }: { db: Database; vault: Vault; onError: (error: unknown) => void },
  actor: Actor,
  request: PageRequest,
  given: object,
): Promise<{ count: number; cards: PresentedCard[]; found?: FoundPage }> {
  const { id: programId } = actor.program;
  const matching = matchingOf(CARD_LIST, CARD_FILTERS, given, { vault, actor });
  const found = isFiltered(CARD_FILTERS, given)
    ? await findFilteredPage(db, matching, programId, request)
    : undefined;
  const { count, records } = found
    ? { count: found.count, records: inOrder(found.ids, await findCards(db, programId, found.ids)) }
    : await readPage(
        db,
        CARD_LIST,
        programId,
        request,
        listClock(actor),
        (fromId, lowestId, limit) => listCardRecords(db, programId, fromId, lowestId, limit),
        onError,
      );
  const cards = await presentCards({ db, vault }, actor, records);
  return { count, cards, ...(found && { found }) };
}

export async function presentCards(
  { db, vault }: { db: Database; vault: Vault },
  actor: Actor,
  records: readonly CardRecord[],
): Promise<PresentedCard[]> {
  const ids = records.map((record) => record.id);
  const holders = await vault.openRecords(db, actor.program.id, 'holder', ids);
  const nowMs = actor.now();
  return records.map((record) => presentCard(record, holders.get(record.id) as CardHolder, nowMs));
}
