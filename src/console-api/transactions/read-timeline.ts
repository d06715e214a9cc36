import { listCardTransactionsBelow } from '../../authorizations/transactions/search-queries.ts';
import { findCard } from '../../cards/queries.ts';
import { notFound } from '../../kernel/error.ts';
import { HIGHEST_ID, isId } from '../../kernel/ids.ts';
import { PAGE_SIZE, pageOfRecords } from '../console-schema.ts';
import type { QueryServices } from '../services.ts';
import { detailsOf } from './detail.ts';

/** A card's transactions, newest first. */
export async function readTimeline(
  services: Pick<QueryServices, 'db' | 'vault'>,
  programId: string,
  cardId: string,
  beforeId = HIGHEST_ID,
) {
  const { db } = services;
  if (!isId(cardId)) throw notFound();
  const [card, records] = await Promise.all([
    findCard(db, programId, cardId),
    listCardTransactionsBelow(db, programId, cardId, beforeId, PAGE_SIZE + 1),
  ]);
  if (!card) throw notFound();
  const { results, next } = pageOfRecords(records, PAGE_SIZE);
  return { results: await detailsOf(services, programId, results), next };
}
