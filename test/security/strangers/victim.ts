import { setTimeout as pause } from 'node:timers/promises';
import { type Line, openLine } from '../../../bench/http-load.ts';
import { authorizationOf, type PayingCard } from '../../support/cards/network.ts';

const PER_SECOND = 60;
const CONNECTIONS = 16;
/** Requests still without an answer this long after the last one was due are counted as they stand. */
const PATIENCE_MS = 4_000;

export interface Measured {
  p50Ms: number;
  /** Requests that got no approval: refused, or their connection was closed. */
  failed: number;
}

/**
 * Authorizations at a steady rate over a few new connections, whether or not earlier ones are answered. A latency counts
 * from the moment the request was due, so that waiting for a free connection is part of it.
 */
export async function measureAuthorizations(
  url: string,
  cards: readonly PayingCard[],
  seconds: number,
): Promise<Measured> {
  const [{ owner }] = cards as [PayingCard];
  const target = { url, key: owner.networkKey, keyHeader: 'x-network-key' } as const;
  const count = PER_SECOND * seconds;
  const startedMs = performance.now();
  const dueMs = (index: number) => startedMs + (index * 1000) / PER_SECOND;
  const latenciesMs = new Map<number, number>();
  const lines = new Set<Line>();
  let isOver = false;
  let failed = 0;
  let next = 0;
  const send = async (index: number, line: Line): Promise<void> => {
    const body = authorizationOf(cards[index % cards.length] as PayingCard, '0.01');
    const answer = await line.send({ method: 'POST', path: '/api/v1/network/authorizations/', body });
    if (!JSON.parse(answer).approved) throw new Error(`declined: ${answer}`);
  };
  const work = async () => {
    let line: Line | undefined;
    while (next < count && !isOver) {
      const index = next++;
      const earlyMs = dueMs(index) - performance.now();
      if (earlyMs > 0) await pause(earlyMs);
      try {
        line ??= await openLine(target);
        lines.add(line);
        await send(index, line);
        latenciesMs.set(index, performance.now() - dueMs(index));
      } catch {
        if (!isOver) failed++;
        latenciesMs.set(index, Number.POSITIVE_INFINITY);
        line = undefined;
      }
    }
  };
  const patience = pause(seconds * 1000 + PATIENCE_MS, undefined, { ref: false });
  await Promise.race([Promise.all(Array.from({ length: CONNECTIONS }, work)), patience]);
  isOver = true;
  const nowMs = performance.now();
  const all = Array.from({ length: count }, (_, index) => latenciesMs.get(index) ?? nowMs - dueMs(index));
  for (const line of lines) line.close();
  all.sort((a, b) => a - b);
  return { p50Ms: all[Math.floor(count / 2)] as number, failed };
}
