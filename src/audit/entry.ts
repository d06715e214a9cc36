/** Stands for a program in the audit of what belongs to none: the people who work here. */
export const INSTALLATION_ID = '00000000-0000-8000-8000-000000000000';

export interface AuditRecord {
  programId: string;
  /** Who: `key:<id>` for an API key, `operator:<name> <address>`, `cli:<user>`, `system:<part>`. */
  actor: string;
  action: string;
  cardId: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  requestId: string | null;
  nowMs: number;
}
