import type { CardHolder } from '../../cards/card.ts';
import { beginningOf, digestWord, namedWords, wordsOf } from '../../cards/search-words.ts';
import type { QueryServices } from '../services.ts';
import { countWords, findCardsByWords } from './queries.ts';

/** Names that are opened for one search: what the index finds is held against them. */
const MOST_NAMES = 200;
/** Cards of the rarest word that are held against the other words. */
const MOST_LOOKED_AT = 5_000;
const MOST_WORDS = 6;

/**
 * The newest cards whose names have every word, or words that begin with it. Whole words are looked for first: they find
 * a card however old it is, while of the cards that share a beginning only the newest are opened.
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

/** Whichever word fewest cards have is walked; the others are only asked for those. */
async function rarestFirst(db: QueryServices['db'], programId: string, digests: Buffer[]) {
  if (digests.length === 1) return { rarest: digests, count: 0 };
  const counts = await countWords(db, programId, digests, MOST_LOOKED_AT + 1);
  const sorted = counts.sort((a, b) => a.count - b.count);
  return {
    rarest: sorted.map(({ place }) => digests[place - 1] as Buffer),
    count: sorted[0]?.count ?? 0,
  };
}

/** Whether the card's names have a word that begins with each of these; the index may be wrong about it. */
function answersTo(holder: CardHolder | undefined, words: readonly string[]): boolean {
  const named = holder ? namedWords(holder) : [];
  return words.every((word) =>
    named.some((name) => name === word || (isLong(word) && name.startsWith(word))),
  );
}

/** One or two letters must be a whole word. */
const isLong = (word: string): boolean => [...word].length >= 3;
