import { findTransactionsOfMessage } from '../../authorizations/transactions/queries.ts';
import { type CardHolder, presentCard } from '../../cards/card.ts';
import { cardholderIdsOf } from '../../cards/create-card.ts';
import { findCards as findCardRecords } from '../../cards/queries.ts';
import { findCardsByLastFour, findCardsOfCardholder } from '../../cards/search-queries.ts';
import { isId } from '../../kernel/ids.ts';
import type { Actor } from '../../programs/actor.ts';
import type { QueryServices } from '../services.ts';
import { checkSearch, LAST_FOUR } from './check-search.ts';
import { findByContact } from './find-by-contact.ts';
import { findByName } from './find-by-name.ts';
import { findPurchases } from './find-purchases.ts';
import type { MatchedBy } from './schema.ts';

const MOST_RESULTS = 25;
interface Match {
  cardId: string;
  matchedBy: MatchedBy;
  transactionId: string | null;
}

/** Searches by everything that the text may mean. The most specific match comes first. */
export async function findCards(services: QueryServices, actor: Actor, given: string) {
  const query = checkSearch(actor.program, given);
  const programId = actor.program.id;
  const [purchases, ...others] = await Promise.all([
    findPurchases(services, actor.program, query, MOST_RESULTS),
    byTransaction(services, programId, query),
    byLastFour(services, programId, query),
    byCustomerId(services, programId, query),
    byContact(services, programId, query),
    byName(services, programId, query),
  ]);
  const found = [byId(query), ...others];
  const matches = new Map<string, Match>();
  for (const match of found.flatMap(({ results }) => results))
    if (!matches.has(match.cardId)) matches.set(match.cardId, match);
  const shown = [...matches.values()].slice(0, MOST_RESULTS);
  return {
    results: await present(services, actor, shown),
    more: matches.size > MOST_RESULTS || found.some(({ more }) => more),
    ...purchases,
  };
}

interface Found {
  results: Match[];
  more: boolean;
}

function toFound(ids: readonly string[], matchedBy: MatchedBy, more = false): Found {
  const results = [...new Set(ids)].map((cardId) => ({ cardId, matchedBy, transactionId: null }));
  return { results: results.slice(0, MOST_RESULTS), more: more || results.length > MOST_RESULTS };
}

const byId = (query: string): Found => toFound(isId(query.toLowerCase()) ? [query.toLowerCase()] : [], 'id');

async function byTransaction({ db }: QueryServices, programId: string, query: string): Promise<Found> {
  const id = query.toLowerCase();
  const found = await findTransactionsOfMessage(db, programId, query, isId(id) ? id : null);
  return { results: found.map((ids) => ({ ...ids, matchedBy: 'transaction' })), more: false };
}

async function byLastFour({ db }: QueryServices, programId: string, query: string): Promise<Found> {
  const lastFour = LAST_FOUR.exec(query)?.[1];
  if (!lastFour) return toFound([], 'lastFour');
  const most = 4 * MOST_RESULTS;
  const rows = await findCardsByLastFour(db, programId, lastFour, most);
  return toFound(
    rows.map(({ id }) => id),
    'lastFour',
    rows.length === most,
  );
}

async function byCustomerId({ db, vault }: QueryServices, programId: string, query: string): Promise<Found> {
  const cardholderIds = cardholderIdsOf(vault, programId, query);
  const rows = await findCardsOfCardholder(db, programId, cardholderIds, MOST_RESULTS + 1);
  return toFound(
    rows.map(({ id }) => id),
    'customerId',
  );
}

async function byContact(services: QueryServices, programId: string, query: string): Promise<Found> {
  const { cardIds, by } = await findByContact(services, programId, query, MOST_RESULTS + 1);
  return toFound(cardIds, by);
}

async function byName(services: QueryServices, programId: string, query: string): Promise<Found> {
  const { cardIds, more } = await findByName(services, programId, query, MOST_RESULTS);
  return toFound(cardIds, 'cardholder', more);
}

/** Drops ids that are not cards in this program. */
async function present({ db, vault }: QueryServices, actor: Actor, matches: readonly Match[]) {
  const programId = actor.program.id;
  const ids = matches.map(({ cardId }) => cardId);
  if (ids.length === 0) return [];
  const [records, holders] = await Promise.all([
    findCardRecords(db, programId, ids),
    vault.openRecords(db, programId, 'holder', ids),
  ]);
  const cards = new Map(records.map((card) => [card.id, card]));
  const nowMs = actor.now();
  return matches.flatMap(({ cardId, matchedBy, transactionId }) => {
    const card = cards.get(cardId);
    if (!card) return [];
    return [{ card: presentCard(card, holders.get(cardId) as CardHolder, nowMs), matchedBy, transactionId }];
  });
}
