import { setTimeout as pause } from 'node:timers/promises';
import { CARDS, consumerCard } from '../support/cards/cards.ts';
import { seededRandom } from '../support/scripts/random.ts';
import type { Asked, History, Operation, Told } from './history.ts';
import type { Keys } from './processes.ts';
import { storiesOf } from './stories.ts';
import { type Doors, type Operator, openDoors, send, type Wire } from './wire.ts';

/** Many clients that live through whatever happens, and write down what they asked for and what they were told. */

export interface Site {
  /** One address per server, through the nemesis. */
  urls: readonly string[];
  keys: Keys;
  operator: Operator;
  history: History;
  seed: number;
  /** From then on nobody waits for an answer any more. */
  givenUp: AbortSignal;
}

export interface Card {
  id: string;
  /** The newest is the last. */
  wallet: Array<{ number: string; expiry: string }>;
  /** Somebody is changing its state: one at a time, so that what follows from it can be told. */
  taken: boolean;
  /** Little credit that everybody wants at once. */
  poor: boolean;
}

export type Question = Omit<Asked, 'place'>;
/** Whose chance it is, and whether it may be given up after a try that was not answered. */
export interface Manner {
  random?: () => number;
  mayAbandon?: boolean;
}

export interface Clients extends Doors {
  /** Lives until `stop`; resolves when the last one has come to an end. */
  run(count: number): Promise<void>;
  stop(): void;
  /** What somebody was told to have done. */
  reached: ReadonlySet<Operation>;
  /** One try at one server. */
  attempt(place: number, asked: Question, wire: Wire): Promise<Told>;
  /** The same to every server at once. */
  attemptEverywhere(asked: () => [Question, Wire]): Promise<Told[]>;
  /** Asks again, by the same id, until there is an answer that says yes or no. */
  settle(asked: Question, wire: Wire, manner?: Manner): Promise<Told>;
  /** No two of a run are the same. */
  newName(prefix: string): string;
  cards: Card[];
  addCard(options: { poor: boolean }, manner?: Manner): Promise<void>;
  reveal(cardId: string): Promise<Card['wallet'][number]>;
  /** Days that the program's clock is ahead. */
  daysAhead(): number;
  moveClockToNextDay(): Promise<void>;
  moveClock(toMs: number): Promise<void>;
}

const DAY_MS = 86_400_000;
const ABANDONED = 0.15;

export function createClients({ urls, keys, operator, history, seed, givenUp }: Site): Clients {
  const doors = openDoors(keys, operator);
  const shared = seededRandom(seed);
  const startMs = Date.now();
  const cards: Card[] = [];
  const reached = new Set<Operation>();
  let names = 0;
  let days = 0;
  let stopped = false;
  const newName = (prefix: string): string => `${prefix}-${++names}`;

  const attempt: Clients['attempt'] = async (place, asked, wire) => {
    const write = history.invoke({ ...asked, place });
    const told = await send(urls[place] as string, wire);
    write(withoutSecrets(told));
    if (told.outcome === 'ok') reached.add(asked.operation);
    return told;
  };

  const settle: Clients['settle'] = async (asked, wire, { random = shared, mayAbandon = false } = {}) => {
    for (;;) {
      const told = await attempt(Math.floor(random() * urls.length), asked, wire);
      // "Under way; ask again" says nothing about the request itself.
      const waits = told.status === 409 && /in progress; retry/.test(told.answer?.message ?? '');
      if (told.outcome !== 'unknown' && !waits) return told;
      if (givenUp.aborted || (mayAbandon && random() < ABANDONED)) return { ...told, outcome: 'unknown' };
      await pause(50 + 250 * random());
    }
  };

  /** Not part of the history: it changes nothing. */
  const reveal: Clients['reveal'] = async (cardId) => {
    for (let place = 0; !givenUp.aborted; place = (place + 1) % urls.length) {
      const wire = doors.merchant('GET', `${CARDS}${cardId}/credentials/`);
      const { outcome, answer } = await send(urls[place] as string, wire);
      if (outcome === 'ok') return { number: answer.cardNumber, expiry: answer.expiryDate.slice(0, 7) };
      await pause(100);
    }
    throw new Error('no server responds any more');
  };

  const addCard: Clients['addCard'] = async ({ poor }, manner) => {
    const id = newName('create');
    // No two cards of a run have the same, so that a card tells which request made it.
    const spendMinor = (poor ? 20_000 : 2_000_000) + names;
    const wire = doors.merchant('POST', CARDS, consumerCard({ spendLimit: spendMinor / 100 }), id);
    const told = await settle({ operation: 'create', id, args: { spendMinor } }, wire, manner);
    if (told.outcome !== 'ok') return;
    cards.push({ id: told.answer.id, wallet: [await reveal(told.answer.id)], taken: false, poor });
  };

  const moveClock: Clients['moveClock'] = async (toMs) => {
    const wire = doors.merchant('POST', '/api/v1/sandbox/clock/', { now: new Date(toMs).toISOString() });
    await settle({ operation: 'move clock', id: newName('clock'), args: { toMs } }, wire);
  };

  const clients: Clients = {
    ...doors,
    run: async (count) => {
      await Promise.all(Array.from({ length: count }, (_, client) => live(client)));
    },
    stop: () => {
      stopped = true;
    },
    reached,
    attempt,
    attemptEverywhere: (asked) => Promise.all(urls.map((_, place) => attempt(place, ...asked()))),
    settle,
    newName,
    cards,
    addCard,
    reveal,
    daysAhead: () => days,
    moveClockToNextDay: () => moveClock(startMs + ++days * DAY_MS),
    moveClock,
  };

  /** One client: what it does next is up to its own seed. */
  async function live(client: number): Promise<void> {
    const random = seededRandom(seed * 1_000 + client);
    const stories = storiesOf(clients, random);
    const total = stories.reduce((sum, { share }) => sum + share, 0);
    const choose = () => {
      let left = random() * total;
      return stories.find(({ share }) => {
        left -= share;
        return left < 0;
      });
    };
    // Each begins with another one, so that even a short run meets them all.
    for (let next = stories[client % stories.length]; !stopped && next; next = choose()) await next.tell();
  }

  return clients;
}

/** Keys are no part of a history. */
function withoutSecrets(told: Told): Told {
  if (!told.answer || typeof told.answer !== 'object' || !('key' in told.answer)) return told;
  const { key: _key, ...answer } = told.answer;
  return { ...told, answer };
}
