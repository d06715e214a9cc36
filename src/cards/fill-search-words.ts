import type { Database } from '../db/database.ts';
import type { Vault } from '../vault/vault.ts';
import type { CardHolder } from './card.ts';
import {
  deleteSearchWalk,
  insertSearchWords,
  listCardIdsAfter,
  listSearchWalks,
  lockSearchWalk,
  updateSearchWalk,
} from './queries.ts';
import { searchWords } from './search-words.ts';

const CARDS_AT_ONCE = 200;

/**
 * Writes the search words of cards that were made before there were any. Each program is walked once, oldest card
 * first; then its walk is gone, and this finds nothing to do. Stops early when told; the next call goes on.
 */
export async function fillSearchWords(
  services: { db: Database; vault: Vault },
  isStopping: () => boolean,
): Promise<void> {
  for (const { programId } of await listSearchWalks(services.db))
    while (!isStopping() && (await fillSome(services, programId)));
}

/** One transaction's worth; false when the walk is through, or somebody else is at it. */
const fillSome = ({ db, vault }: { db: Database; vault: Vault }, programId: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    const walkedTo = await lockSearchWalk(tx, programId);
    if (walkedTo === undefined) return false;
    const ids = (await listCardIdsAfter(tx, programId, walkedTo, CARDS_AT_ONCE)).map(({ id }) => id);
    const holders = await vault.openRecords(tx, programId, 'holder', ids);
    const cards = [...holders].map(([cardId, holder]) => ({
      cardId,
      words: searchWords(vault, programId, holder as CardHolder),
    }));
    insertSearchWords(tx, programId, cards);
    const last = ids.at(-1);
    if (last === undefined || ids.length < CARDS_AT_ONCE) {
      deleteSearchWalk(tx, programId);
      return false;
    }
    updateSearchWalk(tx, programId, last);
    return true;
  });
