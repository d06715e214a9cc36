import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { benchAuthorize } from './authorize.ts';
import { benchConsole } from './console.ts';
import { benchCreateCard } from './create-card.ts';
import { type Figure, formatTable, isMet } from './figures.ts';
import { benchListCards } from './list-cards.ts';
import { benchMemory } from './memory.ts';
import { benchProcesses } from './processes.ts';
import { benchReports } from './reports.ts';
import { benchSizes } from './sizes.ts';
import { openStage, type Stage } from './stage.ts';
import { benchTransactions } from './transactions.ts';
import { benchWebhooks } from './webhooks.ts';

const SECTIONS: Record<string, (stage: Stage, quick: boolean) => Promise<Figure[]>> = {
  create: benchCreateCard,
  authorize: benchAuthorize,
  transactions: benchTransactions,
  webhooks: benchWebhooks,
  reports: benchReports,
  lists: benchListCards,
  console: benchConsole,
  memory: benchMemory,
  sizes: benchSizes,
  processes: benchProcesses,
};

const USAGE = `npm run bench -- [--quick] [${Object.keys(SECTIONS).join('] [')}]`;

/** One table of ratios, each measured side by side in this run; fails when one misses its limit. */
async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { quick: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const unknown = positionals.find((name) => !(name in SECTIONS));
  if (unknown) throw new Error(`there is no section "${unknown}": ${USAGE}`);
  const chosen = positionals.length > 0 ? positionals : Object.keys(SECTIONS);
  const stage = await openStage();
  // A database and two servers would outlive us.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stage.close().finally(() => process.exit(1)));
  const figures: Figure[] = [];
  try {
    for (const name of chosen) {
      process.stderr.write(`measuring: ${name}…\n`);
      figures.push(...(await (SECTIONS[name] as (typeof SECTIONS)[string])(stage, values.quick)));
    }
  } catch (error) {
    // Their logs are written in batches.
    await pause(1_000);
    process.stderr.write(`${stage.complaints()}\n`);
    throw error;
  } finally {
    await stage.close();
  }
  process.stdout.write(`${formatTable(figures)}\n`);
  if (!figures.every(isMet)) process.exitCode = 1;
}

await run();
