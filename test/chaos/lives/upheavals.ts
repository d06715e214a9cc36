import { sql } from '../../support/database/database.ts';
import type { Fleet } from '../../support/server/server-fleet.ts';
import type { Clients } from './clients.ts';

/** What happens to the servers and the clock meanwhile. */

export const CLOCK = '/api/v1/sandbox/clock/';

export interface Kill {
  place: number;
  underWay: number;
  cut: number;
}

/** A number is the place of a server to kill. */
interface Upheaval {
  at: number;
  what: 'clock' | 'master' | number;
}

/** Spread over the run by the number of responses; the seed shifts each a little. */
export function planUpheavals(options: { messages: number; kills: number }, random: () => number) {
  const plan = draw(options, random);
  const kills: Kill[] = [];
  const turns = new Map<string, Promise<unknown>>();
  /** Those of one kind wait for each other: one server is always up. */
  const carryOut = (kind: string, work: () => Promise<unknown>): void => {
    turns.set(kind, (turns.get(kind) ?? Promise.resolve()).then(work));
  };
  return {
    kills,
    reach: (answered: number, fleet: Fleet, clients: Clients): void => {
      while (plan[0] && plan[0].at <= answered) {
        const { what } = plan.shift() as Upheaval;
        if (what === 'clock') carryOut('clock', () => moveClock(fleet, clients, random));
        else if (what === 'master') carryOut('master', () => enforceMaster(fleet));
        else carryOut('kill', () => strike(fleet, clients, what, kills));
      }
    },
    finished: () => Promise.all(turns.values()),
  };
}

function draw({ messages, kills }: { messages: number; kills: number }, random: () => number): Upheaval[] {
  const moves = Math.max(12, Math.floor(messages / 400));
  const at = (n: number, of: number): number => (messages * (n + 0.5 + random() / 4)) / (of + 1);
  return [
    ...Array.from({ length: moves }, (_, n): Upheaval => ({ at: at(n, moves), what: 'clock' })),
    ...Array.from({ length: kills }, (_, n): Upheaval => ({ at: at(n, kills), what: n % 2 })),
    { at: messages / 2, what: 'master' as const },
  ].sort((a, b) => a.at - b.at);
}

/** Days pass: limits begin anew, holds end, and some cards expire. */
async function moveClock(fleet: Fleet, clients: Clients, random: () => number): Promise<void> {
  const seconds = Math.floor(3_600 + random() * 6 * 86_400);
  await clients.ask((place) => fleet.merchant(place, 'POST', CLOCK, { advance_seconds: seconds }));
}

/** From here on every authorization also waits for the master account, which has enough for all of them. */
const enforceMaster = ({ databaseUrl }: Fleet) =>
  sql(databaseUrl, 'update programs set enforce_master_balance = true');

async function strike(fleet: Fleet, clients: Clients, place: number, kills: Kill[]): Promise<void> {
  const underWay = clients.underWay(place);
  if (underWay === 0) return;
  const before = clients.cut();
  await fleet.killAndRestart(place);
  kills.push({ place, underWay, cut: clients.cut() - before });
}
