import { describe, expect, test } from 'vitest';
import { decimal } from '../model/card.ts';
import {
  authorizationOf,
  clearingOf,
  expectSoundBooks,
  incrementOf,
  type NetworkPath,
  ownProgram,
  type PayingCard,
  payingCard,
  reversalOf,
} from '../support/cards/network.ts';
import { seededRandom } from '../support/scripts/random.ts';
import { advanceDays } from '../support/server/clock.ts';
import { type TestApp, twoAppsForTests } from '../support/server/test-app.ts';

/**
 * A network that loses one message in ten in either direction. What it has no answer to, it undoes and decides itself, and
 * it repeats every reversal, advice and clearing until that is answered. After a day we must believe what it believes.
 */
const LOST = 0.1;
/** Of the requests that are lost, these arrive in the end. */
const DELAYED = 0.4;
const PURCHASES = 90;
/** Everything that the story is about happens. */
const SEED = 41;

/** What the network believes of a purchase. */
interface Belief {
  status: 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';
  heldMinor: bigint;
  clearedMinor: bigint;
}

interface Purchase {
  card: PayingCard;
  id: string;
  minor: bigint;
  belief: Belief;
}

type Random = () => number;

/** Of one card. Every message has a source of its own, so that those under way together do not change the story. */
function createNetwork(servers: readonly TestApp[], seed: number) {
  const random = seededRandom(seed);
  const chance = (share: number, own: Random = random): boolean => own() < share;
  const ownRandom = (): Random => seededRandom(Math.floor(random() * 2 ** 31));
  const told: string[] = [];
  const delayed: Array<() => Promise<unknown>> = [];

  async function deliver(card: PayingCard, path: NetworkPath, body: object, own: Random) {
    const app = servers[chance(0.5, own) ? 0 : 1] as TestApp;
    const { status, body: answer } = await card.with({ app }).send(path, body);
    expect([path, body, status, answer.message]).toEqual([path, body, 200, undefined]);
    return answer;
  }

  /** One try; undefined: the message or its answer is lost. */
  async function attempt(card: PayingCard, path: NetworkPath, body: object, own = ownRandom()) {
    if (!chance(LOST, own)) {
      const answer = await deliver(card, path, body, own);
      if (!chance(LOST, own)) return answer;
      told.push(`answer lost: ${path}`);
      return undefined;
    }
    told.push(`lost: ${path}`);
    if (chance(DELAYED, own)) delayed.push(() => deliver(card, path, body, own));
    return undefined;
  }

  async function insist(card: PayingCard, path: NetworkPath, body: object) {
    const own = ownRandom();
    for (;;) {
      const answer = await attempt(card, path, body, own);
      if (answer) return answer;
    }
  }

  /** In any order, or together. */
  async function inAnyOrder(...steps: Array<() => Promise<unknown>>): Promise<void> {
    if (chance(0.5)) steps.reverse();
    if (chance(0.3)) await Promise.all(steps.map((step) => step()));
    else for (const step of steps) await step();
  }

  /** Some of what was delayed arrives. */
  async function letArrive(share: number): Promise<void> {
    for (const arrive of delayed.splice(0, Math.ceil(delayed.length * share))) await arrive();
  }

  async function buy(card: PayingCard): Promise<Purchase> {
    const minor = BigInt(1 + Math.floor(random() * 3_000));
    const request = authorizationOf(card, decimal(minor), chance(0.5) ? {} : { partial_approval: true });
    const id = request.external_transaction_id;
    const purchase = (approved: boolean, heldMinor: bigint): Purchase => {
      const status = approved ? 'PENDING' : 'DECLINED';
      const belief = { status, heldMinor: approved ? heldMinor : 0n, clearedMinor: 0n } as const;
      return { card, id, minor: heldMinor, belief: { ...belief } };
    };
    const answer = await attempt(card, 'authorizations', request);
    if (answer) return purchase(answer.approved, BigInt(String(answer.bill_amount).replace('.', '')));
    // The network stands in, whatever we may have answered.
    const approved = chance(0.75);
    const { partial_approval: _partial, ...asked } = request as typeof request & { partial_approval?: true };
    const advice = { ...asked, ...(chance(0.5) && { advice_id: `advice-${id}` }), stand_in: { approved } };
    const timeout = reversalOf(id, { reason: 'TIMEOUT' });
    told.push(`stands in: ${approved ? 'approved' : 'declined'}`);
    await inAnyOrder(
      () => insist(card, 'reversals', timeout),
      () => insist(card, 'authorizations', advice),
      () => letArrive(0.5),
    );
    return purchase(approved, minor);
  }

  /** The network decides no increment itself: without an answer, there is none. */
  async function raise({ card, id, belief }: Purchase): Promise<void> {
    const request = incrementOf(card, id, '1.00');
    const answer = await attempt(card, 'increments', request);
    const { increment_id } = request;
    if (answer?.approved) belief.heldMinor += 100n;
    const isUndone = answer ? answer.approved && chance(0.3) : true;
    if (!isUndone) return;
    const reason = answer ? {} : { reason: 'TIMEOUT' };
    await insist(card, 'reversals', reversalOf(id, { increment_id, ...reason }));
    if (answer) belief.heldMinor -= 100n;
    told.push(answer ? 'increment reversed' : 'increment timed out');
  }

  async function cancel({ card, id, belief }: Purchase): Promise<void> {
    await insist(card, 'reversals', reversalOf(id));
    Object.assign(belief, { status: 'VOID', heldMinor: 0n });
    told.push('cancelled');
  }

  async function clear({ card, id, belief }: Purchase): Promise<void> {
    const minor = chance(0.5) ? belief.heldMinor : 1n + (belief.heldMinor * 2n) / 3n;
    await insist(card, 'clearings', clearingOf(card, id, decimal(minor), { card_number: card.number }));
    Object.assign(belief, { status: 'CLEARED', heldMinor: 0n, clearedMinor: minor });
    told.push('cleared');
  }

  async function live(card: PayingCard): Promise<Purchase> {
    const purchase = await buy(card);
    const { belief } = purchase;
    if (belief.status !== 'PENDING') return purchase;
    if (chance(0.4)) await raise(purchase);
    if (chance(0.2)) await cancel(purchase);
    else if (chance(0.5)) await clear(purchase);
    return purchase;
  }

  return { live, letArrive, told };
}

describe('a network that stands in', () => {
  const servers = twoAppsForTests();
  const [app] = servers;

  test('loses one message in ten in either direction: after a day, we believe what it believes', async () => {
    const owner = await ownProgram(app);
    const limits = [5_000, 5_000, 100];
    const cards = await Promise.all(limits.map((spendLimit) => payingCard(app, { spendLimit }, owner)));
    const networks = cards.map((_, index) => createNetwork(servers, SEED + index));
    const each = async (card: PayingCard, index: number): Promise<Purchase[]> => {
      const network = networks[index] as (typeof networks)[number];
      const lived: Purchase[] = [];
      for (let n = 0; n < PURCHASES / cards.length; n++) lived.push(await network.live(card));
      await network.letArrive(1);
      return lived;
    };
    const purchases = (await Promise.all(cards.map(each))).flat();
    await advanceDays(app, 1, owner.key);
    for (const [index, card] of cards.entries()) {
      const own = purchases.filter((purchase) => purchase.card === card);
      const taken = own.reduce((sum, { belief }) => sum + belief.heldMinor + belief.clearedMinor, 0n);
      expect(await card.available()).toBe(((limits[index] as number) * 100 - Number(taken)) / 100);
      expect(await shownOf(card)).toEqual(new Map(own.map(({ id, belief }) => [id, believed(belief)])));
    }
    expect([...new Set(networks.flatMap(({ told }) => told))].sort()).toEqual(MUST_HAPPEN);
    await expectSoundBooks(app);
  });
});

/** What was declined or is void takes nothing. */
const believed = ({ status, heldMinor, clearedMinor }: Belief) =>
  status === 'PENDING' || status === 'CLEARED' ? [status, Number(heldMinor + clearedMinor) / 100] : [status];

async function shownOf(card: PayingCard) {
  const { id, app, owner } = card;
  const path = `/api/v1/merchant/cards/${id}/transactions/?page_size=100`;
  const { body } = await app.call('GET', path, { key: owner.key });
  expect(body.next).toBeNull();
  type Shown = { external_transaction_id: string; status: Belief['status']; bill_amount: number };
  return new Map(
    (body.results as Shown[]).map(({ external_transaction_id, status, bill_amount }) => [
      external_transaction_id,
      status === 'PENDING' || status === 'CLEARED' ? [status, bill_amount] : [status],
    ]),
  );
}

const MUST_HAPPEN = [
  ...['answer lost: authorizations', 'answer lost: clearings', 'answer lost: increments'],
  ...['answer lost: reversals', 'cancelled', 'cleared', 'increment reversed', 'increment timed out'],
  ...['lost: authorizations', 'lost: clearings', 'lost: increments', 'lost: reversals'],
  ...['stands in: approved', 'stands in: declined'],
].sort();
