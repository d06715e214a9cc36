import { randomUUID } from 'node:crypto';
import { addUses, findUsable } from '../src/authentications/queries.ts';
import { contentOf } from '../src/authorizations/core/message.ts';
import { createEngine, usualDeadline } from '../src/authorizations/engine/engine.ts';
import { openCluster } from '../src/db/citus/open-cluster.ts';
import { withoutResponse } from '../src/decisions/decision.ts';
import { NO_METRICS } from '../src/kernel/metric.ts';
import type { Program } from '../src/programs/program.ts';
import { type Recorded, recordTransactions, replayTransactions } from './bare-transactions.ts';
import { cpuMs, familyCpuMs, knowsCpuTime, parentOf } from './cpu-time.ts';
import { type Figure, median, msText, percentile, rateText } from './figures.ts';
import { fillNumberedCards, type NumberedCards } from './fill-numbers.ts';
import { type LoadRequest, type LoadTarget, sendLoad, sendPaced } from './http-load.ts';
import { findBackend, recycleLog, setBalance, vacuumAll } from './queries.ts';
import type { Server, Stage } from './stage.ts';

const PATH = '/api/v1/network/authorizations/';
const LIMITS = { bareRate: 0.4, noopCpu: 1.5, cpu: 2.3, alone: 2, hot: 0.7, idle: 2, p99: 5 };
const MERCHANT = { id: 'm-1001', name: 'Corner Coffee', mcc: '5814', city: 'London', country: 'GB' };
const BILLION = 1_000_000_000n;

export const authorization = (cards: NumberedCards, index: number): LoadRequest => ({
  method: 'POST',
  path: PATH,
  body: {
    external_transaction_id: randomUUID(),
    card_number: cards.numberOf(index),
    expiry: cards.expiry,
    amount: '0.10',
    currency: 'EUR',
    channel: 'POS',
    merchant: MERCHANT,
  },
});

/** An authorization on any of the cards. */
export const spreadOver = (cards: NumberedCards) => () =>
  authorization(cards, Math.floor(Math.random() * cards.count));

/** The same requests for the no-op server. */
const noopOf = (make: () => LoadRequest) => () => ({ ...make(), path: '/authorize/' });

export const networkTarget = (url: string, key: string): LoadTarget => ({
  url,
  key,
  keyHeader: 'x-network-key',
});

interface Scene {
  stage: Stage;
  key: string;
  program: Program;
  cards: NumberedCards;
  rounds: number;
  count: number;
}

/** Durable authorizations over HTTP, against the baselines. */
export async function benchAuthorize(stage: Stage, quick: boolean): Promise<Figure[]> {
  const { program, networkKey: key } = await stage.addProgram('Authorize');
  const cards = await fillNumberedCards(stage, program, quick ? 20_000 : 100_000, 1);
  await vacuumAll(stage.db);
  const sizes = quick ? { rounds: 3, count: 3_000 } : { rounds: 5, count: 10_000 };
  const scene = { stage, key, program, cards, ...sizes };
  await warmUp(scene);
  const peaks = [await compareRates(scene, 64), await compareRates(scene, 256)];
  const peak = Math.max(...peaks.map(({ perSecond }) => perSecond));
  return [
    ...peaks.flatMap(({ figures }) => figures),
    await hotCard(scene),
    ...(await latencies(scene, peak)),
  ];
}

/** V8 compiles for some ten thousand requests; the comparison starts after them. */
async function warmUp({ stage, key, cards, count }: Scene): Promise<void> {
  const spread = spreadOver(cards);
  await sendLoad(networkTarget(stage.server.url, key), 64, count * 4, spread);
  await sendLoad(networkTarget(stage.noop.url, key), 64, count * 4, noopOf(spread));
  await sendLoad(networkTarget(stage.bare.url, key), 64, count * 4, noopOf(spread));
  await sendLoad(networkTarget(stage.alone.url, key), 64, count, spread);
}

async function compareRates(scene: Scene, connections: number) {
  const { stage, key, cards, rounds, count } = scene;
  const spread = spreadOver(cards);
  const noop = noopOf(spread);
  const postmaster = parentOf(await findBackend(stage.db));
  const measure = async ({ url, pid }: Server, requests: number, make: () => LoadRequest): Promise<Cost> => {
    const before = { server: cpuMs(pid), database: familyCpuMs(postmaster) };
    const { perSecond } = await sendLoad(networkTarget(url, key), connections, requests, make);
    return {
      perSecond,
      cpuMs: (cpuMs(pid) - before.server) / requests,
      databaseMs: (familyCpuMs(postmaster) - before.database) / requests,
    };
  };
  const costs: Array<Record<'gathered' | 'bare' | 'noop' | 'alone', Cost>> = [];
  for (let round = 0; round < rounds; round++)
    costs.push({
      gathered: await measure(stage.server, count, spread),
      bare: await measure(stage.bare, count, noop),
      noop: await measure(stage.noop, count, noop),
      alone: await measure(stage.alone, count / 4, spread),
    });
  const of = (name: keyof (typeof costs)[number], what: keyof Cost) =>
    median(costs.map((cost) => cost[name][what]));
  // Ratios within a round are stable also on a machine whose speed changes.
  const ratio = (
    name: keyof (typeof costs)[number],
    against: keyof (typeof costs)[number],
    what: keyof Cost,
  ) => median(costs.map((cost) => cost[name][what] / cost[against][what]));
  const perSecond = of('gathered', 'perSecond');
  const name = `authorize, ${connections} connections`;
  const rate = (against: 'bare' | 'noop' | 'alone', label: string, limit?: Figure['limit']): Figure => ({
    name,
    measured: rateText(perSecond),
    against: `${label} ${rateText(of(against, 'perSecond'))}`,
    ratio: ratio('gathered', against, 'perSecond'),
    ...(limit ? { limit } : {}),
  });
  const cpu = (what: 'gathered' | 'noop', label: string, limit: Figure['limit'] & object): Figure => ({
    name: `${label}, ${connections} connections`,
    measured: msText(of(what, 'cpuMs')),
    against: `bare Fastify ${msText(of('bare', 'cpuMs'))}`,
    ratio: ratio(what, 'bare', 'cpuMs'),
    limit,
  });
  const figures = [
    rate('bare', 'bare Fastify', connections === 256 ? { atLeast: LIMITS.bareRate } : undefined),
    rate('noop', 'our stack without work'),
    rate('alone', 'a transaction each', { atLeast: LIMITS.alone }),
    ...(knowsCpuTime()
      ? [
          cpu('noop', 'CPU of our stack without work', { atMost: LIMITS.noopCpu }),
          cpu('gathered', 'CPU of an authorization in the server', { atMost: LIMITS.cpu }),
          {
            name: `CPU of an authorization in PostgreSQL, ${connections} connections`,
            measured: msText(of('gathered', 'databaseMs')),
            against: `in the server ${msText(of('gathered', 'cpuMs'))}`,
            ratio: median(costs.map(({ gathered }) => gathered.databaseMs / gathered.cpuMs)),
          },
        ]
      : []),
  ];
  return { perSecond, figures };
}

interface Cost {
  perSecond: number;
  cpuMs: number;
  databaseMs: number;
}

async function hotCard({ stage, key, program, cards, rounds, count }: Scene): Promise<Figure> {
  const target = networkTarget(stage.server.url, key);
  await setBalance(stage.db, program.id, cards.ids[0] as string, BILLION);
  const spread = spreadOver(cards);
  const rates: Array<{ hot: number; spread: number }> = [];
  for (let round = 0; round < rounds; round++)
    rates.push({
      hot: (await sendLoad(target, 64, count, () => authorization(cards, 0))).perSecond,
      spread: (await sendLoad(target, 64, count, spread)).perSecond,
    });
  return {
    name: 'authorize, one hot card',
    measured: rateText(median(rates.map(({ hot }) => hot))),
    against: `spread ${rateText(median(rates.map((rate) => rate.spread)))}`,
    ratio: median(rates.map((rate) => rate.hot / rate.spread)),
    limit: { atLeast: LIMITS.hot },
  };
}

async function latencies(scene: Scene, peak: number): Promise<Figure[]> {
  const target = networkTarget(scene.stage.server.url, scene.key);
  return [await idleLatency(scene, target), ...(await tailAtHalfThePeak(scene, target, peak))];
}

/** Round by round, as the rates are; what a rare stall costs shows in the tail of all rounds together. */
async function tailAtHalfThePeak(
  { stage, cards, rounds, count }: Scene,
  target: LoadTarget,
  peak: number,
): Promise<Figure[]> {
  const latencies: number[][] = [];
  await recycleLog(stage.db);
  for (let round = 0; round < rounds; round++)
    latencies.push(await sendPaced(target, 256, peak / 2, count, spreadOver(cards)));
  const figure = (name: string, tails: ReadonlyArray<{ p50: number; p99: number }>): Figure => ({
    name,
    measured: msText(median(tails.map(({ p99 }) => p99))),
    against: `p50 ${msText(median(tails.map(({ p50 }) => p50)))}`,
    ratio: median(tails.map(({ p50, p99 }) => p99 / p50)),
  });
  const tailOf = (ms: number[]) => ({ p50: percentile(ms, 0.5), p99: percentile(ms, 0.99) });
  return [
    { ...figure('p99 at half the peak rate', latencies.map(tailOf)), limit: { atMost: LIMITS.p99 } },
    figure('p99 of all rounds together', [tailOf(latencies.flat())]),
  ];
}

/** One client alone, against the bare statements of the same transactions. */
async function idleLatency(scene: Scene, target: LoadTarget): Promise<Figure> {
  const { stage, cards, rounds } = scene;
  const spread = spreadOver(cards);
  const rates: Array<{ product: number; bare: number }> = [];
  for (let round = -1; round < rounds; round++) {
    const recorded = await recordAuthorizations(scene, 100);
    const bare = await replayTransactions(stage.databaseUrl, 1, recorded);
    const product = await sendLoad(target, 1, recorded.length, spread);
    // The first round only warms up.
    if (round >= 0) rates.push({ product: mean(product.latenciesMs), bare: mean(bare.latenciesMs) });
  }
  return {
    name: 'one authorization, idle server',
    measured: msText(median(rates.map(({ product }) => product))),
    against: `bare SQL transaction ${msText(median(rates.map(({ bare }) => bare)))}`,
    ratio: median(rates.map(({ product, bare }) => product / bare)),
    limit: { atMost: LIMITS.idle },
  };
}

function recordAuthorizations({ stage, program, cards }: Scene, count: number): Promise<Recorded[]> {
  const { db, vault } = stage;
  const first = Math.floor(Math.random() * (cards.count - count));
  const ids = cards.ids.slice(first, first + count);
  return recordTransactions(db, async (recorder) => {
    const submit = createEngine(
      {
        db: await openCluster(recorder),
        vault,
        authentications: { addUses, findUsable },
        rulesOf: () => Promise.reject(new Error('the program has no rules')),
        metrics: NO_METRICS,
        requestDecision: async () => withoutResponse('unreachable', 0),
      },
      { gathered: false },
    );
    for (const cardId of ids)
      await submit(
        program,
        {
          kind: 'authorization',
          ...idsOf(randomUUID()),
          card: { cardId, numberId: undefined },
          expiry: cards.expiry,
          cvv: undefined,
          ...{ amountMinor: 10n, currency: 'EUR', billAmountMinor: 10n, channel: 'POS', acceptor: MERCHANT },
          ...{ type: 'PURCHASE', partialApproval: false },
          ...{ authentication: undefined, splitOf: undefined },
          content: contentOf(vault, randomUUID()),
        },
        { source: 'network', deadline: usualDeadline() },
      );
  });
}

const idsOf = (id: string) => ({ messageId: id, externalTransactionId: id, network: null });

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
