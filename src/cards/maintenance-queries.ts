import { column, unnested } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { Day } from '../kernel/calendar.ts';

/** All earlier months are charged; in `month`, the cards up to `position` are charged. */
export interface MaintenanceCursor {
  month: Day;
  position: string;
  /** Fixed with the first batch of a month, so that all cards of the month are charged the same fee. */
  feeMinor: bigint | null;
}

/** The first month that is not charged in full; undefined before the first charge. */
export async function findMaintenanceMonth(db: Queryable, programId: string): Promise<Day | undefined> {
  const rows = await db.query<{ month: Day }>(
    {
      name: 'find_maintenance_month',
      text: 'select month from maintenance_cursors where program_id = $1',
    },
    [programId],
  );
  return rows[0]?.month;
}

/** Inserts a program's first cursor; an existing cursor stays unchanged. */
export function insertMaintenanceCursor(tx: Tx, programId: string, month: Day, position: string): void {
  tx.send(
    {
      name: 'insert_maintenance_cursor',
      text: `insert into maintenance_cursors (program_id, month, position) values ($1, $2, $3)
             on conflict (program_id) do nothing`,
    },
    [programId, month, position],
  );
}

/** Undefined while another transaction has locked the cursor. */
export async function lockMaintenanceCursor(
  tx: Tx,
  programId: string,
): Promise<MaintenanceCursor | undefined> {
  const rows = await tx.query<MaintenanceCursor>(
    {
      name: 'lock_maintenance_cursor',
      locks: true,
      text: `select month, position, fee_minor from maintenance_cursors where program_id = $1
             for update skip locked`,
    },
    [programId],
  );
  return rows[0];
}

export function updateMaintenanceCursor(
  tx: Tx,
  programId: string,
  { month, position, feeMinor }: MaintenanceCursor,
): void {
  tx.send(
    {
      name: 'update_maintenance_cursor',
      text: 'update maintenance_cursors set month = $2, position = $3, fee_minor = $4 where program_id = $1',
    },
    [programId, month, position, feeMinor],
  );
}

/**
 * The next cards with ids below `endId`, in order. `inUse` is true if, at the start of `day`, the card was not blocked
 * and its credential at that time was valid through `day`.
 */
export const listCardsInUse = (
  tx: Tx,
  programId: string,
  { afterId, endId, day, limit }: { afterId: string; endId: string; day: Day; limit: number },
): Promise<Array<{ id: string; inUse: boolean }>> =>
  tx.query(
    {
      name: 'list_cards_in_use',
      text: `select c.id, coalesce((
                      select r.expiry_date >= $4::date from credentials r
                      where r.program_id = $1 and r.card_id = c.id and r.id < $3 order by r.id desc limit 1), false)
                    and coalesce(c.blocked_at >= $4::date::timestamp at time zone 'UTC', true) as in_use
             from (select id, blocked_at from cards where program_id = $1 and id > $2 and id < $3 order by id limit $5) c
             order by c.id`,
    },
    [programId, afterId, endId, day, limit],
  );

export function insertMaintenanceCharges(
  tx: Tx,
  programId: string,
  month: Day,
  cardIds: readonly string[],
  movementIds: readonly string[],
): void {
  tx.send(
    {
      name: 'insert_maintenance_charges',
      text: `insert into maintenance_charges (program_id, month, card_id, movement_id)
             select $1, $2, ${unnested(3, 'uuid uuid')}`,
    },
    [programId, month, column(cardIds), column(movementIds)],
  );
}

/** For a larger query: the charges of a month. Arguments are SQL. */
export const chargesIn = (program: string, month: string): string =>
  `(select card_id, movement_id from maintenance_charges where program_id = ${program} and month = ${month})`;
