import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { reveal } from '../kernel/secret.ts';
import { openServices, type Runtime } from '../runtime.ts';
import { type Demo, type DemoOptions, makeDemo } from '../sandbox/demo/make-demo.ts';
import { type SeededSandbox, seedSandbox } from '../sandbox/seed-sandbox.ts';
import { oneProgram } from './program-output.ts';
import { withProgress } from './progress.ts';
import { cliIdentity, requireSandbox, type Session } from './session.ts';
import { revealSeeded } from './start-summary.ts';
import type { Output } from './terminal.ts';
import { countUpTo, wholeNumber } from './values.ts';

const MOST_CARDS = 2_000;
const MOST_DAYS = 366;

export function demoCommand(emboss: Command, session: Session): void {
  emboss
    .command('demo')
    .description('Create a sandbox program with cardholders, merchants and a transaction history')
    .option('--cards <count>', 'cardholders', countUpTo(MOST_CARDS), 200)
    .option('--days <count>', 'days of history', countUpTo(MOST_DAYS), 60)
    .option('--seed <number>', 'the same seed creates the same content', wholeNumber, 1)
    .action((options: DemoOptions) => {
      requireSandbox(session);
      return session.run(
        async (runtime) => {
          const config = readConfig(session.terminal.env);
          const services = { db: runtime.db, ...(await openServices(config, runtime)) };
          // First, because a first start creates the sandbox program only if there is no other program.
          const seeded = await seedSandbox(services, {
            merchantKey: config.sandboxApiKey,
            networkKey: config.sandboxNetworkKey,
          });
          const demo = await withProgress(session.terminal, 'Creating history', (onProgress) =>
            makeDemo(services, options, cliIdentity(), onProgress),
          );
          return demoOutput(runtime, config, options, demo, seeded);
        },
        { makesDatabase: true },
      );
    });
}

async function demoOutput(
  { db }: Runtime,
  { publicUrl }: Config,
  options: DemoOptions,
  { program, key, tally, colleague }: Demo,
  seeded: SeededSandbox | undefined,
): Promise<Output> {
  const shown = await oneProgram(db, `Created program ${program.name}.`, program);
  const sandbox = revealSeeded(seeded);
  const lines = [
    shown.text,
    '',
    ...describeTally(options, tally),
    '',
    `  merchant key  ${reveal(key)}`,
    ...(sandbox.merchantKey ? [`  merchant key of the sandbox program  ${sandbox.merchantKey}`] : []),
    ...(sandbox.networkKey ? [`  network key of the sandbox program   ${sandbox.networkKey}`] : []),
    ...(sandbox.operator
      ? [
          `  console sign-in  ${sandbox.operator.email}, password ${sandbox.operator.password} (changed at the first sign-in)`,
        ]
      : []),
    `  second person  ${colleague.email}, password ${reveal(colleague.password)} (changed at the first sign-in)`,
    '  Save it now: it is shown only once.',
    '',
    `With the server running, open the console at ${publicUrl}/console/, or call the API:`,
    '',
    `curl ${publicUrl}/api/v1/merchant/transactions/ -H "x-payments-api-key: ${reveal(key)}"`,
  ];
  const secondPerson = { email: colleague.email, password: reveal(colleague.password) };
  const happened = Object.fromEntries([...tally].sort());
  return {
    json: { program: shown.json, ...options, key: reveal(key), sandbox, secondPerson, happened },
    text: lines.join('\n'),
  };
}

function describeTally({ days, seed }: DemoOptions, tally: Demo['tally']): string[] {
  const of = (what: string) => tally.get(what) ?? 0;
  const declines = [...tally].filter(([what]) => what.startsWith('decline: ')).sort((a, b) => b[1] - a[1]);
  const declined = declines.reduce((sum, [, count]) => sum + count, 0);
  return [
    `  ${of('card')} cards, ${days} days, seed ${seed}`,
    `  ${of('approval')} purchases approved, ${of('clearing')} clearings, ${of('reversal')} reversals, ${of('refund')} refunds, ${of('expiry')} expired holds`,
    `  ${declined} declined: ${declines.map(([what, count]) => `${what.slice(9).replaceAll('_', ' ')} ${count}`).join(', ')}`,
  ];
}
