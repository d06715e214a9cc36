import { setTimeout as pause } from 'node:timers/promises';
import { dayOf } from '../src/kernel/calendar.ts';
import { authorization, networkTarget, spreadOver } from './authorize.ts';
import { cpuMs, familyCpuMs, knowsCpuTime, parentOf } from './cpu-time.ts';
import { type Figure, median, rateText } from './figures.ts';
import { fillNumberedCards, type NumberedCards } from './fill-numbers.ts';
import { fillTransactions } from './fill-transactions.ts';
import { type Line, type LoadRequest, openLine, sendLoad } from './http-load.ts';
import { findBackend, vacuumAll } from './queries.ts';
import { FIVE_LEAVES, TEN_VELOCITIES } from './rule-conditions.ts';
import type { Stage } from './stage.ts';

const RULES = '/api/v1/merchant/rules/';
const CONNECTIONS = 64;
const FIRST_RANGE = 85;
const LIMITS = { rulesMicros: 20, velocitiesMicros: 60, window: 1.5, backtest: 50_000, beside: 0.8 };
const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 20;
/** Cards whose windows are full, and as many whose windows are not. */
const FULL = 8;

interface Paying {
  programId: string;
  key: string;
  networkKey: string;
  cards: NumberedCards;
}

/** What rules cost an authorization, and how fast the past is judged by one. */
export async function benchRules(stage: Stage, quick: boolean): Promise<Figure[]> {
  const cards = quick ? 5_000 : 20_000;
  const without = await paying(stage, 'Without rules', cards, 0);
  const ruled = await paying(stage, 'With rules', cards, 1);
  const counting = await paying(stage, 'With velocities', cards, 2);
  await vacuumAll(stage.db);
  for (const when of FIVE_LEAVES) await addRule(stage, ruled, when);
  for (const when of TEN_VELOCITIES) await addRule(stage, counting, when);
  return [
    ...(knowsCpuTime() ? await compareCosts(stage, { without, ruled, counting }, quick) : []),
    ...(knowsCpuTime() ? [await compareWindows(stage, counting, quick)] : []),
    ...(await backtests(stage, without, quick)),
  ];
}

async function paying(stage: Stage, name: string, count: number, index: number): Promise<Paying> {
  const { program, key, networkKey } = await stage.addProgram(name);
  const cards = await fillNumberedCards(stage, program, count, FIRST_RANGE + index);
  return { programId: program.id, key, networkKey, cards };
}

async function withLine<Value>(
  stage: Stage,
  { key }: Paying,
  work: (line: Line) => Promise<Value>,
): Promise<Value> {
  const line = await openLine({ url: stage.server.url, key });
  try {
    return await work(line);
  } finally {
    line.close();
  }
}

/** Active as soon as what it counts is known. */
const addRule = (stage: Stage, program: Paying, when: unknown): Promise<void> =>
  withLine(stage, program, async (line) => {
    const body = { name: 'Measured', appliesTo: 'PROGRAM', when, action: 'DECLINE' };
    const { id } = JSON.parse(await line.send({ method: 'POST', path: RULES, body }));
    const look = async () =>
      JSON.parse(await line.send({ method: 'GET', path: `${RULES}${id}/` })).status as string;
    while ((await look()) === 'PREPARING') await pause(LOOK_EVERY_MS);
    await line.send({ method: 'POST', path: `${RULES}${id}/promote/`, body: { confirm: true } });
  });

const load = (stage: Stage, { networkKey, cards }: Paying, count: number, make = spreadOver(cards)) =>
  sendLoad(networkTarget(stage.server.url, networkKey), CONNECTIONS, count, make);

/** The server's CPU time of an authorization, in turn, a short while each: the machine's speed changes. */
async function compareCosts(
  stage: Stage,
  programs: Record<'without' | 'ruled' | 'counting', Paying>,
  quick: boolean,
): Promise<Figure[]> {
  const [rounds, count] = quick ? [10, 1_500] : [40, 2_000];
  const names = ['without', 'ruled', 'counting'] as const;
  for (const name of names) await load(stage, programs[name], quick ? 6_000 : 20_000);
  const costs: Array<Record<(typeof names)[number], number>> = [];
  for (let round = 0; round < rounds; round++) {
    const cost = { without: 0, ruled: 0, counting: 0 };
    for (const name of names) {
      const before = cpuMs(stage.server.pid);
      await load(stage, programs[name], count);
      cost[name] = ((cpuMs(stage.server.pid) - before) * 1_000) / count;
    }
    costs.push(cost);
  }
  const figure = (name: string, of: 'ruled' | 'counting', micros: number): Figure => {
    const more = median(costs.map((cost) => cost[of] - cost.without));
    return {
      name: `${name}, server CPU of an authorization`,
      measured: `${more.toFixed(0)} µs more`,
      against: `${micros} µs; without rules ${median(costs.map(({ without }) => without)).toFixed(0)} µs`,
      ratio: more / micros,
      limit: { atMost: 1 },
    };
  };
  return [
    figure(`${FIVE_LEAVES.length} rules of 5 leaves`, 'ruled', LIMITS.rulesMicros),
    figure(`${TEN_VELOCITIES.length} velocities`, 'counting', LIMITS.velocitiesMicros),
  ];
}

/** Some cards with full windows against others that have hardly been used, in the same program. */
async function compareWindows(stage: Stage, program: Paying, quick: boolean): Promise<Figure> {
  const [purchases, rounds, count] = quick ? [1_000, 10, 160] : [10_000, 25, 160];
  const { cards } = program;
  const among = (first: number) => () => authorization(cards, first + Math.floor(Math.random() * FULL));
  await load(stage, program, FULL * purchases, among(0));
  const postmaster = parentOf(await findBackend(stage.db));
  const spent = { full: 0, new: 0 };
  const measure = async (name: keyof typeof spent, make: () => LoadRequest) => {
    const before = cpuMs(stage.server.pid) + familyCpuMs(postmaster);
    await load(stage, program, count, make);
    spent[name] += cpuMs(stage.server.pid) + familyCpuMs(postmaster) - before;
  };
  for (let round = 1; round <= rounds; round++) {
    await measure('full', among(0));
    await measure('new', among(round * FULL));
  }
  const text = (ms: number) => `${(ms / rounds / count).toFixed(2)} ms`;
  return {
    name: `CPU of server and PostgreSQL, ${purchases.toLocaleString('en')} purchases in the window`,
    measured: text(spent.full),
    against: `at most ${Math.ceil((2 * count) / FULL)} in it ${text(spent.new)}`,
    ratio: spent.full / spent.new,
    limit: { atMost: LIMITS.window },
  };
}

/** Backtests over a long past, and other programs' authorizations meanwhile. */
async function backtests(stage: Stage, others: Paying, quick: boolean): Promise<Figure[]> {
  const count = quick ? 200_000 : 1_000_000;
  const program = await paying(stage, 'With a past', quick ? 20_000 : 100_000, 3);
  const to = new Date(Date.now() - DAY_MS);
  const from = new Date(to.getTime() - 300 * DAY_MS);
  const { programId, cards } = program;
  await fillTransactions(stage.db, { programId, cardIds: cards.ids, count, from, to });
  await vacuumAll(stage.db);
  const days = { from: dayOf(from.getTime()), to: dayOf(to.getTime()) };
  return withLine(stage, program, async (line) => {
    const rate = async (name: string, when: unknown, limit?: Figure['limit']): Promise<Figure> => {
      const times: number[] = [];
      while (times.length < 3) times.push(await timed(() => backtest(line, when, days)));
      const seconds = median(times);
      return {
        name: `backtest of ${name}, ${count.toLocaleString('en')} transactions`,
        measured: rateText(count / seconds),
        against: rateText(LIMITS.backtest),
        ratio: count / seconds / LIMITS.backtest,
        ...(limit && { limit }),
      };
    };
    return [
      await rate('5 leaves', FIVE_LEAVES[0], { atLeast: 1 }),
      await rate('a velocity', TEN_VELOCITIES[0]),
      await besideBacktests(stage, others, () => backtest(line, FIVE_LEAVES[0], days), quick),
    ];
  });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}

/** From the request to the result. */
async function backtest(line: Line, when: unknown, days: { from: string; to: string }): Promise<void> {
  const path = '/api/v1/merchant/rule-backtests/';
  const rule = { name: 'Measured', appliesTo: 'PROGRAM', when, action: 'DECLINE' };
  const body = { rule, ...days, mode: 'OBSERVED' };
  const { id } = JSON.parse(await line.send({ method: 'POST', path, body }));
  for (;;) {
    const { status } = JSON.parse(await line.send({ method: 'GET', path: `${path}${id}/` }));
    if (status === 'COMPLETED') return;
    if (status === 'FAILED') throw new Error('the backtest failed');
    await pause(LOOK_EVERY_MS);
  }
}

/** In turn: alone, and while one backtest after the other runs. */
async function besideBacktests(
  stage: Stage,
  others: Paying,
  run: () => Promise<void>,
  quick: boolean,
): Promise<Figure> {
  const [rounds, count] = quick ? [3, 4_000] : [5, 15_000];
  const rates: Array<Record<'alone' | 'beside', number>> = [];
  for (let round = -1; round < rounds; round++) {
    const alone = (await load(stage, others, count)).perSecond;
    let done = false;
    const running = (async () => {
      while (!done) await run();
    })();
    const beside = (await load(stage, others, count)).perSecond;
    done = true;
    await running;
    // The first round only warms up.
    if (round >= 0) rates.push({ alone, beside });
  }
  return {
    name: "others' authorizations while backtests run",
    measured: rateText(median(rates.map(({ beside }) => beside))),
    against: `alone ${rateText(median(rates.map(({ alone }) => alone)))}`,
    ratio: median(rates.map(({ alone, beside }) => beside / alone)),
    limit: { atLeast: LIMITS.beside },
  };
}
