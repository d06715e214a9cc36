import { column } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { parametersOf, valuesOf } from '../db/row.ts';
import type { Day } from '../kernel/calendar.ts';
import type { MergedMetadata } from '../kernel/metadata.ts';
import type { CardRecord, LockedCard } from './card.ts';

/** For `lists/`. */
export const CARD_LIST = { table: 'cards' };
export const ADJUSTMENT_LIST = { table: 'balance_adjustments' };

const CARD_COLUMNS = `
  c.program_id, c.id, c.cardholder_id, c.customer_type, c.card_type, c.design_id, c.currency, c.status,
  c.status_reason, c.reason_code, c.frozen_with_customer, c.credential_id, c.expiry_event_due, r.number_id, r.last_four, r.expiry_date, r.cvv_key_id, r.cvv_salt,
  c.spend_limit_minor, c.transaction_limit_minor, c.daily_limit_minor, c.monthly_limit_minor, c.all_time_limit_minor,
  c.allowed_mccs, c.blocked_mccs, c.temporary_limits, c.usage, c.metadata, c.three_ds_forwarding, c.replaces_card_id, c.created_at`;

/**
 * The active credential of a card `c`; $1 is the program. The lateral join forces one look-up per card: with a plain join
 * the planner may read all credentials of a program if it underestimates their number.
 */
const WITH_CREDENTIAL = `cross join lateral (
  select * from credentials where program_id = $1 and id = c.credential_id limit 1) r`;

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
  const locked = tx.query<Pick<LockedCard, 'eventSequence' | 'wrongEntries' | 'used'>>(
    {
      name: 'lock_card',
      locks: true,
      text: `select event_sequence, wrong_entries, used from card_counters
             where program_id = $1 and card_id = $2 for update`,
    },
    [programId, id],
  );
  const [[counters], card] = await Promise.all([locked, findCard(tx, programId, id)]);
  return counters && card && { ...card, ...counters };
}

const CONTROLS = `transaction_limit_minor, daily_limit_minor, monthly_limit_minor, all_time_limit_minor, allowed_mccs, blocked_mccs,
  temporary_limits`;

export async function updateControls(tx: Tx, card: CardRecord): Promise<void> {
  await tx.query(
    {
      name: 'update_card_controls',
      text: `update cards set (${CONTROLS}) = (${parametersOf(CONTROLS, 3)}) where program_id = $1 and id = $2`,
    },
    [card.programId, card.id, ...valuesOf(CONTROLS, card)],
  );
}

export async function updateForwarding(
  tx: Tx,
  { programId, id, threeDsForwarding }: CardRecord,
): Promise<void> {
  await tx.query(
    {
      name: 'update_card_forwarding',
      text: 'update cards set three_ds_forwarding = $3 where program_id = $1 and id = $2',
    },
    [programId, id, threeDsForwarding],
  );
}

export function updateUsage(tx: Tx, { programId, id, usage }: CardRecord): void {
  tx.send(
    { name: 'update_card_usage', text: 'update cards set usage = $3 where program_id = $1 and id = $2' },
    [programId, id, usage],
  );
}

export function updateMetadata(
  tx: Tx,
  { programId, id, metadata }: Pick<CardRecord, 'programId' | 'id' | 'metadata'>,
): void {
  tx.send(
    {
      name: 'update_card_metadata',
      text: 'update cards set metadata = $3 where program_id = $1 and id = $2',
    },
    [programId, id, metadata],
  );
}

/** One row for each pair of metadata, by which a filter finds the cards that have it, newest first. */
export function updateLabels(
  tx: Tx,
  programId: string,
  cardId: string,
  { added, removed }: MergedMetadata['labels'],
): void {
  if (added.length + removed.length === 0) return;
  tx.send(
    {
      name: 'update_card_labels',
      text: `with removed as (
               delete from card_labels where program_id = $1 and id = $2 and label = any ($3::text[]))
             insert into card_labels (program_id, id, label) select $1, $2, unnest($4::text[])`,
    },
    [programId, cardId, removed, added],
  );
}

export interface AdjustmentRow {
  id: string;
  amountMinor: bigint;
  reference: string;
  createdAt: Date;
}

const ADJUSTMENT_COLUMNS = 'program_id, id, card_id, amount_minor, reference, created_at';

export function insertAdjustment(
  tx: Tx,
  adjustment: AdjustmentRow & { programId: string; cardId: string },
): void {
  tx.send(
    {
      name: 'insert_balance_adjustment',
      text: `insert into balance_adjustments (${ADJUSTMENT_COLUMNS}) values (${parametersOf(ADJUSTMENT_COLUMNS)})`,
    },
    valuesOf(ADJUSTMENT_COLUMNS, adjustment),
  );
}

/** One page of a card's adjustments, newest first, with ids from `lowestId` to `fromId`, both included. */
export const listAdjustments = (
  db: Queryable,
  programId: string,
  cardId: string,
  fromId: string,
  lowestId: string,
  limit: number,
): Promise<AdjustmentRow[]> =>
  db.query<AdjustmentRow>(
    {
      name: 'list_balance_adjustments',
      text: `select id, amount_minor, reference, created_at from balance_adjustments
             where program_id = $1 and card_id = $2 and id <= $3 and id >= $4 order by id desc limit $5`,
    },
    [programId, cardId, fromId, lowestId, limit],
  );

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

const INSERTED = `program_id, id, cardholder_id, customer_type, card_type, design_id, currency, status, credential_id,
  last_four, expiry_event_due, spend_limit_minor, replaces_card_id, usage, metadata, created_at`;

export async function insertCard(tx: Tx, card: CardRecord): Promise<void> {
  await tx.query(
    { name: 'insert_card', text: `insert into cards (${INSERTED}) values (${parametersOf(INSERTED)})` },
    valuesOf(INSERTED, card),
  );
}

/** The card that was issued in place of a blocked one. */
export async function findReplacement(
  db: Queryable,
  programId: string,
  cardId: string,
): Promise<string | null> {
  const rows = await db.query<{ id: string }>(
    {
      name: 'find_card_replacement',
      text: `select id from cards
             where program_id = $1 and replaces_card_id = $2 and replaces_card_id is not null limit 1`,
    },
    [programId, cardId],
  );
  return rows[0]?.id ?? null;
}

const CREDENTIAL_COLUMNS = `program_id, id, card_id, number_id, last_four, expiry_date, cvv_key_id, cvv_salt, created_at`;

/** Inserts the active credential of the card. */
export async function insertCredential(tx: Tx, card: CardRecord, createdAt: Date): Promise<void> {
  await tx.query(
    {
      name: 'insert_credential',
      text: `insert into credentials (${CREDENTIAL_COLUMNS}) values (${parametersOf(CREDENTIAL_COLUMNS)})`,
    },
    valuesOf(CREDENTIAL_COLUMNS, { ...card, id: card.credentialId, cardId: card.id, createdAt }),
  );
}

export async function updateStatus(tx: Tx, card: CardRecord): Promise<void> {
  await tx.query(
    {
      name: 'update_card_status',
      text: `update cards set status = $3, status_reason = $4, frozen_with_customer = $5
             where program_id = $1 and id = $2`,
    },
    [card.programId, card.id, card.status, card.statusReason, card.frozenWithCustomer],
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
      text: `update cards set credential_id = $3, last_four = $4, design_id = $5, expiry_event_due = $6
             where program_id = $1 and id = $2`,
    },
    [card.programId, card.id, card.credentialId, card.lastFour, card.designId, card.expiryEventDue],
  );
}

/** The cards of a program whose next `card.expired` is due first. */
export const listExpiryEvents = (
  db: Queryable,
  programId: string,
  limit: number,
): Promise<Array<{ id: string; expiryEventDue: Day }>> =>
  db.query<{ id: string; expiryEventDue: Day }>(
    {
      name: 'list_expiry_events',
      text: `select id, expiry_event_due from cards
             where program_id = $1 and expiry_event_due is not null order by expiry_event_due limit $2`,
    },
    [programId, limit],
  );

/** The events of these cards are recorded, or not due any more. */
export function clearExpiryEvents(tx: Tx, programId: string, ids: readonly string[]): void {
  tx.send(
    {
      name: 'clear_expiry_events',
      text: 'update cards set expiry_event_due = null where program_id = $1 and id = any ($2::uuid[])',
    },
    [programId, column(ids)],
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

const SHIPMENT_COLUMNS = 'program_id, id, card_id, status, design_id, created_at';

export async function insertShipment(tx: Tx, shipment: ShipmentRow): Promise<void> {
  await tx.query(
    {
      name: 'insert_shipment',
      text: `insert into shipments (${SHIPMENT_COLUMNS}) values (${parametersOf(SHIPMENT_COLUMNS)})`,
    },
    valuesOf(SHIPMENT_COLUMNS, shipment),
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
      text: `select ${SHIPMENT_COLUMNS} from shipments
             where program_id = $1 and card_id = $2 order by id desc limit 1`,
    },
    [programId, cardId],
  );
  return rows[0];
}

/** Counts the cards whose current CVV needs a key, up to `limit`. Blocked cards do not count. */
export async function countCardsOfCvvKey(db: Queryable, keyId: number, limit: number): Promise<number> {
  const rows = await db.query<{ count: bigint }>(
    `select count(*) from (
       select r.id from credentials r
       join cards c on c.program_id = r.program_id and c.id = r.card_id and c.credential_id = r.id
       where r.cvv_key_id = $1 and c.status <> 'BLOCKED' limit $2) card`,
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
      'select id from cards where program_id = $1 and id > $2 order by id limit $3',
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

/** The given ids that are those of cards. */
export async function findCardIds(
  db: Queryable,
  programId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    'select id from cards where program_id = $1 and id = any ($2::uuid[])',
    [programId, column(ids)],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Ends a look-up of one credential. No index but the primary key leads to a row with its time: PostgreSQL 18 would skip
 * through the index of last fours, which holds all that is wanted, from one last four to the next.
 */
const BY_KEY = 'order by created_at limit 1';

/** The last four digits of cards now, by card id. */
export async function findLastFoursOfCards(
  db: Queryable,
  programId: string,
  cardIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; lastFour: string }>(
    {
      name: 'find_last_fours_of_cards',
      text: `select c.id, r.last_four from unnest($2::uuid[]) as wanted (id)
             cross join lateral (
               select id, credential_id from cards where program_id = $1 and id = wanted.id limit 1) c
             cross join lateral (
               select last_four from credentials where program_id = $1 and id = c.credential_id ${BY_KEY}) r`,
    },
    [programId, column(cardIds)],
  );
  return new Map(rows.map(({ id, lastFour }) => [id, lastFour]));
}

/** The last four digits of credentials, by their ids. */
export async function findLastFours(
  db: Queryable,
  programId: string,
  credentialIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; lastFour: string }>(
    {
      name: 'find_last_fours',
      text: `select c.id, c.last_four from unnest($2::uuid[]) as wanted (id)
             cross join lateral (
               select * from credentials where program_id = $1 and id = wanted.id ${BY_KEY}) c`,
    },
    [programId, column(credentialIds)],
  );
  return new Map(rows.map(({ id, lastFour }) => [id, lastFour]));
}

/** For a larger query: the card with an id. Arguments are SQL. */
export const cardWithId = (program: string, id: string): string =>
  `(select id, card_type from cards where program_id = ${program} and id = ${id} limit 1)`;

/** For a larger query: the last four digits of a credential. Arguments are SQL. */
export const lastFourOf = (program: string, credentialId: string): string =>
  `(select last_four from credentials where program_id = ${program} and id = ${credentialId} ${BY_KEY})`;

/** For a larger query: the id of the credential that a card had when an id was created. Arguments are SQL. */
export const credentialAt = (program: string, cardId: string, id: string): string =>
  `(select id from credentials
    where program_id = ${program} and card_id = ${cardId} and id < ${id} order by id desc limit 1)`;
