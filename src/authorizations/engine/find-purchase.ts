import type { Database } from '../../db/database.ts';
import { gather } from '../../kernel/gather.ts';
import { isId } from '../../kernel/ids.ts';
import type { Message, PurchaseReference } from '../rules/message.ts';
import { findTransactionCards } from '../transactions/queries.ts';
import { findMessages } from './queries.ts';
import type { BatchItem } from './run-batch.ts';

interface Place {
  transactionId: string;
  cardId: string;
}

/**
 * Finds the card behind a message that names a purchase, so that the batch knows what to lock. Which card a purchase
 * belongs to never changes; whether it exists may change until the batch looks again under the lock.
 */
export function createResolver(db: Database): (programId: string, message: Message) => Promise<BatchItem> {
  const find = gather((references: Array<{ programId: string; purchase: PurchaseReference }>) =>
    findPlaces(db, references),
  );
  return async (programId, message) => {
    const card = 'card' in message ? message.card?.cardId : undefined;
    const purchase = 'purchase' in message ? message.purchase : undefined;
    const place = purchase && (await find({ programId, purchase }));
    return {
      message,
      cardIds: [card, place?.cardId].filter((id) => id !== undefined),
      transactionIds: place ? [place.transactionId] : [],
    };
  };
}

/** Calls of several programs may have come together; each statement names one program. */
async function findPlaces(
  db: Database,
  references: ReadonlyArray<{ programId: string; purchase: PurchaseReference }>,
): Promise<Array<Place | undefined>> {
  const places = new Map<string, Place>();
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
              externalIds.map(() => 'authorization'),
              externalIds,
            )
          : [],
        ids.length > 0 ? findTransactionCards(db, programId, ids) : [],
      ]);
      for (const { messageId, transactionId, cardId } of byExternalId)
        if (transactionId && cardId) places.set(`${programId}/e/${messageId}`, { transactionId, cardId });
      for (const place of byId) places.set(`${programId}/t/${place.transactionId}`, place);
    }),
  );
  return references.map(({ programId, purchase }) =>
    places.get(
      'transactionId' in purchase
        ? `${programId}/t/${purchase.transactionId}`
        : `${programId}/e/${purchase.externalTransactionId}`,
    ),
  );
}
