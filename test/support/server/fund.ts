import { type Funded, fundProgram } from '../../../src/programs/fund-program.ts';
import { testActor } from './actor.ts';
import type { TestApp } from './test-app.ts';

/** Adds money to the master account. */
export async function fund(
  { db, program }: Pick<TestApp, 'db' | 'program'>,
  amountMinor: bigint,
  programId: string = program.id,
): Promise<Funded> {
  const actor = await testActor(db, programId);
  return db.transaction((tx) => fundProgram(tx, actor, { amountMinor }));
}
