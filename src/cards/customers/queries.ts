import { column } from '../../db/columns.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import type { Day } from '../../kernel/calendar.ts';
import { balanceOf } from '../../ledger/queries.ts';
import type { CardRecord } from '../card.ts';
import { statusOfCard } from '../filter-queries.ts';

/** For `lists/`. A customer's id there is that of the first card. */
export const CUSTOMER_LIST = { table: 'customers' };

interface CustomerRow {
  id: string;
  cardholderId: string;
}

/** A customer by the cardholder ids under all live keys. */
export async function findCustomerRow(
  db: Queryable,
  programId: string,
  cardholderIds: readonly string[],
): Promise<CustomerRow | undefined> {
  const rows = await db.query<CustomerRow>(
    {
      name: 'find_customer',
      text: `select id, cardholder_id from customers where program_id = $1 and cardholder_id = any ($2::uuid[])
             order by id limit 1`,
    },
    [programId, column(cardholderIds)],
  );
  return rows[0];
}

/** The customers of cards, by the cards' ids. They never change. */
export async function findCustomerIds(
  db: Queryable,
  programId: string,
  cardIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ cardId: string; customerId: string }>(
    {
      name: 'find_customer_ids',
      text: `select wanted.id as card_id, u.id as customer_id from unnest($2::uuid[]) as wanted (id)
             cross join lateral (select * from cards where program_id = $1 and id = wanted.id limit 1) c
             cross join lateral (
               select * from customers where program_id = $1 and cardholder_id = c.cardholder_id limit 1) u`,
    },
    [programId, column(cardIds)],
  );
  return new Map(rows.map(({ cardId, customerId }) => [cardId, customerId]));
}

/** One page, newest first, with ids from `lowestId` to `fromId`, both included. */
export const listCustomerIds = async (
  db: Queryable,
  programId: string,
  fromId: string,
  lowestId: string,
  limit: number,
): Promise<string[]> =>
  (
    await db.query<{ id: string }>(
      {
        name: 'list_customers',
        text: `select id from customers where program_id = $1 and id <= $2 and id >= $3 order by id desc limit $4`,
      },
      [programId, fromId, lowestId, limit],
    )
  ).map(({ id }) => id);

/** The customer of a card, if it is the first one. Two cards may be the first at the same time: one of them is. */
export async function insertCustomer(tx: Tx, { programId, id, cardholderId }: CardRecord): Promise<void> {
  await tx.query(
    {
      name: 'insert_customer',
      text: `insert into customers (program_id, id, cardholder_id) values ($1, $2, $3)
             on conflict (program_id, cardholder_id) do nothing`,
    },
    [programId, id, cardholderId],
  );
}

export interface CustomerCard {
  cardholderId: string;
  id: string;
  /** Null for one of the two cardholder ids that a customer has during a key rotation. */
  firstId: string | null;
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
                      select f.id from customers f
                      where f.program_id = $1 and f.cardholder_id = wanted.cardholder_id) as first_id
             from unnest($2::uuid[]) as wanted (cardholder_id)
             cross join lateral (
               select t.id, (${statusOfCard('$1', '$3::date')}) = 'ACTIVE' as is_active
               from cards t where t.program_id = $1 and t.cardholder_id = wanted.cardholder_id
               order by t.id desc limit $4) c
             order by c.id desc`,
    },
    [programId, column(cardholderIds), today, limit],
  );

export interface CustomerCount {
  cardholderId: string;
  cards: number;
  activeCards: number;
}

/** The number of cards of each cardholder, at most `most`. */
export const countCustomerCards = (
  db: Queryable,
  programId: string,
  cardholderIds: readonly string[],
  today: Day,
  most: number,
): Promise<CustomerCount[]> =>
  db.query<CustomerCount>(
    {
      name: 'count_customer_cards',
      text: `select wanted.cardholder_id, c.cards, c.active_cards
             from unnest($2::uuid[]) as wanted (cardholder_id)
             cross join lateral (
               select count(*)::int as cards, (count(*) filter (where newest.status = 'ACTIVE'))::int as active_cards
               from (
                 select ${statusOfCard('$1', '$3::date')} as status
                 from cards t where t.program_id = $1 and t.cardholder_id = wanted.cardholder_id
                 order by t.id desc limit $4) newest) c`,
    },
    [programId, column(cardholderIds), today, most],
  );

export interface CustomerTotals {
  heldMinor: bigint;
  clearedMinor: bigint;
  refundedMinor: bigint;
  availableMinor: bigint;
}

/** The totals over all cards of a customer, however many. */
export async function sumCustomerCards(
  db: Queryable,
  programId: string,
  cardholderIds: readonly string[],
): Promise<CustomerTotals> {
  const rows = await db.query<Partial<Record<keyof CustomerTotals, string>>>(
    {
      name: 'sum_customer_cards',
      text: `select coalesce(sum(k.held_minor), 0)::text as held_minor,
                    coalesce(sum(k.total_spent_minor - k.held_minor), 0)::text as cleared_minor,
                    coalesce(sum(k.refunded_minor), 0)::text as refunded_minor,
                    coalesce(sum(a.balance_minor), 0)::text as available_minor
             from unnest($2::uuid[]) as wanted (cardholder_id)
             cross join lateral (
               select id from cards where program_id = $1 and cardholder_id = wanted.cardholder_id) c
             cross join lateral (
               select * from card_counters where program_id = $1 and card_id = c.id limit 1) k
             cross join lateral ${balanceOf('$1', 'c.id')} a`,
    },
    [programId, column(cardholderIds)],
  );
  const [{ heldMinor = 0, clearedMinor = 0, refundedMinor = 0, availableMinor = 0 } = {}] = rows;
  return {
    heldMinor: BigInt(heldMinor),
    clearedMinor: BigInt(clearedMinor),
    refundedMinor: BigInt(refundedMinor),
    availableMinor: BigInt(availableMinor),
  };
}

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

/**
 * After a key rotation: customers have the new cardholder id, unless two first cards came during it, and their notes follow.
 */
export function updateCustomerCardholders(
  tx: Tx,
  programId: string,
  changes: ReadonlyArray<{ from: string; to: string }>,
): void {
  if (changes.length === 0) return;
  const values = [programId, column(changes.map(({ from }) => from)), column(changes.map(({ to }) => to))];
  tx.send(
    {
      name: 'update_customer_cardholders',
      text: `update customers customer set cardholder_id = change.to_id
             from unnest($2::uuid[], $3::uuid[]) as change (from_id, to_id)
             where customer.program_id = $1 and customer.cardholder_id = change.from_id
               and not exists (
                 select from customers other where other.program_id = $1 and other.cardholder_id = change.to_id)`,
    },
    values,
  );
  tx.send(
    {
      name: 'update_customer_note_cardholders',
      text: `update customer_notes note set cardholder_id = change.to_id
             from unnest($2::uuid[], $3::uuid[]) as change (from_id, to_id)
             where note.program_id = $1 and note.cardholder_id = change.from_id`,
    },
    values,
  );
}

/** The given cardholder ids that are those of customers. */
export async function findKnownCardholders(
  db: Queryable,
  programId: string,
  cardholderIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ cardholderId: string }>(
    'select cardholder_id from customers where program_id = $1 and cardholder_id = any ($2::uuid[])',
    [programId, column(cardholderIds)],
  );
  return rows.map(({ cardholderId }) => cardholderId);
}
