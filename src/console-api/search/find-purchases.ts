import type { Static } from 'typebox';
import { atMerchant, compared, TOTAL } from '../../authorizations/transactions/filter-queries.ts';
import { findTransactions, TRANSACTION_LIST } from '../../authorizations/transactions/queries.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import { HIGHEST_ID, isId, LOWEST_ID, timeOf } from '../../kernel/ids.ts';
import { findLookEnd, findMatching } from '../../lists/filter-queries.ts';
import { matchingAll } from '../../lists/filters.ts';
import type { Program } from '../../programs/program.ts';
import { inOrder } from '../lists/list.ts';
import type { QueryServices } from '../services.ts';
import { detailsOf } from '../transactions/detail.ts';
import type { TransactionDetail } from '../transactions/schema.ts';
import { parseQueryAmount } from './parse-query-amount.ts';

/** The newest transactions that are read. An index on merchants or amounts would slow down every authorization. */
const MOST_LOOKED_AT = 5_000;
const SHORTEST_MERCHANT = 3;

/** The newest transactions at a merchant, or of the amount that the card was charged, fees included. */
export async function findPurchases(
  services: QueryServices,
  program: Program,
  query: string,
  limit: number,
): Promise<{ transactions: Array<Static<typeof TransactionDetail>>; searchedBackTo: string | null }> {
  const amountMinor = parseQueryAmount(query, program.currency);
  if (amountMinor === undefined && !isMerchant(query)) return { transactions: [], searchedBackTo: null };
  const list = matchingAll(
    TRANSACTION_LIST,
    amountMinor === undefined
      ? [atMerchant(query)]
      : [compared(TOTAL, '>=', amountMinor), compared(TOTAL, '<=', amountMinor)],
  );
  const look = {
    programId: program.id,
    aboveId: LOWEST_ID,
    belowId: HIGHEST_ID,
    oldestFirst: false,
    limit: MOST_LOOKED_AT,
  };
  const { ids, records, endId } = await services.db.snapshot(async (tx) => {
    const found = await findMatching(tx, list, look, limit);
    return {
      ids: found,
      records: await findTransactions(tx, program.id, found),
      endId: await findLookEnd(tx, list, look),
    };
  });
  const newestFirst = inOrder(ids, records, ({ id }) => id);
  return {
    transactions: await detailsOf(services, program.id, newestFirst),
    searchedBackTo: endId === undefined ? null : formatTimestamp(new Date(timeOf(endId))),
  };
}

const isMerchant = (query: string): boolean =>
  [...query].length >= SHORTEST_MERCHANT && /\p{L}/u.test(query) && !query.includes('@') && !isId(query);
