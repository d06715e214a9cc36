import type { Entry } from '../../audit/entry.ts';
import { listAuditBelow } from '../../audit/queries.ts';
import { listCardAuthenticationsBelow } from '../../authentications/queries.ts';
import { listCardTransactionsBelow } from '../../authorizations/transactions/search-queries.ts';
import { readNotes } from '../../cards/customers/notes.ts';
import { HIGHEST_ID } from '../../kernel/ids.ts';
import type { Actor } from '../../programs/actor.ts';
import { PAGE_SIZE, pageOfRecords } from '../console-schema.ts';
import { presentEntries } from '../history/present-entries.ts';
import type { QueryServices } from '../services.ts';
import { authenticationDetail } from '../transactions/authentication-detail.ts';
import { detailsOf } from '../transactions/detail.ts';

/** What a timeline can show. The ids of all of them sort by time. */
export const PARTS = ['transactions', 'authentications', 'changes', 'notes'] as const;
export type Part = (typeof PARTS)[number];

interface Subject {
  cardIds: readonly string[];
  /** For the notes. */
  cardholderIds?: readonly string[];
}

/** A page of the given parts together, newest first. */
export async function readTimeline(
  services: Pick<QueryServices, 'db' | 'vault'>,
  actor: Actor,
  { cardIds, cardholderIds = [] }: Subject,
  parts: readonly Part[],
  beforeId = HIGHEST_ID,
) {
  const { db } = services;
  const { id: programId } = actor.program;
  const most = PAGE_SIZE + 1;
  const readPart = async <Row extends { id: string }>(part: Part, read: () => Promise<Row[]>) =>
    parts.includes(part) ? (await read()).map((record) => ({ id: record.id, part, record })) : [];
  const [transactions, authentications, changes, notes] = await Promise.all([
    readPart('transactions', () => listCardTransactionsBelow(db, programId, cardIds, beforeId, most)),
    readPart('authentications', () => listCardAuthenticationsBelow(db, programId, cardIds, beforeId, most)),
    readPart('changes', () => listAuditBelow(db, programId, cardIds, beforeId, most)),
    readPart('notes', () => readNotes(services, programId, cardholderIds, beforeId, most)),
  ]);
  const entries = [transactions, authentications, changes, notes].flat();
  entries.sort((a, b) => (a.id < b.id ? 1 : -1));
  const { results, next } = pageOfRecords<{ id: string }>(entries, PAGE_SIZE);
  const shown = new Set(results.map(({ id }) => id));
  const onPage = <Row>(rows: ReadonlyArray<{ id: string; record: Row }>): Row[] =>
    rows.filter(({ id }) => shown.has(id)).map(({ record }) => record);
  // The note itself says more than its entry.
  const isShown = ({ action }: Entry) => !(parts.includes('notes') && action === 'customer.note_added');
  return {
    transactions: await detailsOf(services, programId, onPage(transactions)),
    authentications: onPage(authentications).map((each) => authenticationDetail(each, actor.realNow())),
    changes: await presentEntries(db, programId, onPage(changes).filter(isShown)),
    notes: onPage(notes),
    next,
  };
}
