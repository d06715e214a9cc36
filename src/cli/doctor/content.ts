import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findDesign } from '../../cards/designs/queries.ts';
import { type Config, loadMasterKey } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { Program } from '../../programs/program.ts';
import { listKeys, listPrograms } from '../../programs/queries.ts';
import { inspectKeys, masterKeyFrom } from '../../vault/keyring.ts';
import { statusOf } from '../key.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

export async function checkVault(config: Config, db: Database): Promise<Finding[]> {
  const keyFile = join(config.dataDir, 'master-key');
  // Checked before reading: `loadMasterKey` creates a missing file, and a new key opens nothing.
  const given = config.masterKey || existsSync(keyFile) ? loadMasterKey(config, () => {}) : undefined;
  const masters = [given, config.previousMasterKey].flatMap((key) => (key ? [masterKeyFrom(key)] : []));
  const keys = (await inspectKeys(db, masters)).filter((key) => key.openedBy !== 'retired');
  if (keys.length === 0) return [ok('vault', 'the vault has no keys yet; the first start creates them')];
  if (!given) return [fail('vault', `the master key ${keyFile} is missing`, 'restore it from your backup')];
  const named = (openedBy: string) =>
    keys
      .filter((key) => key.openedBy === openedBy)
      .map((key) => key.id)
      .join(', ');
  if (named('none'))
    return [
      fail(
        'vault',
        `the master key does not decrypt data keys ${named('none')}: no card number can be read`,
        'set EMBOSS_MASTER_KEY to the master key of this database',
      ),
    ];
  if (named('previous'))
    return [
      warn(
        'vault',
        `data keys ${named('previous')} are still encrypted with EMBOSS_MASTER_KEY_PREVIOUS`,
        'run "emboss vault rewrap"',
      ),
    ];
  return [ok('vault', `the master key decrypts all ${keys.length} data keys`)];
}

export async function checkPrograms(config: Config, db: Database): Promise<Finding[]> {
  const programs = await listPrograms(db);
  if (programs.length === 0)
    return [warn('programs', 'there is no program yet', 'run "emboss start" or "emboss program create"')];
  const findings = [ok('programs', `programs: ${programs.length}`)];
  for (const program of programs) findings.push(...(await checkProgram(config, db, program)));
  return findings;
}

async function checkProgram(config: Config, db: Database, program: Program): Promise<Finding[]> {
  const { id, name, mode, kycProvider } = program;
  const findings: Finding[] = [];
  if (!(await findDesign(db, id, undefined)))
    findings.push(
      warn(
        'design',
        `${name} has no default design: no card can be created`,
        `emboss design add --program ${id}`,
      ),
    );
  const keys = await listKeys(db, id);
  if (!keys.some((key) => key.kind === 'merchant' && statusOf(key) === 'active'))
    findings.push(
      warn(
        'key',
        `${name} has no valid merchant key: the API cannot be called`,
        `emboss key create --program ${id}`,
      ),
    );
  if (kycProvider === 'sumsub' && !config.sumsub)
    findings.push(
      fail(
        'kyc',
        `${name} uses sumsub, which is not configured: no card can be created`,
        'set SUMSUB_APP_TOKEN and SUMSUB_SECRET_KEY',
      ),
    );
  if (mode === 'live' && kycProvider === 'sandbox')
    findings.push(
      warn(
        'kyc',
        `${name} is live with the sandbox KYC provider: cardholders are not verified`,
        `emboss program set ${id} --kyc-provider sumsub`,
      ),
    );
  return findings.length > 0 ? findings : [ok('program', `${name} has a design, a key and a KYC provider`)];
}
