import { type Command, InvalidArgumentError } from 'commander';
import { type Design, type Look, PATTERNS } from '../cards/designs/design.ts';
import { findDesign, listDesigns } from '../cards/designs/queries.ts';
import { addDesign, updateDesign } from '../cards/designs/save-design.ts';
import { missing } from './failure.ts';
import { PROGRAM, selectActor, selectProgram } from './select.ts';
import type { Session } from './session.ts';
import { details, type Output, type Terminal, table } from './terminal.ts';
import { trueOrFalse } from './values.ts';

const LOOK = [
  '--look <colours and pattern>',
  `how the console draws it: "#0a3d73 #1b8fbf rings"; patterns: ${PATTERNS.join(', ')}`,
  lookOf,
] as const;

export function designCommands(emboss: Command, session: Session): void {
  const group = emboss.command('design').description('Card designs of a program');
  group
    .command('add')
    .description('Add a design; the first of a program is its default')
    .argument('<id>', 'letters, digits, dots, hyphens, underscores')
    .requiredOption('--name <text>', 'display name')
    .option('--no-stock', 'not in stock: virtual cards only')
    .option('--default', 'use it for cards that name no design', false)
    .option('--no-emboss-name', "the cardholder's name cannot be printed on it")
    .option(...LOOK)
    .option(...PROGRAM)
    .action((id, { name, stock, default: isDefault, embossName, look, program: wanted }) =>
      session.run(async ({ db }) => {
        const actor = await selectActor(db, wanted);
        const design = { id, name, stock, default: isDefault, embossNameSupported: embossName, look };
        const added = await db.transaction((tx) => addDesign(tx, actor, design));
        return oneDesign(`Added a design to ${actor.program.name}.`, added);
      }),
    );
  group
    .command('list')
    .description('List the designs of a program')
    .option(...PROGRAM)
    .action(({ program }) =>
      session.run(async ({ db }) =>
        designList(session.terminal, await listDesigns(db, (await selectProgram(db, program)).id)),
      ),
    );
  group
    .command('set')
    .description('Change a design')
    .argument('<id>', 'id of the design')
    .option('--name <text>', 'display name')
    .option('--stock <true or false>', 'whether it is in stock for physical cards', trueOrFalse)
    .option('--default', 'use it for cards that name no design')
    .option(
      '--emboss-name <true or false>',
      "whether the cardholder's name can be printed on it",
      trueOrFalse,
    )
    .option('--retired <true or false>', 'whether new cards cannot have it any more', trueOrFalse)
    .option(...LOOK)
    .option(...PROGRAM)
    .action((id, { program: wanted, embossName, ...rest }) => {
      const change = { ...rest, ...(embossName !== undefined && { embossNameSupported: embossName }) };
      if (Object.keys(change).length === 0)
        throw new InvalidArgumentError(
          'specify what to change: --name, --stock, --default, --emboss-name, --retired or --look',
        );
      return session.run(async ({ db }) => {
        const actor = await selectActor(db, wanted);
        const { program } = actor;
        if (!(await findDesign(db, program.id, id)))
          throw missing(`design "${id}" in ${program.name}`, 'see "emboss design list"');
        const design = await db.transaction((tx) => updateDesign(tx, actor, id, change));
        return oneDesign(`Changed a design of ${program.name}.`, design);
      });
    });
}

function lookOf(text: string): Look {
  const [from = '', to = '', pattern] = text.split(' ');
  const known = PATTERNS.find((each) => each === pattern);
  if (!known)
    throw new InvalidArgumentError('Use two colours and a pattern, such as "#0a3d73 #1b8fbf rings".');
  return { from, to, pattern: known };
}

const yesNo = (value: boolean): string => (value ? 'yes' : 'no');

const fieldsOf = (design: Design): Array<[string, string]> => [
  ['id', design.id],
  ['name', design.name],
  ['stock', yesNo(design.stock)],
  ['default', yesNo(design.default)],
  ['emboss name', yesNo(design.embossNameSupported)],
  ['retired', yesNo(design.retired)],
];

const oneDesign = (title: string, design: Design): Output => ({
  json: design,
  text: `${title}\n${details(fieldsOf(design))}`,
});

function designList(terminal: Terminal, designs: Design[]): Output {
  const rows = designs.map((design) => fieldsOf(design).map(([, value]) => value));
  const names = ['ID', 'NAME', 'STOCK', 'DEFAULT', 'EMBOSS NAME', 'RETIRED'];
  const empty = 'The program has no designs yet; add one with "emboss design add".';
  return { json: { cardDesigns: designs }, text: table(terminal, names, rows, empty) };
}
