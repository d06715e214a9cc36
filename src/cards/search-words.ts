import { foldName } from '../kyc/name.ts';
import type { Vault } from '../vault/vault.ts';
import type { CardHolder } from './card.ts';

type Digest = Vault['digest'];

/** So many letters of a word are enough to look for it. */
const BEGINNING_LETTERS = 3;
/** A business may have a name as long as it likes. */
const MOST_WORDS = 12;
/** Too short to be worth guessing at, and long enough that two words seldom meet; those that do are told apart later. */
const DIGEST_BYTES = 10;

/** The words of a name without case and accents; an apostrophe is no end of a word, a hyphen is. */
export const wordsOf = (name: string): string[] =>
  foldName(name)
    .replace(/['’‘ʼ`´]/g, '')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');

export const beginningOf = (word: string): string => [...word].slice(0, BEGINNING_LETTERS).join('');

/** What stands for a word, or for the beginning of one, in the index. */
export const digestWord = (digest: Digest, programId: string, word: string): Buffer =>
  digest('card-search', programId, word).subarray(0, DIGEST_BYTES);

/** All that a card is found by: each word of its holder's and its printed name, and how it begins. */
export function searchWords({ digest }: { digest: Digest }, programId: string, holder: CardHolder): Buffer[] {
  const words = namedWords(holder).slice(0, MOST_WORDS);
  const entries = new Set(words.flatMap((word) => [word, beginningOf(word)]));
  return [...entries].map((entry) => digestWord(digest, programId, entry));
}

/** The words of both names, each once. */
export const namedWords = ({ cardholderName, cardName }: CardHolder): string[] => [
  ...new Set([...wordsOf(cardholderName), ...wordsOf(cardName)]),
];
