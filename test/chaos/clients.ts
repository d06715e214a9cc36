import { setTimeout as pause } from 'node:timers/promises';
import { CARDS, consumerCard } from '../support/cards/cards.ts';
import { seededRandom } from '../support/scripts/random.ts';
import type { AttemptedRequest, AttemptResult, History, Operation } from './history.ts';
import type { Keys } from './processes.ts';
import { storiesOf } from './stories.ts';
import { type Doors, type Operator, openDoors, send, type Wire } from './wire.ts';

/** Many clients that live through whatever happens, and write down what they asked for and what they were told. */

export interface Site {
  /** One address per server, through the fault injector. */
  urls: readonly string[];
  keys: Keys;
  operator: Operator;
  history: History;
  seed: number;
  /** From then on no client waits for a response. */
  givenUp: AbortSignal;
}

export interface Card {
  id: string;
  /** The newest is the last. */
  wallet: Array<{ number: string; expiry: string }>;
  /** A client is changing its state: one at a time, so that the outcome can be predicted. */
  taken: boolean;
  /** Little credit that all clients use at the same time. */
  poor: boolean;
}

export type ClientRequest = Omit<AttemptedRequest, 'index'>;
/** Whose chance it is, and whether it may be given up after a try that was not answered. */
export interface Manner {
  random?: () => number;
  mayAbandon?: boolean;
}

export interface Clients extends Doors {
  /** Lives until `stop`; resolves when the last one has come to an end. */
  run(count: number): Promise<void>;
  stop(): void;
  /** Operations that were acknowledged. */
  reached: ReadonlySet<Operation>;
  /** One try at one server. */
  attempt(index: number, request: ClientRequest, wire: Wire): Promise<AttemptResult>;
  /** The same to every server at once. */
  attemptEverywhere(request: () => [ClientRequest, Wire]): Promise<AttemptResult[]>;
  /** Asks again, by the same id, until there is an answer that says yes or no. */
  settle(request: ClientRequest, wire: Wire, manner?: Manner): Promise<AttemptResult>;
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

  const attempt: Clients['attempt'] = async (index, request, wire) => {
    const write = history.invoke({ ...request, index });
    const result = await send(urls[index] as string, wire);
    write(withoutSecrets(result));
    if (result.outcome === 'ok') reached.add(request.operation);
    return result;
  };

  const settle: Clients['settle'] = async (request, wire, { random = shared, mayAbandon = false } = {}) => {
    for (;;) {
      const result = await attempt(Math.floor(random() * urls.length), request, wire);
      // "Under way; ask again" says nothing about the request itself.
      const waits = result.status === 409 && /in progress; retry/.test(result.answer?.message ?? '');
      if (result.outcome !== 'unknown' && !waits) return result;
      if (givenUp.aborted || (mayAbandon && random() < ABANDONED)) return { ...result, outcome: 'unknown' };
      await pause(50 + 250 * random());
    }
  };

  /** Not part of the history: it changes nothing. */
  const reveal: Clients['reveal'] = async (cardId) => {
    for (let index = 0; !givenUp.aborted; index = (index + 1) % urls.length) {
      const wire = doors.merchant('GET', `${CARDS}${cardId}/credentials/`);
      const { outcome, answer } = await send(urls[index] as string, wire);
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
    const result = await settle({ operation: 'create', id, args: { spendMinor } }, wire, manner);
    if (result.outcome !== 'ok') return;
    cards.push({ id: result.answer.id, wallet: [await reveal(result.answer.id)], taken: false, poor });
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
    attemptEverywhere: (request) => Promise.all(urls.map((_, index) => attempt(index, ...request()))),
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
    for (let next = stories[client % stories.length]; !stopped && next; next = choose()) await next.send();
  }

  return clients;
}

/** Keys are no part of a history. */
function withoutSecrets(result: AttemptResult): AttemptResult {
  if (!result.answer || typeof result.answer !== 'object' || !('key' in result.answer)) return result;
  const { key: _key, ...answer } = result.answer;
  return { ...result, answer };
}
