import { audit } from '../../audit/audit.ts';
import type { Database } from '../../db/database.ts';
import type { Remember } from '../../http/idempotency.ts';
import { makeDue } from '../../jobs/queries.ts';
import { EmbossError } from '../../kernel/error.ts';
import { newId } from '../../kernel/ids.ts';
import { type Actor, readActor } from '../../programs/actor.ts';
import { lockProgram } from '../../programs/queries.ts';
import type { Vault } from '../../vault/vault.ts';
import type { CreateCardBody } from '../schema.ts';
import { type CardBatch, MOST_OPEN, type PresentedBatch, presentBatch } from './batch.ts';
import { checkRows } from './check-rows.ts';
import { countOpenBatches, insertBatch, insertRows } from './queries.ts';
import { sealRow } from './seal-row.ts';

const RETRY_AFTER_SECONDS = 10;

/** Stores the rows and makes them due. Nothing is stored if one of them breaks a rule that needs no query. */
export async function createBatch(
  { db, vault }: { db: Database; vault: Vault },
  actor: Actor,
  bodies: readonly CreateCardBody[],
  remember: Remember,
): Promise<PresentedBatch> {
  checkRows(actor, bodies);
  const { id: programId } = actor.program;
  const nowMs = actor.now();
  const batch: CardBatch = {
    ...{ programId, id: newId(nowMs), total: bodies.length, created: 0, failed: 0 },
    ...{ createdAt: new Date(nowMs), completedAt: null },
  };
  // The highest id first: lists are newest first, and so begin with the first row.
  const ids = bodies
    .map(() => newId(nowMs))
    .sort()
    .reverse();
  const rows = await Promise.all(
    bodies.map(async (body, index) => {
      const row = { programId, batchId: batch.id, id: ids[index] as string };
      return { id: row.id, sealed: await sealRow({ db, vault }, row, body) };
    }),
  );
  const { id, name, address, requestId } = actor;
  return db.transaction(async (tx) => {
    // Serialises the batches of a program, which are counted.
    void lockProgram(tx, programId);
    const [current, open] = await Promise.all([
      readActor(tx, actor, programId),
      countOpenBatches(tx, programId),
    ]);
    if (open >= MOST_OPEN) throw tooManyOpen();
    insertBatch(tx, batch, { id, name, address, requestId });
    insertRows(tx, batch, rows);
    const answer = presentBatch(batch);
    await Promise.all([
      makeDue(tx, programId, ['card-batches']),
      audit(tx, current, 'card_batch.created', { after: { batchId: batch.id, total: batch.total } }),
      remember(tx, answer),
    ]);
    return answer;
  });
}

const tooManyOpen = (): EmbossError =>
  new EmbossError(
    429,
    `A program can have at most ${MOST_OPEN} card batches in progress; retry when one is completed`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
