import { bytesColumn, column, unnested } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { SearchEntries, Spelling } from './search-words.ts';

/** Inserts digests of the words by which cards are found, and their spellings; existing rows stay unchanged. */
export function insertSearchEntries(
  tx: Tx,
  programId: string,
  cards: ReadonlyArray<{ cardId: string } & SearchEntries>,
): void {
  insertSearchWords(tx, programId, cards);
  insertSpellings(
    tx,
    programId,
    cards.flatMap(({ spellings }) => spellings),
  );
}

export function insertSearchWords(
  tx: Tx,
  programId: string,
  cards: ReadonlyArray<{ cardId: string; words: readonly Buffer[] }>,
): void {
  const rows = cards.flatMap(({ cardId, words }) => words.map((word) => ({ cardId, word })));
  tx.send(
    {
      name: 'insert_card_search_words',
      text: `insert into card_search_words (program_id, word, card_id)
             select $1, ${unnested(2, 'bytea uuid')}
             on conflict do nothing`,
    },
    [programId, bytesColumn(rows.map(({ word }) => word)), column(rows.map(({ cardId }) => cardId))],
  );
}

/** In the order of the index, so that two cards with the same new names never wait for each other. */
function insertSpellings(tx: Tx, programId: string, rows: readonly Spelling[]): void {
  if (rows.length === 0) return;
  tx.send(
    {
      name: 'insert_search_spellings',
      text: `insert into search_spellings (program_id, spelling, word)
             select distinct $1::uuid, spelling, word from unnest($2::bytea[], $3::bytea[]) as entry (spelling, word)
             order by spelling, word on conflict do nothing`,
    },
    [programId, bytesColumn(rows.map(({ spelling }) => spelling)), bytesColumn(rows.map(({ word }) => word))],
  );
}

export function deleteSearchWords(tx: Tx, programId: string, cardId: string, words: readonly Buffer[]): void {
  tx.send(
    {
      name: 'delete_card_search_words',
      text: 'delete from card_search_words where program_id = $1 and card_id = $2 and word = any ($3)',
    },
    [programId, cardId, words],
  );
}

/** The indexed words that share a spelling. */
export const findSpelledWords = async (
  db: Queryable,
  programId: string,
  spellings: readonly Buffer[],
  limit: number,
): Promise<Buffer[]> =>
  (
    await db.query<{ word: Buffer }>(
      {
        name: 'find_spelled_words',
        text: `select distinct s.word from unnest($2::bytea[]) as wanted (spelling)
               cross join lateral (
                 select word from search_spellings
                 where program_id = $1 and spelling = wanted.spelling limit $3) s
               limit $3`,
      },
      [programId, spellings, limit],
    )
  ).map(({ word }) => word);

/** Deletes up to `limit` spellings of a key and returns their number. */
export async function deleteSpellingsOfKey(
  db: Queryable,
  programId: string,
  { from, to }: { from: Buffer; to: Buffer },
  limit: number,
): Promise<number> {
  const rows = await db.query(
    `delete from search_spellings
     where program_id = $1 and (spelling, word) in (
       select spelling, word from search_spellings
       where program_id = $1 and spelling >= $2 and spelling < $3 order by spelling, word limit $4)
     returning 1`,
    [programId, from, to, limit],
  );
  return rows.length;
}

/** Deletes up to `limit` words of a key and returns their number. */
export async function deleteSearchWordsOfKey(
  db: Queryable,
  programId: string,
  { from, to }: { from: Buffer; to: Buffer },
  limit: number,
): Promise<number> {
  const rows = await db.query(
    `delete from card_search_words
     where program_id = $1 and (word, card_id) in (
       select word, card_id from card_search_words
       where program_id = $1 and word >= $2 and word < $3 order by word, card_id limit $4)
     returning card_id`,
    [programId, from, to, limit],
  );
  return rows.length;
}

export function updateCardholderIds(
  tx: Tx,
  programId: string,
  cards: ReadonlyArray<{ cardId: string; cardholderId: string }>,
): void {
  tx.send(
    {
      name: 'update_cardholder_ids',
      text: `update cards c set cardholder_id = n.cardholder_id
             from unnest($2::uuid[], $3::uuid[]) as n (id, cardholder_id)
             where c.program_id = $1 and c.id = n.id and c.cardholder_id <> n.cardholder_id`,
    },
    [
      programId,
      column(cards.map(({ cardId }) => cardId)),
      column(cards.map(({ cardholderId }) => cardholderId)),
    ],
  );
}

interface Id {
  id: string;
}

/** The number of cards with each word, up to a limit. */
export const countWords = (
  db: Queryable,
  programId: string,
  words: readonly Buffer[],
  limit: number,
): Promise<Array<{ ordinal: number; count: number }>> =>
  db.query(
    {
      name: 'count_card_search_words',
      text: `select wanted.ordinal::int, (
                      select count(*)::int from (
                        select from card_search_words where program_id = $1 and word = wanted.word limit $3) found) as count
             from unnest($2::bytea[]) with ordinality as wanted (word, ordinal)`,
    },
    [programId, words, limit],
  );

/**
 * The newest cards that have the first word and all the others. At most `lookedAt` cards with the first word are read.
 */
export const findCardsByWords = (
  db: Queryable,
  programId: string,
  [first, ...others]: readonly Buffer[],
  lookedAt: number,
  limit: number,
): Promise<Id[]> =>
  db.query(
    {
      name: 'find_cards_by_words',
      text: `select w.card_id as id from (
               select card_id from card_search_words
               where program_id = $1 and word = $2 order by card_id desc limit $4) w
             where not exists (
               select from unnest($3::bytea[]) as other (word)
               where not exists (
                 select from card_search_words x
                 where x.program_id = $1 and x.word = other.word and x.card_id = w.card_id))
             order by w.card_id desc limit $5`,
    },
    [programId, first, others, lookedAt, limit],
  );

/** Cards that have or had a number with these last digits, in order of their newest such credential. */
export const findCardsByLastFour = (
  db: Queryable,
  programId: string,
  lastFour: string,
  limit: number,
): Promise<Id[]> =>
  db.query(
    {
      name: 'find_cards_by_last_four',
      text: `select card_id as id from credentials
             where program_id = $1 and last_four = $2 order by id desc limit $3`,
    },
    [programId, lastFour, limit],
  );

export const findCardsOfCardholder = (
  db: Queryable,
  programId: string,
  cardholderIds: readonly string[],
  limit: number,
): Promise<Id[]> =>
  db.query(
    {
      name: 'find_cards_of_cardholder',
      text: `select c.id from unnest($2::uuid[]) as wanted (cardholder_id)
             cross join lateral (
               select id from cards where program_id = $1 and cardholder_id = wanted.cardholder_id
               order by id desc limit $3) c
             order by c.id desc limit $3`,
    },
    [programId, column(cardholderIds), limit],
  );
