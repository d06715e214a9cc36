import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/scripts/sources.ts';
import { runCli } from '../support/server/cli.ts';
import { coverageOf, notMetBy, type OperationCoverage } from './coverage.ts';
import { dice } from './dice.ts';
import { createJudge } from './judge.ts';
import { type Finding, runLane } from './lane.ts';
import { type MemoryReport, memoryFaults, watchMemory } from './memory.ts';
import { listOperations } from './operations.ts';
import { openStage, type Stage } from './stage.ts';

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
  coverage: OperationCoverage[];
  /** What the run had to reach and did not: then its result does not count. */
  notMet: string[];
  memory: MemoryReport;
}

const LANES = 6;
const MOST_FINDINGS = 40;

/** Every operation of the document, with hostile input, on a real server. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const stage = await openStage(options.databaseUrl, options.dataDir);
  try {
    return await runOn(stage, options);
  } finally {
    await stage.close();
  }
}

async function runOn(stage: Stage, { seed, requests, log = () => {} }: FuzzOptions): Promise<FuzzReport> {
  const documents = ['openapi.json', 'console-openapi.json'].map((name) =>
    JSON.parse(readFileSync(join(ROOT, name), 'utf8')),
  );
  const operations = documents.flatMap(listOperations);
  const other = await stage.addTenant('other');
  const memory = watchMemory(stage, requests);
  let found = 0;
  let sent = 0;
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    runLane({
      lane,
      requests: Math.ceil(requests / LANES),
      stage,
      other,
      operations,
      dice: dice(seed * 1_000 + lane),
      judge: (secrets) => createJudge(documents, secrets),
      onFinding: (finding) => {
        found++;
        log(report(seed, finding));
      },
      onSent: () => {
        memory.onSent(++sent);
        if (sent % 10_000 === 0)
          log(`${sent} requests, ${found} findings, ${stage.residentMb().toFixed(0)} MB`);
      },
      mayGoOn: () => !stage.hasEnded() && found < MOST_FINDINGS,
    }),
  );
  const reports = await Promise.all(lanes);
  const memoryReport = await memory.stop();
  log('verifying the ledger');
  const faults = await faultsOf(stage, memoryReport);
  const coverage = coverageOf(operations, reports);
  return {
    sent,
    findings: reports.flatMap(({ findings }) => findings),
    faults,
    coverage,
    notMet: notMetBy(coverage, { sent, wanted: requests }),
    memory: memoryReport,
  };
}

/** To reproduce the finding. */
const report = (seed: number, { lane, request, operation, trick, what, again }: Finding): string =>
  `\nseed ${seed}, lane ${lane}, request ${request}: ${operation}, ${trick}\n  ${what}\n  ${again}`;

async function faultsOf(stage: Stage, memory: MemoryReport): Promise<string[]> {
  const faults = memoryFaults(memory);
  if (stage.hasEnded()) faults.push('the server ended');
  const { json } = await runCli(stage.environment, ['--json', 'ledger', 'verify']);
  if (json?.verified !== true) faults.push(`the ledger does not add up: ${JSON.stringify(json)}`);
  faults.push(...stage.complaints().map((line) => `the log complains: ${line.slice(0, 3000)}`));
  return faults;
}
