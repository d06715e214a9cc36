import type { Database, Queryable } from '../../db/database.ts';
import { dayEndMs, dayOf, dayStartMs, formatTimestamp } from '../../kernel/calendar.ts';
import { HIGHEST_ID, LOWEST_ID, lowestIdAt, timeOf } from '../../kernel/ids.ts';
import type { PageRequest } from '../../lists/find-page.ts';
import { readPage } from '../../lists/read-page.ts';
import { type Actor, listClock } from '../../programs/actor.ts';
import type { Vault } from '../../vault/vault.ts';
import type { CardHolder } from '../card.ts';
import { cardholderIdsOf } from '../create-card.ts';
import { CUSTOMER_LIST, countCustomerCards, findCustomerRow, listCustomerIds } from './queries.ts';

/** The cards of a customer that a list counts. */
export const MOST_COUNTED = 1_000;

interface Services {
  db: Database;
  vault: Vault;
  onError: (error: unknown) => void;
}

/** Returns a page, newest first. It contains one customer more than requested if another page follows. */
export async function listCustomers(
  { db, vault, onError }: Services,
  actor: Actor,
  request: PageRequest,
  customerId: string | undefined,
) {
  const { id: programId } = actor.program;
  const { count, records } =
    customerId === undefined
      ? await readPage(
          db,
          CUSTOMER_LIST,
          programId,
          request,
          listClock(actor),
          (fromId, lowestId, limit) => listCustomerIds(db, programId, fromId, lowestId, limit),
          onError,
        )
      : await pageOfOne({ db, vault }, programId, request, customerId);
  return { count, customers: await presentCustomers({ db, vault }, programId, records, actor.now()) };
}

/** There is one customer with an id, or none. */
async function pageOfOne(
  { db, vault }: Pick<Services, 'db' | 'vault'>,
  programId: string,
  { page, after = HIGHEST_ID, before = LOWEST_ID, minCreated, maxCreated }: PageRequest,
  customerId: string,
): Promise<{ count: number; records: string[] }> {
  const row = await findCustomerRow(db, programId, cardholderIdsOf(vault, programId, customerId));
  const lowestId = minCreated ? lowestIdAt(dayStartMs(minCreated)) : LOWEST_ID;
  const endId = maxCreated ? lowestIdAt(dayEndMs(maxCreated)) : HIGHEST_ID;
  if (!row || row.id < lowestId || row.id >= endId) return { count: 0, records: [] };
  const isOnPage = page === 1 && row.id < after && row.id > before;
  return { count: 1, records: isOnPage ? [row.id] : [] };
}

/** The customers of these first cards, in their order. */
async function presentCustomers(
  { db, vault }: { db: Queryable; vault: Vault },
  programId: string,
  firstCardIds: readonly string[],
  nowMs: number,
) {
  if (firstCardIds.length === 0) return [];
  const holders = await vault.openRecords(db, programId, 'holder', firstCardIds);
  const customers = firstCardIds.map((firstCardId) => {
    const { externalCustomerId: id } = holders.get(firstCardId) as CardHolder;
    // While a key is rotated, the cards of a customer are under two cardholder ids.
    return { id, firstCardId, cardholderIds: cardholderIdsOf(vault, programId, id) };
  });
  const all = customers.flatMap(({ cardholderIds }) => cardholderIds);
  const counts = await countCustomerCards(db, programId, all, dayOf(nowMs), MOST_COUNTED);
  return customers.map(({ cardholderIds, id, firstCardId }) => {
    const own = counts.filter(({ cardholderId }) => cardholderIds.includes(cardholderId));
    const sum = (of: 'cards' | 'activeCards') => own.reduce((total, each) => total + each[of], 0);
    return {
      ...{ id, firstCardId, cards: sum('cards'), activeCards: sum('activeCards') },
      created: formatTimestamp(new Date(timeOf(firstCardId))),
    };
  });
}
