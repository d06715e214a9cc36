import { randomUUID } from 'node:crypto';
import { localActor } from '../../audit/entry.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Act } from '../../cards/card.ts';
import type { Database } from '../../db/database.ts';
import { databaseTime } from '../../db/queries.ts';
import type { Secret } from '../../kernel/secret.ts';
import { createKey } from '../../programs/manage-keys.ts';
import { type Program, programNow, SCOPES } from '../../programs/program.ts';
import { updateClock } from '../../programs/queries.ts';
import { createDemoProgram } from './create-demo-program.ts';
import { createPerformer, type DemoServices } from './perform.ts';
import { DAY_MS } from './plan.ts';
import { planHistory, stepsOf } from './plan-history.ts';

export interface DemoOptions {
  cards: number;
  days: number;
  seed: number;
}

export interface Demo {
  program: Program;
  /** Shown once. */
  key: Secret;
  /** How often what happened. */
  tally: ReadonlyMap<string, number>;
}

/**
 * Creates a program with a history: its clock starts so many days ago and moves to the present step by step, and
 * everything on the way runs through the operations of the product. The seed and the day decide all of it.
 */
export async function makeDemo(
  services: DemoServices,
  { cards, days, seed }: DemoOptions,
  actor: string,
  onProgress: (share: number) => void,
): Promise<Demo> {
  const { db, vault } = services;
  const realNow = await readClock(db);
  // Whole days, up to the last midnight: the content must not depend on the hour.
  const endMs = Math.floor(realNow() / DAY_MS) * DAY_MS;
  const history = { seed, startMs: endMs - days * DAY_MS, endMs };
  let program = await createDemoProgram(db, history.startMs, realNow(), actor);
  const requestId = `demo-${randomUUID()}`;
  const act = (): Act => ({
    caller: { actor, address: null, scopes: [], program, realNow },
    actor,
    address: null,
    requestId,
    nowMs: programNow(program, realNow()),
  });
  /** The clock never goes back, even where the real time has overtaken the plan. */
  async function moveClock(toMs: number): Promise<void> {
    const clockOffsetMs = Math.max(Math.round(toMs - realNow()), program.clockOffsetMs) || 0;
    await db.transaction((tx) => updateClock(tx, program.id, clockOffsetMs));
    program = { ...program, clockOffsetMs };
  }
  const { perform, tally } = createPerformer(services, program.id, act);
  const planned = planHistory(history, cards);
  let done = 0;
  try {
    for (const { atMs, lanes } of stepsOf(planned)) {
      await moveClock(atMs);
      await Promise.all(
        lanes.map(async (lane) => {
          for (const action of lane) await perform(action);
        }),
      );
      done += lanes.flat().length;
      onProgress(done / planned.length);
    }
  } finally {
    // In every case: a clock that stayed behind would look like a fault of the product.
    await moveClock(realNow());
  }
  // The key comes last: an interrupted demo leaves no key that was never shown.
  const key = await db.transaction(async (tx) => {
    const by = { programId: program.id, ...localActor(actor) };
    const rights = { kind: 'merchant' as const, name: 'demo', scopes: [...SCOPES], expiresAt: null };
    const after = { cards, days, seed };
    const created = await createKey(
      tx,
      vault.digest,
      { programId: program.id, ...rights },
      localActor(actor),
    );
    await recordAudit(tx, {
      ...by,
      action: 'program.demo_made',
      cardId: null,
      before: null,
      after,
      nowMs: act().nowMs,
    });
    return created.key;
  });
  return { program, key, tally };
}

/** The database's clock, which the engine uses. */
async function readClock(db: Database): Promise<() => number> {
  const [time] = await db.query<{ ms: number }>(databaseTime);
  if (!time) throw new Error('the database returns no time');
  const readAt = performance.now();
  return () => time.ms + (performance.now() - readAt);
}
