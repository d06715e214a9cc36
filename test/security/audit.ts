import { spawnSync } from 'node:child_process';
import { ROOT } from '../support/scripts/sources.ts';

/** As much of `npm audit --json` as is read: its report, or what went wrong. */
interface AuditAnswer {
  metadata?: { vulnerabilities?: Record<string, number>; dependencies?: { total?: number } };
  vulnerabilities?: Record<string, { severity: string; range: string }>;
  statusCode?: number;
  message?: string;
  error?: { summary?: string };
}

/** `unknown`: the registry could not be queried. That is not the same as clean. */
export type Audit =
  | { state: 'clean'; packages: number }
  | { state: 'weak'; weaknesses: string[] }
  | { state: 'unknown'; why: string };

/** Reads from the registry which of the locked packages have known weaknesses. */
export function auditPackages(): Audit {
  const { stdout, error } = spawnSync('npm', ['audit', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 2 ** 26,
  });
  return error ? { state: 'unknown', why: error.message } : readAudit(stdout);
}

export function readAudit(text: string): Audit {
  const answer = parse(text);
  if (!answer) return { state: 'unknown', why: 'npm audit said nothing that can be read' };
  const { metadata, vulnerabilities = {}, statusCode } = answer;
  const weaknesses = Object.entries(vulnerabilities).map(
    ([name, { severity, range }]) => `${name} ${range}: ${severity}`,
  );
  if (weaknesses.length > 0) return { state: 'weak', weaknesses };
  const counted = Object.values(metadata?.vulnerabilities ?? {}).reduce((sum, count) => sum + count, 0);
  if (counted > 0) return { state: 'weak', weaknesses: [`${counted} that npm audit does not name`] };
  const packages = metadata?.dependencies?.total ?? 0;
  if (metadata?.vulnerabilities && packages > 0) return { state: 'clean', packages };
  const said = answer.error?.summary || answer.message;
  const why =
    statusCode === undefined ? 'the registry was not reached' : `the registry answered ${statusCode}`;
  return { state: 'unknown', why: said ? `${why} (${said})` : why };
}

function parse(text: string): AuditAnswer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as AuditAnswer) : undefined;
  } catch {
    return undefined;
  }
}
