import { column } from '../../db/columns.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { ACCOUNTS } from '../../ledger/accounts.ts';
import type { CardFacts } from '../rules/card-facts.ts';
import type { Message } from '../rules/message.ts';
import type { Spending } from '../rules/spending.ts';
import type { TransactionRecord } from '../rules/transaction.ts';

export type MessageKind = Exclude<Message['kind'], 'expiry'>;

/** A message by its own id. Digest and answer are null while only its place is taken, by what came before it. */
export interface MessageRow {
  kind: MessageKind;
  messageId: string;
  transactionId: string | null;
  cardId: string | null;
  requestDigest: Buffer | null;
  answer: string | null;
}

type Counters = Spending & { cardId: string; eventSequence: number; wrongCvvs: number; wrongEntries: Date[] };

/**
 * Locks cards in order of their ids, so that no two batches can wait for each other. With `skipBusy`, cards that
 * somebody else has locked are left out instead of waited for.
 */
export const lockCounters = (
  tx: Tx,
  programId: string,
  cardIds: readonly string[],
  skipBusy: boolean,
): Promise<Counters[]> =>
  tx.query<Counters>(
    {
      name: skipBusy ? 'lock_free_card_counters' : 'lock_card_counters',
      text: `select card_id as "cardId", event_sequence as "eventSequence", wrong_cvvs as "wrongCvvs",
                    wrong_entries as "wrongEntries", day, day_spent_minor as "daySpentMinor", month_spent_minor as "monthSpentMinor", total_spent_minor as "totalSpentMinor"
             from card_counters where program_id = $1 and card_id = any ($2::uuid[]) order by card_id
             for update ${skipBusy ? 'skip locked' : ''}`,
    },
    [programId, column(cardIds)],
  );

/** Read after the lock, in a statement of its own: it must see what the last holder of the lock wrote. */
export const readCards = (
  tx: Tx,
  programId: string,
  cardIds: readonly string[],
): Promise<Array<Omit<CardFacts, keyof Counters> & { cardId: string }>> =>
  tx.query(
    {
      name: 'read_card_facts',
      text: `select c.id as "cardId", c.card_type as "cardType", c.design_id as "designId", c.credential_id as "credentialId", r.number_id as "numberId", c.status,
                    c.status_reason as "statusReason", r.last_four as "lastFour", r.expiry_date as "expiryDate",
                    r.cvv_key_id as "cvvKeyId", r.cvv_salt as "cvvSalt",
                    c.transaction_limit_minor as "transactionLimitMinor", c.daily_limit_minor as "dailyLimitMinor",
                    c.monthly_limit_minor as "monthlyLimitMinor", c.all_time_limit_minor as "allTimeLimitMinor",
                    c.allowed_mccs as "allowedMccs", c.blocked_mccs as "blockedMccs",
                    a.balance_minor as "availableMinor"
             from unnest($2::uuid[]) as wanted (id)
             cross join lateral (select * from cards where program_id = $1 and id = wanted.id limit 1) c
             cross join lateral (
               select * from credentials where program_id = $1 and id = c.credential_id limit 1) r
             cross join lateral (
               select balance_minor from ledger_accounts where program_id = $1 and id = c.id limit 1) a`,
    },
    [programId, column(cardIds)],
  );

export async function lockMasterBalance(tx: Tx, programId: string): Promise<bigint | undefined> {
  const rows = await tx.query<{ balance: bigint }>(
    {
      name: 'lock_master_balance',
      text: `select balance_minor as balance from ledger_accounts
             where program_id = $1 and id = '${ACCOUNTS.master}' for update`,
    },
    [programId],
  );
  return rows[0]?.balance;
}

export const findMessages = (
  db: Queryable,
  programId: string,
  kinds: readonly string[],
  messageIds: readonly string[],
): Promise<MessageRow[]> =>
  db.query<MessageRow>(
    {
      name: 'find_network_messages',
      text: `select m.kind, m.message_id as "messageId", m.transaction_id as "transactionId", m.card_id as "cardId",
                    m.request_digest as "requestDigest", m.answer
             from unnest($2::text[], $3::text[]) as wanted (kind, message_id)
             cross join lateral (
               select * from network_messages
               where program_id = $1 and kind = wanted.kind and message_id = wanted.message_id limit 1) m`,
    },
    [programId, column(kinds), messageIds],
  );

/**
 * Each id is looked up by itself: for a list of them PostgreSQL may take the index of the cards' transactions instead and
 * read through all of the program's.
 */
const WANTED = `unnest($2::uuid[]) as wanted (id)
             cross join lateral (
               select * from transactions where program_id = $1 and id = wanted.id limit 1) t`;

/** By id; which card each belongs to never changes. */
export const findTransactionPlaces = (
  db: Queryable,
  programId: string,
  ids: readonly string[],
): Promise<Array<{ transactionId: string; cardId: string }>> =>
  db.query(
    {
      name: 'find_transaction_places',
      text: `select t.id as "transactionId", t.card_id as "cardId" from ${WANTED}`,
    },
    [programId, ids],
  );

export const TRANSACTION_COLUMNS = `
  t.id, t.card_id as "cardId", t.credential_id as "credentialId", t.kind, t.parent_id as "parentId",
  t.external_transaction_id as "externalTransactionId", t.status, t.amount_minor as "amountMinor", t.currency,
  t.bill_amount_minor as "billAmountMinor", t.bill_currency as "billCurrency", t.channel,
  t.merchant_id as "merchantId", t.merchant_name as "merchantName", t.merchant_mcc as "merchantMcc",
  t.merchant_city as "merchantCity", t.merchant_country as "merchantCountry", t.decline_reason as "declineReason",
  t.network_code as "networkCode", t.approval_code as "approvalCode", t.fx_fee_bps as "fxFeeBps",
  t.atm_fee_minor as "atmFeeMinor", t.held_minor as "heldMinor", t.cleared_minor as "clearedMinor",
  t.reversed_minor as "reversedMinor", t.final, t.cleared_amount_minor as "clearedAmountMinor",
  t.cleared_currency as "clearedCurrency", t.created_at as "createdAt", t.approved_at as "approvedAt"`;

export type TransactionRow = Omit<TransactionRecord, 'merchant'> & {
  merchantId: string | null;
  merchantName: string;
  merchantMcc: string;
  merchantCity: string;
  merchantCountry: string;
};

export function fromRow(row: TransactionRow): TransactionRecord {
  const { merchantId, merchantName, merchantMcc, merchantCity, merchantCountry, ...rest } = row;
  if (merchantId === null) return { ...rest, merchant: null };
  return {
    ...rest,
    merchant: {
      id: merchantId,
      name: merchantName,
      mcc: merchantMcc,
      city: merchantCity,
      country: merchantCountry,
    },
  };
}

export async function findTransactions(
  db: Queryable,
  programId: string,
  ids: readonly string[],
): Promise<TransactionRecord[]> {
  const rows = await db.query<TransactionRow>(
    {
      name: 'find_transactions',
      text: `select ${TRANSACTION_COLUMNS} from ${WANTED}`,
    },
    [programId, ids],
  );
  return rows.map(fromRow);
}

/** One page, newest first: `id` between the two, both included; of one card, or of all (`cardId` null). */
export async function listTransactions(
  db: Queryable,
  programId: string,
  cardId: string | null,
  fromId: string,
  lowestId: string,
  limit: number,
): Promise<TransactionRecord[]> {
  const ofCard = cardId === null ? '$2::uuid is null' : 't.card_id = $2';
  const rows = await db.query<TransactionRow>(
    {
      name: cardId === null ? 'list_transactions' : 'list_card_transactions',
      // The end is held against what was read, see LOOKED_AT of the console's queries.
      text: `select * from (
               select ${TRANSACTION_COLUMNS} from transactions t
               where t.program_id = $1 and ${ofCard} and t.id <= $3 order by t.id desc limit $5) page
             where id >= $4`,
    },
    [programId, cardId, fromId, lowestId, limit],
  );
  return rows.map(fromRow);
}

/** What later messages change of a transaction, and what they leave. */
const CHANGING = `status, amount_minor, currency, bill_amount_minor, channel, merchant_id, merchant_name, merchant_mcc,
  merchant_city, merchant_country, decline_reason, network_code, approval_code, fx_fee_bps, atm_fee_minor, held_minor,
  cleared_minor, reversed_minor, final, cleared_amount_minor, cleared_currency, approved_at`;
const UNCHANGING =
  'id, card_id, credential_id, kind, parent_id, external_transaction_id, bill_currency, created_at';

/** The ids of the events of each transaction, by its id. */
export type EventIds = ReadonlyMap<string, readonly string[]>;

/** A list in each row, as text: lists of several lengths make no array of arrays. */
const listColumn = (lists: ReadonlyArray<readonly string[]>): string =>
  `{${lists.map((list) => `"{${list.join(',')}}"`).join(',')}}`;

const INSERT_TRANSACTIONS = `
  insert into transactions as kept (program_id, ${CHANGING}, ${UNCHANGING}, event_ids)
  select $1, ${CHANGING}, ${UNCHANGING}, event_ids::uuid[]
  from unnest($2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[],
              $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::int[], $16::bigint[], $17::bigint[],
              $18::bigint[], $19::bigint[], $20::boolean[], $21::bigint[], $22::text[], $23::timestamptz[],
              $24::uuid[], $25::uuid[], $26::uuid[], $27::text[], $28::uuid[], $29::text[], $30::text[],
              $31::timestamptz[], $32::text[])
    as row (${CHANGING}, ${UNCHANGING}, event_ids)`;

const transactionColumns = (rows: readonly TransactionRecord[], eventIds: EventIds) => [
  column(rows.map((row) => row.status)),
  column(rows.map((row) => row.amountMinor)),
  column(rows.map((row) => row.currency)),
  column(rows.map((row) => row.billAmountMinor)),
  column(rows.map((row) => row.channel)),
  rows.map(({ merchant }) => merchant?.id ?? null),
  rows.map(({ merchant }) => merchant?.name ?? null),
  rows.map(({ merchant }) => merchant?.mcc ?? null),
  rows.map(({ merchant }) => merchant?.city ?? null),
  rows.map(({ merchant }) => merchant?.country ?? null),
  column(rows.map((row) => row.declineReason)),
  column(rows.map((row) => row.networkCode)),
  column(rows.map((row) => row.approvalCode)),
  column(rows.map((row) => row.fxFeeBps)),
  column(rows.map((row) => row.atmFeeMinor)),
  column(rows.map((row) => row.heldMinor)),
  column(rows.map((row) => row.clearedMinor)),
  column(rows.map((row) => row.reversedMinor)),
  column(rows.map((row) => row.final)),
  column(rows.map((row) => row.clearedAmountMinor)),
  column(rows.map((row) => row.clearedCurrency)),
  column(rows.map((row) => row.approvedAt?.toISOString() ?? null)),
  column(rows.map((row) => row.id)),
  column(rows.map((row) => row.cardId)),
  column(rows.map((row) => row.credentialId)),
  column(rows.map((row) => row.kind)),
  column(rows.map((row) => row.parentId)),
  rows.map((row) => row.externalTransactionId),
  column(rows.map((row) => row.billCurrency)),
  column(rows.map((row) => row.createdAt.toISOString())),
  listColumn(rows.map(({ id }) => eventIds.get(id) ?? [])),
];

export function insertTransactions(
  tx: Tx,
  programId: string,
  rows: readonly TransactionRecord[],
  eventIds: EventIds = new Map(),
): void {
  tx.send({ name: 'insert_transactions', text: INSERT_TRANSACTIONS }, [
    programId,
    ...transactionColumns(rows, eventIds),
  ]);
}

/**
 * Of rows that are there. Written as an insertion that meets them, because that finds each row by its primary key,
 * whatever the planner thinks of the table.
 */
export function updateTransactions(
  tx: Tx,
  programId: string,
  rows: readonly TransactionRecord[],
  eventIds: EventIds,
): void {
  const news = CHANGING.replace(/\w+/g, 'excluded.$&');
  tx.send(
    {
      name: 'update_transactions',
      text: `${INSERT_TRANSACTIONS}
             on conflict (program_id, id) do update
             set (${CHANGING}, event_ids) = row(${news}, kept.event_ids || excluded.event_ids)`,
    },
    [programId, ...transactionColumns(rows, eventIds)],
  );
}

export function insertMessages(
  tx: Tx,
  programId: string,
  rows: readonly MessageRow[],
  createdAt: Date,
): void {
  tx.send(
    {
      name: 'insert_network_messages',
      text: `insert into network_messages
               (program_id, kind, message_id, transaction_id, card_id, request_digest, answer, created_at)
             select $1, kind, message_id, transaction_id, card_id, request_digest, answer, $8
             from unnest($2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::bytea[], $7::text[])
               as message (kind, message_id, transaction_id, card_id, request_digest, answer)`,
    },
    [
      programId,
      column(rows.map((row) => row.kind)),
      rows.map((row) => row.messageId),
      column(rows.map((row) => row.transactionId)),
      column(rows.map((row) => row.cardId)),
      rows.map((row) => row.requestDigest),
      rows.map((row) => row.answer),
      createdAt,
    ],
  );
}

/** Fills a place that an earlier message took; false when somebody else filled it meanwhile. */
export async function fillMessage(tx: Tx, programId: string, row: MessageRow): Promise<boolean> {
  const rows = await tx.query(
    {
      name: 'fill_network_message',
      text: `update network_messages
             set transaction_id = $4, card_id = $5, request_digest = $6, answer = $7
             where program_id = $1 and kind = $2 and message_id = $3
               and (request_digest is null or request_digest = $6)
               and (transaction_id is null or transaction_id = $4)
             returning kind`,
    },
    [programId, row.kind, row.messageId, row.transactionId, row.cardId, row.requestDigest, row.answer],
  );
  return rows.length === 1;
}

export function updateCounters(tx: Tx, programId: string, rows: readonly CardFacts[]): void {
  tx.send(
    {
      name: 'update_card_counters',
      text: `update card_counters k
             set event_sequence = n.event_sequence, wrong_cvvs = n.wrong_cvvs, day = n.day,
                 day_spent_minor = n.day_spent, month_spent_minor = n.month_spent, total_spent_minor = n.total_spent,
                 wrong_entries = n.wrong_entries::timestamptz[]
             from unnest($2::uuid[], $3::int[], $4::smallint[], $5::date[], $6::bigint[], $7::bigint[], $8::bigint[],
                         $9::text[])
               as n (card_id, event_sequence, wrong_cvvs, day, day_spent, month_spent, total_spent, wrong_entries)
             where k.program_id = $1 and k.card_id = n.card_id and k.card_id = any ($2::uuid[])`,
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
      listColumn(rows.map((row) => row.wrongEntries.map((at) => at.toISOString()))),
    ],
  );
}

/** Holds that were made before an id, a few at a time from the oldest; `walked` is how far this look has come. */
export const listHolds = (
  db: Queryable,
  programId: string,
  fromId: string,
  belowId: string,
  limit: number,
): Promise<Array<{ id: string; held: boolean }>> =>
  db.query(
    {
      name: 'list_holds',
      text: `select * from (
               select id, held_minor > 0 as held from transactions
               where program_id = $1 and id >= $2 order by id limit $4) stretch
             where id < $3`,
    },
    [programId, fromId, belowId, limit],
  );

export async function findWalk(db: Queryable, programId: string): Promise<string | undefined> {
  const rows = await db.query<{ walkedTo: string }>(
    {
      name: 'find_hold_walk',
      text: 'select walked_to as "walkedTo" from hold_walks where program_id = $1',
    },
    [programId],
  );
  return rows[0]?.walkedTo;
}

export async function advanceWalk(db: Queryable, programId: string, walkedTo: string): Promise<void> {
  await db.query(
    {
      name: 'advance_hold_walk',
      text: `insert into hold_walks as walk (program_id, walked_to) values ($1, $2)
             on conflict (program_id) do update set walked_to = excluded.walked_to
               where walk.walked_to < excluded.walked_to`,
    },
    [programId, walkedTo],
  );
}
