import { setTimeout as pause } from 'node:timers/promises';
import { Argument } from 'commander';
import { scriptOf } from '../test/support/scripts/script-options.ts';
import { runScript } from '../test/support/scripts/script-run.ts';
import { benchAuthorize } from './authorize.ts';
import { benchBatches } from './batches.ts';
import { benchCluster } from './cluster.ts';
import { benchConsole } from './console.ts';
import { benchCreateCard } from './create-card.ts';
import { benchDecisions } from './decisions.ts';
import { type Figure, formatTable, isMet } from './figures.ts';
import { benchIdle } from './idle.ts';
import { benchListCards } from './list-cards.ts';
import { benchManyPrograms } from './many-programs.ts';
import { benchProcesses } from './processes.ts';
import { benchReports } from './reports.ts';
import { benchRules } from './rules.ts';
import { openStage, type Stage } from './stage.ts';
import { benchTransactions } from './transactions.ts';
import { benchTwoProcesses } from './two-processes.ts';
import { benchWebhooks } from './webhooks.ts';

const SECTIONS: Record<string, (stage: Stage, quick: boolean) => Promise<Figure[]>> = {
  create: benchCreateCard,
  batches: benchBatches,
  authorize: async (stage, quick) => [
    ...(await benchAuthorize(stage, quick)),
    ...(await benchManyPrograms(stage, quick)),
    ...(await benchTwoProcesses(stage, quick)),
  ],
  decisions: benchDecisions,
  transactions: benchTransactions,
  rules: benchRules,
  webhooks: benchWebhooks,
  reports: benchReports,
  lists: benchListCards,
  console: benchConsole,
  processes: benchProcesses,
  idle: benchIdle,
  cluster: benchCluster,
};

const script = scriptOf('bench', 'Measures the built product and prints one table of ratios.')
  .addArgument(
    new Argument('[sections...]', 'those to run; all but cluster, if none is named').choices(
      Object.keys(SECTIONS),
    ),
  )
  .option('--quick', 'a short run')
  .parse();
const { quick = false } = script.opts<{ quick?: true }>();
/** Citus is rarely installed. */
const usual = Object.keys(SECTIONS).filter((name) => name !== 'cluster');
const named = script.args.length > 0 ? script.args : usual;

/** One table of ratios, each measured side by side in this run; fails when one misses its limit. */
await runScript(async (keep) => {
  const stage = await keep(openStage, ({ close }) => close());
  const figures: Figure[] = [];
  try {
    for (const name of named) {
      process.stderr.write(`measuring: ${name}…\n`);
      figures.push(...(await (SECTIONS[name] as (typeof SECTIONS)[string])(stage, quick)));
    }
  } catch (error) {
    // Their logs are written in batches.
    await pause(1_000);
    process.stderr.write(`${stage.complaints()}\n`);
    throw error;
  }
  process.stdout.write(`${formatTable(figures)}\n`);
  return figures.every(isMet) ? 0 : 1;
});
