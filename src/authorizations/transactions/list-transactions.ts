import type { CardHolder } from '../../cards/card.ts';
import { findCard } from '../../cards/queries.ts';
import type { Database } from '../../db/database.ts';
import { notFound } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import { type FoundPage, findFilteredPage, inOrder } from '../../lists/filtered-page.ts';
import { isFiltered, matchingOf } from '../../lists/filters.ts';
import type { PageRequest } from '../../lists/find-page.ts';
import { readPage } from '../../lists/read-page.ts';
import { type Actor, listClock } from '../../programs/actor.ts';
import type { Vault } from '../../vault/vault.ts';
import { presentTransaction } from '../core/transaction.ts';
import { checkAmounts, TRANSACTION_FILTERS } from './filters.ts';
import { findTransactions, listTransactions as listTransactionRecords, TRANSACTION_LIST } from './queries.ts';

/** A page of a program's transactions, or of one card's. */
export async function listTransactions(
  { db, vault, onError }: { db: Database; vault: Vault; onError: (error: unknown) => void },
  actor: Actor,
  request: PageRequest,
  given: object,
  cardId?: string,
): Promise<{
  count: number;
  transactions: Array<ReturnType<typeof presentTransaction>>;
  found?: FoundPage;
}> {
  const { id: programId } = actor.program;
  if (cardId !== undefined && !(isId(cardId) && (await findCard(db, programId, cardId)))) throw notFound();
  checkAmounts(given, actor);
  const wanted = cardId === undefined ? given : { ...given, card_id: cardId };
  const matching = matchingOf(TRANSACTION_LIST, TRANSACTION_FILTERS, wanted, { vault, actor });
  const found = isFiltered(TRANSACTION_FILTERS, given)
    ? await findFilteredPage(db, matching, programId, request)
    : undefined;
  const { count, records } = found
    ? {
        count: found.count,
        records: inOrder(found.ids, await findTransactions(db, programId, found.ids)),
      }
    : await readPage(
        db,
        { ...TRANSACTION_LIST, ...(cardId === undefined ? {} : { cardId }) },
        programId,
        request,
        listClock(actor),
        (fromId, lowestId, limit) =>
          listTransactionRecords(db, programId, cardId ?? null, fromId, lowestId, limit),
        onError,
      );
  const cardIds = [...new Set(records.map((record) => record.cardId))];
  const holders = await vault.openRecords(db, programId, 'holder', cardIds);
  const transactions = records.map((record) =>
    presentTransaction(record, (holders.get(record.cardId) as CardHolder).cardholderName),
  );
  return { count, transactions, ...(found && { found }) };
}
