import type { CardHolder } from '../../cards/card.ts';
import { countWords, findCardsByWords, findSpelledWords } from '../../cards/search-queries.ts';
import {
  beginningOf,
  digestSearchedSpellings,
  digestWord,
  namedWords,
  wordsOf,
} from '../../cards/search-words.ts';
import { isOneTypo, isSpelled, mayBeTypo } from '../../cards/spellings.ts';
import type { QueryServices } from '../services.ts';

/** Names opened for one search, to verify the matches of the index. */
const MOST_NAMES = 200;
/** Cards with the rarest word that are checked for the other words. */
const MOST_LOOKED_AT = 5_000;
const MOST_WORDS = 6;

/** Names similar to a searched word that are tried. */
const MOST_SIMILAR = 8;

type Services = Pick<QueryServices, 'db' | 'vault'>;

/**
 * The newest cards whose names contain every word, or words that begin with it. The search for whole words finds a card
 * of any age; of the cards that match by a prefix, only the newest are opened. If there is none, one word may have a typo.
 */
export async function findByName(
  services: Services,
  programId: string,
  query: string,
  limit: number,
): Promise<{ cardIds: string[]; more: boolean }> {
  const words = [...new Set(wordsOf(query))].slice(0, MOST_WORDS);
  if (words.length === 0) return { cardIds: [], more: false };
  const digest = (word: string) => digestWord(services.vault.search, programId, word);
  const [whole, begun] = await Promise.all([
    findCandidates(services, programId, words.map(digest)),
    findCandidates(services, programId, words.map(beginningOf).map(digest)),
  ]);
  const exact = await openMatches(services, programId, [whole, begun], (named) => answersTo(named, words, 0));
  const cardIds = exact.length > 0 ? exact : await findWithTypo(services, programId, words);
  return { cardIds: cardIds.slice(0, limit), more: cardIds.length > limit || begun.cut };
}

/** One word at a time is replaced by the indexed names that are similar to it. */
async function findWithTypo(
  services: Services,
  programId: string,
  words: readonly string[],
): Promise<string[]> {
  const { db, vault } = services;
  const similar = words.map(async (word, index) => {
    if (!mayBeTypo(word)) return [];
    const spellings = digestSearchedSpellings(vault.search, programId, word);
    const names = await findSpelledWords(db, programId, spellings, MOST_SIMILAR);
    const others = words.toSpliced(index, 1).map(beginningOf);
    return names.map((name) => [name, ...others.map((other) => digestWord(vault.search, programId, other))]);
  });
  const tried = (await Promise.all(similar)).flat().slice(0, MOST_SIMILAR);
  const found = await Promise.all(tried.map((digests) => findCandidates(services, programId, digests)));
  return openMatches(services, programId, found, (named) => answersTo(named, words, 1));
}

interface Candidates {
  ids: string[];
  cut: boolean;
}

async function findCandidates(
  { db }: Services,
  programId: string,
  words: readonly Buffer[],
): Promise<Candidates> {
  const distinct = [...new Map(words.map((word) => [word.toString('hex'), word])).values()];
  const { rarest, count } = await rarestFirst(db, programId, distinct);
  const rows = await findCardsByWords(db, programId, rarest, MOST_LOOKED_AT, MOST_NAMES);
  return { ids: rows.map(({ id }) => id), cut: rows.length === MOST_NAMES || count > MOST_LOOKED_AT };
}

/** The newest first of the candidates whose names match. The index may give false matches. */
async function openMatches(
  { db, vault }: Services,
  programId: string,
  found: readonly Candidates[],
  matches: (named: string[]) => boolean,
): Promise<string[]> {
  const newest = [...new Set(found.flatMap(({ ids }) => ids))].sort().reverse();
  const candidates = newest.slice(0, 2 * MOST_NAMES);
  const holders = await vault.openRecords(db, programId, 'holder', candidates);
  const isMatch = (holder: CardHolder | undefined) => holder !== undefined && matches(namedWords(holder));
  return candidates.filter((id) => isMatch(holders.get(id) as CardHolder | undefined));
}

/** Orders the words so that the one with the fewest cards is scanned; the others are only checked for those cards. */
async function rarestFirst(db: QueryServices['db'], programId: string, digests: Buffer[]) {
  if (digests.length === 1) return { rarest: digests, count: 0 };
  const counts = await countWords(db, programId, digests, MOST_LOOKED_AT + 1);
  const sorted = counts.sort((a, b) => a.count - b.count);
  return {
    rarest: sorted.map(({ ordinal }) => digests[ordinal - 1] as Buffer),
    count: sorted[0]?.count ?? 0,
  };
}

/** Whether the names contain each word, or a word that begins with it, except for some words with a typo. */
function answersTo(named: readonly string[], words: readonly string[], mostTypos: number): boolean {
  const wrong = words.filter(
    (word) => !named.some((name) => name === word || (isLong(word) && name.startsWith(word))),
  );
  const isTypo = (word: string) => named.some((name) => isSpelled(name) && isOneTypo(word, name));
  return wrong.length <= mostTypos && wrong.every(isTypo);
}

/** Words of one or two letters must match a whole word. */
const isLong = (word: string): boolean => [...word].length >= 3;
