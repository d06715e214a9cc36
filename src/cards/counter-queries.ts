import { column, listColumn, rareColumn, unnested } from '../db/columns.ts';
import type { Queryable, Statement, Tx } from '../db/database.ts';
import { balanceOf } from '../ledger/queries.ts';
import type { CardRecord, LockedCard } from './card.ts';
import type { CardFacts, Counters, Spending } from './card-facts.ts';
import { UNUSED, type Used } from './usage.ts';

/** What to do with cards that another transaction has locked: wait for them, leave them out, or read without a lock. */
export type Locks = 'wait' | 'skip' | 'none';
const COUNTERS = `
  select card_id, event_sequence, wrong_cvvs, wrong_entries, last_used_at, day, day_spent_minor, month_spent_minor,
    total_spent_minor, held_minor, refunded_minor, used
  from card_counters where program_id = $1 and card_id = any ($2::uuid[]) order by card_id`;
const LOCK_COUNTERS: Record<Locks, Statement> = {
  wait: { name: 'lock_card_counters', locks: true, text: `${COUNTERS} for update` },
  skip: { name: 'lock_free_card_counters', locks: true, text: `${COUNTERS} for update skip locked` },
  none: { name: 'read_card_counters', text: COUNTERS },
};

/** Locks cards in order of their ids, so that no two batches can wait for each other. */
export const lockCounters = (
  tx: Tx,
  programId: string,
  cardIds: readonly string[],
  locks: Locks,
): Promise<Counters[]> => tx.query<Counters>(LOCK_COUNTERS[locks], [programId, column(cardIds)]);

/** Without a lock: what a card has spent, on the day of its last change, and what was used. */
export async function findSpending(
  db: Queryable,
  programId: string,
  cardId: string,
): Promise<(Spending & Pick<Counters, 'used'>) | undefined> {
  const [row] = await db.query<Counters>(LOCK_COUNTERS.none, [programId, column([cardId])]);
  return row;
}

/** Counters of cards in the order of their ids, after one. */
export const listCounters = (
  db: Queryable,
  programId: string,
  afterId: string,
  limit: number,
): Promise<Array<Pick<Counters, 'cardId' | 'totalSpentMinor' | 'heldMinor' | 'refundedMinor' | 'used'>>> =>
  db.query(
    `select card_id, total_spent_minor, held_minor, refunded_minor, used from card_counters
     where program_id = $1 and card_id > $2 order by card_id limit $3`,
    [programId, afterId, limit],
  );

/** For a larger query: when a card was last used. Arguments are SQL. */
export const lastUseOf = (program: string, cardId: string): string =>
  `(select last_used_at from card_counters where program_id = ${program} and card_id = ${cardId})`;

/** When cards were last used, by their ids. */
export async function findLastUses(
  db: Queryable,
  programId: string,
  cardIds: readonly string[],
): Promise<Map<string, Date | null>> {
  const rows = await db.query<Counters>(LOCK_COUNTERS.none, [programId, column(cardIds)]);
  return new Map(rows.map(({ cardId, lastUsedAt }) => [cardId, lastUsedAt]));
}

/** Read after the lock, in a statement of its own: it must see what the last transaction under the lock wrote. */
export const readCards = (
  tx: Queryable,
  programId: string,
  cardIds: readonly string[],
): Promise<Array<Omit<CardFacts, keyof Counters> & { cardId: string }>> =>
  tx.query(
    {
      name: 'read_card_facts',
      text: `select c.id as card_id, c.card_type, c.cardholder_id, c.design_id, c.credential_id, r.number_id, c.status,
                    c.status_reason, c.reason_code, r.last_four, r.expiry_date, r.cvv_key_id, r.cvv_salt,
                    c.transaction_limit_minor, c.daily_limit_minor, c.monthly_limit_minor, c.all_time_limit_minor,
                    c.allowed_mccs, c.blocked_mccs, c.temporary_limits, c.usage, c.metadata, a.balance_minor as available_minor
             from unnest($2::uuid[]) as wanted (id)
             cross join lateral (select * from cards where program_id = $1 and id = wanted.id limit 1) c
             cross join lateral (
               select * from credentials where program_id = $1 and id = c.credential_id limit 1) r
             cross join lateral ${balanceOf('$1', 'c.id')} a`,
    },
    [programId, column(cardIds)],
  );

export function updateCounters(tx: Tx, programId: string, rows: readonly CardFacts[]): void {
  tx.send(
    {
      name: 'update_card_counters',
      // The rows exist. Written as an insert, each is found by its key; the planner may join an update in worse ways.
      text: `insert into card_counters (program_id, card_id, event_sequence, wrong_cvvs, day, day_spent_minor, month_spent_minor,
                                        total_spent_minor, held_minor, refunded_minor, last_used_at, wrong_entries, used)
             select $1, ${unnested(2, 'uuid int smallint date bigint bigint bigint bigint bigint timestamptz')},
                    unnest($12::text[])::timestamptz[], unnest($13::jsonb[])
             on conflict (program_id, card_id) do update
             set event_sequence = excluded.event_sequence, wrong_cvvs = excluded.wrong_cvvs, day = excluded.day,
                 day_spent_minor = excluded.day_spent_minor, month_spent_minor = excluded.month_spent_minor,
                 total_spent_minor = excluded.total_spent_minor, held_minor = excluded.held_minor,
                 refunded_minor = excluded.refunded_minor, last_used_at = excluded.last_used_at,
                 wrong_entries = excluded.wrong_entries, used = excluded.used`,
    },
    [
      programId,
      column(rows.map((row) => row.cardId)),
      column(rows.map((row) => row.eventSequence)),
      column(rows.map((row) => row.wrongCvvs)),
      column(rows.map((row) => row.day)),
      column(rows.map((row) => row.daySpentMinor)),
      column(rows.map((row) => row.monthSpentMinor)),
      column(rows.map((row) => row.totalSpentMinor)),
      column(rows.map((row) => row.heldMinor)),
      column(rows.map((row) => row.refundedMinor)),
      column(rows.map((row) => row.lastUsedAt?.toISOString() ?? null)),
      listColumn(rows.map((row) => row.wrongEntries.map((at) => at.toISOString()))),
      rareColumn(rows.map((row) => row.used && JSON.stringify(row.used))),
    ],
  );
}

/** Inserts the counters of a new card; this row is also its lock. `day` is the day of creation. */
export function insertCounters(tx: Tx, card: CardRecord, day: string): void {
  tx.send(
    {
      name: 'insert_card_counters',
      text: 'insert into card_counters (program_id, card_id, event_sequence, day, used) values ($1, $2, 1, $3, $4)',
    },
    [card.programId, card.id, day, card.usage && UNUSED],
  );
}

export async function updateEventSequence(tx: Tx, card: CardRecord, sequence: number): Promise<void> {
  await tx.query(
    {
      name: 'update_event_sequence',
      text: 'update card_counters set event_sequence = $3 where program_id = $1 and card_id = $2',
    },
    [card.programId, card.id, sequence],
  );
}

export function updateWrongEntries(tx: Tx, { programId, id, wrongEntries }: LockedCard): void {
  tx.send(
    {
      name: 'update_wrong_entries',
      text: 'update card_counters set wrong_entries = $3 where program_id = $1 and card_id = $2',
    },
    [programId, id, wrongEntries],
  );
}

export function updateUsed(tx: Tx, card: CardRecord, used: Used): void {
  tx.send(
    {
      name: 'update_card_used',
      text: 'update card_counters set used = $3 where program_id = $1 and card_id = $2',
    },
    [card.programId, card.id, used],
  );
}

/** Earlier wrong CVVs give no hint about a new CVV, so the count starts again. */
export async function resetWrongCvvs(tx: Tx, card: CardRecord): Promise<void> {
  await tx.query(
    {
      name: 'reset_wrong_cvvs',
      text: 'update card_counters set wrong_cvvs = 0 where program_id = $1 and card_id = $2',
    },
    [card.programId, card.id],
  );
}
