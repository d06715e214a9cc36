import { localIdentity } from '../audit/entry.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Job } from '../jobs/job.ts';
import { programJob } from '../jobs/program-job.ts';
import { dayEndMs, dayOf, MS_PER_DAY } from '../kernel/calendar.ts';
import { readActor } from '../programs/actor.ts';
import { programNow } from '../programs/program.ts';
import { readProgram } from '../programs/queries.ts';
import { isExpiryEventDue } from './card.ts';
import { EXPIRY, recordExpiry } from './change-card.ts';
import { lockCounters } from './counter-queries.ts';
import { findCards, listExpiryEvents } from './queries.ts';

const CARDS_AT_ONCE = 100;

export const cardExpiry = (db: Database): Job =>
  programJob(db, 'card-expiry', { everyMs: 10_000 }, (programId, { deadline }) =>
    expireCards(db, programId, deadline),
  );

/**
 * Records `card.expired` for the cards whose expiry date has passed. The status of a card does not wait for it. Returns
 * when the next card expires, in real time. No card that is created or reissued meanwhile can expire before that: a new
 * expiry date is a month ahead, and a move of the clock makes the job due.
 */
async function expireCards(
  db: Database,
  programId: string,
  deadline = Number.POSITIVE_INFINITY,
): Promise<number> {
  for (;;) {
    const { program, realNowMs } = await readProgram(db, programId);
    const today = dayOf(programNow(program, realNowMs));
    const next = await listExpiryEvents(db, programId, CARDS_AT_ONCE);
    const due = next.filter((card) => isExpiryEventDue(card, today));
    if (due.length > 0) await db.transaction((tx) => recordDue(tx, programId, due));
    const first = next[due.length];
    if (first) return dayEndMs(first.expiryEventDue) - program.clockOffsetMs;
    if (next.length < CARDS_AT_ONCE) return realNowMs + MS_PER_DAY;
    if (performance.now() >= deadline) return realNowMs;
  }
}

/** Reads the cards again under their locks: an operation may have recorded the event, or have reissued the card. */
async function recordDue(tx: Tx, programId: string, due: ReadonlyArray<{ id: string }>): Promise<void> {
  const ids = due.map(({ id }) => id).sort();
  const locked = new Map(
    (await lockCounters(tx, programId, ids, 'wait')).map((counters) => [counters.cardId, counters]),
  );
  const [actor, cards] = await Promise.all([
    readActor(tx, localIdentity(EXPIRY), programId),
    findCards(tx, programId, ids),
  ]);
  for (const card of cards) {
    const counters = locked.get(card.id);
    if (counters) await recordExpiry(tx, actor, { ...counters, ...card });
  }
}
