import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filterEntries } from '../src/audit/queries.ts';
import { eventIdsOf } from '../src/authorizations/transactions/filter-queries.ts';
import {
  CONSOLE_TRANSACTION_FILTERS,
  TRANSACTION_FILTERS,
} from '../src/authorizations/transactions/filters.ts';
import { TRANSACTION_LIST } from '../src/authorizations/transactions/queries.ts';
import { lockCounters } from '../src/cards/counter-queries.ts';
import { CARD_FILTERS, type CardContext } from '../src/cards/filters.ts';
import { CARD_LIST } from '../src/cards/queries.ts';
import { EVENTS } from '../src/console-api/lists/events.ts';
import { columnsOf, exportQuery } from '../src/console-api/lists/export-queries.ts';
import { detailed, type Queryable, type Statement } from '../src/db/database.ts';
import { EVENT_LIST } from '../src/events/queries.ts';
import type { Day } from '../src/kernel/calendar.ts';
import { countMatching, findLookEnd, findMatching } from '../src/lists/filter-queries.ts';
import { countMerged, findMerged } from '../src/lists/merge-queries.ts';
import { FILE_TYPES } from '../src/reports/report.ts';
import { reportQuery } from '../src/reports/report-queries.ts';
import { eventFilters } from '../src/webhooks/filters.ts';
import { NAMES_TABLE, TABLES } from './support/database/program-tables.ts';
import { everyFilter } from './support/lists/every-filter.ts';
import { literalsOf, ROOT, readSources } from './support/scripts/sources.ts';

/**
 * A distributed engine sends a statement to the one node of its program only if each table is restricted by the
 * parameter itself. What it refuses, clocks in many places of a statement that writes for example, `npm run test:citus`
 * finds.
 */

/** Functions whose statements run over all programs. */
const ALL_PROGRAMS: Record<string, string> = {
  listUnlinkedPrograms: 'the queue of the audit chain',
  listDue: 'program jobs',
  repairJobs: 'the rows of many programs',
  listProgramsWithExpired: 'the queue of expired challenges',
  findDueWithin: 'the webhook queue',
  listDueEndpoints: 'the webhook queue',
  listFreeReports: 'the report queue',
  listStaleFiles: 'the queue of files to remove',
  listAbandonedUploads: 'the queue of files to remove',
  listErasable: 'the queue of files to remove',
  findReport: 'the link to a file does not name the program',
  deleteStaleIdempotencyRecords: 'maintenance',
  deleteExpiredSessions: 'maintenance',
  countCardsOfCvvKey: 'a key of the vault is used in all programs',
  listRecordsAfter: 'a key of the vault is used in all programs',
  listOpen: 'notifications',
  listDeclinedHours: 'notifications',
  listFailingEndpoints: 'notifications',
  listFailingDecisionEndpoints: 'notifications',
  listFailingReports: 'notifications',
  listProgramsWithDue: 'the queue of notifications to send',
  deleteClosedBefore: 'maintenance',
};

const ID = '00000000-0000-7000-8000-000000000000';
const DAY = '2026-01-01' as Day;

/** Stands for every argument: each of its properties and calls is again anything. */
const ANYTHING: never = new Proxy(() => {}, {
  get: (_, key) => {
    if (key === 'then') return undefined;
    if (key === Symbol.toPrimitive) return () => '1';
    if (key === 'table') return 'transactions';
    if (key === 'map' || key === 'flatMap') return (change: (of: never) => unknown) => [change(ANYTHING)];
    return ANYTHING;
  },
  apply: () => ANYTHING,
}) as never;
/** All given; then each in turn left out or without properties, because some statements depend on it. */
const GIVEN = Array.from({ length: 8 }, () => ANYTHING);
const ARGUMENTS = [
  GIVEN,
  ...[null, undefined, { table: 'transactions' }].flatMap((value) =>
    GIVEN.map((_, index) => GIVEN.with(index, value as never)),
  ),
];

interface Sent extends Statement {
  from: string;
}
const queries = readSources().filter(({ path }) => path.endsWith('queries.ts'));
const sent = await collectStatements();

test('the check reads every SQL text of src/', () => {
  expect(TABLES.length).toBeGreaterThan(30);
  expect(sent.length).toBeGreaterThan(200);
  const named = new RegExp(`${NAMES_TABLE.source}|\\bprogram_id\\b`);
  const literals = queries
    // Creates partitions, whose names it is given.
    .filter(({ path }) => path !== 'db/month-queries.ts')
    .flatMap(({ path, text }) => literalsOf(text).map((literal) => ({ path, literal })));
  const missed = literals.filter(({ literal }) => named.test(literal) && !isPartOf(literal));
  expect(missed).toEqual([]);
});

test('every table of a statement is restricted to the program by the parameter', () => {
  const wrong = sent
    .filter(({ from }) => !(from in ALL_PROGRAMS))
    .flatMap(({ from, text }) => unrestricted(text).map((what) => `${from}: ${what}`));
  expect([...new Set(wrong)]).toEqual([]);
});

test('a statement says that it locks rows, and of which program, so that a cluster can hold it', () => {
  const locking = new RegExp(
    `\\b(?:from|join) (?:${TABLES.join('|')})\\b.*\\bfor (?:no key )?(?:update|share)\\b`,
    's',
  );
  const locks = sent.filter(({ text }) => locking.test(text));
  expect(locks.length).toBeGreaterThan(8);
  const silent = locks.filter(({ locks, text }) => !locks || !/\bprogram_id = \$1\b/.test(text));
  expect(silent).toEqual([]);
  expect(sent.filter((statement) => statement.locks && !locks.includes(statement))).toEqual([]);
});

test('what a statement says about the coordinator is true', () => {
  const said = sent.filter(({ onCoordinator }) => onCoordinator);
  expect(said.map(({ from }) => from).sort()).toEqual(['findKeys', 'readProgram', 'updateAlertSent']);
  for (const { text, onCoordinator } of said) {
    expect(text).not.toMatch(NAMES_TABLE);
    expect(onCoordinator).toBe(/^select\b/.test(text) ? 'reads' : 'writes');
  }
});

test('every exception is needed', () => {
  const all = Object.keys(ALL_PROGRAMS);
  expect(
    all.filter((name) => !sent.some(({ from, text }) => from === name && unrestricted(text)[0])),
  ).toEqual([]);
});

test.each([
  ['select * from cards c where c.id = $1', 'cards'],
  ['select from cards c join events e on e.program_id = c.program_id where c.program_id = $1', 'events'],
  ['select from cards c, events e where c.program_id = $1', 'events'],
  ['select from cards where program_id = $1 and id in (select card_id from events where id = $2)', 'events'],
  ['insert into cards (id, program_id) select id, program_id from unnest($1)', 'cards'],
  ['select from cards where program_id = $1 union select from cards where program_id = $2', 'two programs'],
])('the check finds a table without its program: %s', (text, what) => {
  expect(unrestricted(text)).toEqual([what]);
});

/** The tables of a text that no parameter restricts to a program. */
function unrestricted(given: string): string[] {
  const programs = new Set<string>();
  const wrong = queriesOf(given).flatMap((query) => {
    const own = [
      ...query.matchAll(
        /(?<=(\bfrom|\bjoin|\binto|\bupdate|\busing|,) (?:only )?)(\w+)(?=(?: (?:as )?(\w+))?)/g,
      ),
    ]
      .filter(([, , table = '']) => TABLES.includes(table))
      .map(([, verb, table = '', alias]) => ({ verb, table, alias: alias ?? table }));
    const parameters = [...query.matchAll(/(?:\b(\w+)\.)?\bprogram_id = (\$\d+|'')/g)];
    for (const [, , parameter = ''] of parameters) programs.add(parameter);
    const inserted =
      /\binto \w+(?: as \w+)? \(program_id\b.*?(?:\bvalues \(|\bselect (?:distinct )?)(\$\d+)/.exec(query);
    if (inserted?.[1]) programs.add(inserted[1]);
    return own
      .filter(({ verb, alias }) => {
        if (verb === 'into') return !inserted;
        const readsOne = own.filter((other) => other.verb !== 'into').length === 1;
        return !parameters.some(([, of]) => of === alias || (of === undefined && readsOne));
      })
      .map(({ table }) => table);
  });
  return programs.size > 1 ? [...wrong, 'two programs'] : wrong;
}

/** Each query and subquery of a text with its own words only; nested ones are cut out, plain parentheses are not. */
function queriesOf(given: string): string[] {
  const found: string[] = [];
  let text = plain(given);
  for (let group = /\(([^()]*)\)/.exec(text); group; group = /\(([^()]*)\)/.exec(text)) {
    const [whole, inside = ''] = group;
    const isQuery = /^\s*(?:select|with|insert|update|delete|values)\b/.test(inside);
    if (isQuery) found.push(inside);
    text = text.replace(whole, () => (isQuery ? '‹›' : `‹${inside}›`));
  }
  return [...found, text].flatMap((query) =>
    query
      .replaceAll('‹', '(')
      .replaceAll('›', ')')
      .split(/\bunion(?: all)?\b/),
  );
}

/** One line, without comments and without the content of strings. */
const plain = (text: string): string =>
  text
    .replaceAll(/--.*/g, '')
    .replaceAll(/'[^']*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Whether the fixed parts of a literal follow each other in a statement. */
function isPartOf(literal: string): boolean {
  const parts = literal.split('…');
  return sent.some(({ text }) => {
    let at = 0;
    return parts.every((part) => {
      const found = text.indexOf(part, at);
      at = found + part.length;
      return found !== -1;
    });
  });
}

function isStatement(exported: unknown): exported is string | Statement {
  return typeof exported === 'string' || typeof (exported as Statement | null)?.text === 'string';
}

/** Calls every function of every `queries.ts` and records the statements it sends. */
async function collectStatements(): Promise<Sent[]> {
  const found = new Map<string, Sent>();
  const call = async (from: string, send: (db: never) => unknown): Promise<void> => {
    const query = async (given: string | Statement): Promise<unknown[]> => {
      const statement = detailed(given);
      found.set(`${from} ${statement.text}`, { from, ...statement });
      return [ANYTHING];
    };
    try {
      await send({ query, send: query } as never);
    } catch {
      // The statement was sent, or the check for missed texts names it.
    }
  };
  for (const { path } of queries) {
    const module: Record<string, unknown> = await import(join(ROOT, 'src', path));
    for (const [name, exported] of Object.entries(module)) {
      if (isStatement(exported)) await call(name, (db: Queryable) => db.query(exported));
      if (typeof exported !== 'function') continue;
      for (const args of ARGUMENTS) await call(name, (db) => exported(db, ...args));
    }
  }
  await call('lockCounters', (db) => lockCounters(db, '', [], 'wait'));
  const byAction = { actions: [''], fromId: ID, belowId: ID };
  await call('filterEntries', (db) => filterEntries(db, ID, byAction, 1, 1));

  const range = { programId: ID, aboveId: ID, belowId: ID, oldestFirst: false };
  const search = Object.assign(() => Buffer.alloc(20), { all: () => [Buffer.alloc(20)] });
  const context = {
    vault: { search },
    actor: { program: { id: ID, currency: 'EUR' }, now: () => 0 },
  } as unknown as CardContext;
  const lists = {
    cards: everyFilter(CARD_LIST, CARD_FILTERS, context),
    transactions: [
      ...everyFilter(TRANSACTION_LIST, TRANSACTION_FILTERS, context),
      ...everyFilter(TRANSACTION_LIST, CONSOLE_TRANSACTION_FILTERS, context),
    ],
    'webhook-events': [
      ...everyFilter(EVENT_LIST, eventFilters(eventIdsOf), context),
      ...everyFilter(EVENT_LIST, EVENTS.filters, context),
    ],
  };
  const look = { ...range, limit: 1 };
  for (const [path, filters] of Object.entries(lists))
    for (const { matching: filter } of filters) {
      await call(path, (db) => findMatching(db, filter, look, 1));
      await call(path, (db) => countMatching(db, filter, look, 1));
      await call(path, (db) => findLookEnd(db, filter, look));
      for (const merged of filter.leads)
        if ('values' in merged) {
          await call(path, (db) => findMerged(db, filter, merged, look, 1));
          await call(path, (db) => countMerged(db, filter, merged, look, 1));
        }
      const list = path as keyof typeof lists;
      await call(path, (db: Queryable) => db.query(exportQuery(list, filter, range, columnsOf(list), 0)));
    }
  for (const fileType of FILE_TYPES) {
    const scope = { programId: ID, currency: 'EUR', fileType, firstDay: DAY, lastDay: DAY };
    await call(fileType, (db: Queryable) => db.query(reportQuery(scope)));
  }
  return [...found.values()];
}
