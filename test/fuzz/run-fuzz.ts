import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runCli } from '../support/cli.ts';
import { ROOT } from '../support/sources.ts';
import { dice } from './dice.ts';
import { createJudge } from './judge.ts';
import { type Finding, type LaneReport, runLane } from './lane.ts';
import { listOperations, type Operation } from './operations.ts';
import { openStage, type Stage } from './stage.ts';
import { WAYS, type Way } from './ways.ts';

export interface FuzzOptions {
  databaseUrl: string;
  dataDir: string;
  seed: number;
  requests: number;
  log?: (line: string) => void;
}

export interface FuzzReport {
  sent: number;
  findings: Finding[];
  /** Faults that belong to no single request: memory, the ledger, the process. */
  faults: string[];
  /** Every operation with the statuses that were met and those of the document that were not. */
  coverage: Array<{
    operation: string;
    met: Record<string, number>;
    missing: number[];
    ways: Partial<Record<Way, number>>;
  }>;
  /** The same for the same seed and number of requests, for as long as the day lasts: cards run out. */
  digest: string;
  memoryMb: { before: number; most: number; after: number };
}

const LANES = 6;
const MOST_FINDINGS = 40;
/** Over what the server takes when it has warmed up; the heap itself is bounded by the process. */
const MOST_RESIDENT_MB = 700;

/** Every operation of the document, with everything that nobody should send, to a real server. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const stage = await openStage(options.databaseUrl, options.dataDir);
  try {
    return await runOn(stage, options);
  } finally {
    await stage.close();
  }
}

async function runOn(stage: Stage, { seed, requests, log = () => {} }: FuzzOptions): Promise<FuzzReport> {
  const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));
  const operations = listOperations(document);
  const stranger = await stage.addTenant('stranger');
  const memory = watchMemory(stage);
  let found = 0;
  let sent = 0;
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    runLane({
      lane,
      requests: Math.ceil(requests / LANES),
      stage,
      stranger,
      operations,
      dice: dice(seed * 1_000 + lane),
      judge: (secrets) => createJudge(document, secrets),
      onFinding: (finding) => {
        found++;
        log(tell(seed, finding));
      },
      onSent: () => {
        if (++sent % 10_000 === 0) log(`${sent} requests, ${found} findings, ${Math.round(memory.now())} MB`);
      },
      mayGoOn: () => !stage.hasEnded() && found < MOST_FINDINGS,
    }),
  );
  const reports = await Promise.all(lanes);
  const memoryMb = await memory.stop();
  log('verifying the ledger');
  const faults = await faultsOf(stage, memoryMb);
  return {
    sent: reports.reduce((sum, { sent }) => sum + sent, 0),
    findings: reports.flatMap(({ findings }) => findings),
    faults,
    coverage: coverageOf(operations, reports),
    digest: createHash('sha256')
      .update(reports.map(({ digest }) => digest).join())
      .digest('hex')
      .slice(0, 16),
    memoryMb,
  };
}

/** For whoever wants to see it again. */
const tell = (seed: number, { lane, request, operation, trick, what, again }: Finding): string =>
  `\nseed ${seed}, lane ${lane}, request ${request}: ${operation}, ${trick}\n  ${what}\n  ${again}`;

async function faultsOf(stage: Stage, { most }: FuzzReport['memoryMb']): Promise<string[]> {
  const faults: string[] = [];
  if (stage.hasEnded()) faults.push('the server ended');
  if (most > MOST_RESIDENT_MB) faults.push(`the server took ${Math.round(most)} MB`);
  const { json } = await runCli(stage.environment, ['--json', 'ledger', 'verify']);
  if (json?.verified !== true) faults.push(`the ledger does not add up: ${JSON.stringify(json)}`);
  faults.push(...stage.complaints().map((line) => `the log complains: ${line.slice(0, 500)}`));
  return faults;
}

function watchMemory(stage: Stage) {
  const before = stage.residentMb();
  const memoryMb = { before, most: before, after: before };
  let isOver = false;
  const watched = (async () => {
    while (!isOver && !stage.hasEnded()) {
      memoryMb.after = stage.residentMb();
      memoryMb.most = Math.max(memoryMb.most, memoryMb.after);
      await pause(1_000);
    }
  })();
  return {
    now: () => memoryMb.after,
    stop: async () => {
      isOver = true;
      await watched;
      return memoryMb;
    },
  };
}

/** Our side broke, or the database is away: not to be met here. */
const NOT_HERE = [500, 503];

function coverageOf(operations: Operation[], reports: LaneReport[]): FuzzReport['coverage'] {
  const seen = sum(reports.map((report) => report.seen));
  const sent = sum(reports.map((report) => report.ways));
  return operations.map(({ id, statuses }) => {
    const met = [...seen]
      .filter(([name]) => name.startsWith(`${id} `))
      .map(([name, times]) => [name.slice(id.length + 1), times]);
    const missing = statuses.filter((status) => !NOT_HERE.includes(status) && !seen.has(`${id} ${status}`));
    const ways = Object.fromEntries(WAYS.map((way) => [way, sent.get(`${id} ${way}`) ?? 0]));
    return { operation: id, met: Object.fromEntries(met.sort()), missing, ways };
  });
}

function sum(parts: Array<Map<string, number>>): Map<string, number> {
  const total = new Map<string, number>();
  for (const part of parts) for (const [name, times] of part) total.set(name, (total.get(name) ?? 0) + times);
  return total;
}
