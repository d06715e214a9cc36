import { setTimeout as pause } from 'node:timers/promises';
import type { Attempt, Item, MerchantOp, NetworkOp, Step } from './engine-messages.ts';
import { callMerchant, post } from './engine-wire.ts';
import { type Credentials, type Fleet, type Reply, revealCredentials } from './server-fleet.ts';

const PATIENCE_MS = 60_000;

/** A card with all that was asked of it. */
export interface Life {
  cardId: string;
  spendLimitMinor: bigint;
  /** `YYYY-MM-DD` */
  expiryDate: string;
  /** The newest is the last. */
  wallet: Credentials[];
  steps: Step[];
}

export interface Clients {
  /** Answers heard so far. */
  answered(): number;
  /** Requests under way at a server. */
  underWay(place: number): number;
  /** Requests that ended without an answer; each was asked again. */
  cut(): number;
  live(life: Life): Promise<void>;
  ask(request: (place: number) => Promise<Reply>): Promise<Reply>;
}

/** Clients that choose a server by chance, and ask again by the same id whenever they were not answered. */
export function createClients(
  fleet: Fleet,
  random: () => number,
  onAnswer: (answered: number) => void,
): Clients {
  const underWay = Array.from({ length: fleet.size }, () => 0);
  let answered = 0;
  let cut = 0;

  async function ask(request: (place: number) => Promise<Reply>): Promise<Reply> {
    for (const giveUp = performance.now() + PATIENCE_MS; performance.now() < giveUp; ) {
      const place = choose();
      if (place === undefined) {
        await pause(10);
        continue;
      }
      underWay[place] = (underWay[place] ?? 0) + 1;
      const reply = await request(place).catch(() => undefined);
      underWay[place] = (underWay[place] ?? 0) - 1;
      if (reply && reply.status !== 503) {
        onAnswer(++answered);
        return reply;
      }
      cut++;
      if (reply) await pause(10);
    }
    throw new Error(`no answer within ${PATIENCE_MS} ms`);
  }
  function choose(): number | undefined {
    const first = Math.floor(random() * fleet.size);
    return underWay.map((_, n) => (first + n) % fleet.size).find((place) => fleet.isUp(place));
  }

  async function send(op: NetworkOp, life: Life, step: number): Promise<void> {
    op.message ??= op.write(life.wallet);
    const { message } = op;
    op.attempts.push({ step, ...(await ask((place) => post(fleet, place, message))) });
  }
  async function call(op: MerchantOp, life: Life, step: number): Promise<void> {
    const reply = await ask((place) => callMerchant(fleet, place, life.cardId, op));
    op.attempts.push({ step, ...reply });
    if (op.call.act !== 'reissue' || reply.status !== 200) return;
    let fresh: Credentials | undefined;
    await ask(async (place) => {
      fresh = await revealCredentials(fleet, place, life.cardId);
      return { status: 200, body: null };
    });
    life.wallet.push(fresh as Credentials);
  }
  const carryOut = (item: Item, life: Life, step: number): Array<Promise<void>> =>
    'merchant' in item
      ? [call(item.merchant, life, step)]
      : Array.from({ length: item.copies }, () => send(item.op, life, step));

  return {
    answered: () => answered,
    underWay: (place) => underWay[place] ?? 0,
    cut: () => cut,
    ask,
    live: async (life) => {
      for (const [step, items] of life.steps.entries())
        await Promise.all(items.flatMap((item) => carryOut(item, life, step)));
    },
  };
}

export const accepted = ({ attempts }: { attempts: Attempt[] }): Attempt | undefined =>
  attempts.find(({ status }) => status === 200 || status === 201);
