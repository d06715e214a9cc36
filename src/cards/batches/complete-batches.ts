import type { Database } from '../../db/database.ts';
import { recordEvents } from '../../events/journal.ts';
import { newId } from '../../kernel/ids.ts';
import { programNow } from '../../programs/program.ts';
import { readProgram } from '../../programs/queries.ts';
import { presentBatch } from './batch.ts';
import { completeBatches } from './queries.ts';

/** Completes the batches of a program whose rows have all ended, each with its event. */
export async function completeDone(db: Database, programId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { program, realNowMs } = await readProgram(tx, programId);
    const nowMs = programNow(program, realNowMs);
    const done = await completeBatches(tx, programId, new Date(nowMs));
    const events = done.map((batch) => ({
      id: newId(nowMs),
      eventType: 'card_batch' as const,
      eventName: 'card_batch.completed' as const,
      data: presentBatch(batch),
    }));
    if (events.length > 0) recordEvents(tx, programId, events, nowMs);
  });
}
