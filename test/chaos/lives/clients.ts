import { setTimeout as pause } from 'node:timers/promises';
import { callOf, requestOf } from '../../model/messages.ts';
import type { Sent } from '../../model/replay.ts';
import { CARDS } from '../../support/cards/cards.ts';
import {
  type Credentials,
  type Fleet,
  type Reply,
  revealCredentials,
} from '../../support/server/server-fleet.ts';
import type { Item, Step } from './pen.ts';

const PATIENCE_MS = 60_000;

/** A card with its script and all that was sent. */
export interface CardLife {
  cardId: string;
  spendLimitMinor: bigint;
  /** `YYYY-MM-DD` */
  expiryDate: string;
  /** The newest is the last. */
  wallet: Credentials[];
  steps: Step[];
  sent: Sent[];
}

export interface Clients {
  /** Responses so far. */
  answered(): number;
  /** Requests under way at a server. */
  underWay(place: number): number;
  /** Requests that ended without a response; each was sent again. */
  cut(): number;
  live(life: CardLife): Promise<void>;
  ask(request: (place: number) => Promise<Reply>): Promise<Reply>;
}

/** Clients that choose a server by chance, and retry with the same id until they get a response. */
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

  async function attempt(sent: Sent, request: (place: number) => Promise<Reply>): Promise<Reply> {
    const invokedAt = performance.now();
    const reply = await ask(request);
    sent.attempts.push({ invokedAt, returnedAt: performance.now(), ...reply });
    return reply;
  }
  async function carryOut(item: Item, life: CardLife): Promise<unknown> {
    const add = <What extends Sent['what']>(what: What): Sent<What> => {
      const sent = { what, attempts: [] };
      life.sent.push(sent);
      return sent;
    };
    if ('op' in item) {
      item.op.sent ??= add(item.op.write(life.wallet));
      const { sent } = item.op;
      const { path, body } = requestOf(sent.what);
      const send = () => attempt(sent, (place) => fleet.network(place, path, body));
      return Promise.all(Array.from({ length: item.copies }, send));
    }
    const { call } = item;
    const { method, path, body, key } = callOf(call, item.key);
    const url = `${CARDS}${life.cardId}/${path}`;
    const send = (place: number) => fleet.merchant(place, method, url, body, key);
    const { status } = await attempt(add(call), send);
    if (call.kind !== 'reissue' || status !== 200) return;
    let fresh: Credentials | undefined;
    await ask(async (place) => {
      fresh = await revealCredentials(fleet, place, life.cardId);
      return { status: 200, body: null };
    });
    life.wallet.push(fresh as Credentials);
  }

  return {
    answered: () => answered,
    underWay: (place) => underWay[place] ?? 0,
    cut: () => cut,
    ask,
    live: async (life) => {
      for (const items of life.steps) await Promise.all(items.map((item) => carryOut(item, life)));
    },
  };
}
