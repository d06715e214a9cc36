import { spawnSync } from 'node:child_process';
import { ROOT } from '../support/sources.ts';

interface AuditAnswer {
  metadata?: { vulnerabilities: Record<string, number> };
  vulnerabilities?: Record<string, { severity: string; isDirect: boolean; range: string }>;
}

export interface Audit {
  /** False: nobody could be asked, and nothing is known. */
  wasAsked: boolean;
  weaknesses: string[];
}

/** Asks the registry which of the locked packages have known weaknesses. */
export function auditPackages(): Audit {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: ROOT, encoding: 'utf8', timeout: 120_000 });
  const answer = readAnswer(stdout);
  if (!answer?.metadata) return { wasAsked: false, weaknesses: [] };
  const found = Object.entries(answer.vulnerabilities ?? {});
  return {
    wasAsked: true,
    weaknesses: found.map(([name, { severity, range }]) => `${name} ${range}: ${severity}`),
  };
}

function readAnswer(text: string): AuditAnswer | undefined {
  try {
    return JSON.parse(text) as AuditAnswer;
  } catch {
    return undefined;
  }
}
