import type { Queryable, Tx } from '../db/database.ts';

/** Jobs that process a program's records in order of their ids, which is also the order of time. */
export type CursorName = 'hold-expiry' | 'long-hold-expiry' | 'transaction-totals';

/** The last id that a job has processed; undefined before its first step. */
export async function findCursor(
  db: Queryable,
  programId: string,
  name: CursorName,
): Promise<string | undefined> {
  const rows = await db.query<{ position: string }>(
    { name: 'find_cursor', text: 'select position from cursors where program_id = $1 and name = $2' },
    [programId, name],
  );
  return rows[0]?.position;
}

/** Creates the cursor at `startId` if there is none, and locks it. Undefined while another process holds the lock. */
export async function lockCursor(
  tx: Tx,
  programId: string,
  name: CursorName,
  startId: string,
): Promise<string | undefined> {
  tx.send(
    {
      name: 'insert_cursor',
      text: `insert into cursors (program_id, name, position) values ($1, $2, $3)
             on conflict (program_id, name) do nothing`,
    },
    [programId, name, startId],
  );
  const rows = await tx.query<{ position: string }>(
    {
      name: 'lock_cursor',
      locks: true,
      text: 'select position from cursors where program_id = $1 and name = $2 for update skip locked',
    },
    [programId, name],
  );
  return rows[0]?.position;
}

const FORWARD = `on conflict (program_id, name) do update set position = excluded.position
                   where cursor.position < excluded.position`;

/** Moves a cursor forward, never back: another process may have advanced it further. */
export async function advanceCursor(
  db: Queryable,
  programId: string,
  name: CursorName,
  position: string,
): Promise<void> {
  await db.query(
    {
      name: 'advance_cursor',
      text: `insert into cursors as cursor (program_id, name, position) values ($1, $2, $3) ${FORWARD}`,
    },
    [programId, name, position],
  );
}

type HoldCursor = Extract<CursorName, 'hold-expiry' | 'long-hold-expiry'>;

/** The same, if holds still last so many days: a raise has moved the cursor back, and must not be undone. */
export async function advanceHoldCursor(
  db: Queryable,
  programId: string,
  name: HoldCursor,
  days: number,
  position: string,
): Promise<void> {
  await db.query(
    {
      name: 'advance_hold_cursor',
      text: `insert into cursors as cursor (program_id, name, position)
             select $1, $2, $3 from programs
             where id = $1 and case $2 when 'hold-expiry' then hold_days else long_hold_days end = $4 for share
             ${FORWARD}`,
    },
    [programId, name, position, days],
  );
}

/** Moves a cursor back, never forward. The caller has locked the program. */
export async function rewindCursor(
  tx: Tx,
  programId: string,
  name: HoldCursor,
  position: string,
): Promise<void> {
  await tx.query('update cursors set position = $3 where program_id = $1 and name = $2 and position > $3', [
    programId,
    name,
    position,
  ]);
}
