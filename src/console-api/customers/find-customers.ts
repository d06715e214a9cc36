import { cardholderIdsOf } from '../../cards/create-card.ts';
import { summarizeCustomers } from '../../cards/customers/summarize-customers.ts';
import { findCardsOfCardholder } from '../../cards/search-queries.ts';
import type { Actor } from '../../programs/actor.ts';
import { checkSearch } from '../search/check-search.ts';
import { findByContact } from '../search/find-by-contact.ts';
import { findByName } from '../search/find-by-name.ts';
import type { QueryServices } from '../services.ts';
import { presentCustomers } from './present-customers.ts';

/** The most customers that a search shows, and the cards that it looks at for them. */
const MOST_FOUND = 25;
const MOST_MATCHES = 100;

/** The customers with a name, an e-mail, a phone number or an id, as the search for cards finds them. */
export async function findCustomers(services: QueryServices, actor: Actor, given: string) {
  const { db, vault } = services;
  const { id: programId } = actor.program;
  const query = checkSearch(actor.program, given);
  const [byId, byContact, byName] = await Promise.all([
    findCardsOfCardholder(db, programId, cardholderIdsOf(vault, programId, query), 1),
    findByContact(services, programId, query, MOST_MATCHES),
    findByName(services, programId, query, MOST_MATCHES),
  ]);
  const cardIds = [...new Set([...byId.map(({ id }) => id), ...byContact.cardIds, ...byName.cardIds])];
  const customers = await summarizeCustomers(services, programId, cardIds, actor.now());
  return {
    results: await presentCustomers(services, actor, customers.slice(0, MOST_FOUND)),
    next: null,
    more: byName.more || customers.length > MOST_FOUND,
  };
}
