import type { Command } from 'commander';
import { bringBack, type ListedPart, listParts, type Move, moveOut } from '../authorizations/move-out.ts';
import { openDatabase } from '../db/database.ts';
import { isBusy } from '../db/failures.ts';
import { inspectServer, servesOnly } from '../db/inspect.ts';
import type { Part } from '../db/months.ts';
import { EmbossError } from '../kernel/error.ts';
import type { Runtime } from '../runtime.ts';
import { cliIdentity, type Session } from './session.ts';
import { type Output, type Terminal, table } from './terminal.ts';
import { monthStart } from './values.ts';

export function transactionsCommands(emboss: Command, session: Session): void {
  const group = emboss
    .command('transactions')
    .description('Months of transactions: what is here, and what has moved out');
  group
    .command('months')
    .description('List the parts that transactions lie in')
    .action(() => session.run(async ({ db }) => monthList(session.terminal, await listParts(db))));
  group
    .command('move-out')
    .description(
      'Take the oldest months out of the way while servers run; each stays in the database as a table of its own, to be dumped and dropped',
    )
    .requiredOption('--before <month>', 'all that is older than this month, such as 2027-01', monthStart)
    .action(({ before }) =>
      session.run((runtime) =>
        change(session, runtime, (move) => moveOut(move, before), {
          done: 'moved out',
          advice: 'Keep them elsewhere with "pg_dump --table", then drop them.',
        }),
      ),
    );
  group
    .command('bring-back')
    .description('Put months that have moved out back, while servers run')
    .requiredOption('--from <month>', 'this month, such as 2027-01, and all that is newer', monthStart)
    .action(({ from }) =>
      session.run((runtime) =>
        change(session, runtime, (move) => bringBack(move, from), { done: 'brought back' }),
      ),
    );
}

const ANSWER_WITHIN_MS = 6 * 3_600_000;

/** As the owner of the schema, which the server's own login may not change. */
async function change(
  { terminal }: Session,
  { ownerUrl }: Runtime,
  work: (move: Move) => Promise<Part[]>,
  { done, advice = '' }: { done: string; advice?: string },
): Promise<Output> {
  const owner = openDatabase({
    url: ownerUrl,
    poolSize: 1,
    namedStatements: false,
    onIdleError: () => {},
    answerWithinMs: ANSWER_WITHIN_MS,
  });
  const onMoved = ({ name }: Part) => terminal.err(`emboss: ${name} was ${done}\n`);
  try {
    if (await servesOnly(owner))
      throw new EmbossError(
        409,
        "this login may not change the schema: set MIGRATION_DATABASE_URL to the owner's",
      );
    const { now } = await inspectServer(owner);
    const parts = await work({ owner, actor: cliIdentity(), nowMs: now.getTime(), onMoved });
    return tell(done, parts, advice);
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new EmbossError(503, 'somebody reads transactions for long (a report, a dump); try again later');
  } finally {
    await owner.close();
  }
}

function monthList(terminal: Terminal, parts: ListedPart[]): Output {
  const rows = parts.map(({ name, here, bytes, part }) => ({
    name,
    from: part?.from ?? null,
    below: part?.below ?? null,
    state: here ? 'here' : 'moved out',
    bytes: Number(bytes),
  }));
  return {
    json: { parts: rows },
    text: table(
      terminal,
      ['Part', 'From', 'Before', 'State', 'Size'],
      rows.map(({ name, from, below, state, bytes }) => [
        name,
        from ?? (below ? 'the first' : 'what is later'),
        below ?? '',
        state,
        `${(bytes / 2 ** 20).toFixed(1)} MiB`,
      ]),
    ),
  };
}

function tell(what: string, parts: Part[], advice: string): Output {
  const names = parts.map(({ name }) => name);
  return {
    json: { parts: names },
    text:
      names.length === 0
        ? 'There is nothing to do.'
        : `${names.length} ${names.length === 1 ? 'part was' : 'parts were'} ${what}: ${names.join(', ')}. ${advice}`.trim(),
  };
}
