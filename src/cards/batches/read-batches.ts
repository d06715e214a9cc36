import type { Database } from '../../db/database.ts';
import { notFound } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import type { PageRequest } from '../../lists/find-page.ts';
import { readPage } from '../../lists/read-page.ts';
import { type Actor, listClock } from '../../programs/actor.ts';
import { type PresentedBatch, presentBatch } from './batch.ts';
import { BATCH_LIST, findBatch, listBatches } from './queries.ts';

export async function retrieveBatch(db: Database, actor: Actor, id: string): Promise<PresentedBatch> {
  const batch = isId(id) ? await findBatch(db, actor.program.id, id) : undefined;
  if (!batch) throw notFound();
  return presentBatch(batch);
}

/** A page, newest first. It contains one batch more than requested if another page follows. */
export async function listCardBatches(
  { db, onError }: { db: Database; onError: (error: unknown) => void },
  actor: Actor,
  request: PageRequest,
): Promise<{ count: number; batches: PresentedBatch[] }> {
  const { id: programId } = actor.program;
  const { count, records } = await readPage(
    db,
    BATCH_LIST,
    programId,
    request,
    listClock(actor),
    (fromId, lowestId, limit) => listBatches(db, programId, fromId, lowestId, limit),
    onError,
  );
  return { count, batches: records.map(presentBatch) };
}
