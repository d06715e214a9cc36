import type { Tx } from '../../db/database.ts';
import type { AuthenticationFacts, AuthenticationShare } from '../core/authentication.ts';
import type { Message } from '../core/message.ts';
import { authenticatedShareOf, type TransactionRecord } from '../core/transaction.ts';
import { findTransactions } from '../transactions/queries.ts';
import type { BatchItem, BatchState } from './batch-state.ts';

/** What the engine needs of `authentications/`, which is on the same floor. */
export interface Authentications {
  findUsable(
    tx: Tx,
    programId: string,
    authenticationIds: readonly string[],
  ): Promise<readonly AuthenticationFacts[]>;
  addUses(
    tx: Tx,
    programId: string,
    uses: ReadonlyArray<{ authenticationId: string; transactionId: string }>,
  ): void;
}

/** The authentications that the messages name: almost always none. */
export function authenticationIdsOf(items: ReadonlyArray<{ message: Message }>): string[] {
  const ids = items.map(({ message }) => authenticationIdOf(message)).filter((id) => id !== undefined);
  return [...new Set(ids)];
}

function authenticationIdOf(message: Message): string | undefined {
  if ((message.kind !== 'authorization' && message.kind !== 'advice') || !message.authentication)
    return undefined;
  return 'authenticationId' in message.authentication ? message.authentication.authenticationId : undefined;
}

/**
 * Rare: an authorization that shares an authentication, and an increment of a purchase that uses one, need the purchases
 * that share it. The lock of their card, which is taken already, covers them.
 */
export async function readSharers(
  tx: Tx,
  { findUsable }: Authentications,
  programId: string,
  items: readonly BatchItem[],
  { authentications, transactions }: BatchState,
): Promise<void> {
  const raised = items.flatMap(({ message, transactionIds }) =>
    message.kind === 'increment'
      ? transactionIds.map((id) => usedIdOf(transactions.get(id))).filter((id) => id !== undefined)
      : [],
  );
  const unread = [...new Set(raised)].filter((id) => !authentications.has(id));
  if (unread.length > 0)
    for (const facts of await findUsable(tx, programId, unread))
      authentications.set(facts.authenticationId, facts);
  const shared = items.map(({ message }) =>
    'splitOf' in message && message.splitOf !== undefined ? authenticationIdOf(message) : undefined,
  );
  const uses = [...raised, ...shared].flatMap((id) => authentications.get(id ?? '')?.usedBy ?? []);
  const missing = [...new Set(uses)].filter((id) => !transactions.has(id));
  if (missing.length === 0) return;
  for (const transaction of await findTransactions(tx, programId, missing))
    transactions.set(transaction.id, transaction);
}

/** The authentication that the purchase uses. */
const usedIdOf = (transaction: TransactionRecord | undefined): string | undefined =>
  transaction?.authentication?.reason === null
    ? (transaction.authentication.authenticationId ?? undefined)
    : undefined;

/** The shares of all purchases that use an authentication, except one. */
export const sharesOf = (
  { transactions }: BatchState,
  authentication: AuthenticationFacts | undefined,
  exceptId: string | undefined,
): AuthenticationShare[] =>
  (authentication?.usedBy ?? []).flatMap((id) => {
    const transaction = id === exceptId ? undefined : transactions.get(id);
    if (!transaction) return [];
    const { externalTransactionId } = transaction;
    return [{ externalTransactionId, minor: authenticatedShareOf(transaction) }];
  });

/** Writes which purchases of the batch use which authentications. */
export function writeUses(tx: Tx, { addUses }: Authentications, { changed, setting }: BatchState): void {
  if (changed.authenticationUses.length > 0) addUses(tx, setting.program.id, changed.authenticationUses);
}
