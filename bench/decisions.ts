import { networkTarget, spreadOver } from './authorize.ts';
import { type Figure, median, msText, percentile, rateText } from './figures.ts';
import { fillNumberedCards, type NumberedCards } from './fill-numbers.ts';
import { type LoadTarget, openLine, sendLoad, sendPaced } from './http-load.ts';
import { keptMemory, mebibytes } from './memory.ts';
import { setAuthorizationMode, vacuumAll } from './queries.ts';
import type { Stage } from './stage.ts';

const FIRST_RANGE = 60;
const CONNECTIONS = 256;
const LIMITS = { idle: 2.5, rate: 0.5, beside: 1.2, memory: 1.1 };
/** Few, because the waits are measured and not the CPU. */
const BESIDE_PER_SECOND = 50;

interface Paying {
  target: LoadTarget;
  cards: NumberedCards;
}

/** The merchant decides, against the same server deciding alone. */
export async function benchDecisions(stage: Stage, quick: boolean): Promise<Figure[]> {
  const { url } = await stage.startReceiver();
  const cards = quick ? 2_000 : 20_000;
  const standard = await paying(stage, 'Standard', cards, 0);
  const realTime = await paying(stage, 'Merchant decides', cards, 1, `${url}/approve`);
  const hung = await paying(stage, 'Merchant hangs', cards, 2, `${url}/hang`);
  await vacuumAll(stage.db);
  const [rounds, count] = quick ? [3, 3_000] : [5, 10_000];
  for (const program of [standard, realTime]) await load(program, CONNECTIONS, count * 2);
  return [
    await idleLatency(standard, realTime, rounds),
    await peakRate(standard, realTime, rounds, count),
    await besideHung(standard, hung, rounds),
    await memory(stage, realTime, quick ? 10_000 : 100_000),
  ];
}

async function paying(
  stage: Stage,
  name: string,
  count: number,
  index: number,
  url?: string,
): Promise<Paying> {
  const { program, key, networkKey } = await stage.addProgram(name);
  const cards = await fillNumberedCards(stage, program, count, FIRST_RANGE + index);
  if (url !== undefined) {
    const line = await openLine({ url: stage.server.url, key });
    const path = '/api/v1/merchant/decision-endpoints/authorization/';
    await line.send({ method: 'PUT', path, body: { url, onFailure: 'STANDARD' } });
    line.close();
    await setAuthorizationMode(stage.db, program.id, 'REAL_TIME');
  }
  return { target: networkTarget(stage.server.url, networkKey), cards };
}

const load = ({ target, cards }: Paying, connections: number, count: number) =>
  sendLoad(target, connections, count, spreadOver(cards));

async function idleLatency(standard: Paying, realTime: Paying, rounds: number): Promise<Figure> {
  const pairs: Array<{ own: number; realTime: number }> = [];
  for (let round = 0; round < rounds; round++)
    pairs.push({
      own: median((await load(standard, 1, 200)).latenciesMs),
      realTime: median((await load(realTime, 1, 200)).latenciesMs),
    });
  return {
    name: 'merchant decides, idle server',
    measured: msText(median(pairs.map((pair) => pair.realTime))),
    against: `decided by Emboss ${msText(median(pairs.map(({ own }) => own)))}`,
    ratio: median(pairs.map((pair) => pair.realTime / pair.own)),
    limit: { atMost: LIMITS.idle },
  };
}

async function peakRate(standard: Paying, realTime: Paying, rounds: number, count: number): Promise<Figure> {
  const pairs: Array<{ own: number; realTime: number }> = [];
  for (let round = 0; round < rounds; round++)
    pairs.push({
      own: (await load(standard, CONNECTIONS, count)).perSecond,
      realTime: (await load(realTime, CONNECTIONS, count)).perSecond,
    });
  return {
    name: `merchant decides, ${CONNECTIONS} connections`,
    measured: rateText(median(pairs.map((pair) => pair.realTime))),
    against: `decided by Emboss ${rateText(median(pairs.map(({ own }) => own)))}`,
    ratio: median(pairs.map((pair) => pair.realTime / pair.own)),
    limit: { atLeast: LIMITS.rate },
  };
}

/** One program's authorizations while the merchant of another gives no answer. */
async function besideHung(standard: Paying, hung: Paying, rounds: number): Promise<Figure> {
  const measure = async () =>
    percentile(await sendPaced(standard.target, 16, 200, 600, spreadOver(standard.cards)), 0.5);
  const pairs: Array<{ alone: number; beside: number }> = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await measure();
    const [beside] = await Promise.all([
      measure(),
      sendPaced(hung.target, 200, BESIDE_PER_SECOND, 150, spreadOver(hung.cards)),
    ]);
    pairs.push({ alone, beside });
  }
  return {
    name: 'another program beside a merchant that hangs: p50',
    measured: msText(median(pairs.map(({ beside }) => beside))),
    against: `alone ${msText(median(pairs.map(({ alone }) => alone)))}`,
    ratio: median(pairs.map(({ alone, beside }) => beside / alone)),
    limit: { atMost: LIMITS.beside },
  };
}

async function memory(stage: Stage, realTime: Paying, count: number): Promise<Figure> {
  await load(realTime, 64, count / 10);
  const before = await keptMemory(stage, realTime.target);
  await load(realTime, 64, count);
  const after = await keptMemory(stage, realTime.target);
  return {
    name: `memory after ${count} decisions`,
    measured: mebibytes(after.heapBytes),
    against: `before ${mebibytes(before.heapBytes)}`,
    ratio: after.heapBytes / before.heapBytes,
    limit: { atMost: LIMITS.memory },
  };
}
