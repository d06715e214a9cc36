import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { INSTALLATION_ID } from '../audit/entry.ts';
import { type AuditReport, type Head, type Tampering, verifyAudit } from '../audit/verify-audit.ts';
import { EmbossError } from '../kernel/error.ts';
import { listPrograms } from '../programs/queries.ts';
import type { Runtime } from '../runtime.ts';
import { openVault } from '../vault/vault.ts';
import { auditListCommand } from './audit-list.ts';
import { EXIT } from './failure.ts';
import { withProgress } from './progress.ts';
import type { Session } from './session.ts';
import { type Output, paint, type Terminal } from './terminal.ts';

interface Chain {
  id: string;
  name: string;
}

type Checked = AuditReport & { chain: Chain };

export function auditCommands(emboss: Command, session: Session): void {
  const group = emboss.command('audit').description('The audit: who did what');
  auditListCommand(group, session);
  group
    .command('verify')
    .description(
      'Verify the audit chain of every program and of the installation, to find entries that were changed, removed or inserted; exit code 1 if there is one. Servers may keep running',
    )
    .option(
      '--since <file>',
      'output of an earlier "audit verify --json", stored elsewhere: also finds chains that were truncated since then',
    )
    .action(({ since }: { since?: string }) =>
      session.run(async (runtime) => {
        const heads = since === undefined ? new Map<string, Head>() : readHeads(since);
        const checked = await verifyAll(session.terminal, runtime, heads);
        session.exitCode = checked.some(({ tampering }) => tampering) ? EXIT.failed : EXIT.done;
        return report(session.terminal, checked);
      }),
    );
}

async function verifyAll(
  terminal: Terminal,
  { db, masters }: Runtime,
  heads: Map<string, Head>,
): Promise<Checked[]> {
  const { history: digest } = await openVault(db, masters);
  const chains: Chain[] = [{ id: INSTALLATION_ID, name: 'Installation' }, ...(await listPrograms(db))];
  const checked: Checked[] = [];
  for (const { id, name } of chains) {
    const verify = (tellShare: (share: number) => void) =>
      verifyAudit({ db, digest }, id, heads.get(id), tellShare);
    checked.push({ chain: { id, name }, ...(await withProgress(terminal, name, verify)) });
  }
  const known = new Set(chains.map(({ id }) => id));
  const lost = [...heads].filter(([id]) => !known.has(id));
  return [...checked, ...lost.map(([id, head]) => cutWhole(id, head))];
}

/** Emboss never deletes a program: a recorded head without a program means that its rows were removed. */
const cutWhole = (id: string, { position }: Head): Checked => ({
  chain: { id, name: id },
  entries: 0,
  waiting: 0,
  head: null,
  tampering: { what: 'cut', entryId: null, position },
});

function readHeads(path: string): Map<string, Head> {
  try {
    const { chains } = JSON.parse(readFileSync(path, 'utf8')) as {
      chains: Array<Chain & { head: Head | null }>;
    };
    return new Map(chains.flatMap(({ id, head }) => (head ? [[id, head] as const] : [])));
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? 'not the output of "emboss audit verify --json"';
    throw new EmbossError(400, `--since: ${path} cannot be read: ${why}`);
  }
}

function report(terminal: Terminal, checked: Checked[]): Output {
  const lines = checked.map(({ chain, entries, waiting, head, tampering }) => {
    const mark = tampering ? paint(terminal, 'red', 'fail') : paint(terminal, 'green', 'ok  ');
    const counted = `${entries} ${entries === 1 ? 'entry' : 'entries'}${waiting > 0 ? `, ${waiting} not yet in the chain` : ''}`;
    const end = head ? `, ending in ${head.hash.slice(-16)}` : '';
    return `${mark}  ${chain.name}: ${counted}${tampering ? `: ${describeTampering(tampering)}` : end}`;
  });
  return {
    json: {
      verified: checked.every(({ tampering }) => !tampering),
      chains: checked.map(({ chain, tampering, ...rest }) => ({
        ...chain,
        ...rest,
        tampering: tampering ?? null,
      })),
    },
    text: lines.join('\n'),
  };
}

function describeTampering({ what, entryId, position }: Tampering): string {
  const where = position === null ? '' : ` at position ${position}`;
  if (what === 'cut') return `the chain was truncated or rebuilt: its earlier content is missing${where}`;
  const entry = entryId ? `entry ${entryId}` : 'an entry';
  if (what === 'missing') return `${entry}${where} is missing`;
  if (what === 'added') return `${entry} was inserted`;
  return `${entry}${where} was changed, or an entry before it is missing`;
}
