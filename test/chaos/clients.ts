import { setTimeout as pause } from 'node:timers/promises';
import { CARDS, consumerCard } from '../support/cards.ts';
import { seededRandom } from '../support/random.ts';
import type { Asked, History, Operation, Told } from './history.ts';
import { STEP_MINOR } from './terms.ts';
import type { Keys } from './world.ts';

/** Many clients that live through whatever happens, and write down what they asked for and what they were told. */

export interface Site {
  /** One address per server, through the nemesis. */
  urls: readonly string[];
  keys: Keys;
  history: History;
  seed: number;
  /** From then on nobody waits for an answer any more. */
  givenUp: AbortSignal;
}

interface Card {
  id: string;
  /** The newest is the last. */
  wallet: Array<{ number: string; expiry: string }>;
  /** Somebody is changing its state: one at a time, so that what follows from it can be told. */
  taken: boolean;
  /** Little credit that everybody wants at once. */
  poor: boolean;
}

export interface Operator {
  programId: string;
  cookie: string;
  csrfToken: string;
}

interface Wire {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: object;
}

const ANSWER_WITHIN_MS = 6_000;
const DAY_MS = 86_400_000;
/** Given up after the first try: nobody ever asks what became of these. */
const ABANDONED = 0.15;

async function send(url: string, { method, path, headers, body }: Wire): Promise<Told> {
  try {
    const response = await fetch(url + path, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const answer = await response.json();
    const { status } = response;
    if (status >= 200 && status < 300) return { outcome: 'ok', status, answer };
    return { outcome: status >= 400 && status < 500 ? 'refused' : 'unknown', status, answer };
  } catch {
    return { outcome: 'unknown', status: null, answer: null };
  }
}

export interface Clients {
  /** Lives until `stop`; resolves when the last one has come to an end. */
  run(count: number): Promise<void>;
  stop(): void;
  /** Asks again until there is an answer that says yes or no. */
  settle(asked: Omit<Asked, 'place'>, wire: Wire): Promise<Told>;
  merchant(method: string, path: string, body?: object, idempotencyKey?: string): Wire;
  /** One try at one server. */
  attempt(place: number, asked: Omit<Asked, 'place'>, wire: Wire): Promise<Told>;
  addCard(options: { poor: boolean }): Promise<void>;
  /** How far the program's clock was moved, in days. */
  daysMoved(): number;
  moveClock(toMs: number): Promise<void>;
}

export function createClients({ urls, keys, history, seed, givenUp }: Site, operator: Operator): Clients {
  const cards: Card[] = [];
  let made = 0;
  let stopped = false;
  let days = 0;
  const startMs = Date.now();
  const places = urls.map((_, place) => place);
  const shared = seededRandom(seed);
  const newName = (prefix: string): string => `${prefix}-${++made}`;

  async function attempt(place: number, asked: Omit<Asked, 'place'>, wire: Wire): Promise<Told> {
    const write = history.invoke({ ...asked, place });
    const told = await send(urls[place] as string, wire);
    write(withoutSecrets(told));
    return told;
  }

  async function settle(
    asked: Omit<Asked, 'place'>,
    wire: Wire,
    random: () => number = shared,
    mayAbandon = false,
  ): Promise<Told> {
    for (;;) {
      const told = await attempt(Math.floor(random() * urls.length), asked, wire);
      // "Under way; ask again" says nothing about the request itself.
      const waits = told.status === 409 && /ask again/.test(told.answer?.message ?? '');
      if (told.outcome !== 'unknown' && !waits) return told;
      if (givenUp.aborted || (mayAbandon && random() < ABANDONED)) return { ...told, outcome: 'unknown' };
      await pause(50 + 250 * random());
    }
  }

  const merchant: Clients['merchant'] = (method, path, body, idempotencyKey) => ({
    method,
    path,
    headers: {
      'x-payments-api-key': keys.merchant,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    ...(body && { body }),
  });
  const network = (door: string, body: object): Wire => ({
    method: 'POST',
    path: `/api/v1/network/${door}/`,
    headers: { 'x-network-key': keys.network },
    body,
  });
  const console = (method: string, path: string, body?: object): Wire => ({
    method,
    path: `/console/api/programs/${operator.programId}/${path}`,
    headers: { cookie: operator.cookie, 'x-csrf-token': operator.csrfToken },
    ...(body && { body }),
  });

  /** Not part of the history: it changes nothing. */
  async function reveal(cardId: string): Promise<Card['wallet'][number]> {
    for (let place = 0; ; place = (place + 1) % urls.length) {
      const wire = merchant('GET', `${CARDS}${cardId}/credentials/`);
      const { outcome, answer } = await send(urls[place] as string, wire);
      if (givenUp.aborted) throw new Error('nobody answers any more');
      if (outcome === 'ok') return { number: answer.cardNumber, expiry: answer.expiryDate.slice(0, 7) };
      await pause(100);
    }
  }

  async function addCard({ poor }: { poor: boolean }, random = shared, mayAbandon = false): Promise<void> {
    const id = newName('create');
    // No two cards of a run have the same, so that a card tells which request made it.
    const spendMinor = (poor ? 20_000 : 2_000_000) + made;
    const wire = merchant('POST', CARDS, consumerCard({ spendLimit: spendMinor / 100 }), id);
    const told = await settle({ operation: 'create', id, args: { spendMinor } }, wire, random, mayAbandon);
    if (told.outcome !== 'ok') return;
    const wallet = [await reveal(told.answer.id)];
    cards.push({ id: told.answer.id, wallet, taken: false, poor });
  }

  const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  async function moveClock(toMs: number): Promise<void> {
    const wire = merchant('POST', '/api/v1/sandbox/clock/', { now: new Date(toMs).toISOString() });
    await settle({ operation: 'move clock', id: newName('clock'), args: { toMs } }, wire);
  }

  /** One client: what it does next is up to its own seed. */
  async function live(client: number): Promise<void> {
    const random = seededRandom(seed * 1_000 + client);
    const chance = (share: number): boolean => random() < share;
    const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
    const amount = (most: number): number => STEP_MINOR * (1 + Math.floor((random() * most) / STEP_MINOR));
    const settleMine = (operation: Operation, id: string, args: object, wire: Wire, mayAbandon = true) =>
      settle({ operation, id, args }, wire, random, mayAbandon);

    const authorization = (id: string, card: Card, billMinor: number, wallet = card.wallet.length - 1) => {
      const { number, expiry } = card.wallet[wallet] as Card['wallet'][number];
      const currency = chance(0.25) ? 'USD' : 'EUR';
      const channel = chance(0.1) ? 'ATM' : 'POS';
      const bill = decimal(billMinor);
      const wire = network('authorizations', {
        external_transaction_id: id,
        card_number: number,
        expiry,
        amount: bill,
        currency,
        ...(currency !== 'EUR' && { bill_amount: bill, bill_currency: 'EUR' }),
        channel,
        merchant: { id: 'shop-1', name: 'Corner Shop', mcc: '5411', city: 'London', country: 'GBR' },
      });
      return { args: { card: card.id, wallet, billMinor, currency, channel }, wire };
    };
    const authorize = (card: Card, billMinor: number, wallet?: number) => {
      const id = newName('auth');
      const { args, wire } = authorization(id, card, billMinor, wallet);
      return { id, args, told: settleMine('authorize', id, args, wire) };
    };

    const stories: Array<[share: number, story: () => Promise<unknown>]> = [
      [
        40,
        async () => {
          const { id, args, told } = authorize(oneOf(cards), amount(10_000));
          const { outcome, answer } = await told;
          if (outcome === 'ok' && answer.approved) await goOn(id, args);
        },
      ],
      // Everybody wants the last of a little credit.
      [
        12,
        async () => {
          const poor = cards.filter((card) => card.poor);
          const card = oneOf(poor);
          const bought = Array.from({ length: 4 }, () => authorize(card, amount(9_000)));
          await Promise.all(
            bought.map(async ({ id, args, told }) => {
              const { outcome, answer } = await told;
              if (outcome === 'ok' && answer.approved && chance(0.8)) await giveBack(id, args);
            }),
          );
        },
      ],
      // The same message to both servers at once.
      [
        8,
        async () => {
          const id = newName('auth');
          const { args, wire } = authorization(id, oneOf(cards), amount(10_000));
          await Promise.all(
            places.map((place) => attempt(place, { operation: 'authorize', id, args }, wire)),
          );
        },
      ],
      [
        6,
        async () => {
          const id = newName('adjust');
          const card = oneOf(cards);
          const minor = (chance(0.5) ? 1 : -1) * amount(4_000);
          const wire = merchant(
            'POST',
            `${CARDS}${card.id}/balance-adjustments/`,
            { amount: minor / 100, reference: id },
            id,
          );
          const args = { card: card.id, minor };
          if (chance(0.5)) await settleMine('adjust', id, args, wire);
          else
            await Promise.all(places.map((place) => attempt(place, { operation: 'adjust', id, args }, wire)));
        },
      ],
      [5, () => (cards.length < 400 ? addCard({ poor: chance(0.3) }, random, true) : Promise.resolve())],
      [6, () => alone(freezeForAMoment)],
      [2, () => alone(block)],
      [4, () => alone(reissue)],
      [
        3,
        async () => {
          const id = newName('report');
          const date = dayOf(startMs + (days - 2) * DAY_MS);
          const type = oneOf(['daily', 'fee', 'dailyTransactionFee']);
          const wire = merchant('GET', `/api/v1/merchant/files/${type}/?date=${date}`);
          // Without an id of its own: asked again, it is another request.
          await attempt(oneOf(places), { operation: 'report', id, args: { type, date } }, wire);
        },
      ],
      [3, keyForAMoment],
      [
        1,
        async () => {
          if (days < 5) await moveClock(startMs + ++days * DAY_MS);
        },
      ],
    ];

    async function goOn(id: string, args: { billMinor: number; currency: string }): Promise<void> {
      if (chance(0.2)) return;
      if (chance(0.3)) return giveBack(id, args);
      const parts =
        args.billMinor >= 2 * STEP_MINOR && chance(0.4)
          ? [STEP_MINOR, args.billMinor - STEP_MINOR]
          : [args.billMinor];
      for (const [place, billMinor] of parts.entries()) {
        const clearing = newName('clear');
        const final = place === parts.length - 1;
        const bill = decimal(billMinor);
        const wire = network('clearings', {
          external_transaction_id: id,
          clearing_id: clearing,
          amount: bill,
          currency: args.currency,
          bill_amount: bill,
          bill_currency: 'EUR',
          final,
        });
        const told = await settleMine('clear', clearing, { of: id, billMinor, final }, wire);
        if (told.outcome !== 'ok') return;
      }
      if (!chance(0.25)) return;
      const refund = newName('refund');
      const bill = decimal(STEP_MINOR);
      const body = { amount: bill, currency: args.currency, bill_amount: bill, bill_currency: 'EUR' };
      const wire = network('refunds', { external_transaction_id: id, refund_id: refund, ...body });
      await settleMine('refund', refund, { of: id, billMinor: STEP_MINOR }, wire);
    }

    async function giveBack(id: string, args: { billMinor: number }): Promise<void> {
      const reversal = newName('reverse');
      const partMinor = args.billMinor >= 2 * STEP_MINOR && chance(0.3) ? STEP_MINOR : undefined;
      const wire = network('reversals', {
        external_transaction_id: id,
        reversal_id: reversal,
        ...(partMinor && { bill_amount: decimal(partMinor) }),
      });
      await settleMine('reverse', reversal, { of: id, partMinor: partMinor ?? null }, wire);
    }

    async function alone(change: (card: Card) => Promise<void>): Promise<void> {
      const free = cards.filter((card) => !card.taken && !card.poor);
      if (free.length === 0) return;
      const card = oneOf(free);
      card.taken = true;
      await change(card);
    }

    /** At every server at once, what was just forbidden. */
    const probe = (card: Card, wallet?: number) =>
      Promise.all(
        places.map((place) => {
          const id = newName('auth');
          const { args, wire } = authorization(id, card, STEP_MINOR, wallet);
          return attempt(place, { operation: 'authorize', id, args }, wire);
        }),
      );

    async function freezeForAMoment(card: Card): Promise<void> {
      for (const freeze of [true, false]) {
        const operation = freeze ? 'freeze' : 'unfreeze';
        const wire = merchant('PUT', `${CARDS}${card.id}/freeze/`, { freeze });
        const { outcome } = await settleMine(operation, newName(operation), { card: card.id }, wire, false);
        if (freeze && outcome === 'ok') await probe(card);
      }
      card.taken = false;
    }

    /** For good: it stays taken, and everybody else may go on trying it. */
    async function block(card: Card): Promise<void> {
      if (cards.length < 12) {
        card.taken = false;
        return;
      }
      const wire = merchant('PUT', `${CARDS}${card.id}/block/`, { reason: 'reported lost' });
      await settleMine('block', newName('block'), { card: card.id }, wire, false);
      await probe(card);
      cards.splice(cards.indexOf(card), 1);
    }

    async function reissue(card: Card): Promise<void> {
      const id = newName('reissue');
      const before = card.wallet.length - 1;
      const body = { renewOption: 'NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE' };
      const wire = merchant('PUT', `${CARDS}${card.id}/replace/`, body, id);
      const { outcome } = await settleMine('reissue', id, { card: card.id, before }, wire, false);
      if (outcome === 'ok') {
        await probe(card, before);
        card.wallet.push(await reveal(card.id));
      }
      card.taken = false;
    }

    async function keyForAMoment(): Promise<void> {
      const name = newName('key');
      const made = await attempt(
        oneOf(places),
        { operation: 'create key', id: name, args: {} },
        console('POST', 'keys/', { kind: 'merchant', name }),
      );
      if (made.outcome !== 'ok') return;
      const args = { key: name };
      const use = () =>
        Promise.all(
          places.map((place) =>
            attempt(
              place,
              { operation: 'use key', id: newName('use'), args },
              {
                method: 'GET',
                path: `${CARDS}?page_size=1`,
                headers: { 'x-payments-api-key': made.answer.key },
              },
            ),
          ),
        );
      await use();
      await settleMine(
        'revoke key',
        newName('revoke'),
        args,
        console('DELETE', `keys/${made.answer.id}/`),
        false,
      );
      await use();
    }

    const total = stories.reduce((sum, [share]) => sum + share, 0);
    const choose = (): (typeof stories)[number] | undefined => {
      let left = random() * total;
      return stories.find(([share]) => {
        left -= share;
        return left < 0;
      });
    };
    // Each client begins with another one, so that even a short run meets them all.
    for (let next = stories[client % stories.length]; !stopped && next; next = choose()) await next[1]();
  }

  return {
    run: async (count) => {
      await Promise.all(Array.from({ length: count }, (_, client) => live(client)));
    },
    stop: () => {
      stopped = true;
    },
    settle,
    attempt,
    merchant,
    addCard,
    daysMoved: () => days,
    moveClock,
  };
}

const decimal = (minor: number): string => (minor / 100).toFixed(2);

/** Keys are no part of a history. */
function withoutSecrets(told: Told): Told {
  if (!told.answer || typeof told.answer !== 'object' || !('key' in told.answer)) return told;
  const { key: _key, ...answer } = told.answer;
  return { ...told, answer };
}
