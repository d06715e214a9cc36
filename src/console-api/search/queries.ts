import { column } from '../../db/columns.ts';
import type { Queryable } from '../../db/database.ts';

interface Id {
  id: string;
}

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

/** The transactions of messages of any kind with this id, and the transaction with this id. */
export const findPlacesOfTransaction = (
  db: Queryable,
  programId: string,
  messageId: string,
  transactionId: string | null,
): Promise<Array<{ transactionId: string; cardId: string }>> =>
  db.query(
    {
      name: 'find_places_of_transaction',
      text: `select m.transaction_id as "transactionId", m.card_id as "cardId"
             from unnest('{authorization,clearing,refund,reversal}'::text[]) as wanted (kind)
             cross join lateral (
               select * from network_messages
               where program_id = $1 and kind = wanted.kind and message_id = $2 limit 1) m
             where m.transaction_id is not null and m.card_id is not null
             union
             select id, card_id from transactions where program_id = $1 and id = $3::uuid`,
    },
    [programId, messageId, transactionId],
  );

/** The number of cards with each word, up to a limit. */
export const countWords = (
  db: Queryable,
  programId: string,
  words: readonly Buffer[],
  limit: number,
): Promise<Array<{ place: number; count: number }>> =>
  db.query(
    {
      name: 'count_card_search_words',
      text: `select wanted.place::int, (
                      select count(*)::int from (
                        select from card_search_words where program_id = $1 and word = wanted.word limit $3) found) as count
             from unnest($2::bytea[]) with ordinality as wanted (word, place)`,
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

/** The last four digits of cards now, by card id. */
export async function findLastFoursOfCards(
  db: Queryable,
  programId: string,
  cardIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; lastFour: string }>(
    {
      name: 'find_last_fours_of_cards',
      text: `select c.id, r.last_four as "lastFour" from unnest($2::uuid[]) as wanted (id)
             cross join lateral (
               select id, credential_id from cards where program_id = $1 and id = wanted.id limit 1) c
             cross join lateral (
               select last_four from credentials where program_id = $1 and id = c.credential_id limit 1) r`,
    },
    [programId, column(cardIds)],
  );
  return new Map(rows.map(({ id, lastFour }) => [id, lastFour]));
}
