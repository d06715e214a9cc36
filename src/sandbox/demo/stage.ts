import { randomUUID } from 'node:crypto';
import type { Identity } from '../../audit/entry.ts';
import type { Submit } from '../../authorizations/engine/engine.ts';
import type { CreateCardServices } from '../../cards/create-card.ts';
import { type Actor, createActor } from '../../programs/actor.ts';
import type { Program } from '../../programs/program.ts';
import { updateClock } from '../../programs/queries.ts';

const AT_ONCE = 6;

export type DemoServices = CreateCardServices & { submit: Submit };

/** What a cardholder has in hand. */
export interface Wallet {
  cardId: string;
  lostCardId?: string;
  /** Of the active card, before its number was renewed. */
  oldNumberId?: string;
}

/** Where the history happens: the program with its clock, and what is known of what happened so far. */
export interface Stage {
  services: DemoServices;
  programId: string;
  /** By lane. */
  wallets: Map<number, Wallet>;
  /** Approved purchases by the network's id. */
  transactionIds: Map<string, string>;
  tally: Map<string, number>;
  count(what: string): void;
  /** Who acts and when, for operations that are not the engine's. */
  actor(): Actor;
  /** Runs work that needs a connection of its own, a few at a time: there are only so many. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Turns the program's clock on. It never goes back, even where the real time has overtaken the plan. */
  moveClock(toMs: number): Promise<void>;
}

/** `realNow` is the database's clock. */
export function openStage(
  services: DemoServices,
  created: Program,
  by: Identity,
  realNow: () => number,
): Stage {
  let program = created;
  const tally = new Map<string, number>();
  const who = { ...by, requestId: `demo-${randomUUID()}` };
  return {
    services,
    programId: program.id,
    wallets: new Map(),
    transactionIds: new Map(),
    tally,
    count: (what) => {
      tally.set(what, (tally.get(what) ?? 0) + 1);
    },
    actor: () => createActor(who, program, realNow),
    inTurn: createTurns(AT_ONCE),
    moveClock: async (toMs) => {
      const offsetMs = Math.max(Math.round(toMs - realNow()), program.clockOffsetMs) || 0;
      await services.db.transaction((tx) => updateClock(tx, program.id, offsetMs));
      program = { ...program, clockOffsetMs: offsetMs };
    },
  };
}

function createTurns(atOnce: number): Stage['inTurn'] {
  const waiting: Array<() => void> = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((start) => waiting.push(start));
    else running++;
    try {
      return await work();
    } finally {
      // Whoever waits takes the place over; without anybody it is free.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

export function walletOf({ wallets }: Stage, lane: number): Wallet {
  const wallet = wallets.get(lane);
  if (!wallet) throw new Error(`cardholder ${lane} has no card yet`);
  return wallet;
}
