import type { Queryable } from './database.ts';
import { databaseTime } from './queries.ts';

/** The database's time in milliseconds: the clock that all processes share. */
export async function readTime(db: Queryable): Promise<number> {
  const [time] = await db.query<{ ms: number }>(databaseTime);
  return (time as { ms: number }).ms;
}

/** A clock that continues from a time read from the database, independent of this machine's clock. */
export function clockFrom(databaseMs: number): () => number {
  const readAt = performance.now();
  return () => databaseMs + (performance.now() - readAt);
}
