import type { CardAuthentication } from '../../authentications/authentication.ts';
import { listCardAuthenticationsBelow } from '../../authentications/queries.ts';
import type { TransactionRecord } from '../../authorizations/core/transaction.ts';
import { listCardTransactionsBelow } from '../../authorizations/transactions/search-queries.ts';
import { findCard } from '../../cards/queries.ts';
import { notFound } from '../../kernel/error.ts';
import { HIGHEST_ID, isId } from '../../kernel/ids.ts';
import type { Actor } from '../../programs/actor.ts';
import { PAGE_SIZE, pageOfRecords } from '../console-schema.ts';
import type { QueryServices } from '../services.ts';
import { authenticationDetail } from './authentication-detail.ts';
import { detailsOf } from './detail.ts';

type Entry =
  | { id: string; transaction: TransactionRecord }
  | { id: string; authentication: CardAuthentication };

/** A card's transactions and authentications on one page, newest first. */
export async function readTimeline(
  services: Pick<QueryServices, 'db' | 'vault'>,
  actor: Actor,
  cardId: string,
  beforeId = HIGHEST_ID,
) {
  const { db } = services;
  const { id: programId } = actor.program;
  if (!isId(cardId)) throw notFound();
  const [card, transactions, authentications] = await Promise.all([
    findCard(db, programId, cardId),
    listCardTransactionsBelow(db, programId, cardId, beforeId, PAGE_SIZE + 1),
    listCardAuthenticationsBelow(db, programId, cardId, beforeId, PAGE_SIZE + 1),
  ]);
  if (!card) throw notFound();
  const entries: Entry[] = [
    ...transactions.map((transaction) => ({ id: transaction.id, transaction })),
    ...authentications.map((authentication) => ({ id: authentication.id, authentication })),
  ];
  entries.sort((a, b) => (a.id < b.id ? 1 : -1));
  const { results, next } = pageOfRecords(entries, PAGE_SIZE);
  const shown = results.flatMap((entry) => ('transaction' in entry ? entry.transaction : []));
  return {
    results: await detailsOf(services, programId, shown),
    authentications: results.flatMap((entry) =>
      'authentication' in entry ? authenticationDetail(entry.authentication, actor.realNow()) : [],
    ),
    next,
  };
}
