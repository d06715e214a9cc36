import type { Queryable } from './database.ts';
import { readChecksums } from './migrate.ts';
import { hasMigrationTables, isVisitor, listMigrations, serverFacts } from './queries.ts';

/** Inspects a database and changes nothing. */

export interface ServerFacts {
  versionNumber: number;
  version: string;
  fsync: string;
  synchronousCommit: string;
  fullPageWrites: string;
  /** A read-only replica. */
  standby: boolean;
  now: Date;
}

export async function inspectServer(db: Queryable): Promise<ServerFacts> {
  const rows = await db.query<ServerFacts>(serverFacts);
  return rows[0] as ServerFacts;
}

/** Whether another login owns the schema. */
export async function servesOnly(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ value: boolean }>(isVisitor);
  return row?.value === true;
}

export interface MigrationState {
  applied: string[];
  pending: string[];
  /** Applied, and edited afterwards. */
  edited: string[];
  /** Applied by a newer release. */
  unknown: string[];
}

export async function inspectMigrations(db: Queryable): Promise<MigrationState> {
  const onDisk = await readChecksums();
  const [tables] = await db.query<{ present: boolean }>(hasMigrationTables);
  const rows = tables?.present ? await db.query<{ name: string; sha256: string | null }>(listMigrations) : [];
  const applied = rows.map((row) => row.name);
  return {
    applied,
    pending: [...onDisk.keys()].filter((name) => !applied.includes(name)),
    edited: rows
      .filter(({ name, sha256 }) => sha256 !== null && onDisk.has(name) && onDisk.get(name) !== sha256)
      .map(({ name }) => name),
    unknown: applied.filter((name) => !onDisk.has(name)),
  };
}
