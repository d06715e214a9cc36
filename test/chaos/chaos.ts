import { atLeast, randomSeed, scriptOf, wholeFrom } from '../support/script-options.ts';
import { tellFigures } from './figures.ts';
import { requiredKinds } from './plan.ts';
import { PLANTED_FAULTS, type PlantedFault } from './planted-faults.ts';
import { runChaos } from './run.ts';

/** Ends with 0 for green, 1 for red, 2 for a run that did not do what it is for. */
const values = scriptOf(
  'chaos',
  'Kills, pauses and cuts off everything, and holds it against what clients were told.',
)
  .option('--minutes <number>', 'how long; 2, or half a minute for each planted fault', atLeast(0))
  .option('--seed <number>', 'repeats the faults of another run', wholeFrom(0))
  .option('--clients <number>', 'how many at once', wholeFrom(1), 16)
  .option('--keep', 'leaves the files of the run where they are')
  .option('--allow-missing', 'green also where this machine cannot do every kind of fault')
  .option('--planted', 'runs every planted fault instead; 0 means that all were found')
  .option('--name <text>', 'of the planted faults, those whose name holds this', '')
  .parse()
  .opts<Values>();

interface Values {
  minutes?: number;
  seed?: number;
  clients: number;
  keep?: true;
  allowMissing?: true;
  planted?: true;
  name: string;
}
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const { seed = randomSeed(), clients, keep = false } = values;
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
    keep,
    allowMissing,
    judgeRecovery: true,
    log: say,
  });
  const { colour, findings, notReached, missing, figures } = verdict;
  for (const { guarantee, text } of findings.slice(0, MOST_SHOWN)) say(`${guarantee}: ${text}`);
  for (const line of tellFigures(figures, requiredKinds({}))) say(line);
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
  ...tampering
}: PlantedFault): Promise<boolean> {
  const minutes = values.minutes ?? 0.5;
  const { findings } = await runChaos({
    seed,
    minutes,
    clients,
    keep,
    only: faults,
    tampering,
    judgeRecovery,
  });
  const proof = findings.filter(({ guarantee }) => breaks.includes(guarantee));
  if (proof.length > 0) say(`found: ${name}: ${proof.length} times, such as "${proof[0]?.text}"`);
  else say(`NOT FOUND: ${name}: ${breaks.join(' or ')} should be broken; ${findings.length} other findings`);
  return proof.length > 0;
}
