import { dayOf } from '../src/kernel/calendar.ts';
import { type Figure, median, msText } from './figures.ts';
import { milestonesSettle } from './list-pages.ts';
import { diskBytes, forgetMilestones, vacuumAll } from './queries.ts';
import { connectTo, OPERATIONS, type Sized, timeOperation } from './size-operations.ts';
import { fillSizedProgram, type ReportedDay, type SizedProgram } from './size-programs.ts';
import { timeReport } from './size-report.ts';
import type { Stage } from './stage.ts';

const DAY_MS = 86_400_000;
const SIZES = { full: [10_000, 1_000_000, 10_000_000], quick: [2_000, 20_000, 200_000] };
const FIRST_RANGE = 11;
const LISTS = ['/api/v1/merchant/transactions/', '/api/v1/merchant/cards/'];
const AT_MOST = 2;
const WARM_UP = 10;

type Times = Map<Sized, number[]>;

/** What one request costs in a program of each size, side by side in one database. */
export async function benchSizes(stage: Stage, quick: boolean): Promise<Figure[]> {
  const sizes = quick ? SIZES.quick : SIZES.full;
  const smallest = sizes[0] as number;
  const reported = { day: dayOf(Date.now() - 2 * DAY_MS), rows: smallest / 2 };
  const filled: SizedProgram[] = [];
  let grown: Record<string, number> = {};
  for (const [place, transactions] of sizes.entries()) {
    const before = await diskBytes(stage.db);
    filled.push(
      await fillSizedProgram(stage, {
        transactions,
        range: FIRST_RANGE + place,
        regulars: smallest / 10,
        reported,
      }),
    );
    const after = await diskBytes(stage.db);
    grown = Object.fromEntries(Object.keys(after).map((table) => [table, difference(table, before, after)]));
  }
  await forgetMilestones(stage.db);
  await vacuumAll(stage.db);
  const programs = await Promise.all(filled.map((program) => connectTo(stage, program)));
  try {
    for (const path of LISTS)
      for (const { merchant } of programs)
        await milestonesSettle((programs[0] as Sized).merchant, merchant, path);
    return [
      ...(await timeOperations(programs, quick ? 50 : 200)),
      ...(await timeReports(stage, programs, reported, quick ? 5 : 15)),
      diskFigure(sizes.at(-1) as number, grown),
    ];
  } finally {
    for (const { merchant, network, console } of programs)
      for (const line of [merchant, network, console]) line.close();
  }
}

const difference = (table: string, before: Record<string, number>, after: Record<string, number>): number =>
  (after[table] as number) - (before[table] as number);

/** One request of every kind in every program in turn, so that all of them meet the same weather. */
async function timeOperations(programs: readonly Sized[], rounds: number): Promise<Figure[]> {
  const operations = Object.entries(OPERATIONS);
  const times = operations.map((): Times => new Map(programs.map((at) => [at, []])));
  for (let round = -WARM_UP; round < rounds; round++)
    for (const [place, [, operation]] of operations.entries())
      for (const at of inTurn(programs, round)) {
        const ms = await timeOperation(at, operation);
        if (round >= 0) times[place]?.get(at)?.push(ms);
      }
  return operations.flatMap(([name, { grows }], place) => compare(name, times[place] as Times, grows));
}

async function timeReports(
  stage: Stage,
  programs: readonly Sized[],
  reported: ReportedDay,
  rounds: number,
): Promise<Figure[]> {
  const times: Times = new Map(programs.map((at) => [at, []]));
  for (let round = -1; round < rounds; round++)
    for (const at of inTurn(programs, round)) {
      const ms = await timeReport(stage.db, at, reported);
      if (round >= 0) times.get(at)?.push(ms);
    }
  return compare('report of a day', times);
}

/** Each comes first equally often: whoever follows a large one finds the caches full of it. */
const inTurn = <T>(all: readonly T[], round: number): T[] =>
  all.map((_, place) => all[(place + round + WARM_UP) % all.length] as T);

function compare(name: string, times: Times, grows = false): Figure[] {
  const [[smallest, base], ...others] = [...times] as [[Sized, number[]], ...Array<[Sized, number[]]>];
  return others.map(([{ transactions }, values]) => ({
    name: `${name}, ${transactions.toLocaleString('en')}`,
    measured: msText(median(values)),
    against: `${smallest.transactions.toLocaleString('en')} ${msText(median(base))}`,
    ratio: median(values) / median(base),
    ...(grows ? {} : { limit: { atMost: AT_MOST } }),
  }));
}

/** By the tables' growth while the largest program was filled, with their indexes. */
function diskFigure(count: number, grown: Record<string, number>): Figure {
  const each = (table: string) => Math.round((grown[table] as number) / count);
  const total = Object.keys(grown).reduce((sum, table) => sum + each(table), 0);
  return {
    name: 'bytes on disk for a transaction',
    measured: `${total} in all`,
    against: Object.keys(grown)
      .map((table) => `${table} ${each(table)}`)
      .join(', '),
    ratio: total / each('transactions'),
  };
}
