import type { Digest } from '../kernel/digest.ts';
import { foldName } from '../kyc/name.ts';
import type { CardHolder } from './card.ts';

/** A word is indexed in full and by its first letters; this is the number of these letters. */
const BEGINNING_LETTERS = 3;
/** Limits the index entries of a card, because names of businesses have no maximum length. */
const MOST_WORDS = 12;
/** The key's id and ten bytes of the digest. Collisions are rare, and the search compares the names afterwards. */
const DIGEST_BYTES = 4 + 10;

/** The words of a name without case and accents. An apostrophe does not separate words, a hyphen does. */
export const wordsOf = (name: string): string[] =>
  foldName(name)
    .replace(/['’‘ʼ`´]/g, '')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');

export const beginningOf = (word: string): string => [...word].slice(0, BEGINNING_LETTERS).join('');

/** The index digest of a word or of its first letters, under the oldest key, whose index is complete. */
export const digestWord = (search: Digest, programId: string, word: string): Buffer =>
  digestsOf(search, programId, word).at(-1) as Buffer;

const digestsOf = (search: Digest, programId: string, word: string): Buffer[] =>
  search.all('card-search', programId, word).map((digest) => digest.subarray(0, DIGEST_BYTES));

/**
 * The index entries of a card: words of the cardholder's name and the card name, and their first letters, under every
 * key.
 */
export function searchWords({ search }: { search: Digest }, programId: string, holder: CardHolder): Buffer[] {
  const words = namedWords(holder).slice(0, MOST_WORDS);
  const entries = new Set(words.flatMap((word) => [word, beginningOf(word)]));
  return [...entries].flatMap((entry) => digestsOf(search, programId, entry));
}

/** The words of both names, each once. */
export const namedWords = ({ cardholderName, cardName }: CardHolder): string[] => [
  ...new Set([...wordsOf(cardholderName), ...wordsOf(cardName)]),
];
