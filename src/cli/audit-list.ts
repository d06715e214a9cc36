import { type Command, InvalidArgumentError } from 'commander';
import { type Entry, INSTALLATION_ID } from '../audit/entry.ts';
import { listNewestEntries } from '../audit/queries.ts';
import { isId } from '../kernel/ids.ts';
import { selectProgram } from './select.ts';
import type { Session } from './session.ts';
import { moment, type Output, type Terminal, table } from './terminal.ts';
import { wholeNumber } from './values.ts';

const MOST = 1_000;

/** Lists all entries, including those that the console's card history omits: searches, views, keys, sign-ins. */
export function auditListCommand(group: Command, session: Session): void {
  group
    .command('list')
    .description('Show the newest audit entries: who did what, when, and from which address')
    .option('--program <id or name>', 'required if there is more than one program')
    .option('--installation', 'entries that belong to no program: operators and their sign-ins')
    .option('--card <id>', 'only entries for this card', cardId)
    .option('--action <name>', 'only this action, such as card.reveal_refused')
    .option('--limit <n>', `number of entries, up to ${MOST}`, limit, 50)
    .action(({ program, installation, card, action, limit: most }) =>
      session.run(async ({ db }) => {
        const programId = installation ? INSTALLATION_ID : (await selectProgram(db, program)).id;
        return entryList(session.terminal, await listNewestEntries(db, programId, { card, action }, most));
      }),
    );
}

function cardId(text: string): string {
  if (!isId(text)) throw new InvalidArgumentError('must be the id of a card');
  return text;
}

function limit(text: string): number {
  const count = wholeNumber(text);
  if (count < 1 || count > MOST) throw new InvalidArgumentError(`must be 1 to ${MOST}`);
  return count;
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
  return {
    json: { entries },
    text:
      rows.length === 0
        ? 'No matching entries.'
        : table(terminal, ['WHEN', 'ACTION', 'ACTOR', 'ADDRESS', 'CARD', 'DETAILS'], rows),
  };
}
