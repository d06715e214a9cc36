import { localActor } from '../../audit/entry.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Database } from '../../db/database.ts';
import { databaseTime } from '../../db/queries.ts';
import type { Secret } from '../../kernel/secret.ts';
import { createKey } from '../../programs/manage-keys.ts';
import { type Program, SCOPES } from '../../programs/program.ts';
import type { Planned } from './action.ts';
import { createDemoProgram } from './create-demo-program.ts';
import { makePerson } from './people.ts';
import { DAY_MS, type History } from './plan.ts';
import { planFunding } from './plan-funding.ts';
import { planPerson } from './plan-person.ts';
import { type DemoServices, openStage, type Stage } from './stage.ts';
import { walk } from './walk.ts';

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
 * A program with a past: its clock begins so many days ago and is walked up to the present, and all that happens on
 * the way goes through the same operations as everybody's. The seed and the day decide it all.
 */
export async function makeDemo(
  services: DemoServices,
  options: DemoOptions,
  actor: string,
  onProgress: (share: number) => void,
): Promise<Demo> {
  const { db } = services;
  const realNow = await readClock(db);
  const history = historyUntil(realNow(), options);
  const program = await createDemoProgram(db, history.startMs, realNow(), actor);
  const stage = openStage(services, program, actor, realNow);
  try {
    await walk(stage, planHistory(history, options.cards), onProgress);
  } finally {
    // Whatever happened: a clock that stayed behind would look like a fault of the product.
    await stage.moveClock(realNow());
  }
  const key = await handOver(stage, options);
  return { program: stage.act().caller.program, key, tally: stage.tally };
}

/** Whole days, up to the last midnight: what happens must not hang on the hour of the day. */
function historyUntil(nowMs: number, { seed, days }: DemoOptions): History {
  const endMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return { seed, startMs: endMs - days * DAY_MS, endMs };
}

function planHistory(history: History, cards: number): Planned[] {
  const people = Array.from({ length: cards }, (_, index) => makePerson(history.seed, index));
  const planned = people.flatMap((person) => planPerson(history, person));
  return [...planFunding(history, planned), ...planned].sort((one, other) => one.atMs - other.atMs);
}

/** The key comes last: a demo that was interrupted leaves none that nobody has seen. */
async function handOver(stage: Stage, options: DemoOptions): Promise<Secret> {
  const { services, programId, actor } = stage;
  return services.db.transaction(async (tx) => {
    const rights = {
      programId,
      kind: 'merchant' as const,
      name: 'demo',
      scopes: [...SCOPES],
      expiresAt: null,
    };
    const { key } = await createKey(tx, services.vault.digest, rights, localActor(actor));
    await recordAudit(tx, {
      programId,
      ...localActor(actor),
      action: 'program.demo_made',
      cardId: null,
      before: null,
      after: { ...options },
      nowMs: stage.act().nowMs,
    });
    return key;
  });
}

/** The database's clock, which the engine goes by. */
async function readClock(db: Database): Promise<() => number> {
  const [time] = await db.query<{ ms: number }>(databaseTime);
  if (!time) throw new Error('the database does not tell the time');
  const readAt = performance.now();
  return () => time.ms + (performance.now() - readAt);
}
