import { networkTarget, spreadOver } from './authorize.ts';
import { type Figure, median, msText, percentile, rateText } from './figures.ts';
import { fillNumberedCards, type NumberedCards } from './fill-numbers.ts';
import { type LoadRequest, sendLoad } from './http-load.ts';
import { vacuumAll } from './queries.ts';
import type { Server, Stage } from './stage.ts';

const PROGRAMS = 20;
const FIRST_RANGE = 30;
/** At least so much of one program's rate, by the number of connections. */
const LIMITS: Record<number, number> = { 60: 0.5, 260: 0.65 };
const TAIL_LIMIT = 4;
/** The network has given up by then. */
const TOO_SLOW_MS = 2_000;

interface OneProgram {
  key: string;
  cards: NumberedCards;
}

/** Many programs at once are the normal case of a platform. */
export async function benchManyPrograms(stage: Stage, quick: boolean): Promise<Figure[]> {
  const add = async (index: number, cards: number): Promise<OneProgram> => {
    const { program, networkKey } = await stage.addProgram(`Program ${index}`);
    return {
      key: networkKey,
      cards: await fillNumberedCards(stage, program, cards, FIRST_RANGE + index),
    };
  };
  const each = quick ? 200 : 1_000;
  const programs: [OneProgram, ...OneProgram[]] = [await add(0, each * PROGRAMS)];
  for (let index = 1; index <= PROGRAMS; index++) programs.push(await add(index, each));
  await vacuumAll(stage.db);
  const sizes = quick ? ([3, 3_000] as const) : ([5, 10_000] as const);
  return [
    ...(await manyPrograms(stage.server, programs, 60, sizes)),
    ...(await manyPrograms(stage.server, programs, 260, sizes)),
  ];
}

/** The same connections spread over twenty programs, against one program with all of them. */
async function manyPrograms(
  { url }: Server,
  [single, ...others]: readonly [OneProgram, ...OneProgram[]],
  connections: number,
  [rounds, count]: readonly [number, number],
): Promise<Figure[]> {
  const targets = others.map(({ key }) => networkTarget(url, key));
  const spreads = others.map(({ cards }) => spreadOver(cards));
  const rates: Array<{ one: number; many: number; latenciesMs: number[] }> = [];
  for (let round = -1; round < rounds; round++) {
    const one = await sendLoad(networkTarget(url, single.key), connections, count, spreadOver(single.cards));
    const many = await sendLoad(
      targets,
      connections,
      count,
      (_, target) => spreads[target]?.() as LoadRequest,
    );
    // The first round only warms up.
    if (round >= 0) rates.push({ one: one.perSecond, many: many.perSecond, latenciesMs: many.latenciesMs });
  }
  const name = `authorize in ${PROGRAMS} programs, ${connections} connections`;
  const all = rates.flatMap(({ latenciesMs }) => latenciesMs);
  const slow = all.filter((ms) => ms > TOO_SLOW_MS).length;
  return [
    {
      name,
      measured: rateText(median(rates.map(({ many }) => many))),
      against: `one program ${rateText(median(rates.map(({ one }) => one)))}`,
      ratio: median(rates.map(({ one, many }) => many / one)),
      limit: { atLeast: LIMITS[connections] as number },
    },
    {
      name: `${name}: p99`,
      measured: msText(percentile(all, 0.99)),
      against: `p50 ${msText(percentile(all, 0.5))}`,
      ratio: median(
        rates.map(({ latenciesMs }) => percentile(latenciesMs, 0.99) / percentile(latenciesMs, 0.5)),
      ),
      ...(connections === 260 ? { limit: { atMost: TAIL_LIMIT } } : {}),
    },
    {
      name: `${name}: slower than 2 s`,
      measured: String(slow),
      against: String(all.length),
      ratio: slow,
      limit: { atMost: 0 },
    },
  ];
}
