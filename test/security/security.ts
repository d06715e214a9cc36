import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockedPackages } from '../../tools/licences.ts';
import { scriptOf } from '../support/scripts/script-options.ts';
import { ROOT } from '../support/scripts/sources.ts';
import { auditPackages } from './audit.ts';

/**
 * `npm run security`: everything that shows a line of SECURITY.md's table, which `npm test` runs too, and what needs the
 * registry. Ends with 1 if anything was found, and with 2 if the registry could not be queried: the result is then unknown.
 */
scriptOf(
  'security',
  'Runs the tests in SECURITY.md and queries the registry for known vulnerabilities. Exit code 1: found a fault; 2: the registry could not be queried.',
).parse();

const page = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
const named = [...page.matchAll(/`((?:src|test)\/[^`]+\.test\.ts)`/g)].map(([, path = '']) => path);
const PROOFS = ['test/security', ...new Set(named)];

const say = (line: string): boolean => process.stdout.write(`${line}\n`);
const tests = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...PROOFS], {
  cwd: ROOT,
  stdio: 'inherit',
});
const packages = lockedPackages();
const licences = [...new Set(packages.map(({ licence }) => licence))].sort();
say(`\n${packages.length} packages under ${licences.join(', ')} (docs/licences.md)`);
const audit = auditPackages();
if (audit.state === 'unknown')
  say(
    `NOT CHECKED: npm audit is not available here, ${audit.why}. Known vulnerabilities of packages are UNKNOWN to this run`,
  );
else if (audit.state === 'clean')
  say(`npm audit: clean, ${audit.packages} packages, no known vulnerabilities`);
else for (const weakness of audit.weaknesses) say(`known vulnerability: ${weakness}`);
process.exitCode = tests.status !== 0 || audit.state === 'weak' ? 1 : audit.state === 'unknown' ? 2 : 0;
