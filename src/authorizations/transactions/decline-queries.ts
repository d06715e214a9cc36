import type { Static } from 'typebox';
import type { Queryable } from '../../db/database.ts';
import { eventWithId } from '../../events/queries.ts';
import { WANTED } from './queries.ts';
import type { DeclineLimits } from './schema.ts';

/**
 * The numbers behind the declines of these transactions, by id. The event of the decline is the first one, unless
 * clearings arrived before the authorization.
 */
export async function findDeclineLimits(
  db: Queryable,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, Static<typeof DeclineLimits>>> {
  const rows = await db.query<{ id: string; limits: Static<typeof DeclineLimits> }>(
    {
      name: 'find_decline_limits',
      text: `select t.id, e.data -> 'limits' as limits from ${WANTED}
             cross join lateral unnest(t.event_ids[1:10]) as own (id)
             cross join lateral ${eventWithId('$1', 'own.id')} e
             where e.event_name = 'authorization.declined' and e.data ->> 'message_id' = t.external_transaction_id
               and jsonb_typeof(e.data -> 'limits') = 'object'`,
    },
    [programId, ids],
  );
  return new Map(rows.map(({ id, limits }) => [id, limits]));
}
