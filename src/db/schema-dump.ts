import pg from 'pg';
import { dumpSchema } from './queries.ts';

interface Line {
  table_name: string;
  part: number;
  line: string;
}

/** The schema as readable SQL, from the catalog: the embedded server has no pg_dump. */
export async function schemaDump(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Line>(dumpSchema);
    const tables = [...new Set(rows.map((row) => row.table_name))];
    const texts = tables.map((table) =>
      tableText(
        table,
        rows.filter((row) => row.table_name === table),
      ),
    );
    return `-- The schema after all migrations. Written by "npm run schema"; a test compares it.\n\n${texts.join('\n')}`;
  } finally {
    await client.end();
  }
}

function tableText(table: string, rows: Line[]): string {
  const inside = rows.filter((row) => row.part < 3).map((row) => row.line);
  const parted = rows.find((row) => row.part === 3);
  const end = parted ? `) ${parted.line};` : ');';
  const indexes = rows.filter((row) => row.part === 4).map((row) => `${row.line};\n`);
  return `create table ${table} (\n${inside.join(',\n')}\n${end}\n${indexes.join('')}`;
}
