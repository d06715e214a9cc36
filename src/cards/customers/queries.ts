import { column } from '../../db/columns.ts';
import type { Queryable, Tx } from '../../db/database.ts';

export interface NoteRow {
  id: string;
  operatorId: string;
  createdAt: Date;
}

export async function insertNote(
  tx: Tx,
  programId: string,
  note: NoteRow & { cardholderId: string },
): Promise<void> {
  await tx.query(
    {
      name: 'insert_customer_note',
      text: `insert into customer_notes (program_id, id, cardholder_id, operator_id, created_at)
             values ($1, $2, $3, $4, $5)`,
    },
    [programId, note.id, note.cardholderId, note.operatorId, note.createdAt],
  );
}

/** Newest first, without those that were removed. */
export const listNotes = (
  db: Queryable,
  programId: string,
  cardholderIds: readonly string[],
  limit: number,
): Promise<NoteRow[]> =>
  db.query<NoteRow>(
    {
      name: 'list_customer_notes',
      text: `select n.id, n.operator_id, n.created_at
             from unnest($2::uuid[]) as wanted (cardholder_id)
             cross join lateral (
               select * from customer_notes
               where program_id = $1 and cardholder_id = wanted.cardholder_id and removed_at is null
               order by id desc limit $3) n
             order by n.id desc limit $3`,
    },
    [programId, column(cardholderIds), limit],
  );

export async function lockNote(
  tx: Tx,
  programId: string,
  id: string,
  cardholderIds: readonly string[],
): Promise<NoteRow | undefined> {
  const rows = await tx.query<NoteRow>(
    {
      name: 'lock_customer_note',
      locks: true,
      text: `select id, operator_id, created_at from customer_notes
             where program_id = $1 and id = $2 and cardholder_id = any ($3::uuid[]) and removed_at is null
             for update`,
    },
    [programId, id, column(cardholderIds)],
  );
  return rows[0];
}

export async function updateNoteRemoved(
  tx: Tx,
  programId: string,
  id: string,
  removedAt: Date,
): Promise<void> {
  await tx.query(
    {
      name: 'update_customer_note_removed',
      text: 'update customer_notes set removed_at = $3 where program_id = $1 and id = $2',
    },
    [programId, id, removedAt],
  );
}

/** After a key rotation: the notes follow the cardholder's new id. */
export function updateNoteCardholders(
  tx: Tx,
  programId: string,
  changes: ReadonlyArray<{ from: string; to: string }>,
): void {
  if (changes.length === 0) return;
  tx.send(
    {
      name: 'update_customer_note_cardholders',
      text: `update customer_notes note set cardholder_id = change.to_id
             from unnest($2::uuid[], $3::uuid[]) as change (from_id, to_id)
             where note.program_id = $1 and note.cardholder_id = change.from_id`,
    },
    [programId, column(changes.map(({ from }) => from)), column(changes.map(({ to }) => to))],
  );
}
