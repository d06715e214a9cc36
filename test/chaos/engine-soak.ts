import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/db/embedded/supervisor.ts';
import { runEngine } from '../support/engine-run.ts';
import { randomSeed, scriptOf, wholeFrom } from '../support/script-options.ts';
import { runScript } from '../support/script-run.ts';
import { killServers } from '../support/server-process.ts';

/**
 * The long form of engine-under-kill.test.ts: `npm run soak -- --messages 50000 --seed 1`. Prints what it met and what it
 * found, and ends with 1 if it found anything.
 */
const { messages, seed = randomSeed() } = scriptOf(
  'soak',
  'Random messages to two servers that are killed, held against a model.',
)
  .option('--messages <number>', 'how many', wholeFrom(1), 30_000)
  .option('--seed <number>', 'repeats the messages of another run', wholeFrom(0))
  .parse()
  .opts<{ messages: number; seed?: number }>();
const MESSAGES_PER_KILL = 1_500;

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

await runScript(async (keep) => {
  const dataDir = await keep(
    () => mkdtempSync(join(tmpdir(), 'emboss-soak-')),
    (directory) => rmSync(directory, { recursive: true, force: true }),
  );
  const postgres = await keep(
    () => startEmbeddedPostgres({ dataDir, log: () => {} }),
    ({ stop }) => stop(),
  );
  // At the very end, when none is started again.
  process.once('exit', killServers);
  say(`seed ${seed}, ${messages} messages`);
  const cards = Math.min(64, Math.max(8, Math.floor(messages / 300)));
  const kills = Math.max(2, Math.floor(messages / MESSAGES_PER_KILL));
  const result = await runEngine({ databaseUrl: postgres.url, seed, messages, cards, kills, log: say });
  for (const [name, count] of Object.entries(result.outcomes).sort())
    say(`${String(count).padStart(7)} ${name}`);
  const cut = result.kills.reduce((sum, kill) => sum + kill.cut, 0);
  say(`${result.answered} answers, ${result.kills.length} kills, ${cut} requests cut and asked again`);
  const findings = Object.entries({ ...result.findings }).flatMap(([guarantee, list]) =>
    list.map((finding) => `${guarantee}: ${finding}`),
  );
  for (const finding of findings.slice(0, 50)) say(finding);
  say(findings.length === 0 ? 'nothing found' : `${findings.length} findings (seed ${seed})`);
  return findings.length === 0 ? 0 : 1;
});
