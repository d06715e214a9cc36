import { describe, expect, test } from 'vitest';
import { ruleBacktests } from '../../../src/authorizations/backtests/run-backtests.ts';
import { ruleVelocities } from '../../../src/authorizations/engine/fill-velocities.ts';
import { timeOf } from '../../../src/kernel/ids.ts';
import { consumerCard } from '../../support/cards/cards.ts';
import {
  networkApp,
  type Owner,
  ownProgram,
  type PayingCard,
  payingCard,
} from '../../support/cards/network.ts';
import { randomHistory } from '../../support/rules/random-history.ts';
import { BREAD, callsOf, RULES } from '../../support/rules/rules.ts';
import { seededRandom } from '../../support/scripts/random.ts';
import { advanceSeconds, today } from '../../support/server/clock.ts';
import { runToEnd } from '../../support/server/jobs.ts';

const app = networkApp();
const ANN = { meta: { ...consumerCard().meta, id: 'ann' } };
const VELOCITIES = [
  { measure: 'COUNT', per: 'CARD', window: { minutes: 5 }, limit: 1 },
  { measure: 'AMOUNT', per: 'CUSTOMER', window: { minutes: 120 }, limit: '60.00' },
  { measure: 'COUNT', per: 'CARD_MERCHANT', window: { calendar: 'DAY' }, limit: 3 },
  { measure: 'AMOUNT', per: 'CARD', window: { calendar: 'WEEK' }, limit: '100.00' },
  { measure: 'DECLINES', per: 'CUSTOMER', window: { calendar: 'MONTH' }, limit: 2 },
];
const when = {
  any: VELOCITIES.map(({ limit, ...velocity }, index) => ({
    velocity: {
      ...velocity,
      ...(index === 1 && { where: { field: 'channel', op: 'ne', value: 'ATM' } }),
    },
    op: 'gt',
    value: limit,
  })),
};

/** It sees whole purchases, who asked, and how. */
const PLAIN = {
  any: [
    { field: 'billAmount', op: 'gt', value: '22.00' },
    {
      all: [
        { field: 'channel', op: 'ne', value: 'ATM' },
        { field: 'initiator', op: 'eq', value: 'CARDHOLDER' },
        { field: 'billAmount', op: 'between', value: ['3.00', '11.00'] },
      ],
    },
  ],
};
/** The same, but counted: nobody buys a million times. */
const COUNTED_PLAIN = {
  any: [
    PLAIN,
    {
      velocity: { measure: 'COUNT', per: 'CARD', window: { minutes: 60 } },
      op: 'gt',
      value: 1_000_000,
    },
  ],
};

async function everyPage(path: string, owner: Owner) {
  const results: Array<Record<string, unknown>> = [];
  let next: string | null = `${path}?page_size=100`;
  while (next) {
    const { body } = await app.call('GET', next.replace(/^https?:\/\/[^/]+/, ''), { key: owner.key });
    results.push(...body.results);
    next = body.next;
  }
  return results;
}

/** That it lists its leaves differs. */
const valuesLeft = (matches: Array<Record<string, unknown>>) => matches.map(({ values, ...match }) => match);

const worker = (page?: number) => ruleBacktests({ ...app, keeper: app.vault, ...(page && { page }) });
const runAlone = () => runToEnd(worker());

/** Workers of which each takes a turn of a few events, and some end with all that they had in memory. */
async function runWithKills(): Promise<void> {
  const workers = [worker(25), worker(25)];
  const turn = { deadline: 0, isStopping: () => false };
  for (let turns = 0; ; turns++) {
    if (turns % 30 === 29) workers.shift();
    expect(turns).toBeLessThan(1_000);
    if (workers.length < 2) workers.push(worker(25));
    const taken = workers[turns % 2] as ReturnType<typeof worker>;
    const [due] = await taken.findDue();
    if (!due) break;
    await taken.work(due, turn);
  }
}

async function backtest(owner: Owner, ruleId: string, body: object, run = runAlone) {
  const path = `${RULES}${ruleId}/backtests/`;
  const queued = await app.call('POST', path, { key: owner.key, body });
  expect([queued.status, queued.body.message]).toEqual([202, undefined]);
  await run();
  const { body: done } = await app.call('GET', `${path}${queued.body.id}/`, { key: owner.key });
  return { done, matches: await everyPage(`${path}${queued.body.id}/matches/`, owner) };
}

describe('a backtest', () => {
  test('finds exactly what a rule with velocities recorded in SHADOW', { timeout: 240_000 }, async () => {
    const owner = await ownProgram(app);
    const cards = await Promise.all([1, 2].map(() => payingCard(app, ANN, owner)));
    const calls = callsOf(app, owner);
    const { id } = await calls.create({ when });
    const plain = await calls.create({ when: PLAIN });
    await runToEnd(ruleVelocities(app));
    const from = await today(app, owner.key);
    await randomHistory(cards, Number(process.env['EMBOSS_SEED'] ?? 7), 120);
    const to = await today(app, owner.key);
    const recorded = await everyPage(`${RULES}${id}/matches/`, owner);
    const { done, matches } = await backtest(owner, id, { from, to, mode: 'OBSERVED' });
    expect(matches).toEqual(recorded);
    expect(recorded.length).toBeGreaterThan(20);
    const again = await backtest(owner, id, { from, to, mode: 'OBSERVED' }, runWithKills);
    const named = { id: expect.any(String), createdAt: expect.any(String), completedAt: expect.any(String) };
    expect(again).toEqual({ done: { ...done, ...named }, matches });
    const uncounted = await backtest(owner, plain.id, { from, to, mode: 'OBSERVED' }, runWithKills);
    expect(uncounted.matches).toEqual(await everyPage(`${RULES}${plain.id}/matches/`, owner));
    expect(uncounted.matches.length).toBeGreaterThan(20);
    const counted = await calls.create({ when: COUNTED_PLAIN });
    const asIfActive = async (ruleId: string) => {
      const result = await backtest(owner, ruleId, { from, to, mode: 'AS_IF_ACTIVE' }, runWithKills);
      expect(result.done.notEvaluated.why.purchaseDeclined).toBeGreaterThan(0);
      return { done: { ...result.done, ...named, ruleId: null }, matches: valuesLeft(result.matches) };
    };
    expect(await asIfActive(plain.id)).toEqual(await asIfActive(counted.id));
    const { body } = await app.call('GET', `${RULES}${id}/report/?from=${from}&to=${to}`, { key: owner.key });
    const days = (all: Array<{ evaluated: number }>) => all.filter(({ evaluated }) => evaluated > 0);
    expect(done).toMatchObject({ status: 'COMPLETED', approximate: false, matched: recorded.length });
    expect(days(done.byDay)).toEqual(
      days(
        body.byDay.map(
          ({ wouldHaveChanged, ...day }: { wouldHaveChanged: number; evaluated: number }) => day,
        ),
      ),
    );
  });

  test('counts the approvals among the attempts, and says how far it is', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, ANN, owner);
    const from = await today(app, owner.key);
    await card.hold('1.00', { merchant: BREAD });
    await card.hold('2.00');
    const { approved } = await card.authorize('90000.00', { merchant: BREAD });
    expect(approved).toBe(false);
    const calls = callsOf(app, owner);
    const { id } = await calls.create();
    const to = await today(app, owner.key);
    const path = `${RULES}${id}/backtests/`;
    const body = { from, to, mode: 'OBSERVED' };
    const queued = (await app.call('POST', path, { key: owner.key, body })).body;
    expect(queued).toMatchObject({ status: 'QUEUED', progress: 0, evaluated: 0, approved: 0 });
    const slow = worker(1);
    const [due] = await slow.findDue(owner.program.id);
    await slow.work(due as NonNullable<typeof due>, { deadline: 0, isStopping: () => false });
    const running = await calls.get(`${path}${queued.id}/`);
    expect(running).toMatchObject({ status: 'RUNNING', evaluated: 1, approved: 1 });
    expect(running.progress).toBeGreaterThan(0);
    expect(running.progress).toBeLessThan(100);
    await runAlone();
    expect(await calls.get(`${path}${queued.id}/`)).toMatchObject({
      ...{ status: 'COMPLETED', progress: 100, evaluated: 3, approved: 2, matched: 2, alreadyDeclined: 1 },
      approvedThatWouldBeDeclined: { count: 1, amount: '1.00' },
    });
  });

  test('as if active, leaves out what the rule would have declined', { timeout: 240_000 }, async () => {
    const owner = await ownProgram(app);
    const cards = await Promise.all([1, 2].map(() => payingCard(app, ANN, owner)));
    const from = await today(app, owner.key);
    await simpleHistory(cards, 5, 150);
    const to = await today(app, owner.key);
    const { id } = await callsOf(app, owner).create({ when: over(NAIVE), reason: 'COUNT' });
    for (const mode of ['OBSERVED', 'AS_IF_ACTIVE'] as const) {
      const { done, matches } = await backtest(owner, id, { from, to, mode }, runWithKills);
      const expected = await naively(owner, mode === 'AS_IF_ACTIVE');
      expect([mode, matches.map((match) => match['id']).reverse()]).toEqual([mode, expected.matched]);
      expect(done).toMatchObject({ notEvaluated: { why: { purchaseDeclined: expected.skipped } } });
      expect(expected.matched.length).toBeGreaterThan(20);
    }
  });
});

const NAIVE = { minutes: 5, count: 2, amount: '25.00' };

const over = ({ minutes, count, amount }: typeof NAIVE) => ({
  any: [
    { velocity: { measure: 'COUNT', per: 'CARD', window: { minutes } }, op: 'gt', value: count },
    { velocity: { measure: 'AMOUNT', per: 'CUSTOMER', window: { minutes } }, op: 'gt', value: amount },
  ],
});

async function simpleHistory(cards: PayingCard[], seed: number, rounds: number): Promise<void> {
  const random = seededRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const amount = () => (random() * 8 + 0.01).toFixed(2);
  const held: Array<{ card: PayingCard; id: string }> = [];
  for (let round = 0; round < rounds; round++) {
    const known = held.length > 0 && random() < 0.5 ? pick(held.slice(-6)) : undefined;
    const card = pick(cards);
    if (!known) held.push({ card, id: await card.hold(amount()) });
    else if (random() < 0.5) await known.card.increment(known.id, amount());
    else await known.card.reverse(known.id, random() < 0.5 ? {} : { amount: amount(), currency: 'EUR' });
    if (random() < 0.3) await advanceSeconds(app, pick([20, 90, 240]), owner(cards).key);
  }
}
const owner = ([card]: PayingCard[]): Owner => (card as PayingCard).owner;

/** All that has been, seen anew for each attempt. */
async function naively({ program }: Owner, isAsIfActive: boolean) {
  const events = await app.db.query<{
    id: string;
    eventName: string;
    cardId: string;
    data: Record<string, string>;
  }>(
    `select id, event_name, card_id, data from events where program_id = $1 and event_type = 'transaction' order by id`,
    [program.id],
  );
  interface Part {
    purchase: string;
    card: string;
    atMs: number;
    minor: number;
    first: boolean;
    out: boolean;
  }
  const parts: Part[] = [];
  const declined = new Set<string>();
  const matched: string[] = [];
  let skipped = 0;
  for (const { id, eventName, cardId, data } of events) {
    const minor = Math.round(Number(data['bill_amount']) * 100);
    const purchase = data['transaction_id'] as string;
    const own = parts.filter((part) => part.purchase === purchase);
    if (eventName === 'authorization.reversal') {
      let left = minor;
      for (const part of own.reverse()) {
        const taken = Math.min(left, part.minor);
        part.minor -= taken;
        left -= taken;
      }
      continue;
    }
    const first = eventName === 'authorization';
    const approved = first || eventName === 'authorization.increment';
    if (isAsIfActive && declined.has(purchase)) {
      skipped++;
      continue;
    }
    const now = { purchase, card: cardId, atMs: timeOf(id), minor, first, out: false };
    const isOpen = (part: Part) =>
      [...parts, now].some((each) => each.purchase === part.purchase && each.minor > 0);
    const inWindow = [...parts, now].filter(
      ({ atMs, out }) => !out && atMs > now.atMs - NAIVE.minutes * 60_000,
    );
    const count = inWindow.filter(
      (part) => part.first && part.card === cardId && (part === now || isOpen(part)),
    );
    const sum = inWindow.reduce((total, part) => total + part.minor, 0);
    const isMatch = count.length > NAIVE.count || sum > Number(NAIVE.amount) * 100;
    if (isMatch) matched.push(id);
    if (isMatch && approved && isAsIfActive && first) declined.add(purchase);
    if (approved) parts.push({ ...now, out: isMatch && isAsIfActive });
  }
  return { matched, skipped };
}
