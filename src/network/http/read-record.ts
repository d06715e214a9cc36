import type {
  ClearingRequest,
  Content,
  RefundRequest,
  ReversalRequest,
} from '../../authorizations/core/message.ts';
import type { MerchantBody } from '../../cards/network-schema.ts';
import { findCard } from '../../cards/queries.ts';
import type { Queryable } from '../../db/database.ts';
import { invalid } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import type { Metrics } from '../../kernel/metric.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { Program } from '../../programs/program.ts';
import type { Vault } from '../../vault/vault.ts';
import { readMoney, readOrigin, readPart } from './read-fields.ts';
import { clearingOf, findPresentedCard, type Reading, readReversal, refundOf } from './read-message.ts';
import { interchangeOf, UNKNOWN_WORDS } from './read-message-data.ts';

/** A record of a clearing file: what the network API takes, under the names of the file. */
interface FileRecord {
  record_type: 'clearing' | 'refund' | 'clearing_reversal' | 'refund_reversal';
  network_id: string;
  reverses?: string | undefined;
  external_transaction_id?: string | undefined;
  card_number?: string | undefined;
  card_id?: string | undefined;
  amount: string;
  currency: string;
  bill_amount: string;
  bill_currency: string;
  interchange_amount?: string | null;
  retrieval_reference?: string;
  arn?: string;
  final?: boolean | undefined;
  merchant?: MerchantBody | undefined;
}

/** The card of a record, as the message names it, and its number. */
interface Named {
  card: ClearingRequest['card'];
  number: Secret | undefined;
}

/** Converts the records of clearing files into the messages that the network API makes of the same fields. */
export function createRecordMessages({
  db,
  vault,
  metrics,
}: {
  db: Queryable;
  vault: Vault;
  metrics: Metrics;
}) {
  return {
    check: checkRecord,
    read: async (
      program: Program,
      record: FileRecord,
      settlementDate: string,
      number: Secret | undefined,
    ) => {
      const onUnknown = (field: string) => metrics.count(UNKNOWN_WORDS, { field });
      const reading: Reading = { vault, program, onUnknown };
      const card =
        record.card_id === undefined
          ? await findPresentedCard(reading, number)
          : await findNamedCard(db, program.id, record.card_id);
      return messageOf(reading, record, settlementDate, { card, number });
    },
  };
}

/** Throws what the readers below would throw, at a tenth of their price: a file may have millions of records. */
function checkRecord({ currency }: Pick<Program, 'currency'>, record: FileRecord): void {
  const isRefund = record.record_type === 'refund';
  if (!isRefund && record.record_type !== 'clearing') {
    readPart(record, currency);
    return;
  }
  const { billAmountMinor } = readMoney(record, currency);
  interchangeOf(record, currency);
  if (!isRefund) return;
  requireNamed(record);
  if (billAmountMinor === 0n) throw invalid('bill_amount', 'must be greater than 0');
}

function requireNamed({ external_transaction_id, card_number, card_id }: FileRecord): void {
  if ((external_transaction_id ?? card_number ?? card_id) === undefined)
    throw invalid('card_number', 'is required without external_transaction_id');
}

const findNamedCard = async (db: Queryable, programId: string, cardId: string): Promise<Named['card']> =>
  isId(cardId) && (await findCard(db, programId, cardId)) ? { cardId, numberId: undefined } : 'unknown';

function messageOf(
  reading: Reading,
  record: FileRecord,
  settlementDate: string,
  named: Named,
): ClearingRequest | RefundRequest | ReversalRequest {
  switch (record.record_type) {
    case 'clearing':
      return clearingIn(reading, record, settlementDate, named);
    case 'refund':
      return refundIn(reading, record, settlementDate, named);
    case 'clearing_reversal':
    case 'refund_reversal':
      return reversalIn(reading, record);
  }
}

function clearingIn(
  reading: Reading,
  record: FileRecord,
  settlement_date: string,
  { card, number }: Named,
): ClearingRequest {
  const { network_id: messageId, external_transaction_id: externalTransactionId = '', final } = record;
  const as = (isFinal: boolean): ClearingRequest => ({
    ...clearingOf(
      reading,
      { ...record, settlement_date, final: isFinal },
      { externalTransactionId },
      card,
      number,
    ),
    ...{ messageId, ...readOrigin(reading.program.bin, record) },
  });
  // A file need not say whether a clearing is the last one of its purchase.
  return final === undefined ? orAs(as(true), as(false)) : as(final);
}

function refundIn(
  reading: Reading,
  record: FileRecord,
  settlement_date: string,
  { card, number }: Named,
): RefundRequest {
  const { network_id: messageId, external_transaction_id: externalTransactionId } = record;
  requireNamed(record);
  const purchase = externalTransactionId === undefined ? undefined : { externalTransactionId };
  return {
    ...refundOf(reading, { ...record, settlement_date }, purchase, card, number),
    ...{ messageId, ...readOrigin(reading.program.bin, record) },
  };
}

function reversalIn(reading: Reading, record: FileRecord): ReversalRequest {
  const { network_id: reversal_id, amount, currency, bill_amount, bill_currency } = record;
  const named = record.record_type === 'clearing_reversal' ? 'clearing_id' : 'refund_id';
  const reversal = { reversal_id, [named]: record.reverses };
  const part = readReversal(reading, { ...reversal, amount, currency, bill_amount, bill_currency });
  // A message that takes back all of it needs no amounts.
  return orAs(part, readReversal(reading, reversal));
}

/** A message that is also a repeat of one that says the same in other words. */
const orAs = <M extends { content: Content }>(message: M, other: M): M => ({
  ...message,
  content: {
    digest: message.content.digest,
    matches: (stored) => message.content.matches(stored) || other.content.matches(stored),
  },
});
