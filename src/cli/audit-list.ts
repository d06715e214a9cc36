import { type Command, InvalidArgumentError } from 'commander';
import { type Entry, INSTALLATION_ID } from '../audit/entry.ts';
import { listNewestEntries } from '../audit/queries.ts';
import { isId } from '../kernel/ids.ts';
import { PROGRAM, selectProgram } from './select.ts';
import type { Session } from './session.ts';
import { moment, type Output, type Terminal, table } from './terminal.ts';
import { countUpTo } from './values.ts';

const MOST = 1_000;

/** Lists all entries, including those that the console's card history omits: searches, views, keys, sign-ins. */
export function auditListCommand(group: Command, session: Session): void {
  group
    .command('list')
    .description('Show the newest audit entries: who did what, when, and from which address')
    .option(...PROGRAM)
    .option('--installation', 'entries that belong to no program: operators and their sign-ins')
    .option('--card <id>', 'only entries for this card', cardId)
    .option('--action <name>', 'only this action, such as card.reveal_refused')
    .option('--limit <n>', `number of entries, up to ${MOST}`, countUpTo(MOST), 50)
    .action(({ program, installation, card, action, limit }) =>
      session.run(async ({ db }) => {
        const programId = installation ? INSTALLATION_ID : (await selectProgram(db, program)).id;
        return entryList(session.terminal, await listNewestEntries(db, programId, { card, action }, limit));
      }),
    );
}

function cardId(text: string): string {
  if (!isId(text)) throw new InvalidArgumentError('must be the id of a card');
  return text;
}

function entryList(terminal: Terminal, entries: Entry[]): Output {
  const rows = entries.map(({ createdAt, action, actor, address, cardId: card, after }) => [
    moment(createdAt, ''),
    action,
    actor,
    address ?? '-',
    card ?? '-',
    after === null ? '-' : JSON.stringify(after),
  ]);
  const names = ['WHEN', 'ACTION', 'ACTOR', 'ADDRESS', 'CARD', 'DETAILS'];
  return { json: { entries }, text: table(terminal, names, rows, 'No matching entries.') };
}
