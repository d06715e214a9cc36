import { parseArgs } from 'node:util';
import { tellFigures } from './figures.ts';
import { requiredKinds } from './plan.ts';
import { runChaos } from './run.ts';

/** `npm run chaos -- --minutes 2 --seed 7`. Ends with 0 for green, 1 for red, 2 for a run that did not do what it is for. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string' },
    clients: { type: 'string', default: '16' },
    keep: { type: 'boolean', default: false },
  },
});
const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));

const { colour, findings, notReached, missing, figures } = await runChaos({
  seed,
  minutes: Number(values.minutes),
  clients: Number(values.clients),
  judgeRecovery: true,
  keep: values.keep,
  log: say,
});
for (const { guarantee, text } of findings.slice(0, 60)) say(`${guarantee}: ${text}`);
for (const line of tellFigures(figures, requiredKinds({}))) say(line);
for (const [kind, why] of Object.entries(missing)) say(`left out here: ${kind}: ${why}`);
if (colour === 'void') say(`not reached: ${notReached.join('; ')}`);
say(`${colour}${findings.length > 0 ? `, ${findings.length} findings` : ''} (seed ${seed})`);
process.exit({ green: 0, red: 1, void: 2 }[colour]);
