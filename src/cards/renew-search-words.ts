import type { Database } from '../db/database.ts';
import { digestRange } from '../kernel/digest.ts';
import { LOWEST_ID } from '../kernel/ids.ts';
import type { Vault } from '../vault/vault.ts';
import type { CardHolder } from './card.ts';
import { cardholderIdsOf } from './create-card.ts';
import { updateCustomerCardholders } from './customers/queries.ts';
import { listCardIdsAfter } from './queries.ts';
import type { Application } from './retrieve-card.ts';
import {
  deleteSearchWordsOfKey,
  deleteSpellingsOfKey,
  insertSearchEntries,
  updateCardholderIds,
} from './search-queries.ts';
import { searchEntries } from './search-words.ts';

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
    const [opened, applications] = await Promise.all([
      vault.openRecords(tx, programId, 'holder', ids),
      vault.openRecords(tx, programId, 'application', ids),
    ]);
    const holders = [...opened] as Array<[string, CardHolder]>;
    const contactOf = (cardId: string) => (applications.get(cardId) as Application | undefined)?.meta;
    insertSearchEntries(
      tx,
      programId,
      holders.map(([cardId, holder]) => ({
        cardId,
        ...searchEntries(vault, programId, holder, contactOf(cardId)),
      })),
    );
    const idsOf = ({ externalCustomerId }: CardHolder) =>
      cardholderIdsOf(vault, programId, externalCustomerId);
    const changes = holders.flatMap(([, holder]) => {
      const [to = '', ...old] = idsOf(holder);
      return old.map((from) => ({ from, to }));
    });
    updateCustomerCardholders(tx, programId, changes);
    updateCardholderIds(
      tx,
      programId,
      holders.map(([cardId, holder]) => ({
        cardId,
        // Under the newest key: the older ones are about to be destroyed.
        cardholderId: idsOf(holder)[0] as string,
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
    for (const remove of [deleteSearchWordsOfKey, deleteSpellingsOfKey])
      while ((await remove(db, programId, range, WORDS_DELETED_AT_ONCE)) === WORDS_DELETED_AT_ONCE);
}
