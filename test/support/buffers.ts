import type { Queryable } from '../../src/db/database.ts';
import { sql } from './database.ts';

/** Runs the statements, which find nothing, and counts the pages that they touched. */
export async function buffersOf(url: string, run: (db: Queryable) => Promise<unknown>): Promise<number> {
  let buffers = 0;
  const query = async ({ text }: { text: string }, values: readonly unknown[] = []) => {
    const explain = `explain (analyze, buffers, format json) ${text}`;
    const rows = await sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(url, explain, [...values]);
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
    buffers += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
    return [];
  };
  await run({ query } as Queryable);
  return buffers;
}
