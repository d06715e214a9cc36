import type { Database } from '../db/database.ts';
import { digestRange } from '../kernel/digest.ts';
import { LOWEST_ID } from '../kernel/ids.ts';
import type { Vault } from '../vault/vault.ts';
import type { CardHolder } from './card.ts';
import { cardholderIdsOf } from './create-card.ts';
import { listCardIdsAfter } from './queries.ts';
import { deleteSearchWordsOfKey, insertSearchWords, updateCardholderIds } from './search-queries.ts';
import { searchWords } from './search-words.ts';

const CARDS_AT_ONCE = 200;
const WORDS_DELETED_AT_ONCE = 5_000;

interface Services {
  db: Database;
  vault: Vault;
}

/**
 * Writes the search words and cardholder ids of all cards of these programs under the current keys, oldest card first,
 * and returns the number of cards. Safe to repeat and to run concurrently.
 */
export async function renewSearchWords(
  { db, vault }: Services,
  programIds: readonly string[],
  onProgress: (cards: number) => void | Promise<void> = () => {},
): Promise<number> {
  await vault.search.refresh();
  let renewed = 0;
  for (const programId of programIds)
    for (let page = await listCardIdsAfter(db, programId, LOWEST_ID, CARDS_AT_ONCE); page.length > 0; ) {
      await renewCards({ db, vault }, programId, page);
      renewed += page.length;
      await onProgress(renewed);
      page = await listCardIdsAfter(db, programId, page.at(-1) as string, CARDS_AT_ONCE);
    }
  return renewed;
}

const renewCards = ({ db, vault }: Services, programId: string, ids: readonly string[]): Promise<void> =>
  db.transaction(async (tx) => {
    const holders = [...(await vault.openRecords(tx, programId, 'holder', ids))] as Array<
      [string, CardHolder]
    >;
    insertSearchWords(
      tx,
      programId,
      holders.map(([cardId, holder]) => ({ cardId, words: searchWords(vault, programId, holder) })),
    );
    updateCardholderIds(
      tx,
      programId,
      holders.map(([cardId, { externalCustomerId }]) => ({
        cardId,
        // Under the newest key: the older ones are about to be destroyed.
        cardholderId: cardholderIdsOf(vault, programId, externalCustomerId)[0] as string,
      })),
    );
  });

/** Removes the words of a destroyed key. */
export async function removeSearchWords(
  db: Database,
  programIds: readonly string[],
  keyId: number,
): Promise<void> {
  const range = digestRange(keyId);
  for (const programId of programIds)
    while (
      (await deleteSearchWordsOfKey(db, programId, range, WORDS_DELETED_AT_ONCE)) === WORDS_DELETED_AT_ONCE
    );
}
