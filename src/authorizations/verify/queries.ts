import type { Tx } from '../../db/database.ts';
import { eventWithId } from '../../events/queries.ts';
import { ACCOUNTS } from '../../ledger/accounts.ts';
import { transfersBetween } from '../../ledger/queries.ts';
import type { Terms } from '../core/transaction.ts';

const HOLDS = `'${ACCOUNTS.holds}'`;

/** What each card's movements added to the account of holds, by the transfers from one id on and below another. */
export const sumHeldByCard = (
  tx: Tx,
  programId: string,
  fromId: string,
  belowId: string,
): Promise<Array<{ cardId: string | null; deltaMinor: string }>> =>
  tx.query(
    `select e.card_id, sum(m.delta)::text as delta_minor
     from (
       select t.movement_id,
              sum(case when t.credit_account_id = ${HOLDS} then t.amount_minor else -t.amount_minor end) as delta
       from ${transfersBetween('$1', '$2', '$3')}
       where ${HOLDS} in (t.credit_account_id, t.debit_account_id) group by 1) m
     left join lateral ${eventWithId('$1', 'm.movement_id')} e on true
     where m.delta <> 0 group by 1`,
    [programId, fromId, belowId],
  );

/** The transactions that hold money, from one id on and below another. */
export const listHeld = (
  tx: Tx,
  programId: string,
  fromId: string,
  belowId: string,
): Promise<Array<Terms & { cardId: string }>> =>
  tx.query(
    `select card_id, currency, bill_currency, fx_fee_bps, atm_fee_minor, held_minor, cleared_minor, fx_cleared_minor
     from transactions where program_id = $1 and id >= $2 and id < $3 and held_minor > 0`,
    [programId, fromId, belowId],
  );

/** What the transactions from one id on and below another are for the counters of their cards. */
export const sumTransactionsByCard = (
  tx: Tx,
  programId: string,
  fromId: string,
  belowId: string,
): Promise<
  Array<{ cardId: string; spentMinor: string; heldMinor: string; refundedMinor: string; uses: number }>
> =>
  tx.query(
    `select card_id,
            coalesce(sum(held_minor + cleared_minor) filter (where kind = 'purchase'), 0)::text as spent_minor,
            sum(held_minor)::text as held_minor,
            coalesce(sum(cleared_minor) filter (where kind = 'refund'), 0)::text as refunded_minor,
            (count(*) filter (where kind = 'purchase' and held_minor + cleared_minor > 0))::int as uses
     from transactions where program_id = $1 and id >= $2 and id < $3 group by 1`,
    [programId, fromId, belowId],
  );

/** What the network has moved for numbers that no card has, and how often: clearings less refunds. */
export async function sumUnmatched(tx: Tx, programId: string): Promise<{ count: number; openMinor: bigint }> {
  const [sum] = await tx.query<{ count: number; openMinor: string }>(
    `select count(*)::int as count,
            coalesce(sum(case kind when 'refund' then reversed_minor - bill_minor else bill_minor - reversed_minor end), 0)::text
              as open_minor
     from presentments where program_id = $1 and card_id is null`,
    [programId],
  );
  return { count: sum?.count ?? 0, openMinor: BigInt(sum?.openMinor ?? 0) };
}
