import { column, listColumn, rareColumn, textColumn, unnested } from '../../db/columns.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import type { MergedMetadata } from '../../kernel/metadata.ts';
import type { PurchaseAuthentication } from '../core/authentication.ts';
import type { Flag } from '../core/flag.ts';
import { isLongHold } from '../core/hold-days.ts';
import type { Counted } from '../core/spending.ts';
import type { Increment, TransactionRecord } from '../core/transaction.ts';

/**
 * Looks up each id separately: for a list of ids PostgreSQL may choose the index of the cards' transactions and read
 * all transactions of the program.
 */
export const WANTED = `unnest($2::uuid[]) as wanted (id)
             cross join lateral (
               select * from transactions where program_id = $1 and id = wanted.id limit 1) t`;

/** For `lists/`. */
export const TRANSACTION_LIST = { table: 'transactions' };

/**
 * The card of each transaction, which never changes. `kind` is read because no other index than the primary key has it:
 * PostgreSQL 18 would skip through the index of the cards' transactions, one card after the other.
 */
export const findTransactionCards = (
  db: Queryable,
  programId: string,
  ids: readonly string[],
): Promise<Array<{ transactionId: string; cardId: string }>> =>
  db.query(
    {
      name: 'find_transaction_cards',
      text: `select t.id as transaction_id, t.card_id, t.kind from ${WANTED}`,
    },
    [programId, ids],
  );

export const TRANSACTION_COLUMNS = `
  t.id, t.card_id, t.credential_id, t.kind, t.type, t.parent_id, t.external_transaction_id, t.status, t.amount_minor,
  t.currency, t.bill_amount_minor, t.bill_currency, t.authorization_mode, t.channel, t.merchant_id, t.merchant_name,
  t.merchant_mcc, t.merchant_city, t.merchant_country, t.authentication, t.decline_reason, t.network_code,
  t.approval_code, t.fx_fee_bps, t.atm_fee_minor, t.held_minor, t.held_amount_minor, t.increments, t.renewed_at,
  t.hold_end, t.advised, t.cleared_minor, t.fx_cleared_minor, t.final, t.cleared_amount_minor, t.cleared_currency,
  t.flags, t.network, t.matched_rules as rules, t.cvv_given, t.metadata, t.created_at, t.approved_on, t.counted`;

type StoredDifferently =
  | 'acceptor'
  | 'authentication'
  | 'counted'
  | 'increments'
  | 'advised'
  | 'cvvGiven'
  | 'flags';

export type TransactionRow = Omit<TransactionRecord, StoredDifferently> & {
  merchantId: string | null;
  merchantName: string | null;
  merchantMcc: string;
  merchantCity: string | null;
  merchantCountry: string | null;
  authentication: StoredAuthentication | null;
  counted: Array<Omit<Counted, 'minor'> & { minor: string }>;
  /** Null, like those below: the usual value. */
  increments: StoredIncrement[] | null;
  advised: true | null;
  cvvGiven: true | null;
  flags: Flag[] | null;
};

type StoredIncrement = Omit<Increment, 'billMinor' | 'amountMinor' | 'reversedMinor'> & {
  billMinor: string;
  amountMinor: string;
  reversedMinor: string;
};

type StoredAuthentication = Omit<PurchaseAuthentication, 'amountMinor'> & { amountMinor: string | null };

export function fromRow(row: TransactionRow): TransactionRecord {
  const { merchantId, merchantName, merchantMcc, merchantCity, merchantCountry, ...rest } = row;
  return {
    ...rest,
    authentication: row.authentication && {
      ...row.authentication,
      amountMinor: row.authentication.amountMinor === null ? null : BigInt(row.authentication.amountMinor),
    },
    counted: row.counted.map((part) => ({ ...part, minor: BigInt(part.minor) })),
    increments: (row.increments ?? []).map((increment) => ({
      ...increment,
      billMinor: BigInt(increment.billMinor),
      amountMinor: BigInt(increment.amountMinor),
      reversedMinor: BigInt(increment.reversedMinor),
    })),
    advised: row.advised ?? false,
    cvvGiven: row.cvvGiven ?? false,
    flags: row.flags ?? [],
    acceptor:
      merchantId === null
        ? null
        : {
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

/** One page, newest first, with `id` between `lowestId` and `fromId`, both inclusive. `cardId` null: of all cards. */
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
      // The lower end is compared after the read; see `lookedAt`. The planner must not see the limit: for a program that
      // it takes for a small one it would read and sort all transactions.
      text: `select * from (
               select ${TRANSACTION_COLUMNS} from transactions t
               where t.program_id = $1 and ${ofCard} and t.id <= $3 order by t.id desc limit (select $5::int)) page
             where id >= $4`,
    },
    [programId, cardId, fromId, lowestId, limit],
  );
  return rows.map(fromRow);
}

/** The purchases of a card of which something is held or has cleared, and the merchant of the first that names one. */
export async function findUsed(
  tx: Tx,
  programId: string,
  cardId: string,
): Promise<{ purchases: number; firstMerchantId: string | null }> {
  const [found] = await tx.query<{ purchases: number; firstMerchantId: string | null }>(
    {
      name: 'find_used',
      text: `select count(*)::int as purchases,
                    (array_agg(merchant_id order by id) filter (where merchant_id is not null))[1] as first_merchant_id
             from transactions
             where program_id = $1 and card_id = $2 and kind = 'purchase' and (held_minor > 0 or cleared_minor > 0)`,
    },
    [programId, cardId],
  );
  return found ?? { purchases: 0, firstMerchantId: null };
}

/** The columns that later messages change, and those that they do not change. */
const CHANGING = `status, amount_minor, currency, bill_amount_minor, channel, merchant_id, merchant_name, merchant_mcc,
  merchant_city, merchant_country, decline_reason, network_code, approval_code, fx_fee_bps, atm_fee_minor, held_minor,
  cleared_minor, fx_cleared_minor, final, cleared_amount_minor, cleared_currency, approved_on, counted,
  authentication, held_amount_minor, type, parent_id, increments, renewed_at, long_hold, hold_end, advised, flags,
  network, matched_rules, cvv_given`;
const UNCHANGING =
  'id, card_id, credential_id, kind, external_transaction_id, bill_currency, authorization_mode, created_at';

/** The ids of the events of each transaction, by its id. */
export type EventIds = ReadonlyMap<string, readonly string[]>;

const INSERT_TRANSACTIONS = `
  insert into transactions as kept (program_id, ${CHANGING}, ${UNCHANGING}, event_ids)
  select $1, ${unnested(
    2,
    `text bigint text bigint text text text text text text text text text int bigint bigint
     bigint bigint boolean bigint text date jsonb jsonb bigint text uuid jsonb timestamptz boolean text boolean
     jsonb jsonb jsonb boolean uuid uuid uuid text text text text timestamptz`,
  )}, unnest($46::text[])::uuid[]`;

const transactionColumns = (rows: readonly TransactionRecord[], eventIds: EventIds) => [
  column(rows.map((row) => row.status)),
  column(rows.map((row) => row.amountMinor)),
  column(rows.map((row) => row.currency)),
  column(rows.map((row) => row.billAmountMinor)),
  column(rows.map((row) => row.channel)),
  textColumn(rows.map(({ acceptor }) => acceptor?.id ?? null)),
  textColumn(rows.map(({ acceptor }) => acceptor?.name ?? null)),
  textColumn(rows.map(({ acceptor }) => acceptor?.mcc ?? null)),
  textColumn(rows.map(({ acceptor }) => acceptor?.city ?? null)),
  textColumn(rows.map(({ acceptor }) => acceptor?.country ?? null)),
  column(rows.map((row) => row.declineReason)),
  column(rows.map((row) => row.networkCode)),
  textColumn(rows.map((row) => row.approvalCode)),
  column(rows.map((row) => row.fxFeeBps)),
  column(rows.map((row) => row.atmFeeMinor)),
  column(rows.map((row) => row.heldMinor)),
  column(rows.map((row) => row.clearedMinor)),
  column(rows.map((row) => row.fxClearedMinor)),
  column(rows.map((row) => row.final)),
  column(rows.map((row) => row.clearedAmountMinor)),
  column(rows.map((row) => row.clearedCurrency)),
  column(rows.map((row) => row.approvedOn)),
  textColumn(rows.map(({ counted }) => jsonOf(counted))),
  rareColumn(rows.map(({ authentication }) => authentication && jsonOf(authentication))),
  column(rows.map((row) => row.heldAmountMinor)),
  column(rows.map(({ type }) => (type === 'PURCHASE' ? null : type))),
  column(rows.map((row) => row.parentId)),
  rareColumn(rows.map(({ increments }) => (increments.length > 0 ? jsonOf(increments) : null))),
  rareColumn(
    rows.map(({ renewedAt, status }) => (status === 'PENDING' && renewedAt ? renewedAt.toISOString() : null)),
  ),
  rareColumn(rows.map((row) => (isLongHold(row) ? 'true' : null))),
  rareColumn(rows.map(({ holdEnd }) => holdEnd)),
  rareColumn(rows.map(({ advised }) => (advised ? 'true' : null))),
  rareColumn(rows.map(({ flags }) => (flags.length > 0 ? JSON.stringify(flags) : null))),
  rareColumn(rows.map(({ network }) => network && JSON.stringify(network))),
  rareColumn(rows.map(({ rules }) => rules && JSON.stringify(rules))),
  rareColumn(rows.map(({ cvvGiven }) => (cvvGiven ? 'true' : null))),
  column(rows.map((row) => row.id)),
  column(rows.map((row) => row.cardId)),
  column(rows.map((row) => row.credentialId)),
  column(rows.map((row) => row.kind)),
  textColumn(rows.map((row) => row.externalTransactionId)),
  column(rows.map((row) => row.billCurrency)),
  column(rows.map((row) => row.authorizationMode)),
  column(rows.map((row) => row.createdAt.toISOString())),
  listColumn(rows.map(({ id }) => eventIds.get(id) ?? [])),
];

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part));

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
 * Updates existing rows. Written as an insertion that conflicts with them, because it finds each row by its primary key,
 * whatever the planner estimates.
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

/** With the event of the change, which has the transaction's next place in its history. */
export function updateMetadata(
  tx: Tx,
  programId: string,
  { id, metadata }: Pick<TransactionRecord, 'id' | 'metadata'>,
  eventId: string,
): void {
  tx.send(
    {
      name: 'update_transaction_metadata',
      text: `update transactions set metadata = $3, event_ids = event_ids || $4::uuid
             where program_id = $1 and id = $2`,
    },
    [programId, id, metadata, eventId],
  );
}

/** One row for each pair of metadata, by which a filter finds the transactions that have it, newest first. */
export function updateLabels(
  tx: Tx,
  programId: string,
  transactionId: string,
  { added, removed }: MergedMetadata['labels'],
): void {
  if (added.length + removed.length === 0) return;
  tx.send(
    {
      name: 'update_transaction_labels',
      text: `with removed as (
               delete from transaction_labels where program_id = $1 and id = $2 and label = any ($3::text[]))
             insert into transaction_labels (program_id, id, label) select $1, $2, unnest($4::text[])`,
    },
    [programId, transactionId, removed, added],
  );
}

/**
 * Transactions before an id, oldest first, each with whether its days are counted from its beginning: it holds money, or is
 * a credit that waits for its refund.
 */
export const listHolds = (
  db: Queryable,
  programId: string,
  fromId: string,
  belowId: string,
  limit: number,
): Promise<Array<{ id: string; held: boolean; longHold: true | null }>> =>
  db.query(
    {
      name: 'list_holds',
      // Where nothing is due, nothing is read. The planner must not see the limit; see `lookedAt`.
      text: `select id, status = 'PENDING' and renewed_at is null as held, long_hold from transactions
             where program_id = $1 and id >= $2 and id < $3 order by id limit (select $4::int)`,
    },
    [programId, fromId, belowId, limit],
  );

/** Holds whose days began anew, the oldest first: with the time at which they began. */
export const listRenewedHolds = (
  db: Queryable,
  programId: string,
  isLong: boolean,
  limit: number,
): Promise<Array<{ id: string; renewedAt: Date }>> =>
  db.query(
    {
      name: 'list_renewed_holds',
      text: `select id, renewed_at from transactions
             where program_id = $1 and coalesce(long_hold, false) = $2 and renewed_at is not null
             order by renewed_at limit $3`,
    },
    [programId, isLong, limit],
  );

/** The id of the transaction `offset` positions after the first one from an id on. */
export async function findTransactionFrom(
  db: Queryable,
  programId: string,
  fromId: string,
  offset: number,
): Promise<string | undefined> {
  const rows = await db.query<{ id: string }>(
    {
      name: 'find_transaction_from',
      text: `select id from transactions where program_id = $1 and id >= $2 order by id offset $3::int limit 1`,
    },
    [programId, fromId, offset],
  );
  return rows[0]?.id;
}

/** The transactions of messages of any kind with this id, and the transaction with this id. */
export const findTransactionsOfMessage = (
  db: Queryable,
  programId: string,
  messageId: string,
  transactionId: string | null,
): Promise<Array<{ transactionId: string; cardId: string }>> =>
  db.query(
    {
      name: 'find_transactions_of_message',
      text: `select m.transaction_id, m.card_id
             from unnest('{transaction,increment,clearing,reversal}'::text[]) as wanted (kind)
             cross join lateral (
               select * from network_messages
               where program_id = $1 and kind = wanted.kind and message_id = $2 limit 1) m
             where m.transaction_id is not null and m.card_id is not null
             union
             select id, card_id from transactions where program_id = $1 and id = $3::uuid`,
    },
    [programId, messageId, transactionId],
  );

/** For a larger query: the id of the credential used for a transaction. Arguments are SQL. */
export const credentialOf = (program: string, transactionId: string): string =>
  `(select credential_id from transactions where program_id = ${program} and id = ${transactionId} limit 1)`;
