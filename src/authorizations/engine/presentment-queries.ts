import { column, textColumn, unnested } from '../../db/columns.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import type { PresentmentReference } from '../core/message.ts';
import type { Presentment } from '../core/presentment.ts';

const COLUMNS = `p.kind, p.message_id, p.transaction_id, p.card_id, p.amount_minor, p.currency, p.bill_minor,
  p.reversed_amount_minor, p.reversed_minor, p.final, p.interchange_bps, p.interchange_minor, p.arn, p.counted_on`;

export const findPresentments = (
  db: Queryable,
  programId: string,
  references: readonly PresentmentReference[],
): Promise<Presentment[]> =>
  db.query<Presentment>(
    {
      name: 'find_presentments',
      text: `select ${COLUMNS}
             from unnest($2::text[], $3::text[]) as wanted (kind, message_id)
             cross join lateral (
               select * from presentments
               where program_id = $1 and kind = wanted.kind and message_id = wanted.message_id limit 1) p`,
    },
    [programId, column(references.map(({ kind }) => kind)), references.map(({ messageId }) => messageId)],
  );

export function insertPresentments(tx: Tx, programId: string, rows: readonly Presentment[]): void {
  tx.send(
    {
      name: 'insert_presentments',
      text: `insert into presentments
               (program_id, kind, message_id, transaction_id, card_id, amount_minor, currency, bill_minor,
                reversed_amount_minor, reversed_minor, final, interchange_bps, interchange_minor, arn, counted_on)
             select $1, ${unnested(2, 'text text uuid uuid bigint text bigint bigint bigint boolean int bigint text date')}`,
    },
    [
      programId,
      column(rows.map((row) => row.kind)),
      rows.map((row) => row.messageId),
      column(rows.map((row) => row.transactionId)),
      column(rows.map((row) => row.cardId)),
      column(rows.map((row) => row.amountMinor)),
      column(rows.map((row) => row.currency)),
      column(rows.map((row) => row.billMinor)),
      column(rows.map((row) => row.reversedAmountMinor)),
      column(rows.map((row) => row.reversedMinor)),
      column(rows.map((row) => row.final)),
      column(rows.map((row) => row.interchangeBps)),
      column(rows.map((row) => row.interchangeMinor)),
      textColumn(rows.map((row) => row.arn)),
      column(rows.map((row) => row.countedOn)),
    ],
  );
}

/** False when another process has changed one of them meanwhile: no card is locked for those that are in suspense. */
export async function updatePresentments(
  tx: Tx,
  programId: string,
  changes: ReadonlyArray<{ before: Presentment; after: Presentment }>,
): Promise<boolean> {
  const rows = await tx.query(
    {
      name: 'update_presentments',
      text: `update presentments p
             set reversed_minor = n.reversed_minor, reversed_amount_minor = n.reversed_amount_minor
             from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
               as n (kind, message_id, reversed_minor, reversed_amount_minor, before_minor)
             where p.program_id = $1 and p.kind = n.kind and p.message_id = n.message_id
               and p.message_id = any ($3::text[]) and p.reversed_minor = n.before_minor
             returning p.kind`,
    },
    [
      programId,
      column(changes.map(({ after }) => after.kind)),
      changes.map(({ after }) => after.messageId),
      column(changes.map(({ after }) => after.reversedMinor)),
      column(changes.map(({ after }) => after.reversedAmountMinor)),
      column(changes.map(({ before }) => before.reversedMinor)),
    ],
  );
  return rows.length === changes.length;
}

/** The clearings with these references of their acquirers. */
export const findByArn = (tx: Tx, programId: string, arns: readonly string[]): Promise<Presentment[]> =>
  tx.query(
    {
      name: 'find_presentments_by_arn',
      text: `select ${COLUMNS}
             from unnest($2::text[]) as wanted (arn)
             cross join lateral (
               select * from presentments
               where program_id = $1 and arn = wanted.arn and kind = 'clearing' limit 100) p`,
    },
    [programId, arns],
  );

/** For a larger query: the acquirer's reference of a clearing or refund, which never changes. Arguments are SQL. */
export const arnOf = (program: string, kind: string, messageId: string): string =>
  `(select arn from presentments
    where program_id = ${program} and kind = ${kind} and message_id = ${messageId} limit 1)`;
