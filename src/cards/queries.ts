import { column } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { Day } from '../kernel/calendar.ts';
import type { CardRecord, LockedCard } from './card.ts';

const CARD_COLUMNS = `
  c.program_id as "programId", c.id, c.cardholder_id as "cardholderId", c.customer_type as "customerType",
  c.card_type as "cardType", c.design_id as "designId", c.currency, c.status, c.status_reason as "statusReason",
  c.reason_code as "reasonCode",
  c.credential_id as "credentialId", r.number_id as "numberId", r.last_four as "lastFour",
  r.expiry_date as "expiryDate", r.cvv_key_id as "cvvKeyId", r.cvv_salt as "cvvSalt",
  c.spend_limit_minor as "spendLimitMinor", c.transaction_limit_minor as "transactionLimitMinor",
  c.daily_limit_minor as "dailyLimitMinor", c.monthly_limit_minor as "monthlyLimitMinor",
  c.all_time_limit_minor as "allTimeLimitMinor", c.allowed_mccs as "allowedMccs", c.blocked_mccs as "blockedMccs",
  c.created_at as "createdAt"`;

/**
 * The card's active credential. The lateral join forces one look-up per card: with a plain join the planner may read
 * all credentials of a program if it underestimates their number.
 */
const WITH_CREDENTIAL = `cross join lateral (
  select * from credentials where program_id = c.program_id and id = c.credential_id limit 1) r`;

export async function findCard(
  db: Queryable,
  programId: string,
  id: string,
): Promise<CardRecord | undefined> {
  const rows = await db.query<CardRecord>(
    {
      name: 'find_card',
      text: `select ${CARD_COLUMNS} from cards c ${WITH_CREDENTIAL} where c.program_id = $1 and c.id = $2`,
    },
    [programId, id],
  );
  return rows[0];
}

/**
 * Locks the card by its counters row, which every authorization locks too, then reads the card. It uses two statements
 * because a joined `for update` that had to wait would combine the new counters with the card as it was before the
 * wait.
 */
export async function lockCard(tx: Tx, programId: string, id: string): Promise<LockedCard | undefined> {
  const locked = tx.query<{ eventSequence: number }>(
    {
      name: 'lock_card',
      text: `select event_sequence as "eventSequence" from card_counters
             where program_id = $1 and card_id = $2 for update`,
    },
    [programId, id],
  );
  const [[counters], card] = await Promise.all([locked, findCard(tx, programId, id)]);
  return counters && card && { ...card, ...counters };
}

/** Inserts the counters of a new card; this row is also its lock. `day` is the day of creation. */
export function insertCounters(tx: Tx, card: CardRecord, day: string): void {
  tx.send(
    {
      name: 'insert_card_counters',
      text: 'insert into card_counters (program_id, card_id, event_sequence, day) values ($1, $2, 1, $3)',
    },
    [card.programId, card.id, day],
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

export async function updateControls(tx: Tx, card: CardRecord): Promise<void> {
  await tx.query(
    {
      name: 'update_card_controls',
      text: `update cards
             set transaction_limit_minor = $3, daily_limit_minor = $4, monthly_limit_minor = $5,
                 all_time_limit_minor = $6, allowed_mccs = $7, blocked_mccs = $8
             where program_id = $1 and id = $2`,
    },
    [
      card.programId,
      card.id,
      card.transactionLimitMinor,
      card.dailyLimitMinor,
      card.monthlyLimitMinor,
      card.allTimeLimitMinor,
      card.allowedMccs,
      card.blockedMccs,
    ],
  );
}

export function insertAdjustment(
  tx: Tx,
  adjustment: {
    programId: string;
    id: string;
    cardId: string;
    amountMinor: bigint;
    reference: string;
    createdAt: Date;
  },
): void {
  tx.send(
    {
      name: 'insert_balance_adjustment',
      text: `insert into balance_adjustments (program_id, id, card_id, amount_minor, reference, created_at)
             values ($1, $2, $3, $4, $5, $6)`,
    },
    [
      adjustment.programId,
      adjustment.id,
      adjustment.cardId,
      adjustment.amountMinor,
      adjustment.reference,
      adjustment.createdAt,
    ],
  );
}

/** One page, newest first, with ids from `lowestId` to `fromId`, both included. */
export const listCards = (
  db: Queryable,
  programId: string,
  fromId: string,
  lowestId: string,
  limit: number,
): Promise<CardRecord[]> =>
  db.query<CardRecord>(
    {
      name: 'list_cards',
      text: `select ${CARD_COLUMNS} from (
               select * from cards where program_id = $1 and id <= $2 and id >= $3 order by id desc limit $4) c
             ${WITH_CREDENTIAL} order by c.id desc`,
    },
    [programId, fromId, lowestId, limit],
  );

export async function insertCard(tx: Tx, card: CardRecord): Promise<void> {
  await tx.query(
    {
      name: 'insert_card',
      text: `insert into cards (program_id, id, cardholder_id, customer_type, card_type, design_id, currency, status,
                                credential_id, spend_limit_minor, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    },
    [
      card.programId,
      card.id,
      card.cardholderId,
      card.customerType,
      card.cardType,
      card.designId,
      card.currency,
      card.status,
      card.credentialId,
      card.spendLimitMinor,
      card.createdAt,
    ],
  );
}

/** Inserts the active credential of the card. */
export async function insertCredential(tx: Tx, card: CardRecord, createdAt: Date): Promise<void> {
  await tx.query(
    {
      name: 'insert_credential',
      text: `insert into credentials (program_id, id, card_id, number_id, last_four, expiry_date, cvv_key_id, cvv_salt, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    },
    [
      card.programId,
      card.credentialId,
      card.id,
      card.numberId,
      card.lastFour,
      card.expiryDate,
      card.cvvKeyId,
      card.cvvSalt,
      createdAt,
    ],
  );
}

export async function updateStatus(tx: Tx, card: CardRecord): Promise<void> {
  await tx.query(
    { name: 'update_card_status', text: 'update cards set status = $3 where program_id = $1 and id = $2' },
    [card.programId, card.id, card.status],
  );
}

export function updateBlocked(
  tx: Tx,
  card: Pick<CardRecord, 'programId' | 'id' | 'statusReason' | 'reasonCode'>,
  nowMs: number,
): void {
  tx.send(
    {
      name: 'update_blocked_card',
      text: `update cards set status = 'BLOCKED', status_reason = $3, reason_code = $4, blocked_at = $5
             where program_id = $1 and id = $2`,
    },
    [card.programId, card.id, card.statusReason, card.reasonCode, new Date(nowMs)],
  );
}

/** Activates the card's new credential; the previous one is inactive from this commit on. */
export async function updateCredential(tx: Tx, card: CardRecord): Promise<void> {
  await tx.query(
    {
      name: 'update_card_credential',
      text: `update cards set credential_id = $3, design_id = $4, status = $5
             where program_id = $1 and id = $2`,
    },
    [card.programId, card.id, card.credentialId, card.designId, card.status],
  );
}

export interface ShipmentRow {
  programId: string;
  id: string;
  cardId: string;
  status: 'ORDERED' | 'SHIPPED' | 'DELIVERED' | 'RETURNED';
  designId: string;
  createdAt: Date;
}

export async function insertShipment(tx: Tx, shipment: ShipmentRow): Promise<void> {
  await tx.query(
    {
      name: 'insert_shipment',
      text: `insert into shipments (program_id, id, card_id, status, design_id, created_at)
             values ($1, $2, $3, $4, $5, $6)`,
    },
    [
      shipment.programId,
      shipment.id,
      shipment.cardId,
      shipment.status,
      shipment.designId,
      shipment.createdAt,
    ],
  );
}

export async function findNewestShipment(
  db: Queryable,
  programId: string,
  cardId: string,
): Promise<ShipmentRow | undefined> {
  const rows = await db.query<ShipmentRow>(
    {
      name: 'find_newest_shipment',
      text: `select program_id as "programId", id, card_id as "cardId", status, design_id as "designId",
                    created_at as "createdAt"
             from shipments where program_id = $1 and card_id = $2 order by id desc limit 1`,
    },
    [programId, cardId],
  );
  return rows[0];
}

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
      text: `select month, position, fee_minor as "feeMinor" from maintenance_cursors where program_id = $1
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
                    and coalesce(c.blocked_at >= $4::date::timestamp at time zone 'UTC', true) as "inUse"
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
             select $1, $2, card_id, movement_id from unnest($3::uuid[], $4::uuid[]) as charge (card_id, movement_id)`,
    },
    [programId, month, column(cardIds), column(movementIds)],
  );
}

/** Inserts digests of the words by which cards are found; existing rows stay unchanged. */
export function insertSearchWords(
  tx: Tx,
  programId: string,
  cards: ReadonlyArray<{ cardId: string; words: readonly Buffer[] }>,
): void {
  const rows = cards.flatMap(({ cardId, words }) => words.map((word) => ({ cardId, word })));
  tx.send(
    {
      name: 'insert_card_search_words',
      text: `insert into card_search_words (program_id, word, card_id)
             select $1, word, card_id from unnest($2::bytea[], $3::uuid[]) as entry (word, card_id)
             on conflict do nothing`,
    },
    [programId, rows.map(({ word }) => word), column(rows.map(({ cardId }) => cardId))],
  );
}

/** Deletes up to `limit` words of a key and returns their number. */
export async function deleteSearchWordsOfKey(
  db: Queryable,
  programId: string,
  { from, to }: { from: Buffer; to: Buffer },
  limit: number,
): Promise<number> {
  const rows = await db.query(
    {
      text: `delete from card_search_words
             where program_id = $1 and (word, card_id) in (
               select word, card_id from card_search_words
               where program_id = $1 and word >= $2 and word < $3 order by word, card_id limit $4)
             returning card_id`,
    },
    [programId, from, to, limit],
  );
  return rows.length;
}

export function updateCardholderIds(
  tx: Tx,
  programId: string,
  cards: ReadonlyArray<{ cardId: string; cardholderId: string }>,
): void {
  tx.send(
    {
      name: 'update_cardholder_ids',
      text: `update cards c set cardholder_id = n.cardholder_id
             from unnest($2::uuid[], $3::uuid[]) as n (id, cardholder_id)
             where c.program_id = $1 and c.id = n.id and c.cardholder_id <> n.cardholder_id`,
    },
    [
      programId,
      column(cards.map(({ cardId }) => cardId)),
      column(cards.map(({ cardholderId }) => cardholderId)),
    ],
  );
}

/** Counts the cards whose current CVV needs a key, up to `limit`. Blocked cards do not count. */
export async function countCardsOfCvvKey(db: Queryable, keyId: number, limit: number): Promise<number> {
  const rows = await db.query<{ count: bigint }>(
    {
      text: `select count(*) from (
               select from credentials r
               join cards c on c.program_id = r.program_id and c.id = r.card_id and c.credential_id = r.id
               where r.cvv_key_id = $1 and c.status <> 'BLOCKED' limit $2) card`,
    },
    [keyId, limit],
  );
  return Number(rows[0]?.count ?? 0n);
}

export const listCardIdsAfter = async (
  db: Queryable,
  programId: string,
  afterId: string,
  limit: number,
): Promise<string[]> =>
  (
    await db.query<{ id: string }>(
      { text: 'select id from cards where program_id = $1 and id > $2 order by id limit $3' },
      [programId, afterId, limit],
    )
  ).map(({ id }) => id);

/** Cards by their ids, newest first. */
export const findCards = (db: Queryable, programId: string, ids: readonly string[]): Promise<CardRecord[]> =>
  db.query<CardRecord>(
    {
      name: 'find_cards',
      text: `select ${CARD_COLUMNS} from unnest($2::uuid[]) as wanted (id)
             cross join lateral (select * from cards where program_id = $1 and id = wanted.id limit 1) c
             ${WITH_CREDENTIAL} order by c.id desc`,
    },
    [programId, column(ids)],
  );
