import { setTimeout as pause } from 'node:timers/promises';
import { CARDS, consumerCard } from '../support/cards/cards.ts';
import { seededRandom } from '../support/scripts/random.ts';
import type { AttemptedRequest, AttemptResult, History, Operation } from './history.ts';
import type { Keys } from './processes.ts';
import { storiesOf } from './stories.ts';
import { type Apis, type Operator, openApis, send, type Wire } from './wire.ts';

/** Many clients that continue during faults, and write down each request and its response. */

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
/** The random source, and whether a request may be given up after a try without a response. */
export interface Manner {
  random?: () => number;
  mayAbandon?: boolean;
}

export interface Clients extends Apis {
  /** Runs until `stop`; resolves when the last client has ended. */
  run(count: number): Promise<void>;
  stop(): void;
  /** Operations that were acknowledged. */
  reached: ReadonlySet<Operation>;
  /** One try at one server. */
  attempt(index: number, request: ClientRequest, wire: Wire): Promise<AttemptResult>;
  /** The same to every server at once. */
  attemptEverywhere(request: () => [ClientRequest, Wire]): Promise<AttemptResult[]>;
  /** Retries with the same id until the outcome is known. */
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
  const apis = openApis(keys, operator);
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
      // "In progress; retry" says nothing about the outcome.
      const waits = result.status === 409 && /in progress; retry/.test(result.answer?.message ?? '');
      if (result.outcome !== 'unknown' && !waits) return result;
      if (givenUp.aborted || (mayAbandon && random() < ABANDONED)) return { ...result, outcome: 'unknown' };
      await pause(50 + 250 * random());
    }
  };

  /** Not part of the history: it changes nothing. */
  const reveal: Clients['reveal'] = async (cardId) => {
    for (let index = 0; !givenUp.aborted; index = (index + 1) % urls.length) {
      const wire = apis.merchant('GET', `${CARDS}${cardId}/credentials/`);
      const { outcome, answer } = await send(urls[index] as string, wire);
      if (outcome === 'ok') return { number: answer.cardNumber, expiry: answer.expiryDate.slice(0, 7) };
      await pause(100);
    }
    throw new Error('no server responds any more');
  };

  const addCard: Clients['addCard'] = async ({ poor }, manner) => {
    const id = newName('create');
    // No two cards of a run have the same, so that it identifies the request of a card.
    const spendMinor = (poor ? 20_000 : 2_000_000) + names;
    const wire = apis.merchant('POST', CARDS, consumerCard({ spendLimit: spendMinor / 100 }), id);
    const result = await settle({ operation: 'create', id, args: { spendMinor } }, wire, manner);
    if (result.outcome !== 'ok') return;
    cards.push({ id: result.answer.id, wallet: [await reveal(result.answer.id)], taken: false, poor });
  };

  const moveClock: Clients['moveClock'] = async (toMs) => {
    const wire = apis.merchant('POST', '/api/v1/sandbox/clock/', { now: new Date(toMs).toISOString() });
    await settle({ operation: 'move clock', id: newName('clock'), args: { toMs } }, wire);
  };

  const clients: Clients = {
    ...apis,
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

  /** One client: its seed decides what it does next. */
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
    // Each begins with another story, so that even a short run has them all.
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
