import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { runEngine } from '../support/engine-run.ts';

/**
 * The long form of engine-under-kill.test.ts: `tsx test/chaos/engine-soak.ts --messages 50000 --seed 1`. Prints what
 * it met and what it found, and ends with 1 if it found anything.
 */
const { values } = parseArgs({
  options: { messages: { type: 'string', default: '30000' }, seed: { type: 'string' } },
});
const messages = Number(values.messages);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
if (!Number.isInteger(messages) || messages < 1 || !Number.isInteger(seed))
  throw new Error('--messages and --seed must be whole numbers');
const MESSAGES_PER_KILL = 1_500;

const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const dataDir = mkdtempSync(join(tmpdir(), 'emboss-soak-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
try {
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
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
