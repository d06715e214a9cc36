import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/db/embedded/supervisor.ts';
import { randomSeed, scriptOf, wholeFrom } from '../support/scripts/script-options.ts';
import { runScript } from '../support/scripts/script-run.ts';
import { killServers } from '../support/server/server-process.ts';
import { type FuzzReport, runFuzz } from './run-fuzz.ts';
import { WAYS } from './ways.ts';

/**
 * The long form of fuzz.long.test.ts: `npm run fuzz -- --requests 100000 --seed 7`. Ends with 0 for green, 1 for red, 2 for a
 * run that did not meet what it is for.
 */
const { requests, seed = randomSeed() } = scriptOf(
  'fuzz',
  'Sends valid and invalid requests to every operation, and checks the responses and their effects.',
)
  .option('--requests <number>', 'number of requests; with too few, the run is void', wholeFrom(1), 20_000)
  .option('--seed <number>', 'repeats the requests of another run', wholeFrom(0))
  .parse()
  .opts<{ requests: number; seed?: number }>();
const EXIT = { green: 0, red: 1, void: 2 };

const say = (line: string): boolean => process.stdout.write(`${line}\n`);
await runScript(async (keep) => {
  const dataDir = await keep(
    () => mkdtempSync(join(tmpdir(), 'emboss-fuzz-')),
    (directory) => rmSync(directory, { recursive: true, force: true }),
  );
  // Nothing is killed here, so writes need not be durable.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const postgres = await keep(
    () => startEmbeddedPostgres({ dataDir, log: () => {}, settings }),
    ({ stop }) => stop(),
  );
  process.once('exit', killServers);
  say(`seed ${seed}, ${requests} requests`);
  const started = performance.now();
  const report = await runFuzz({ databaseUrl: postgres.url, dataDir, seed, requests, log: say });
  const seconds = (performance.now() - started) / 1000;
  say(`\n${''.padEnd(36)}${WAYS.map((way) => way.padStart(11)).join('')}`);
  for (const { operation, ways } of report.coverage)
    say(`${operation.padEnd(36)}${WAYS.map((way) => String(ways[way] ?? 0).padStart(11)).join('')}`);
  say('');
  for (const { operation, met, missing } of report.coverage)
    say(
      `${operation.padEnd(36)} ${Object.entries(met)
        .map(([status, times]) => `${status}×${times}`)
        .join(' ')}${missing.length > 0 ? `   not met: ${missing.join(' ')}` : ''}`,
    );
  const { keptWarmMb, keptMb, mostResidentMb } = report.memory;
  say(
    `the server kept ${keptWarmMb.toFixed(0)} MB when it was warm and ${keptMb.toFixed(0)} at the end; ${mostResidentMb.toFixed(0)} resident at most`,
  );
  for (const fault of report.faults) say(`\nseed ${seed}: ${fault}`);
  const found = report.findings.length + report.faults.length;
  say(
    `${report.sent} requests in ${seconds.toFixed(0)} s: ${found === 0 ? 'nothing found' : `${found} findings (seed ${seed})`}`,
  );
  const colour = colourOf(report);
  if (colour === 'void') say(`not met: ${report.notMet.join('; ')}`);
  say(`${colour} (seed ${seed})`);
  return EXIT[colour];
});

function colourOf({ findings, faults, notMet }: FuzzReport): keyof typeof EXIT {
  if (findings.length + faults.length > 0) return 'red';
  return notMet.length > 0 ? 'void' : 'green';
}
