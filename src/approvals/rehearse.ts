import type { Database, Tx } from '../db/database.ts';

/** Runs a change and rolls it back: it throws what the change would. */
export async function rehearse(db: Database, make: (tx: Tx) => Promise<unknown>): Promise<void> {
  const done = new Error('rehearsed');
  await db
    .transaction(async (tx) => {
      await make(tx);
      throw done;
    })
    .catch((error) => {
      if (error !== done) throw error;
    });
}
