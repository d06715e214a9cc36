import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type EntryFilter,
  filterEntries,
  listAuditBelow,
  listFundingBelow,
} from '../../src/audit/queries.ts';
import { listCardAuthenticationsBelow } from '../../src/authentications/queries.ts';
import { sumDecisions } from '../../src/authorizations/totals/decision-queries.ts';
import { addToHourlyTotals, sumWindow } from '../../src/authorizations/totals/queries.ts';
import { updateHourlyTotals } from '../../src/authorizations/totals/update-hourly-totals.ts';
import { findDeclineLimits } from '../../src/authorizations/transactions/decline-queries.ts';
import {
  compared,
  eventIdsOf,
  TOTAL,
  withLabel,
} from '../../src/authorizations/transactions/filter-queries.ts';
import { TRANSACTION_FILTERS } from '../../src/authorizations/transactions/filters.ts';
import {
  findTransactionFrom,
  findTransactionsOfMessage,
  TRANSACTION_LIST,
  updateLabels,
} from '../../src/authorizations/transactions/queries.ts';
import {
  findTransaction,
  listCardTransactionsBelow,
  listRefunds,
} from '../../src/authorizations/transactions/search-queries.ts';
import { findLastUses } from '../../src/cards/counter-queries.ts';
import { CUSTOMER_LIST, listCustomerCards, listNotes } from '../../src/cards/customers/queries.ts';
import { withStatus, withType } from '../../src/cards/filter-queries.ts';
import { CARD_FILTERS, type CardContext } from '../../src/cards/filters.ts';
import {
  CARD_LIST,
  findCards,
  findLastFours,
  findLastFoursOfCards,
  findReplacement,
} from '../../src/cards/queries.ts';
import { renewSearchWords } from '../../src/cards/renew-search-words.ts';
import {
  countWords,
  findCardsByLastFour,
  findCardsByWords,
  findCardsOfCardholder,
  findSpelledWords,
} from '../../src/cards/search-queries.ts';
import { digestSearchedSpellings, digestWord } from '../../src/cards/search-words.ts';
import { rangesOf } from '../../src/console-api/decisions/read-decision-times.ts';
import { windowAt } from '../../src/console-api/overview/window.ts';
import type { Queryable, Tx } from '../../src/db/database.ts';
import { inState } from '../../src/events/filter-queries.ts';
import { EVENT_LIST, findEvents, listEvents } from '../../src/events/queries.ts';
import { HIGHEST_ID, LOWEST_ID, lowestIdAt } from '../../src/kernel/ids.ts';
import { findBalances, findTransfers } from '../../src/ledger/queries.ts';
import { findFirst, readPageOf } from '../../src/lists/filter-list.ts';
import { countMatching, findLookEnd, findMatching, type Merged } from '../../src/lists/filter-queries.ts';
import { matchingAll, matchingOf } from '../../src/lists/filters.ts';
import { findMerged } from '../../src/lists/merge-queries.ts';
import type { Program } from '../../src/programs/program.ts';
import { listRequestsBelow } from '../../src/reports/queries.ts';
import { eventFilters } from '../../src/webhooks/filters.ts';
import { fillTransactions } from '../support/cards/swipe.ts';
import { buffersOf, genericBuffersOf } from '../support/database/buffers.ts';
import { cloneDatabase } from '../support/database/database.ts';
import { fillCards } from '../support/database/fill-cards.ts';
import { everyFilter } from '../support/lists/every-filter.ts';
import { testActor } from '../support/server/actor.ts';
import { appForTests, startTestApp, type TestApp } from '../support/server/test-app.ts';

const CARDS = 2_000;
const TRANSACTIONS = 20_000;
const PAGE = 51;
const HOUR_MS = 3_600_000;
const NOW_MS = Date.now();
const ANYTHING = matchingAll(TRANSACTION_LIST, []);
const FROZEN = matchingAll(CARD_LIST, [withStatus('FROZEN', '2026-11-15'), withType('virtual')]);
const ACTIVE = matchingAll(CARD_LIST, [withStatus('ACTIVE', '2026-11-15')]);
const FAILED = matchingAll(EVENT_LIST, [inState('failed')]);
const ALL_CUSTOMERS = matchingAll(CUSTOMER_LIST, []);

/** A page's worth of rows; a look at 1,000 rows of 20,000; a look at each sixth of 24 hours. */
const MOST = { page: 6 * PAGE, cards: 200 * 6, look: 160, day: 24 * 6 * 5 };
const LOOK = 1_000;

const labelled = (label: string) => matchingAll(TRANSACTION_LIST, [withLabel(label)]);

/** Filled once, before a server of the tests runs. */
const filled = {} as {
  program: Program;
  cards: string[];
  transactions: Array<{ id: string; cardId: string }>;
};
const masterKey = randomBytes(32).toString('base64');
const STATISTICS = ['known', 'unknown'] as const;
const urls = {} as Record<(typeof STATISTICS)[number], string>;

beforeAll(async () => {
  const app = await startTestApp({ masterKey });
  const { program } = await app.addProgram();
  const range = { fromMs: NOW_MS - 60 * 24 * HOUR_MS, toMs: NOW_MS - HOUR_MS };
  const holderOf = (index: number) => ({
    cardholderName: 'Ada Lovelace',
    cardName: 'ADA LOVELACE',
    externalCustomerId:
      index < 1_700 ? `company-${Math.min(3, Math.floor(index / 200))}` : `customer-${index}`,
  });
  const cards = await fillCards(app, program, { count: CARDS, ...range, holderOf });
  const transactions = await fillTransactions(app, program, cards.slice(0, 40), {
    count: TRANSACTIONS,
    ...range,
  });
  await renewSearchWords(app, [program.id]);
  // One card of a company with two hundred has a transaction, the oldest, and one of a company with eleven hundred.
  for (const [transaction, card] of [
    [0, 300],
    [5, 900],
  ] as const)
    await app.sql('update transactions set card_id = $3 where program_id = $1 and id = $2', [
      ...[program.id, transactions[transaction]?.id, cards[card]],
    ]);
  await fillJournal(app, program.id);
  await updateHourlyTotals(app.db, program.id);
  await app.sql('vacuum');
  await app.close();
  Object.assign(filled, { program, cards, transactions });
  urls.unknown = app.databaseUrl;
  urls.known = await cloneDatabase(app.databaseUrl);
});

/** For each transaction a message, an event, a transfer and an audit entry; every fiftieth is refunded. */
async function fillJournal(app: TestApp, programId: string): Promise<void> {
  const of = 'from transactions t where t.program_id = $1';
  for (const text of [
    `insert into network_messages (program_id, kind, message_id, transaction_id, card_id, created_at)
     select $1, 'transaction', 'ext-' || t.id, t.id, t.card_id, t.created_at ${of}`,
    `insert into events (program_id, id, event_type, event_name, card_id, data, created_at)
     select $1, t.id, 'transaction', 'authorization', t.card_id, '{}', t.created_at ${of}`,
    `insert into ledger_transfers (program_id, id, movement_id, code, debit_account_id, credit_account_id, amount_minor, created_at)
     select $1, t.id, t.id, 'hold', t.id, t.card_id, 1, t.created_at ${of}`,
    `insert into audit_entries (program_id, id, actor, action, card_id, created_at)
     select $1, t.id, 'cli:root', 'card.noted', t.card_id, t.created_at ${of}`,
    `insert into report_requests (program_id, id, report_id, notified, created_at)
     select $1, t.id, t.id, true, t.created_at ${of}`,
    `insert into authentications (program_id, purpose, authentication_id, id, request_digest, card_id, status,
       trans_status, completed_at, created_at, created_real)
     select $1, '3ds', t.id, t.id, '', t.card_id, 'AUTHENTICATED', 'Y', now(), t.created_at, now() ${of}`,
    `insert into transaction_labels (program_id, label, id) select $1, 'team=travel', t.id ${of}`,
    `insert into transaction_labels (program_id, label, id) select $1, 'order_id=' || t.id, t.id ${of}`,
    `update transactions set event_ids = array[id], parent_id = case when id::text ~ '00$' then id end
     where program_id = $1`,
    `insert into webhook_deliveries (program_id, event_id, endpoint_id, status)
     select $1, t.id, t.card_id, 'DELIVERED' ${of}`,
    `update webhook_deliveries set status = 'FAILED'
     where event_id in (select id from transactions where program_id = $1 order by id limit 1)`,
  ])
    await app.sql(text, [programId]);
}

/** The console must answer on a database of any size: each question reads what it shows and little more. */
describe.each(STATISTICS)('a program that the planner’s statistics call %s', (statistics) => {
  const app = appForTests(() => ({ masterKey, databaseUrl: urls[statistics] }));
  let programId: string;
  let cards: string[];
  let customers: string[];
  let transactions: Array<{ id: string; cardId: string }>;
  let word: (text: string) => Buffer;

  beforeAll(async () => {
    programId = filled.program.id;
    ({ cards, transactions } = filled);
    if (statistics === 'known') await app.sql('analyze');
    const found = await app.sql(
      'select cardholder_id from customers where program_id = $1 order by id desc limit 50',
      [programId],
    );
    customers = found.map(({ cardholder_id: id }) => id as string);
    word = (text) => digestWord(app.vault.search, programId, text);
  });

  const middle = () => transactions[TRANSACTIONS / 2]?.id as string;
  const some = () => transactions.slice(0, 4).map(({ id }) => id);
  const look = (limit = LOOK) => ({
    programId,
    belowId: middle(),
    aboveId: LOWEST_ID,
    oldestFirst: false,
    limit,
  });
  const entriesOf = (db: Queryable, filter: Partial<EntryFilter>, scan: number) =>
    filterEntries(db, programId, { fromId: LOWEST_ID, belowId: middle(), ...filter }, scan, PAGE);
  const findOfCard = (db: Queryable, cardId: string) => {
    const list = matchingOf(EVENT_LIST, eventFilters(eventIdsOf), { cardId }, undefined);
    return findMerged(db, list, list.leads[0] as Merged, look(), PAGE);
  };
  const sum = (name: '24h' | '30d') => (db: Queryable) => {
    const tail = { fromId: lowestIdAt(NOW_MS - 2 * HOUR_MS), limit: 100_000 };
    return sumWindow(db, programId, windowAt(name, NOW_MS), tail, 10);
  };

  test.each<[string, (db: Queryable) => Promise<unknown>, number]>([
    ['cards by last four', (db) => findCardsByLastFour(db, programId, '0042', PAGE), MOST.page],
    ['cards of a customer', (db) => findCardsOfCardholder(db, programId, [LOWEST_ID], PAGE), MOST.page],
    [
      'a transaction by a message',
      (db) => findTransactionsOfMessage(db, programId, `ext-${middle()}`, middle()),
      MOST.page,
    ],
    ['cards with a word', (db) => findCardsByWords(db, programId, [word('ADA')], 500, PAGE), MOST.page],
    [
      'cards with two words',
      (db) => findCardsByWords(db, programId, [word('ADA'), word('LOV')], 500, PAGE),
      MOST.page,
    ],
    [
      'cards with a word that none has',
      (db) => findCardsByWords(db, programId, [word('X'), word('LOV')], 500, PAGE),
      MOST.page,
    ],
    ['how rare words are', (db) => countWords(db, programId, [word('ADA'), word('LOV')], 500), MOST.page],
    [
      'names like a word',
      (db) => {
        const spellings = digestSearchedSpellings(app.vault.search, programId, 'LOVELASE');
        return findSpelledWords(db, programId, spellings, 8);
      },
      MOST.page,
    ],
    [
      'a card by its phone number',
      (db) => findCardsByWords(db, programId, [word('phone:7000000042')], 26, 26),
      MOST.page,
    ],
    ['a page of customers', (db) => findMatching(db, ALL_CUSTOMERS, look(20_000), PAGE), MOST.page],
    [
      'the cards of a page of customers',
      (db) => listCustomerCards(db, programId, customers, '2026-11-15', 201),
      2 * MOST.page,
    ],
    ['notes about a customer', (db) => listNotes(db, programId, [LOWEST_ID], HIGHEST_ID, 100), MOST.page],
    ['the replacement of a card', (db) => findReplacement(db, programId, cards[3] as string), MOST.page],
    ['last uses of a page', (db) => findLastUses(db, programId, cards.slice(0, 50)), MOST.page],
    ['balances of a page', (db) => findBalances(db, programId, cards.slice(0, 50)), MOST.page],
    ['cards of a page', (db) => findCards(db, programId, cards.slice(0, 25)), MOST.page],
    ['last fours of a page', (db) => findLastFours(db, programId, some()), MOST.page],
    ['last fours of cards', (db) => findLastFoursOfCards(db, programId, cards.slice(0, 25)), MOST.page],
    [
      "a page of a card's authentications",
      (db) => listCardAuthenticationsBelow(db, programId, cards.slice(3, 4), middle(), PAGE),
      MOST.page,
    ],
    [
      'a page of a timeline',
      (db) => listCardTransactionsBelow(db, programId, cards.slice(3, 4), middle(), PAGE),
      MOST.page,
    ],
    ['the first page of all', (db) => findMatching(db, ANYTHING, look(20_000), PAGE), MOST.page],
    [
      'the oldest first',
      (db) => findMatching(db, ANYTHING, { ...look(20_000), oldestFirst: true }, PAGE),
      MOST.page,
    ],
    [
      'a look that finds nothing',
      (db) =>
        findMatching(db, matchingAll(TRANSACTION_LIST, [compared(TOTAL, '>=', 10n ** 12n)]), look(), PAGE),
      MOST.look,
    ],
    ['a count of what matches', (db) => countMatching(db, ANYTHING, look(), 10_001), MOST.look],
    ['cards of a common status', (db) => findMatching(db, ACTIVE, look(20_000), PAGE), MOST.page],
    ['cards of a rare status', (db) => findMatching(db, FROZEN, look(20_000), PAGE), MOST.page],
    [
      'a pair that many have',
      (db) => findMatching(db, labelled('team=travel'), look(20_000), PAGE),
      MOST.page,
    ],
    [
      'a pair that one has, and one that none has',
      async (db) => {
        await findMatching(db, labelled(`order_id=${some()[0]}`), look(20_000), PAGE);
        await findMatching(db, labelled('order_id='), look(20_000), PAGE);
      },
      MOST.page,
    ],
    [
      'a change of the pairs of one',
      async ({ query }) => {
        const sent: Array<Promise<unknown>> = [];
        const send = (...statement: Parameters<Queryable['query']>) => sent.push(query(...statement));
        const labels = { added: [], removed: ['team=travel', `order_id=${middle()}`] };
        updateLabels({ send } as unknown as Tx, programId, middle(), labels);
        await Promise.all(sent);
      },
      MOST.page,
    ],
    [
      'events of a card, with all its transactions',
      (db) => findOfCard(db, cards[3] as string),
      MOST.page + (2 * TRANSACTIONS) / 40,
    ],
    ['events that failed', (db) => findMatching(db, FAILED, look(100), PAGE), MOST.page],
    ['where a look ends', (db) => findLookEnd(db, ANYTHING, look()), MOST.look],
    ['a transaction', (db) => findTransaction(db, programId, middle()), MOST.page],
    ['its refunds', (db) => listRefunds(db, programId, middle(), 100), MOST.page],
    ['the numbers of declines', (db) => findDeclineLimits(db, programId, some()), MOST.page],
    ['its events', (db) => findEvents(db, programId, some()), MOST.page],
    ['its transfers', (db) => findTransfers(db, programId, some()), MOST.page],
    [
      'a page of a history',
      (db) => listAuditBelow(db, programId, cards.slice(3, 4), middle(), PAGE),
      MOST.page,
    ],
    [
      'audit entries of some actions',
      (db) => entriesOf(db, { actions: ['card.noted', 'card.frozen'] }, PAGE),
      MOST.page,
    ],
    [
      'a text in the audit',
      (db) => entriesOf(db, { text: { part: 'nothing', actions: [] } }, LOOK),
      2 * MOST.look,
    ],
    ['a page of funding', (db) => listFundingBelow(db, programId, middle(), PAGE), MOST.page],
    ['the newest events', (db) => listEvents(db, programId, HIGHEST_ID, lowestIdAt(0), 100), MOST.page],
    ['a page of report requests', (db) => listRequestsBelow(db, programId, HIGHEST_ID, PAGE), MOST.page],
    ['a day of the overview', sum('24h'), MOST.page],
    ['a month of the overview', sum('30d'), MOST.page],
    [
      'a day of decisions',
      (db) => sumDecisions(db, programId, rangesOf(windowAt('24h', NOW_MS).starts), 100),
      MOST.day,
    ],
    ['what is to be counted next', (db) => findTransactionFrom(db, programId, middle(), 0), MOST.page],
    ['how far a count goes', (db) => findTransactionFrom(db, programId, middle(), LOOK), MOST.look],
  ])('%s reads only a few pages of the tables', async (_name, run, most) => {
    expect(await buffersOf(app.databaseUrl, run)).toBeLessThan(most);
    expect(await genericBuffersOf(app.databaseUrl, run)).toBeLessThan(most);
  });

  test('every filter with an index reads a page by it, whether many rows match, one or none', async () => {
    const context: CardContext = { vault: app.vault, actor: await testActor(app.db, programId) };
    const customer = 'customer-1800';
    const known = {
      card_id: cards[3] as string,
      external_transaction_id: `ext-${middle()}`,
      external_customer_id: customer,
    };
    const samples = [
      ...everyFilter(CARD_LIST, CARD_FILTERS, context, { externalCustomerId: customer }),
      ...everyFilter(TRANSACTION_LIST, TRANSACTION_FILTERS, context, known),
      ...everyFilter(TRANSACTION_LIST, TRANSACTION_FILTERS, context),
      ...everyFilter(EVENT_LIST, eventFilters(eventIdsOf), context, {
        transactionId: middle(),
        cardId: cards[900] as string,
      }),
    ].filter(({ index }) => index !== null);
    expect(samples.length).toBeGreaterThan(25);
    const costly: string[] = [];
    for (const { name, matching } of samples)
      for (const oldestFirst of [false, true]) {
        const run = (db: Queryable) =>
          findFirst(db, matching, { ...look(), oldestFirst, belowId: HIGHEST_ID }, PAGE);
        const buffers = await buffersOf(app.databaseUrl, run, app.db);
        if (buffers > MOST.page) costly.push(`${name}: ${buffers}`);
      }
    expect(costly).toEqual([]);
  });

  test.each([
    ['many transactions', 'company-0'],
    ['one transaction, the oldest', 'company-1'],
    ['none', 'company-2'],
  ])('a page of a customer with 200 cards and %s reads each card once or twice', async (_of, customer) => {
    for (const oldestFirst of [false, true])
      for (const changes of [{}, { kind: 'purchase' }]) {
        const matching = await ofCustomer(customer, changes);
        const run = (db: Queryable) =>
          findFirst(db, matching, { ...look(), oldestFirst, belowId: HIGHEST_ID }, PAGE);
        expect(await buffersOf(app.databaseUrl, run, app.db)).toBeLessThan(MOST.cards);
        expect(await genericBuffersOf(app.databaseUrl, run, app.db)).toBeLessThan(MOST.cards);
      }
  });

  test.each([false, true])(
    'the pages of a customer with 200 cards have each transaction once, %s',
    async (oldestFirst) => {
      const moved = new Set([0, 5]);
      const expected = transactions.filter((_, index) => !moved.has(index)).map(({ id }) => id);
      const list = await ofCustomer('company-0');
      const range = { programId, aboveId: LOWEST_ID, belowId: HIGHEST_ID, oldestFirst };
      const found: string[] = [];
      for (let next: string | null = ''; next !== null; ) {
        const at = next === '' ? {} : oldestFirst ? { aboveId: next } : { belowId: next };
        const page = await readPageOf(app.db, list, { ...range, ...at }, 1_000);
        found.push(...page.ids);
        next = page.next;
      }
      expect(found).toEqual(oldestFirst ? expected : expected.reverse());
    },
  );

  test('a customer with more than a thousand cards is found among all', async () => {
    const { ids } = await findFirst(app.db, await ofCustomer('company-3'), look(), PAGE);
    expect(ids).toEqual([transactions[5]?.id]);
  });

  async function ofCustomer(customer: string, given: object = {}) {
    const context: CardContext = { vault: app.vault, actor: await testActor(app.db, programId) };
    const wanted = { external_customer_id: customer, ...given };
    return matchingOf(TRANSACTION_LIST, TRANSACTION_FILTERS, wanted, context);
  }

  test('counting an hour reads only its transactions', async () => {
    const hour = [lowestIdAt(NOW_MS - 100 * HOUR_MS), lowestIdAt(NOW_MS - 99 * HOUR_MS)] as const;
    await app.sql('delete from hourly_totals where program_id = $1', [programId]);
    const count = async ({ query }: Queryable) => {
      const sent: Array<Promise<unknown>> = [];
      const tx = { send: (...statement: Parameters<Queryable['query']>) => sent.push(query(...statement)) };
      addToHourlyTotals(tx as unknown as Tx, programId, ...hour);
      await Promise.all(sent);
    };
    expect(await buffersOf(app.databaseUrl, count)).toBeLessThan(MOST.page);
  });

  test.each(['CLEARED', 'PENDING'])(
    'a page of a status reads only its rows, also after nearly all became %s',
    async (common) => {
      await app.sql('update transactions set status = $2 where program_id = $1 and status <> $2', [
        programId,
        common,
      ]);
      const statuses = ['PENDING', 'CLEARED', 'DECLINED', 'VOID'];
      for (const [index, status] of statuses.filter((each) => each !== common).entries())
        await app.sql('update transactions set status = $3 where program_id = $1 and id = $2', [
          ...[programId, transactions[index]?.id, status],
        ]);
      // Without ANALYZE: the planner still knows what it knew, or nothing.
      await app.sql('vacuum transactions_2026');
      const context: CardContext = { vault: app.vault, actor: await testActor(app.db, programId) };
      for (const status of statuses)
        for (const oldestFirst of [false, true]) {
          const list = matchingOf(TRANSACTION_LIST, TRANSACTION_FILTERS, { status }, context);
          const at = { ...look(), oldestFirst, belowId: HIGHEST_ID };
          const { ids } = await findFirst(app.db, list, at, PAGE);
          expect([status, ids.length]).toEqual([status, status === common ? PAGE : 1]);
          const run = (db: Queryable) => findFirst(db, list, at, PAGE);
          expect(await buffersOf(app.databaseUrl, run, app.db)).toBeLessThan(MOST.page);
          expect(await genericBuffersOf(app.databaseUrl, run, app.db)).toBeLessThan(MOST.page);
          const count = (db: Queryable) => countMatching(db, list, { ...at, limit: 20_000 }, 10_001);
          expect(await buffersOf(app.databaseUrl, count)).toBeLessThan(MOST.page);
        }
    },
  );
});
