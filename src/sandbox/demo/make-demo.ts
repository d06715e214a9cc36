import { randomUUID } from 'node:crypto';
import { audit } from '../../audit/audit.ts';
import type { Identity } from '../../audit/entry.ts';
import { clockFrom, readTime } from '../../db/clock.ts';
import type { Secret } from '../../kernel/secret.ts';
import { createActor } from '../../programs/actor.ts';
import { createKey } from '../../programs/manage-keys.ts';
import { type Program, SCOPES } from '../../programs/program.ts';
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
  /** How often each kind of action or decision occurred. */
  tally: ReadonlyMap<string, number>;
}

/**
 * Creates a program with a history. Its clock starts `days` days ago and moves to the present step by step; every
 * action runs through the operations of the product. The content depends only on the options and the day.
 */
export async function makeDemo(
  services: DemoServices,
  { cards, days, seed }: DemoOptions,
  by: Identity,
  onProgress: (share: number) => void,
): Promise<Demo> {
  const { db, vault } = services;
  const realNow = clockFrom(await readTime(db));
  // Whole days up to the last midnight, so that the content does not depend on the hour.
  const endMs = Math.floor(realNow() / DAY_MS) * DAY_MS;
  const history = { seed, startMs: endMs - days * DAY_MS, endMs };
  let program = await createDemoProgram(db, by, history.startMs, realNow());
  const who = { ...by, requestId: `demo-${randomUUID()}` };
  const actor = () => createActor(who, program, realNow);
  /** The clock never moves back, even if real time has passed the planned time. */
  async function moveClock(toMs: number): Promise<void> {
    const clockOffsetMs = Math.max(Math.round(toMs - realNow()), program.clockOffsetMs) || 0;
    await db.transaction((tx) => updateClock(tx, program.id, clockOffsetMs));
    program = { ...program, clockOffsetMs };
  }
  const { perform, tally } = createPerformer(services, program.id, actor);
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
    // Runs after failures too: a clock in the past would look like a fault of the product.
    await moveClock(realNow());
  }
  // The key is created last, so that an interrupted demo leaves no key that was never shown.
  const key = await db.transaction(async (tx) => {
    const rights = { kind: 'merchant' as const, name: 'demo', scopes: [...SCOPES], expiresAt: null };
    const created = await createKey(tx, vault.digest, actor(), rights);
    await audit(tx, actor(), 'program.demo_made', { after: { cards, days, seed } });
    return created.key;
  });
  return { program, key, tally };
}
