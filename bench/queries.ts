import type { Queryable, Tx } from '../src/db/database.ts';
import { ACCOUNTS } from '../src/ledger/accounts.ts';

/** Many cards as columns, lists of one length: what `unnest` turns into rows. */
export interface CardColumns {
  ids: string[];
  credentialIds: string[];
  cardholderIds: string[];
  createdMs: number[];
  lastFours: string[];
}

export interface FillConstants {
  programId: string;
  designId: string;
  currency: string;
  expiryDate: string;
}

/** For this transaction only: what is filled in refers to nothing but itself and the program's own rows. */
export async function skipForeignKeyChecks(tx: Tx): Promise<void> {
  // Only the login itself may, not the role that transactions run as.
  await tx.query({ text: 'set local role none' });
  await tx.query({ text: 'set local session_replication_role = replica' });
}

export async function insertCards(tx: Tx, of: FillConstants, cards: CardColumns): Promise<void> {
  await tx.query(
    {
      name: 'fill_cards',
      text: `with card as (
             insert into cards (program_id, id, cardholder_id, customer_type, card_type, design_id, currency, status,
                                credential_id, last_four, expiry_event_due, spend_limit_minor, created_at)
             select $1, id, cardholder_id, 'Consumer', 'virtual', $2, $3, 'ACTIVE', credential_id, last_four,
                    (to_timestamp(created_ms / 1000) + interval '3 years')::date, 25000,
                    to_timestamp(created_ms / 1000)
             from unnest($4::uuid[], $5::uuid[], $6::float8[], $7::uuid[], $8::text[])
               as card (id, credential_id, created_ms, cardholder_id, last_four)
             returning program_id, id, cardholder_id)
             insert into customers (program_id, id, cardholder_id) select program_id, id, cardholder_id from card
             order by id on conflict do nothing`,
    },
    [
      ...[of.programId, of.designId, of.currency, cards.ids, cards.credentialIds, cards.createdMs],
      ...[cards.cardholderIds, cards.lastFours],
    ],
  );
}

/** The row that a card is locked by, and its account with the opening balance. */
export async function insertCardAccounts(tx: Tx, of: FillConstants, cards: CardColumns): Promise<void> {
  await tx.query(
    {
      name: 'fill_card_accounts',
      text: `with counters as (
               insert into card_counters (program_id, card_id, event_sequence, day)
               select $1, id, 1, (to_timestamp(created_ms / 1000) at time zone 'utc')::date
               from unnest($2::uuid[], $3::float8[]) as card (id, created_ms)),
             transfers as (
               insert into ledger_transfers (program_id, id, movement_id, code, debit_account_id, credit_account_id,
                                             amount_minor, created_at)
               select $1, id, id, 'opening_balance', $4, id, 25000, to_timestamp(created_ms / 1000)
               from unnest($2::uuid[], $3::float8[]) as card (id, created_ms))
             insert into ledger_accounts (program_id, id, balance_minor)
             select $1, id, 25000 from unnest($2::uuid[]) as card (id)`,
    },
    [of.programId, cards.ids, cards.createdMs, ACCOUNTS.credit],
  );
}

/** The other side of the opening balances, once for all cards of a fill. */
export async function addToCreditAccount(tx: Tx, programId: string, count: number): Promise<void> {
  await tx.query(
    {
      text: 'update ledger_accounts set balance_minor = balance_minor - $3 where program_id = $1 and id = $2',
    },
    [programId, ACCOUNTS.credit, 25_000 * count],
  );
}

export async function insertCredentials(tx: Tx, of: FillConstants, cards: CardColumns): Promise<void> {
  await tx.query(
    {
      name: 'fill_credentials',
      text: `insert into credentials (program_id, id, card_id, number_id, last_four, expiry_date, cvv_key_id, cvv_salt,
                                      created_at)
             select $1, credential_id, id, credential_id, last_four, $2, 1, 0, to_timestamp(created_ms / 1000)
             from unnest($3::uuid[], $4::uuid[], $5::float8[], $6::text[])
               as card (id, credential_id, created_ms, last_four)`,
    },
    [of.programId, of.expiryDate, cards.ids, cards.credentialIds, cards.createdMs, cards.lastFours],
  );
}

/**
 * The holder record and the application of each card, sealed by the vault. Real cards have one more record, their number;
 * here those are bytes of the usual length, so that table and index have their real size.
 */
export async function insertVaultRecords(
  tx: Tx,
  programId: string,
  ids: string[],
  seals: Record<'holder' | 'application', Buffer[]>,
): Promise<void> {
  await tx.query(
    {
      name: 'fill_vault_records',
      text: `insert into vault_records (program_id, owner_id, kind, id, sealed)
             select $1, id, kind, id,
                    case kind when 'holder' then holder when 'application' then application
                              else decode(repeat('5a', 48), 'hex') end
             from unnest($2::uuid[], $3::bytea[], $4::bytea[]) as record (id, holder, application),
                  (values ('application'), ('holder'), ('number')) as part (kind)`,
    },
    [programId, ids, seals.holder, seals.application],
  );
}

export interface FilledCard {
  id: string;
  numberId: string;
  expiryDate: string;
}

export const listFilledCards = (db: Queryable, programId: string): Promise<FilledCard[]> =>
  db.query<FilledCard>(
    {
      text: `select c.id, r.number_id, r.expiry_date
             from cards c join credentials r on r.program_id = c.program_id and r.id = c.credential_id
             where c.program_id = $1 order by c.id`,
    },
    [programId],
  );

/** A card that can pay for a whole measurement. Written directly, without transfers. */
export async function setBalance(
  db: Queryable,
  programId: string,
  cardId: string,
  balanceMinor: bigint,
): Promise<void> {
  await db.query(
    { text: 'update ledger_accounts set balance_minor = $3 where program_id = $1 and id = $2' },
    [programId, cardId, balanceMinor],
  );
}

export async function setAuthorizationMode(db: Queryable, programId: string, mode: string): Promise<void> {
  await db.query({ text: 'update programs set authorization_mode = $2 where id = $1' }, [programId, mode]);
}

/** A fill writes rows of the past, which the server may have counted already. */
export async function forgetMilestones(db: Queryable): Promise<void> {
  await db.query({ text: 'delete from list_milestones' });
}

/** What autovacuum would do within the hour, done before anything is timed. */
export async function vacuumAll(db: Queryable): Promise<void> {
  await db.query({ text: 'vacuum analyze', timeoutMs: 900_000 });
}

/** Then PostgreSQL reuses files of its log, as in an older database; creating one delays a commit by 100 ms. */
export async function recycleLog(db: Queryable): Promise<void> {
  await db.query({ text: 'checkpoint', timeoutMs: 900_000 });
}

/** Events that are due for some endpoints, all at once. */
export async function fillDeliveries(
  db: Queryable,
  programId: string,
  endpointIds: readonly string[],
  count: number,
): Promise<void> {
  await db.query(
    {
      text: `with event as (
               insert into events (program_id, id, event_type, event_name, card_id, card_sequence, data, created_at)
               select $1, gen_random_uuid(), 'transaction', 'authorization', $1, n,
                      jsonb_build_object('filler', repeat('x', 450)), now()
               from generate_series(1, $3::int) n
               returning id)
             insert into webhook_deliveries (program_id, endpoint_id, event_id, status, due_at)
             select $1, endpoint_id, event.id, 'PENDING', now() from event, unnest($2::uuid[]) as endpoint_id`,
    },
    [programId, endpointIds, count],
  );
}

export async function switchEndpoints(
  db: Queryable,
  programId: string,
  status: 'ENABLED' | 'DISABLED',
): Promise<void> {
  await db.query({ text: 'update webhook_endpoints set status = $2 where program_id = $1' }, [
    programId,
    status,
  ]);
}

export async function isUndelivered(db: Queryable, programId: string, endpointId: string): Promise<boolean> {
  const rows = await db.query(
    {
      text: `select from webhook_deliveries
             where program_id = $1 and endpoint_id = $2 and due_at is not null limit 1`,
    },
    [programId, endpointId],
  );
  return rows.length > 0;
}

/** The fill's transactions name their card where a credential should be: now there is one by that name. */
export async function nameCredentials(db: Queryable, programId: string): Promise<void> {
  await db.query(
    {
      text: `insert into credentials (program_id, id, card_id, number_id, last_four, expiry_date, cvv_key_id, cvv_salt,
                                      created_at)
             select c.program_id, c.id, c.id, r.number_id, r.last_four, r.expiry_date, r.cvv_key_id, r.cvv_salt, r.created_at
             from cards c join credentials r on r.program_id = c.program_id and r.id = c.credential_id
             where c.program_id = $1`,
      timeoutMs: 120_000,
    },
    [programId],
  );
}

/** As if its file had expired and was requested again. */
export async function reopenReports(db: Queryable, programId: string): Promise<void> {
  await db.query(
    { text: `update reports set status = 'pending', leased_until = null where program_id = $1` },
    [programId],
  );
}

/** The process of PostgreSQL that serves us at the moment. */
export async function findBackend(db: Queryable): Promise<number> {
  const rows = await db.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' });
  return rows[0]?.pid as number;
}

/** The position in the write-ahead log, for differences. */
export async function findWalBytes(db: Queryable): Promise<number> {
  const rows = await db.query<{ bytes: number }>({
    text: `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`,
  });
  return rows[0]?.bytes as number;
}

export async function switchAutovacuum(db: Queryable, to: 'on' | 'off'): Promise<void> {
  await db.query({ text: `alter system set autovacuum = ${to}` });
  await db.query({ text: 'select pg_reload_conf()' });
}

/** How much later than its end the newest hold of a program was released that has expired; undefined if none has. */
export async function findLatestExpiry(
  db: Queryable,
  programId: string,
  holdMs: number,
): Promise<number | undefined> {
  const rows = await db.query<{ lateMs: number }>(
    {
      text: `select extract(epoch from e.created_at - t.created_at)::float8 * 1000 - $2::float8 as "lateMs"
           from events e join transactions t
             on t.program_id = $1 and t.id = (e.data->>'transaction_id')::uuid
           where e.program_id = $1 and e.event_name = 'authorization.expired' order by e.id desc limit 1`,
    },
    [programId, holdMs],
  );
  return rows[0]?.lateMs;
}
