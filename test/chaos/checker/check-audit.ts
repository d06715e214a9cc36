import type { Report } from './finding.ts';
import { groupBy, type Rows } from './rows.ts';

/** Every audit entry has its position in its program's chain, without gaps, also if a process was killed while linking. */
export function checkAudit({ audit, auditLinks }: Rows, report: Report): void {
  const linked = groupBy(auditLinks, (row) => row['entry_id'] as string);
  for (const { id, action } of audit)
    if (linked.get(id)?.length !== 1)
      report(
        'the audit is one chain',
        `entry ${id} (${action}) is linked ${linked.get(id)?.length ?? 0} times`,
      );
  if (auditLinks.length > audit.length) report('the audit is one chain', 'it has links without an entry');
  for (const [program, links] of groupBy(auditLinks, (row) => row['program_id'] as string))
    if (links.some(({ position }, index) => position !== BigInt(index + 1)))
      report('the audit is one chain', `the chain of ${program} has a gap`);
}
