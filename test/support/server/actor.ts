import { localIdentity } from '../../../src/audit/entry.ts';
import type { Queryable } from '../../../src/db/database.ts';
import { type Actor, readActor } from '../../../src/programs/actor.ts';

/** The actor of what a test sets up. */
export const TESTER = localIdentity('test');

export const testActor = (db: Queryable, programId: string): Promise<Actor> =>
  readActor(db, TESTER, programId);
