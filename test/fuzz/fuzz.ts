import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { runFuzz } from './run-fuzz.ts';
import { WAYS } from './ways.ts';

/** The long form of fuzz.test.ts: `npm run fuzz -- --requests 100000 --seed 7`. Ends with 1 if it found anything. */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string' } },
});
const requests = Number(values.requests);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 20));
if (!Number.isInteger(requests) || requests < 1 || !Number.isInteger(seed))
  throw new Error('--requests and --seed must be whole numbers');

const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const dataDir = mkdtempSync(join(tmpdir(), 'emboss-fuzz-'));
// Nothing is killed here, and what is asked is not what survives: a slow disk need not be waited for.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings });
try {
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
  const { before, most, after } = report.memoryMb;
  say(
    `memory of the server: ${before.toFixed(0)} MB before, ${most.toFixed(0)} at most, ${after.toFixed(0)} after`,
  );
  for (const fault of report.faults) say(`\nseed ${seed}: ${fault}`);
  const found = report.findings.length + report.faults.length;
  say(
    `${report.sent} requests in ${seconds.toFixed(0)} s: ${found === 0 ? 'nothing found' : `${found} findings (seed ${seed})`}`,
  );
  say(`digest of what was sent with seed ${seed}: ${report.digest}`);
  process.exitCode = found === 0 ? 0 : 1;
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
