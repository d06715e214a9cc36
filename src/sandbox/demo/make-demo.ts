import { randomUUID } from 'node:crypto';
import { localActor } from '../../audit/entry.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Act } from '../../cards/card.ts';
import { addDesign } from '../../cards/designs/save-design.ts';
import type { Database } from '../../db/database.ts';
import { databaseTime } from '../../db/queries.ts';
import type { Secret } from '../../kernel/secret.ts';
import { createProgram } from '../../programs/create-program.ts';
import { createKey } from '../../programs/manage-keys.ts';
import { type Program, programNow, SANDBOX_BIN, SCOPES } from '../../programs/program.ts';
import { listPrograms, updateClock } from '../../programs/queries.ts';
import { updateProgram } from '../../programs/update-program.ts';
import { makePerson } from './people.ts';
import { createPerformer, type DemoServices } from './perform.ts';
import { DAY_MS, type History, MINUTE_MS, type Planned } from './plan.ts';
import { planPerson } from './plan-person.ts';
import { CURRENCY } from './world.ts';

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

/** Actions within so much time happen at one reading of the clock, so that the engine can gather them. */
const STEP_MS = 30 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;

const DESIGNS = [
  { id: 'graphite', name: 'Graphite', stock: true, default: true, embossNameSupported: true },
  { id: 'coral', name: 'Coral', stock: true, default: false, embossNameSupported: true },
  { id: 'birch', name: 'Birch Wood', stock: true, default: false, embossNameSupported: false },
];

const TERMS = {
  fxFeeBps: 175,
  atmFeeMinor: 200n,
  interchangeBps: 20,
  transactionCostMinor: 4n,
  transactionCostBps: 8,
  virtualIssuanceFeeMinor: 50n,
  physicalIssuanceFeeMinor: 450n,
  maintenanceFeeMinor: 75n,
  enforceMasterBalance: true,
};

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

/** A sandbox program whose clock stands at `startMs`. */
async function createDemoProgram(
  db: Database,
  startMs: number,
  realNowMs: number,
  actor: string,
): Promise<Program> {
  const taken = new Set((await listPrograms(db)).map(({ name }) => name.toLowerCase()));
  let name = 'Demo';
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `Demo ${number}`;
  const { id } = await db.transaction(async (tx) => {
    const input = {
      name,
      mode: 'sandbox' as const,
      currency: CURRENCY,
      bin: SANDBOX_BIN,
      kycProvider: 'sandbox' as const,
      clockOffsetMs: Math.round(startMs - realNowMs),
    };
    const created = await createProgram(tx, input, actor, startMs);
    for (const design of DESIGNS) await addDesign(tx, created.id, design, actor);
    return created;
  });
  return updateProgram(db, id, TERMS, actor);
}

function planHistory(history: History, cards: number): Planned[] {
  const people = Array.from({ length: cards }, (_, index) => makePerson(history.seed, index));
  const planned = people.flatMap((person) => planPerson(history, person));
  return [...planFunding(history, planned), ...planned].sort((one, other) => one.atMs - other.atMs);
}

/** Every week the program receives what its cards are going to get, and a tenth more. */
function planFunding({ startMs, endMs }: History, planned: readonly Planned[]): Planned[] {
  const weeks = Array.from({ length: Math.ceil((endMs - startMs) / WEEK_MS) }, () => 0n);
  for (const action of planned) {
    const week = Math.floor((action.atMs - startMs) / WEEK_MS);
    if (action.kind === 'top up') weeks[week] = (weeks[week] ?? 0n) + action.amountMinor;
    if (action.kind === 'open')
      weeks[week] = (weeks[week] ?? 0n) + BigInt(action.card.spendLimit ?? 0) * 100n;
  }
  return weeks.map((neededMinor, week) => ({
    kind: 'fund',
    lane: -1,
    atMs: startMs + week * WEEK_MS + 10 * MINUTE_MS,
    amountMinor: ((neededMinor * 11n) / 10n / 100_000n + 1n) * 100_000n,
    reference: `Funding of week ${week + 1}`,
  }));
}

/** Lanes run concurrently, the actions of a lane one after another. `planned` is in order of time. */
function* stepsOf(planned: readonly Planned[]): Generator<{ atMs: number; lanes: Planned[][] }> {
  for (let from = 0; from < planned.length; ) {
    const { atMs } = planned[from] as Planned;
    const lanes = new Map<number, Planned[]>();
    for (let next = planned[from]; next && next.atMs < atMs + STEP_MS; next = planned[++from])
      lanes.set(next.lane, [...(lanes.get(next.lane) ?? []), next]);
    // A step must not run over into the next day: limits are counted by the day.
    const dayMs = Math.floor(atMs / DAY_MS) * DAY_MS;
    yield { atMs: Math.min(atMs, dayMs + DAY_MS - MINUTE_MS), lanes: [...lanes.values()] };
  }
}

/** The database's clock, which the engine uses. */
async function readClock(db: Database): Promise<() => number> {
  const [time] = await db.query<{ ms: number }>(databaseTime);
  if (!time) throw new Error('the database returns no time');
  const readAt = performance.now();
  return () => time.ms + (performance.now() - readAt);
}
