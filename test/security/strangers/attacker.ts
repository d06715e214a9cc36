import { setMaxListeners } from 'node:events';
import { ATTACKS, type Cleanup, type Target } from './attacks.ts';
import { type Counts, noCounts } from './sockets.ts';

/**
 * The attacker's process, started with an IPC channel. An order begins an attack, `going` says that it has its full
 * strength, and a second message ends it, answered with what it did. No attack lasts longer than a minute.
 */
export interface Order {
  attack: string;
  target: Target;
  /** No two attacks share one: the server counts some things by address. */
  addresses: string[];
}
export type Report = { going: true } | { counts: Counts };

const LONGEST_MS = 60_000;
const MOST_LISTENERS = 0;

let end: (() => Promise<void>) | undefined;

async function begin({ attack, target, addresses }: Order): Promise<void> {
  const { run } = ATTACKS.find(({ name }) => name === attack) ?? {};
  if (!run) throw new Error(`no such attack: ${attack}`);
  const ending = new AbortController();
  setMaxListeners(MOST_LISTENERS, ending.signal);
  const timer = setTimeout(() => ending.abort(), LONGEST_MS);
  const counts = noCounts();
  const port = Number(new URL(target.url).port);
  const cleanUp: Cleanup = await run({ port, counts, signal: ending.signal }, target, addresses);
  end = async () => {
    clearTimeout(timer);
    const did = structuredClone(counts);
    ending.abort();
    await cleanUp?.();
    say({ counts: did });
  };
  say({ going: true });
}

const say = (report: Report): void => void process.send?.(report);

process.on('message', (order: Order | 'end') => void (order === 'end' ? end?.() : begin(order)));
process.on('disconnect', () => process.exit());
