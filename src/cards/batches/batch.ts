import { formatTimestamp } from '../../kernel/calendar.ts';
import { maskCardNumbers } from '../../kernel/card-numbers.ts';
import { EmbossError, fieldOf } from '../../kernel/error.ts';
import type { PresentedCard } from '../card.ts';

export const MOST_ROWS = 1_000;
/** Of one program. */
export const MOST_OPEN = 10;

export const ROW_STATUSES = ['PENDING', 'CREATED', 'FAILED'] as const;
export type RowStatus = (typeof ROW_STATUSES)[number];

/** Who sent the batch: its cards are created in this name. */
export interface Sender {
  id: string;
  name: string;
  address: string | null;
  requestId: string | null;
}

/** A batch with the number of its rows that have ended. */
export interface CardBatch {
  programId: string;
  id: string;
  total: number;
  created: number;
  failed: number;
  createdAt: Date;
  completedAt: Date | null;
}

export interface BatchRow {
  id: string;
  rowIndex: number;
  status: RowStatus;
  cardId: string | null;
  error: RowError | null;
}

/** The error that a single creation would have returned. */
export interface RowError {
  code: number;
  message: string;
  field: string | null;
}

/** An unexpected error is in the log. */
export function rowErrorOf(error: unknown): RowError {
  if (!(error instanceof EmbossError)) return { code: 500, message: 'Internal error', field: null };
  return { code: error.code, message: maskCardNumbers(error.message), field: fieldOf(error) };
}

export const presentBatch = ({ id, total, created, failed, createdAt, completedAt }: CardBatch) => ({
  ...{ id, status: completedAt ? ('COMPLETED' as const) : ('PROCESSING' as const), total, created, failed },
  createdAt: formatTimestamp(createdAt),
  completedAt: completedAt && formatTimestamp(completedAt),
});
export type PresentedBatch = ReturnType<typeof presentBatch>;

export const presentRow = ({ id, rowIndex, status, error }: BatchRow, card: PresentedCard | null) => ({
  ...{ id, index: rowIndex, status, card, error },
});
