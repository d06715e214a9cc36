import type { Database } from '../../db/database.ts';
import { notFound } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import { type FoundPage, findFilteredPage, inOrder } from '../../lists/filtered-page.ts';
import { matchingOf } from '../../lists/filters.ts';
import type { PageRequest } from '../../lists/find-page.ts';
import type { Actor } from '../../programs/actor.ts';
import type { Vault } from '../../vault/vault.ts';
import { presentCards } from '../list-cards.ts';
import { findCards } from '../queries.ts';
import { presentRow } from './batch.ts';
import { ofBatch } from './filter-queries.ts';
import { ROW_FILTERS } from './filters.ts';
import { BATCH_ROW_LIST, findBatch, findRows } from './queries.ts';

/** A page of the rows of a batch, in the order of the request. */
export async function listRows(
  services: { db: Database; vault: Vault },
  actor: Actor,
  batchId: string,
  request: PageRequest,
  given: object,
): Promise<{ rows: Array<ReturnType<typeof presentRow>>; found: FoundPage }> {
  const { db } = services;
  const { id: programId } = actor.program;
  if (!isId(batchId) || !(await findBatch(db, programId, batchId))) throw notFound();
  const matching = matchingOf(BATCH_ROW_LIST, ROW_FILTERS, given, undefined, [ofBatch(batchId)]);
  const found = await findFilteredPage(db, matching, programId, request);
  const rows = inOrder(found.ids, await findRows(db, programId, batchId, found.ids));
  const cardIds = rows.flatMap(({ cardId }) => cardId ?? []);
  const cards = await presentCards(services, actor, await findCards(db, programId, cardIds));
  const byId = new Map(cards.map((card) => [card.id, card]));
  return { rows: rows.map((row) => presentRow(row, byId.get(row.cardId ?? '') ?? null)), found };
}
