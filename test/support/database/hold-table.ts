import pg from 'pg';
import { sql } from './database.ts';

/** Holds a table, so that whatever needs it stays under way until `release`. */
export async function holdTable(
  url: string,
  table: string,
): Promise<{ waiting: () => Promise<number>; release: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  await client.query(`lock table ${table} in access exclusive mode`);
  const count = `select count(*)::int as n from pg_stat_activity
                 where datname = current_database() and wait_event_type = 'Lock'`;
  return {
    waiting: async () => (await sql<{ n: number }>(url, count))[0]?.n ?? 0,
    release: () => client.end(),
  };
}
