import { type Command, InvalidArgumentError, Option } from 'commander';
import { setAuthorizationMode } from '../decisions/set-authorization-mode.ts';
import { formatAmount } from '../kernel/money.ts';
import { createProgram } from '../programs/create-program.ts';
import { fundProgram, withdrawFunds } from '../programs/fund-program.ts';
import { KYC_PROVIDER_NAMES, SANDBOX_BIN } from '../programs/program.ts';
import { listPrograms } from '../programs/queries.ts';
import { updateProgram } from '../programs/update-program.ts';
import { balancePairs, oneProgram, presentBalances, programList } from './program-output.ts';
import { addTermOptions, type GivenTerms, readTerms } from './program-terms.ts';
import { selectActor, selectProgram } from './select.ts';
import { cliIdentity, requireSandbox, type Session } from './session.ts';
import { details } from './terminal.ts';
import { amountIn, decimalText } from './values.ts';

const PROGRAM = ['[program]', 'id or name; required if there is more than one program'] as const;

const kycOption = () =>
  new Option('--kyc-provider <name>', 'KYC provider that verifies cardholders').choices(KYC_PROVIDER_NAMES);

export function programCommands(emboss: Command, session: Session): void {
  const group = emboss.command('program').description('Card programs (tenants)');
  group
    .command('create')
    .description('Create a program; then add a design and a key')
    .requiredOption('--name <text>', 'display name')
    .addOption(
      new Option('--mode <mode>', 'cannot be changed later').choices(['sandbox', 'live']).default('sandbox'),
    )
    .requiredOption('--currency <code>', 'ISO 4217 code, such as EUR; cannot be changed later')
    .option('--bin <digits>', `first 6 to 8 digits of its card numbers (sandbox: ${SANDBOX_BIN})`)
    .addOption(kycOption().default('sandbox'))
    .action(({ name, mode, currency, bin, kycProvider }) => {
      if (mode === 'sandbox') requireSandbox(session);
      if (mode === 'live' && bin === undefined)
        throw new InvalidArgumentError('a live program requires --bin: the BIN assigned by the card network');
      if (mode === 'live' && kycProvider === 'sandbox')
        throw new InvalidArgumentError('a live program requires --kyc-provider other than sandbox');
      return session.run(async ({ db }) => {
        const input = { name, mode, currency, bin: bin ?? SANDBOX_BIN, kycProvider };
        const program = await db.transaction((tx) => createProgram(tx, cliIdentity(), input));
        return oneProgram(db, `Created program ${program.name}.`, program);
      });
    });
  group
    .command('list')
    .description('List all programs')
    .action(() => session.run(async ({ db }) => programList(session.terminal, await listPrograms(db))));
  group
    .command('show')
    .description('Show a program, its terms and its balances')
    .argument(...PROGRAM)
    .action((wanted) =>
      session.run(async ({ db }) => {
        const program = await selectProgram(db, wanted);
        return oneProgram(db, program.name, program);
      }),
    );
  addTermOptions(
    group
      .command('set')
      .description('Change a program; existing cards keep their numbers')
      .argument(...PROGRAM)
      .option('--name <text>', 'display name')
      .option('--bin <digits>', 'first 6 to 8 digits of new card numbers')
      .addOption(kycOption()),
  ).action((wanted: string | undefined, given: GivenTerms) => {
    if (Object.keys(given).length === 0)
      throw new InvalidArgumentError('specify what to change: --name, --bin, --fx-fee-bps, … (see --help)');
    return session.run(async ({ db }) => {
      const actor = await selectActor(db, wanted);
      const { authorizationMode: mode, ...terms } = readTerms(given, actor.program.currency);
      const program = mode
        ? await setAuthorizationMode(db, actor, mode, terms)
        : await updateProgram(db, actor, terms);
      return oneProgram(db, `Changed program ${program.name}.`, program);
    });
  });
  fundCommand(group, session, 'fund');
  fundCommand(group, session, 'withdraw');
}

const MOVES = {
  fund: {
    does: 'Add money to the master account',
    move: fundProgram,
    did: (name: string, money: string) => `Funded ${name} with ${money}.`,
  },
  withdraw: {
    does: 'Take available money from the master account',
    move: withdrawFunds,
    did: (name: string, money: string) => `Withdrew ${money} from ${name}.`,
  },
};

function fundCommand(group: Command, session: Session, name: keyof typeof MOVES): void {
  const { does, move, did } = MOVES[name];
  group
    .command(name)
    .description(does)
    .argument(...PROGRAM)
    .requiredOption('--amount <amount>', "in the program's currency, such as 1000.00", decimalText)
    .option('--reference <text>', 'your reference, recorded in the audit')
    .action((wanted, { amount, reference }) =>
      session.run(async ({ db }) => {
        const actor = await selectActor(db, wanted);
        const { id, name: of, currency } = actor.program;
        const amountMinor = amountIn(currency, 'amount', amount);
        const funded = await db.transaction((tx) => move(tx, actor, { amountMinor, reference }));
        const money = { amount: formatAmount(amountMinor, currency), currency };
        const balances = presentBalances(funded, currency);
        return {
          json: { programId: id, movementId: funded.movementId, ...money, balances },
          text: `${did(of, `${money.amount} ${currency}`)}\n${details(balancePairs(balances, currency))}`,
        };
      }),
    );
}
