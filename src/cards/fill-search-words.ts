import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { digestRange } from '../kernel/digest.ts';
import type { Vault } from '../vault/vault.ts';
import type { CardHolder } from './card.ts';
import { cardholderIdsOf } from './create-card.ts';
import {
  deleteSearchWalk,
  deleteSearchWordsOfKey,
  insertSearchWords,
  listCardIdsAfter,
  listSearchWalks,
  lockSearchWalk,
  startSearchWalks,
  updateCardholderIds,
  updateSearchWalk,
} from './queries.ts';
import { searchWords } from './search-words.ts';

const CARDS_AT_ONCE = 200;
const WORDS_DELETED_AT_ONCE = 5_000;
const LOOK_AGAIN_MS = 100;

/**
 * Writes the search words and cardholder ids of cards anew, under the keys of today. Each program that has a cursor is
 * walked once, oldest card first; then its cursor is gone, and this finds nothing to do. Stops early when told; the next
 * call goes on.
 */
export async function fillSearchWords(
  services: { db: Database; vault: Vault },
  isStopping: () => boolean,
  onFilled: (cards: number) => void | Promise<void> = () => {},
): Promise<void> {
  const programs = await listSearchWalks(services.db);
  if (programs.length > 0) await services.vault.search.refresh();
  for (const { programId } of programs)
    while (!isStopping() && (await fillSome(services, programId, onFilled)));
}

/** Walks over the cards of these programs, together with whichever worker takes part; returns how many were walked here. */
export async function renewSearchWords(
  services: { db: Database; vault: Vault },
  programIds: readonly string[],
  onFilled: (cards: number) => void | Promise<void>,
): Promise<number> {
  let filled = 0;
  await startSearchWalks(services.db, programIds);
  for (;;) {
    await fillSearchWords(
      services,
      () => false,
      async (cards) => {
        filled += cards;
        await onFilled(filled);
      },
    );
    // A worker may be busy with the last page of a program.
    if ((await listSearchWalks(services.db)).length === 0) return filled;
    await wait(LOOK_AGAIN_MS);
  }
}

/** Removes the words that were made with a key that is destroyed. */
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

/** One transaction's worth; false when the walk is through, or somebody else is at it. */
async function fillSome(
  { db, vault }: { db: Database; vault: Vault },
  programId: string,
  onFilled: (cards: number) => void | Promise<void>,
): Promise<boolean> {
  const { filled, more } = await db.transaction(async (tx) => {
    const walkedTo = await lockSearchWalk(tx, programId);
    if (walkedTo === undefined) return { filled: 0, more: false };
    const ids = (await listCardIdsAfter(tx, programId, walkedTo, CARDS_AT_ONCE)).map(({ id }) => id);
    const holders = await vault.openRecords(tx, programId, 'holder', ids);
    const cards = [...holders].map(([cardId, holder]) => ({
      cardId,
      words: searchWords(vault, programId, holder as CardHolder),
    }));
    insertSearchWords(tx, programId, cards);
    updateCardholderIds(
      tx,
      programId,
      [...holders].map(([cardId, holder]) => ({
        cardId,
        // Under the newest key: the others are about to go.
        cardholderId: cardholderIdsOf(
          vault,
          programId,
          (holder as CardHolder).externalCustomerId,
        )[0] as string,
      })),
    );
    const last = ids.at(-1);
    if (last === undefined || ids.length < CARDS_AT_ONCE) {
      deleteSearchWalk(tx, programId);
      return { filled: ids.length, more: false };
    }
    updateSearchWalk(tx, programId, last);
    return { filled: ids.length, more: true };
  });
  if (filled > 0) await onFilled(filled);
  return more;
}
