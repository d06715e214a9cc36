import { CUSTOMER_LIST } from '../../cards/customers/queries.ts';
import { type CustomerSummary, summarizeCustomers } from '../../cards/customers/summarize-customers.ts';
import { HIGHEST_ID, LOWEST_ID } from '../../kernel/ids.ts';
import { filterPage } from '../../lists/filter-list.ts';
import { matchingAll } from '../../lists/filters.ts';
import type { Actor } from '../../programs/actor.ts';
import { PAGE_SIZE } from '../console-schema.ts';
import type { QueryServices } from '../services.ts';
import { presentCustomers } from './present-customers.ts';

const ALL_CUSTOMERS = matchingAll(CUSTOMER_LIST, []);

/** All customers, those with the newest first card first. */
export async function listCustomers(services: QueryServices, actor: Actor, belowId = HIGHEST_ID) {
  const range = { programId: actor.program.id, oldestFirst: false, aboveId: LOWEST_ID, belowId };
  const { ids, next } = await filterPage(services.db, ALL_CUSTOMERS, range, PAGE_SIZE);
  const customers = await summarizeCustomers(services, actor.program.id, ids, actor.now());
  const isOnPage = ({ firstCardId }: CustomerSummary) => ids.includes(firstCardId);
  return { results: await presentCustomers(services, actor, customers.filter(isOnPage)), next, more: false };
}
