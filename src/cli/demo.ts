import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { reveal } from '../kernel/secret.ts';
import { openServices, type Runtime } from '../runtime.ts';
import { type Demo, type DemoOptions, makeDemo } from '../sandbox/demo/make-demo.ts';
import { type SeededSandbox, seedSandbox } from '../sandbox/seed-sandbox.ts';
import { oneProgram } from './program-output.ts';
import { showProgress } from './progress.ts';
import { cliIdentity, requireSandbox, type Session } from './session.ts';
import type { Output } from './terminal.ts';
import { wholeNumber } from './values.ts';

const MOST_CARDS = 2_000;
const MOST_DAYS = 366;

export function demoCommand(emboss: Command, session: Session): void {
  emboss
    .command('demo')
    .description('Create a sandbox program with cardholders, merchants and a transaction history')
    .addOption(new Option('--cards <count>', 'cardholders').argParser(upTo(MOST_CARDS)).default(200))
    .addOption(new Option('--days <count>', 'days of history').argParser(upTo(MOST_DAYS)).default(60))
    .addOption(
      new Option('--seed <number>', 'the same seed creates the same content')
        .argParser(wholeNumber)
        .default(1),
    )
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
          const progress = showProgress(session.terminal, 'Creating history');
          progress.tell(0);
          const demo = await makeDemo(services, options, cliIdentity(), progress.tell).finally(progress.end);
          return tell(runtime, config, options, demo, seeded);
        },
        { makesDatabase: true },
      );
    });
}

const upTo = (most: number) => (text: string) => {
  const count = wholeNumber(text);
  if (count < 1 || count > most) throw new InvalidArgumentError(`Use a number from 1 to ${most}.`);
  return count;
};

async function tell(
  { db }: Runtime,
  { publicUrl }: Config,
  options: DemoOptions,
  { program, key, tally }: Demo,
  seeded: SeededSandbox | undefined,
): Promise<Output> {
  const shown = await oneProgram(db, `Created program ${program.name}.`, program);
  const made = (secretKey: SeededSandbox['generatedMerchantKey'] | undefined) =>
    secretKey ? reveal(secretKey) : null;
  const sandbox = {
    merchantKey: made(seeded?.generatedMerchantKey),
    networkKey: made(seeded?.generatedNetworkKey),
    operator: seeded ? { email: seeded.operator.email, password: reveal(seeded.operator.password) } : null,
  };
  const lines = [
    shown.text,
    '',
    ...tellTally(options, tally),
    '',
    `  merchant key  ${reveal(key)}`,
    ...(sandbox.merchantKey ? [`  merchant key of the sandbox program  ${sandbox.merchantKey}`] : []),
    ...(sandbox.networkKey ? [`  network key of the sandbox program   ${sandbox.networkKey}`] : []),
    ...(sandbox.operator
      ? [
          `  console sign-in  ${sandbox.operator.email}, password ${sandbox.operator.password} (changed at the first sign-in)`,
        ]
      : []),
    '  Save it now: it is shown only once.',
    '',
    `With the server running, open the console at ${publicUrl}/console/, or call the API:`,
    '',
    `curl ${publicUrl}/api/v1/merchant/transactions/ -H "x-payments-api-key: ${reveal(key)}"`,
  ];
  const happened = Object.fromEntries([...tally].sort());
  return {
    json: { program: shown.json, ...options, key: reveal(key), sandbox, happened },
    text: lines.join('\n'),
  };
}

function tellTally({ days, seed }: DemoOptions, tally: Demo['tally']): string[] {
  const of = (what: string) => tally.get(what) ?? 0;
  const declines = [...tally].filter(([what]) => what.startsWith('decline: ')).sort((a, b) => b[1] - a[1]);
  const declined = declines.reduce((sum, [, count]) => sum + count, 0);
  return [
    `  ${of('card')} cards, ${days} days, seed ${seed}`,
    `  ${of('approval')} purchases approved, ${of('clearing')} clearings, ${of('reversal')} reversals, ${of('refund')} refunds, ${of('expiry')} expired holds`,
    `  ${declined} declined: ${declines.map(([what, count]) => `${what.slice(9).replaceAll('_', ' ')} ${count}`).join(', ')}`,
  ];
}
