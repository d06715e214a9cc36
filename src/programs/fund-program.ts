import { audit } from '../audit/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import { maskCardNumbers } from '../kernel/card-numbers.ts';
import { invalid } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import { formatAmount, MAX_AMOUNT_MINOR } from '../kernel/money.ts';
import { isReadableText } from '../kernel/text.ts';
import { ACCOUNTS } from '../ledger/accounts.ts';
import { postTransfers } from '../ledger/post-transfers.ts';
import { findBalance } from '../ledger/queries.ts';
import { isAlertSent } from './account/alert.ts';
import { type Actor, readActor } from './actor.ts';
import { readProgram, updateAlertSent } from './queries.ts';

export interface Funding {
  amountMinor: bigint;
  /** The payer's text, stored in the audit entry. */
  reference?: string | undefined;
}

export interface Funded {
  movementId: string;
  balanceMinor: bigint;
}

/** Adds money to the master account. Returns the movement's id and the new balance. */
export const fundProgram = (db: Database, actor: Actor, funding: Funding): Promise<Funded> =>
  db.transaction(async (tx) => postFunding(tx, await readActor(tx, actor, actor.program.id), funding));

/** The same in a transaction of the caller, at a time of the caller: the program's past must not have movements yet. */
export async function postFunding(
  tx: Tx,
  actor: Actor,
  funding: Funding,
  atMs: number = actor.now(),
): Promise<Funded> {
  checkFunding(funding);
  const { amountMinor, reference } = funding;
  const { id: programId, currency } = actor.program;
  const movementId = newId(atMs);
  const [debitAccountId, creditAccountId] = [ACCOUNTS.funding, ACCOUNTS.master];
  postTransfers(
    tx,
    programId,
    [{ movementId, code: 'funding', debitAccountId, creditAccountId, amountMinor }],
    atMs,
  );
  // Read under the lock that the posting took, so that the audit entry shows the exact balance.
  const balanceMinor = await findBalance(tx, programId, ACCOUNTS.master);
  const { program } = await readProgram(tx, programId);
  if (program.alertSent && !isAlertSent(program, balanceMinor)) updateAlertSent(tx, programId, false);
  const masterBalance = (minor: bigint) => ({ masterBalance: formatAmount(minor, currency) });
  await audit(tx, actor, 'program.funded', {
    before: masterBalance(balanceMinor - amountMinor),
    after: {
      ...masterBalance(balanceMinor),
      amount: formatAmount(amountMinor, currency),
      reference: reference === undefined ? null : maskCardNumbers(reference),
      movementId,
    },
  });
  return { movementId, balanceMinor };
}

function checkFunding({ amountMinor, reference }: Funding): void {
  if (amountMinor <= 0n || amountMinor > MAX_AMOUNT_MINOR)
    throw invalid('amount', 'must be greater than 0 and within the largest supported amount');
  if (
    reference !== undefined &&
    (reference.trim() === '' || reference.length > 255 || !isReadableText(reference))
  )
    throw invalid('reference', 'must be 1 to 255 printable characters');
}
