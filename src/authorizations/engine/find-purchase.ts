import type { Database } from '../../db/database.ts';
import { gather } from '../../kernel/gather.ts';
import { isId } from '../../kernel/ids.ts';
import {
  type Message,
  type PresentmentReference,
  type PurchaseReference,
  purchaseNamedBy,
} from '../core/message.ts';
import { findTransactionCards } from '../transactions/queries.ts';
import type { BatchItem } from './batch-state.ts';
import { findPresentments } from './presentment-queries.ts';
import { findMessages } from './queries.ts';

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
): (programId: string, message: Message, deadline: number) => Promise<BatchItem> {
  const find = gather((references: Array<{ programId: string; purchase: PurchaseReference }>) =>
    findPurchases(db, references),
  );
  // Rare: the reversal of a clearing or a refund.
  const findPresented = async (programId: string, presentment: PresentmentReference) =>
    (await findPresentments(db, programId, [presentment]))[0];
  return async (programId, message, deadline) => {
    const card =
      'card' in message && message.card && message.card !== 'unknown' ? message.card.cardId : undefined;
    const named = purchaseNamedBy(message);
    const purchase = named
      ? await find({ programId, purchase: named })
      : message.kind === 'reversal' && 'presentment' in message.reversed
        ? await findPresented(programId, message.reversed.presentment)
        : undefined;
    return {
      message,
      cardIds: [card, purchase?.cardId].filter((id) => typeof id === 'string'),
      transactionIds: purchase?.transactionId ? [purchase.transactionId] : [],
      deadline,
    };
  };
}

/** The calls may be of several programs; each statement names one, and the failure of one does not touch the others. */
async function findPurchases(
  db: Database,
  references: ReadonlyArray<{ programId: string; purchase: PurchaseReference }>,
): Promise<Array<Promise<Purchase | undefined>>> {
  const found = new Map<string, Promise<Map<string, Purchase>>>();
  for (const { programId } of references)
    if (!found.has(programId)) {
      const own = references.filter((reference) => reference.programId === programId);
      found.set(
        programId,
        findOfProgram(
          db,
          programId,
          own.map(({ purchase }) => purchase),
        ),
      );
    }
  return references.map(async ({ programId, purchase }) =>
    (await found.get(programId))?.get(keyOf(purchase)),
  );
}

const keyOf = (purchase: PurchaseReference): string =>
  'transactionId' in purchase ? `t/${purchase.transactionId}` : `e/${purchase.externalTransactionId}`;

async function findOfProgram(
  db: Database,
  programId: string,
  purchases: readonly PurchaseReference[],
): Promise<Map<string, Purchase>> {
  const externalIds = purchases.flatMap((purchase) =>
    'externalTransactionId' in purchase ? [purchase.externalTransactionId] : [],
  );
  const ids = purchases.flatMap((purchase) =>
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
  const found = new Map<string, Purchase>();
  for (const { messageId, transactionId, cardId } of byExternalId)
    if (transactionId && cardId) found.set(`e/${messageId}`, { transactionId, cardId });
  for (const purchase of byId) found.set(`t/${purchase.transactionId}`, purchase);
  return found;
}
