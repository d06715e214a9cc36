import type { Queryable, Tx } from '../../db/database.ts';
import type { Design } from './design.ts';

const COLUMNS = 'id, name, stock, is_default as "default", emboss_name_supported, retired, look';

export const listDesigns = (db: Queryable, programId: string): Promise<Design[]> =>
  db.query<Design>(
    {
      name: 'list_designs',
      text: `select ${COLUMNS} from card_designs where program_id = $1 order by created_at, id`,
    },
    [programId],
  );

/** A design by its id, or without an id the program's default design. */
export async function findDesign(
  db: Queryable,
  programId: string,
  id: string | undefined,
): Promise<Design | undefined> {
  const rows = await db.query<Design>(
    {
      name: id === undefined ? 'find_default_design' : 'find_design',
      text: `select ${COLUMNS} from card_designs
             where program_id = $1 and ${id === undefined ? 'is_default' : 'id = $2'}`,
    },
    id === undefined ? [programId] : [programId, id],
  );
  return rows[0];
}

export async function insertDesign(tx: Tx, programId: string, design: Design): Promise<boolean> {
  const rows = await tx.query(
    `insert into card_designs
       (program_id, id, name, stock, is_default, emboss_name_supported, retired, look, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp())
     on conflict (program_id, id) do nothing returning id`,
    valuesOfDesign(programId, design),
  );
  return rows.length === 1;
}

export async function updateDesignRow(tx: Tx, programId: string, design: Design): Promise<void> {
  await tx.query(
    `update card_designs
     set name = $3, stock = $4, is_default = $5, emboss_name_supported = $6, retired = $7, look = $8
     where program_id = $1 and id = $2`,
    valuesOfDesign(programId, design),
  );
}

const valuesOfDesign = (programId: string, design: Design) => [
  programId,
  design.id,
  design.name,
  design.stock,
  design.default,
  design.embossNameSupported,
  design.retired,
  design.look,
];

export async function clearDefaultDesign(tx: Tx, programId: string): Promise<void> {
  await tx.query('update card_designs set is_default = false where program_id = $1 and is_default', [
    programId,
  ]);
}
