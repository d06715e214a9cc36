import { bytesColumn, column, rareColumn, textColumn, unnested } from '../../db/columns.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import type { Early } from '../core/early.ts';
import type { InternalRequest, Message } from '../core/message.ts';

/** Purchases and refunds share one space of ids: an id names one transaction. */
export type RecordKind = 'transaction' | 'advice' | 'increment' | 'reversal' | 'clearing';

export const recordKind = (kind: Exclude<Message['kind'], InternalRequest['kind']>): RecordKind =>
  kind === 'authorization' || kind === 'refund' ? 'transaction' : kind;

/** Repeats of a message are found by its record. Digest and response are null until an expected message arrives. */
export interface MessageRecord {
  kind: RecordKind;
  messageId: string;
  transactionId: string | null;
  cardId: string | null;
  requestDigest: Buffer | null;
  response: string | null;
  /** What came before the authorization. */
  early: Early | null;
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
      text: `select m.kind, m.message_id, m.transaction_id, m.card_id, m.request_digest, m.response, m.early
             from unnest($2::text[], $3::text[]) as wanted (kind, message_id)
             cross join lateral (
               select * from network_messages
               where program_id = $1 and kind = wanted.kind and message_id = wanted.message_id limit 1) m`,
    },
    [programId, column(kinds), textColumn(messageIds)],
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
               (program_id, kind, message_id, transaction_id, card_id, request_digest, response, early, created_at)
             select $1, ${unnested(2, 'text text uuid uuid bytea text jsonb')}, $9`,
    },
    [
      programId,
      column(rows.map((row) => row.kind)),
      textColumn(rows.map((row) => row.messageId)),
      column(rows.map((row) => row.transactionId)),
      column(rows.map((row) => row.cardId)),
      bytesColumn(rows.map((row) => row.requestDigest)),
      textColumn(rows.map((row) => row.response)),
      rareColumn(rows.map((row) => row.early && JSON.stringify(row.early))),
      createdAt,
    ],
  );
}

/** Fills the record of a message that was expected; false when another process filled it meanwhile. */
export async function fillMessage(
  tx: Tx,
  programId: string,
  before: MessageRecord,
  record: MessageRecord,
): Promise<boolean> {
  const rows = await tx.query(
    {
      name: 'fill_network_message',
      text: `update network_messages
             set transaction_id = $4, card_id = $5, request_digest = $6, response = $7, early = $8
             where program_id = $1 and kind = $2 and message_id = $3
               and (request_digest is null or request_digest = $6)
               and (transaction_id is null or transaction_id = $4)
               and early is not distinct from $9::jsonb
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
      record.early && JSON.stringify(record.early),
      before.early && JSON.stringify(before.early),
    ],
  );
  return rows.length === 1;
}
