import { column, listColumn } from '../../db/columns.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import { ACCOUNTS } from '../../ledger/accounts.ts';
import type { CardFacts } from '../rules/card-facts.ts';
import type { Message } from '../rules/message.ts';
import type { Spending } from '../rules/spending.ts';

export type MessageKind = Exclude<Message['kind'], 'expiry'>;

/** Repeats of a message are found by its record. Digest and response are null until an expected message arrives. */
export interface MessageRecord {
  kind: MessageKind;
  messageId: string;
  transactionId: string | null;
  cardId: string | null;
  requestDigest: Buffer | null;
  response: string | null;
}

type Counters = Spending & { cardId: string; eventSequence: number; wrongCvvs: number; wrongEntries: Date[] };

/**
 * Locks cards in order of their ids, so that no two batches can wait for each other. With `skipBusy`, cards that
 * another transaction has locked are left out instead of waited for.
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

/** Read after the lock, in a statement of its own: it must see what the last transaction under the lock wrote. */
export const readCards = (
  tx: Tx,
  programId: string,
  cardIds: readonly string[],
): Promise<Array<Omit<CardFacts, keyof Counters> & { cardId: string }>> =>
  tx.query(
    {
      name: 'read_card_facts',
      text: `select c.id as "cardId", c.card_type as "cardType", c.design_id as "designId", c.credential_id as "credentialId", r.number_id as "numberId", c.status,
                    c.status_reason as "statusReason", c.reason_code as "reasonCode", r.last_four as "lastFour", r.expiry_date as "expiryDate",
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
): Promise<MessageRecord[]> =>
  db.query<MessageRecord>(
    {
      name: 'find_network_messages',
      text: `select m.kind, m.message_id as "messageId", m.transaction_id as "transactionId", m.card_id as "cardId",
                    m.request_digest as "requestDigest", m.response
             from unnest($2::text[], $3::text[]) as wanted (kind, message_id)
             cross join lateral (
               select * from network_messages
               where program_id = $1 and kind = wanted.kind and message_id = wanted.message_id limit 1) m`,
    },
    [programId, column(kinds), messageIds],
  );

export function insertMessages(
  tx: Tx,
  programId: string,
  rows: readonly MessageRecord[],
  createdAt: Date,
): void {
  tx.send(
    {
      name: 'insert_network_messages',
      text: `insert into network_messages
               (program_id, kind, message_id, transaction_id, card_id, request_digest, response, created_at)
             select $1, kind, message_id, transaction_id, card_id, request_digest, response, $8
             from unnest($2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::bytea[], $7::text[])
               as message (kind, message_id, transaction_id, card_id, request_digest, response)`,
    },
    [
      programId,
      column(rows.map((row) => row.kind)),
      rows.map((row) => row.messageId),
      column(rows.map((row) => row.transactionId)),
      column(rows.map((row) => row.cardId)),
      rows.map((row) => row.requestDigest),
      rows.map((row) => row.response),
      createdAt,
    ],
  );
}

/** Fills the record of a message that was expected; false when another process filled it meanwhile. */
export async function fillMessage(tx: Tx, programId: string, record: MessageRecord): Promise<boolean> {
  const rows = await tx.query(
    {
      name: 'fill_network_message',
      text: `update network_messages
             set transaction_id = $4, card_id = $5, request_digest = $6, response = $7
             where program_id = $1 and kind = $2 and message_id = $3
               and (request_digest is null or request_digest = $6)
               and (transaction_id is null or transaction_id = $4)
             returning kind`,
    },
    [
      programId,
      record.kind,
      record.messageId,
      record.transactionId,
      record.cardId,
      record.requestDigest,
      record.response,
    ],
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
