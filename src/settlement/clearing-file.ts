import { formatTimestamp } from '../kernel/calendar.ts';
import { formatAmount } from '../kernel/money.ts';
import type { Rejection } from './rejection.ts';

export const FILE_STATUSES = ['RECEIVED', 'PROCESSING', 'COMPLETED', 'REJECTED'] as const;
export type FileStatus = (typeof FILE_STATUSES)[number];

export const FILE_FORMATS = { 'application/x-ndjson': 'ndjson', 'text/csv': 'csv' } as const;
export type FileFormat = (typeof FILE_FORMATS)[keyof typeof FILE_FORMATS];

export const MOST_BYTES = 1024 ** 3;
export const MOST_RECORDS = 5_000_000;
/** Of one program: files that have not ended. */
export const MOST_OPEN = 20;
/** Of one program, in one process. */
export const MOST_UPLOADS = 2;

/**
 * What became of a record. `MATCHED`: its message had come before. `BOOKED`: it had not. `DIFFERENT`: its id had come with
 * other values. `NOT_BOOKED`: the engine refused it.
 */
export const OUTCOMES = ['MATCHED', 'BOOKED', 'DIFFERENT', 'NOT_BOOKED'] as const;
export type Outcome = (typeof OUTCOMES)[number];
export type OutcomeCounts = Record<Outcome, number>;

/** Where the reading of a file goes on: the bytes and lines before it. */
export interface Position {
  bytes: number;
  line: number;
}

/** What the records before a position add up to. */
export interface Tally {
  records: number;
  debitMinor: bigint;
  creditMinor: bigint;
}

export interface ClearingFile {
  programId: string;
  id: string;
  fileId: string;
  settlementDate: string;
  isLast: boolean;
  format: FileFormat;
  digest: Buffer;
  storageKey: string | null;
  status: FileStatus;
  isChecked: boolean;
  position: Position;
  tally: Tally;
  outcomes: OutcomeCounts;
  rejected: Rejection | null;
  createdAt: Date;
  endedAt: Date | null;
}

export function presentFile(file: ClearingFile, currency: string) {
  const { tally, endedAt } = file;
  const isCounted = file.isChecked;
  return {
    file_id: file.fileId,
    settlement_date: file.settlementDate,
    last: file.isLast,
    status: file.status,
    records: isCounted ? tally.records : null,
    totals: isCounted
      ? {
          debit_total: formatAmount(tally.debitMinor, currency),
          credit_total: formatAmount(tally.creditMinor, currency),
          currency,
        }
      : null,
    outcomes: file.outcomes,
    rejected: file.rejected,
    created: formatTimestamp(file.createdAt),
    ended: endedAt && formatTimestamp(endedAt),
  };
}
export type PresentedFile = ReturnType<typeof presentFile>;
