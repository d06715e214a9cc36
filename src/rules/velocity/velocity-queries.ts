import type { Queryable, Tx } from '../../db/database.ts';

export async function findHighestNumber(db: Queryable, programId: string): Promise<number> {
  const rows = await db.query<{ highest: number }>(
    'select coalesce(max(ordinal), 0)::int as highest from rule_velocities where program_id = $1',
    [programId],
  );
  return rows[0]?.highest ?? 0;
}

export async function insertVelocity(tx: Tx, programId: string, number: number): Promise<void> {
  await tx.query('insert into rule_velocities (program_id, ordinal, filled) values ($1, $2, false)', [
    programId,
    number,
  ]);
}

/** A velocity whose earlier purchases are not counted yet. */
export interface Unfilled {
  number: number;
  /** The last transaction that was looked at. */
  filledTo: string | null;
}

export const listUnfilled = (db: Queryable, programId: string): Promise<Unfilled[]> =>
  db.query<Unfilled & Record<string, unknown>>(
    'select ordinal as number, filled_to from rule_velocities where program_id = $1 and not filled order by ordinal',
    [programId],
  );

/** How far a worker has got. Null: to the end. */
export async function updateFilled(
  tx: Queryable,
  programId: string,
  numbers: readonly number[],
  filledTo: string | null,
): Promise<void> {
  await tx.query(
    `update rule_velocities set filled_to = $3, filled = $3::uuid is null
     where program_id = $1 and ordinal = any ($2::integer[])`,
    [programId, numbers, filledTo],
  );
}
