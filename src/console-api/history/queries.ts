import type { Entry } from '../../audit/entry.ts';
import { column } from '../../db/columns.ts';
import type { Queryable } from '../../db/database.ts';

export type AuditRow = Omit<Entry, 'cardId'>;

/** A card's audit entries below an id, newest first, without views (`emboss audit list` shows those). */
export const listAuditBelow = (
  db: Queryable,
  programId: string,
  cardId: string,
  belowId: string,
  limit: number,
): Promise<AuditRow[]> =>
  db.query<AuditRow>(
    {
      name: 'list_card_audit_below',
      text: `select id, actor, address, action, before, after, request_id as "requestId", created_at as "createdAt"
             from audit_entries where program_id = $1 and card_id = $2 and id < $3
               and action not in ('console.viewed_card', 'console.viewed_transaction')
             order by id desc limit $4`,
    },
    [programId, cardId, belowId, limit],
  );

export async function findKeyNames(
  db: Queryable,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; name: string }>(
    {
      name: 'find_key_names',
      text: 'select id, name from api_keys where program_id = $1 and id = any ($2::uuid[])',
    },
    [programId, column(ids)],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
