import pg from 'pg';
import { detailed, type Queryable, type Statement } from '../../../src/db/database.ts';
import { onKept, sql } from './database.ts';

/** Runs the statements and counts the pages that they touched. They find nothing, or what `answers` finds. */
export async function buffersOf(
  url: string,
  run: (db: Queryable) => Promise<unknown>,
  answers?: Queryable,
): Promise<number> {
  let buffers = 0;
  const query = async (statement: string | Statement, values: readonly unknown[] = []) => {
    const explain = `explain (analyze, buffers, format json) ${detailed(statement).text}`;
    const rows = await sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(url, explain, [...values]);
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
    buffers += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
    return answers?.query(statement, values) ?? [];
  };
  await run({ query } as Queryable);
  return buffers;
}

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

/**
 * The same with a plan that is made once, for whatever values come, as in our transactions. Named statements get such a
 * plan sooner or later outside of transactions too.
 */
export async function genericBuffersOf(
  url: string,
  run: (db: Queryable) => Promise<unknown>,
  answers?: Queryable,
): Promise<number> {
  const plans = await genericPlansOf(url, run, answers);
  return plans.reduce((sum, plan) => sum + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], 0);
}

/** Those plans, as PostgreSQL shows them after the run. */
export async function genericPlansOf(
  url: string,
  run: (db: Queryable) => Promise<unknown>,
  answers?: Queryable,
): Promise<Plan[]> {
  const plans: Plan[] = [];
  await onKept(url, async (client) => {
    const query = async (statement: string | Statement, values: readonly unknown[] = []) => {
      await client.query(`prepare statement as ${detailed(statement).text}`);
      const given = values.length > 0 ? `(${values.map(literalOf).join(', ')})` : '';
      const { rows } = await client.query(
        `explain (analyze, buffers, format json) execute statement${given}`,
      );
      await client.query('deallocate statement');
      plans.push(rows[0]['QUERY PLAN'][0].Plan);
      return answers?.query(statement, values) ?? [];
    };
    await client.query('set plan_cache_mode = force_generic_plan');
    await run({ query } as Queryable);
    await client.query('reset plan_cache_mode');
  });
  return plans;
}

function literalOf(value: unknown): string {
  if (value === null) return 'null';
  // As text where it can be: an empty list has no type of its own, and the statement knows it.
  if (Array.isArray(value))
    return Buffer.isBuffer(value[0])
      ? `array[${value.map(literalOf).join(', ')}]::bytea[]`
      : `'{${value.join(',')}}'`;
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`;
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : `${value as string | number}`);
}
