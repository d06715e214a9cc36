import type { Static } from 'typebox';
import { audit } from '../audit/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Remember } from '../http/idempotency.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import { maskCardNumbers } from '../kernel/card-numbers.ts';
import { invalid } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import { amountToNumber, formatAmount, MAX_AMOUNT_MINOR, readAmount } from '../kernel/money.ts';
import { ACCOUNTS } from '../ledger/accounts.ts';
import { postTransfers } from '../ledger/post-transfers.ts';
import { findBalance } from '../ledger/queries.ts';
import type { Actor } from '../programs/actor.ts';
import { recordCardUpdate, withCardLockedIn } from './change-card.ts';
import { insertAdjustment } from './queries.ts';
import type { AdjustmentAnswer, AdjustmentBody } from './schema.ts';

type Adjustment = Static<typeof AdjustmentBody>;
type Adjusted = Static<typeof AdjustmentAnswer>;

/** Raises or lowers a card's available credit. A negative amount never brings it below zero. */
export const adjustBalance = (
  db: Database,
  actor: Actor,
  cardId: string,
  adjustment: Adjustment,
  remember: Remember,
): Promise<Adjusted> => db.transaction((tx) => adjustBalanceIn(tx, actor, cardId, adjustment, remember));

/** The same in a transaction of the caller. */
export async function adjustBalanceIn(
  tx: Tx,
  actor: Actor,
  cardId: string,
  { amount, reference: given }: Adjustment,
  remember: Remember = async () => {},
): Promise<Adjusted> {
  const { currency } = actor.program;
  // Stored unencrypted, so it must not contain a card number.
  const reference = maskCardNumbers(given);
  const amountMinor = readAmount('amount', amount, currency);
  if (amountMinor === 0n) throw invalid('amount', 'must not be 0');
  return withCardLockedIn(tx, actor, cardId, async (_, card, current) => {
    const { programId } = card;
    const balanceMinor = await findBalance(tx, programId, cardId);
    const afterMinor = balanceMinor + amountMinor;
    if (amountMinor < 0n && afterMinor < 0n)
      throw invalid(
        'amount',
        `must not remove more than the available ${formatAmount(balanceMinor, currency)}`,
      );
    if (amountMinor > 0n && afterMinor > MAX_AMOUNT_MINOR)
      throw invalid(
        'amount',
        `must not raise the available credit above ${formatAmount(MAX_AMOUNT_MINOR, currency)}`,
      );
    const nowMs = current.now();
    const id = newId(nowMs);
    const answer = {
      id,
      cardId,
      amount,
      reference,
      availableCredit: amountToNumber(afterMinor, currency),
      created: formatTimestamp(new Date(nowMs)),
    };
    insertAdjustment(tx, { programId, id, cardId, amountMinor, reference, createdAt: new Date(nowMs) });
    await Promise.all([
      recordCardUpdate(tx, current, card, 'balance', ['availableCredit']),
      audit(tx, current, 'card.balance_adjusted', {
        cardId,
        before: { availableCredit: amountToNumber(balanceMinor, currency) },
        after: { availableCredit: answer.availableCredit, reference },
      }),
      remember(tx, answer),
    ]);
    const up = amountMinor > 0n;
    const transfer = {
      movementId: id,
      code: 'adjustment' as const,
      debitAccountId: up ? ACCOUNTS.credit : cardId,
      creditAccountId: up ? cardId : ACCOUNTS.credit,
      amountMinor: up ? amountMinor : -amountMinor,
    };
    postTransfers(tx, programId, [transfer], nowMs);
    return answer;
  });
}
