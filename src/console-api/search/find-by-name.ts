import type { CardHolder } from '../../cards/card.ts';
import { countWords, findCardsByWords } from '../../cards/search-queries.ts';
import { beginningOf, digestWord, namedWords, wordsOf } from '../../cards/search-words.ts';
import type { QueryServices } from '../services.ts';

/** Names opened for one search, to verify the matches of the index. */
const MOST_NAMES = 200;
/** Cards with the rarest word that are checked for the other words. */
const MOST_LOOKED_AT = 5_000;
const MOST_WORDS = 6;

/**
 * The newest cards whose names contain every word, or words that begin with it. The search for whole words finds a card
 * of any age; of the cards that match by a prefix, only the newest are opened.
 */
export async function findByName(
  services: Pick<QueryServices, 'db' | 'vault'>,
  programId: string,
  query: string,
  limit: number,
): Promise<{ cardIds: string[]; more: boolean }> {
  const words = [...new Set(wordsOf(query))].slice(0, MOST_WORDS);
  if (words.length === 0) return { cardIds: [], more: false };
  const [whole, begun] = await Promise.all([
    findCandidates(services, programId, words, MOST_NAMES),
    findCandidates(services, programId, words.map(beginningOf), MOST_NAMES),
  ]);
  const candidates = [...new Set([...whole.ids, ...begun.ids])];
  const holders = await services.vault.openRecords(services.db, programId, 'holder', candidates);
  const cardIds = candidates
    .filter((id) => answersTo(holders.get(id) as CardHolder | undefined, words))
    .sort()
    .reverse();
  return { cardIds: cardIds.slice(0, limit), more: cardIds.length > limit || begun.cut };
}

async function findCandidates(
  { db, vault }: Pick<QueryServices, 'db' | 'vault'>,
  programId: string,
  words: readonly string[],
  limit: number,
): Promise<{ ids: string[]; cut: boolean }> {
  const digests = [...new Set(words)].map((word) => digestWord(vault.search, programId, word));
  const { rarest, count } = await rarestFirst(db, programId, digests);
  const rows = await findCardsByWords(db, programId, rarest, MOST_LOOKED_AT, limit);
  return { ids: rows.map(({ id }) => id), cut: rows.length === limit || count > MOST_LOOKED_AT };
}

/** Orders the words so that the one with the fewest cards is scanned; the others are only checked for those cards. */
async function rarestFirst(db: QueryServices['db'], programId: string, digests: Buffer[]) {
  if (digests.length === 1) return { rarest: digests, count: 0 };
  const counts = await countWords(db, programId, digests, MOST_LOOKED_AT + 1);
  const sorted = counts.sort((a, b) => a.count - b.count);
  return {
    rarest: sorted.map(({ place }) => digests[place - 1] as Buffer),
    count: sorted[0]?.count ?? 0,
  };
}

/** Whether the card's names contain each word, or a word that begins with it. The index may give false matches. */
function answersTo(holder: CardHolder | undefined, words: readonly string[]): boolean {
  const named = holder ? namedWords(holder) : [];
  return words.every((word) =>
    named.some((name) => name === word || (isLong(word) && name.startsWith(word))),
  );
}

/** Words of one or two letters must match a whole word. */
const isLong = (word: string): boolean => [...word].length >= 3;
