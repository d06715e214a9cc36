import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { postmasterOf } from '../support/server-process.ts';
import { runWebhooks } from '../support/webhook-run.ts';

/**
 * The long form of webhooks-under-kill.test.ts: `npm run soak:webhooks -- --events 100000 --kills 20 --seed 1`. With
 * every kill of a server the database is killed too. Ends with 1 if it found anything.
 */
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string' },
  },
});
const [events, kills] = [Number(values.events), Number(values.kills)];
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const dataDir = mkdtempSync(join(tmpdir(), 'emboss-soak-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
try {
  say(`seed ${seed}, ${events} events, ${kills} kills`);
  const crashDatabase = () => {
    const postmaster = postmasterOf(dataDir);
    if (postmaster) process.kill(postmaster.pid, 'SIGKILL');
  };
  const run = { databaseUrl: postgres.url, seed, events, cards: 50, kills, crashDatabase, log: say };
  const { received, duplicates, findings } = await runWebhooks(run);
  say(`${received} taken, ${duplicates} of them again`);
  for (const finding of findings.slice(0, 50)) say(finding);
  say(findings.length === 0 ? 'nothing found' : `${findings.length} findings (seed ${seed})`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
