import { type Command, InvalidArgumentError, Option } from 'commander';
import { createProgram } from '../programs/create-program.ts';
import { KYC_PROVIDER_NAMES, type Program, programNow, SANDBOX_BIN } from '../programs/program.ts';
import { listPrograms } from '../programs/queries.ts';
import { type ProgramChange, updateProgram } from '../programs/update-program.ts';
import { selectProgram } from './select.ts';
import { cliActor, type Session } from './session.ts';
import { details, moment, type Output, type Terminal, table } from './terminal.ts';

const kycOption = () =>
  new Option('--kyc-provider <name>', 'who verifies cardholders').choices(KYC_PROVIDER_NAMES);

export function programCommands(emboss: Command, session: Session): void {
  const group = emboss.command('program').description('Card programs: the tenants');
  group
    .command('create')
    .description('Create a program; then give it a design and a key')
    .requiredOption('--name <text>', 'what people call it')
    .addOption(new Option('--mode <mode>', 'for life').choices(['sandbox', 'live']).default('sandbox'))
    .requiredOption('--currency <code>', 'ISO 4217, such as EUR; for life')
    .option('--bin <digits>', `first 6 to 8 digits of its card numbers (sandbox: ${SANDBOX_BIN})`)
    .addOption(kycOption().default('sandbox'))
    .action(({ name, mode, currency, bin, kycProvider }) => {
      if (mode === 'live' && bin === undefined)
        throw new InvalidArgumentError('a live program needs --bin: the BIN that the card network gave you');
      return session.run(async ({ db }) => {
        const input = { name, mode, currency, bin: bin ?? SANDBOX_BIN, kycProvider };
        const program = await db.transaction((tx) => createProgram(tx, input, cliActor(), Date.now()));
        if (mode === 'live' && kycProvider === 'sandbox')
          session.terminal.err(
            'emboss: the sandbox KYC provider verifies nobody; set another with "emboss program set"\n',
          );
        return oneProgram(`Created program ${program.name}.`, program);
      });
    });
  group
    .command('list')
    .description('List all programs')
    .action(() => session.run(async ({ db }) => programList(session.terminal, await listPrograms(db))));
  group
    .command('show')
    .description('Show a program')
    .argument('[program]', 'id or name; not needed while there is only one')
    .action((wanted) =>
      session.run(async ({ db }) => {
        const program = await selectProgram(db, wanted);
        return oneProgram(program.name, program);
      }),
    );
  group
    .command('set')
    .description('Change a program; cards that exist keep their numbers')
    .argument('[program]', 'id or name; not needed while there is only one')
    .option('--name <text>', 'what people call it')
    .option('--bin <digits>', 'first 6 to 8 digits of card numbers from now on')
    .addOption(kycOption())
    .action((wanted: string | undefined, change: ProgramChange) => {
      if (Object.keys(change).length === 0)
        throw new InvalidArgumentError('say what to change: --name, --bin or --kyc-provider');
      return session.run(async ({ db }) => {
        const { id } = await selectProgram(db, wanted);
        const program = await updateProgram(db, id, change, cliActor());
        return oneProgram(`Changed program ${program.name}.`, program);
      });
    });
}

function programList(terminal: Terminal, programs: Program[]): Output {
  const rows = programs.map(({ id, name, mode, currency, bin, kycProvider }) => [
    id,
    name,
    mode,
    currency,
    bin,
    kycProvider,
  ]);
  const text = table(terminal, ['ID', 'NAME', 'MODE', 'CURRENCY', 'BIN', 'KYC'], rows);
  return {
    json: { programs: programs.map(programJson) },
    text: rows.length === 0 ? 'There are no programs yet; the first start makes one.' : text,
  };
}

function oneProgram(title: string, program: Program): Output {
  const { id, name, mode, currency, bin, kycProvider, createdAt } = program;
  const clock = new Date(programNow(program, Date.now()));
  const pairs: Array<[string, string]> = [
    ['id', id],
    ['name', name],
    ['mode', mode],
    ['currency', currency],
    ['BIN', bin],
    ['KYC provider', kycProvider],
    ['created', moment(createdAt, '')],
    ['clock', moment(clock, '')],
  ];
  return { json: programJson(program), text: `${title}\n${details(pairs)}` };
}

const programJson = (program: Program) => {
  const { id, name, mode, currency, bin, kycProvider, createdAt } = program;
  const now = new Date(programNow(program, Date.now()));
  return { id, name, mode, currency, bin, kycProvider, created: createdAt, now };
};
