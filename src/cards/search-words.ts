import type { Digest } from '../kernel/digest.ts';
import { foldText } from '../kernel/fold-text.ts';
import type { CardHolder } from './card.ts';
import { contactWords } from './contact-words.ts';
import type { ContactBody } from './schema.ts';
import { isSpelled, spellingsOf } from './spellings.ts';

/** A word is indexed in full and by its first letters; this is the number of these letters. */
const BEGINNING_LETTERS = 3;
/** Limits the index entries of a card, because names of businesses have no maximum length. */
const MOST_WORDS = 12;
/** The key's id and ten bytes of the digest. Collisions are rare, and the search compares the names afterwards. */
const DIGEST_BYTES = 4 + 10;

/** The words of a name without case and accents. An apostrophe does not separate words, a hyphen does. */
export const wordsOf = (name: string): string[] =>
  foldText(name)
    .replace(/['’‘ʼ`´]/g, '')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');

export const beginningOf = (word: string): string => [...word].slice(0, BEGINNING_LETTERS).join('');

/** The index digest of a word or of its first letters, under the oldest key, whose index is complete. */
export const digestWord = (search: Digest, programId: string, word: string): Buffer =>
  digestsOf(search, programId, word).at(-1) as Buffer;

const digestsOf = (search: Digest, programId: string, word: string): Buffer[] =>
  search.all('card-search', programId, word).map((digest) => digest.subarray(0, DIGEST_BYTES));

/** A spelling of an indexed word, with the digest of the word. */
export interface Spelling {
  spelling: Buffer;
  word: Buffer;
}

/** The index entries of a card, under every key. */
export interface SearchEntries {
  words: Buffer[];
  spellings: Spelling[];
}

/**
 * The words of the cardholder's name and the card name, their first letters and their spellings with a typo, and the
 * contact.
 */
export function searchEntries(
  { search }: { search: Digest },
  programId: string,
  holder: CardHolder,
  contact: ContactBody = {},
): SearchEntries {
  const names = namedWords(holder).slice(0, MOST_WORDS);
  const entries = new Set(names.flatMap((word) => [word, beginningOf(word)]));
  return {
    words: [
      ...[...entries].flatMap((entry) => digestsOf(search, programId, entry)),
      ...contactDigests({ search }, programId, contact),
    ],
    spellings: names.filter(isSpelled).flatMap((word) => digestSpellings(search, programId, word)),
  };
}

export const contactDigests = (
  { search }: { search: Digest },
  programId: string,
  contact: ContactBody,
): Buffer[] => contactWords(contact).flatMap((word) => digestsOf(search, programId, word));

/** `all` returns the digests in the order of the keys, so that both parts of a pair have the same key. */
function digestSpellings(search: Digest, programId: string, word: string): Spelling[] {
  const words = digestsOf(search, programId, word);
  return spellingsOf(word).flatMap((text) =>
    spellingDigests(search, programId, text).map((spelling, index) => ({
      spelling,
      word: words[index] as Buffer,
    })),
  );
}

const spellingDigests = (search: Digest, programId: string, spelling: string): Buffer[] =>
  search.all('card-spelling', programId, spelling).map((digest) => digest.subarray(0, DIGEST_BYTES));

/** The digests of all spellings of a searched word, under the oldest key. */
export const digestSearchedSpellings = (search: Digest, programId: string, word: string): Buffer[] =>
  spellingsOf(word).map((text) => spellingDigests(search, programId, text).at(-1) as Buffer);

/** The words of both names, each once. */
export const namedWords = ({ cardholderName, cardName }: CardHolder): string[] => [
  ...new Set([...wordsOf(cardholderName), ...wordsOf(cardName)]),
];
