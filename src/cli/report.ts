import { Argument, type Command, InvalidArgumentError } from 'commander';
import { cardholderNames } from '../cards/cardholder-names.ts';
import { dayOf } from '../kernel/calendar.ts';
import { EmbossError } from '../kernel/error.ts';
import type { Actor } from '../programs/actor.ts';
import { closePeriod } from '../reports/close-period.ts';
import { openReport, requireSameBytes } from '../reports/open-report.ts';
import { findReportOfSubject } from '../reports/queries.ts';
import { recordExport } from '../reports/record-handout.ts';
import { FILE_TYPES, type FileType, fileNameOf, subjectOf } from '../reports/report.ts';
import type { Runtime } from '../runtime.ts';
import { openVault } from '../vault/vault.ts';
import { withProgress } from './progress.ts';
import { selectActor } from './select.ts';
import type { Session } from './session.ts';
import { writeOut } from './terminal.ts';
import { utcDay } from './values.ts';

export function reportCommand(emboss: Command, session: Session): void {
  emboss
    .command('report')
    .description(
      'Write a settlement report as CSV to stdout: emboss report daily --date 2026-11-01 > file.csv',
    )
    .addArgument(new Argument('<type>', 'report type').choices(FILE_TYPES))
    .requiredOption('--date <day>', 'the day, or any day of the month (YYYY-MM-DD, UTC)', utcDay)
    .option('--program <program>', 'id or name; required if there is more than one program')
    .action((fileType: FileType, { date, program }) => {
      if (emboss.opts()['json']) throw new InvalidArgumentError('a report is CSV; remove --json');
      return session.run(async (runtime) => {
        await writeReport(session, runtime, await selectActor(runtime.db, program), fileType, date);
        return undefined;
      });
    });
}

async function writeReport(
  { terminal }: Session,
  { db, masters }: Runtime,
  actor: Actor,
  fileType: FileType,
  date: string,
): Promise<void> {
  const { program } = actor;
  const { id, createdAt } = program;
  const subject = subjectOf(fileType, date, dayOf(actor.now()), dayOf(createdAt.getTime()));
  if (!(await closePeriod(db, id, subject)))
    throw new EmbossError(
      503,
      'The period is not closed yet: transactions in it are still in progress; retry',
    );
  const namesOf = cardholderNames({ db, vault: await openVault(db, masters) });
  const known = await findReportOfSubject(db, id, subject);
  await recordExport(db, actor, id, subject);
  // Rows printed to the terminal replace the progress bar.
  const live = terminal.live === true && terminal.stdout?.isTTY !== true;
  await withProgress({ ...terminal, live }, fileNameOf(subject), async (onProgress) => {
    const { content, weigh } = await openReport({ db, namesOf }, program, subject, onProgress);
    const isWhole = await writeOut(terminal, content);
    if (isWhole && known) requireSameBytes(known, weigh());
  });
}
