import type { Queryable, Tx } from '../db/database.ts';
import { parametersOf, valuesOf } from '../db/row.ts';
import type { ValueList } from './value-list.ts';

const REPLACED = 'type, size, values_id, updated_at' as const;
const STORED = `program_id, name, id, ${REPLACED}, created_at` as const;

/** Inserts the list, or replaces what its values change. */
export async function saveList(tx: Tx, list: ValueList): Promise<void> {
  await tx.query(
    `insert into rule_lists (${STORED}) values (${parametersOf(STORED)})
     on conflict (program_id, name) do update set (${REPLACED}) = (${parametersOf(REPLACED, 4)})`,
    valuesOf(STORED, list),
  );
}

/** All lists of the program, by their names. */
export const listLists = (db: Queryable, programId: string): Promise<ValueList[]> =>
  db.query<ValueList & Record<string, unknown>>(
    {
      name: 'list_rule_lists',
      text: `select ${STORED} from rule_lists where program_id = $1 order by name`,
    },
    [programId],
  );

export async function deleteList(tx: Tx, { programId, name }: ValueList): Promise<void> {
  await tx.query('delete from rule_lists where program_id = $1 and name = $2', [programId, name]);
}
