import type { Database } from '../../db/database.ts';
import { gather } from '../../kernel/gather.ts';
import { isId } from '../../kernel/ids.ts';
import {
  type Message,
  type PresentmentReference,
  type PurchaseReference,
  purchaseNamedBy,
} from '../rules/message.ts';
import { findTransactionCards } from '../transactions/queries.ts';
import { findPresentments } from './presentment-queries.ts';
import { findMessages } from './queries.ts';
import type { BatchItem } from './run-batch.ts';

interface Purchase {
  transactionId: string;
  cardId: string;
}

/**
 * Finds the card of a message that names a purchase, so that the batch knows what to lock. The card of a purchase never
 * changes; whether the purchase exists may change until the batch reads it under the lock.
 */
export function createResolver(
  db: Database,
): (programId: string, message: Message) => Promise<Omit<BatchItem, 'deadline'>> {
  const find = gather((references: Array<{ programId: string; purchase: PurchaseReference }>) =>
    findPurchases(db, references),
  );
  // Rare: the reversal of a clearing or a refund.
  const findPresented = async (programId: string, presentment: PresentmentReference) =>
    (await findPresentments(db, programId, [presentment]))[0];
  return async (programId, message) => {
    const card = 'card' in message ? message.card?.cardId : undefined;
    const named = purchaseNamedBy(message);
    const purchase = named
      ? await find({ programId, purchase: named })
      : message.kind === 'reversal' && 'presentment' in message.reversed
        ? await findPresented(programId, message.reversed.presentment)
        : undefined;
    return {
      message,
      cardIds: [card, purchase?.cardId].filter((id) => id !== undefined),
      transactionIds: purchase ? [purchase.transactionId] : [],
    };
  };
}

/** The calls may be of several programs; each statement names one. */
async function findPurchases(
  db: Database,
  references: ReadonlyArray<{ programId: string; purchase: PurchaseReference }>,
): Promise<Array<Purchase | undefined>> {
  const found = new Map<string, Purchase>();
  const programIds = [...new Set(references.map(({ programId }) => programId))];
  await Promise.all(
    programIds.map(async (programId) => {
      const own = references.filter((reference) => reference.programId === programId);
      const externalIds = own.flatMap(({ purchase }) =>
        'externalTransactionId' in purchase ? [purchase.externalTransactionId] : [],
      );
      const ids = own.flatMap(({ purchase }) =>
        'transactionId' in purchase && isId(purchase.transactionId) ? [purchase.transactionId] : [],
      );
      const [byExternalId, byId] = await Promise.all([
        externalIds.length > 0
          ? findMessages(
              db,
              programId,
              externalIds.map(() => 'transaction'),
              externalIds,
            )
          : [],
        ids.length > 0 ? findTransactionCards(db, programId, ids) : [],
      ]);
      for (const { messageId, transactionId, cardId } of byExternalId)
        if (transactionId && cardId) found.set(`${programId}/e/${messageId}`, { transactionId, cardId });
      for (const purchase of byId) found.set(`${programId}/t/${purchase.transactionId}`, purchase);
    }),
  );
  return references.map(({ programId, purchase }) =>
    found.get(
      'transactionId' in purchase
        ? `${programId}/t/${purchase.transactionId}`
        : `${programId}/e/${purchase.externalTransactionId}`,
    ),
  );
}
