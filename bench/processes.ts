import { authorization, networkTarget, spreadOver } from './authorize.ts';
import { cpuMs, familyCpuMs, knowsCpuTime, parentOf } from './cpu-time.ts';
import { newCard } from './create-card.ts';
import { type Figure, median, msText, rateText } from './figures.ts';
import { fillNumberedCards, type NumberedCards } from './fill-numbers.ts';
import { type LoadTarget, sendLoad } from './http-load.ts';
import { findBackend, findWalBytes, switchAutovacuum } from './queries.ts';
import type { Server, Stage } from './stage.ts';

const NAMES = ['two servers', 'three servers'];
const LIMITS = { rate: { atLeast: 0.8 }, cpu: { atMost: 1.3 } };
/** To each server: more of them are there because more wants to be done. Creations wait for one another less well. */
const CONNECTIONS = { authorize: 64, create: 16 };
const RANGE = 21;

/** What one request costs all servers and the database, and how many of them there were a second. */
interface Cost {
  perSecond: number;
  serverMs: number;
  databaseMs: number;
  walBytes: number;
}

type Load = (some: readonly Server[], count: number) => Promise<{ perSecond: number }>;

/** The same work spread over one, two and three servers on one database. */
export async function benchProcesses(stage: Stage, quick: boolean): Promise<Figure[]> {
  const { program, key, networkKey } = await stage.addProgram('Processes');
  const cards = await fillNumberedCards(stage, program, quick ? 1_000 : 20_000, RANGE);
  const servers = [stage.server, await stage.startServer(), await stage.startServer()];
  const [rounds, many, few] = quick ? [5, 3_000, 400] : [9, 10_000, 2_000];
  const authorize: Load = (some, count) => {
    const targets = some.map(({ url }) => networkTarget(url, networkKey));
    return sendLoad(targets, CONNECTIONS.authorize * some.length, count, spreadOver(cards));
  };
  const create: Load = (some, count) => {
    const targets = some.map(({ url }) => ({ url, key }));
    return sendLoad(targets, CONNECTIONS.create * some.length, count, newCard);
  };
  // Autovacuum could run during only one of the three.
  await switchAutovacuum(stage.db, 'off');
  try {
    for (const { url } of servers) await meetCards(networkTarget(url, networkKey), cards);
    const authorizations = await measure(stage, servers, rounds, many, authorize);
    const creations = await measure(stage, servers, rounds, few, create);
    return [
      ...compare('authorize', authorizations, ({ perSecond }) => perSecond, rateText, LIMITS.rate),
      ...compare('create card', creations, ({ perSecond }) => perSecond, rateText, LIMITS.rate),
      ...(knowsCpuTime() ? compareCpu(authorizations) : []),
      ...compare('WAL of an authorization', authorizations, ({ walBytes }) => walBytes, bytesText),
    ];
  } finally {
    await switchAutovacuum(stage.db, 'on');
    for (const server of servers.slice(1)) await server.stop();
  }
}

const MEETINGS = 5_000;

/** A server that is new has every number still to look up, and its code still to be compiled. */
async function meetCards(target: LoadTarget, cards: NumberedCards): Promise<void> {
  const count = Math.max(cards.count, MEETINGS);
  await sendLoad(target, CONNECTIONS.authorize, count, (index) => authorization(cards, index % cards.count));
}

/** Round by round, so that one, two and three run under the same conditions; the others idle. */
async function measure(
  stage: Stage,
  servers: readonly Server[],
  rounds: number,
  count: number,
  load: Load,
): Promise<Cost[][]> {
  const postmaster = parentOf(await findBackend(stage.db));
  const costs: Cost[][] = servers.map(() => []);
  const look = async (some: readonly Server[]) => ({
    serverMs: some.reduce((sum, { pid }) => sum + cpuMs(pid), 0),
    databaseMs: familyCpuMs(postmaster),
    walBytes: await findWalBytes(stage.db),
  });
  for (let round = -1; round < rounds; round++)
    for (const [index, kept] of costs.entries()) {
      // Another order each time, because a server becomes faster while it runs.
      const some = [...servers, ...servers].slice((round + 1) % servers.length).slice(0, index + 1);
      const before = await look(some);
      const { perSecond } = await load(some, count);
      const after = await look(some);
      const each = (what: keyof typeof before) => (after[what] - before[what]) / count;
      // The first round only warms up.
      if (round >= 0)
        kept.push({
          perSecond,
          serverMs: each('serverMs'),
          databaseMs: each('databaseMs'),
          walBytes: each('walBytes'),
        });
    }
  return costs;
}

/** The CPU time of all processes: more processes must not cost more of it. */
function compareCpu(authorizations: readonly Cost[][]): Figure[] {
  const rows = (where: string, value: (cost: Cost) => number, limit?: Figure['limit']) =>
    compare(`CPU of an authorization${where}`, authorizations, value, msText, limit);
  return [
    ...rows('', ({ serverMs, databaseMs }) => serverMs + databaseMs, LIMITS.cpu),
    ...rows(' in the server', ({ serverMs }) => serverMs),
    ...rows(' in PostgreSQL', ({ databaseMs }) => databaseMs),
  ];
}

function compare(
  name: string,
  [one = [], ...others]: readonly Cost[][],
  value: (cost: Cost) => number,
  text: (value: number) => string,
  limit?: Figure['limit'],
): Figure[] {
  return others.map((many, index) => ({
    name: `${name}, ${NAMES[index]}`,
    measured: text(median(many.map(value))),
    against: `one server ${text(median(one.map(value)))}`,
    // Ratios within a round are stable also on a machine whose speed changes.
    ratio: median(many.map((cost, round) => value(cost) / value(one[round] as Cost))),
    ...(limit ? { limit } : {}),
  }));
}

const bytesText = (bytes: number): string => `${Math.round(bytes)} bytes`;
