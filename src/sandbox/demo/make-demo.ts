import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { audit } from '../../audit/audit.ts';
import type { Identity } from '../../audit/entry.ts';
import { addDesign } from '../../cards/designs/save-design.ts';
import { clockFrom, readTime } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { createActor, readActor } from '../../programs/actor.ts';
import { createProgram } from '../../programs/create-program.ts';
import { createKey } from '../../programs/manage-keys.ts';
import { setClock } from '../../programs/move-clock.ts';
import { type Program, SANDBOX_BIN, SCOPES } from '../../programs/program.ts';
import { listPrograms, readProgram } from '../../programs/queries.ts';
import { updateProgram } from '../../programs/update-program.ts';
import type { EndpointServices } from '../../webhooks/manage-endpoints.ts';
import { DESIGNS } from '../seed-values.ts';
import { addColleague } from './colleague.ts';
import { openReceiver } from './deliveries.ts';
import { addNotifications } from './notify.ts';
import { DAY_MS, type DemoServices, dayStart, type Planned, planHistory, type Stage } from './plan.ts';
import { planRules } from './rules.ts';
import { CURRENCY } from './world.ts';

export interface DemoOptions {
  cards: number;
  days: number;
  seed: number;
}

export type Demo = Awaited<ReturnType<typeof makeDemo>>;

const TERMS = {
  fxFeeBps: 175,
  atmFeeMinor: 200n,
  interchangeBps: 20,
  cashInterchangeBps: -30,
  transactionCostMinor: 4n,
  transactionCostBps: 8,
  virtualIssuanceFeeMinor: 50n,
  physicalIssuanceFeeMinor: 450n,
  maintenanceFeeMinor: 75n,
  enforceMasterBalance: true,
};

/** Actions within this time share one clock setting, so that the engine can gather them. */
const STEP_MS = 1_800_000;
const OPERATIONS_AT_ONCE = 6;
/** The events of the last days are delivered to a webhook endpoint. */
const DELIVERED_MS = 2 * DAY_MS;
/** The history ends at a multiple of this, so that demos made one after another have the same content. */
const UNTIL_MS = 10 * 60_000;

/**
 * Creates a program with a history. Its clock starts `days` days ago and moves to the present step by step; every
 * action runs through the operations of the product. The content depends only on the options and the time, to ten minutes.
 */
export async function makeDemo(
  services: DemoServices & Pick<EndpointServices, 'sender'>,
  { cards, days, seed }: DemoOptions,
  by: Identity,
  onProgress: (share: number) => void,
) {
  const { db, vault, sender } = services;
  const endpoints = { db, keeper: vault, sender };
  const realNow = clockFrom(await readTime(db));
  const untilMs = Math.floor(realNow() / UNTIL_MS) * UNTIL_MS;
  // The plan covers today as a whole; what would come after the present is left out.
  const endMs = dayStart(untilMs) + DAY_MS;
  const history = { seed, startMs: endMs - (days + 1) * DAY_MS, endMs };
  const rules = planRules(history);
  const planned = [...planHistory(history, cards), ...rules.planned];
  const past = planned.filter(({ atMs }) => atMs < untilMs).sort((one, other) => one.atMs - other.atMs);
  let program = await createDemoProgram(db, by, history.startMs - realNow());
  const who = { ...by, requestId: `demo-${randomUUID()}` };
  const tally = new Map<string, number>();
  const stage: Stage = {
    ...services,
    limit: pLimit(OPERATIONS_AT_ONCE),
    count: (what) => void tally.set(what, (tally.get(what) ?? 0) + 1),
    get actor() {
      return createActor(who, program, realNow);
    },
  };
  /** The clock never moves back, even if real time has passed the planned time. */
  async function moveClock(toMs: number): Promise<void> {
    const clockOffsetMs = Math.max(Math.round(toMs - realNow()), program.clockOffsetMs) || 0;
    await db.transaction((tx) => setClock(tx, program.id, clockOffsetMs));
    program = { ...program, clockOffsetMs };
  }
  let receiver: Awaited<ReturnType<typeof openReceiver>>;
  const earlier = past.filter(({ atMs }) => atMs < untilMs - DELIVERED_MS);
  const progressFrom = (from: number) => (done: number) => onProgress((from + done) / past.length);
  try {
    await performAll(earlier, stage, moveClock, progressFrom(0));
    receiver = await openReceiver(endpoints, stage.actor);
    await performAll(past.slice(earlier.length), stage, moveClock, progressFrom(earlier.length));
    await rules.backtest(stage);
    await addNotifications(db, stage.actor);
    await receiver?.deliverAll();
  } finally {
    await receiver?.close(stage.actor);
    // Runs after failures too: a clock in the past would look like a fault of the product.
    await moveClock(realNow());
  }
  const colleague = await addColleague(services, by, program.id);
  // The key is created last, so that an interrupted demo leaves no key that was never shown.
  const key = await db.transaction(async (tx) => {
    const rights = { kind: 'merchant' as const, name: 'demo', scopes: SCOPES.merchant, expiresAt: null };
    const created = await createKey(tx, vault.digest, stage.actor, rights);
    await audit(tx, stage.actor, 'program.demo_made', { after: { cards, days, seed } });
    return created.key;
  });
  const after = (await readProgram(db, program.id)).program;
  /** The key and the password are shown once. The tally: how often each kind of action or decision occurred. */
  return { program: after, key, tally, colleague };
}

/** `planned` is in order of time. */
async function performAll(
  planned: readonly Planned[],
  stage: Stage,
  moveClock: (toMs: number) => Promise<void>,
  onProgress: (done: number) => void,
): Promise<void> {
  for (let from = 0; from < planned.length; ) {
    const { atMs } = planned[from] as Planned;
    await moveClock(atMs);
    const lanes = new Map<number, Promise<unknown>>();
    for (let next = planned[from]; next && next.atMs < atMs + STEP_MS; next = planned[++from]) {
      const { lane, perform } = next;
      const done = Promise.resolve(lanes.get(lane)).then(() => perform(stage));
      lanes.set(lane, done);
    }
    await Promise.all(lanes.values());
    onProgress(from);
  }
}

async function createDemoProgram(db: Database, by: Identity, clockLeadMs: number): Promise<Program> {
  const taken = new Set((await listPrograms(db)).map(({ name }) => name.toLowerCase()));
  let name = 'Demo';
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `Demo ${number}`;
  const sandbox = { mode: 'sandbox', bin: SANDBOX_BIN, kycProvider: 'sandbox' } as const;
  const input = { ...sandbox, name, currency: CURRENCY, clockOffsetMs: Math.round(clockLeadMs) };
  const actor = await db.transaction(async (tx) => {
    const { id } = await createProgram(tx, by, input);
    const creator = await readActor(tx, by, id);
    for (const design of DESIGNS) await addDesign(tx, creator, design);
    return creator;
  });
  return updateProgram(db, actor, TERMS);
}
