import { setTimeout as pause } from 'node:timers/promises';
import { addMonths, dayOf } from '../src/kernel/calendar.ts';
import { subjectOf } from '../src/reports/report.ts';
import { reportQuery } from '../src/reports/report-queries.ts';
import { networkTarget, spreadOver } from './authorize.ts';
import { type Figure, median } from './figures.ts';
import { fillNumberedCards, type NumberedCards } from './fill-numbers.ts';
import { fillTransactions } from './fill-transactions.ts';
import { type Line, openLine, sendLoad } from './http-load.ts';
import { keptMemory, mebibytes, readMemory } from './memory.ts';
import { nameCredentials, reopenReports, vacuumAll } from './queries.ts';
import type { Stage } from './stage.ts';

const FILES = '/api/v1/merchant/files/';
const LIMITS = { copy: 0.5, memoryBytes: 64 * 1_048_576, authorize: 0.7 };
const CONNECTIONS = 64;
const LOOK_EVERY_MS = 25;

interface Scene {
  stage: Stage;
  programId: string;
  line: Line;
  /** Of the month that is reported. */
  date: string;
  query: string;
  rows: number;
}

/** A monthly report against PostgreSQL alone, and what it costs other requests. */
export async function benchReports(stage: Stage, quick: boolean): Promise<Figure[]> {
  const rows = quick ? 100_000 : 1_000_000;
  const { program, key, networkKey } = await stage.addProgram('Reports');
  const cards = await fillNumberedCards(stage, program, quick ? 10_000 : 100_000, 7);
  await nameCredentials(stage.db, program.id);
  const today = dayOf(Date.now());
  const date = addMonths(`${today.slice(0, 7)}-01`, -2);
  const subject = subjectOf('monthly', date, today, date);
  const [from, to] = [new Date(`${subject.firstDay}T00:00:00Z`), new Date(`${subject.lastDay}T23:59:59Z`)];
  await fillTransactions(stage.db, { programId: program.id, cardIds: cards.ids, count: rows, from, to });
  await vacuumAll(stage.db);
  const line = await openLine({ url: stage.server.url, key });
  const query = reportQuery({ ...subject, programId: program.id, currency: program.currency });
  const scene = { stage, programId: program.id, line, date: subject.firstDay, query, rows };
  const figures = [
    ...(await compareWithCopy(scene, key, quick ? 3 : 5)),
    await compareAuthorizations(scene, networkKey, cards, quick),
  ];
  line.close();
  return figures;
}

async function compareWithCopy(scene: Scene, key: string, rounds: number): Promise<Figure[]> {
  const { stage, rows } = scene;
  const seconds: Record<'copy' | 'report', number[]> = { copy: [], report: [] };
  let grownBytes = 0;
  for (let round = -1; round < rounds; round++) {
    const copy = await timed(() => copyBare(scene));
    const before = await keptMemory(stage, { url: stage.server.url, key });
    let mostBytes = 0;
    const report = await timed(async () => {
      mostBytes = await makeReport(scene);
    });
    if (round < 0) continue;
    seconds.copy.push(copy);
    seconds.report.push(report);
    grownBytes = Math.max(grownBytes, mostBytes - before.residentBytes);
  }
  const rate = (all: number[]) => `${Math.round(rows / median(all)).toLocaleString('en')} rows/s`;
  return [
    {
      name: `monthly report, ${rows.toLocaleString('en')} rows`,
      measured: rate(seconds.report),
      against: `bare COPY ${rate(seconds.copy)}`,
      ratio: median(seconds.copy.map((copy, round) => copy / (seconds.report[round] as number))),
      limit: { atLeast: LIMITS.copy },
    },
    {
      name: 'memory while it is made',
      measured: `grows by ${mebibytes(grownBytes)}`,
      against: mebibytes(LIMITS.memoryBytes),
      ratio: grownBytes / LIMITS.memoryBytes,
      limit: { atMost: 1 },
    },
  ];
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** The same query; its bytes are discarded. */
async function copyBare({ stage, query }: Scene): Promise<void> {
  for await (const _chunk of await stage.db.copyOut(query));
}

/** From the request to the file; a later round makes the file again. Returns the most memory that the server had. */
async function makeReport({ stage, programId, line, date }: Scene): Promise<number> {
  await reopenReports(stage.db, programId);
  const requested = await line.send({ method: 'GET', path: `${FILES}monthly/?date=${date}` });
  const { reference_id } = JSON.parse(requested);
  let mostBytes = 0;
  for (;;) {
    const state = JSON.parse(await line.send({ method: 'GET', path: `${FILES}requests/${reference_id}/` }));
    mostBytes = Math.max(mostBytes, (await readMemory(line)).residentBytes);
    if (state.status === 'ready') return mostBytes;
    await pause(LOOK_EVERY_MS);
  }
}

/** In turn: alone, and while one report after the other is made. */
async function compareAuthorizations(
  scene: Scene,
  key: string,
  cards: NumberedCards,
  quick: boolean,
): Promise<Figure> {
  const count = quick ? 3_000 : 15_000;
  const rates: Record<'alone' | 'beside', number[]> = { alone: [], beside: [] };
  const measure = async () =>
    (await sendLoad(networkTarget(scene.stage.server.url, key), CONNECTIONS, count, spreadOver(cards)))
      .perSecond;
  for (let round = -1; round < (quick ? 3 : 5); round++) {
    const alone = await measure();
    let done = false;
    const reports = (async () => {
      while (!done) await makeReport(scene);
    })();
    const beside = await measure();
    done = true;
    await reports;
    if (round < 0) continue;
    rates.alone.push(alone);
    rates.beside.push(beside);
  }
  return {
    name: 'authorize while reports are made',
    measured: `${Math.round(median(rates.beside))}/s`,
    against: `alone ${Math.round(median(rates.alone))}/s`,
    ratio: median(rates.beside.map((beside, round) => beside / (rates.alone[round] as number))),
    limit: { atLeast: LIMITS.authorize },
  };
}
