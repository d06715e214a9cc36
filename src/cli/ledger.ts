import type { Command } from 'commander';
import {
  type ApprovalsDifference,
  type ApprovalsReport,
  verifyApprovals,
} from '../approvals/verify-approvals.ts';
import {
  type BooksDifference,
  type BooksReport,
  verifyBooks,
} from '../authorizations/verify/verify-books.ts';
import type { Database } from '../db/database.ts';
import { formatAmount } from '../kernel/money.ts';
import { type Difference, type LedgerReport, verifyLedger } from '../ledger/verify-ledger.ts';
import type { Program } from '../programs/program.ts';
import { listPrograms } from '../programs/queries.ts';
import { EXIT } from './failure.ts';
import { withProgress } from './progress.ts';
import { selectProgram } from './select.ts';
import type { Session } from './session.ts';
import { type Output, paint, type Terminal } from './terminal.ts';

type AnyDifference = Difference | BooksDifference | ApprovalsDifference;
type Counts = Omit<LedgerReport & BooksReport & ApprovalsReport, 'difference'>;
type Checked = Counts & { program: Program; difference: AnyDifference | undefined };

export function ledgerCommands(emboss: Command, session: Session): void {
  const group = emboss.command('ledger').description('The double-entry ledger');
  group
    .command('verify')
    .description(
      'Add up all transfers and compare them with every balance, closing balance and hold, with what is in suspense, with the totals by which the limits of cards are judged, and with what a second person approved; exit code 1 at the first difference. Servers may keep running',
    )
    .argument('[program]', 'id or name (default: all programs)')
    .action((wanted) =>
      session.run(async ({ db }) => {
        const programs = wanted === undefined ? await listPrograms(db) : [await selectProgram(db, wanted)];
        const checked = await verifyAll(session.terminal, db, programs);
        session.exitCode = checked.some(({ difference }) => difference) ? EXIT.failed : EXIT.done;
        return report(session.terminal, checked);
      }),
    );
}

async function verifyAll(terminal: Terminal, db: Database, programs: Program[]): Promise<Checked[]> {
  const checked: Checked[] = [];
  for (const program of programs) {
    const found = await withProgress(terminal, program.name, (onProgress) =>
      verifyProgram(db, program.id, onProgress),
    );
    checked.push({ program, ...found });
    if (checked.at(-1)?.difference) break;
  }
  return checked;
}

/** The transactions are compared with a ledger that is sound in itself. */
async function verifyProgram(
  db: Database,
  programId: string,
  onProgress: (share: number) => void,
): Promise<Omit<Checked, 'program'>> {
  const ledger = await verifyLedger(db, programId, onProgress);
  if (ledger.difference)
    return { ...ledger, holds: 0, unmatched: 0, approvals: 0, difference: ledger.difference };
  const books = await verifyBooks(db, programId);
  const { approvals, difference } = await verifyApprovals(db, programId);
  return { ...ledger, ...books, approvals, difference: books.difference ?? difference };
}

function report(terminal: Terminal, checked: Checked[]): Output {
  const programs = checked.map(({ program, difference, ...counts }) => ({
    id: program.id,
    name: program.name,
    ...counts,
    difference: difference ? differenceJson(difference, program.currency) : null,
  }));
  const lines = checked.map(({ program, difference, ...counts }) => {
    const found = difference ? describeDifference(difference, program.currency) : 'all agree';
    const mark = difference ? paint(terminal, 'red', 'fail') : paint(terminal, 'green', 'ok  ');
    return `${mark}  ${program.name}: ${describeCounts(counts)}: ${found}`;
  });
  return {
    json: { verified: programs.every(({ difference }) => difference === null), programs },
    text: lines.length === 0 ? 'No programs yet.' : lines.join('\n'),
  };
}

const describeCounts = ({
  transfers,
  accounts,
  closingBalances,
  holds,
  unmatched,
  approvals,
}: Counts): string =>
  `${transfers} transfers, ${accounts} accounts, ${closingBalances} closing balances, ${holds} holds, ${unmatched} without a card, ${approvals} approved`;

const SOURCES = {
  balance: 'the sum of its transfers is',
  'closing balance': 'the sum of its transfers is',
  'sum of all accounts': 'expected',
  'held amount': 'its transactions hold',
  'amount without a card': 'its clearings and refunds are',
  'amount spent': 'its transactions are',
  'amount held': 'its transactions are',
  'amount refunded': 'its transactions are',
  'purchases in use': 'its transactions are',
  'approved amount': 'its approval is of',
};

function describeDifference(
  { what, account, day, expectedMinor, keptMinor }: AnyDifference,
  currency: string,
): string {
  const money = (minor: bigint) =>
    what === 'purchases in use' ? String(minor) : `${formatAmount(minor, currency)} ${currency}`;
  const kept = keptMinor === null ? 'is missing' : `is stored as ${money(keptMinor)}`;
  const where = [account && `of ${account}`, day && `on ${day}`].filter(Boolean).join(' ');
  return `the ${[what, where].filter(Boolean).join(' ')} ${kept}, ${SOURCES[what]} ${money(expectedMinor)}`;
}

function differenceJson({ expectedMinor, keptMinor, ...subject }: AnyDifference, currency: string) {
  const text = (minor: bigint) =>
    subject.what === 'purchases in use' ? String(minor) : formatAmount(minor, currency);
  const kept = keptMinor === null ? null : text(keptMinor);
  return { ...subject, currency, expected: text(expectedMinor), kept };
}
