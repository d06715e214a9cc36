import type { Queryable, Tx } from '../../db/database.ts';

/** Whose views: an operator's, in one program, of one list. */
export interface ViewsOf {
  programId: string;
  operatorId: string;
  list: string;
}

export interface View {
  id: string;
  name: string;
  search: string;
  columns: string[];
}

export const listViews = (db: Queryable, { programId, operatorId, list }: ViewsOf): Promise<View[]> =>
  db.query<View>(
    `select id, name, search, columns from saved_views
     where program_id = $1 and operator_id = $2 and list = $3 order by lower(name)`,
    [programId, operatorId, list],
  );

/** Replaces the view with the same name. The caller holds a lock, so that the number of views stays bounded. */
export async function saveView(
  tx: Tx,
  { programId, operatorId, list }: ViewsOf,
  { id, name, search, columns }: View,
  createdAt: Date,
): Promise<void> {
  await tx.query(
    `insert into saved_views (program_id, operator_id, list, id, name, search, columns, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (program_id, operator_id, list, lower(name))
     do update set name = excluded.name, search = excluded.search, columns = excluded.columns`,
    [programId, operatorId, list, id, name, search, columns, createdAt],
  );
}

/** Returns whether there was such a view. */
export async function deleteView(
  tx: Tx,
  programId: string,
  operatorId: string,
  id: string,
): Promise<boolean> {
  const rows = await tx.query(
    `delete from saved_views
     where program_id = $1 and operator_id = $2 and list in ('cards', 'transactions', 'webhook-events') and id = $3
     returning id`,
    [programId, operatorId, id],
  );
  return rows.length > 0;
}
