import type { Queryable } from '../../db/database.ts';
import type { EventType } from '../../events/event.ts';

export interface LiveEventRow {
  id: string;
  type: EventType;
  name: string;
  cardId: string | null;
  data: Record<string, unknown>;
  createdAt: Date;
}

/** The newest events from an id on. */
export const listEventsFrom = (
  db: Queryable,
  programId: string,
  fromId: string,
  limit: number,
): Promise<LiveEventRow[]> =>
  db.query<LiveEventRow>(
    {
      name: 'list_live_events',
      text: `select id, event_type as type, event_name as name, card_id as "cardId", data, created_at as "createdAt"
             from events where program_id = $1 and id >= $2 order by id desc limit $3`,
    },
    [programId, fromId, limit],
  );

export async function findNewestEventId(db: Queryable, programId: string): Promise<string | undefined> {
  const rows = await db.query<{ id: string }>(
    {
      name: 'find_newest_event',
      text: 'select id from events where program_id = $1 order by id desc limit 1',
    },
    [programId],
  );
  return rows[0]?.id;
}
