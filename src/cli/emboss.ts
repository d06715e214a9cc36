import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { VERSION } from '../version.ts';
import { auditCommands } from './audit.ts';
import { cardCommands } from './card.ts';
import { clusterCommands } from './cluster.ts';
import { demoCommand } from './demo.ts';
import { designCommands } from './design.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { EXIT, reportFailure } from './failure.ts';
import { keyCommands } from './key.ts';
import { ledgerCommands } from './ledger.ts';
import { listenCommand } from './listen.ts';
import { migrateCommand } from './migrate.ts';
import { operatorCommands } from './operator.ts';
import { programCommands } from './program.ts';
import { reportCommand } from './report.ts';
import { ruleCommands } from './rule.ts';
import { createSession } from './session.ts';
import { startCommand } from './start.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { vaultCommands } from './vault.ts';
import { webhookCommands } from './webhook.ts';

const HELP = `
Settings come from the environment (DATABASE_URL, DATA_DIR, PORT, EMBOSS_MASTER_KEY, …).

Exit codes:
  ${EXIT.done}  done
  ${EXIT.failed}  refused or failed; the reason is on stderr
  ${EXIT.usage}  wrong usage
  ${EXIT.notFound}  the program, key, operator or design named does not exist

With --json, stdout contains exactly one JSON document (listen: one per line); a failure is {"code", "message", "status": "failed"}.`;

/** Runs one command and returns its exit code. `start` returns as soon as the server is ready. */
export async function runCommandLine(
  argv: string[],
  terminal: Terminal = processTerminal(),
): Promise<number> {
  const emboss = new Command('emboss');
  const session = createSession(terminal, () => emboss.opts()['json'] === true);
  emboss
    .description(
      'Card issuing platform: server, programs, keys, operators, designs, cards, rules, webhooks, ledger, audit, vault and cluster',
    )
    .version(VERSION)
    .option('--json', 'print one JSON document and nothing else')
    .addHelpText('after', HELP)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err, outputError: () => {} })
    .exitOverride();
  startCommand(emboss, session);
  migrateCommand(emboss, session);
  programCommands(emboss, session);
  keyCommands(emboss, session);
  operatorCommands(emboss, session);
  designCommands(emboss, session);
  cardCommands(emboss, session);
  ruleCommands(emboss, session);
  vaultCommands(emboss, session);
  clusterCommands(emboss, session);
  ledgerCommands(emboss, session);
  auditCommands(emboss, session);
  webhookCommands(emboss, session);
  listenCommand(emboss, session);
  reportCommand(emboss, session);
  demoCommand(emboss, session);
  doctorCommand(emboss, session);
  try {
    await emboss.parseAsync(argv, { from: 'user' });
    return session.exitCode;
  } catch (error) {
    const json = argv.includes('--json');
    return reportFailure(terminal, error, { json, stack: wantsStack(terminal) });
  }
}

function wantsStack(terminal: Terminal): boolean {
  try {
    return ['debug', 'trace'].includes(readConfig(terminal.env).logLevel);
  } catch {
    return false;
  }
}
