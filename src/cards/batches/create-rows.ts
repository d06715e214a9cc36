import pLimit from 'p-limit';
import type { Job, Turn } from '../../jobs/job.ts';
import { programJob } from '../../jobs/program-job.ts';
import { MS_PER_DAY } from '../../kernel/calendar.ts';
import { EmbossError } from '../../kernel/error.ts';
import type { Counter } from '../../kernel/metric.ts';
import { createActor } from '../../programs/actor.ts';
import { readProgram } from '../../programs/queries.ts';
import { type CreateCardServices, createCard } from '../create-card.ts';
import { rowErrorOf } from './batch.ts';
import { completeDone } from './complete-batches.ts';
import { endRow, listPendingRows, type PendingRow } from './queries.ts';
import { openRow } from './seal-row.ts';

type Outcome = 'created' | 'failed';

export const BATCH_ROWS: Counter<{ outcome: Outcome }> = {
  type: 'counter',
  name: 'emboss_card_batch_rows_total',
  help: 'Rows of card batches that ended, by outcome: created or failed.',
  labels: { outcome: ['created', 'failed'] },
};

export interface RowServices extends CreateCardServices {
  onRow?: (outcome: Outcome) => void;
  /** Gets what no client is told. */
  onError?: (error: unknown) => void;
}

/** Each holds a connection while it writes: half of the usual pool is left to requests. Programs take turns of seconds. */
const ROWS_AT_ONCE = 10;
const PROGRAMS_AT_ONCE = 1;
const ROWS_READ = 64;

/** Creates the cards of batches. Programs take turns, and a worker leases a program for a turn. */
export const cardBatches = (services: RowServices): Job =>
  programJob(
    services.db,
    'card-batches',
    { everyMs: 500, atOnce: PROGRAMS_AT_ONCE },
    async (programId, turn, nowMs) => {
      while (mayGoOn(turn)) {
        const rows = await listPendingRows(services.db, programId, ROWS_READ);
        await createRows(services, programId, rows, turn);
        await completeDone(services.db, programId);
        if (rows.length < ROWS_READ && mayGoOn(turn)) return nowMs + MS_PER_DAY;
      }
      return nowMs;
    },
  );

const mayGoOn = ({ isStopping, deadline }: Turn): boolean => !isStopping() && performance.now() < deadline;

/** Throws the first failure when no row is in progress any more. */
async function createRows(
  services: RowServices,
  programId: string,
  rows: readonly PendingRow[],
  turn: Turn,
): Promise<void> {
  if (rows.length === 0) return;
  const { program, realNowMs } = await readProgram(services.db, programId);
  const limit = pLimit(ROWS_AT_ONCE);
  const failures: unknown[] = [];
  const create = async (row: PendingRow) => {
    if (failures.length > 0 || !mayGoOn(turn)) return;
    try {
      const actor = createActor(row.sender, program, () => realNowMs);
      const outcome = await createRow(services, row, actor);
      if (outcome) services.onRow?.(outcome);
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(rows.map((row) => limit(create, row)));
  if (failures.length > 0) throw failures[0];
}

/** Undefined: another worker ended the row. */
async function createRow(
  services: RowServices,
  row: PendingRow,
  actor: ReturnType<typeof createActor>,
): Promise<Outcome | undefined> {
  const hasEnded = new Error('the row has ended');
  try {
    const body = await openRow(services, row);
    await createCard(services, actor, body, async (tx, card) => {
      if (!(await endRow(tx, row, { status: 'CREATED', cardId: (card as { id: string }).id })))
        throw hasEnded;
    });
    return 'created';
  } catch (error) {
    if (error === hasEnded) return undefined;
    // The database is unavailable or its answer was lost: the row is tried again.
    if (error instanceof EmbossError && error.httpStatus === 503) throw error;
    if (!(error instanceof EmbossError) || error.httpStatus >= 500) services.onError?.(error);
    return (await endRow(services.db, row, { status: 'FAILED', error: rowErrorOf(error) }))
      ? 'failed'
      : undefined;
  }
}
