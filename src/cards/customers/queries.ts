import { column } from '../../db/columns.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import type { Day } from '../../kernel/calendar.ts';
import type { Filtered } from '../../lists/filter-queries.ts';
import { statusOfCard } from '../filter-queries.ts';
import { CARD_LIST } from '../queries.ts';

/**
 * For `lists/`: the first card of each customer, which stands for the customer. It stays the first, so customers never
 * move. A scalar look-up: for `not exists` PostgreSQL may read all cards of the program.
 */
export const CUSTOMER_LIST: Filtered = {
  ...CARD_LIST,
  leads: [],
  conditions: (_, program) => [
    `t.id = (select f.id from cards f where f.program_id = ${program} and f.cardholder_id = t.cardholder_id
       order by f.id limit 1)`,
  ],
};

export interface CustomerCard {
  cardholderId: string;
  id: string;
  firstId: string;
  isActive: boolean;
}

/** The newest cards of each cardholder, and the id of the first one. */
export const listCustomerCards = (
  db: Queryable,
  programId: string,
  cardholderIds: readonly string[],
  today: Day,
  limit: number,
): Promise<CustomerCard[]> =>
  db.query<CustomerCard>(
    {
      name: 'list_customer_cards',
      text: `select wanted.cardholder_id, c.id, c.is_active, (
                      select f.id from cards f where f.program_id = $1 and f.cardholder_id = wanted.cardholder_id
                      order by f.id limit 1) as first_id
             from unnest($2::uuid[]) as wanted (cardholder_id)
             cross join lateral (
               select t.id, (${statusOfCard('$1', '$3::date')}) = 'ACTIVE' as is_active
               from cards t where t.program_id = $1 and t.cardholder_id = wanted.cardholder_id
               order by t.id desc limit $4) c
             order by c.id desc`,
    },
    [programId, column(cardholderIds), today, limit],
  );

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

/** Newest first below an id, without those that were removed. */
export const listNotes = (
  db: Queryable,
  programId: string,
  cardholderIds: readonly string[],
  belowId: string,
  limit: number,
): Promise<NoteRow[]> =>
  db.query<NoteRow>(
    {
      name: 'list_customer_notes',
      text: `select n.id, n.operator_id, n.created_at
             from unnest($2::uuid[]) as wanted (cardholder_id)
             cross join lateral (
               select * from customer_notes
               where program_id = $1 and cardholder_id = wanted.cardholder_id and removed_at is null and id < $3
               order by id desc limit $4) n
             order by n.id desc limit $4`,
    },
    [programId, column(cardholderIds), belowId, limit],
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
