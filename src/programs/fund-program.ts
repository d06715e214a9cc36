import { localActor } from '../audit/entry.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../db/database.ts';
import { maskCardNumbers } from '../kernel/card-numbers.ts';
import { invalid, notFound } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import { formatAmount, MAX_AMOUNT_MINOR } from '../kernel/money.ts';
import { isReadableText } from '../kernel/text.ts';
import { ACCOUNTS } from '../ledger/accounts.ts';
import { postTransfers } from '../ledger/post-transfers.ts';
import { findBalance } from '../ledger/queries.ts';
import { programNow } from './program.ts';
import { readProgram } from './queries.ts';

export interface Funding {
  amountMinor: bigint;
  /** The payer's own words, kept in the audit. */
  reference?: string | undefined;
}

/** Brings money into the master account. Returns the movement's id and the new balance. */
export async function fundProgram(
  db: Database,
  programId: string,
  funding: Funding,
  actor: string,
): Promise<{ movementId: string; balanceMinor: bigint }> {
  const { amountMinor, reference } = funding;
  checkFunding(funding);
  return db.transaction(async (tx) => {
    const now = await readProgram(tx, programId);
    if (!now) throw notFound();
    const { currency } = now.program;
    const nowMs = programNow(now.program, now.realNowMs);
    const movementId = newId(nowMs);
    const [debitAccountId, creditAccountId] = [ACCOUNTS.funding, ACCOUNTS.master];
    postTransfers(
      tx,
      programId,
      [{ movementId, code: 'funding', debitAccountId, creditAccountId, amountMinor }],
      nowMs,
    );
    // Read under the lock that the posting took: what the audit says is what the balance was.
    const balanceMinor = await findBalance(tx, programId, ACCOUNTS.master);
    const masterBalance = (minor: bigint) => ({ masterBalance: formatAmount(minor, currency) });
    await recordAudit(tx, {
      programId,
      ...localActor(actor),
      action: 'program.funded',
      cardId: null,
      before: masterBalance(balanceMinor - amountMinor),
      after: {
        ...masterBalance(balanceMinor),
        amount: formatAmount(amountMinor, currency),
        reference: reference === undefined ? null : maskCardNumbers(reference),
        movementId,
      },
      nowMs,
    });
    return { movementId, balanceMinor };
  });
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
