import type { Queryable } from '../../db/database.ts';
import { amountToNumber } from '../../kernel/money.ts';
import { findMasterBalances } from '../../ledger/queries.ts';
import type { Program } from '../program.ts';

/** The master account: what is held has left it in the ledger, and is still the program's money. */
export async function readAccount(db: Queryable, { id, currency, alertBelowMinor }: Program) {
  const { masterMinor: availableMinor, heldMinor } = await findMasterBalances(db, id);
  return {
    currency,
    balance: amountToNumber(availableMinor + heldMinor, currency),
    held: amountToNumber(heldMinor, currency),
    available: amountToNumber(availableMinor, currency),
    alertBelow: alertBelowMinor === null ? null : amountToNumber(alertBelowMinor, currency),
  };
}
