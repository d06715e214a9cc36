import type { AuditAction } from '../audit/actions.ts';
import { audit } from '../audit/audit.ts';
import type { Identity } from '../audit/entry.ts';
import type { Database } from '../db/database.ts';
import { readActor } from '../programs/actor.ts';
import type { Subject } from './report.ts';

export const recordDownload = (
  db: Database,
  by: Identity,
  programId: string,
  reportId: string,
): Promise<void> => record(db, by, programId, 'report.downloaded', { reportId });

/** The command line generates the content again, whether or not the report has a stored file. */
export const recordExport = (
  db: Database,
  by: Identity,
  programId: string,
  { fileType, firstDay, lastDay }: Subject,
): Promise<void> => record(db, by, programId, 'report.exported', { fileType, firstDay, lastDay });

const record = (
  db: Database,
  by: Identity,
  programId: string,
  action: AuditAction,
  after: Record<string, unknown>,
): Promise<void> =>
  db.transaction(async (tx) => audit(tx, await readActor(tx, by, programId), action, { after }));
