import { audit } from '../../audit/audit.ts';
import type { Identity } from '../../audit/entry.ts';
import { clockFrom, readTime } from '../../db/clock.ts';
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
  by: Identity,
  onProgress: (share: number) => void,
): Promise<Demo> {
  const { db } = services;
  const realNow = clockFrom(await readTime(db));
  const history = historyUntil(realNow(), options);
  const program = await createDemoProgram(db, by, history.startMs, realNow());
  const stage = openStage(services, program, by, realNow);
  try {
    await walk(stage, planHistory(history, options.cards), onProgress);
  } finally {
    // Whatever happened: a clock that stayed behind would look like a fault of the product.
    await stage.moveClock(realNow());
  }
  const key = await handOver(stage, options);
  return { program: stage.actor().program, key, tally: stage.tally };
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
  const { services } = stage;
  const actor = stage.actor();
  return services.db.transaction(async (tx) => {
    const rights = {
      kind: 'merchant' as const,
      name: 'demo',
      scopes: [...SCOPES],
      expiresAt: null,
    };
    const { key } = await createKey(tx, services.vault.digest, actor, rights);
    await audit(tx, actor, 'program.demo_made', { after: { ...options } });
    return key;
  });
}
