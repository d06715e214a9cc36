import { atLeast, randomSeed, scriptOf, wholeFrom } from '../support/scripts/script-options.ts';
import { describeFigures } from './figures.ts';
import { requiredKinds } from './plan.ts';
import { PLANTED_FAULTS, type PlantedFault } from './planted-faults.ts';
import { runChaos } from './run.ts';

/** Exit code 0: passed; 1: found a fault; 2: void, the run did not test what it is meant to test. */
const values = scriptOf(
  'chaos',
  'Kills, pauses and disconnects processes, and checks every response that clients got.',
)
  .option('--minutes <number>', 'duration; default 2, or 0.5 for each planted fault', atLeast(0))
  .option('--seed <number>', 'repeats the faults of another run', wholeFrom(0))
  .option('--clients <number>', 'concurrent clients', wholeFrom(1), 16)
  .option('--cluster', 'on a coordinator and two nodes with Citus instead of one PostgreSQL')
  .option('--keep', 'keeps the files of the run')
  .option('--allow-missing', 'passes even if this machine cannot cause every kind of fault')
  .option('--planted', 'runs every planted fault instead; exit code 0 means that all were found')
  .option('--name <text>', 'runs only planted faults whose name contains this text', '')
  .parse()
  .opts<Values>();

interface Values {
  minutes?: number;
  seed?: number;
  clients: number;
  cluster?: true;
  keep?: true;
  allowMissing?: true;
  planted?: true;
  name: string;
}
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const { seed = randomSeed(), clients, cluster = false, keep = false } = values;
const EXIT = { green: 0, red: 1, void: 2 };
const MOST_SHOWN = 60;

process.exit(values.planted ? await runPlanted() : await run());

async function run(): Promise<number> {
  const minutes = values.minutes ?? 2;
  const allowMissing = values.allowMissing ?? false;
  const verdict = await runChaos({
    seed,
    minutes,
    clients,
    cluster,
    keep,
    allowMissing,
    // A cluster also waits for the connections between its nodes.
    judgeRecovery: !cluster,
    log: say,
  });
  const { colour, findings, notReached, missing, figures } = verdict;
  for (const { guarantee, text } of findings.slice(0, MOST_SHOWN)) say(`${guarantee}: ${text}`);
  for (const line of describeFigures(figures, requiredKinds({}, cluster))) say(line);
  for (const [kind, why] of Object.entries(missing)) say(`left out here: ${kind}: ${why}`);
  if (colour === 'void') say(`not reached: ${notReached.join('; ')}`);
  say(`${colour}${findings.length > 0 ? `, ${findings.length} findings` : ''} (seed ${seed})`);
  return EXIT[colour];
}

async function runPlanted(): Promise<number> {
  const chosen = PLANTED_FAULTS.filter(({ name }) => name.includes(values.name));
  if (chosen.length === 0) {
    say(`no planted fault has "${values.name}" in its name`);
    return EXIT.void;
  }
  let found = 0;
  for (const planted of chosen) if (await isFound(planted)) found++;
  say(`${found} of ${chosen.length} planted faults found (seed ${seed})`);
  return found === chosen.length ? EXIT.green : EXIT.red;
}

async function isFound({
  name,
  breaks,
  faults,
  judgeRecovery = false,
  replaced,
  ...tampering
}: PlantedFault): Promise<boolean> {
  const minutes = values.minutes ?? 0.5;
  const { findings } = await runChaos({
    seed,
    minutes,
    clients,
    cluster,
    keep,
    only: faults,
    tampering: { ...tampering, ...(replaced && { planted: name }) },
    judgeRecovery,
  });
  const proof = findings.filter(({ guarantee }) => breaks.includes(guarantee));
  if (proof.length > 0) say(`found: ${name}: ${proof.length} times, such as "${proof[0]?.text}"`);
  else say(`NOT FOUND: ${name}: ${breaks.join(' or ')} should be broken; ${findings.length} other findings`);
  return proof.length > 0;
}
