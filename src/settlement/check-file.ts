import { holdsNumberOf } from '../kernel/card-numbers.ts';
import { currencyDigits } from '../kernel/currencies.ts';
import { formatAmount, parseAmount } from '../kernel/money.ts';
import type { Program } from '../programs/program.ts';
import { type ClearingFile, MOST_RECORDS, type Tally } from './clearing-file.ts';
import type { ReadRecord } from './read-records.ts';
import { isDebit, type RecordMessages } from './record.ts';
import type { FileRecord, HeaderRecord, TrailerRecord } from './record-schema.ts';
import { rejection, rejectionAt } from './rejection.ts';

export interface FileCheck {
  /** Throws a rejection. */
  accept(read: ReadRecord): void;
  /** At the end of the file. */
  finish(): void;
  tally(): Tally;
  /** The trailer has been read: only the end of the file may follow. */
  isEnding(): boolean;
}

/** The names of a file are stored and shown, so none may contain a card number of the program. */
const STORED = ['network_id', 'reverses', 'external_transaction_id', 'card_id', 'case_id'] as const;

/** Checks a file record by record, from the state that an earlier part of the check left. Pure. */
export function createCheck(
  { program, messages }: { program: Program; messages: RecordMessages },
  file: Pick<ClearingFile, 'fileId' | 'settlementDate' | 'position' | 'tally'>,
): FileCheck {
  const { currency } = program;
  let { records, debitMinor, creditMinor } = file.tally;
  let hasHeader = file.position.bytes > 0;
  let hasTrailer = false;
  let { line: lastLine } = file.position;

  function acceptHeader(line: number, header: HeaderRecord): void {
    const wanted = { file_id: file.fileId, settlement_date: file.settlementDate };
    for (const [field, value] of Object.entries(wanted))
      if (header[field as keyof typeof wanted] !== value)
        throw rejection(line, field, 'must be the same as in the query');
    if (header.currency !== currency)
      throw rejection(line, 'currency', `must be the currency of the program, ${currency}`);
  }

  function acceptRecord(line: number, record: FileRecord): void {
    if (records === MOST_RECORDS) throw rejection(line, null, `must be at most record ${MOST_RECORDS}`);
    for (const field of STORED)
      if (holdsNumberOf(program.bin, record[field] ?? ''))
        throw rejection(line, field, 'must not contain a card number');
    try {
      messages.check(program, record);
    } catch (error) {
      throw rejectionAt(line, error);
    }
    records++;
    // The message has been read, so it is an amount.
    const billMinor = parseAmount(record.bill_amount, currency) as bigint;
    if (isDebit(record)) debitMinor += billMinor;
    else creditMinor += billMinor;
  }

  function acceptTrailer(line: number, { count, debit_total, credit_total }: TrailerRecord): void {
    if (count !== records) throw rejection(line, 'count', `must be ${records}, the number of records`);
    const sums = [
      ['debit_total', debit_total, debitMinor],
      ['credit_total', credit_total, creditMinor],
    ] as const;
    for (const [field, given, sumMinor] of sums) {
      const minor = parseAmount(given, currency);
      if (minor === undefined)
        throw rejection(line, field, `must have at most ${currencyDigits(currency)} decimals in ${currency}`);
      if (minor !== sumMinor)
        throw rejection(line, field, `must be ${formatAmount(sumMinor, currency)}, the sum of the records`);
    }
  }

  return {
    accept(read) {
      const { line, kind } = read;
      lastLine = read.end.line;
      if (hasTrailer) throw rejection(line, 'record_type', 'nothing may follow the trailer');
      if (kind === 'header' && hasHeader) throw rejection(line, 'record_type', 'must not be a second header');
      if (kind !== 'header' && !hasHeader) throw rejection(line, 'record_type', 'must be header');
      if (kind === 'header') acceptHeader(line, read.header);
      else if (kind === 'trailer') acceptTrailer(line, read.trailer);
      else acceptRecord(line, read.record);
      hasHeader = true;
      hasTrailer = kind === 'trailer';
    },
    finish() {
      if (!hasTrailer)
        throw rejection(lastLine + 1, 'record_type', `must be ${hasHeader ? 'trailer' : 'header'}`);
    },
    tally: () => ({ records, debitMinor, creditMinor }),
    isEnding: () => hasTrailer,
  };
}
