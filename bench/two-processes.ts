import { networkTarget, spreadOver } from './authorize.ts';
import { familyCpuMs, knowsCpuTime, parentOf } from './cpu-time.ts';
import { type Figure, median, msText, rateText } from './figures.ts';
import { fillNumberedCards } from './fill-numbers.ts';
import { sendLoad } from './http-load.ts';
import { findBackend, vacuumAll } from './queries.ts';
import type { Server, Stage } from './stage.ts';

const RANGE = 22;
const CONNECTIONS = 256;
const LEAST_RATE = 1.2;

/** What one authorization costs all processes of a server and PostgreSQL, and how many there were a second. */
interface Cost {
  perSecond: number;
  serverMs: number;
  databaseMs: number;
}

/** One server with `PROCESSES=2` against one with a single process: the same connections, the same cards. */
export async function benchTwoProcesses(stage: Stage, quick: boolean): Promise<Figure[]> {
  const { program, networkKey } = await stage.addProgram('Two processes');
  const cards = await fillNumberedCards(stage, program, quick ? 2_000 : 20_000, RANGE);
  await vacuumAll(stage.db);
  const [rounds, count] = quick ? [5, 3_000] : [7, 10_000];
  const double = await stage.startServer({ PROCESSES: '2' });
  const postmaster = parentOf(await findBackend(stage.db));
  const measure = async ({ url, pid }: Server, requests: number): Promise<Cost> => {
    const before = { server: familyCpuMs(pid), database: familyCpuMs(postmaster) };
    const { perSecond } = await sendLoad(
      networkTarget(url, networkKey),
      CONNECTIONS,
      requests,
      spreadOver(cards),
    );
    return {
      perSecond,
      serverMs: (familyCpuMs(pid) - before.server) / requests,
      databaseMs: (familyCpuMs(postmaster) - before.database) / requests,
    };
  };
  try {
    // V8 compiles for some ten thousand requests, in each process.
    await measure(stage.server, count * 2);
    await measure(double, count * 6);
    const costs: Array<{ one: Cost; two: Cost }> = [];
    for (let round = 0; round < rounds; round++)
      costs.push({ one: await measure(stage.server, count), two: await measure(double, count) });
    const compare = (what: keyof Cost, name: string, text: (value: number) => string): Figure => ({
      name: `${name}, two processes`,
      measured: text(median(costs.map(({ two }) => two[what]))),
      against: `one process ${text(median(costs.map(({ one }) => one[what])))}`,
      ratio: median(costs.map(({ one, two }) => two[what] / one[what])),
    });
    const rate = compare('perSecond', `authorize, ${CONNECTIONS} connections`, rateText);
    return [
      { ...rate, limit: { atLeast: LEAST_RATE } },
      ...(knowsCpuTime()
        ? [
            compare('serverMs', 'CPU of an authorization in the server', msText),
            compare('databaseMs', 'CPU of an authorization in PostgreSQL', msText),
          ]
        : []),
    ];
  } finally {
    await double.stop();
  }
}
