import type { Digest } from '../kernel/digest.ts';
import { foldName } from '../kyc/name.ts';
import type { CardHolder } from './card.ts';

/** So many letters of a word are enough to look for it. */
const BEGINNING_LETTERS = 3;
/** A business may have a name as long as it likes. */
const MOST_WORDS = 12;
/**
 * The key's id, and ten bytes: too short to be worth guessing at, and long enough that two words seldom meet; those that
 * do are told apart later.
 */
const DIGEST_BYTES = 4 + 10;

/** The words of a name without case and accents; an apostrophe is no end of a word, a hyphen is. */
export const wordsOf = (name: string): string[] =>
  foldName(name)
    .replace(/['’‘ʼ`´]/g, '')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');

export const beginningOf = (word: string): string => [...word].slice(0, BEGINNING_LETTERS).join('');

/** What a word, or the beginning of one, is looked up by in the index: under the oldest key, which is complete. */
export const digestWord = (search: Digest, programId: string, word: string): Buffer =>
  digestsOf(search, programId, word).at(-1) as Buffer;

const digestsOf = (search: Digest, programId: string, word: string): Buffer[] =>
  search.all('card-search', programId, word).map((digest) => digest.subarray(0, DIGEST_BYTES));

/** All that a card is found by: each word of its holder's and its printed name, and how it begins, under every key. */
export function searchWords({ search }: { search: Digest }, programId: string, holder: CardHolder): Buffer[] {
  const words = namedWords(holder).slice(0, MOST_WORDS);
  const entries = new Set(words.flatMap((word) => [word, beginningOf(word)]));
  return [...entries].flatMap((entry) => digestsOf(search, programId, entry));
}

/** The words of both names, each once. */
export const namedWords = ({ cardholderName, cardName }: CardHolder): string[] => [
  ...new Set([...wordsOf(cardholderName), ...wordsOf(cardName)]),
];
