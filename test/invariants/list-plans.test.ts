import { beforeAll, describe, expect, test } from 'vitest';
import {
  findTransactionCards,
  findTransactions,
  listHolds,
  listTransactions,
} from '../../src/authorizations/transactions/queries.ts';
import {
  CUSTOMER_LIST,
  countCustomerCards,
  findCustomerRow,
  listCustomerIds,
  sumCustomerCards,
} from '../../src/cards/customers/queries.ts';
import {
  findCard,
  findLastFours,
  listAdjustments,
  listCards,
  listExpiryEvents,
} from '../../src/cards/queries.ts';
import type { Queryable } from '../../src/db/database.ts';
import { HIGHEST_ID, LOWEST_ID, lowestIdAt } from '../../src/kernel/ids.ts';
import { countBefore, findAtOrdinal, findPageStartAfter, insertMilestones } from '../../src/lists/queries.ts';
import { findNewestRecords } from '../../src/vault/queries.ts';
import { fillAdjustments } from '../support/cards/fill-adjustments.ts';
import { fillTransactions } from '../support/cards/swipe.ts';
import { buffersOf, genericBuffersOf, genericPlansOf } from '../support/database/buffers.ts';
import { fillCards } from '../support/database/fill-cards.ts';
import { appForTests } from '../support/server/test-app.ts';

const CARDS = 5_000;
const PAGE = 51;
/** A few per record of the page. Reading the program's cards once over would take as many again and more. */
const MOST_BUFFERS = 5 * PAGE;

/**
 * PostgreSQL plans by what its last ANALYZE saw. A program that came after it is, to the planner, a program
 * without rows, for which one way to read is as good as another. Lists must not wait for the next ANALYZE.
 */
describe('a program that is missing in the planner’s statistics', () => {
  const app = appForTests();
  let programId: string;
  let ids: string[];
  let customers: string[];
  /** Oldest first, of every card in turn of the first few, so that one card's lie among the others'. */
  let transactions: Array<{ id: string; cardId: string }>;
  let ofCard: { table: 'transactions'; cardId: string };
  let adjustments: Array<{ id: string; cardId: string }>;
  let adjustmentsOf: { table: 'balance_adjustments'; cardId: string };

  beforeAll(async () => {
    const day = { fromMs: Date.now() - 86_400_000, toMs: Date.now() - 3_600_000 };
    const known = await fillCards(app, app.program, { count: 2_000, ...day });
    await fillTransactions(app, app.program, known, { count: 2_000, ...day });
    await fillAdjustments(app, app.program, known, { count: 2_000, ...day });
    await app.sql('vacuum analyze');
    const { program } = await app.addProgram();
    programId = program.id;
    ids = await fillCards(app, program, { count: CARDS, ...day });
    transactions = await fillTransactions(app, program, ids.slice(0, 4), { count: CARDS, ...day });
    adjustments = await fillAdjustments(app, program, ids.slice(0, 4), { count: CARDS, ...day });
    const holders = await app.sql('select cardholder_id from customers where program_id = $1 limit $2', [
      programId,
      PAGE,
    ]);
    customers = holders.map((row) => row['cardholder_id'] as string);
    ofCard = { table: 'transactions', cardId: ids[0] as string };
    adjustmentsOf = { table: 'balance_adjustments', cardId: ids[0] as string };
    for (const list of [
      { table: 'cards' },
      { table: 'customers' },
      { table: 'transactions' },
      ofCard,
      adjustmentsOf,
    ] as const)
      await insertMilestones(app.db, list, programId, lowestIdAt(Date.now()), CARDS);
  });

  const TRANSACTIONS = { table: 'transactions' } as const;
  const middle = () => transactions[CARDS / 2]?.id as string;

  test.each<[string, (db: Queryable) => Promise<unknown>]>([
    ['count', (db) => countBefore(db, { table: 'cards' }, programId, HIGHEST_ID)],
    ['count up to a day', (db) => countBefore(db, { table: 'cards' }, programId, ids[CARDS / 2] as string)],
    ['the record at an ordinal', (db) => findAtOrdinal(db, { table: 'cards' }, programId, CARDS / 2)],
    [
      'the start of the page before',
      (db) => findPageStartAfter(db, { table: 'cards' }, programId, ids[9] as string, HIGHEST_ID, PAGE),
    ],
    ['the first page', (db) => listCards(db, programId, HIGHEST_ID, LOWEST_ID, PAGE)],
    ['a page in the middle', (db) => listCards(db, programId, ids[CARDS / 2] as string, LOWEST_ID, PAGE)],
    ['the count of customers', (db) => countBefore(db, CUSTOMER_LIST, programId, HIGHEST_ID)],
    ['the customer at an ordinal', (db) => findAtOrdinal(db, CUSTOMER_LIST, programId, CARDS / 2)],
    [
      'the start of the page of customers before',
      (db) => findPageStartAfter(db, CUSTOMER_LIST, programId, ids[9] as string, HIGHEST_ID, PAGE),
    ],
    ['the first page of customers', (db) => listCustomerIds(db, programId, HIGHEST_ID, LOWEST_ID, PAGE)],
    [
      'a page of customers in the middle',
      (db) => listCustomerIds(db, programId, ids[CARDS / 2] as string, LOWEST_ID, PAGE),
    ],
    ['a customer by id', (db) => findCustomerRow(db, programId, customers.slice(0, 2))],
    [
      'the cards of half a page of customers',
      (db) => countCustomerCards(db, programId, customers.slice(0, 25), '2026-11-15', 1_000),
    ],
    ['the totals of a customer', (db) => sumCustomerCards(db, programId, customers.slice(0, 2))],
    ['one card', (db) => findCard(db, programId, ids[0] as string)],
    ['the holders of a page', (db) => findNewestRecords(db, programId, 'holder', ids.slice(0, PAGE))],
    ['the count of transactions', (db) => countBefore(db, TRANSACTIONS, programId, HIGHEST_ID)],
    ['the transaction at an ordinal', (db) => findAtOrdinal(db, TRANSACTIONS, programId, CARDS / 2)],
    [
      'the first page of transactions',
      (db) => listTransactions(db, programId, null, HIGHEST_ID, LOWEST_ID, PAGE),
    ],
    [
      'a page of them in the middle',
      (db) => listTransactions(db, programId, null, middle(), LOWEST_ID, PAGE),
    ],
    ['the count of a card’s', (db) => countBefore(db, ofCard, programId, HIGHEST_ID)],
    ['the count of a card’s up to a day', (db) => countBefore(db, ofCard, programId, middle())],
    ['a card’s transaction at an ordinal', (db) => findAtOrdinal(db, ofCard, programId, CARDS / 8)],
    [
      'the start of the page before of a card’s',
      (db) => findPageStartAfter(db, ofCard, programId, middle(), HIGHEST_ID, PAGE),
    ],
    [
      'the first page of a card’s',
      (db) => listTransactions(db, programId, ofCard.cardId, HIGHEST_ID, LOWEST_ID, PAGE),
    ],
    [
      'a page of a card’s in the middle',
      (db) => listTransactions(db, programId, ofCard.cardId, middle(), LOWEST_ID, PAGE),
    ],
    ['the count of a card’s adjustments', (db) => countBefore(db, adjustmentsOf, programId, HIGHEST_ID)],
    ['a card’s adjustment at an ordinal', (db) => findAtOrdinal(db, adjustmentsOf, programId, CARDS / 8)],
    [
      'the first page of a card’s adjustments',
      (db) => listAdjustments(db, programId, adjustmentsOf.cardId, HIGHEST_ID, LOWEST_ID, PAGE),
    ],
    [
      'a page of them in the middle, and of a card that has none',
      async (db) => {
        const from = adjustments[CARDS / 2]?.id as string;
        await listAdjustments(db, programId, adjustmentsOf.cardId, from, LOWEST_ID, PAGE);
        await listAdjustments(db, programId, ids[9] as string, HIGHEST_ID, LOWEST_ID, PAGE);
      },
    ],
    ['the next expiries', (db) => listExpiryEvents(db, programId, PAGE)],
    ['holds to release', (db) => listHolds(db, programId, middle(), HIGHEST_ID, PAGE)],
    [
      'no holds to release',
      (db) => listHolds(db, programId, LOWEST_ID, transactions[0]?.id as string, CARDS),
    ],
    [
      'some transactions',
      (db) =>
        findTransactions(
          db,
          programId,
          transactions.slice(0, PAGE).map(({ id }) => id),
        ),
    ],
  ])('%s reads only a few pages of the tables', async (_name, run) => {
    expect(await buffersOf(app.databaseUrl, run)).toBeLessThan(MOST_BUFFERS);
    expect(await genericBuffersOf(app.databaseUrl, run)).toBeLessThan(MOST_BUFFERS);
  });

  test.each<[string, (db: Queryable, some: string[]) => unknown]>([
    ['transactions', (db, some) => findTransactions(db, programId, some)],
    ['the cards of transactions', (db, some) => findTransactionCards(db, programId, some)],
    ['last fours', (db, some) => findLastFours(db, programId, some)],
  ])('%s are found by their ids, without reading others', async (_name, find) => {
    // As autovacuum does: from then on the planner may prefer an index that holds all columns it needs.
    await app.sql('vacuum transactions_2026, credentials');
    const some = transactions.filter((_, place) => place % 100 === 0).map(({ id }) => id);
    const plans = await genericPlansOf(app.databaseUrl, async (db) => find(db, some));
    expect(JSON.stringify(plans)).toMatch(/"Index Name":"(transactions_2026|credentials)_pkey"/);
    expect(JSON.stringify(plans)).not.toMatch(/"Index Name":"(?!\w+_pkey)/);
  });
});
